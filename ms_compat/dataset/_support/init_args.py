"""`Remembered`: objects that keep their constructor arguments, for `serialize`."""

import functools
import inspect
from collections.abc import Callable
from typing import Any

from ms_compat._core.dispatch import keywords


class Remembered:
    """The base: keeps the arguments of the outermost `__init__`."""

    _made: tuple[tuple[Any, ...], dict[str, Any]] | None

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if "__init__" in cls.__dict__:
            cls.__init__ = _keeping(cls.__init__)  # type: ignore[method-assign]


def _keeping(init: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(init)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if "_made" not in self.__dict__:
            self._made = (args, kwargs)
        try:
            init(self, *args, **kwargs)
        except TypeError:
            # MindSpore binds the arguments before it calls, so inspect words the error for a missing or unknown one.
            try:
                inspect.signature(init).bind(self, *args, **kwargs)
            except TypeError as error:
                _complete(error, type(self).__name__, init, kwargs)
                raise
            raise

    return __init__


def _complete(error: TypeError, api: str, init: Callable[..., None], given: dict[str, Any]) -> None:
    """Adds to the message about an unknown keyword which class does not take it, and what to write."""
    known = keywords.taken_by(init) or ()
    unknown = [name for name in given if known and name not in known]
    if unknown and f"'{unknown[0]}'" in str(error):
        error.args = (f"For '{api}', {error}. {keywords.hint(unknown[0], known)}",)


def arguments(item: Remembered) -> dict[str, Any] | None:
    """An object's constructor arguments, by name; None if it was changed since (see `forget`)."""
    if "_made" not in item.__dict__:
        return {}
    if item._made is None:
        return None
    args, kwargs = item._made
    signature = inspect.signature(type(item))
    bound, named = signature.bind(*args, **kwargs), {}
    for name, value in bound.arguments.items():
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            named.update(value)
        elif kind is inspect.Parameter.VAR_POSITIONAL:
            named[f"*{name}"] = value
        else:
            named[name] = value
    return named


def forget(item: Remembered) -> None:
    """Marks an object as changed since its construction."""
    item._made = None
