"""How `mindspore.numpy` turns its arguments into Tensors: ints become Int32, floats Float32, lists likewise."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function import arithmetic, create


def to_dtype(dtype: Any) -> mstype.Type | None:
    """A mindspore dtype for a mindspore, NumPy or Python type, or its name."""
    if dtype is None or isinstance(dtype, mstype.Type):
        return dtype
    if dtype in (int, "int"):
        return mstype.int32
    if dtype in (float, "float"):
        return mstype.float32
    return mstype.np_dtype_to_ms(np.dtype(dtype))


def array(obj, dtype=None, copy=True, ndmin=0):
    """A tensor of numbers, nested sequences, NumPy arrays or Tensors.

    Args:
        obj: what to convert; ints give Int32, floats Float32.
        dtype: a dtype or its name.
        copy: whether a Tensor of that dtype is copied.
        ndmin: the result has at least this many dimensions.

    >>> import ms_compat.numpy as mnp
    >>> mnp.array([1, 2]).dtype
    mindspore.int32
    """
    target = to_dtype(dtype)
    if isinstance(obj, Tensor):
        out = create.identity_cast(obj, target or obj.dtype) if copy else create.cast(obj, target or obj.dtype)
    else:
        out = Tensor(_plain(obj))
        if target is None and not isinstance(obj, (np.ndarray, np.generic)):
            target = {mstype.int64: mstype.int32, mstype.float64: mstype.float32}.get(out.dtype)
        if target is not None:
            out = create.cast(out, target)
    if len(out.shape) < ndmin:
        out = out.reshape((1,) * (ndmin - len(out.shape)) + out.shape)
    return out


def _plain(obj: Any) -> Any:
    if isinstance(obj, (list, tuple)):
        return [_plain(item) for item in obj]
    return obj.asnumpy().tolist() if isinstance(obj, Tensor) else obj


def asarray(a, dtype=None):
    """As `array`, without copying a Tensor."""
    return array(a, dtype, copy=False)


def tensor(x: Any) -> Tensor:
    """The argument as a Tensor, as `asarray` makes it."""
    return x if isinstance(x, Tensor) else array(x)


def _operand(x: Any) -> Any:
    return x if isinstance(x, (Tensor, int, float)) else array(x)


def unary(fn: Callable) -> Callable:
    """`f(x, dtype=None)` of an operation of one tensor."""

    @functools.wraps(fn)
    def function(x, dtype=None):
        out = fn(tensor(x))
        return out if dtype is None else create.cast(out, to_dtype(dtype))

    return function


def halved(fn: Callable) -> Callable:
    """As `unary`; MindSpore computes the trigonometric functions of Bool in Float16."""

    def half(x):
        out = fn(create.cast(x, mstype.float32) if x.dtype.np_dtype.kind in "iub" else x)
        return create.cast(out, mstype.float16) if x.dtype is mstype.bool_ else out

    return functools.wraps(fn)(unary(half))


def floated(fn: Callable) -> Callable:
    """As `unary`, with Float32 for integers and Bool."""
    return functools.wraps(fn)(unary(lambda x: fn(create.cast(x, mstype.float32) if _whole(x) else x)))


def whole(fn: Callable) -> Callable:
    """As `unary`, with integers for integers, cut off, and Int64 for Bool."""

    def kept(x):
        if not _whole(x):
            return fn(x)
        target = mstype.int64 if x.dtype is mstype.bool_ else x.dtype
        out = fn(create.cast(x, mstype.float64))
        out = out * (1 + 1e-12)  # XLA's exp2(3) in Float64 is below 8
        return create.cast(arithmetic.clamp(out, max=float(np.iinfo(target.np_dtype).max)), target)

    return functools.wraps(fn)(unary(kept))


def _whole(x: Tensor) -> bool:
    return x.dtype.np_dtype.kind in "iub"


def binary(fn: Callable) -> Callable:
    """`f(x1, x2, dtype=None)` of an operation of two operands."""

    @functools.wraps(fn)
    def function(x1, x2, dtype=None):
        first = _operand(x1)
        second = _operand(x2)
        if not isinstance(first, Tensor) and not isinstance(second, Tensor):
            first, second = array(x1), array(x2)
        out = fn(first, second)
        return out if dtype is None else create.cast(out, to_dtype(dtype))

    return function


def converted(fn: Callable) -> Callable:
    """An operation whose first argument may be anything `asarray` takes."""

    @functools.wraps(fn)
    def function(a, *args, **kwargs):
        return fn(tensor(a), *args, **kwargs)

    return function
