"""Casting an operation's operands to one dtype by MindSpore's promotion tables (`promotion.py`).

This runs inside the traced function of an operation, on values: a Tensor arrives as an array, a Python number as a
weakly typed scalar (or, inline under a trace, as the number itself). Two tensors join by one table, a tensor and a
number by another, two numbers become Int64 or Float32 first. The result is strongly typed.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.jax_compat import is_weak
from ms_compat._core.promotion import promote, promote_factor, promote_scalar, promote_zero_dim

_KINDS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
_DEFAULTS = {
    "bool": np.dtype(bool),
    "int": np.dtype(np.int64),
    "float": np.dtype(np.float32),
    "complex": np.dtype(np.complex64),
}
FLOAT32 = np.dtype(np.float32)
NOT_A_NUMBER = "an argument must be a Tensor or a number"


def number_kind(x: Any) -> str | None:
    """ "bool", "int", "float" or "complex" for a Python number (also a traced one), None for a tensor's value."""
    if isinstance(x, (bool, int, float, complex)):
        return type(x).__name__ if type(x).__name__ in _DEFAULTS else _KINDS[np.asarray(x).dtype.kind]
    if is_weak(x):
        return _KINDS[x.dtype.kind]
    return None


def cast(x: Any, dtype: np.dtype) -> jax.Array:
    """The value as a strongly typed array of a dtype; float to integer truncates, anything to bool is `x != 0`.

    Complex to real drops the imaginary part (JAX does so with a warning).
    """
    if isinstance(x, (list, tuple)):
        raise TypeError(f"{NOT_A_NUMBER}, but got a {type(x).__name__}.")
    value = jnp.asarray(x)
    dtype = np.dtype(dtype)
    if value.dtype.kind == "c" and dtype.kind != "c":
        value = value != 0 if dtype.kind == "b" else value.real
    if dtype.kind in "iu" and jnp.issubdtype(value.dtype, jnp.floating):
        return _truncate(value, dtype)
    return jax.lax.convert_element_type(value, dtype)


def _truncate(value: jax.Array, dtype: np.dtype) -> jax.Array:
    """Floating values as integers, also where they do not fit, as MindSpore's CPU kernels (x86-64) convert them.

    XLA saturates, and differs from device to device. MindSpore's kernels convert to Int32 or Int64, where NaN and
    whatever does not fit become the lowest integer, and keep the low bits for other integers: -1.0 is 255 as UInt8.
    """
    convert, select = jax.lax.convert_element_type, jax.lax.select
    wide = np.dtype(np.int32 if dtype.itemsize < 4 or dtype == np.int32 else np.int64)
    if value.dtype.itemsize < 4:
        value = convert(value, FLOAT32)  # half precision has no room for the bounds
    bound = 1 << 8 * wide.itemsize - 1
    end = float(bound)
    lowest = jnp.full_like(value, -bound, wide)
    truncated = select((value >= -end) & (value < end), convert(value, wide), lowest)
    if dtype == np.uint64:  # from 2**63 on, the rest is converted and the high bit set
        rest = value - end
        truncated = select(value >= end, select(rest < end, convert(rest, wide), lowest) ^ lowest, truncated)
    return convert(truncated, dtype)


def is_complex(dtype: np.dtype) -> bool:
    """Whether a numpy dtype is complex."""
    return dtype.kind == "c"


def is_integral(dtype: np.dtype) -> bool:
    """Whether a numpy dtype is an integer or bool."""
    return dtype.kind in "biu"


def common_dtype(api: str, *xs: Any, product: bool = False) -> np.dtype:
    """The dtype in which values are combined; `product` selects the rule of `*` and `/`."""
    kinds = [number_kind(x) for x in xs]
    tensors = [x for x, kind in zip(xs, kinds, strict=True) if kind is None]
    if not tensors:
        best = max(kinds, key=list(_DEFAULTS).index)  # type: ignore[arg-type]
        return _DEFAULTS[best]  # type: ignore[index]
    try:
        dtype = tensors[0].dtype
        zero_dim = tensors[0].ndim == 0
        for other in tensors[1:]:
            if product and zero_dim != (other.ndim == 0):
                dtype = promote_zero_dim(other.dtype, dtype) if zero_dim else promote_zero_dim(dtype, other.dtype)
            else:
                dtype = promote(dtype, other.dtype)
            zero_dim = zero_dim and other.ndim == 0
        for kind in kinds:
            if kind is not None:
                dtype = (promote_factor if product else promote_scalar)(dtype, kind)
    except TypeError as error:
        raise TypeError(f"For '{api}': {error}") from None
    return dtype


def promote_args(api: str, *xs: Any, product: bool = False) -> tuple[jax.Array, ...]:
    """The values cast to the dtype in which they are combined.

    Args:
        api: the operation's name, for messages.
        xs: arrays (from Tensors) and numbers (from Python), at least one.
        product: use the rule of `*` and `/`, where a 0-d tensor gives way like a Python number.

    Raises:
        TypeError: MindSpore does not combine these dtypes.

    >>> import jax.numpy as jnp
    >>> [x.dtype.name for x in promote_args("add", jnp.ones(2, "int8"), 2.5)]
    ['float32', 'float32']
    """
    dtype = common_dtype(api, *xs, product=product)
    return tuple([cast(x, dtype) for x in xs])


def to_float(x: Any) -> jax.Array:
    """The value as it is if it is floating or complex; integers and bool as Float32."""
    x = strong(x)
    return cast(x, FLOAT32) if is_integral(x.dtype) else x


def strong(x: Any) -> jax.Array:
    """The value as a strongly typed array; a Python number gets MindSpore's default dtype."""
    kind = number_kind(x)
    return x if kind is None else cast(x, _DEFAULTS[kind])
