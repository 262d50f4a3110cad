"""Operations on sparse tensors whose number of elements depends on the elements' positions.

The host computes the positions, with NumPy over keys `row * columns + column`; the values follow as one gather
or segment sum, so that gradients reach them. Indices are unknown while a function is compiled, unless they are
its constants: then it may contain these operations, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_dtype, check_rank, check_same_shape
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.operands import cast
from ms_compat._core.errors import UnsupportedError, check_type
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.promotion import promote
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.sparse import COOTensor, CSRTensor
from ms_compat.ops.function.axes import integer
from ms_compat.ops.function.indexing import gather
from ms_compat.ops.function.shape.views import reshape
from ms_compat.ops.function.sparse.operations import coo_of, csr_of, holding

_WAY = "Call it outside of compiled functions, or give them the indices as constants."


def host(api: str, argument: str, value: Any, way: str = _WAY) -> np.ndarray:
    """The array of a Tensor on the host; UnsupportedError for one that a trace does not know.

    Raises:
        TypeError: it is not a Tensor.
    """
    check_type(api, argument, value, Tensor)
    if isinstance(value._v, Tracer):
        raise UnsupportedError(
            f"For '{api}', the size of the result depends on the values of '{argument}', which a compiled function "
            f"does not know. {way}"
        )
    return np.asarray(value._v)


@op(static=("size", "dtype"))
def _summed(values, places, size, dtype):
    joined = jnp.concatenate([cast(v, dtype) for v in values])
    return jax.ops.segment_sum(joined, places, size).astype(dtype)


def _coordinates(api: str, indices: Any, shape: Sequence[int]) -> np.ndarray:
    """The columns of [N, len(shape)] indices as int64, checked against the shape."""
    array = host(api, "indices", indices).astype(np.int64)
    if array.size and ((array < 0).any() or (array >= np.asarray(shape)).any()):
        raise ValueError(f"For '{api}', the 'indices' do not lie within the shape {tuple(shape)}.")
    return array.T


def _rows(api: str, x: CSRTensor) -> np.ndarray:
    """The rows and columns of a CSR matrix's elements."""
    indptr, columns = host(api, "indptr", x.indptr).astype(np.int64), host(api, "indices", x.indices).astype(np.int64)
    counts = np.diff(indptr)
    if indptr[0] != 0 or (counts < 0).any() or indptr[-1] != columns.size:
        raise ValueError(f"For '{api}', the 'indptr' must increase from 0 to {columns.size}, but got {indptr}.")
    if columns.size and (columns.min() < 0 or columns.max() >= x.shape[1]):
        raise ValueError(f"For '{api}', the 'indices' must be in range [0, {x.shape[1]}).")
    return np.stack([np.repeat(np.arange(counts.size), counts), columns])


def _unique(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    found, places = np.unique(keys, return_inverse=True)
    return found, places.reshape(-1)


def _csr(keys: np.ndarray, values: Tensor, shape: tuple[int, ...], pointer: np.dtype, index: np.dtype) -> CSRTensor:
    """A CSRTensor of sorted keys."""
    rows, columns = np.divmod(keys, shape[1])
    starts = np.searchsorted(rows, np.arange(shape[0] + 1))
    pointer, index = holding(pointer, keys.size), holding(index, shape[1])
    return CSRTensor._of((Tensor(starts.astype(pointer)), Tensor(columns.astype(index)), values), shape)


# -- COO ---------------------------------------------------------------------------------------------------------------
def _coalesced(api: str, columns: np.ndarray, values: Tensor, shape: Sequence[int]) -> tuple[np.ndarray, Tensor]:
    keys, places = _unique(np.ravel_multi_index(tuple(columns), tuple(shape)))
    found = np.stack(np.unravel_index(keys, tuple(shape)))
    return found, _summed((values,), Tensor(places), len(keys), values.dtype.np_dtype)


def coalesce_coo(x: COOTensor) -> COOTensor:
    """The coordinates in order, each once, with the sum of its values."""
    found, values = _coalesced("COOTensor.coalesce", _coordinates("COOTensor.coalesce", x.indices, x.shape), x.values,
                               x.shape)  # fmt: skip
    return COOTensor._of((Tensor(found.T.astype(x.indices.dtype.np_dtype)), values), x.shape)


@faces("ops", primitive="Coalesce()(x_indices, x_values, x_shape)")
def coalesce(x_indices: Tensor, x_values: Tensor, x_shape: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The coordinates of a sparse tensor in order, each once, with the sum of its values.

    Args:
        x_indices: [dimensions, N] of Int64.
        x_values: [N] of Float16, Float32 or Float64.
        x_shape: [dimensions] of Int64.

    Returns:
        The new indices and values, and `x_shape`.

    Raises:
        TypeError: another dtype.
        ValueError: shapes that do not fit, an index outside of `x_shape`.

    >>> from ms_compat import Tensor, ops
    >>> print(*ops.coalesce(Tensor([[0, 0, 1], [1, 1, 2]]), Tensor([1.0, 5, 4]), Tensor([3, 3]))[:2])
    [[0 1]
     [1 2]] [6. 4.]
    """
    api = "Coalesce"
    indices, shape = host(api, "x_indices", x_indices), host(api, "x_shape", x_shape)
    if not isinstance(x_values, Tensor) or x_values.dtype not in (mstype.float16, mstype.float32, mstype.float64):
        raise TypeError(f"For '{api}', the 'x_values' must be a Tensor of Float16, Float32 or Float64.")
    for name, array in (("x_indices", indices), ("x_shape", shape)):
        check_dtype(api, name, array, np.int64)
    if indices.ndim != 2 or indices.shape != (*shape.shape, *x_values.shape):
        raise ValueError(
            f"For '{api}', the shapes must be [d, n], [n] and [d], but got {indices.shape}, {x_values.shape} and "
            f"{shape.shape}."
        )
    sizes = shape.tolist()
    if indices.size and ((indices < 0).any() or (indices >= shape[:, None]).any()):
        raise ValueError(f"For '{api}', the 'x_indices' do not lie within the shape {sizes}.")
    found, values = _coalesced(api, indices, x_values, sizes)
    return Tensor(found), values, x_shape


@faces("ops")
def coo_add(x1: COOTensor, x2: COOTensor, thresh: Tensor) -> COOTensor:
    """The sum of two sparse matrices.

    Args:
        x1 (COOTensor): the first matrix.
        x2 (COOTensor): the second, of the same shape.
        thresh (Tensor): 0-d. Where both matrices have a value, a sum that is smaller than it in size is left out.

    Returns:
        COOTensor with the coordinates in order, each once.

    Raises:
        TypeError: another kind of argument.
        ValueError: the shapes differ, `thresh` has dimensions, or an index is out of range.

    >>> import ms_compat as ms
    >>> x = ms.COOTensor(ms.Tensor([[0, 1], [1, 2]]), ms.Tensor([1.0, 2.0]), (2, 3))
    >>> print(ms.ops.coo_add(x, x, ms.Tensor(0.0)).values)
    [2. 4.]
    """
    api = "coo_add"
    x1, x2 = coo_of(api, "x1", x1), coo_of(api, "x2", x2)
    check_type(api, "thresh", thresh, Tensor)
    if thresh.shape:
        raise ValueError(f"For '{api}', the 'thresh' must have no dimensions, but got shape {thresh.shape}.")
    check_same_shape(api, x1=x1, x2=x2)
    index_type = promote(x1.indices.dtype.np_dtype, x2.indices.dtype.np_dtype)
    dtype = promote(x1.dtype.np_dtype, x2.dtype.np_dtype)
    first, second = [np.ravel_multi_index(tuple(_coordinates(api, x.indices, x.shape)), x.shape) for x in (x1, x2)]
    keys, places = _unique(np.concatenate([first, second]))
    values = _summed((x1.values, x2.values), Tensor(places), len(keys), dtype)
    limit = host(api, "thresh", thresh)
    if limit > 0:
        sums = np.abs(host(api, "values", values, "A 'thresh' of 0 leaves nothing out."))
        kept = np.flatnonzero(~(np.isin(keys, first) & np.isin(keys, second)) | (sums >= limit))
        keys, values = keys[kept], gather.gather(values, Tensor(kept), 0)
    indices = np.stack(np.unravel_index(keys, x1.shape), 1).astype(index_type)
    return COOTensor._of((Tensor(indices), values), x1.shape)


@faces("ops")
def coo_concat(sp_input: Sequence[COOTensor], concat_dim: int = 0) -> COOTensor:
    """Sparse matrices one after the other.

    Args:
        sp_input: a list or tuple of at least two COOTensors of one dtype.
        concat_dim: the dimension in which they follow, -2 to 1.

    Returns:
        COOTensor with its coordinates in order.

    Raises:
        TypeError: another kind of argument, or different dtypes.
        ValueError: fewer than two.
        RuntimeError: sizes that differ in the other dimension.
        IndexError: there is no such dimension.
    """
    api = "coo_concat"
    check_type(api, "sp_input", sp_input, (list, tuple))
    if len(sp_input) < 2:
        raise ValueError(f"For '{api}', there must be at least 2 COOTensors, but got {len(sp_input)}.")
    many = [coo_of(api, "sp_input", x) for x in sp_input]
    if not -2 <= integer(api, "concat_dim", concat_dim) < 2:
        raise IndexError(f"For '{api}', the 'concat_dim' must be in range [-2, 2), but got {concat_dim}.")
    along = concat_dim % 2
    for what in ("dtype", "indices.dtype"):
        kinds = {(x.dtype if what == "dtype" else x.indices.dtype)._label for x in many}
        if len(kinds) > 1:
            raise TypeError(f"For '{api}', the COOTensors must have one {what}, but got {sorted(kinds)}.")
    sizes = {x.shape[1 - along] for x in many}
    if len(sizes) > 1:
        raise RuntimeError(f"For '{api}', the sizes in dimension {1 - along} must be equal, but got {sorted(sizes)}.")
    offsets = np.cumsum([0, *[x.shape[along] for x in many]])
    shape = [0, 0]
    shape[along], shape[1 - along] = int(offsets[-1]), sizes.pop()
    index_type = holding(many[0].indices.dtype.np_dtype, shape[along])
    parts = _joined(
        [x.indices for x in many], [x.values for x in many], tuple(offsets[:-1].tolist()), along, index_type
    )
    return COOTensor._of(parts, tuple(shape))


@op(static=("offsets", "along", "index_type"))
def _joined(indices, values, offsets, along, index_type):
    wide = [i.astype(index_type) for i in indices]
    joined = jnp.concatenate([i.at[:, along].add(offset) for i, offset in zip(wide, offsets, strict=True)])
    order = jnp.lexsort((joined[:, 1], joined[:, 0]))
    return joined[order], jnp.concatenate(values)[order]


# -- CSR ---------------------------------------------------------------------------------------------------------------
def _factor(api: str, argument: str, value: Any, dtype: np.dtype) -> Any:
    check_type(api, argument, value, Tensor)
    if value.size != 1:
        raise ValueError(f"For '{api}', the '{argument}' must have one element, but got shape {value.shape}.")
    return reshape(value, ()).astype(mstype.np_dtype_to_ms(dtype))


def _index_types(a: CSRTensor, b: CSRTensor) -> list[np.dtype]:
    """The dtypes of `indptr` and `indices` of a result."""
    return [promote(getattr(a, name).dtype.np_dtype, getattr(b, name).dtype.np_dtype) for name in ("indptr", "indices")]


@faces("ops")
def csr_add(a: CSRTensor, b: CSRTensor, alpha: Tensor, beta: Tensor) -> CSRTensor:
    """`alpha * a + beta * b`.

    Args:
        a (CSRTensor): the first matrix.
        b (CSRTensor): the second, of the same shape.
        alpha (Tensor): of one element.
        beta (Tensor): of one element.

    Returns:
        CSRTensor with the columns of each row in order, each once.

    Raises:
        TypeError: another kind of argument.
        ValueError: the shapes differ, `alpha` or `beta` has more elements, or an index is out of range.
    """
    api = "csr_add"
    a, b = csr_of(api, "a", a, 2), csr_of(api, "b", b, 2)
    check_same_shape(api, a=a, b=b)
    dtype = promote(a.dtype.np_dtype, b.dtype.np_dtype)
    alpha, beta = _factor(api, "alpha", alpha, dtype), _factor(api, "beta", beta, dtype)
    keys = [rows * a.shape[1] + columns for rows, columns in (_rows(api, x) for x in (a, b))]
    found, places = _unique(np.concatenate(keys))
    values = _summed((a.values * alpha, b.values * beta), Tensor(places), len(found), dtype)
    return _csr(found, values, a.shape, *_index_types(a, b))


def _oriented(api: str, x: CSRTensor, turn: bool, conjugate: bool) -> tuple[np.ndarray, Any, tuple[int, ...]]:
    """Coordinates in row order, their values and the shape of a matrix or its transpose."""
    places = _rows(api, x)
    values = x.values.conj() if conjugate and x.dtype in mstype.complex_type else x.values
    if not (turn or conjugate):
        return places, values, x.shape
    order = np.lexsort((places[0], places[1]))
    return places[::-1, order], gather.gather(values, Tensor(order), 0), x.shape[::-1]


@op(static=("size", "dtype"))
def _products(a, b, left, right, places, size, dtype):
    return jax.ops.segment_sum(cast(a, dtype)[left] * cast(b, dtype)[right], places, size).astype(dtype)


@faces("ops")
def csr_mm(
    a: CSRTensor,
    b: CSRTensor,
    trans_a: bool = False,
    trans_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
) -> CSRTensor:
    """The product of two sparse matrices.

    Args:
        a (CSRTensor): [rows, inner].
        b (CSRTensor): [inner, columns].
        trans_a, trans_b: whether to transpose a matrix first.
        adjoint_a, adjoint_b: whether to transpose a matrix and take its complex conjugate first.

    Returns:
        CSRTensor with a value wherever one of `a` meets one of `b`, also if they add up to 0.

    Raises:
        TypeError: another kind of argument.
        ValueError: shapes that do not fit, or an index is out of range.
    """
    api = "csr_mm"
    a, b = csr_of(api, "a", a, 2), csr_of(api, "b", b, 2)
    (rows, inner), left_values, left = _oriented(api, a, trans_a, adjoint_a)
    (other, columns), right_values, right = _oriented(api, b, trans_b, adjoint_b)
    if left[1] != right[0]:
        raise ValueError(f"For '{api}', the matrices do not fit: {left} and {right}.")
    starts = np.searchsorted(other, np.arange(right[0] + 1))
    counts = (starts[1:] - starts[:-1])[inner]  # how many of b's elements each element of a meets
    at_left = np.repeat(np.arange(inner.size), counts)
    at_right = np.arange(at_left.size) - np.repeat(np.cumsum(counts) - counts, counts) + starts[inner][at_left]
    keys, places = _unique(rows[at_left] * right[1] + columns[at_right])
    dtype = promote(a.dtype.np_dtype, b.dtype.np_dtype)
    values = _products(left_values, right_values, Tensor(at_left), Tensor(at_right), Tensor(places), len(keys), dtype)
    return _csr(keys, values, (left[0], right[1]), *_index_types(a, b))


# -- from dense --------------------------------------------------------------------------------------------------------
def _kept(api: str, tensor: Any) -> tuple[np.ndarray, Tensor]:
    """The coordinates of a matrix's nonzero elements, and their values."""
    array = host(api, "tensor", tensor, "Make the sparse tensor outside of compiled functions and hand it in.")
    check_rank(api, "tensor", array, 2)
    found = np.stack(np.nonzero(array), 1)
    return found, gather.gather_nd(tensor, Tensor(found))


@faces("ops Tensor.to_coo")
def dense_to_sparse_coo(tensor: Tensor) -> COOTensor:
    """The nonzero elements of a matrix, as a COOTensor with Int32 indices.

    Args:
        tensor (Tensor): [rows, columns].

    Raises:
        TypeError: it is not a Tensor.
        ValueError: it has not 2 dimensions.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.dense_to_sparse_coo(Tensor([[0.0, 7.0], [0.0, 0.0]])).indices)
    [[0 1]]
    """
    found, values = _kept("dense_to_sparse_coo", tensor)
    return COOTensor._of((Tensor(found.astype(np.int32)), values), tensor.shape)


@faces("ops Tensor.to_csr")
def dense_to_sparse_csr(tensor: Tensor) -> CSRTensor:
    """The nonzero elements of a matrix, as a CSRTensor with Int32 indices.

    Args:
        tensor (Tensor): [rows, columns].

    Raises:
        TypeError: it is not a Tensor.
        ValueError: it has not 2 dimensions.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.dense_to_sparse_csr(Tensor([[0.0, 7.0], [0.0, 0.0]])).indptr)
    [0 1 1]
    """
    found, values = _kept("dense_to_sparse_csr", tensor)
    index = np.dtype(np.int32)
    return _csr(found[:, 0] * tensor.shape[1] + found[:, 1], values, tensor.shape, index, index)


# -- parts of a sparse tensor as separate Tensors ----------------------------------------------------------------------
@faces(primitive="SparseSlice()(indices, values, shape, start, size)")
def sparse_slice(indices, values, shape, start, size):
    """The part of a sparse tensor in a box.

    Args:
        indices: [N, dimensions] of Int64.
        values: [N].
        shape, start, size: [dimensions] of Int64: the sparse tensor's sizes, the box's first corner and its sizes,
            which are cut where the tensor ends.

    Returns:
        The indices (from the corner), values and sizes of the part.

    Raises:
        TypeError: indices or sizes that are not Int64.
        ValueError: shapes that do not fit.
    """
    api = "SparseSlice"
    places = host(api, "indices", indices)
    box = [host(api, name, x) for name, x in (("shape", shape), ("start", start), ("size", size))]
    if any(x.dtype != np.int64 for x in (places, *box)):
        raise TypeError(f"For '{api}', the 'indices', 'shape', 'start' and 'size' must be of Int64.")
    if places.ndim != 2 or values.shape != places.shape[:1] or any(x.shape != places.shape[1:] for x in box):
        raise ValueError(
            f"For '{api}', the shapes must be [n, d], [n] and three times [d], but got {places.shape}, {values.shape} "
            f"and {[x.shape for x in box]}."
        )
    first = box[1]
    end = np.minimum(first + box[2], box[0])
    kept = np.flatnonzero(((places >= first) & (places < end)).all(1))
    return Tensor(places[kept] - first), gather.gather(values, Tensor(kept), 0), Tensor(np.maximum(end - first, 0))
