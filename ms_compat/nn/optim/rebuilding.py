"""How an optimizer was made, so that another one of its kind can be made for other Parameters."""

from __future__ import annotations

import inspect
import weakref
from typing import Any

_calls: weakref.WeakKeyDictionary[Any, tuple[tuple, dict]] = weakref.WeakKeyDictionary()


def note(optimizer: Any, args: tuple, kwargs: dict[str, Any]) -> None:
    """Remember the arguments of a constructor's call."""
    _calls[optimizer] = args, kwargs


def arguments(optimizer: Any) -> dict[str, Any]:
    """The arguments of the constructor by name, defaults included and `**kwargs` among them.

    Raises:
        AttributeError: the optimizer is a copy of another one.
    """
    if optimizer not in _calls:
        raise AttributeError(f"The '{type(optimizer).__name__}' object has no attribute 'init_args': it is a copy.")
    args, kwargs = _calls[optimizer]
    signature = inspect.signature(type(optimizer).__init__)
    bound = signature.bind(optimizer, *args, **kwargs)
    bound.apply_defaults()
    found = dict(list(bound.arguments.items())[1:])
    for name, parameter in signature.parameters.items():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            found.update(found.pop(name))
    return found
