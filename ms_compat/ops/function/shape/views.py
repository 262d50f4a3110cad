"""Views: operations that only rearrange or select elements, and whose results share storage with their input in
PYNATIVE_MODE (`_core/dispatch/shared_storage.py`). tests/conformance/data/tensor_alias.json lists them.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import (
    check_above,
    check_rank_at_least,
    check_rank_at_most,
    check_tensors,
    check_within,
)
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.shared_storage import view_op
from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.axes import axis_of, dim_of, integer, shape_of, tensor
from ms_compat.ops.function.shape.diagonals import take_diagonal


def _resolve(api: str, shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    """The shape with -1 replaced; ValueError if the sizes do not fit."""
    if shape.count(-1) > 1 or any(n < -1 for n in shape):
        raise ValueError(f"For '{api}', only one dimension can be -1 and none can be smaller, but got {shape}.")
    known = math.prod([n for n in shape if n != -1])
    if -1 in shape:
        if known == 0 and size == 0:
            return tuple([0 if n == -1 else n for n in shape])
        if known == 0 or size % known:
            raise ValueError(f"For '{api}', the shape {shape} is invalid for a tensor of {size} elements.")
        return tuple([size // known if n == -1 else n for n in shape])
    if known != size:
        raise ValueError(f"For '{api}', the shape {shape} is invalid for a tensor of {size} elements.")
    return shape


@faces("ops ops.reshape_ mint", primitive="Reshape()(input, shape)")
@view_op(static=("shape",), same_order=True, packed=True)
def reshape(input, shape):
    """The elements in another shape; a view in PYNATIVE_MODE.

    Args:
        input: a Tensor.
        shape: a tuple or list of ints; one may be -1.

    Raises:
        TypeError: `shape` is not a sequence of ints.
        ValueError: the sizes do not fit.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.reshape(Tensor([1, 2, 3, 4]), (2, -1)))
    [[1 2]
     [3 4]]
    """
    input = tensor("reshape", input)
    return input.reshape(_resolve("reshape", shape_of("reshape", shape), input.size))


@faces("ops Tensor.reshape_as Tensor")
def view_as(input, other):
    """`input` in the shape of `other`; a view in PYNATIVE_MODE.

    Args:
        input (Tensor): any shape.
        other (Tensor): has the shape.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1, 2])
    >>> print(ops.view_as(x, Tensor([[0], [0]])), x.view_as(Tensor([[0, 0]])), x.reshape_as(Tensor([[0, 0]])))
    [[1]
     [2]] [[1 2]] [[1 2]]
    """
    check_type("view_as", "other", other, Tensor)
    return reshape(input, other.shape)


@faces("ops Tensor mint")
def ravel(input):
    """The elements as one dimension; a view in PYNATIVE_MODE.

    Args:
        input (Tensor): any shape.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1, 2], [3, 4]])
    >>> print(ops.ravel(x), x.ravel())
    [1 2 3 4] [1 2 3 4]
    """
    return reshape(input, (-1,))


@faces("ops", primitive="Transpose()(input, dims); TransposeView()(input, input_perm)")
@view_op(static=("dims",), strided=True)
def transpose(input, dims):
    """The dimensions in another order; a view in PYNATIVE_MODE.

    Args:
        input: a Tensor.
        dims: a permutation of the dimensions, as a tuple or list of ints.

    Raises:
        TypeError: `dims` is not a sequence of ints.
        ValueError: it is not a permutation.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.transpose(Tensor([[1, 2], [3, 4]]), (1, 0)))
    [[1 3]
     [2 4]]
    """
    x = tensor("transpose", input)
    given = shape_of("transpose", dims, "dims")
    if len(given) != x.ndim:
        raise ValueError(f"For 'transpose', 'dims' must have {x.ndim} elements, but got {given}.")
    found = tuple([axis_of("transpose", d, x.ndim, "dims") for d in given])
    if len(set(found)) != len(found):
        raise ValueError(f"For 'transpose', each dimension in 'dims' must occur once, but got {given}.")
    return x.transpose(found)


@faces("ops")
def permute(input, axis):
    """The dimensions in the order `axis`; a view in PYNATIVE_MODE.

    Args:
        input (Tensor): any shape.
        axis: all dimensions in their new order.

    >>> from ms_compat import ops
    >>> print(ops.permute(ops.ones((1, 2, 3)), (2, 0, 1)).shape)
    (3, 1, 2)
    """
    return transpose(input, axis)


@faces("ops Tensor")
def swapaxes(input, axis0, axis1):
    """Two dimensions exchanged, a view in PYNATIVE_MODE; with the same dimension twice, `input` itself.

    Args:
        input: a Tensor.
        axis0: an int.
        axis1: an int.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1, 2], [3, 4]])
    >>> print(ops.swapaxes(x, 0, 1), x.swapaxes(0, 0))
    [[1 3]
     [2 4]] [[1 2]
     [3 4]]
    """
    check_tensors("swapaxes", input=input)
    ndim = len(input.shape)
    first, second = dim_of("swapaxes", axis0, ndim, "axis0"), dim_of("swapaxes", axis1, ndim, "axis1")
    return input if first == second else exchanged(input, first, second)


@faces("ops.transpose_ext_view mint.swapaxes", primitive="TransposeExtView()(input, dim0, dim1)")
@view_op(static=("axis0", "axis1"), strided=True, name="swapaxes")
def exchanged(input, axis0, axis1):
    """Two dimensions exchanged; a view in PYNATIVE_MODE."""
    x = tensor("swapaxes", input)
    return jnp.swapaxes(x, axis_of("swapaxes", axis0, x.ndim, "axis0"), axis_of("swapaxes", axis1, x.ndim, "axis1"))


@faces("ops Tensor")
def swapdims(input, dim0, dim1):
    """Two dimensions exchanged; a view in PYNATIVE_MODE."""
    return swapaxes(input, dim0, dim1)


@faces("ops ops.moveaxis Tensor.moveaxis Tensor")
@view_op(static=("source", "destination"), strided=True)
def movedim(x, source, destination):
    """Dimensions moved to other places; a view in PYNATIVE_MODE.

    Args:
        x: a Tensor.
        source: an int or a tuple of ints.
        destination: likewise.

    >>> from ms_compat import ops
    >>> x = ops.ones((1, 2, 3))
    >>> print(ops.movedim(x, 0, 2).shape, x.moveaxis(2, 0).shape, x.movedim(1, 0).shape)
    (2, 3, 1) (3, 1, 2) (2, 1, 3)
    """
    x = tensor("movedim", x)
    both = []
    for name, places in (("source", source), ("destination", destination)):
        many = places if isinstance(places, tuple) else (places,)
        both.append([axis_of("movedim", p, x.ndim, name) for p in many])
    if len(both[0]) != len(both[1]):
        raise ValueError(f"For 'movedim', 'source' and 'destination' must match, but got {source} and {destination}.")
    return jnp.moveaxis(x, *both)


moveaxis = movedim


@faces("ops Tensor")
def t(input):
    """A matrix transposed, a view in PYNATIVE_MODE; a tensor with fewer dimensions as it is.

    Args:
        input: a Tensor of at most two dimensions.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1, 2], [3, 4]])
    >>> print(ops.t(x), x.t().shape)
    [[1 3]
     [2 4]] (2, 2)
    """
    check_tensors("t", input=input)
    check_rank_at_most("t", "input", input, 2)
    return input if len(input.shape) < 2 else transpose(input, (1, 0))


@faces("ops Tensor", primitive="Squeeze(axis: int | tuple | list = ())(input)")
@view_op(static=("axis",), same_order=True)
def squeeze(input, axis=None):
    """Dimensions of size 1 taken away; named ones of another size stay. A view in PYNATIVE_MODE.

    Args:
        input: a Tensor.
        axis: None (all of size 1), an int, or a tuple or list of ints.

    Raises:
        ValueError: an axis is out of range.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1], [2]])
    >>> print(ops.squeeze(x, 1), x.squeeze(1))
    [1 2] [1 2]
    """
    x = tensor("squeeze", input)
    if axis is None or axis == ():
        return x.reshape([n for n in x.shape if n != 1])
    many = axis if isinstance(axis, tuple) else (axis,)
    found = {axis_of("squeeze", a, x.ndim) for a in many}
    return x.reshape([n for i, n in enumerate(x.shape) if i not in found or n != 1])


@faces("ops Tensor", primitive="ExpandDims()(input_x, axis)")
@view_op(static=("axis",), same_order=True)
def expand_dims(input_x, axis):
    """A new dimension of size 1 at `axis`; a view in PYNATIVE_MODE.

    Args:
        input_x: a Tensor.
        axis: an int in [-ndim - 1, ndim].

    Raises:
        TypeError: `axis` is not an int.
        ValueError: it is out of range.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1, 2])
    >>> print(ops.expand_dims(x, 0), x.expand_dims(1).shape)
    [[1 2]] (2, 1)
    """
    x = tensor("expand_dims", input_x)
    if isinstance(axis, tuple):
        return jnp.expand_dims(x, axis)
    at = axis_of("expand_dims", axis, x.ndim + 1)
    return x.reshape((*x.shape[:at], 1, *x.shape[at:]))


@faces("ops ops.unsqueeze_view mint")
def unsqueeze(input, dim):
    """A new dimension of size 1 at `dim`; a view in PYNATIVE_MODE."""
    return expand_dims(input, dim)


@faces("ops ops.broadcast_to_view mint", primitive="BroadcastTo(shape: tuple | list)(input)")
@view_op(static=("shape",), strided=True, repeats=True)
def broadcast_to(input, shape):
    """The elements repeated along new and size-1 dimensions; a view in PYNATIVE_MODE.

    Args:
        input: a Tensor.
        shape: a tuple of ints; -1 keeps a size.

    Raises:
        ValueError: the shapes do not broadcast.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.broadcast_to(Tensor([1, 2]), (2, 2)))
    [[1 2]
     [1 2]]
    """
    x = tensor("broadcast_to", input)
    target = shape_of("broadcast_to", shape)
    missing = len(target) - x.ndim
    if missing < 0:
        raise ValueError(f"For 'broadcast_to', {x.shape} cannot be broadcast to {target}.")
    full = tuple([x.shape[i - missing] if n == -1 and i >= missing else n for i, n in enumerate(target)])
    if any(n < 0 for n in full) or any(
        have not in (1, want) for have, want in zip(x.shape, full[missing:], strict=True)
    ):
        raise ValueError(f"For 'broadcast_to', {x.shape} cannot be broadcast to {target}.")
    return jnp.broadcast_to(x, full)


@faces("ops")
def expand_as(input, other):
    """`input` broadcast to the shape of `other`; a view in PYNATIVE_MODE."""
    check_type("expand_as", "other", other, Tensor)
    return broadcast_to(input, other.shape)


@view_op(static=("axis", "length"))
def _narrow(input, axis, start, length):
    return jax.lax.dynamic_slice_in_dim(input, start, length, axis)


@faces("ops Tensor")
def narrow(input, axis, start, length):
    """`length` elements from `start` on along an axis; a view in PYNATIVE_MODE.

    Args:
        input: a Tensor.
        axis: an int.
        start: an int.
        length: an int.

    Raises:
        ValueError: the range exceeds the dimension.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1, 2, 3, 4])
    >>> print(ops.narrow(x, 0, 1, 2), x.narrow(0, 2, 2))
    [2 3] [3 4]
    """
    check_tensors("narrow", input=input)
    at = dim_of("narrow", axis, len(input.shape))
    size = input.shape[at]
    start, length = integer("narrow", "start", start), integer("narrow", "length", length)
    if start < 0:
        start += size
    if not 0 <= start <= size or length < 0 or start + length > size:
        raise ValueError(f"For 'narrow', [{start}, {start + length}) must lie within [0, {size}) of axis {axis}.")
    return _narrow(input, at, start, length)


@view_op(static=("axis",))
def _select(input, axis, index):
    return jax.lax.dynamic_index_in_dim(input, index, axis, keepdims=False)


@faces("ops._select_view ops.select_ext_view mint.select")
def select_view(input, dim, index):
    """The slice at `index` along a dimension, without that dimension; a view in PYNATIVE_MODE.

    Args:
        input: a Tensor.
        dim: an int, or an integer Tensor with one.
        index: likewise.

    Raises:
        ValueError: `index` is out of range.
    """
    check_tensors("select", input=input)
    dim, index = (int(n) if isinstance(n, Tensor) and n.shape == () else n for n in (dim, index))
    dim, index = integer("select", "dim", dim), integer("select", "index", index)
    at = dim_of("select", dim, len(input.shape), "dim")
    size = input.shape[at]
    check_within("select", "index", index, -size, size, "[)")
    return _select(input, at, index % size)


@faces("ops Tensor")
@view_op(static=("offset", "dim1", "dim2"), strided=True)
def diagonal(input, offset=0, dim1=0, dim2=1):
    """A diagonal of two dimensions as the last dimension; a view in PYNATIVE_MODE.

    Args:
        input: a Tensor of at least two dimensions.
        offset: 0 for the main diagonal, above it if positive.
        dim1: an int.
        dim2: an int.

    Raises:
        ValueError: fewer than two dimensions, or `dim1` equals `dim2`.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1, 2], [3, 4]])
    >>> print(ops.diagonal(x), x.diagonal(1))
    [1 4] [2]
    """
    x = tensor("diagonal", input)
    check_rank_at_least("diagonal", "input", x, 2)
    first, second = axis_of("diagonal", dim1, x.ndim, "dim1"), axis_of("diagonal", dim2, x.ndim, "dim2")
    if first == second:
        raise ValueError(f"For 'diagonal', 'dim1' and 'dim2' must differ, but got {dim1} and {dim2}.")
    return take_diagonal(x, offset, first, second)


@view_op(static=("sections", "axis"))
def _split_at(input, sections, axis):
    # not slices: their gradients are padded to the whole and added, the split's are joined
    return tuple(jax.lax.split(input, sections, axis=axis))


@faces("ops ops.split_view")
def split(tensor, split_size_or_sections, axis=0):
    """Pieces along an axis; views in PYNATIVE_MODE.

    Args:
        tensor: a Tensor.
        split_size_or_sections: the size of each piece (the last may be smaller), or all sizes.
        axis: an int.

    Returns:
        A tuple of Tensors.

    Raises:
        TypeError: the sizes are not ints.
        ValueError: a size is not positive, or the sizes do not add up.

    >>> from ms_compat import Tensor, ops
    >>> print([part.tolist() for part in ops.split(Tensor([1, 2, 3, 4, 5]), 2)])
    [[1, 2], [3, 4], [5]]
    >>> print([part.tolist() for part in Tensor([1, 2, 3]).split([1, 2])])
    [[1], [2, 3]]
    """
    check_tensors("split", tensor=tensor)
    at = dim_of("split", axis, len(tensor.shape))
    total = tensor.shape[at]
    sizes = split_size_or_sections
    if isinstance(sizes, int) and not isinstance(sizes, bool):
        check_above("split", "split_size_or_sections", sizes, 0)
        whole, rest = divmod(total, sizes)
        parts = (sizes,) * whole + ((rest,) if rest or not whole else ())
    else:
        parts = shape_of("split", sizes, "split_size_or_sections")
        if any(n < 0 for n in parts) or int(np.sum(parts)) != total:
            raise ValueError(f"For 'split', the sum of 'split_size_or_sections' must be {total}, but got {parts}.")
    return _split_at(tensor, parts, at)


@faces(primitive="Split(axis=0, output_num=1)(x)")
def split_equal(x, axis=0, output_num=1):
    """`output_num` equal pieces along an axis, the primitive `Split`.

    Raises:
        ValueError: the axis cannot be divided evenly.
    """
    check_tensors("Split", input_x=x)
    at = dim_of("Split", axis, len(x.shape))
    if output_num <= 0 or x.shape[at] % output_num:
        raise ValueError(f"For 'Split', size {x.shape[at]} of axis {axis} must be divisible by {output_num}.")
    return _split_at(x, (x.shape[at] // output_num,) * output_num, at)


@faces("ops ops.chunk_view")
def chunk(input, chunks, axis=0):
    """At most `chunks` pieces of equal size along an axis (the last may be smaller); views in PYNATIVE_MODE.

    Args:
        input: a Tensor.
        chunks: a positive int.
        axis: an int.

    >>> from ms_compat import Tensor, ops
    >>> print([part.tolist() for part in ops.chunk(Tensor([1, 2, 3]), 2)])
    [[1, 2], [3]]
    >>> print([part.tolist() for part in Tensor([1, 2]).chunk(2)])
    [[1], [2]]
    """
    check_tensors("chunk", input=input)
    if integer("chunk", "chunks", chunks) <= 0:
        raise ValueError(f"For 'chunk', the 'chunks' must be positive, but got {chunks}.")
    at = dim_of("chunk", axis, len(input.shape))
    return split(input, max(-(-input.shape[at] // chunks), 1), at)


@faces("ops Tensor")
def tensor_split(input, indices_or_sections, axis=0):
    """Pieces along an axis, cut at indices, or as many as even as possible.

    Args:
        input: a Tensor.
        indices_or_sections: the number of pieces, or where to cut.
        axis: an int.

    >>> from ms_compat import Tensor, ops
    >>> print([part.tolist() for part in ops.tensor_split(Tensor([1, 2, 3]), 2)])
    [[1, 2], [3]]
    >>> print([part.tolist() for part in Tensor([1, 2, 3]).tensor_split([1])])
    [[1], [2, 3]]
    """
    check_tensors("tensor_split", input=input)
    at = dim_of("tensor_split", axis, len(input.shape))
    total = input.shape[at]
    if isinstance(indices_or_sections, int):
        if indices_or_sections <= 0:
            raise ValueError(
                f"For 'tensor_split', the number of pieces must be positive, but got {indices_or_sections}."
            )
        whole, rest = divmod(total, indices_or_sections)
        parts = (whole + 1,) * rest + (whole,) * (indices_or_sections - rest)
    else:
        cuts = [min(max(c + total if c < 0 else c, 0), total) for c in indices_or_sections]
        edges = [0, *cuts, total]
        if cuts != sorted(cuts):  # pieces overlap
            pairs = zip(edges[:-1], edges[1:], strict=True)
            return tuple([narrow(input, at, a, max(b - a, 0)) for a, b in pairs])
        parts = tuple([b - a for a, b in zip(edges[:-1], edges[1:], strict=True)])
    return _split_at(input, parts, at)


@faces("ops Tensor")
def hsplit(input, indices_or_sections):
    """`tensor_split` along the second dimension."""
    check_tensors("hsplit", input=input)
    check_rank_at_least("hsplit", "input", input, 2)
    return tensor_split(input, indices_or_sections, 1)


@faces("ops Tensor")
def vsplit(input, indices_or_sections):
    """`tensor_split` along the first dimension."""
    return tensor_split(input, indices_or_sections, 0)


@faces("ops Tensor")
def dsplit(input, indices_or_sections):
    """`tensor_split` along the third dimension."""
    return tensor_split(input, indices_or_sections, 2)


@faces("ops Tensor mint")
@view_op(static=("dim",))
def unbind(input, dim=0):
    """The slices along a dimension, without it; views in PYNATIVE_MODE.

    Args:
        input: a Tensor of at least one dimension.
        dim: an int.

    Returns:
        A tuple of Tensors.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1, 2], [3, 4]])
    >>> print([row.tolist() for row in ops.unbind(x)], x.unbind(1)[0])
    [[1, 2], [3, 4]] [1 3]
    """
    x = tensor("unbind", input)
    check_rank_at_least("unbind", "input", x, 1)
    at = axis_of("unbind", dim, x.ndim, "dim")
    return tuple([jax.lax.index_in_dim(x, i, at, keepdims=False) for i in range(x.shape[at])])


@faces("ops Tensor", primitive="Unpack(axis=0)(x)")
def unstack(input_x, axis=0):
    """The slices along an axis, without it; views in PYNATIVE_MODE.

    Args:
        input_x (Tensor): at least one dimension.
        axis (int): the dimension.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1, 2], [3, 4]])
    >>> print([row.tolist() for row in ops.unstack(x)], x.unstack(1)[0])
    [[1, 2], [3, 4]] [1 3]
    """
    return unbind(input_x, axis)


@faces("ops ops.tensor_slice", primitive="Slice()(input_x, begin, size)")
@view_op(static=("begin", "size"))
def slice(input_x, begin, size):
    """A block of the tensor; a view in PYNATIVE_MODE.

    Args:
        input_x: a Tensor.
        begin: where it starts, an int for each dimension.
        size: its sizes; -1 means up to the end.

    Raises:
        ValueError: the block exceeds the tensor.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.slice(Tensor([[1, 2, 3], [4, 5, 6]]), (0, 1), (2, 2)))
    [[2 3]
     [5 6]]
    """
    x = tensor("slice", input_x)
    first, sizes = shape_of("slice", begin, "begin"), shape_of("slice", size, "size")
    if len(first) != x.ndim or len(sizes) != x.ndim:
        raise ValueError(f"For 'slice', 'begin' and 'size' must have {x.ndim} elements, but got {first} and {sizes}.")
    sizes = tuple([n - b if s == -1 else s for s, b, n in zip(sizes, first, x.shape, strict=True)])
    if any(b < 0 or s < 0 or b + s > n for b, s, n in zip(first, sizes, x.shape, strict=True)):
        raise ValueError(f"For 'slice', begin {first} and size {sizes} do not lie within the shape {x.shape}.")
    return jax.lax.slice(x, first, [b + s for b, s in zip(first, sizes, strict=True)])


def _strided(x, begin, end, strides, masks):
    from_start, to_end, ellipsis, new_axis, shrink = masks
    index: list[Any] = []
    for i, (b, e, s) in enumerate(zip(begin, end, strides, strict=True)):
        bit = 1 << i
        if ellipsis & bit:
            index.append(Ellipsis)
        elif new_axis & bit:
            index.append(None)
        elif shrink & bit:
            index.append(b)
        else:
            index.append(np.s_[(None if from_start & bit else b) : (None if to_end & bit else e) : s])
    return x[tuple(index)]


_STRIDED = ("begin", "end", "strides", "masks")
_strided_view = view_op(static=_STRIDED, name="strided_slice")(_strided)
_strided_copy = op(_strided, static=_STRIDED, name="strided_slice")


@faces(
    "ops",
    primitive="StridedSlice(begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, "
    "shrink_axis_mask=0)(input_x, begin, end, strides)",
)
def strided_slice(
    input_x, begin, end, strides, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0
):
    """`input_x[begin:end:strides]` with bit masks that change the meaning of single positions.

    A view in PYNATIVE_MODE if no mask is set and no stride is negative, else a copy.

    Args:
        input_x: a Tensor.
        begin: an int for each position.
        end: likewise.
        strides: likewise, none 0.
        begin_mask: positions whose `begin` is ignored.
        end_mask: positions whose `end` is ignored.
        ellipsis_mask: the position that stands for all others.
        new_axis_mask: positions that add a dimension of size 1.
        shrink_axis_mask: positions that take the element at `begin` and drop the dimension.
    """
    check_tensors("strided_slice", input_x=input_x)
    given = ((begin, "begin"), (end, "end"), (strides, "strides"))
    first, last, step = [shape_of("strided_slice", value, name) for value, name in given]
    if not len(first) == len(last) == len(step):
        raise ValueError(
            f"For 'strided_slice', 'begin', 'end' and 'strides' must be equally long, but got {[first, last, step]}."
        )
    if 0 in step:
        raise ValueError(f"For 'strided_slice', no element of 'strides' may be 0, but got {step}.")
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    part = _strided_copy if any(masks) or min(step, default=1) < 0 else _strided_view
    return part(input_x, first, last, step, masks)
