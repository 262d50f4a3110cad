"""`mindspore.enable_dynamic`: which arguments of a compiled function change their shape."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

from ms_compat._compile.jit import DECLARED, CompiledFunction, JitFunction
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.mutable import is_mutable
from ms_compat._core.trace import scopes

_WHERE = "When using decorator enable_dynamic, "


def _check_call(name: str, declared: Any, value: Any, seen: dict[int, int]) -> None:
    """Check one argument of a call against what was declared for it."""
    is_sequence = isinstance(value, (tuple, list))
    if is_sequence and not is_mutable(value):
        raise ValueError(f"{_WHERE}the argument '{name}' must be mutable(tuple/list), but got {type(value).__name__}.")
    if is_sequence != isinstance(declared, (tuple, list)) or not isinstance(value, (Tensor, tuple, list)):
        want = "a mutable tuple or list" if isinstance(declared, (tuple, list)) else "a Tensor"
        raise TypeError(f"{_WHERE}the argument '{name}' must be {want}, but got {type(value).__name__}.")
    if isinstance(value, Tensor):
        _check_tensor(name, declared, value, seen)
        return
    if len(declared) != len(value):
        raise ValueError(f"{_WHERE}the argument '{name}' must have {len(declared)} elements, but got {len(value)}.")
    for one, other in zip(declared, value, strict=True):
        _check_call(name, one, other, seen)


def _check_tensor(name: str, declared: Tensor, value: Tensor, seen: dict[int, int]) -> None:
    if value.dtype is not declared.dtype:
        raise TypeError(f"{_WHERE}the argument '{name}' must be of {declared.dtype}, but got {value.dtype}.")
    want, got = tuple(declared.shape), tuple(value.shape)
    if want == (-2,):  # of unknown rank
        return
    if len(want) != len(got) or any(size not in (-1, given) for size, given in zip(want, got, strict=False)):
        raise ValueError(f"{_WHERE}the argument '{name}' must be of shape {want}, but got {got}.")
    for symbol, size in zip(getattr(declared, "_sizes", ()), got, strict=False):
        if hasattr(symbol, "accepts") and not symbol.accepts(size, seen):
            raise ValueError(f"{_WHERE}the sizes of argument '{name}' must agree with the Symbol {symbol}, got {size}.")


def _check_declared(name: str, value: Any) -> None:
    parts = list(value) if isinstance(value, (tuple, list)) else [value]
    for part in parts:
        if not isinstance(part, Tensor):
            raise TypeError(
                f"The decorator enable_dynamic only supports Tensor or a tuple/list of Tensor, but the argument "
                f"'{name}' is {type(part).__name__}."
            )
    if all(size >= 0 for part in parts for size in part.shape):
        raise TypeError(f"{_WHERE}the shape of argument '{name}' at least have one None.")


def _checked(compiled: Callable, signature: inspect.Signature, declared: dict[str, Any]) -> Callable:
    """A compiled function that checks the arguments of each call from outside of compiled code."""

    @functools.wraps(compiled)
    def call(*args: Any, **named: Any) -> Any:
        if not scopes.compiling():
            given = signature.bind(*args, **named).arguments
            seen: dict[int, int] = {}
            for name, wanted in declared.items():
                if name in given:
                    _check_call(name, wanted, given[name], seen)
        if isinstance(compiled, JitFunction) and next(iter(signature.parameters)) == "self":
            return compiled.__get__(args[0])(*args[1:], **named)
        return compiled(*args, **named)

    setattr(call, DECLARED, None)  # `jit` leaves it as it is
    return call


def enable_dynamic(**kwargs: Any) -> Callable:
    """Decorator above or below `@jit`: declares arguments whose shapes change, against which each call is checked.

    XLA compiles per shape, so the declaration does not make one program for all shapes. Without `jit`, and where
    compiled code calls the function, nothing is checked. As in MindSpore, a Cell that GRAPH_MODE compiles takes
    `Cell.set_inputs` in its place.

    Args:
        kwargs: argument -> a Tensor that describes it, such as `Tensor(shape=[None, 2], dtype=float32)`, or a tuple
            or list of them, for which a call takes a `mutable` one.

    Raises:
        ValueError: nothing is declared, a name is not an argument's, or what is decorated is not a function; at the
            call, an argument of another shape or length, or a sequence that is not `mutable`.
        TypeError: a declaration is not a Tensor, or has no unknown size; at the call, an argument of another dtype
            or kind.

    >>> import ms_compat as ms
    >>> @ms.jit
    ... @ms.enable_dynamic(x=ms.Tensor(shape=[None], dtype=ms.float32))
    ... def double(x):
    ...     return x * 2
    >>> print(double(ms.Tensor([1.0])), double(ms.Tensor([1.0, 2.0])))
    [2.] [2. 4.]
    """
    if not kwargs:
        raise ValueError(f"{_WHERE}the input cannot be empty!")
    for name, value in kwargs.items():
        _check_declared(name, value)

    def decorate(fn: Callable) -> Callable:
        is_compiled = isinstance(fn, (JitFunction, CompiledFunction))
        if not (is_compiled or isinstance(fn, (types.FunctionType, types.MethodType))):
            raise ValueError(
                f"Decorator enable_dynamic can only be used for function or method decorated by ms.jit, but got {fn}."
            )
        signature = inspect.signature(fn)
        for name in kwargs:
            if name not in signature.parameters:
                raise ValueError(f"For 'enable_dynamic', the function has no argument '{name}'.")
        if is_compiled:
            return _checked(fn, signature, kwargs)
        setattr(fn, DECLARED, lambda compiled: _checked(compiled, signature, kwargs))
        return fn

    return decorate
