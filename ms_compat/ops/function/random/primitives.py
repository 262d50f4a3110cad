"""Random numbers of the rarer primitives, and dropout's mask as bits.

As everywhere, values follow the distribution, not MindSpore's bits, and come from the process-wide stream
(`_core/dispatch/random.py`).
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.random import random_op
from ms_compat._core.errors import check_int, check_type, value_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.nn.checks import floating, wide
from ms_compat.ops.function.random.draws import draw, shape_of

f32 = np.dtype(np.float32)


@random_op(static=("shape",), name="Cauchy")
def _cauchy(key, shape, median, sigma):
    return jax.random.cauchy(key, shape, f32) * sigma.astype(f32) + median.astype(f32)


def cauchy(size, median=0.0, sigma=1.0):
    """Float32 numbers of a Cauchy distribution.

    Args:
        size (list): the shape.
        median (float): the peak's place.
        sigma (float): half the width at half the peak's height.
    """
    return _cauchy(tuple(size), Tensor(median), Tensor(sigma))


@random_op(name="LogNormalReverse")
def _log_normal(key, x, mean, std):
    x = floating("LogNormalReverse", "input", x)
    drawn = jax.random.normal(key, x.shape, wide(x).dtype)
    return jnp.exp(drawn * std.astype(drawn.dtype) + mean.astype(drawn.dtype)).astype(x.dtype)


@faces(primitive="LogNormalReverse(mean: float = 1.0, std: float = 2.0)(input)")
def log_normal_reverse(input, mean=1.0, std=2.0):
    """Numbers whose logarithms are normally distributed, in the shape and type of `input`.

    Args:
        input (Tensor): floating type.
        mean, std (float): of the logarithms.
    """
    return _log_normal(input, Tensor(mean), Tensor(std))


@random_op(static=("shape", "dtype"), name="NonDeterministicInts")
def _bits(key, shape, dtype):
    return jax.lax.bitcast_convert_type(jax.random.bits(key, shape, f"uint{dtype.itemsize * 8}"), dtype)


def non_deterministic_ints(shape, dtype):
    """Integers drawn from all that a type holds.

    Args:
        shape (Tensor): 1-d, of at least two sizes; Int32 or Int64.
        dtype (mindspore.dtype): Int32, Int64, UInt32 or UInt64.
    """
    api = "NonDeterministicInts"
    check_type(api, "shape", shape, Tensor)
    if len(shape.shape) != 1 or shape.size < 2:
        raise ValueError(f"For '{api}', the 'shape' must be a 1-d Tensor of 2 elements or more, but got {shape!r:.80}.")
    return _bits(shape_of(api, shape), mstype.to_np_dtype(dtype, api))


@random_op(static=("shape",), name="ParameterizedTruncatedNormal")
def _truncated(key, shape, mean, stdevs, low, high):
    api = "ParameterizedTruncatedNormal"
    kind = floating(api, "mean", mean).dtype
    rows = []
    for name, value in (("mean", mean), ("stdevs", stdevs), ("min", low), ("max", high)):
        if value.ndim > 1 or value.ndim == 1 and value.shape[0] not in (1, shape[0]):
            raise ValueError(
                f"For '{api}', the '{name}' must be 0-d or have {shape[0]} elements, but got {value.shape}."
            )
        rows.append(wide(value).reshape(-1, *[1] * (len(shape) - 1)))
    mean, std, low, high = rows
    unit = jax.random.truncated_normal(key, (low - mean) / std, (high - mean) / std, shape, mean.dtype)
    return jnp.clip(unit * std + mean, low, high).astype(kind)


def parameterized_truncated_normal(shape, mean, stdevs, min, max, seed=0, seed2=0):
    """Numbers of normal distributions cut off at both ends, one distribution for each index of the first dimension.

    Args:
        shape (Tensor): the shape, of at least two sizes; Int32 or Int64.
        mean, stdevs, min, max (Tensor): 0-d, or one number for each index of the first dimension; one floating type.
        seed, seed2 (int): operation-level seeds.
    """
    api = "ParameterizedTruncatedNormal"
    sizes = shape_of(api, shape)
    if len(sizes) < 2:
        raise value_error(api, "shape", "of 2 sizes or more", sizes)
    return draw(_truncated, api, seed + seed2, sizes, mean, stdevs, min, max)


def _bytes(count: int) -> int:
    return (count + 127) // 128 * 16


@random_op(static=("count",), name="DropoutGenMask")
def _mask(key, count, keep):
    kept = jax.random.uniform(key, (count,), f32) < jnp.asarray(keep, f32).reshape(())
    return jnp.packbits(jnp.pad(kept, (0, _bytes(count) * 8 - count)), bitorder="little")


@faces(primitive="DropoutGenMask(Seed0=0, Seed1=0)(shape, keep_prob)")
def dropout_gen_mask(shape, keep_prob, seed0=0, seed1=0):
    """The mask of a dropout: one bit an element, 1 for those that are kept, filled up to a multiple of 128.

    Args:
        shape (tuple): the shape of the tensor that the mask is for.
        keep_prob (Union[float, Tensor]): probability to keep an element.
        seed0, seed1 (int): operation-level seeds.

    Returns:
        1-d Tensor of UInt8.
    """
    api = "DropoutGenMask"
    count = int(np.prod(shape_of(api, shape), dtype=np.int64))
    return draw(_mask, api, check_int(api, "Seed0", seed0) + check_int(api, "Seed1", seed1), count, keep_prob)


@faces(primitive="DropoutDoMask()(x, mask, keep_prob)")
@op(name="DropoutDoMask")
def dropout_do_mask(x: Any, mask: Any, keep_prob: Any):
    """Apply a mask of `DropoutGenMask`: what is kept is divided by `keep_prob`, the rest is 0.

    Args:
        x (Tensor): floating type.
        mask (Tensor): UInt8.
        keep_prob (Union[float, Tensor]): the probability that the mask was made with.
    """
    x = floating("DropoutDoMask", "x", x)
    if mask.dtype != np.uint8 or mask.shape != (_bytes(x.size),):
        raise ValueError(
            f"For 'DropoutDoMask', the 'mask' must be UInt8 of shape {(_bytes(x.size),)}, but got {mask.dtype.name} "
            f"{mask.shape}."
        )
    kept = jnp.unpackbits(mask, count=x.size, bitorder="little").reshape(x.shape).astype(bool)
    keep = jnp.asarray(keep_prob).astype(wide(x).dtype).reshape(())
    return jnp.where(kept, wide(x) / keep, 0).astype(x.dtype)
