"""Sampling of images at given places, in two or three dimensions: `grid_sample` and the grids of `affine_grid`."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_one_of, value_error
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import array_of_size, has_symbolic_size, is_symbolic_size
from ms_compat.ops.function.nn.checks import floating, wide


def _place(at: Any, size: int, padding_mode: str, align_corners: bool) -> Any:
    """From [-1, 1] to pixels, then folded back by the padding mode."""
    at = (at + 1) / 2 * (size - 1) if align_corners else ((at + 1) * size - 1) / 2
    if padding_mode == "border":
        return _within(at, size)
    if padding_mode == "reflection":
        low, span = (0.0, size - 1.0) if align_corners else (-0.5, float(size))
        if span == 0:
            return jnp.zeros_like(at)
        off = jnp.abs(at - low)
        extra, flips = off % span, jnp.floor(off / span)
        at = jnp.where(flips % 2 == 0, extra + low, span - extra + low)
        return _within(at, size)
    return at


def _within(at: Any, size: int) -> Any:
    """Limited to an image's pixels, without slope on and beyond the outer ones."""
    return jnp.where((at > 0) & (at < size - 1), at, lax.stop_gradient(jnp.clip(at, 0, size - 1)))


def _fetch(image: Any, index: list[Any]) -> Any:
    """image [C, *spatial] at integer places [*out]; zero outside."""
    inside: Any = True
    clipped = []
    for at, size in zip(index, image.shape[1:], strict=True):
        inside = inside & (at >= 0) & (at < size)
        clipped.append(jnp.clip(at, 0, size - 1).astype(np.int32))
    return jnp.where(inside, image[(slice(None), *clipped)], 0)


def _sample(image: Any, grid: Any, mode: str, padding_mode: str, align_corners: bool) -> Any:
    sizes = image.shape[1:]
    # the grid's last axis is x, y(, z): the reverse of the spatial axes
    places = [_place(grid[..., len(sizes) - 1 - i], n, padding_mode, align_corners) for i, n in enumerate(sizes)]
    if mode == "nearest":
        return _fetch(image, [jnp.round(at) for at in places])
    low = [jnp.floor(at) for at in places]
    total: Any = 0
    for corner in itertools.product((0, 1), repeat=len(sizes)):
        weight: Any = 1
        for at, base, step in zip(places, low, corner, strict=True):
            weight = weight * ((at - base) if step else (base + 1 - at))
        total = total + weight * _fetch(image, [base + step for base, step in zip(low, corner, strict=True)])
    return total


@faces(
    "ops mint.nn.functional",
    primitive="GridSampler2D(interpolation_mode='bilinear', padding_mode='zeros', align_corners=False)(input_x, "
    "grid); GridSampler3D(interpolation_mode='bilinear', padding_mode='zeros', "
    "align_corners=False)(input_x, grid)",
)
@op(static=("mode", "padding_mode", "align_corners"))
def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    """Values of an image at the places of a grid.

    Args:
        input (Tensor): [N, C, H, W] or [N, C, D, H, W], floating type.
        grid (Tensor): [N, H', W', 2] of (x, y), or [N, D', H', W', 3] of (x, y, z); -1 and 1 are the image's ends.
        mode (str): "bilinear" (trilinear in 3-D) or "nearest".
        padding_mode (str): "zeros", "border" or "reflection" for places outside.
        align_corners (bool): whether the ends are the outer pixels' centres (True) or their edges.

    Returns:
        Tensor [N, C, H', W'] or [N, C, D', H', W'].

    Raises:
        TypeError: data that is not floating.
        ValueError: an unknown mode, shapes that do not fit.

    >>> from ms_compat import Tensor, ops
    >>> image = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> center = Tensor([[[[0.0, 0.0]]]])
    >>> print(ops.grid_sample(image, center, align_corners=True))
    [[[[2.5]]]]
    """
    api = "grid_sample"
    floating(api, "input", input), floating(api, "grid", grid)
    check_one_of(api, "mode", mode, ("bilinear", "nearest"))
    check_one_of(api, "padding_mode", padding_mode, ("zeros", "border", "reflection"))
    if (
        input.ndim not in (4, 5)
        or grid.ndim != input.ndim
        or grid.shape[-1] != input.ndim - 2
        or grid.shape[0] != input.shape[0]
    ):
        raise ValueError(f"For '{api}', 'input' and 'grid' do not fit: {input.shape} and {grid.shape}.")
    of_one = functools.partial(_sample, mode=mode, padding_mode=padding_mode, align_corners=bool(align_corners))
    return jax.vmap(of_one)(wide(input), wide(grid)).astype(input.dtype)


@faces("ops", primitive="AffineGrid(align_corners=False)(theta, output_size)")
@op(static=("size", "align_corners"), takes={"theta": "floating"})
def affine_grid(theta, size, align_corners=False):
    """The grid for `grid_sample` of an affine map.

    Args:
        theta (Tensor): [N, 2, 3] or [N, 3, 4].
        size (tuple): result shape of `grid_sample`: [N, C, H, W] or [N, C, D, H, W].
        align_corners (bool): as for `grid_sample`.

    Returns:
        Tensor [N, H, W, 2] or [N, D, H, W, 3].

    Raises:
        ValueError: shapes that do not fit.
    """
    if theta.ndim != 3 or len(size) not in (4, 5) or theta.shape[1:] != (len(size) - 2, len(size) - 1):
        raise value_error("affine_grid", "size", f"a shape that fits 'theta' of shape {theta.shape}", size)
    axes: list[Any] = []
    for n in size[2:]:
        if is_symbolic_size(n):
            whole = array_of_size(n).astype(np.float32)
            open_line = (2 * jnp.arange(n, dtype=np.float32) - (whole - 1)) / jnp.maximum(whole - 1, 1)
            axes.append(open_line if align_corners else open_line * (whole - 1) / whole)
            continue
        line = np.linspace(-1, 1, n) if n > 1 else np.zeros(1)
        axes.append(line if align_corners else line * (n - 1) / n)
    xp: Any = jnp if has_symbolic_size(size) else np
    mesh = xp.meshgrid(*axes, indexing="ij")[::-1]
    base = xp.stack([*mesh, xp.ones_like(mesh[0])], -1).astype(np.float32)
    out = jnp.einsum("...k,njk->n...j", base, wide(theta), precision="highest")
    return out.astype(theta.dtype)
