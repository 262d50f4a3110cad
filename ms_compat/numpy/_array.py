"""How `mindspore.numpy` turns its arguments into Tensors: ints become Int32, floats Float32, lists likewise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import check_bool
from ms_compat._core.faces import faces
from ms_compat._core.promotion import promote
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import scopes
from ms_compat.ops.function.shape import create


def to_dtype(dtype: Any) -> mstype.Type | None:
    """A mindspore dtype for a mindspore, NumPy or Python type, or its name."""
    if dtype is None or isinstance(dtype, mstype.Type):
        return dtype
    if dtype in (int, "int"):
        return mstype.int32
    if dtype in (float, "float"):
        return mstype.float32
    return mstype.np_dtype_to_ms(np.dtype(dtype))


@faces("numpy")
def array(obj, dtype=None, copy=True, ndmin=0):
    """A tensor of numbers, nested sequences of them, or Tensors.

    Args:
        obj: what to convert; ints give Int32, floats Float32. A sequence may hold NumPy arrays.
        dtype: a dtype or its name.
        copy: whether a Tensor of that dtype is copied.
        ndmin: the result has at least this many dimensions.

    Raises:
        TypeError: `obj` is a NumPy array, a complex number or, outside of compiled functions, a NumPy scalar that is
            not a float.
        ValueError: a sequence holds other objects than numbers.

    >>> import ms_compat.numpy as mnp
    >>> mnp.array([1, 2]).dtype
    mindspore.int32
    """
    target = to_dtype(dtype)
    _refuse_numpy(obj)
    if isinstance(obj, Tensor):
        if not copy and target in (None, obj.dtype) and len(obj.shape) >= ndmin:
            return obj
        out = create.identity_cast(obj, target or obj.dtype) if copy else create.cast(obj, target or obj.dtype)
    else:
        if isinstance(obj, (list, tuple)):
            if np.array(_plain(obj)).dtype == object:  # NumPy's own ValueError for sequences of unequal lengths
                raise ValueError("For 'numpy.array', 'obj' must hold numbers, but a sequence holds other objects.")
        out = Tensor(float(obj) if isinstance(obj, float) else _plain(obj))  # np.float64 is a float, too
        if target is None and (isinstance(obj, float) or not isinstance(obj, np.generic)):
            narrower: dict[Any, Any] = {mstype.int64: mstype.int32, mstype.float64: mstype.float32}
            target = narrower.get(out.dtype)
        if target is not None:
            out = create.cast(out, target)
    if len(out.shape) < ndmin:
        out = out.reshape((1,) * (ndmin - len(out.shape)) + out.shape)
    return out


def _plain(obj: Any) -> Any:
    if isinstance(obj, (list, tuple)):
        return [_plain(item) for item in obj]
    return obj.asnumpy().tolist() if isinstance(obj, Tensor) else obj


@faces("numpy")
def asarray(a, dtype=None):
    """As `array`, without copying a Tensor.

    >>> from ms_compat import numpy
    >>> print(numpy.asarray([1, 2]))
    [1 2]
    """
    return array(a, dtype, copy=False)


def tensor(x: Any) -> Tensor:
    """The argument as a Tensor, as `asarray` makes it.

    Raises:
        TypeError: it is a NumPy array, a complex number or, outside of compiled functions, a NumPy scalar that is not
            a float; or a sequence holds numbers beside sequences.
        ValueError: it holds None or other objects.
    """
    if isinstance(x, Tensor):
        return x
    _refuse_numpy(x)
    if isinstance(x, (list, tuple)):
        _refuse_mixed(x)
    return array(x.item() if isinstance(x, np.generic) and not isinstance(x, float) else x)


def _refuse_numpy(x: Any) -> None:
    """TypeError for what `mindspore.numpy` does not take by itself: NumPy's arrays and scalars, and complex numbers."""
    if isinstance(x, np.ndarray):
        raise TypeError(
            "A function of mindspore.numpy takes Tensors, numbers, lists and tuples, but got a numpy.ndarray. "
            "Convert it with mindspore.Tensor."
        )
    if isinstance(x, np.generic) and not isinstance(x, float) and not scopes.tracing:
        raise TypeError(
            f"A function of mindspore.numpy takes Python numbers, but got a numpy.{type(x).__name__}. "
            f"Convert it with '.item()'."
        )
    if isinstance(x, complex):
        raise TypeError("A function of mindspore.numpy takes no complex numbers. Make a Tensor of it.")


def _refuse_mixed(sequence: Any) -> None:
    """TypeError for numbers beside sequences, as MindSpore's functions raise where `array` itself has a ValueError."""
    inner = [isinstance(item, (list, tuple)) for item in sequence]
    if any(inner) and not all(inner) and not any(isinstance(item, Tensor) or item is None for item in sequence):
        raise TypeError("A sequence of numbers must not hold both numbers and sequences.")
    for item in sequence:
        if isinstance(item, (list, tuple)):
            _refuse_mixed(item)


def flag(api: str, **given: Any) -> None:
    """Refuse what is not a bool."""
    for name, value in given.items():
        check_bool(f"numpy.{api}", name, value)


def distinct(axis: Any, rank: int) -> Any:
    """The axis or axes as given. Raises ValueError if one occurs twice."""
    if isinstance(axis, (tuple, list)) and all(isinstance(at, int) for at in axis):
        places = [at % rank if rank else at for at in axis]
        if len(set(places)) < len(places):
            raise ValueError(f"Each axis must occur once, but got {tuple(axis)}.")
    return axis


def _cast(out: Tensor, dtype: Any) -> Tensor:
    return out if dtype is None else create.cast(out, to_dtype(dtype))


def _called(function: Callable, fn: Callable) -> Callable:
    """`function` under the name and with the description of `fn`, but with its own parameters."""
    function.__name__ = function.__qualname__ = fn.__name__
    function.__doc__ = fn.__doc__
    return function


def unary(fn: Callable) -> Callable:
    """`f(x, dtype=None)` from an operation on one tensor."""

    def function(x, dtype=None):
        return _cast(fn(tensor(x)), dtype)

    return _called(function, fn)


def unary_a(fn: Callable) -> Callable:
    """As `unary`, for those whose tensor is called `a`."""

    def function(a, dtype=None):
        return _cast(fn(tensor(a)), dtype)

    return _called(function, fn)


def plain(fn: Callable) -> Callable:
    """`f(x)`."""

    def function(x):
        return fn(tensor(x))

    return _called(function, fn)


def _half(fn: Callable) -> Callable:
    def half(*xs):
        small = all(x.dtype is mstype.float16 or (_whole(x) and x.dtype.np_dtype.itemsize == 1) for x in xs)
        out = fn(*[create.cast(x, mstype.float32) if _whole(x) else x for x in xs])
        return create.cast(out, mstype.float16) if small else out

    return _called(half, fn)


def halved(fn: Callable) -> Callable:
    """As `unary`; integers give Float32, but one-byte integers (Bool, Int8, UInt8) give Float16."""
    return unary(_half(fn))


def halved_input(fn: Callable) -> Callable:
    """As `halved`, for those whose tensor is called `input`."""
    half = _half(fn)

    def function(input, dtype=None):
        return _cast(half(tensor(input)), dtype)

    return _called(function, fn)


def _floats(fn: Callable, kept: tuple) -> Callable:
    return _called(lambda x: fn(x if x.dtype in kept else create.cast(x, mstype.float32)), fn)


def floated(fn: Callable) -> Callable:
    """As `unary`, in Float32 for everything but Float16."""
    return unary(_floats(fn, (mstype.float16,)))


def floated_plain(fn: Callable) -> Callable:
    """As `floated`, without a dtype."""
    return plain(_floats(fn, (mstype.float16,)))


def float32(fn: Callable) -> Callable:
    """As `unary`, in Float32 for everything."""
    return unary(_floats(fn, ()))


def whole(fn: Callable) -> Callable:
    """As `unary`, with integers for integers, cut off, and Int64 for Bool; infinity (1 / 0) is the largest integer."""

    def kept(x):
        from ms_compat.ops.function.shape import join  # `import ms_compat` does without it

        if not _whole(x):
            return fn(x)
        target = mstype.int64 if x.dtype is mstype.bool_ else x.dtype
        out = fn(create.cast(x, mstype.float64))
        out = out * (1 + 1e-12)  # XLA's exp2(3) in Float64 is below 8
        largest = Tensor(np.iinfo(target.np_dtype).max, target)
        return join.where(out == float("inf"), largest, create.cast(out, target))

    return unary(_called(kept, fn))


def _whole(x: Tensor) -> bool:
    return x.dtype.np_dtype.kind in "iub"


def _pair(x1: Any, x2: Any) -> tuple[Tensor, Tensor]:
    """Two operands; numbers become Tensors, too, so that 1.0 beside Float16 gives Float32."""
    return tensor(x1), tensor(x2)


def binary(fn: Callable) -> Callable:
    """`f(x1, x2, dtype=None)` from an operation on two operands."""

    def function(x1, x2, dtype=None):
        return _cast(fn(*_pair(x1, x2)), dtype)

    return _called(function, fn)


def promoted(fn: Callable) -> Callable:
    """As `binary`; a 0-d Tensor counts for the dtype as one with dimensions does."""

    def function(x1, x2, dtype=None):
        first, second = _pair(x1, x2)
        target = mstype.np_dtype_to_ms(promote(first.dtype.np_dtype, second.dtype.np_dtype))
        return _cast(fn(create.cast(first, target), create.cast(second, target)), dtype)

    return _called(function, fn)


def bounded(fn: Callable) -> Callable:
    """As `binary`; beside a Tensor with dimensions a number or a 0-d Tensor gives way, and floats are cut off."""

    def function(x1, x2, dtype=None):
        first, second = _pair(x1, x2)
        if bool(first.ndim) != bool(second.ndim):
            dtype = (first if first.ndim else second).dtype
        return _cast(fn(first, second), dtype)

    return _called(function, fn)


def divided(fn: Callable) -> Callable:
    """As `binary`; without Float16 and Float32 among the operands, the quotient is Float32, of Float64 as well."""

    def function(x1, x2, dtype=None):
        first, second = _pair(x1, x2)
        if {first.dtype, second.dtype} & {mstype.float16, mstype.float32}:
            target = mstype.np_dtype_to_ms(promote(first.dtype.np_dtype, second.dtype.np_dtype))
        else:
            target = mstype.float32
        first, second = create.cast(first, target), create.cast(second, target)
        return _cast(fn(first, second), dtype)

    return _called(function, fn)


def halved_binary(fn: Callable) -> Callable:
    """As `binary`, with the dtypes of `halved`."""
    half = _half(fn)

    def function(x1, x2, dtype=None):
        return _cast(half(tensor(x1), tensor(x2)), dtype)

    return _called(function, fn)
