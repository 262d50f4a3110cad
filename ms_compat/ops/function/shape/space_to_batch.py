"""Rearranging: blocks of space into the batch and back, reversed sequences, columns into images."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_rank, check_shape, check_tensors
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.axes import axis_of, dim_of, integer, tensor
from ms_compat.ops.function.indexing.bounds import check_index
from ms_compat.ops.function.indexing.scatter import index_add_ext
from ms_compat.ops.function.shape.pixel_shuffle import fold_ext
from ms_compat.ops.function.update.results import written


def _block(api: str, block: Any, pads: Any, ndim: int) -> tuple[tuple[int, ...], tuple]:
    if isinstance(pads, tuple) and isinstance(block, int):
        block = (block,) * len(pads)
    if not isinstance(block, tuple) or not isinstance(pads, tuple) or len(block) != len(pads) or len(block) >= ndim:
        raise ValueError(f"For '{api}', there must be one pair for each of the block's sizes, but got {block}, {pads}.")
    if any(integer(api, "block", n) < 1 for n in block) or any(n < 0 for pair in pads for n in pair):
        raise ValueError(f"For '{api}', sizes must be positive and pairs not negative, but got {block}, {pads}.")
    return block, pads


@faces("ops")
@op(static=("block_shape", "crops"))
def batch_to_space_nd(input_x, block_shape, crops):
    """Samples of the batch as blocks of the last axes, which are cropped then.

    Args:
        input_x: a Tensor [N * product of the block, *, spatial axes].
        block_shape: the block's size per spatial axis, or one int.
        crops: a pair (before, after) for each.

    Raises:
        ValueError: the batch cannot be divided by the block, or is cropped too much.
    """
    api = "batch_to_space_nd"
    x = tensor(api, input_x, "input_x")
    block, crops = _block(api, block_shape, crops, x.ndim)
    count, product = len(block), int(np.prod(block))
    if x.shape[0] % product:
        raise ValueError(f"For '{api}', the first size must be divisible by {product}, but got shape {x.shape}.")
    lead, spatial = x.shape[1:-count], x.shape[-count:]
    out = x.reshape(*block, x.shape[0] // product, *lead, *spatial)
    rest = tuple(range(count, count + 1 + len(lead)))
    first = count + len(rest)
    out = out.transpose(*rest, *[axis for i in range(count) for axis in (first + i, i)])
    out = out.reshape(x.shape[0] // product, *lead, *[n * b for n, b in zip(spatial, block, strict=True)])
    for axis, (before, after) in enumerate(crops, out.ndim - count):
        if before + after >= out.shape[axis]:
            raise ValueError(f"For '{api}', the 'crops' {crops} leave nothing of the shape {out.shape}.")
        out = out[(slice(None),) * axis + (slice(before, out.shape[axis] - after),)]
    return out


@faces("ops")
@op(static=("block_size", "paddings"))
def space_to_batch_nd(input_x, block_size, paddings):
    """Blocks of the last axes, padded with zeros, as samples of the batch; the inverse of `batch_to_space_nd`.

    Raises:
        RuntimeError: the padded sizes cannot be divided by the block.
    """
    api = "space_to_batch_nd"
    x = tensor(api, input_x, "input_x")
    block, pads = _block(api, block_size, paddings, x.ndim)
    count = len(block)
    x = jnp.pad(x, [(0, 0)] * (x.ndim - count) + [tuple(p) for p in pads])
    lead, spatial = x.shape[: x.ndim - count], x.shape[-count:]
    if any(n % b for n, b in zip(spatial, block, strict=True)):
        raise RuntimeError(f"For '{api}', the padded sizes {spatial} must be divisible by the block {block}.")
    split = [part for n, b in zip(spatial, block, strict=True) for part in (n // b, b)]
    first = len(lead)
    out = x.reshape(*lead, *split)
    blocks, places = range(first + 1, out.ndim, 2), range(first, out.ndim, 2)
    out = out.transpose(*blocks, *range(first), *places)
    return out.reshape(lead[0] * int(np.prod(block)), *lead[1:], *[n // b for n, b in zip(spatial, block, strict=True)])


@op(static=("seq_dim", "batch_dim"), tensors="seq_lengths")
def _reverse_sequence(x, seq_lengths, seq_dim, batch_dim):
    api = "reverse_sequence"
    x = tensor(api, x, "x")
    if seq_lengths.dtype.kind != "i":
        raise TypeError(f"For '{api}', the 'seq_lengths' must hold ints, but got {seq_lengths.dtype.name}.")
    along, batch = axis_of(api, seq_dim, x.ndim, "seq_dim"), axis_of(api, batch_dim, x.ndim, "batch_dim")
    if along == batch:
        raise ValueError(f"For '{api}', the 'batch_dim' must not be 'seq_dim', but got {batch_dim} and {seq_dim}.")
    check_shape(api, "seq_lengths", seq_lengths, (x.shape[batch],))
    place = jnp.arange(x.shape[along])
    lengths = seq_lengths[:, None]
    source = jnp.where(place < lengths, lengths - 1 - place, place)
    source = source if batch < along else source.T
    shape = [x.shape[i] if i in (along, batch) else 1 for i in range(x.ndim)]
    return jnp.take_along_axis(x, source.reshape(shape), along)


@faces("ops", primitive="ReverseSequence(seq_dim, batch_dim=0)(x, seq_lengths)")
def reverse_sequence(x, seq_lengths, seq_dim, batch_dim=0):
    """The first elements of each sequence reversed.

    Args:
        x: a Tensor.
        seq_lengths: how many, for each sample; an integer Tensor.
        seq_dim: the axis of the sequences.
        batch_dim: the axis of the samples.

    Raises:
        ValueError: axes or a number of lengths that do not fit.
        RuntimeError: a length is negative or larger than the axis (see `indexing/bounds.py`).
    """
    out = _reverse_sequence(x, seq_lengths, seq_dim, batch_dim)
    if isinstance(seq_lengths, Tensor):
        check_index("reverse_sequence", seq_lengths, out.shape[seq_dim] + 1, 0, "seq_lengths")
    return out


@faces("ops", primitive="Padding(pad_dim_size=8)(x)")
@op(static=("pad_dim_size",))
def padding(x, pad_dim_size=8):
    """The last axis, of size 1, filled up with zeros.

    Args:
        x: a Tensor of at least two dimensions, [*, 1].
        pad_dim_size: the new size of the last axis.

    Raises:
        ValueError: the last size is not 1, or the new one not positive.
    """
    x = tensor("padding", x, "x")
    if x.ndim < 2 or x.shape[-1] != 1:
        raise ValueError(
            f"For 'padding', the 'x' must have at least 2 dimensions, the last of size 1, but got {x.shape}."
        )
    if integer("padding", "pad_dim_size", pad_dim_size) <= 0:
        raise ValueError(f"For 'padding', the 'pad_dim_size' must be > 0, but got {pad_dim_size}.")
    return jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, pad_dim_size - 1)])


@faces("ops Tensor")
def col2im(input_x, output_size, kernel_size, dilation, padding_value, stride):
    """The sum of sliding blocks [N, C, KH * KW, L] into [N, C, H, W].

    Args:
        input_x: a Tensor of 4 dimensions.
        output_size: H and W, an Int32 Tensor.
        kernel_size, dilation, padding_value, stride: of the blocks; ints or pairs.

    Raises:
        TypeError: `output_size` is not a Tensor.
        ValueError: sizes that do not fit.
    """
    check_type("col2im", "output_size", output_size, Tensor)
    check_rank("col2im", "input_x", input_x, 4)
    n, c, k, length = input_x.shape
    size = tuple(output_size.asnumpy().tolist())
    columns = input_x.reshape((n, c * k, length))
    return fold_ext(columns, size, *[tuple(v) if isinstance(v, list) else v for v in (
        kernel_size, dilation, padding_value, stride,
    )])  # fmt: skip


@faces("ops", primitive="InplaceIndexAdd(axis)(var, indices, updates)")
def inplace_index_add(var, indices, updates, axis):
    """Adds slices to a Parameter at indices along an axis, in place.

    Args:
        var: a Parameter.
        indices: an Int32 Tensor of one dimension.
        updates: a Tensor with a slice for each.
        axis: an int.
    """
    check_tensors("InplaceIndexAdd", var=var, indices=indices, updates=updates)
    shape, at = var.shape, dim_of("InplaceIndexAdd", axis, len(var.shape))
    expected = (*shape[:at], *indices.shape, *shape[at + 1 :])
    check_shape("InplaceIndexAdd", "updates", updates, expected)
    return written(var, index_add_ext(var, axis, indices, updates))
