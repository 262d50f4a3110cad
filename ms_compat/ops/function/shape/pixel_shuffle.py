"""Moving pixels between space and channels: shuffles, and the sliding blocks of `unfold` and `fold`."""

from __future__ import annotations

import jax
from jax import lax

from ms_compat._core.checks import check_rank
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.nn.checks import floating, integer, numeric, sizes, tensor


@faces("ops mint.nn.functional")
@op(static=("upscale_factor",))
def pixel_shuffle(input, upscale_factor):
    """[*, C * r ** 2, H, W] to [*, C, H * r, W * r].

    Raises:
        TypeError: `upscale_factor` is not an int.
        ValueError: it does not fit the channels.
    """
    r = integer("pixel_shuffle", "upscale_factor", upscale_factor, 1)
    if tensor("pixel_shuffle", "input", input).ndim < 3 or input.shape[-3] % (r * r):
        raise ValueError(
            f"For 'pixel_shuffle', the channels must be divisible by {r * r}, but got shape {input.shape}."
        )
    *lead, c, h, w = input.shape
    n = len(lead)
    out = input.reshape(*lead, c // (r * r), r, r, h, w)
    out = out.transpose(*range(n), n, n + 3, n + 1, n + 4, n + 2)
    return out.reshape(*lead, c // (r * r), h * r, w * r)


@faces("ops")
@op(static=("downscale_factor",))
def pixel_unshuffle(input, downscale_factor):
    """[*, C, H * r, W * r] to [*, C * r ** 2, H, W].

    Raises:
        TypeError: `downscale_factor` is not an int.
        ValueError: it does not divide the sizes.
    """
    r = integer("pixel_unshuffle", "downscale_factor", downscale_factor, 1)
    if tensor("pixel_unshuffle", "input", input).ndim < 3 or input.shape[-1] % r or input.shape[-2] % r:
        raise ValueError(
            f"For 'pixel_unshuffle', the last two sizes must be divisible by {r}, but got shape {input.shape}."
        )
    *lead, c, h, w = input.shape
    n = len(lead)
    out = input.reshape(*lead, c, h // r, r, w // r, r)
    out = out.transpose(*range(n), n, n + 2, n + 4, n + 1, n + 3)
    return out.reshape(*lead, c * r * r, h // r, w // r)


@faces("ops", primitive="ChannelShuffle(group)(x)")
@op(static=("groups",))
def channel_shuffle(x, groups):
    """[N, groups * C, *] with the channels of the groups interleaved."""
    g = integer("channel_shuffle", "groups", groups, 1)
    if tensor("channel_shuffle", "x", x).ndim < 3:
        raise TypeError(f"For 'channel_shuffle', the input must have more than 2 dimensions, but got {x.shape}.")
    if x.shape[1] % g:
        raise ValueError(f"For 'channel_shuffle', the channels must be divisible by {g}, but got shape {x.shape}.")
    out = x.reshape(x.shape[0], g, x.shape[1] // g, *x.shape[2:])
    return out.swapaxes(1, 2).reshape(x.shape)


def _blocks(x, kernel, dilation, pad, stride):
    """[N, C, H, W] to [N, C * KH * KW, L]: the elements of each sliding block as a column."""
    patches = lax.conv_general_dilated_patches(
        x, kernel, stride, tuple((p, p) for p in pad), rhs_dilation=dilation, precision=lax.Precision.HIGHEST
    )
    return patches.reshape(*patches.shape[:2], -1)


def _block_arguments(api, kernel_size, dilation, padding, stride):
    return (
        sizes(api, "kernel_size", kernel_size, 2),
        sizes(api, "dilation", dilation, 2),
        sizes(api, "padding", padding, 2, 0),
        sizes(api, "stride", stride, 2),
    )


@faces("ops Tensor mint.nn.functional")
@op(static=("kernel_size", "dilation", "padding", "stride"))
def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """The sliding blocks of [N, C, H, W] as columns: [N, C * KH * KW, L].

    Args:
        input (Tensor): 4 dimensions, floating type.
        kernel_size (Union[int, tuple]): size of a block.
        dilation (Union[int, tuple]): distance of a block's elements.
        padding (Union[int, tuple]): zeros on both sides.
        stride (Union[int, tuple]): step between blocks.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: an argument out of range.

    >>> from ms_compat import ops
    >>> print(ops.unfold(ops.ones((1, 1, 3, 3)), 2).shape)
    (1, 4, 4)
    """
    numeric("unfold", "input", input)
    check_rank("unfold", "input", input, 4)
    return _blocks(input, *_block_arguments("unfold", kernel_size, dilation, padding, stride))


@faces("mint.nn.functional.fold")
@op(static=("output_size", "kernel_size", "dilation", "padding", "stride"), name="fold")
def fold_ext(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """The sum of sliding blocks [N, C * KH * KW, L] into [N, C, H, W], the transpose of `unfold` (`mint`'s version)."""
    floating("fold", "input", input)
    arguments = _block_arguments("fold", kernel_size, dilation, padding, stride)
    size = sizes("fold", "output_size", output_size, 2)
    kernel = arguments[0]
    lead = input.shape[:-2] or (1,)
    block = kernel[0] * kernel[1]
    if input.ndim not in (2, 3) or input.shape[-2] % block:
        raise ValueError(
            f"For 'fold', the second to last size must be divisible by {block}, but got shape {input.shape}."
        )
    shape = (lead[0], input.shape[-2] // block, *size)
    pull = jax.linear_transpose(lambda x: _blocks(x, *arguments), jax.ShapeDtypeStruct(shape, input.dtype))
    expected = jax.eval_shape(lambda x: _blocks(x, *arguments), jax.ShapeDtypeStruct(shape, input.dtype)).shape
    if expected[2] != input.shape[-1]:
        raise ValueError(
            f"For 'fold', {expected[2]} blocks belong to an output of {size}, but got shape {input.shape}."
        )
    out = pull(input.reshape(expected))[0]
    return out if input.ndim == 3 else out[0]


@faces("ops Tensor")
def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """The sum of sliding blocks [N, C * KH * KW, L] into [N, C, H, W].

    Args:
        input (Tensor): 3 dimensions, floating type.
        output_size (Tensor): H and W, Int32.
        kernel_size (Union[int, tuple]): size of a block.
        dilation (Union[int, tuple]): distance of a block's elements.
        padding (Union[int, tuple]): zeros on both sides.
        stride (Union[int, tuple]): step between blocks.

    Raises:
        TypeError: `output_size` is not a Tensor.
        ValueError: sizes that do not fit.
    """
    check_type("fold", "output_size", output_size, Tensor)
    return fold_ext(input, output_size, kernel_size, dilation, padding, stride)


@op(static=("shape", "strides", "offset"))
def as_strided(x, shape, strides, offset=0):
    """Elements of the flat tensor at `offset` and at steps from it, as `numpy.lib.stride_tricks.as_strided`; a copy.

    Args:
        x (Tensor): any shape.
        shape, strides (tuple[int]): the sizes of the result, and by how many elements each axis steps.
        offset (int): the place of the first element.

    Raises:
        ValueError: an element is outside.

    >>> from ms_compat import Tensor
    >>> print(as_strided(Tensor([1, 2, 3, 4]), (3, 2), (1, 1)))
    [[1 2]
     [2 3]
     [3 4]]
    """
    places = sum(
        lax.broadcasted_iota("int64", shape, axis) * step for axis, step in enumerate(strides)
    ) + jax.numpy.full(shape, offset, "int64")
    last = offset + sum(max(size - 1, 0) * step for size, step in zip(shape, strides, strict=True))
    if last >= x.size or offset < 0:
        raise ValueError(f"For 'as_strided', the last element is at {last}, but the tensor has {x.size}.")
    return x.reshape(-1)[places]
