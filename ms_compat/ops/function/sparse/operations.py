"""Operations on COOTensor and CSRTensor whose result has the input's size, so that they compile.

All are gathers and segment sums over the parts; their gradients go to the values and to dense operands. Finding the row
of each element takes longer than most of them (2 ms for 200,000 values on a CPU, a product with a vector 0.8), so a CSR
tensor keeps the rows found. The product of a CSR matrix with a dense one is JAX's `BCSR` product where that has a
kernel: with 4000 x 4000, 200,000 values and 64 columns it takes 4 ms on a CPU, a segment sum 97
(tests/benchmarks/test_sparse.py). Such a kernel trusts its indices, so those that point outside are made harmless
first.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_rank, check_shape
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.operands import cast, promote_args
from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import ArrayImpl
from ms_compat._core.promotion import promote
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.sparse import COOTensor, CSRTensor
from ms_compat._core.trace import scopes
from ms_compat.ops.function.axes import integer, tensor
from ms_compat.ops.function.indexing.bounds import check_index
from ms_compat.ops.function.indexing.scatter import scatter_nd
from ms_compat.ops.function.shape.views import reshape

# The dtypes that JAX's CPU kernel takes.
_KERNEL_VALUES = frozenset(map(np.dtype, ("int32", "int64", "float32", "float64", "complex64", "complex128")))
_KERNEL_INDICES = frozenset(map(np.dtype, ("int32", "int64")))


def csr_of(api: str, argument: str, x: Any, ndim: int | None = None) -> CSRTensor:
    """The argument if it is a CSRTensor (of so many dimensions); TypeError or ValueError if not."""
    check_type(api, argument, x, CSRTensor)
    if ndim is not None:
        check_rank(api, argument, x, ndim)
    return x


def coo_of(api: str, argument: str, x: Any) -> COOTensor:
    """The argument if it is a COOTensor; TypeError if not."""
    if not isinstance(x, COOTensor):
        raise TypeError(f"For '{api}', the '{argument}' must be a COOTensor, but got {type(x).__name__}.")
    return x


def holding(dtype: np.dtype, count: int) -> np.dtype:
    """An integer dtype, or the next wider one that can count so far.

    >>> holding(np.dtype("int16"), 40_000)
    dtype('int32')
    """
    if count <= np.iinfo(dtype).max:
        return dtype
    return np.dtype(np.int32 if count < 2**31 else np.int64)


def row_numbers(indptr: jax.Array, count: int) -> jax.Array:
    """The rows of a CSR matrix's `count` elements."""
    rows = jnp.arange(indptr.shape[0] - 1, dtype=holding(indptr.dtype, indptr.shape[0]))
    return jnp.repeat(rows, jnp.diff(indptr), total_repeat_length=count)


def rows_of(x: CSRTensor) -> Tensor:
    """Each element's row in a CSR matrix, cached on the matrix outside traces."""
    starts = x.indptr._v
    if scopes.tracing or starts.__class__ is not ArrayImpl:
        return csr2coo(x.indptr, x.indices.shape[0])
    known = x.__dict__.get("_rows")
    if known is None or known[0] is not starts:
        known = x.__dict__["_rows"] = (starts, csr2coo(x.indptr, x.indices.shape[0]))
    return known[1]


# -- from one form to another ------------------------------------------------------------------------------------------
def _row_starts(rows, height):
    numbers = jnp.arange(height + 1, dtype=holding(rows.dtype, height))
    return jnp.searchsorted(rows, numbers, side="left").astype(holding(rows.dtype, rows.shape[0]))


@faces("ops")
@op(static=("height",), name="COO2CSR")
def coo2csr(row_indices, height):
    """Where each row starts, and the end, of row numbers in order.

    Args:
        row_indices: 1-d integer Tensor that does not fall.
        height: the number of rows.

    Returns:
        1-d Tensor of height + 1 elements and the same dtype (a wider one if it cannot count them).

    >>> from ms_compat import Tensor, ops
    >>> print(ops.coo2csr(Tensor([0, 2, 2, 3]), 4))
    [0 1 1 3 4]
    """
    rows = _index("COO2CSR", "row_indices", row_indices)
    return _row_starts(rows, integer("COO2CSR", "height", height))


@faces("ops")
@op(static=("nnz",), name="CSR2COO")
def csr2coo(indptr, nnz):
    """The row of each element, from where the rows start.

    Args:
        indptr: 1-d integer Tensor that does not fall.
        nnz: the number of elements.

    Returns:
        1-d Tensor of `nnz` elements and the same dtype.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.csr2coo(Tensor([0, 1, 1, 3, 4]), 4))
    [0 2 2 3]
    """
    return row_numbers(_index("CSR2COO", "indptr", indptr), integer("CSR2COO", "nnz", nnz))


def _index(api: str, argument: str, x: Any) -> jax.Array:
    x = tensor(api, x, argument)
    if x.dtype.kind not in "iu" or x.ndim != 1:
        raise TypeError(
            f"For '{api}', the '{argument}' must be a 1-d Tensor of integers, but got {x.dtype.name} of shape "
            f"{x.shape}."
        )
    return x


@op(static=("height",))
def _sorted_rows(indices, values, height):
    order = jnp.argsort(indices[:, 0], stable=True)
    return _row_starts(indices[order, 0], height), indices[order, 1], values[order]


def coo_to_csr(x: COOTensor) -> CSRTensor:
    """The same matrix by rows; the elements of one row stay in their order."""
    return CSRTensor._of(_sorted_rows(x.indices, x.values, x.shape[0]), x.shape)


@op
def _coordinates(rows, indices):
    rows, columns = promote_args("csr_to_coo", rows, indices)
    return jnp.stack([rows, columns], 1)


@faces("ops")
def csr_to_coo(tensor: CSRTensor) -> COOTensor:
    """The same matrix as a list of coordinates.

    Args:
        tensor (CSRTensor): of 2 dimensions.

    Raises:
        TypeError: it is not a CSRTensor.
        ValueError: it has more dimensions.
    """
    x = csr_of("csr_to_coo", "tensor", tensor, 2)
    return COOTensor._of((_coordinates(rows_of(x), x.indices), x.values), x.shape)


def coo_to_dense(x: COOTensor) -> Tensor:
    """The matrix as a Tensor; values at one place are added."""
    return scatter_nd(x.indices, x.values, x.shape)


@op(static=("shape",))
def _dense(rows, indices, values, shape):
    places = jnp.zeros(shape, values.dtype).at[rows, indices]
    return (places.max if values.dtype == bool else places.add)(values, mode="drop")


@faces("ops")
def csr_to_dense(csr_tensor: CSRTensor) -> Tensor:
    """The matrix as a Tensor.

    Args:
        csr_tensor (CSRTensor): of 2 dimensions.

    Raises:
        TypeError: it is not a CSRTensor.
        ValueError: it has more dimensions.
    """
    x = csr_of("csr_to_dense", "csr_tensor", csr_tensor, 2)
    return _dense(rows_of(x), x.indices, x.values, x.shape)


# -- products ----------------------------------------------------------------------------------------------------------
def _safe(indptr, indices, values, width):
    """The parts of a CSR matrix that a kernel can trust; a value outside becomes NaN (0 of an integer)."""
    inside = (indices >= 0) & (indices < width)
    outside = jnp.nan if jnp.issubdtype(values.dtype, jnp.inexact) else 0
    starts = jax.lax.cummax(jnp.clip(indptr, 0, indices.shape[0]))
    return starts, jnp.clip(indices, 0, max(width - 1, 0)), jnp.where(inside, values, outside).astype(values.dtype)


@op
def _product(indptr, indices, values, dense):
    values, dense = promote_args("CSRTensor.mm", values, dense)
    rows, width = indptr.shape[0] - 1, dense.shape[0]
    indptr, indices, values = _safe(indptr, indices, values, width)
    if values.dtype not in _KERNEL_VALUES or not indices.shape[0]:
        at = row_numbers(indptr, indices.shape[0])
        return jax.ops.segment_sum(values[:, None] * dense[indices], at, rows, indices_are_sorted=True)
    index_type = promote(indptr.dtype, indices.dtype)
    index_type = index_type if index_type in _KERNEL_INDICES else np.dtype(np.int32)
    parts = (values, cast(indices, index_type), cast(indptr, index_type))
    from jax.experimental.sparse import BCSR  # takes 0.1 s to import

    return BCSR(parts, shape=(rows, width)) @ dense


@op(static=("count",))
def _vector_product(rows, indices, values, dense, count):
    values, dense = promote_args("csr_mv", values, dense)
    products = values * dense.at[indices, 0].get(mode="fill")
    return jax.ops.segment_sum(products, rows, count, indices_are_sorted=True)[:, None].astype(values.dtype)


def _check_product(x: CSRTensor, dense: Tensor) -> None:
    if x.ndim != 2 or len(dense.shape) != 2:
        raise ValueError(
            f"For a product of a CSRTensor, both operands must have 2 dimensions, but got {x.shape} and {dense.shape}."
        )
    check_index("CSRTensor", x.indices, x.shape[1], 0, "indices", ValueError)


@faces("ops")
def csr_mv(csr_tensor: CSRTensor, dense: Tensor) -> Tensor:
    """The product of a sparse matrix and a vector.

    Args:
        csr_tensor (CSRTensor): [rows, columns].
        dense (Tensor): [columns, 1].

    Returns:
        Tensor [rows, 1].

    Raises:
        TypeError: another kind of argument.
        ValueError: shapes that do not fit.
    """
    x = csr_of("csr_mv", "csr_tensor", csr_tensor)
    check_type("csr_mv", "dense", dense, Tensor)
    _check_product(x, dense)
    check_shape("csr_mv", "dense", dense, (x.shape[1], 1))
    return _vector_product(rows_of(x), x.indices, x.values, dense, x.shape[0])


def csr_mm_dense(x: CSRTensor, dense: Tensor) -> Tensor:
    """The product of a sparse [rows, columns] and a dense matrix [columns, K].

    Raises:
        ValueError: shapes that do not fit.
    """
    _check_product(x, dense)
    if dense.shape[0] != x.shape[1]:
        raise ValueError(f"For 'CSRTensor.mm', the 'matrix' must have {x.shape[1]} rows, but got {dense.shape}.")
    if dense.shape[1] == 1:
        return _vector_product(rows_of(x), x.indices, x.values, dense, x.shape[0])
    return _product(x.indptr, x.indices, x.values, dense)


# -- sums of rows ------------------------------------------------------------------------------------------------------
@op(static=("count",))
def _row_sums(rows, values, count):
    sums = jax.ops.segment_sum(values, rows, count, indices_are_sorted=True)
    return sums[:, None].astype(values.dtype)


@faces("ops")
def csr_reduce_sum(csr_tensor: CSRTensor, axis: int) -> Tensor:
    """The sums of the rows.

    Args:
        csr_tensor (CSRTensor): [rows, columns, ...].
        axis (int): 1, or the negative number of the same axis.

    Returns:
        Tensor [rows, 1, ...].

    Raises:
        TypeError: another kind of argument.
        ValueError: another axis.
    """
    x = csr_of("csr_reduce_sum", "csr_tensor", csr_tensor)
    if integer("csr_reduce_sum", "axis", axis) not in (1, 1 - x.ndim):
        raise ValueError(f"For 'csr_reduce_sum', the 'axis' must be 1 or {1 - x.ndim}, but got {axis}.")
    return _row_sums(rows_of(x), x.values, x.shape[0])


@op(static=("count",))
def _row_softmax(rows, values, count):
    if values.dtype.kind not in "fV":
        raise TypeError(f"For 'csr_softmax', the values must be floating, but got {values.dtype.name}.")
    most = jax.ops.segment_max(values, rows, count, indices_are_sorted=True)
    powers = jnp.exp(values - jax.lax.stop_gradient(most)[rows])
    return powers / jax.ops.segment_sum(powers, rows, count, indices_are_sorted=True)[rows]


@faces("ops")
def csr_softmax(logits: CSRTensor, dtype: Any) -> CSRTensor:
    """The softmax of each row over the values that are kept.

    Args:
        logits (CSRTensor): [rows, columns] of floating values.
        dtype: a floating mindspore dtype; the result has `logits`' dtype, as in MindSpore.

    Raises:
        TypeError: another kind of argument, or values that are not floating.
    """
    from ms_compat._core import dtype as mstype

    x = csr_of("csr_softmax", "logits", logits, 2)
    if dtype not in mstype.float_type:
        raise TypeError(f"For 'csr_softmax', the 'dtype' must be a floating mindspore dtype, but got {dtype!r}.")
    return x._with_values(_row_softmax(rows_of(x), x.values, x.shape[0]))


# -- with a dense operand ----------------------------------------------------------------------------------------------
def _picked(api, rows, indices, dense, shape):
    """The elements of a dense tensor, broadcast to `shape`, at the places of a CSR matrix."""
    if dense.ndim > len(shape):
        raise ValueError(f"For '{api}', a dense {dense.shape} does not broadcast to the sparse {shape}.")
    dense = dense.reshape((1,) * (len(shape) - dense.ndim) + dense.shape)
    if dense.shape[2:] != shape[2:] or any(n not in (1, m) for n, m in zip(dense.shape, shape, strict=True)):
        raise ValueError(f"For '{api}', a dense {dense.shape} does not broadcast to the sparse {shape}.")
    rows = rows if dense.shape[0] != 1 else jnp.zeros_like(rows)
    columns = indices if dense.shape[1] != 1 else jnp.zeros_like(indices)
    return dense.at[rows, columns].get(mode="fill")


@op(static=("shape", "divide"))
def _with_dense(rows, indices, values, dense, shape, divide):
    values, dense = promote_args("CSRDiv" if divide else "CSRMul", values, dense)
    picked = _picked("CSRDiv" if divide else "CSRMul", rows, indices, dense, shape)
    if not divide:
        return values * picked
    if values.dtype.kind in "biu":
        values, picked = cast(values, np.dtype(np.float32)), cast(picked, np.dtype(np.float32))
    return values / picked


def _scaled(api: str, x: Any, y: Any, divide: bool) -> Any:
    x = csr_of(api, "x", x)
    if isinstance(y, (bool, int, float)):
        return x.values / y if divide else x.values * y
    if not isinstance(y, Tensor):
        raise TypeError(f"For '{api}', the 'y' must be a Tensor or a number, but got {type(y).__name__}.")
    if y.size == 1 and len(y.shape) <= 2:
        factor = reshape(y, ())
        return x.values / factor if divide else x.values * factor
    return x._with_values(_with_dense(rows_of(x), x.indices, x.values, y, x.shape, divide))


@faces("ops")
def csr_mul(x: CSRTensor, y: Tensor) -> CSRTensor:
    """A sparse tensor times a dense one that broadcasts to it.

    Args:
        x (CSRTensor): the sparse one.
        y (Tensor): the dense one, or a number.

    Returns:
        CSRTensor; with a number, or a Tensor of one element, only the values, as a Tensor.

    Raises:
        TypeError: another kind of argument.
        ValueError: the shape of `y` does not broadcast.
    """
    return _scaled("csr_mul", x, y, False)


@faces("ops")
def csr_div(x: CSRTensor, y: Tensor) -> CSRTensor:
    """A sparse tensor divided by a dense one that broadcasts to it; zeros where nothing is kept do not count.

    Args:
        x (CSRTensor): the sparse one.
        y (Tensor): the dense one, or a number.

    Returns:
        CSRTensor; with a number, or a Tensor of one element, only the values, as a Tensor.

    Raises:
        TypeError: another kind of argument.
        ValueError: the shape of `y` does not broadcast.
    """
    return _scaled("csr_div", x, y, True)


@faces("ops")
@op(static=("sparse_shape",), name="CSRGather")
def csr_gather(indptr, indices, dense, sparse_shape):
    """The elements of a dense tensor at the places of a CSR matrix.

    Args:
        indptr, indices: the places.
        dense: a Tensor that broadcasts to `sparse_shape`.
        sparse_shape: a tuple of ints.

    Returns:
        Tensor [N, *sparse_shape[2:]].

    Raises:
        ValueError: the shape of `dense` does not broadcast.
    """
    rows = row_numbers(indptr, indices.shape[0])
    return _picked("CSRGather", rows, indices, tensor("CSRGather", dense, "dense"), sparse_shape)
