"""Reading elements by index tensors; `bounds.py` tells what an index out of range does."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_above, check_rank, check_tensors
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import type_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.axes import axis_of, dim_of, tensor
from ms_compat.ops.function.indexing.bounds import check_coordinates, check_index


@op(static=("axis", "batch_dims"))
def _gather(input_params, input_indices, axis, batch_dims):
    x, index = input_params, input_indices
    if batch_dims:
        take = lambda a, i: jnp.take(a, i, axis=axis - batch_dims, mode="fill")  # noqa: E731
        for _ in range(batch_dims):
            take = jax.vmap(take)
        return take(x, index)
    return jnp.take(x, index, axis=axis, mode="fill")


@faces(
    "ops",
    primitive="Gather(batch_dims=0)(input_params, input_indices, axis); GatherV2(batch_dims=0)(input_params, "
    "input_indices, axis); SparseGatherV2()(input_params, input_indices, axis)",
)
def gather(input_params, input_indices, axis, batch_dims=0):
    """The slices of a tensor at indices along an axis.

    Args:
        input_params: a Tensor.
        input_indices: an integer Tensor; negative ones count from the end.
        axis: an int or a Tensor of one.
        batch_dims: how many leading dimensions both tensors share.

    Raises:
        TypeError: the indices are not a Tensor of integers.
        ValueError: the axis is out of range.
        RuntimeError: an index is out of range (eagerly, on a CPU).

    >>> from ms_compat import Tensor, ops
    >>> print(ops.gather(Tensor([10, 20, 30]), Tensor([2, 0]), 0))
    [30 10]
    """
    check_tensors("Gather", input_params=input_params)
    at = dim_of("Gather", int(axis) if isinstance(axis, Tensor) else axis, len(input_params.shape))
    size = input_params.shape[at]
    check_index("Gather", input_indices, size, -size, "input_indices")
    return _gather(input_params, input_indices, at, batch_dims)


@op(static=("dim",))
def _gather_d(x, dim, index):
    if x.ndim == 0:
        return jnp.broadcast_to(x, index.shape)
    crop = tuple([np.s_[:] if i == dim else np.s_[: index.shape[i]] for i in range(x.ndim)])
    return jnp.take_along_axis(x[crop], index, axis=dim, mode="fill")


@faces("ops", primitive="GatherD()(x, dim, index)")
def gather_d(x, dim, index):
    """The elements at indices along a dimension, every other coordinate kept.

    Args:
        x: a Tensor.
        dim: an int.
        index: an integer Tensor of the same rank; negative ones count from the end.

    Raises:
        ValueError: the dimension is out of range, or the ranks differ.
        RuntimeError: an index is out of range (eagerly, on a CPU).

    >>> from ms_compat import Tensor, ops
    >>> print(ops.gather_d(Tensor([[1, 2], [3, 4]]), 1, Tensor([[1], [0]])))
    [[2]
     [3]]
    """
    check_tensors("GatherD", x=x, index=index)
    ndim = len(x.shape)
    at = axis_of("GatherD", int(dim) if isinstance(dim, Tensor) else dim, ndim, "dim")
    if ndim == 1 and not index.shape:
        return gather_d(x, dim, index.reshape(1)).reshape(())
    if len(index.shape) != ndim:
        raise ValueError(f"For 'GatherD', 'x' and 'index' must have one rank, but got {ndim} and {len(index.shape)}.")
    if any(i > n for k, (n, i) in enumerate(zip(x.shape, index.shape, strict=True)) if k != at):
        raise ValueError(f"For 'GatherD', the shape of 'index' {index.shape} must fit into the shape of 'x' {x.shape}.")
    size = x.shape[at] if ndim else 1
    check_index("GatherD", index, size, -size)
    return _gather_d(x, at, index)


@faces("ops Tensor")
def gather_elements(input, dim, index):
    """The elements at indices along a dimension, as `gather_d`.

    Args:
        input (Tensor): any shape.
        dim (int): the dimension.
        index (Tensor): Int32 or Int64, with the rank of `input`.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1, 2], [3, 4]])
    >>> print(ops.gather_elements(x, 1, Tensor([[1], [0]])), x.gather_elements(1, Tensor([[0]])))
    [[2]
     [3]] [[1]]
    """
    return gather_d(input, dim, index)


@op
def _gather_nd(input_x, indices):
    depth = indices.shape[-1]
    return input_x.at[tuple([indices[..., i] for i in range(depth)])].get(mode="fill")


@faces("ops Tensor", primitive="GatherNd()(input_x, indices)")
def gather_nd(input_x, indices):
    """The slices at coordinates, which stand in the last dimension of `indices`.

    Args:
        input_x: a Tensor.
        indices: an integer Tensor, its last dimension at most the rank of `input_x`.

    Raises:
        ValueError: the last dimension is too large.
        RuntimeError: a coordinate is out of range (eagerly, on a CPU).

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1, 2], [3, 4]])
    >>> print(ops.gather_nd(x, Tensor([[0, 1], [1, 0]])), x.gather_nd(Tensor([[1]])))
    [2 3] [[3 4]]
    """
    check_coordinates("GatherNd", input_x, indices, RuntimeError)
    return _gather_nd(input_x, indices)


@faces("ops")
def index_select(input, axis, index):
    """The slices at a 1-d tensor of indices along an axis.

    Args:
        input: a Tensor.
        axis: an int.
        index: a 1-d integer Tensor.

    Raises:
        ValueError: the index is not 1-d.
        RuntimeError: an index is out of range (eagerly, on a CPU).

    >>> from ms_compat import Tensor, ops
    >>> print(ops.index_select(Tensor([[1, 2], [3, 4]]), 1, Tensor([1])))
    [[2]
     [4]]
    >>> print(Tensor([[1, 2], [3, 4]]).index_select(0, Tensor([1])))
    [[3 4]]
    """
    check_rank("index_select", "index", index, 1)
    return gather(input, index, axis)


@op
def take_flat(input, index):
    """The elements of the flat tensor at indices."""
    return jnp.take(input.reshape(-1), index, mode="fill")


@faces("ops mint")
def take(input, index):
    """The elements of the flat tensor at indices, in the shape of `index`.

    Args:
        input: a Tensor.
        index: an integer Tensor.
    """
    check_tensors("take", input=input)
    check_index("take", index, input.size, -input.size)
    return take_flat(input, index)


@jax.custom_jvp
def scatter_product(x, places, factors):
    """A copy of a 1-d array with factors multiplied in at places, which may repeat; JAX has no slope for that."""
    return x.at[places].multiply(factors, mode="drop")


@scatter_product.defjvp
def _scatter_product_slope(primals, tangents):
    x, places, factors = primals

    def product(x, factors):
        order = jnp.argsort(places)
        at, values = places[order], factors[order]
        first = jnp.concatenate([jnp.ones(1, bool), at[1:] != at[:-1]])
        last = jnp.concatenate([first[1:], jnp.ones(1, bool)])
        runs = jax.lax.associative_scan(_segmented_product, (first, values))[1]
        return x * jnp.ones_like(x).at[jnp.where(last, at, x.size)].set(runs, mode="drop")

    return jax.jvp(product, (x, factors), (tangents[0], tangents[2]))


def _segmented_product(left, right):
    return left[0] | right[0], jnp.where(right[0], right[1], left[1] * right[1])


def _look_at_segments(x, segment_ids, num_segments, kind):
    counted = isinstance(num_segments, int) and num_segments > 0
    if counted and isinstance(segment_ids, Tensor) and segment_ids.dtype.np_dtype.kind == "i":
        low = np.iinfo(segment_ids.dtype.np_dtype).min  # negative numbers are left out
        check_index(f"unsorted_segment_{kind}", segment_ids, num_segments, low, "segment_ids")


@op(static=("num_segments", "kind"), look=_look_at_segments, tensors="segment_ids")
def _segment(x, segment_ids, num_segments, kind):
    x = tensor(f"unsorted_segment_{kind}", x)
    if kind == "sum" and isinstance(num_segments, tuple) and len(num_segments) == 1:  # of a Tensor with one element
        (num_segments,) = num_segments
    if isinstance(num_segments, tuple):
        raise type_error(f"unsorted_segment_{kind}", "num_segments", "int", num_segments)
    check_above(f"unsorted_segment_{kind}", "num_segments", num_segments, 0)
    if x.shape[: segment_ids.ndim] != segment_ids.shape:
        raise ValueError(
            f"For 'unsorted_segment_{kind}', the input's shape {x.shape} must start with the shape of 'segment_ids', "
            f"but got {segment_ids.shape}."
        )
    ids = segment_ids.reshape(-1)
    rest = x.shape[segment_ids.ndim :]
    if kind == "prod":
        width = math.prod(rest)
        places = jnp.where((ids < 0) | (ids >= num_segments), num_segments, ids)[:, None] * width + jnp.arange(width)
        whole = scatter_product(jnp.ones(num_segments * width, x.dtype), places.reshape(-1), x.reshape(-1))
        return whole.reshape(num_segments, *rest)
    fn = getattr(jax.ops, f"segment_{kind}")
    out = fn(x.reshape((ids.size, *rest)), ids, num_segments=num_segments)
    if kind in ("max", "min"):
        info = jnp.finfo(x.dtype) if jnp.issubdtype(x.dtype, jnp.floating) else jnp.iinfo(x.dtype)
        present = jax.ops.segment_sum(jnp.ones(ids.size, jnp.int32), ids, num_segments=num_segments) > 0
        empty = jnp.asarray(info.min if kind == "max" else info.max, x.dtype)
        out = jnp.where(present.reshape((-1,) + (1,) * len(rest)), out, empty)
    return out.astype(x.dtype)


@faces("ops", primitive="UnsortedSegmentSum()(input_x, segment_ids, num_segments)")
def unsorted_segment_sum(input_x, segment_ids, num_segments):
    """The sums of the slices with one segment number; negative numbers are left out.

    Args:
        input_x: a Tensor.
        segment_ids: an integer Tensor whose shape is a prefix of `input_x`'s.
        num_segments: an int, or a Tensor of one element.

    Raises:
        RuntimeError: a segment number is too large (on a CPU).
    """
    return _segment(input_x, segment_ids, num_segments, "sum")


@faces("ops Tensor", primitive="UnsortedSegmentMax()(x, segment_ids, num_segments)")
def unsorted_segment_max(x, segment_ids, num_segments):
    """The maxima of the slices with one segment number; the dtype's smallest number for an empty one."""
    return _segment(x, segment_ids, num_segments, "max")


@faces("ops Tensor", primitive="UnsortedSegmentMin()(x, segment_ids, num_segments)")
def unsorted_segment_min(x, segment_ids, num_segments):
    """The minima of the slices with one segment number; the dtype's largest number for an empty one."""
    return _segment(x, segment_ids, num_segments, "min")


@faces("ops Tensor", primitive="UnsortedSegmentProd()(x, segment_ids, num_segments)")
def unsorted_segment_prod(x, segment_ids, num_segments):
    """The products of the slices with one segment number; 1 for an empty one."""
    return _segment(x, segment_ids, num_segments, "prod")


@faces("Tensor")
def index(input, indices):
    """Elements at positions given per dimension, `input[indices]` for a tuple of Tensors.

    Args:
        input (Tensor): at least one dimension.
        indices (tuple[Tensor], list[Tensor]): for each of the first dimensions Int32 or Int64 positions; Bool or UInt8
            masks stand for as many dimensions as they have. Their shapes broadcast.

    Returns:
        Tensor of the input's dtype: the shape of the positions, then the dimensions left.

    Raises:
        TypeError: `indices` is not a tuple or list of Tensors, or a Tensor in it has another dtype.
        ValueError: there are more than dimensions, or they do not broadcast.

    >>> import ms_compat as ms
    >>> x = ms.Tensor([[1, 2, 3], [4, 5, 6]])
    >>> print(x.index((ms.Tensor([0, 1, 1]), ms.Tensor([1, 2, 1]))))
    [2 6 5]
    """
    if not isinstance(indices, (tuple, list)) or not all(isinstance(at, Tensor) for at in indices):
        raise TypeError(f"For 'index', 'indices' must be a tuple of Tensors, but got {indices!r:.80}.")
    wrong = [at.dtype for at in indices if at.dtype.np_dtype.name not in ("bool", "uint8", "int32", "int64")]
    if wrong:
        raise TypeError(f"For 'index', 'indices' must hold Bool, UInt8, Int32 or Int64, but got {wrong[0]}.")
    if len(indices) > input.ndim:
        raise ValueError(f"For 'index', there are {len(indices)} 'indices' for {input.ndim} dimensions.")
    positions = [at.shape for at in indices if at.dtype.np_dtype.itemsize > 1]
    try:
        jnp.broadcast_shapes(*positions)
    except ValueError:
        raise ValueError(f"For 'index', the 'indices' of shapes {positions} do not broadcast.") from None
    return input[tuple([at.bool() if at.dtype.np_dtype.name == "uint8" else at for at in indices])]
