"""What a name of MindSpore gives that ms_compat does not serve.

A package ends with `__getattr__ = unsupported_getattr(__name__)`. A name that it lacks is then, in this order, a
submodule not yet imported; an earlier or inner name (`_names/aliases.py`); what MindSpore's module of this path has
from elsewhere (`_names/listing.py`); an inner module of MindSpore; a name of MindSpore 2.10 that nothing serves, for
which there is a placeholder; or an `AttributeError` that suggests the nearest name.

The placeholder lets a script import a name, mention it in an annotation and ask `isinstance`, and raises
`UnsupportedError` as soon as it is used: called, subclassed, indexed, or asked for an attribute. So `hasattr(ms.ops,
"X")` is True for every public name of MindSpore, as it is there; a placeholder is false, so that `getattr(ms.ops,
"X", None) or fallback` finds the fallback, and `is_served("mindspore.ops.X")` tells for certain.

What a name is may be said by another name, and which module has it by a table of modules, so this file, `listing.py`
and `inner.py` ask each other: a circle. It is closed in functions, which also spares `import ms_compat` the tables.
"""

import contextlib
import difflib
import functools
import importlib
import pathlib
import sys
import threading
import types
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from ms_compat._core import homes
from ms_compat._core.errors import UnsupportedError, UnsupportedMethodError

_PACKAGE = __name__.partition(".")[0]
# Packages of ours that are laid out otherwise than MindSpore's of the same path: a file `clip.py` where that has a
# function `clip`. MindSpore's path means a stand-in (`_names/inner.py`), and the package is only imported from.
LAID_OUT_OTHERWISE = frozenset({"ms_compat.ops.function"})


class _Asking(threading.local):
    """Whether this thread only asks what is served: then no hint is sought, which would ask for other names in turn."""

    quietly = False


_asking = _Asking()


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Within, errors for missing names come without a hint."""
    before, _asking.quietly = _asking.quietly, True
    try:
        yield
    finally:
        _asking.quietly = before


class Absent:
    """A public name of MindSpore that is not served; using it raises `UnsupportedError`.

    >>> Absent("mindspore.ops.Foo")
    <mindspore.ops.Foo: not supported by ms_compat>
    >>> bool(Absent("mindspore.ops.Foo")), isinstance(3, Absent("mindspore.ops.Foo"))
    (False, False)
    """

    __slots__ = ("_dotted",)

    def __init__(self, dotted: str) -> None:
        object.__setattr__(self, "_dotted", dotted)

    def _use(self, *_: Any, **__: Any) -> NoReturn:
        raise UnsupportedError(self._dotted, way_out(self._dotted))

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):  # introspection asks for these and expects to be told no
            raise AttributeError(f"'{self._dotted}' is not supported by ms_compat")
        self._use()

    def __repr__(self) -> str:
        return f"<{self._dotted}: not supported by ms_compat>"

    def __bool__(self) -> bool:
        return False

    def __instancecheck__(self, instance: object) -> bool:
        return False

    def __subclasscheck__(self, subclass: type) -> bool:
        return False

    def __or__(self, other: object) -> "Absent":  # an annotation: `ms.Foo | None`
        return self

    __ror__ = __or__
    __call__ = __getitem__ = __setitem__ = __setattr__ = __iter__ = __len__ = __contains__ = __enter__ = _use
    __mro_entries__ = _use


@functools.cache
def absent(dotted: str) -> Absent:
    """Returns the placeholder for a name, the same one at every call."""
    return Absent(dotted)


def unsupported_getattr(module_name: str) -> Callable[[str], Any]:
    """Makes the `__getattr__` of a public package.

    Args:
        module_name: the package's `__name__`, such as "ms_compat.nn".

    Returns:
        A function for the module's `__getattr__`, to stand at the end of the file.
    """
    public = "mindspore" + module_name.removeprefix(_PACKAGE)

    def __getattr__(name: str) -> Any:
        dotted = f"{public}.{name}"
        if not name.startswith("__"):
            if answers_for_itself(f"{module_name}.{name}"):
                return importlib.import_module(f"{module_name}.{name}")
            from ms_compat._names import aliases, inner, listing

            earlier = aliases.find(dotted)
            if earlier is not None:
                return homes.rename(earlier)
            found = listing.find(dotted)
            if found is not listing.NOTHING:
                return homes.rename(found)
            module = inner.inner_module(dotted)
            if module is not None and not listing.known(dotted):  # else a function, as `utils.stress_detect`
                return module
            if is_placeheld(dotted):
                return absent(dotted)
        elif name == "__all__":
            from ms_compat._names import listing

            if listing.names(public):
                return listing.exported(public)
        raise no_attribute(public, name)

    return __getattr__


def no_attribute(module: str, name: str) -> AttributeError:
    """Returns the error for a name that a module has not, with the nearest one if it is a public one."""
    hint = "" if name.startswith("_") or _asking.quietly else way_out(f"{module}.{name}")
    return AttributeError(f"module '{module}' has no attribute '{name}'.{' ' + hint if hint else ''}")


def is_placeheld(dotted: str) -> bool:
    """Whether a name that nothing serves gets a placeholder: the names of MindSpore 2.10 that are not private."""
    from ms_compat._names import census, listing

    module, _, name = dotted.rpartition(".")
    entry = listing.names(module).get(name)
    return census.known(dotted) or entry is not None and (entry.exported or not name.startswith("_"))


def unsupported_method(owner: str) -> Callable[[Any, str], NoReturn]:
    """Makes the `__getattr__` of a class of MindSpore, which Python calls for the attributes that an object lacks.

    Args:
        owner: the class's public path, such as "mindspore.Tensor".

    Returns:
        A method that raises `UnsupportedMethodError`, an `AttributeError`, for the public names of MindSpore's class
        that the object's class lacks, and a plain `AttributeError` for others.
    """

    def __getattr__(self: Any, name: str) -> NoReturn:
        if not name.startswith("_"):
            from ms_compat._names import census

            if census.known(f"{owner}.{name}") and not hasattr(type(self), name):
                raise UnsupportedMethodError(f"{owner}.{name}", way_out(f"{owner}.{name}"))
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    return __getattr__


class AbsentMember:
    """A member of a class of MindSpore that is not served, where `__getattr__` would be called too often.

    NumPy asks a Tensor for two protocols that it lacks at every conversion; a `__getattr__` makes that 1.5 us slower.
    The class gives a placeholder, since tools that wrap every method go through its `dir`; an object lacks the member.

    >>> cls = type("Tensor", (), {"offload": AbsentMember("mindspore.Tensor.offload")})
    >>> cls.offload, hasattr(cls(), "offload")
    (<mindspore.Tensor.offload: not supported by ms_compat>, False)
    """

    __slots__ = ("_dotted",)

    def __init__(self, dotted: str) -> None:
        self._dotted = dotted

    def __get__(self, instance: object, owner: type | None = None) -> Absent:
        if instance is None:
            return absent(self._dotted)
        raise UnsupportedMethodError(self._dotted, way_out(self._dotted))


def module_exists(path: str) -> bool:
    """Whether ms_compat has a module of a path, found by its file: nothing is imported.

    >>> module_exists("ms_compat._names.absent"), module_exists("ms_compat.nope")
    (True, False)
    """
    base = pathlib.Path(__file__).parents[1].joinpath(*path.split(".")[1:])
    return path in sys.modules or base.with_suffix(".py").is_file() or base.joinpath("__init__.py").is_file()


def answers_for_itself(path: str) -> bool:
    """Whether a module of ours is what MindSpore's path of the same name means."""
    return path not in LAID_OUT_OTHERWISE and module_exists(path)


def completed(module: types.ModuleType) -> types.ModuleType:
    """Gives a module under an inner path of MindSpore the `__getattr__` that packages have; returns the module.

    So `from mindspore.common.initializer import _assignment` finds what stands elsewhere (`_names/aliases.py`).
    """
    if module.__name__.partition(".")[0] == _PACKAGE:
        vars(module).setdefault("__getattr__", unsupported_getattr(module.__name__))
    return module


def resolve(dotted: str) -> Any:
    """Returns what a name of MindSpore is here; a placeholder if it is known but not served.

    Args:
        dotted: such as "mindspore.nn.Dense".

    Raises:
        AttributeError: if there is no such name.
    """
    names = dotted.split(".")[1:]
    found: Any = importlib.import_module(_PACKAGE)
    path = _PACKAGE
    for at, name in enumerate(names):
        path = f"{path}.{name}"
        if isinstance(found, Absent):
            return found
        try:
            found = _member(found, path, name, at == len(names) - 1)
        except ImportError as error:  # a module whose optional dependency is not installed
            raise AttributeError(f"'{dotted}' cannot be imported: {error}") from error
    return found


def _member(owner: Any, path: str, name: str, is_last: bool) -> Any:
    """What a name of a module, or of a class, is; a function and a module may have the same path."""
    if not isinstance(owner, types.ModuleType):
        return getattr(owner, name)
    if is_last and not isinstance(vars(owner).get(name, owner), types.ModuleType):
        return vars(owner)[name]
    if answers_for_itself(path):
        return completed(importlib.import_module(path))
    if not is_last:
        from ms_compat._names import inner  # the function `common.seed` and the inner module of that path

        module = inner.inner_module("mindspore" + path.removeprefix(_PACKAGE))
        if module is not None:
            return module
    return getattr(owner, name)


def is_served(dotted: str) -> bool:
    """Whether ms_compat serves a name of MindSpore.

    >>> is_served("mindspore.context.set_context"), is_served("mindspore.context.nope")
    (True, False)
    """
    return served(dotted) is not None


def served(dotted: str) -> Any:
    """Returns what a name of MindSpore is here, or `None` if it is not served."""
    try:
        with quietly():
            found = resolve(dotted)
    except (AttributeError, UnsupportedError):
        return None
    return None if isinstance(found, Absent) else found


@functools.cache
def _plain(name: str) -> str:
    return name.lower().replace("_", "")


def _neighbours(module: str, plain: str) -> dict[str, str]:
    """Names and their paths: what stands in `module`, and what other modules serve under the same letters."""
    from ms_compat._names import census

    try:
        here = resolve(module)
    except (AttributeError, UnsupportedError):
        here = None
    served = {known: f"{module}.{known}" for known in dir(here) if known[0] != "_"} if here is not None else {}
    for other in ("mindspore.ops", "mindspore.mint", "mindspore.nn", "mindspore"):
        if other != module and is_served(other):
            for known in census.modules()[other]:
                if _plain(known) == plain and known not in served and is_served(f"{other}.{known}"):
                    served[known] = f"{other}.{known}"
    return served


def nearest(dotted: str) -> str | None:
    """Returns the served name that comes nearest: a successor, the same name elsewhere, or one spelled alike.

    Args:
        dotted: such as "mindspore.ops.Relu".
    """
    from ms_compat._names import census

    successor = census.renamed().get(dotted)
    if successor is not None:
        return successor
    module, _, name = dotted.rpartition(".")
    plain = _plain(name)
    served = _neighbours(module, plain)
    for known, path in served.items():  # `nn.Conv2D` is `nn.Conv2d`, though `ops` has one that is spelled so
        if _plain(known) == plain and path == f"{module}.{known}" != dotted and is_served(path):
            return path
    if census.homes().get(name):
        for home in census.homes()[name]:
            if home != module and is_served(f"{home}.{name}"):
                return f"{home}.{name}"
    for known, path in served.items():
        if _plain(known) == plain and path != dotted and is_served(path):
            return path
    close = difflib.get_close_matches(name, served, 3, 0.75)
    return next((served[known] for known in close if is_served(served[known])), None)


def way_out(dotted: str) -> str:
    """Says in one sentence what serves in place of a name; empty if nothing comes near."""
    from ms_compat._names import ways_out

    told = ways_out.find(dotted)
    if told is not None:
        return told
    found = nearest(dotted)
    return f"The nearest is '{found}'." if found else ""
