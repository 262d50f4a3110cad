"""Deformable convolution: kernel elements read at fractional offsets. Zhu et al., arXiv:1811.11168."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_rank, check_shape
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import value_error
from ms_compat._core.faces import faces
from ms_compat.ops.function.nn.checks import floating, sizes


def _read(x, y, at):
    """Bilinear samples of [N, G, C, H, W] at [N, G, P]; zero outside."""
    height, width = x.shape[-2:]
    top, left = jnp.floor(y), jnp.floor(at)
    out: Any = 0
    for down in (0, 1):
        for right in (0, 1):
            row, column = top + down, left + right
            weight = (1 - jnp.abs(y - row)) * (1 - jnp.abs(at - column))
            weight = jnp.where((row >= 0) & (row < height) & (column >= 0) & (column < width), weight, 0)
            flat = jnp.clip(row, 0, height - 1) * width + jnp.clip(column, 0, width - 1)
            flat = jnp.broadcast_to(flat[:, :, None].astype(np.int32), (*x.shape[:3], y.shape[-1]))
            out = out + jnp.take_along_axis(x.reshape(*x.shape[:3], -1), flat, -1) * weight[:, :, None]
    return out


def _sampled(api, x, offsets, kernel, step, padding, spread, groups):
    """x read at its kernel elements' offsets, times their masks: [N, C, KH * KW, H', W']."""
    count = kernel[0] * kernel[1]
    rows, columns = (
        (n + before + after - d * (k - 1) - 1) // s + 1
        for n, before, after, d, k, s in zip(
            x.shape[2:], padding[::2], padding[1::2], spread, kernel, step, strict=True
        )
    )
    wanted = (x.shape[0], 3 * groups * count, rows, columns)
    check_shape(api, "offsets", offsets, wanted)
    parts = offsets.reshape(x.shape[0], 3, groups, *kernel, rows, columns)
    i, j, r, c = np.indices((*kernel, rows, columns))
    y = parts[:, 1] + (r * step[0] - padding[0] + i * spread[0]).astype(np.float32)
    at = parts[:, 0] + (c * step[1] - padding[2] + j * spread[1]).astype(np.float32)
    lead = (x.shape[0], groups)
    data = x.reshape(*lead, x.shape[1] // groups, *x.shape[2:])
    read = _read(data, y.reshape(*lead, -1), at.reshape(*lead, -1)) * parts[:, 2].reshape(*lead, 1, -1)
    return read.reshape(x.shape[0], x.shape[1], count, rows, columns)


@op(static=("strides", "pads", "ksize", "dilations", "deformable_groups"), name="DeformableOffsets")
def deformable_offsets(x, offsets, strides, pads, ksize, dilations, deformable_groups):
    """The samples that a deformable convolution multiplies with its weights: [N, C, H' * KH, W' * KW].

    Args:
        x (Tensor): [N, C, H, W].
        offsets (Tensor): [N, 3 * deformable_groups * KH * KW, H', W']: columns, rows, masks.
        strides, dilations (tuple): (1, 1, rows, columns).
        pads (tuple): (top, bottom, left, right).
        ksize (tuple): (KH, KW).
        deformable_groups (int): channel groups with their own offsets.

    Raises:
        ValueError: shapes that do not fit.
    """
    api = "DeformableOffsets"
    for name, value in (("x", x), ("offsets", offsets)):
        check_rank(api, name, floating(api, name, value), 4)
    out = _sampled(api, x, offsets, ksize, strides[2:], pads, dilations[2:], deformable_groups)
    n, c, _, rows, columns = out.shape
    out = out.reshape(n, c, *ksize, rows, columns).transpose(0, 1, 4, 2, 5, 3)
    return out.reshape(n, c, rows * ksize[0], columns * ksize[1]).astype(x.dtype)


@op(static=("kernel_size", "strides", "padding", "dilations", "groups", "deformable_groups"), tensors="bias")
def _deformable(x, weight, offsets, bias, kernel_size, strides, padding, dilations, groups, deformable_groups):
    api = "deformable_conv2d"
    for name, value in (("x", x), ("weight", weight), ("offsets", offsets)):
        check_rank(api, name, floating(api, name, value), 4)
    kernel = sizes(api, "kernel_size", kernel_size, 2)
    step, spread = sizes(api, "strides", strides, 2), sizes(api, "dilations", dilations, 2)
    read = _sampled(api, x, offsets, kernel, step, padding, spread, deformable_groups)
    count, rows, columns = read.shape[2:]
    read = read.reshape(x.shape[0], groups, x.shape[1] // groups, count, rows, columns)
    kernels = weight.reshape(groups, weight.shape[0] // groups, weight.shape[1], count)
    out = jnp.einsum("ngckrs,gock->ngors", read, kernels, precision="highest")
    out = out.reshape(x.shape[0], weight.shape[0], rows, columns).astype(x.dtype)
    return out if bias is None else out + bias[:, None, None]


@faces("ops")
def deformable_conv2d(
    x, weight, offsets, kernel_size, strides, padding, bias=None, dilations=(1, 1, 1, 1), groups=1,
    deformable_groups=1, modulated=True,
):  # fmt: skip
    """2-D convolution whose elements read at offsets, times a mask.

    Args:
        x (Tensor): [N, C, H, W].
        weight (Tensor): [O, C / groups, KH, KW].
        offsets (Tensor): [N, 3 * deformable_groups * KH * KW, H', W']: columns, rows, masks.
        kernel_size (tuple): (KH, KW).
        strides, dilations (tuple): (1, 1, rows, columns).
        padding (tuple): (top, bottom, left, right).
        bias (Tensor): [O].
        groups, deformable_groups (int): channel groups of the weight and the offsets.
        modulated (bool): as in MindSpore only True.

    Returns:
        Tensor [N, O, H', W'].

    Raises:
        ValueError: shapes that do not fit, or `modulated` is False.
    """
    if modulated is not True:
        raise value_error("deformable_conv2d", "modulated", "True (give masks of 1)", modulated)
    return _deformable(x, weight, offsets, bias, kernel_size, strides, padding, dilations, groups, deformable_groups)
