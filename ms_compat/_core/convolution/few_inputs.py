"""Convolutions with few input channels on a processor, such as a network's first one.

The program is a sum over the inputs and the kernel's places: a shifted input times the weights at that place. XLA's own
makes a matrix of all windows first, and takes 2 to 4 times as long (`tests/benchmarks/test_convolutions.py`).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.jax_compat.lowering import unfused

LEAST = 2_000_000  # multiplications; below, little is gained
_MOST_TERMS = 75  # of the sum: three inputs and 5 x 5 places
_DTYPES = (np.float32, np.float64)  # sums of narrower ones would be rounded at each term


def function_for(avals: Sequence[Any], out: Any, given: dict[str, Any]) -> Callable | None:
    """The program for a convolution without strides and groups; None where JAX's own stays.

    XLA is as fast where the channels are the last axis.

    Args:
        avals: the operands' abstract values with fixed sizes, in the order of `lax.conv_general_dilated`.
        out: the abstract value of its result.
        given: the primitive's parameters.
    """
    if any(aval.dtype not in _DTYPES for aval in (*avals, out)) or len(out.shape) < 3:
        return None
    numbers = given["dimension_numbers"]
    if numbers.out_spec[1] == len(out.shape) - 1:
        return None
    steps = (*given["window_strides"], *given["lhs_dilation"])
    if any(step != 1 for step in (*steps, given["feature_group_count"], given["batch_group_count"])):
        return None
    terms = math.prod(avals[1].shape[axis] for axis in numbers.rhs_spec[1:])
    if terms > _MOST_TERMS or math.prod(out.shape) * terms < LEAST:
        return None
    # XLA would compute the input again for each term, if it could take that into the sum.
    return unfused(functools.partial(_sum, given))


def _sum(given: dict[str, Any], lhs: Any, rhs: Any) -> Any:
    numbers = given["dimension_numbers"]
    x = jnp.transpose(lhs, numbers.lhs_spec)
    x = lax.pad(x, jnp.zeros((), x.dtype), [(0, 0, 0), (0, 0, 0), *[(*pair, 0) for pair in given["padding"]]])
    w = jnp.transpose(rhs, numbers.rhs_spec)
    outputs, inputs, *kernel = w.shape
    ends = [(k - 1) * step for k, step in zip(kernel, given["rhs_dilation"], strict=True)]
    places = [size - end for size, end in zip(x.shape[2:], ends, strict=True)]
    total: Any = None
    for channel, *place in np.ndindex(inputs, *kernel):
        start = [k * step for k, step in zip(place, given["rhs_dilation"], strict=True)]
        last = [first + count for first, count in zip(start, places, strict=True)]
        window = lax.slice(x, (0, channel, *start), (x.shape[0], channel + 1, *last))
        term = window * w[(slice(None), channel, *place)].reshape(1, outputs, *[1] * len(kernel))
        total = term if total is None else total + term
    return jnp.transpose(total, np.argsort(numbers.out_spec).tolist())
