"""Sorting, searching, counting, and the operations whose result's size depends on the data.

The latter (`nonzero`, `unique`, `masked_select`) read the values on the host and then gather, so that gradients
flow; compiled code cannot have sizes that depend on data, and says so.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_dtype, check_rank_at_least, check_tensors
from ms_compat._core.dispatch.dtype_checks import check_flag
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.operands import is_integral, to_float
from ms_compat._core.errors import UnsupportedError, check_type
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import Tracer, is_at_least, is_positive
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import scopes
from ms_compat.ops.function.axes import axis_of, integer, tensor
from ms_compat.ops.function.indexing.gather import gather, gather_d, take_flat
from ms_compat.ops.function.shape.views import broadcast_to

INT32 = np.dtype(np.int32)


def _order(x: jax.Array, axis: int, descending: bool) -> jax.Array:
    """Int32 positions, which accelerators sort along, as `jnp.argsort` would give Int64 ones, which they emulate."""
    keys, places = jax.lax.stop_gradient(x), jax.lax.broadcasted_iota(INT32, x.shape, axis)
    if descending:  # of equal elements the first stays the first
        keys, places = (jnp.flip(a, axis) for a in (keys, places))
    _, order = jax.lax.sort((keys, places), dimension=axis, num_keys=1, is_stable=True)
    return jnp.flip(order, axis) if descending else order


@faces("ops")
@op(static=("axis", "descending"), takes={"input_x": "ordered"})
def sort(input_x, axis=-1, descending=False):
    """The elements in order along an axis, and where they stood (Int32).

    Args:
        input_x: a Tensor.
        axis: an int.
        descending: whether the largest comes first.

    Returns:
        (values, indices).

    Raises:
        ValueError: the axis is out of range.

    >>> from ms_compat import Tensor, ops
    >>> values, positions = ops.sort(Tensor([3.0, 1.0, 2.0]))
    >>> print(values, positions)
    [1. 2. 3.] [1 2 0]
    """
    x = tensor("Sort", input_x)
    check_rank_at_least("Sort", "input", x, 1)
    at = axis_of("Sort", axis, x.ndim)
    order = _order(x, at, descending)
    return jnp.take_along_axis(x, order, axis=at), order.astype(INT32)


@op(static=("dim", "descending", "stable"), name="sort")
def sort_ext(input, dim=-1, descending=False, stable=False):
    """As `sort`, with Int64 positions (`mint.sort`)."""
    values, order = sort.fn(input, dim, descending)
    return values, order.astype(np.int64)


@faces("ops")
@op(static=("axis", "descending"), takes={"input": "ordered"})
def argsort(input, axis=-1, descending=False):
    """The positions of the elements in order along an axis (Int32); arguments as for `sort`.

    Args:
        input (Tensor): at least one dimension.
        axis (int): the dimension.
        descending (bool): whether the largest element is first.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.argsort(Tensor([3.0, 1.0, 2.0])))
    [1 2 0]
    """
    return sort.fn(input, axis, descending)[1]


@faces("mint.argsort")
@op(static=("dim", "descending", "stable"), name="argsort")
def argsort_ext(input, dim=-1, descending=False, stable=False):
    """As `argsort`, in Int64 (`mint.argsort`).

    Args:
        input (Tensor): at least one dimension.
        dim (int): the dimension.
        descending (bool): whether the largest element is first.
        stable (bool): equal elements always keep their order.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.argsort(Tensor([3.0, 1.0, 2.0])))
    [1 2 0]
    """
    return sort.fn(input, dim, descending)[1].astype(np.int64)


@faces("ops Tensor")
def msort(input):
    """The elements in order along the first axis."""
    return sort(input, 0)[0]


@faces("ops Tensor:spelled")
@op(static=("k", "dim", "largest", "sorted"), takes={"input": "real"})
def topk(input, k, dim=None, largest=True, sorted=True):
    """The `k` largest (or smallest) elements along a dimension and where they stood (Int32).

    Args:
        input: a Tensor.
        k: an int in [1, size of the dimension].
        dim: an int; None is the last one.
        largest: False for the smallest.
        sorted: whether they are wanted in order. Without it all elements of a dimension stay where they are, as in
            MindSpore; fewer than all are in order nevertheless.

    Returns:
        (values, indices).

    Raises:
        ValueError: `k` is out of range.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1.0, 3.0, 2.0])
    >>> values, positions = ops.topk(x, 2)
    >>> print(values, positions, x.topk(1, largest=False)[0])
    [3. 2.] [1 2] [1.]
    """
    x = tensor("TopK", input)
    if not x.ndim:
        raise RuntimeError("For 'TopK', the 'input' must have at least 1 dimension, but got a 0-d Tensor.")
    at = axis_of("TopK", -1 if dim is None else dim, x.ndim, "dim")
    limit = x.shape[at]
    if not (is_positive(integer("TopK", "k", k)) and is_at_least(limit, k)):
        raise ValueError(f"For 'TopK', the 'k' must be in range [1, {limit}], but got {k}.")
    if not sorted and k == limit:
        return x, jax.lax.broadcasted_iota(INT32, x.shape, at)
    if largest:
        order = jnp.moveaxis(jax.lax.top_k(jnp.moveaxis(jax.lax.stop_gradient(x), at, -1), k)[1], -1, at)
    else:
        order = jax.lax.slice_in_dim(_order(x, at, False), 0, k, axis=at)
    return jnp.take_along_axis(x, order, axis=at), order.astype(INT32)


@faces("mint.topk")
@op(static=("k", "dim", "largest", "sorted"), name="topk")
def topk_ext(input, k, dim=-1, largest=True, sorted=True):
    """As `topk`, with Int64 positions (`mint.topk`).

    Args:
        input (Tensor): at least one dimension.
        k (int): how many.
        dim (int): the dimension.
        largest (bool): False for the smallest.
        sorted (bool): whether they are in order.

    >>> from ms_compat import Tensor, mint
    >>> values, positions = mint.topk(Tensor([1.0, 3.0, 2.0]), 2)
    >>> print(values, positions)
    [3. 2.] [1 2]
    """
    values, order = topk.fn(input, k, dim, largest, sorted)
    return values, order.astype(np.int64)


@faces("ops Tensor", primitive="TopK(sorted=True)(input_x, k)")
def top_k(input_x, k, sorted=True):
    """The `k` largest elements along the last dimension and where they stood (Int32).

    Args:
        input_x (Tensor): at least one dimension.
        k (int): how many.
        sorted (bool): whether the largest element is first.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1.0, 3.0, 2.0])
    >>> values, positions = ops.top_k(x, 2)
    >>> print(values, positions, x.top_k(1)[0])
    [3. 2.] [1 2] [3.]
    """
    return topk(input_x, k, None, True, sorted)


@faces("Tensor mint")
@op(static=("k", "dim", "keepdim"))
def kthvalue(input, k, dim=-1, keepdim=False):
    """The k-th smallest element along a dimension and where it stood (Int64)."""
    at = axis_of("kthvalue", dim, input.ndim, "dim")
    order = jax.lax.slice_in_dim(_order(input, at, False), k - 1, k, axis=at)
    value = jnp.take_along_axis(input, order, axis=at)
    return (value, order.astype(np.int64)) if keepdim else (value.squeeze(at), order.squeeze(at).astype(np.int64))


@op(static=("out_int32", "right"), tensors="sorted_sequence")
def _searchsorted(sorted_sequence, values, out_int32, right):
    side = "right" if right else "left"
    find = lambda a, v: jnp.searchsorted(a, v, side=side)  # noqa: E731
    for _ in range(sorted_sequence.ndim - 1):
        find = jax.vmap(find)
    return find(sorted_sequence, values).astype(INT32 if out_int32 else np.int64)


@faces("ops mint")
def searchsorted(sorted_sequence, values, *, out_int32=False, right=False, side=None, sorter=None):
    """The insertion points of values in a sorted tensor.

    Args:
        sorted_sequence: a Tensor, ascending along its last dimension.
        values: a Tensor or a number.
        out_int32: Int32 instead of Int64.
        right: behind equal elements instead of before them.
        side: "left" or "right", in words.
        sorter: an integer Tensor that sorts `sorted_sequence`.

    Raises:
        TypeError: a flag is not a bool.
        ValueError: `side` is another word, or contradicts `right`.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.searchsorted(Tensor([1, 3, 5]), Tensor([3, 4])))
    [1 2]
    """
    check_flag("searchsorted", "out_int32", out_int32)
    check_flag("searchsorted", "right", right)
    if side not in (None, "left", "right") or (side == "left" and right):
        raise ValueError(f"For 'searchsorted', 'side' ({side!r}) must be 'left' or 'right' and agree with 'right'.")
    if sorter is not None:
        sorted_sequence = gather_d(sorted_sequence, -1, sorter)
    return _searchsorted(sorted_sequence, values, out_int32, right or side == "right")


@faces("ops")
def bucketize(input, boundaries, *, right=False):
    """Each element's bucket number (Int32).

    Args:
        input: a Tensor.
        boundaries: a list of ascending numbers.
        right: whether a boundary belongs to the bucket on its left.
    """
    edges = boundaries if isinstance(boundaries, Tensor) else Tensor(np.asarray(boundaries, np.float32))
    return _searchsorted(edges, input, True, right)


@op(static=("size", "counts"))
def _bincount(input, weights, size, counts):
    input = jnp.where(input < 0, size, input).astype(np.int64)  # negative numbers are left out
    return jnp.bincount(input, weights, length=size).astype(counts if weights is None else weights.dtype)


def _bins(input, minlength):
    values = _host("bincount", input, "give the size: ops.unsorted_segment_sum(ones, input, size)")
    return max(int(values.max()) + 1 if values.size else 0, int(minlength))


@faces("ops Tensor")
def bincount(input, weights=None, minlength=0):
    """How often each number from 0 on occurs in a 1-d tensor of integers (Float32), or the sums of their weights.

    Args:
        input: a 1-d integer Tensor.
        weights: a Tensor of the same shape.
        minlength: the result has at least this size.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([0, 1, 1])
    >>> print(ops.bincount(x), x.bincount(minlength=3))
    [1. 2.] [1. 2. 0.]
    """
    return _bincount(input, weights, _bins(input, minlength), np.dtype(np.float32))


@faces("mint.bincount")
def bincount_ext(input, weights=None, minlength=0):
    """As `bincount`, with Int64 for what is not weighted."""
    return _bincount(input, weights, _bins(input, minlength), np.dtype(np.int64))


@faces("ops Tensor mint")
@op(static=("bins", "min", "max"), takes={"input": "real"})
def histc(input, bins=100, min=0.0, max=0.0):
    """How many elements fall into each of `bins` equal parts of [min, max] (of the data's range if both are 0).

    Args:
        input: a Tensor.
        bins: an int.
        min: a number.
        max: a number.
    """
    x = to_float(tensor("histc", input)).reshape(-1)
    low, high = (x.min(), x.max()) if min == max else (min, max)
    counts = jnp.histogram(x, bins=bins, range=(low, high))[0]
    if input.dtype == np.float16:
        return counts.astype(np.float32)
    return counts.astype(input.dtype if not is_integral(input.dtype) else np.int32)


# -- sizes that depend on the data -----------------------------------------------------------------------------------
def _host(api: str, x, way_out: str) -> np.ndarray:
    check_type(api, "input", x, Tensor)
    if isinstance(x._v, Tracer) or (scopes.tracing and scopes.current_scope() is not None):
        raise UnsupportedError(
            f"'mindspore.ops.{api}' has a result whose size depends on the data, which compiled code cannot have. "
            f"Call it in PYNATIVE_MODE, or {way_out}."
        )
    return np.asarray(x._v)


@faces("ops Tensor mint", primitive="NonZero()(x)")
def nonzero(input, *, as_tuple=False):
    """The coordinates of the elements that are not 0, one a row (Int64).

    Args:
        input: a Tensor.
        as_tuple: a tuple with one 1-d Tensor a dimension instead.

    Raises:
        RuntimeError: the input has no dimensions.
        UnsupportedError: in compiled code.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([0, 5, 6])
    >>> print(ops.nonzero(x), x.nonzero(as_tuple=True)[0])
    [[1]
     [2]] [1 2]
    """
    values = _host("nonzero", input, "use ops.where(condition, x, y) with a fixed size")
    if not values.ndim:
        raise RuntimeError("For 'nonzero', the input must have at least 1 dimension, but got 0.")
    places = np.nonzero(values)
    if as_tuple:
        return tuple([Tensor(p.astype(np.int64)) for p in places])
    return Tensor(np.stack(places, axis=-1).astype(np.int64))


@faces("ops Tensor")
def argwhere(input):
    """As `nonzero`."""
    return nonzero(input)


@faces("ops Tensor mint", primitive="MaskedSelect()(x, mask)")
def masked_select(input, mask):
    """The elements where a mask is true, as a 1-d tensor; shapes broadcast.

    Args:
        input: a Tensor.
        mask: a Bool Tensor.

    Raises:
        TypeError: the mask is not Bool.
        UnsupportedError: in compiled code.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1, 2, 3])
    >>> print(ops.masked_select(x, x > 1), x.masked_select(x < 2))
    [2 3] [1]
    """
    check_tensors("masked_select", input=input)
    values = _host("masked_select", mask, "use ops.where(mask, x, 0)")
    check_dtype("masked_select", "mask", values, bool)
    if values.shape != tuple(input.shape):
        full = jnp.broadcast_shapes(values.shape, tuple(input.shape))
        values, input = np.broadcast_to(values, full), broadcast_to(input, full)
    return take_flat(input, Tensor(np.flatnonzero(values)))


@faces("ops")
def unique(input):
    """The different elements in order of first occurrence, and for each element which of them it is.

    Args:
        input: a Tensor.

    Returns:
        (values, indices in the shape of the input: Int64 for an Int64 input, Int32 otherwise).

    Raises:
        UnsupportedError: in compiled code.

    >>> from ms_compat import Tensor, ops
    >>> values, positions = ops.unique(Tensor([3, 1, 3]))
    >>> print(values, positions)
    [3 1] [0 1 0]
    """
    values = _host("unique", input, "use ops.unique_with_pad or jax.numpy.unique(x, size=...)").reshape(-1)
    _, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    index = place[inverse.reshape(-1)].reshape(input.shape)
    kind = np.int64 if values.dtype == np.int64 else np.int32
    return take_flat(input, Tensor(first[order])), Tensor(index.astype(kind))


@faces("mint.unique Tensor.unique")
def unique_sorted(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The different elements in ascending order, with inverse and counts (Int64) on demand.

    Args:
        input (Tensor): any shape.
        sorted (bool): True.
        return_inverse (bool): whether the position of each element among them is returned, too.
        return_counts (bool): whether their numbers are returned, too.
        dim (int): slices along it are compared; the flat tensor by default.

    >>> from ms_compat import Tensor, mint
    >>> print(Tensor([3, 1, 3]).unique(), mint.unique(Tensor([3, 1, 3]), return_counts=True)[1])
    [1 3] [1 2]
    """
    values = _host("unique", input, "use jax.numpy.unique(x, size=...)")
    _, first, inverse, counts = np.unique(values, True, return_inverse=True, return_counts=True, axis=dim)
    out = [take_flat(input, Tensor(first)) if dim is None else gather(input, Tensor(first), dim)]
    if return_inverse:
        out.append(Tensor(inverse.reshape(values.shape if dim is None else -1).astype(np.int64)))
    if return_counts:
        out.append(Tensor(counts.astype(np.int64)))
    return out[0] if len(out) == 1 else tuple(out)


@faces("ops Tensor mint")
def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """The elements without those equal to their predecessor.

    Args:
        input: a Tensor.
        return_inverse: also return which element each became (Int64).
        return_counts: also return how many there were in a row (Int64).
        dim: None (of the flat tensor) or an int.

    Raises:
        TypeError: a flag is not a bool.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1, 1, 2, 1])
    >>> print(ops.unique_consecutive(x), x.unique_consecutive())
    [1 2 1] [1 2 1]
    """
    check_flag("unique_consecutive", "return_inverse", return_inverse)
    check_flag("unique_consecutive", "return_counts", return_counts)
    values = _host("unique_consecutive", input, "use jax.numpy.unique(x, size=...)")
    rows = values.reshape(-1, 1) if dim is None else np.moveaxis(values, dim, 0).reshape(values.shape[dim], -1)
    new = np.ones(len(rows), bool)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    starts = np.flatnonzero(new)
    if dim is None:
        result = take_flat(input, Tensor(starts))
    else:
        result = gather(input, Tensor(starts), dim)
    out = [result]
    if return_inverse:
        inverse = np.cumsum(new) - 1
        out.append(Tensor((inverse.reshape(values.shape) if dim is None else inverse).astype(np.int64)))
    if return_counts:
        out.append(Tensor(np.diff(np.append(starts, len(rows))).astype(np.int64)))
    return out[0] if len(out) == 1 else tuple(out)


@faces("ops Tensor", primitive="UniqueWithPad()(x, pad_num)")
def unique_with_pad(x, pad_num):
    """As `unique` of a 1-d tensor, filled up to its length with `pad_num`; ValueError for other shapes."""
    check_type("UniqueWithPad", "x", x, Tensor)
    if len(x.shape) != 1:
        raise ValueError(f"For 'UniqueWithPad', the input must have 1 dimension, but got {x.shape}.")
    return _unique_with_pad(x, pad_num)


@op
def _unique_with_pad(x, pad_num):
    found, first, inverse = jnp.unique(x, return_index=True, return_inverse=True, size=x.size, fill_value=x[:1])
    # JAX fills up with the position of the smallest element, which stands first: only its first place is one
    is_filled = jnp.arange(x.size) >= (jnp.zeros(x.size, bool).at[inverse].set(True)).sum()
    order = jnp.argsort(jnp.where(is_filled, x.size, first))
    place = jnp.argsort(order)
    kind = np.int64 if x.dtype == np.int64 else np.int32
    return jnp.where(is_filled, jnp.asarray(pad_num, x.dtype), found[order]), place[inverse.reshape(-1)].astype(kind)
