"""The gradient of maximum pooling on CPUs, as a program that XLA compiles well.

JAX's primitive for it is `select_and_scatter_add`. XLA makes a scatter of it, with four arrays of positions as large as
the input, and takes 2 to 10 times as long as this program (`tests/benchmarks/test_pooling.py`). Only the lowering is
replaced, for the CPU and in this process, so every transformation stays JAX's own.

The program compares strided slices of the input to find the place that each window chooses, and then computes each
position of the result from the windows that cover it. Its result has the bits of XLA's; only NaN may have another sign.
For this it compares a window's elements in XLA's order, which matters for NaN, and adds cotangents in the order of the
windows.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jax import lax

from ms_compat._core.jax_compat.capabilities import HAS_LOWERINGS
from ms_compat._core.jax_compat.lowering import offer_on_cpu, unfused

_MOST_PLACES = 64  # of a window, for each of which a comparison is compiled
_DTYPES = (np.float32, np.float64)


@functools.cache
def use() -> None:
    """Let JAX compute gradients of maximum pooling by this program from now on."""
    if HAS_LOWERINGS:
        offer_on_cpu(lax.select_and_scatter_add_p, _function_for)


def _function_for(avals: Sequence[Any], out: Any, given: dict[str, Any]) -> Callable | None:
    """The program for windows with fixed sizes; None where JAX's own stays.

    Args:
        avals: abstract values: the cotangents, the pooled array.
        out: the abstract value of the result.
        given: the primitive's parameters.
    """
    shapes = [aval.shape for aval in avals]
    if out.dtype not in _DTYPES or not all(type(size) is int and size > 0 for shape in shapes for size in shape):
        return None
    window, padding = given["window_dimensions"], given["padding"]
    if math.prod(window) > _MOST_PLACES or any(min(pair) < 0 for pair in padding):
        return None
    return _Gradient(shapes[1], shapes[0], window, given["window_strides"], padding, given["select_prim"])


class _Gradient:
    """The program for one kind of windows. A choice is a number: the place in its window as digits, one for each axis.

    Attributes:
        backs: for each axis, the most windows that cover one position.
        cells: for each axis, how many strides the padded input has, rounded up.
        weights: for each axis, the weight of its digit. Positions past a window's end have numbers of their own.
    """

    def __init__(
        self, shape: Sequence[int], places: Sequence[int], window: Any, strides: Any, padding: Any, select_prim: Any
    ):
        # The first axes have no windows, and are joined into one.
        whole = list(zip(window, strides, map(tuple, padding), strict=True))
        front = next((axis for axis, how in enumerate(whole) if how != (1, 1, (0, 0))), len(whole))
        self.result_shape = tuple(shape)
        self.shape, self.places = ((math.prod(sizes[:front]), *sizes[front:]) for sizes in (shape, places))
        self.window, self.strides = (1, *window[front:]), (1, *strides[front:])
        self.padding = ((0, 0), *[tuple(pair) for pair in padding[front:]])
        self.select_prim = select_prim
        self.backs = [-(-k // s) for k, s in zip(self.window, self.strides, strict=True)]
        padded = [low + n + high for n, (low, high) in zip(self.shape, self.padding, strict=True)]
        self.cells = [-(-n // s) for n, s in zip(padded, self.strides, strict=True)]
        digits = [n * s for n, s in zip(self.backs, self.strides, strict=True)]
        self.weights = [math.prod(digits[axis + 1 :]) for axis in range(len(digits))]

    def __call__(self, source: Any, operand: Any) -> Any:
        """The cotangents at the positions that each window has chosen, added up."""
        source = source.reshape(self.places)
        # XLA would compute the choices for each position again, and divide and compare for each element of a slice.
        chosen = unfused(self._choices)(source, operand.reshape(self.shape))
        around = [
            (back - 1, cells - places, 0)
            for back, cells, places in zip(self.backs, self.cells, self.places, strict=True)
        ]
        cut = any(sum(pair) for pair in self.padding) or any(low or high for low, high, _ in around)
        if cut:
            chosen, source = unfused(functools.partial(_padded, around))(chosen, source)
        found = (unfused(self._spread) if cut else self._spread)(chosen, source)
        first = [low for low, _ in self.padding]
        last = [low + n for low, n in zip(first, self.shape, strict=True)]
        return lax.slice(found, first, last).reshape(self.result_shape)

    def _choices(self, source: Any, operand: Any) -> Any:
        """The number of the element that each window chooses; -1 for a cotangent of 0, which may be -0."""
        worst = np.asarray(-np.inf if self.select_prim is lax.ge_p else np.inf, operand.dtype)
        x = lax.pad(operand, worst, [(*pair, 0) for pair in self.padding])
        value: Any = None
        number: Any = None
        for place in np.ndindex(*self.window):
            last = [p + (n - 1) * s + 1 for p, n, s in zip(place, self.places, self.strides, strict=True)]
            other = lax.slice(x, place, last, self.strides)
            others = self._numbers(self.places, place)
            if value is None:
                value, number = other, others
            else:
                kept = self.select_prim.bind(value, other)
                value, number = lax.select(kept, value, other), lax.select(kept, number, others)
        return lax.select(lax.eq(source, lax.full_like(source, 0)), lax.full_like(number, -1), number)

    def _numbers(self, shape: Sequence[int], place: Sequence[int]) -> Any:
        return lax.full(shape, sum(p * w for p, w in zip(place, self.weights, strict=True)), np.int32)

    def _spread(self, chosen: Any, source: Any) -> Any:
        """The result for the padded input.

        Each axis with a stride is two in the meantime: the cells, and the positions in one.
        """
        shape: list[int] = []
        cell_axes = []
        within: Any = None
        for cells, stride in zip(self.cells, self.strides, strict=True):
            cell_axes.append(len(shape))
            shape += [cells, stride] if stride > 1 else [cells]
        for axis, stride, weight in zip(cell_axes, self.strides, self.weights, strict=True):
            if stride > 1:
                digit = lax.broadcasted_iota(np.int32, shape, axis + 1) * np.int32(weight)
                within = digit if within is None else within + digit
        total: Any = None
        for back in np.ndindex(*self.backs):  # the first window first
            last = [b + n for b, n in zip(back, self.cells, strict=True)]
            number, cotangent = (
                lax.broadcast_in_dim(lax.slice(array, back, last), shape, cell_axes) for array in (chosen, source)
            )
            place = [(n - 1 - b) * s for n, b, s in zip(self.backs, back, self.strides, strict=True)]
            here = self._numbers(shape, place)
            here = here if within is None else within + here
            term = lax.select(lax.eq(number, here), cotangent, lax.full_like(cotangent, 0))
            total = term if total is None else total + term
        return total.reshape([n * s for n, s in zip(self.cells, self.strides, strict=True)])


def _padded(padding: Any, chosen: Any, source: Any) -> tuple[Any, Any]:
    return lax.pad(chosen, np.int32(-1), padding), lax.pad(source, np.zeros((), source.dtype), padding)
