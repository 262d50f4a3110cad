"""Which program computes a product of matrices on a processor: oneDNN's kernel, or XLA's in another order.

JAX derives gradients, batches and tangents of a product as further products, so only its lowering is replaced, for the
CPU and in this process.

Without AVX-512, oneDNN computes only products of batches, because its kernel is an older one there. For attention it
takes 0.6 times as long as XLA, but equally long for two matrices, and twice as long for a gradient by weights whose
rows take a multiple of 4 KiB.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from jax import lax

from ms_compat._core.jax_compat.capabilities import HAS_LOWERINGS
from ms_compat._core.jax_compat.lowering import offer_on_cpu, unfused
from ms_compat._core.onednn import calls, plans

LEAST = 2_000_000  # multiplications; below, XLA's own loops are as fast as a call
F32 = np.dtype(np.float32)


@functools.cache
def use() -> None:
    """Let JAX compute products by these programs from now on."""
    if HAS_LOWERINGS:
        offer_on_cpu(lax.dot_general_p, functools.partial(_function_for, calls.why_not() is None))


def _function_for(by_onednn: bool, avals: Sequence[Any], out: Any, given: dict[str, Any]) -> Callable | None:
    """The program for a product of Float32 matrices with fixed sizes; None where JAX's own stays.

    Args:
        by_onednn: whether oneDNN may be called.
        avals: the operands' abstract values, in the order of `lax.dot_general`.
        out: the abstract value of its result.
        given: the primitive's parameters.
    """
    if any(aval.dtype != F32 or not all(type(size) is int for size in aval.shape) for aval in (*avals, out)):
        return None
    contracted, batched = given["dimension_numbers"]
    left, right = (
        _Operand.as_matrices(aval.shape, *axes) for aval, *axes in zip(avals, contracted, batched, strict=True)
    )
    found = _product(left, right)
    if found is None or found.work() < LEAST:
        return None
    kernels = by_onednn and (left.sizes[0] > 1 or calls.has_avx512())
    if kernels and (call := calls.call(found, found.out.shape)) is not None:
        return lambda a, b: call(a.transpose(left.order), b.transpose(right.order)).reshape(out.shape)
    if left.sizes[0] > 1 or left.strides[2] == 1 or not (left.is_matrix() and right.is_matrix()):
        return None
    if len(avals[0].shape) == 2 and left.sizes[1] <= right.sizes[1] and right.strides[2] > 1:
        return None  # the form that _by_columns makes of the others
    return functools.partial(_by_columns, left, right, out.shape, given)


def _by_columns(left: _Operand, right: _Operand, shape: Sequence[int], given: dict[str, Any], a: Any, b: Any) -> Any:
    """XLA's product where the left matrix has the contracted axis first, such as a weight's gradient.

    XLA needs no copy of the left matrix if it has fewer columns than the right one; otherwise it takes up to twice as
    long, so the two are exchanged and the result is transposed. An operand of more axes it would copy into rows, and
    it computes the operand again for that copy, against the order in memory. The operands are also exchanged if the
    contracted axis of the right one is the last.
    """
    inner, rows, columns = left.sizes[2], left.sizes[1], right.sizes[1]
    a = a.reshape(inner, rows)
    options = {name: given[name] for name in ("precision", "preferred_element_type")}
    if right.strides[2] == 1:
        found = lax.dot_general(b.reshape(columns, inner), a, (((1,), (0,)), ((), ())), **options)
    elif rows > columns:
        found = lax.dot_general(b.reshape(inner, columns), a, (((0,), (0,)), ((), ())), **options)
    else:
        return lax.dot_general(a, b.reshape(inner, columns), (((0,), (0,)), ((), ())), **options).reshape(shape)
    # Alone, and into a vector: XLA would take the transpose into the product, or read its rows as columns in each
    # operation that uses it. A step of Adam by a gradient of 512 x 128 takes 0.15 ms so, and 0.42 ms otherwise.
    return unfused(_transposed_vector)(found).reshape(shape)


def _transposed_vector(matrix: Any) -> Any:
    return matrix.T.reshape(-1)


class _Operand(NamedTuple):
    """An operand as matrices: a batch of them, rows and columns; the columns are contracted.

    Attributes:
        order: the axes in the order of the array that oneDNN gets.
        sizes: of the batch, the rows and the columns.
        strides: of these in that array, in elements.
    """

    order: tuple[int, ...]
    sizes: tuple[int, int, int]
    strides: tuple[int, int, int]

    @classmethod
    def as_matrices(cls, shape: Sequence[int], contracted: Sequence[int], batched: Sequence[int]) -> _Operand:
        """An array stays as it is if each group of its axes is one in memory; otherwise the batch comes first."""
        free = [axis for axis in range(len(shape)) if axis not in (*contracted, *batched)]
        groups = [list(batched), free, list(contracted)]
        # Axes of size 1 are nowhere in memory.
        long = [[axis for axis in group if shape[axis] > 1] for group in groups]
        present = [axis for axis in range(len(shape)) if shape[axis] > 1]
        blocks = sorted((group for group in long if group), key=lambda group: group[0])
        order = range(len(shape)) if sum(blocks, []) == present else sum(groups, [])
        batch, rows, inner = (math.prod(shape[axis] for axis in group) for group in groups)
        strides = []
        for group in long:
            behind = list(order)[list(order).index(group[-1]) + 1 :] if group else ()
            strides.append(math.prod(shape[axis] for axis in behind))
        return cls(tuple(order), (batch, rows, inner), (strides[0], strides[1], strides[2]))

    def is_matrix(self) -> bool:
        """Whether a reshape alone makes the array a matrix, with rows or with columns in memory."""
        _, rows, inner = self.sizes
        return self.order == tuple(range(len(self.order))) and set(self.strides[1:]) in ({1, inner}, {1, rows})


def _product(left: _Operand, right: _Operand) -> plans.Computation | None:
    """The product that oneDNN computes; None for a vector, for which XLA reads the matrix as fast."""
    (batch, rows, inner), (_, columns, _) = left.sizes, right.sizes
    if min(rows, columns, inner) < 2 or batch < 1:
        return None
    a = plans.Array(left.sizes, left.strides)
    b = plans.Array((batch, inner, columns), (right.strides[0], right.strides[2], right.strides[1]))
    out = plans.Array((batch, rows, columns), (rows * columns, columns, 1))
    if batch == 1:
        a, b, out = (plans.Array(array.shape[1:], array.strides[1:]) for array in (a, b, out))
    return plans.Computation(plans.PRODUCT, a, b, out, ())
