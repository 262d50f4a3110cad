"""Sparse tensors given as Tensors of coordinates, values and shape: arithmetic, order, joining and filling.

These are MindSpore's primitives of `ops.operations.sparse_ops`. The host computes the elements' positions, with
NumPy over the place that a coordinate has in the flat tensor; the values follow by gathering or adding, so that
gradients reach them. Coordinates are unknown while a function is compiled, unless they are its constants.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.dispatch.op import op
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.sparse.host import host


class Coordinates(NamedTuple):
    """The element positions of a sparse tensor: the coordinates [n, rank], and the shape."""

    at: np.ndarray
    shape: tuple[int, ...]

    @property
    def flat(self) -> np.ndarray:
        """The place of each element in the flat tensor."""
        return np.ravel_multi_index(tuple(self.at.T), self.shape) if self.at.size else np.zeros(len(self.at), np.int64)

    def unravelled(self, flat: np.ndarray) -> np.ndarray:
        """The coordinates of places in the flat tensor."""
        return np.stack(np.unravel_index(flat, self.shape), 1).astype(np.int64).reshape(-1, len(self.shape))


def sizes(api: str, argument: str, shape: Any) -> tuple[int, ...]:
    """A shape given as a Tensor, or as numbers."""
    if isinstance(shape, Tensor):
        return tuple([int(n) for n in host(api, argument, shape).reshape(-1)])
    return tuple([int(n) for n in shape])


def coordinates(api: str, indices: Any, values: Any, shape: Any, prefix: str = "") -> Coordinates:
    """The coordinates of a sparse tensor, checked.

    Raises:
        TypeError: an argument is not a Tensor, or the indices are not integers.
        ValueError: the shapes do not fit each other, or a coordinate is outside.
    """
    at = host(api, f"{prefix}indices", indices)
    if at.dtype.kind != "i":
        raise TypeError(f"For '{api}', the '{prefix}indices' must be of Int32 or Int64, but got {at.dtype}.")
    whole = sizes(api, f"{prefix}shape", shape)
    at = at.reshape(-1, 1) if at.ndim < 2 and len(whole) == 1 else at
    if at.ndim != 2 or at.shape[1] != len(whole):
        raise ValueError(f"For '{api}', the '{prefix}indices' must be [n, {len(whole)}], but got {at.shape}.")
    if values is not None and tuple(values.shape[:1]) != at.shape[:1]:
        raise ValueError(f"For '{api}', there are {at.shape[0]} '{prefix}indices', but values {values.shape}.")
    if ((at < 0) | (at >= np.array(whole, np.int64))).any():
        raise ValueError(f"For '{api}', the '{prefix}indices' must lie within the shape {whole}.")
    return Coordinates(at.astype(np.int64), whole)


def like_indices(array: np.ndarray, like: Any) -> Tensor:
    """Coordinates in the type of the indices that were given."""
    return Tensor(array.astype(like.dtype.np_dtype))


@op
def taken(values, places):
    """The values at some places."""
    return values[places]


# -- with a dense tensor ---------------------------------------------------------------------------------------------
@op(static=("kind", "shape"))
def _with_dense(values, at, dense, kind, shape):
    part = jnp.broadcast_to(dense, shape)[tuple(at.T)]
    return kind(values, part).astype(values.dtype)


def dense_cwise(api: str, kind: Callable) -> Callable:
    """The primitive that combines each element with the one of a dense Tensor at its place, which is broadcast."""

    def call(x1_indices: Any, x1_values: Any, x1_shape: Any, x2: Tensor) -> Tensor:
        found = coordinates(api, x1_indices, x1_values, x1_shape, "x1_")
        return _with_dense(x1_values, Tensor(found.at), x2, kind, found.shape)

    call.__doc__ = f"`{kind.__name__}` of a sparse tensor's elements and a dense tensor's."
    return call


@op
def _addmm(values, at, x2, x3, alpha, beta):
    product = jnp.zeros(x3.shape, x3.dtype).at[at[:, 0]].add(values[:, None] * x2[at[:, 1]])
    return (alpha * product + beta * x3).astype(x3.dtype)


def sparse_addmm(indices, values, sparse_shape, x2_dense, x3_dense, alpha, beta):
    """`alpha * (x1 @ x2) + beta * x3` with a sparse x1; alpha and beta are Tensors of one number.

    Raises:
        ValueError: alpha or beta has other than one dimension.
    """
    found = coordinates("SparseAddmm", indices, values, sparse_shape)
    for factor in (alpha, beta):
        if factor.ndim != 1:
            raise ValueError(f"For 'SparseAddmm', 'alpha' and 'beta' must have 1 dimension, but got {factor.ndim}.")
    return _addmm(values, Tensor(found.at), x2_dense, x3_dense, alpha, beta)


@op
def _sspaddmm(values1, values2, columns, dense, alpha, beta):
    products = alpha * values2[:, None] * dense[columns]
    return jnp.concatenate([beta * values1, products.reshape(-1)]).astype(values1.dtype)


def sspaddmm(x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape, x3_dense, alpha, beta):
    """`beta * x1 + alpha * (x2 @ x3)` with sparse x1 and x2, whose indices are [2, n]; a sparse result.

    The elements of x1 come first, then a row of the product for each element of x2; coordinates may come twice.

    Raises:
        ValueError: shapes that do not fit.
    """
    api = "Sspaddmm"
    for name, indices in (("x1_indices", x1_indices), ("x2_indices", x2_indices)):
        if indices.ndim != 2 or indices.shape[0] != 2:
            raise ValueError(f"For '{api}', the '{name}' must be [2, n], but got {indices.shape}.")
    left, right = host(api, "x1_indices", x1_indices), host(api, "x2_indices", x2_indices)
    if sizes(api, "x2_shape", x2_shape)[1] != x3_dense.shape[0]:
        raise ValueError(f"For '{api}', 'x2' {x2_shape} cannot be multiplied with 'x3_dense' {x3_dense.shape}.")
    width = x3_dense.shape[1]
    rows = np.stack([np.repeat(right[0], width), np.tile(np.arange(width), right.shape[1])])
    values = _sspaddmm(x1_values, x2_values, Tensor(right[1].astype(np.int64)), x3_dense, alpha, beta)
    whole = np.array(sizes(api, "x1_shape", x1_shape), np.int64)
    return Tensor(np.concatenate([left, rows], 1).astype(np.int64)), values, Tensor(whole)


# -- two sparse tensors ----------------------------------------------------------------------------------------------
@op(static=("kind", "size"))
def _united(first, second, places1, places2, kind, size):
    spread = [
        jnp.zeros((size,), v.dtype).at[p].set(v, unique_indices=True) for v, p in ((first, places1), (second, places2))
    ]
    return kind(*spread)


def _union(api: str, x1: Sequence[Any], x2: Sequence[Any]) -> tuple[Coordinates, np.ndarray, Tensor, Tensor]:
    one, two = [coordinates(api, *parts) for parts in ((*x1, "x1_"), (*x2, "x2_"))]
    if len(one.shape) != len(two.shape):
        raise ValueError(f"For '{api}', both tensors must have one shape, but got {one.shape} and {two.shape}.")
    two = two._replace(shape=one.shape)
    united, places = np.unique(np.concatenate([one.flat, two.flat]), return_inverse=True)
    count = len(one.at)
    return one, united, Tensor(places[:count]), Tensor(places[count:])


def pairwise(api: str, kind: Callable) -> Callable:
    """The primitive that combines two sparse tensors element by element, with zero where one has none."""

    def call(x1_indices: Any, x1_values: Any, x1_shape: Any, x2_indices: Any, x2_values: Any, x2_shape: Any) -> tuple:
        sparse = (x1_indices, x1_values, x1_shape), (x2_indices, x2_values, x2_shape)
        one, united, places1, places2 = _union(api, *sparse)
        values = _united(x1_values, x2_values, places1, places2, kind, len(united))
        return like_indices(one.unravelled(united), x1_indices), values

    call.__doc__ = f"`{kind.__name__}` of two sparse tensors: coordinates in order, and values."
    return call


def sparse_add(x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape, thresh):
    """The sum of two sparse tensors.

    Args:
        thresh (Tensor): sums of two elements with a smaller absolute value are left out.

    Returns:
        Coordinates in order, values, and the shape.
    """
    one, united, places1, places2 = _union(
        "SparseAdd", (x1_indices, x1_values, x1_shape), (x2_indices, x2_values, x2_shape)
    )
    values = _united(x1_values, x2_values, places1, places2, jnp.add, len(united))
    in_both = np.isin(united, united[host("SparseAdd", "x1_indices", places1)])
    in_both &= np.isin(united, united[host("SparseAdd", "x2_indices", places2)])
    small = np.abs(host("SparseAdd", "x1_values", values)) < host("SparseAdd", "thresh", thresh)
    kept = np.flatnonzero(~(in_both & small))
    return like_indices(one.unravelled(united[kept]), x1_indices), taken(values, Tensor(kept)), x1_shape


# -- one sparse tensor -----------------------------------------------------------------------------------------------
def sparse_reorder(indices, values, shape):
    """The elements in the order of their coordinates: coordinates and values."""
    found = coordinates("SparseReorder", indices, values, shape)
    order = np.argsort(found.flat, kind="stable")
    return like_indices(found.at[order], indices), taken(values, Tensor(order))


def sparse_reshape(indices, shape, new_shape):
    """The coordinates that the elements have in another shape, and that shape, where one size may be -1.

    Raises:
        ValueError: the sizes do not multiply to the same number.
    """
    api = "SparseReshape"
    found = coordinates(api, indices, None, shape)
    wanted, whole = list(sizes(api, "new_shape", new_shape)), int(np.prod(found.shape))
    if wanted.count(-1) == 1:
        rest = -int(np.prod(wanted))
        wanted[wanted.index(-1)] = whole // rest if rest else 0
    if min(wanted, default=0) < 0 or int(np.prod(wanted)) != whole:
        raise ValueError(f"For '{api}', the shape {found.shape} cannot become {sizes(api, 'new_shape', new_shape)}.")
    target = Coordinates(found.at, tuple(wanted))
    return like_indices(target.unravelled(found.flat), indices), Tensor(np.array(wanted, np.int64))


@op(static=("size",))
def _softmax(values, rows, size):
    top = jax.ops.segment_max(values, rows, size)
    raised = jnp.exp(values - top[rows])
    return raised / jax.ops.segment_sum(raised, rows, size)[rows]


def sparse_softmax(indices, values, shape):
    """Softmax over each row's stored elements, along the last axis, in order; other elements do not count."""
    found = coordinates("SparseSoftmax", indices, values, shape)
    order = np.argsort(found.flat, kind="stable")
    _, rows = np.unique(found.flat[order] // found.shape[-1], return_inverse=True)
    return _softmax(taken(values, Tensor(order)), Tensor(rows), len(order))


def sparse_concat(sp_input_indices, sp_input_values, sp_input_shapes, concat_dim=0):
    """Sparse tensors joined along an axis: coordinates in order, values, and the shape.

    Raises:
        ValueError: other axes differ in size.
    """
    api = "SparseConcat"
    parts = [coordinates(api, *part) for part in zip(sp_input_indices, sp_input_values, sp_input_shapes, strict=True)]
    rank = len(parts[0].shape)
    axis = concat_dim + rank if concat_dim < 0 else concat_dim
    if not 0 <= axis < rank or len({p.shape[:axis] + p.shape[axis + 1 :] for p in parts}) > 1:
        raise ValueError(f"For '{api}', the shapes {[p.shape for p in parts]} do not join along axis {concat_dim}.")
    shape, moved = list(parts[0].shape), []
    shape[axis] = 0
    for part in parts:
        at = part.at.copy()
        at[:, axis] += shape[axis]
        shape[axis] += part.shape[axis]
        moved.append(at)
    joined = Coordinates(np.concatenate(moved), tuple(shape))
    order = np.argsort(joined.flat, kind="stable")
    values = taken(_joined(tuple(sp_input_values)), Tensor(order))
    return like_indices(joined.at[order], sp_input_indices[0]), values, Tensor(np.array(shape, np.int64))


@op
def _joined(values):
    return jnp.concatenate(values)


def sparse_split(split_dim, indices, values, shape, num_split=1):
    """A sparse tensor cut along an axis into parts, the first of which are larger by one where it does not come out.

    Returns:
        Three tuples: the coordinates, the values and the shapes of the parts.
    """
    api = "SparseSplit"
    found = coordinates(api, indices, values, shape)
    axis = int(host(api, "split_dim", split_dim).reshape(-1)[0])
    short, longer = divmod(found.shape[axis], num_split)
    ends = np.cumsum([short + (part < longer) for part in range(num_split)])
    outs: tuple[list, list, list] = ([], [], [])
    for start, end in zip(np.concatenate([[0], ends[:-1]]), ends, strict=True):
        kept = np.flatnonzero((found.at[:, axis] >= start) & (found.at[:, axis] < end))
        at = found.at[kept].copy()
        at[:, axis] -= start
        whole = [*found.shape[:axis], int(end - start), *found.shape[axis + 1 :]]
        for out, part in zip(
            outs,
            (like_indices(at, indices), taken(values, Tensor(kept)), Tensor(np.array(whole, np.int64))),
            strict=True,
        ):
            out.append(part)
    return tuple(map(tuple, outs))


def sparse_fill_empty_rows(indices, values, dense_shape, default_value):
    """A matrix whose empty rows get one element, in the first column.

    Args:
        default_value (Tensor): that element, 0-d.

    Returns:
        Coordinates by rows, values, which rows were empty, and each given element's new position.
    """
    found = coordinates("SparseFillEmptyRows", indices, values, dense_shape)
    empty = np.ones(found.shape[0], bool)
    empty[found.at[:, 0]] = False
    added = np.flatnonzero(empty)
    at = np.concatenate([found.at, np.stack([added, np.zeros_like(added)], 1)])
    order = np.argsort(at[:, 0], kind="stable")
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    filled = taken(_filled(values, default_value, len(added)), Tensor(order))
    return like_indices(at[order], indices), filled, Tensor(empty), Tensor(places[: len(found.at)])


@op(static=("count",))
def _filled(values, default, count):
    return jnp.concatenate([values, jnp.broadcast_to(default, (count,)).astype(values.dtype)])


@op(static=("shape",))
def _to_dense(at, values, default, shape):
    return jnp.broadcast_to(default, shape).astype(values.dtype).at[tuple(at.T)].set(values)


def sparse_to_dense_v2(indices, output_shape, values, default_value, validate_indices=True):
    """The dense Tensor of a sparse one.

    Args:
        default_value (Tensor): the value where there is no element, 0-d.
        validate_indices (bool): whether MindSpore checks the indices; they are always checked.

    Raises:
        ValueError: coordinates outside, out of order or given twice, or shapes that do not fit.
    """
    api = "SparseToDenseV2"
    if values.ndim != 1 or default_value.ndim:
        raise ValueError(
            f"For '{api}', the 'values' must have 1 dimension and the 'default_value' none, but got {values.shape} "
            f"and {default_value.shape}."
        )
    found = coordinates(api, indices, values, output_shape)
    if (np.diff(found.flat) <= 0).any():
        raise ValueError(f"For '{api}', the 'indices' must be in order, each once.")
    return _to_dense(Tensor(found.at), values, default_value, found.shape)


# -- rows by number --------------------------------------------------------------------------------------------------
@op(static=("count", "power"))
def _segments(x, indices, segments, count, power):
    total = jax.ops.segment_sum(x[indices], segments, count)
    if not power:
        return total.astype(x.dtype)
    rows = jax.ops.segment_sum(jnp.ones(segments.shape, x.dtype), segments, count)
    scale = jnp.where(rows > 0, rows, 1) ** jnp.asarray(power, x.dtype)
    return (total / scale.reshape(-1, *[1] * (x.ndim - 1))).astype(x.dtype)


def sparse_segment(api: str, power: float, counted: bool) -> Callable:
    """The primitive that adds up the rows `indices` of each segment; over the number of them to some power."""

    def call(x: Tensor, indices: Tensor, segment_ids: Tensor, num_segments: Any = None) -> Tensor:
        rows, ids = host(api, "indices", indices), host(api, "segment_ids", segment_ids)
        if ((rows < 0) | (rows >= x.shape[0])).any():
            raise ValueError(f"For '{api}', the 'indices' must be rows of 'x', of which there are {x.shape[0]}.")
        if len(rows) != len(ids) or (np.diff(ids) < 0).any():
            raise ValueError(f"For '{api}', the 'segment_ids' must be one for each of the 'indices', and rising.")
        count = int(ids[-1]) + 1 if len(ids) else 0
        if not counted:
            if len(ids) and (ids[0] != 0 or (np.diff(ids) > 1).any()):
                raise ValueError(f"For '{api}', the 'segment_ids' must begin with 0 and leave none out.")
            return _segments(x, indices, segment_ids, count, power)
        wanted = int(host(api, "num_segments", num_segments).reshape(-1)[0])
        if wanted < count:
            raise ValueError(f"For '{api}', the 'num_segments' must be at least {count}, but got {wanted}.")
        return _segments(x, indices, segment_ids, wanted, power)

    call.__doc__ = "Sums of rows that are chosen by number, by segments."
    return call


@op(static=("size",))
def _summed(values, places, size):
    return jnp.zeros((size,), values.dtype).at[places].add(values)


def sparse_count(indices, values, dense_shape, weights, binary_output=False, minlength=-1, maxlength=-1):
    """How often each number stands in each row of a sparse tensor.

    Args:
        values (Tensor): integers that are counted.
        weights (Tensor): what each counts; an empty one for 1 each.
        binary_output (bool): whether to say only that a number is there.
        minlength (int): the least width of the result, where `maxlength` does not say it.
        maxlength (int): the width of the result; numbers from it on are not counted. -1: the largest number decides.

    Returns:
        Coordinates (row, number) in order, the counts in the type of `weights`, and the shape.
    """
    api = "SparseCountSparseOutput"
    found = coordinates(api, indices, values, dense_shape)
    numbers, given = host(api, "values", values).astype(np.int64), host(api, "weights", weights)
    rows = found.at[:, 0] if len(found.shape) > 1 else np.zeros(len(numbers), np.int64)
    counted = numbers < maxlength if maxlength >= 0 else np.ones(len(numbers), bool)
    width = maxlength if maxlength >= 0 else max(int(numbers.max(initial=-1)) + 1, minlength)
    keys, places = np.unique(rows[counted] * max(width, 1) + numbers[counted], return_inverse=True)
    if given.size and not binary_output:
        weigh = taken(weights, Tensor(np.flatnonzero(counted)))
    else:
        weigh = Tensor(np.ones(counted.sum(), given.dtype))
    counts = _summed(weigh, Tensor(places.reshape(-1)), len(keys))
    counts = counts.clamp(max=1) if binary_output else counts
    at = np.stack([keys // max(width, 1), keys % max(width, 1)], 1)
    if len(found.shape) == 1:
        return Tensor(at[:, 1:]), counts, Tensor(np.array([width], np.int64))
    return Tensor(at), counts, Tensor(np.array([found.shape[0], width], np.int64))


def ragged_to_sparse(rt_nested_splits: Sequence, rt_dense_values, Tsplits=None):  # MindSpore's name
    """Rows of different lengths as a sparse tensor.

    Args:
        rt_nested_splits (Sequence[Tensor]): where the rows of each level begin and end.
        rt_dense_values (Tensor): the elements.
        Tsplits: the type of the splits, which they say themselves.

    Returns:
        Coordinates, values and the shape, in Int64.
    """
    splits = [host("RaggedTensorToSparse", "rt_nested_splits", s).astype(np.int64) for s in rt_nested_splits]
    at = np.arange(len(splits[0]) - 1)[:, None]
    for ends in splits:
        lengths = np.diff(ends)
        within = np.arange(int(lengths.sum())) - np.repeat(ends[:-1] - ends[0], lengths)
        at = np.concatenate([np.repeat(at, lengths, 0), within[:, None]], 1)
    shape = [len(splits[0]) - 1, *[int(np.diff(ends).max(initial=0)) for ends in splits]]
    return Tensor(at), rt_dense_values, Tensor(np.array(shape, np.int64))
