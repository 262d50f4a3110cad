"""`mindspore.enable_dynamic`: which arguments of a compiled function change their shape."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from ms_compat._core.tensor import Tensor


def _parts(value: Any) -> list[Tensor]:
    return list(value) if isinstance(value, (tuple, list)) else [value]


def _check(name: str, wanted: Any, given: Any) -> None:
    for expected, value in zip(_parts(wanted), _parts(given), strict=True):
        if not isinstance(value, Tensor):
            raise TypeError(
                f"When using decorator enable_dynamic, the argument '{name}' must be a Tensor or a tuple or list of "
                f"Tensors, but got {type(value).__name__}."
            )
        if value.dtype is not expected.dtype:
            raise TypeError(
                f"When using decorator enable_dynamic, the argument '{name}' must be of {expected.dtype}, but got "
                f"{value.dtype}."
            )


def _check_declared(name: str, value: Any) -> None:
    for part in _parts(value):
        if not isinstance(part, Tensor):
            raise TypeError(
                f"The decorator enable_dynamic only supports Tensor or a tuple/list of Tensor, but the argument "
                f"'{name}' is {type(part).__name__}."
            )
        if all(n >= 0 for n in part.shape):
            raise TypeError(
                f"When using decorator enable_dynamic, the shape of argument '{name}' at least have one None."
            )


def enable_dynamic(**kwargs: Any) -> Callable:
    """Decorator above `@jit`: declares arguments whose shapes change. Each shape is compiled once here in any case.

    Args:
        kwargs: argument -> a Tensor that describes it, such as `Tensor(shape=[None, 2], dtype=float32)`, or a tuple
            or list of them.

    Raises:
        ValueError: nothing is declared, or a name is not an argument's.
        TypeError: a declaration is not a Tensor, or has no unknown size; at the call, an argument of another dtype.

    >>> import ms_compat as ms
    >>> @ms.enable_dynamic(x=ms.Tensor(shape=None, dtype=ms.float32))
    ... @ms.jit
    ... def double(x):
    ...     return x * 2
    >>> print(double(ms.Tensor([1.0])), double(ms.Tensor([1.0, 2.0])))
    [2.] [2. 4.]
    """
    if not kwargs:
        raise ValueError("When using decorator enable_dynamic, the input cannot be empty!")
    for name, value in kwargs.items():
        _check_declared(name, value)

    def decorate(fn: Callable) -> Callable:
        signature = inspect.signature(fn)
        for name in kwargs:
            if name not in signature.parameters:
                raise ValueError(f"For 'enable_dynamic', the function has no argument '{name}'.")

        @functools.wraps(fn)
        def call(*args: Any, **named: Any) -> Any:
            given = signature.bind(*args, **named).arguments
            for name, wanted in kwargs.items():
                if name in given:
                    _check(name, wanted, given[name])
            return fn(*args, **named)

        return call

    return decorate
