"""What a MindSpore name is here.

A package ends with `__getattr__ = unsupported_getattr(__name__)`. A name that it lacks is then, in this order, a
submodule not yet imported; an earlier or inner name (`aliases.py`); what MindSpore's module of this path has from
elsewhere (`module_exports.py`); an inner module of MindSpore; a name of MindSpore 2.10 that nothing serves, for which
there is a placeholder (`placeholder.py`); or an `AttributeError` that suggests the nearest name.

Any of these may be given by another name, so the finders are in one file, above the tables that they read.
"""

import ast
import contextlib
import difflib
import dis
import functools
import importlib
import importlib.machinery
import os
import sys
import threading
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn

from ms_compat._core import homes
from ms_compat._core.errors import UnsupportedError, UnsupportedMethodError, attribute_error
from ms_compat._names import aliases, api_index, hints, inner, module_exports
from ms_compat._names.placeholder import Placeholder

_PACKAGE = __name__.partition(".")[0]
_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_IMPORT_FROM = dis.opmap["IMPORT_FROM"]
# Packages of ours that are laid out otherwise than MindSpore's of the same path: a file `clip.py` where that has a
# function `clip`. MindSpore's path means a stand-in (`InnerModule`), and the package is only imported from.
LAID_OUT_OTHERWISE = frozenset({"ms_compat.ops.function"})


class _Asking(threading.local):
    """Whether this thread only checks what is served: then no hint is built, which would look up more names."""

    without_hints = False


_asking = _Asking()


@contextlib.contextmanager
def without_hints() -> Iterator[None]:
    """Within, errors for missing names come without a hint."""
    before, _asking.without_hints = _asking.without_hints, True
    try:
        yield
    finally:
        _asking.without_hints = before


@functools.cache
def placeholder_for(dotted: str) -> Placeholder:
    """Returns the placeholder for a name, the same one at every call."""
    return Placeholder(dotted, hint_for)


def unsupported_getattr(module_name: str) -> Callable[[str], Any]:
    """Makes the `__getattr__` of a public package.

    Args:
        module_name: the package's `__name__`, such as "ms_compat.nn".

    Returns:
        A function for the module's `__getattr__`, for the end of the file.
    """
    public = "mindspore" + module_name.removeprefix(_PACKAGE)

    def __getattr__(name: str) -> Any:
        dotted = f"{public}.{name}"
        if not name.startswith("__"):
            if answers_for_itself(f"{module_name}.{name}"):
                return importlib.import_module(f"{module_name}.{name}")
            earlier = aliases.find(dotted)
            if earlier is not None:
                return homes.rename(earlier)
            found = _find_export(dotted)
            if found is not module_exports.NOTHING:
                return homes.rename(found)
            module = inner_module(dotted)
            if module is not None and not module_exports.known(dotted):  # else a function, as `utils.stress_detect`
                return module
            if has_placeholder(dotted):
                return placeholder_for(dotted)
        elif name == "__all__" and module_exports.names(public):
            return module_exports.exported(public)
        _refuse(public, name)

    return __getattr__


def no_attribute(module: str, name: str) -> AttributeError:
    """Returns the error for a name that a module lacks, with the nearest one if it is a public one."""
    if name.startswith("_") or _asking.without_hints:
        return AttributeError(f"module '{module}' has no attribute '{name}'")
    return attribute_error(f"module '{module}' has no attribute '{name}'. {_no_such_name(module, name)}", name)


def _no_such_name(module: str, name: str) -> str:
    hint = hint_for(f"{module}.{name}")
    return f"MindSpore 2.10 has no such name. {hint}" if hint else "MindSpore 2.10 has no such name."


def _refuse(module: str, name: str) -> NoReturn:
    """Raise the error for a name that a module lacks; called by the `__getattr__` of modules.

    Raises:
        ImportError: `from module import name` is what fails. Python's own message would name this package's file.
        AttributeError: in all other cases.
    """
    caller: types.FrameType | None = sys._getframe(1)
    while caller is not None and caller.f_code.co_name in ("__getattr__", "_elsewhere"):
        caller = caller.f_back
    if caller is not None and caller.f_code.co_code[caller.f_lasti] == _IMPORT_FROM:
        raise ImportError(f"cannot import name '{name}' from '{module}'. {_no_such_name(module, name)}", name=module)
    raise no_attribute(module, name)


def has_placeholder(dotted: str) -> bool:
    """Whether a name that nothing serves gets a placeholder: the names of MindSpore 2.10 that are not private."""
    module, _, name = dotted.rpartition(".")
    entry = module_exports.names(module).get(name)
    return api_index.known(dotted) or entry is not None and (entry.exported or not name.startswith("_"))


def unsupported_method(owner: str, habits: Mapping[str, str] | None = None) -> Callable[[Any, str], NoReturn]:
    """Makes a MindSpore class's `__getattr__`, which Python calls for the attributes that an object lacks.

    Args:
        owner: the class's public path, such as "mindspore.Tensor".
        habits: what to do instead of members that other libraries have, by their names.

    Returns:
        A method that raises `UnsupportedMethodError`, an `AttributeError`, for the public names of MindSpore's class
        that the object's class lacks, and a plain `AttributeError` for others.
    """

    def __getattr__(self: Any, name: str) -> NoReturn:
        dotted = f"{owner}.{name}"
        if not name.startswith("_") and api_index.known(dotted) and not hasattr(type(self), name):
            raise UnsupportedMethodError(dotted, hint_for(dotted))
        message = f"'{type(self).__name__}' object has no attribute '{name}'"
        if habits is not None and name in habits:
            raise attribute_error(f"{message}. {habits[name]}", name)
        raise AttributeError(message)

    return __getattr__


def module_exists(path: str) -> bool:
    """Whether ms_compat has a module of a path, found by its file: nothing is imported.

    >>> module_exists("ms_compat._names.placeholder"), module_exists("ms_compat.nope")
    (True, False)
    """
    if path.endswith(".__init__"):  # the file of the package, whose names would be found a second time there
        return False
    if path in sys.modules:
        return True
    base = os.path.join(_FOLDER, *path.split(".")[1:])
    return os.path.isfile(f"{base}.py") or os.path.isfile(os.path.join(base, "__init__.py"))


def answers_for_itself(path: str) -> bool:
    """Whether a module of ours is what MindSpore's path of the same name means."""
    return path not in LAID_OUT_OTHERWISE and module_exists(path)


def completed(module: types.ModuleType) -> types.ModuleType:
    """Gives a module under an inner path of MindSpore the `__getattr__` that packages have; returns the module.

    So `from mindspore.common.initializer import _assignment` finds what is defined elsewhere (`_names/aliases.py`).
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
        if isinstance(found, Placeholder):
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
        module = inner_module("mindspore" + path.removeprefix(_PACKAGE))
        if module is not None:
            return module
    return getattr(owner, name)


def is_served(dotted: str) -> bool:
    """Whether ms_compat serves a name of MindSpore.

    >>> is_served("mindspore.context.set_context"), is_served("mindspore.context.nope")
    (True, False)
    """
    return served(dotted, missing=Placeholder) is not Placeholder  # None may be the value, as of 'Tensor.init'


def served(dotted: str, missing: Any = None) -> Any:
    """Returns what a name of MindSpore is here, or `missing` if it is not served."""
    try:
        with without_hints():
            found = resolve(dotted)
    except (AttributeError, UnsupportedError):
        return missing
    return missing if isinstance(found, Placeholder) else found


@functools.cache
def _plain(name: str) -> str:
    return name.lower().replace("_", "")


def _neighbours(module: str, plain: str) -> dict[str, str]:
    """Names and their paths: what is in `module`, and what other modules serve under the same letters."""
    try:
        here = resolve(module)
    except (AttributeError, UnsupportedError):
        here = None
    served = {known: f"{module}.{known}" for known in dir(here) if known[0] != "_"} if here is not None else {}
    for other in ("mindspore.ops", "mindspore.mint", "mindspore.nn", "mindspore"):
        if other != module and is_served(other):
            for known in api_index.modules()[other]:
                if _plain(known) == plain and known not in served and is_served(f"{other}.{known}"):
                    served[known] = f"{other}.{known}"
    return served


def nearest(dotted: str) -> str | None:
    """Returns the served name that comes nearest: a successor, the same name elsewhere, or one spelled alike.

    Args:
        dotted: such as "mindspore.ops.Relu".
    """
    successor = api_index.renamed().get(dotted)
    if successor is not None:
        return successor
    module, _, name = dotted.rpartition(".")
    plain = _plain(name)
    served = _neighbours(module, plain)
    of_constants = [known for known in served if known.startswith(f"{name}_")] if name.isupper() else []
    for known in (f"{name}2d", *of_constants):
        if served.get(known) == f"{module}.{known}" and is_served(f"{module}.{known}"):
            return f"{module}.{known}"  # `nn.BatchNorm` is `nn.BatchNorm2d`, `GRAPH` is `GRAPH_MODE`
    alike = [known for known, path in served.items() if _plain(known) == plain and path != dotted]
    alike.sort(key=lambda known: -difflib.SequenceMatcher(None, name, known).ratio())  # `soft_max` is not `Softmax`
    for known in alike:  # `nn.Conv2D` is `nn.Conv2d`, though `ops` has one that is spelled so
        if served[known] == f"{module}.{known}" and is_served(served[known]):
            return served[known]
    for home in api_index.homes().get(name, ()):
        if home != module and is_served(f"{home}.{name}"):
            return f"{home}.{name}"
    for known in alike:
        if is_served(served[known]):
            return served[known]
    close = difflib.get_close_matches(name, served, 3, 0.75)
    return next((served[known] for known in close if is_served(served[known])), None)


def hint_for(dotted: str) -> str:
    """Says in one sentence what serves in place of a name; empty if nothing comes near."""
    told = hints.find(dotted)
    if told is not None:
        return told
    found = nearest(dotted)
    if found is None:
        module, _, name = dotted.rpartition(".")
        is_method = module in ("mindspore", "mindspore.ops", "mindspore.mint") and is_served(f"mindspore.Tensor.{name}")
        return f"It is a method of Tensor: 'x.{name}'." if is_method else ""
    return f"The nearest is '{found}'."


@functools.cache
def _find_export(dotted: str) -> Any:
    """Returns what a name is where it stands for something at another place; `NOTHING` if nothing serves it.

    >>> import ms_compat
    >>> _find_export("mindspore.ops.function.nn_func.Tensor") is ms_compat.Tensor
    True
    >>> _find_export("mindspore.ops.function.nn_func.reduce_mean_").name
    'ReduceMean'
    """
    module, _, name = dotted.rpartition(".")
    entry = module_exports.names(module).get(name)
    if entry is None or entry.kind == "own":
        return module_exports.NOTHING
    if entry.kind == "value":
        return ast.literal_eval(entry.place)
    if entry.kind == "module":
        return module_of(entry.place) or module_exports.NOTHING
    found = served(entry.place)
    if found is None:
        return module_exports.NOTHING
    if entry.kind == "name" or not isinstance(found, type):  # an instance already, where MindSpore has its class
        return found
    return found(
        **{key: ast.literal_eval(value) for key, _, value in (text.partition("=") for text in entry.arguments)}
    )


class InnerModule(types.ModuleType):
    """A stand-in for an inner module of MindSpore: it has the names of a public module, which it imports when needed.

    It cannot be the public module itself: the import system sets a module as an attribute of its parent, and
    `import mindspore.common.tensor` would put a module over the function `tensor`.

    A name is looked up in the table of `aliases.py`; in the modules of `inner.PROVIDERS`, which have what MindSpore
    keeps inside and exports nowhere, but programs import all the same; in the listing of MindSpore's modules; and in
    the public module nearest by.
    """

    def __init__(self, path: str, public: str) -> None:
        super().__init__(path, f"The names of `{public}` under an inner path of MindSpore.")
        self.__path__: list[str] = []
        self.__spec__ = importlib.machinery.ModuleSpec(path, None, is_package=True)
        self._public = public

    def _target(self) -> types.ModuleType:
        return module_of(self._public) or importlib.import_module("ms_compat")

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return self._exported()
        if name.startswith("__"):
            raise no_attribute(self.__name__, name)
        dotted = f"{self.__name__}.{name}"
        for look in (self._elsewhere, self._provided, _find_export, self._at_public_module, self._generated):
            found = look(dotted)
            if found is not module_exports.NOTHING:
                return homes.rename(found)
        below = inner_module(dotted)
        if below is not None and not module_exports.known(dotted):
            return below
        if has_placeholder(dotted):
            return placeholder_for(dotted)
        _refuse(self.__name__, name)

    def _exported(self) -> list[str]:
        if module_exports.names(self.__name__):
            return module_exports.exported(self.__name__)
        target = self._target()
        return getattr(target, "__all__", None) or [found for found in dir(target) if not found.startswith("_")]

    @staticmethod
    def _elsewhere(dotted: str) -> Any:
        below = inner_module(dotted) if dotted in inner.MORE else None
        found = below if below is not None else aliases.find(dotted)
        return module_exports.NOTHING if found is None else found

    def _provided(self, dotted: str) -> Any:
        name = dotted.rpartition(".")[2]
        for provider in inner.PROVIDERS.get(self.__name__, ()):
            module = importlib.import_module(provider)
            if name in module.__all__:
                return getattr(module, name)
            made = module.module_attribute(name) if hasattr(module, "module_attribute") else None
            if made is not None:
                return made
        return module_exports.NOTHING

    def _at_public_module(self, dotted: str) -> Any:
        name = dotted.rpartition(".")[2]
        there = module_exports.names(self._public).get(name)
        if there is not None and there.place == dotted:  # else the public module would look it up here in turn
            target = self._target()
            is_own = not isinstance(target, InnerModule) and name in dir(target)  # `vars` lacks what is imported later
            found = getattr(target, name) if is_own else vars(target).get(name)
        else:
            found = served(f"{self._public}.{name}")
        return module_exports.NOTHING if found is None or isinstance(found, types.ModuleType) else found

    def _generated(self, dotted: str) -> Any:
        if self.__name__ != "mindspore.ops.auto_generate.gen_ops_def":
            return module_exports.NOTHING
        (provider,) = inner.PROVIDERS[self.__name__]
        found = importlib.import_module(provider).function_of(dotted.rpartition(".")[2])
        return module_exports.NOTHING if found is None else found

    def __dir__(self) -> list[str]:
        # Without the names that are not served: libraries register all that a module lists.
        names = sorted(module_exports.names(self.__name__)) or dir(self._target())
        with without_hints():  # a hint would need this list
            return list(filter(self._serves, names))

    def _serves(self, name: str) -> bool:
        return not isinstance(getattr(self, name, None), Placeholder)


@functools.cache
def inner_module(path: str) -> InnerModule | None:
    """Returns the stand-in for an inner path, the same at every call, or `None` if MindSpore has no such module.

    >>> inner_module("mindspore.ops.operations").__name__
    'mindspore.ops.operations'
    """
    public = inner.paths().get(path)
    return None if public is None else InnerModule(path, public)


def module_of(path: str) -> types.ModuleType | None:
    """Returns the module that a path of MindSpore means, ours or a stand-in; `None` if there is none.

    >>> module_of("mindspore.ops.operations") is inner_module("mindspore.ops.operations")
    True
    """
    ours = "ms_compat" + path.removeprefix("mindspore")
    return completed(importlib.import_module(ours)) if answers_for_itself(ours) else inner_module(path)
