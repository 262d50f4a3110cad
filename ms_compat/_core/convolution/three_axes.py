"""Convolutions along three axes on a processor, as convolutions along two.

XLA multiplies several times as fast along two axes (`tests/benchmarks/test_convolutions.py`). A place of the kernel on
the first axis meets the same images' other places there, so they are further images: the result is a sum of
convolutions, one for each place. The gradient by the weights has few places and a large kernel: each place of the
result is a convolution of its own, for which the places of the kernel are further inputs.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

LEAST = 2_000_000  # multiplications; below, little is gained
_MOST_PLACES = 16  # on the first axis, for each of which a convolution is compiled
_OPERATIONS = 6  # that XLA compiles for each of these
_TYPE = np.dtype(np.float32)


def function_for(avals: Sequence[Any], out: Any, given: dict[str, Any]) -> Callable | None:
    """The program for a convolution along three axes without groups; None where JAX's own stays.

    Args:
        avals: the operands' abstract values with fixed sizes, in the order of `lax.conv_general_dilated`.
        out: the abstract value of its result.
        given: the primitive's parameters.
    """
    if len(out.shape) != 5 or any(aval.dtype != _TYPE for aval in (*avals, out)):
        return None
    if given["feature_group_count"] != 1 or given["batch_group_count"] != 1:
        return None
    numbers = given["dimension_numbers"]
    kernel, places = avals[1].shape[numbers.rhs_spec[2]], out.shape[numbers.out_spec[2]]
    terms = math.prod(avals[1].shape[axis] for axis in numbers.rhs_spec[1:])
    if min(kernel, places) > _MOST_PLACES or math.prod(out.shape) * terms < LEAST:
        return None
    return _AlongThree(kernel, places, given)


@dataclass(frozen=True, eq=False)  # so that it is hashable
class _AlongThree:
    """The program for one convolution.

    Attributes:
        kernel, places: the kernel's and the result's size on the first axis.
        given: the parameters of JAX's primitive.
    """

    kernel: int
    places: int
    given: dict[str, Any]

    @property
    def operations(self) -> int:
        """About how many operations XLA is given to compile."""
        return _OPERATIONS * min(self.kernel, self.places)

    def __call__(self, lhs: Any, rhs: Any) -> Any:
        """The convolution of two arrays."""
        by_place = _by_place_of_result if self.places < self.kernel else _by_place_of_kernel
        return by_place(self.kernel, self.places, self.given, lhs, rhs)


def _by_place_of_kernel(kernel: int, places: int, given: dict[str, Any], lhs: Any, rhs: Any) -> Any:
    x, w, stride, dilation, along_two = _prepared(given, lhs, rhs)
    total: Any = None
    for place in range(kernel):
        first = place * dilation
        part = lax.slice_in_dim(x, first, first + (places - 1) * stride + 1, stride, 0)
        term = along_two(part.reshape(-1, *part.shape[2:]), w[:, :, place])
        total = term if total is None else total + term
    y = total.reshape(places, x.shape[1], *total.shape[1:])
    return _in_order(jnp.moveaxis(y, 0, 2), given)


def _by_place_of_result(kernel: int, places: int, given: dict[str, Any], lhs: Any, rhs: Any) -> Any:
    x, w, stride, dilation, along_two = _prepared(given, lhs, rhs)
    w = jnp.moveaxis(w, 2, 1).reshape(w.shape[0], -1, *w.shape[3:])
    found = []
    for place in range(places):
        first = place * stride
        part = lax.slice_in_dim(x, first, first + (kernel - 1) * dilation + 1, dilation, 0)
        part = jnp.moveaxis(part, 0, 1)
        found.append(along_two(part.reshape(part.shape[0], -1, *part.shape[3:]), w))
    return _in_order(jnp.stack(found, 2), given)


def _prepared(given: dict[str, Any], lhs: Any, rhs: Any) -> tuple[Any, Any, int, int, Callable]:
    """The input, padded on its first axis, which comes first; the weights; that axis's stride and dilation, and the
    convolution along the other two axes.
    """
    numbers = given["dimension_numbers"]
    padding = [(*given["padding"][0], given["lhs_dilation"][0] - 1), *[(0, 0, 0)] * 4]
    x = jnp.transpose(lhs, numbers.lhs_spec)
    x = lax.pad(jnp.moveaxis(x, 2, 0), jnp.zeros((), x.dtype), padding)
    w = jnp.transpose(rhs, numbers.rhs_spec)
    options = {name: given[name] for name in ("precision", "preferred_element_type")}
    for name in ("window_strides", "padding", "lhs_dilation", "rhs_dilation"):
        options[name] = given[name][1:]
    return (
        x,
        w,
        given["window_strides"][0],
        given["rhs_dilation"][0],
        functools.partial(lax.conv_general_dilated, **options),
    )


def _in_order(y: Any, given: dict[str, Any]) -> Any:
    return jnp.transpose(y, np.argsort(given["dimension_numbers"].out_spec).tolist())
