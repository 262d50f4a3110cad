"""Convolutions in groups on a processor, as programs that XLA compiles well.

XLA's own loops for them take 5 to 30 times as long as the same multiplications without groups, and its gradient by the
weights 600 times (`tests/benchmarks/test_convolutions.py`). Here a convolution with few groups is a convolution for
each, and a depthwise one is a sum over the kernel's places: a shifted input times the weights at that place. The
gradient by the weights in many groups has a large kernel and a small output: it is a product for each place in the
output.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

_FEW_GROUPS = 8  # for each of which a convolution is compiled
_MOST_PLACES = 64  # of a kernel, or of an output, for each of which a product is compiled
_DTYPES = (np.float32, np.float64)  # sums of narrower ones would be rounded at each place


def function_for(avals: Sequence[Any], out: Any, given: dict[str, Any]) -> Callable | None:
    """The program for a convolution in groups with fixed sizes; None where JAX's own stays.

    Args:
        avals: the operands' abstract values, in the order of `lax.conv_general_dilated`.
        out: the abstract value of its result.
        given: the primitive's parameters.
    """
    groups = max(given["feature_group_count"], given["batch_group_count"])
    shapes = [aval.shape for aval in (*avals, out)]
    if groups == 1 or any(aval.dtype not in _DTYPES for aval in (*avals, out)):
        return None
    numbers = given["dimension_numbers"]
    kernel, places = ([shape[axis] for axis in order[2:]] for shape, order in zip(shapes[1:], numbers[1:], strict=True))
    depthwise = given["feature_group_count"] == shapes[0][numbers.lhs_spec[1]]
    if groups <= _FEW_GROUPS and not depthwise:
        return lambda lhs, rhs: _one_by_one(lhs, rhs, groups, given)
    by_place_of_output = math.prod(places) < math.prod(kernel)
    # XLA is as fast where many groups have several inputs each.
    if min(math.prod(kernel), math.prod(places)) > _MOST_PLACES or not (depthwise or by_place_of_output):
        return None
    return lambda lhs, rhs: _by_places(lhs, rhs, kernel, places, by_place_of_output, given)


def conv(lhs: Any, rhs: Any, given: dict[str, Any]) -> Any:
    """JAX's convolution with the parameters of its primitive."""
    options = {name: value for name, value in given.items() if name != "out_sharding"}
    return lax.conv_general_dilated(lhs, rhs, **options)


def _one_by_one(lhs: Any, rhs: Any, groups: int, given: dict[str, Any]) -> Any:
    """A convolution for each group."""
    numbers = given["dimension_numbers"]
    axis = numbers.lhs_spec[0 if given["batch_group_count"] > 1 else 1]
    parts = zip(jnp.split(lhs, groups, axis), jnp.split(rhs, groups, numbers.rhs_spec[0]), strict=True)
    without_groups = {**given, "feature_group_count": 1, "batch_group_count": 1}
    found = [conv(x, w, without_groups) for x, w in parts]
    return jnp.concatenate(found, numbers.out_spec[1])


def _by_places(
    lhs: Any, rhs: Any, kernel: Sequence[int], places: Sequence[int], by_place_of_output: bool, given: dict[str, Any]
) -> Any:
    """A sum of products over the kernel's places, or a product for each place of the output."""
    numbers, strides, dilations = given["dimension_numbers"], given["window_strides"], given["rhs_dilation"]
    features, batches = given["feature_group_count"], given["batch_group_count"]
    padding = [(0, 0, 0), (0, 0, 0)]
    padding += [(*pair, step - 1) for pair, step in zip(given["padding"], given["lhs_dilation"], strict=True)]
    x = lax.pad(jnp.transpose(lhs, numbers.lhs_spec), jnp.zeros((), lhs.dtype), padding)
    w = jnp.transpose(rhs, numbers.rhs_spec)
    # The axes: groups, batch, inputs, places; groups, outputs, inputs, places.
    if batches > 1:
        x = x.reshape(batches, x.shape[0] // batches, *x.shape[1:])
    else:
        x = jnp.moveaxis(x.reshape(x.shape[0], features, x.shape[1] // features, *x.shape[2:]), 1, 0)
    w = w.reshape(max(features, batches), w.shape[0] // max(features, batches), *w.shape[1:])
    if by_place_of_output:
        y = _for_each_output(x, w, kernel, places, strides, dilations)
    else:
        y = _sum_over_kernel(x, w, kernel, places, strides, dilations)
    # Groups, batch, outputs, places: the groups belong to the outputs.
    y = jnp.moveaxis(y, 0, 1)
    y = y.reshape(y.shape[0], y.shape[1] * y.shape[2], *y.shape[3:])
    return jnp.transpose(y, np.argsort(numbers.out_spec).tolist())


def _window(x: Any, start: Sequence[int], count: Sequence[int], steps: Sequence[int]) -> Any:
    """Every so many places of an input, from a first one on."""
    first, last = [0] * 3, list(x.shape[:3])
    first += start
    last += [a + (n - 1) * step + 1 for a, n, step in zip(start, count, steps, strict=True)]
    return lax.slice(x, first, last, [1, 1, 1, *steps])


def _sum_over_kernel(x: Any, w: Any, kernel: Any, places: Any, strides: Any, dilations: Any) -> Any:
    total: Any = None
    for place in np.ndindex(*kernel):
        start = [k * step for k, step in zip(place, dilations, strict=True)]
        weights = w[(..., *place)].reshape(w.shape[0], 1, w.shape[1], *[1] * len(kernel))
        product = _window(x, start, places, strides) * weights  # one input: (G, N, 1, ...) by (G, 1, O, 1, ...)
        total = product if total is None else total + product
    return total


def _for_each_output(x: Any, w: Any, kernel: Any, places: Any, strides: Any, dilations: Any) -> Any:
    plain = x.shape[1] == w.shape[1] == 1
    found = []
    for place in np.ndindex(*places):
        start = [p * step for p, step in zip(place, strides, strict=True)]
        part = _window(x, start, kernel, dilations)
        if plain:
            found.append((part * w).sum(tuple(range(2, x.ndim)), keepdims=True)[..., 0].reshape(w.shape[0], 1, 1))
        else:
            flat = part.reshape(*part.shape[:2], -1), w.reshape(*w.shape[:2], -1)
            found.append(jnp.einsum("gnk,gok->gno", *flat))
    return jnp.stack(found, -1).reshape(*found[0].shape, *places)
