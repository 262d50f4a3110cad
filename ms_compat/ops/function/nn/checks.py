"""Common checks of the neural-network operations: accepted dtypes, sizes per spatial axis, the dtype to compute in.

All of it runs while an operation is traced, so once per signature. float16 and bfloat16 are computed in float32 and
rounded once at the end (`wide`): sums of half-precision numbers lose digits otherwise, and CPUs have no half-
precision arithmetic.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import ml_dtypes
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_within
from ms_compat._core.errors import check_int, check_number, type_error, value_error
from ms_compat._core.jax_compat import is_weak
from ms_compat._core.settings import device

FLOATS = (np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64), np.dtype(ml_dtypes.bfloat16))
HALVES = (FLOATS[0], FLOATS[3])


def tensor(api: str, argument: str, value: Any) -> Any:
    """The array, if a Tensor came and not a Python number or None; TypeError if not."""
    if value is None or isinstance(value, (bool, int, float, complex, tuple)) or is_weak(value):
        raise TypeError(f"For '{api}', the '{argument}' must be a Tensor, but got {value!r:.60}.")
    return value


def floating(api: str, argument: str, value: Any) -> Any:
    """The array, if it is of a floating type; TypeError if not."""
    if tensor(api, argument, value).dtype not in FLOATS:
        raise TypeError(
            f"For '{api}', the '{argument}' must be a Tensor of float16, bfloat16, float32 or float64, but got "
            f"{mstype.np_dtype_to_ms(value.dtype)}."
        )
    return value


def numeric(api: str, argument: str, value: Any) -> Any:
    """The array, if it is of a floating or an integer type; TypeError if not."""
    if not np.issubdtype(tensor(api, argument, value).dtype, np.integer):
        floating(api, argument, value)
    return value


def inexact(value: Any) -> Any:
    """The array as Float32, if it is of integers or Bool."""
    return value.astype(np.float32) if value.dtype.kind in "biu" else value


def wide(value: Any) -> Any:
    """The array in the dtype to compute in: float32 for the half precisions, its own otherwise."""
    return value.astype(np.float32) if value.dtype in HALVES else value


def wide_on_cpu(value: Any) -> Any:
    """As `wide`, for convolutions and products: accelerators accumulate these in float32 by themselves."""
    return wide(value) if device.platform() == "cpu" else value


def real(api: str, argument: str, value: Any) -> float:
    """A Python int or float; TypeError for anything else."""
    check_number(api, argument, value)
    return value


def integer(api: str, argument: str, value: Any, least: int | None = None) -> int:
    """A Python int, not below `least`; TypeError for another type, ValueError below."""
    check_int(api, argument, value)
    if least is not None and value < least:
        raise value_error(api, argument, f"int and >= {least}", value)
    return value


def axis_of(api: str, argument: str, value: Any, rank: int) -> int:
    """An axis as a number from 0 on; TypeError if it is not an int, ValueError outside [-rank, rank)."""
    integer(api, argument, value)
    check_within(api, argument, value, -rank, rank, "[)")
    return value % rank


def sizes(api: str, argument: str, value: Any, count: int, least: int = 1, keep: bool = False) -> tuple[int, ...]:
    """One int per spatial axis from an int or a tuple.

    Args:
        api: the API's name.
        argument: the argument's name.
        value: an int, or a tuple of `count` ints; primitives also take one for every dimension (`count` + 2).
        count: number of spatial axes.
        least: the smallest value allowed.
        keep: refuse the form of `count` + 2 ints.

    Raises:
        TypeError: another type.
        ValueError: another length, or a value below `least`.
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = (value,) * count
    if not isinstance(value, (tuple, list)):
        raise type_error(api, argument, f"int or tuple of {count} ints", value)
    value = tuple(value)
    if len(value) == count + 2 and not keep:
        value = value[2:]
    if len(value) != count:
        raise value_error(api, argument, f"int or tuple of {count} ints", value)
    for item in value:
        integer(api, argument, item, least)
    return value


def channelwise(vector: Any, rank: int, axis: int = 1) -> Any:
    """A vector reshaped to broadcast along one axis of an array with `rank` dimensions."""
    return vector.reshape((1,) * axis + (vector.shape[0],) + (1,) * (rank - axis - 1))


def reduced(value: Any, reduction: str) -> Any:
    """`mean`, `sum` or `none` of a loss."""
    if reduction == "none":
        return value
    return jnp.mean(value) if reduction == "mean" else jnp.sum(value)
