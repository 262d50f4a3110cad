"""Convolutions with kernels of 3 places on a processor, with fewer multiplications.

Winograd's algorithm F(2, 3) computes two neighbours of a result from four neighbours of the input, by 4 products in
the place of 6: for 3 x 3 places 16 in the place of 36 (Lavin and Gray, "Fast Algorithms for Convolutional Neural
Networks", 2015, https://arxiv.org/abs/1509.09308). Neighbours and weights are added up before they are
multiplied, and the products after. All factors are 1 or 1/2, so small integers give exact results, and the rounding
errors are as large as if the terms were added in another order. A NaN or an infinity in the input makes the whole cell
NaN. Over all channels, the products are matrix products.

The gradient by the weights is a convolution with a large kernel and a result of 3 places along an axis. The same sums,
exchanged, compute 3 neighbours of the result from two of the kernel.

XLA's own program copies input, weights and result into an order with the channels last. Its kernel uses one core for
up to 64 outputs, and takes twice as long where the result has few places (`tests/benchmarks/test_convolutions.py`).
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.jax_compat.lowering import unfused

LEAST = 32  # multiplications that each further value must save
LEAST_BY_WEIGHTS = 16  # for which XLA multiplies more slowly
_MOST_VALUES = 2**26  # of neighbours and products
_OPERATIONS = 11  # that XLA compiles for each of the products
_OPERATIONS_BY_WEIGHTS = 22
_PLACES = 3  # of a kernel, or of a gradient by it, along an axis that is longer than 1
_MOST_AXES = 2  # three would need 64 products, which take XLA minutes to compile
_TYPE = np.dtype(np.float32)

# Each row has the factors of a sum, of 4 neighbours, of a kernel's 3 places, or of 4 products.
_OF_INPUT = ((1, 0, -1, 0), (0, 1, 1, 0), (0, -1, 1, 0), (0, 1, 0, -1))
_OF_KERNEL = ((1, 0, 0), (0.5, 0.5, 0.5), (0.5, -0.5, 0.5), (0, 0, 1))
_OF_RESULT = ((1, 1, 1, 0), (0, 1, -1, -1))

_Matrix = Sequence[Sequence[float]]
_Parts = dict[tuple[int, ...], Any]  # by their places in a cell


def function_for(avals: Sequence[Any], out: Any, given: dict[str, Any]) -> Callable | None:
    """The program for a convolution without strides and groups; None where another one stays.

    Args:
        avals: the operands' abstract values with fixed sizes, in the order of `lax.conv_general_dilated`.
        out: the abstract value of its result.
        given: the primitive's parameters.
    """
    if any(aval.dtype != _TYPE for aval in (*avals, out)):
        return None
    steps = (*given["window_strides"], *given["lhs_dilation"], *given["rhs_dilation"])
    if any(step != 1 for step in (*steps, given["feature_group_count"], given["batch_group_count"])):
        return None
    numbers = given["dimension_numbers"]
    kernel, places = (
        [aval.shape[axis] for axis in order[2:]] for aval, order in zip((avals[1], out), numbers[1:], strict=True)
    )
    by_weights = any(size not in (1, _PLACES) for size in kernel)
    short, long = (places, kernel) if by_weights else (kernel, places)
    axes = tuple(axis for axis, size in enumerate(short) if size == _PLACES)
    if not 1 <= len(axes) <= _MOST_AXES or any(size not in (1, _PLACES) for size in short):
        return None
    # XLA copies nothing where the channels are the last axis.
    large = (numbers.lhs_spec, numbers.rhs_spec if by_weights else numbers.out_spec)
    if any(max(order) in order[:2] for order in large):
        return None
    found = _Winograd(given, axes, tuple(long), by_weights)
    return found if found.is_worth(avals[0].shape, avals[1].shape) else None


@dataclass(eq=False)  # so that it is hashable
class _Winograd:
    """The program for one convolution.

    Attributes:
        given: the parameters of JAX's primitive.
        axes: the spatial axes along which the kernel, or the gradient by the weights, has size 3, and not 1.
        places: the sizes of the result, or of the kernel if the result is the gradient by another one.
        by_weights: whether it is.
    """

    given: dict[str, Any]
    axes: tuple[int, ...]
    places: tuple[int, ...]
    by_weights: bool

    @property
    def operations(self) -> int:
        """About how many operations XLA is given to compile."""
        return 4 ** len(self.axes) * (_OPERATIONS_BY_WEIGHTS if self.by_weights else _OPERATIONS)

    def is_worth(self, lhs: Sequence[int], rhs: Sequence[int]) -> bool:
        """Whether the multiplications saved are worth the values that are computed before and after them."""
        numbers = self.given["dimension_numbers"]
        first, second = lhs[numbers.lhs_spec[1 - self.by_weights]], rhs[numbers.rhs_spec[0]]
        images = lhs[numbers.lhs_spec[self.by_weights]]
        cells = images * math.prod(self._cells())
        products = 4 ** len(self.axes)
        saved = first * second * (_PLACES ** len(self.axes) * images * math.prod(self.places) - products * cells)
        large = products * cells * (first + second)
        small = products * first * second * 3 // 2  # whose neighbours are not neighbours in memory
        return large <= _MOST_VALUES and saved >= (LEAST_BY_WEIGHTS if self.by_weights else LEAST) * (large + small)

    def __call__(self, lhs: Any, rhs: Any) -> Any:
        """The convolution of two arrays."""
        numbers = self.given["dimension_numbers"]
        x, w = jnp.transpose(lhs, numbers.lhs_spec), jnp.transpose(rhs, numbers.rhs_spec)
        padding = [(0, 0, 0), (0, 0, 0)]
        behind = [(0, 0, 0), (0, 0, 0)]
        for axis, (cells, size, pair) in enumerate(zip(self._cells(), x.shape[2:], self.given["padding"], strict=True)):
            high = 2 * cells + 2 - size - pair[0] if axis in self.axes else pair[1]
            padding.append((pair[0], high, 0))
            behind.append((0, 2 * cells - self.places[axis] if axis in self.axes else 0, 0))
        if self.by_weights:
            x, w = _padded(x, padding), _padded(w, behind)
        else:
            x = _padded(jnp.swapaxes(x, 0, 1), padding)
        # XLA would compute the input again for each of its sums, if it could take it into them.
        found = unfused(self._gradient if self.by_weights else self._forward)(x, w)
        return jnp.transpose(found, np.argsort(numbers.out_spec).tolist())

    def _cells(self) -> list[int]:
        """How many cells there are along each axis."""
        return [-(-size // 2) if axis in self.axes else size for axis, size in enumerate(self.places)]

    def _forward(self, x: Any, w: Any) -> Any:
        """The result for inputs, images and places, and outputs, inputs and places: images, outputs and places."""
        neighbours = self._sums(x, _OF_INPUT)
        weights = self._sums_of_kernel().astype(w.dtype)
        w = w.reshape(*w.shape[:2], -1)
        products = [
            self._dot(self._dot(rows, w, (), (1, 2)), part, (0,), (2, 1))
            for rows, part in zip(weights, neighbours, strict=True)
        ]
        cells, count = self._cells(), len(self.axes)
        y = unfused(lambda *products: self._sums_of_products(products, _OF_RESULT, 0))(*products)
        y = y.reshape([2] * count + [w.shape[0], x.shape[1], *cells])
        order = [count + 1, count]
        for axis in range(len(cells)):
            order += [count + 2 + axis, *([self.axes.index(axis)] if axis in self.axes else [])]
        y = jnp.transpose(y, order)
        whole = [2 * size if axis in self.axes else size for axis, size in enumerate(cells)]
        y = y.reshape(*y.shape[:2], *whole)
        return lax.slice(y, [0] * y.ndim, [*y.shape[:2], *self.places])

    def _gradient(self, x: Any, w: Any) -> Any:
        """The result for inputs, images and places, and outputs, images and places: inputs, outputs and places."""
        neighbours, others = self._sums(x, _OF_INPUT), self._sums(w, _transposed(_OF_RESULT))
        products = [self._dot(b, a, (0,), (2, 2)) for a, b in zip(neighbours, others, strict=True)]
        shape = [_PLACES if axis in self.axes else 1 for axis in range(len(self.places))]
        y = self._sums_of_products(products, _transposed(_OF_KERNEL), -1)
        return jnp.swapaxes(y.reshape(w.shape[0], x.shape[0], *shape), 0, 1)

    def _sums(self, x: Any, matrix: _Matrix) -> list[Any]:
        """Sums of the neighbours in each cell, for each row along the first axis: further rows, channels, cells.

        Cells of 4 neighbours overlap.
        """
        cells = self._cells()
        parts: _Parts = {}
        for index in itertools.product(range(len(matrix[0])), repeat=len(self.axes)):
            first, step = [0] * x.ndim, [1] * x.ndim
            for axis, place in zip(self.axes, index, strict=True):
                first[axis + 2], step[axis + 2] = place, 2
            counts = [*x.shape[:2], *cells]
            last = [a + (n - 1) * s + 1 for a, n, s in zip(first, counts, step, strict=True)]
            parts[index] = lax.slice(x, first, last, step).reshape(x.shape[0], -1)
        found = _combined(matrix, parts)
        return [jnp.stack([value for index, value in found.items() if index[0] == row]) for row in range(len(matrix))]

    def _sums_of_kernel(self) -> np.ndarray:
        """The factors of the kernel's places: rows along the first axis, further rows, places."""
        whole = functools.reduce(np.kron, [np.asarray(_OF_KERNEL)] * len(self.axes))
        return whole.reshape(4, -1, _PLACES ** len(self.axes))

    def _sums_of_products(self, products: Sequence[Any], matrix: _Matrix, axis: int) -> Any:
        """Sums of the products, one behind another along an axis."""
        indices = itertools.product(range(4), repeat=len(self.axes))
        parts = [part for row in products for part in row]
        return jnp.stack(list(_combined(matrix, dict(zip(indices, parts, strict=True))).values()), axis)

    def _dot(self, a: Any, b: Any, batch: Sequence[int], axes: tuple[int, int]) -> Any:
        """The product of two arrays, summed over an axis of each."""
        numbers = (((axes[0],), (axes[1],)), (batch, batch))
        return lax.dot_general(a, b, numbers, precision=self.given["precision"])


def _padded(x: Any, padding: Sequence[tuple[int, int, int]]) -> Any:
    return lax.pad(x, jnp.zeros((), x.dtype), padding)


def _transposed(matrix: _Matrix) -> _Matrix:
    return tuple(zip(*matrix, strict=True))


def _combined(matrix: _Matrix, parts: _Parts) -> _Parts:
    """Sums of parts with the matrix's factors, along each axis of the cells. The indices are in order."""
    for axis in range(len(next(iter(parts)))):
        found: _Parts = {}
        for index in parts:
            if index[axis] == 0:
                line = [parts[(*index[:axis], place, *index[axis + 1 :])] for place in range(len(matrix[0]))]
                for row, factors in enumerate(matrix):
                    found[(*index[:axis], row, *index[axis + 1 :])] = _sum(factors, line)
        parts = found
    return dict(sorted(parts.items()))


def _sum(factors: Sequence[float], values: Sequence[Any]) -> Any:
    total: Any = None
    for factor, value in zip(factors, values, strict=True):
        if factor:
            term = value if abs(factor) == 1 else value * np.float32(abs(factor))
            if total is None:
                total = term if factor > 0 else -term
            else:
                total = total + term if factor > 0 else total - term
    return total
