"""Sliding patches of images and volumes: as channels, as columns, or combined by a maximum (grey-scale dilation)."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.checks import check_dtype, check_rank
from ms_compat._core.dispatch.op import op
from ms_compat.ops.function.nn.checks import FLOATS, tensor
from ms_compat.ops.function.shape.pixel_shuffle import _blocks


def same_pads(size: tuple, kernel: tuple, stride: tuple, spread: tuple) -> tuple[tuple[int, int], ...]:
    """(before, after) per axis so that the result has ceil(size / stride) places; the odd one stands after."""
    out = []
    for n, k, s, d in zip(size, kernel, stride, spread, strict=True):
        need = max((-(-n // s) - 1) * s + (k - 1) * d + 1 - n, 0)
        out.append((need // 2, need - need // 2))
    return tuple(out)


def _pads(padding: str, size: tuple, kernel: tuple, stride: tuple, spread: tuple) -> tuple[tuple[int, int], ...]:
    if padding.upper() == "SAME":
        return same_pads(size, kernel, stride, spread)
    return ((0, 0),) * len(size)


def _slices(x: Any, kernel: tuple, stride: tuple, spread: tuple) -> list[Any]:
    """One strided slice of the last axes for each element of the kernel, in its order."""
    first = x.ndim - len(kernel)
    places = [
        (n - (k - 1) * d - 1) // s + 1 for n, k, s, d in zip(x.shape[first:], kernel, stride, spread, strict=True)
    ]
    out = []
    for at in np.ndindex(*kernel):
        start = [a * d for a, d in zip(at, spread, strict=True)]
        stop = [a + (p - 1) * s + 1 for a, p, s in zip(start, places, stride, strict=True)]
        out.append(lax.slice(x, [0] * first + start, [*x.shape[:first], *stop], [1] * first + list(stride)))
    return out


@op(static=("kernel", "stride", "spread", "padding", "api"))
def extract_patches(x, kernel, stride, spread, padding, api):
    """Every patch of [N, C, *] as channels: [N, kernel elements * C, *]; the input's channels are adjacent.

    Args:
        x (Tensor): [N, C, spatial axes].
        kernel, stride, spread (tuple): of the patches, per spatial axis; `spread` is the distance of elements.
        padding (str): "VALID", or "SAME" with zeros around.
        api (str): what error messages call it.

    Raises:
        ValueError: another rank, or patches larger than the input.
    """
    check_rank(api, "input_x", tensor(api, "input_x", x), len(kernel) + 2)
    pads = _pads(padding, x.shape[2:], kernel, stride, spread)
    x = jnp.pad(x, ((0, 0), (0, 0), *pads))
    if any((k - 1) * d >= n for n, k, d in zip(x.shape[2:], kernel, spread, strict=True)):
        raise ValueError(f"For '{api}', patches of {kernel} do not fit into the shape {x.shape}.")
    out = jnp.stack(_slices(x, kernel, stride, spread), 1)
    return out.reshape(x.shape[0], -1, *out.shape[3:])


@op(static=("kernel", "stride", "spread", "pads"), name="Im2Col")
def im2col(x, kernel, stride, spread, pads):
    """The sliding blocks of [N, C, H, W] as columns: [N, C, KH * KW, L].

    Raises:
        ValueError: another rank.
    """
    check_rank("Im2Col", "x", tensor("Im2Col", "x", x), 4)
    if x.dtype in FLOATS:
        out = _blocks(x, kernel, spread, pads, stride)
        return out.reshape(x.shape[0], x.shape[1], kernel[0] * kernel[1], -1)
    x = jnp.pad(x, ((0, 0), (0, 0), *((p, p) for p in pads)))
    out = jnp.stack(_slices(x, kernel, stride, spread), 2)
    return out.reshape(*out.shape[:3], -1)


@op(static=("stride", "spread", "padding"), name="Dilation2D")
def dilation2d(x, filter, stride, spread, padding):
    """Maxima over windows of an image plus a filter: [N, C, H', W'].

    Args:
        x (Tensor): [N, C, H, W], any number type.
        filter (Tensor): [C, KH, KW], of the same type.
        stride, spread (tuple): of the windows.
        padding (str): "VALID" or "SAME"; an element outside is never the maximum.

    Raises:
        TypeError: the types differ.
        ValueError: shapes that do not fit.
    """
    api = "Dilation2D"
    if tensor(api, "x", x).dtype != tensor(api, "filter", filter).dtype:
        raise TypeError(f"For '{api}', 'x' and 'filter' must be of one type, but got {x.dtype} and {filter.dtype}.")
    if x.ndim != 4 or filter.ndim != 3 or x.shape[1] != filter.shape[0]:
        raise ValueError(
            f"For '{api}', the shapes must be [N, C, H, W] and [C, KH, KW], but got {x.shape} and {filter.shape}."
        )
    kernel = filter.shape[1:]
    lowest = -jnp.inf if x.dtype in FLOATS else np.iinfo(x.dtype).min
    pads = _pads(padding, x.shape[2:], kernel, stride, spread)
    whole = jnp.pad(x, ((0, 0), (0, 0), *pads), constant_values=np.array(lowest, x.dtype))
    inside = jnp.pad(jnp.ones((1, 1, *x.shape[2:]), bool), ((0, 0), (0, 0), *pads))
    out = None
    for at, part, there in zip(
        np.ndindex(*kernel),
        _slices(whole, kernel, stride, spread),
        _slices(inside, kernel, stride, spread),
        strict=True,
    ):
        value = jnp.where(there, part + filter[(slice(None), *at)][:, None, None], np.array(lowest, x.dtype))
        out = value if out is None else jnp.maximum(out, value)
    return out


@op(static=("source", "target"), name="DataFormatDimMap")
def data_format_dim_map(input_x, source, target):
    """For each number of a dimension in the target format, its number in the source; negative ones count from the end.

    Raises:
        TypeError: they are not integers.
    """
    x = tensor("DataFormatDimMap", "input_x", input_x)
    check_dtype("DataFormatDimMap", "input_x", x, np.int32, np.int64)
    table = jnp.asarray([source.index(letter) for letter in target], x.dtype)
    return table[x % 4]
