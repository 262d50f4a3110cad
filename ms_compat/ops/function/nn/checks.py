"""Common checks of the neural-network operations: accepted dtypes, sizes per spatial axis, the dtype to compute in.

All of it runs while an operation is traced, so once per signature. float16 and bfloat16 are computed in float32 and
rounded once at the end (`wide`): sums of half-precision numbers lose digits otherwise, and CPUs have no half-
precision arithmetic.
"""

from __future__ import annotations

import functools
from typing import Any

import jax.numpy as jnp
import ml_dtypes
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_within
from ms_compat._core.errors import check_int, check_number, type_error, value_error
from ms_compat._core.jax_compat import is_weak
from ms_compat._core.promotion import promote
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


def combined(*values: Any) -> Any:
    """The dtype in which MindSpore combines arrays, of which some may be None: half precision gives way to float32."""
    return functools.reduce(promote, [value.dtype for value in values if value is not None])


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


_ORDERS = {2: "NC", 3: "NCL", 4: "NCHW", 5: "NCDHW"}


def channels_first(
    api: str, x: Any, ranks: tuple[int, ...], argument: str, channels: int, error: type[Exception] = ValueError
) -> None:
    """Checks the input of a layer for [N, C, *], in the layer's words.

    Args:
        api: the layer.
        x: the input.
        ranks: the numbers of dimensions that the layer takes.
        argument: the layer's argument that gives C.
        channels: its value.
        error: raised for other channels.

    Raises:
        ValueError: another rank.

    >>> channels_first("Conv2d", np.zeros((1, 8, 8, 3)), (4,), "in_channels", 3)
    Traceback (most recent call last):
    ValueError: For 'Conv2d', 'in_channels' is 3, but x has 8 channels (shape (1, 8, 8, 3)); NCHW is expected. ...
    """
    if x.ndim not in ranks:
        wanted = " or ".join(f"{rank} dimensions ({', '.join(_ORDERS[rank])})" for rank in ranks)
        lacks = max(ranks) > 2 and x.ndim == max(ranks) - 1
        hint = " If the batch dimension is missing, use 'dataset.batch', or 'x.expand_dims(0)'." if lacks else ""
        raise ValueError(f"For '{api}', the input must have {wanted}, but got shape {x.shape}.{hint}")
    if x.shape[1] != channels:
        hint = ""
        if x.ndim > 2 and x.shape[-1] == channels:
            axes = (0, x.ndim - 1, *range(1, x.ndim - 1))
            hint = f" Where channels come last, 'x.permute{axes}' moves them"
            hint += ", as 'vision.HWC2CHW()' does in a dataset." if x.ndim == 4 else "."
        raise error(
            f"For '{api}', '{argument}' is {channels}, but x has {x.shape[1]} channels (shape {x.shape}); "
            f"{_ORDERS[x.ndim]} is expected.{hint}"
        )


def same_dtype_as_weight(api: str, x: Any, weight: Any) -> None:
    """Checks that a layer's input is a Tensor with the dtype of its weight; TypeError if not."""
    kind = getattr(x, "dtype", None)
    if kind == weight.dtype:
        return
    wanted = mstype.np_dtype_to_ms(weight.dtype)
    if kind is None:
        raise TypeError(f"For '{api}', the input must be a Tensor of {wanted}, but got {type(x).__name__}.")
    raise TypeError(
        f"For '{api}', the input must have the dtype of 'weight', {wanted}, but got {mstype.np_dtype_to_ms(kind)}. "
        f"Cast the input, 'x.astype(mindspore.{mstype.dtype_to_nptype(wanted).__name__})', or use 'Cell.to_float'; "
        "'transforms.TypeCast' casts a column of a dataset."
    )


def last_size(api: str, x: Any, argument: str, size: int, name: str = "x") -> None:
    """Checks the size of an input's last axis, in the layer's words; ValueError if it differs.

    >>> last_size("Dense", np.zeros((2, 256)), "in_channels", 100)
    Traceback (most recent call last):
    ValueError: For 'Dense', 'in_channels' is 100, but the last size of x is 256 (shape (2, 256)).
    """
    if x.ndim == 0 or x.shape[-1] != size:
        got = x.shape[-1] if x.ndim else "missing"
        raise ValueError(
            f"For '{api}', '{argument}' is {size}, but the last size of {name} is {got} (shape {x.shape})."
        )


def channelwise(vector: Any, rank: int, axis: int = 1) -> Any:
    """A vector reshaped to broadcast along one axis of an array with `rank` dimensions."""
    return vector.reshape((1,) * axis + (vector.shape[0],) + (1,) * (rank - axis - 1))


def reduced(value: Any, reduction: str) -> Any:
    """`mean`, `sum` or `none` of a loss."""
    if reduction == "none":
        return value
    return jnp.mean(value) if reduction == "mean" else jnp.sum(value)
