"""Pooling to a given output size: window i of n covers [floor(i * size / n), ceil((i + 1) * size / n)).

Where the sizes divide, that is an ordinary pool. Elsewhere the average is one small matrix product per axis (each
row of the matrix averages one window). The positions of maxima come from the windows of each axis, padded by repeating
their last element, and the maxima from the input at these positions: so a gradient scatters one number for each window.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.checks import check_rank
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import type_error, value_error
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import array_of_size, has_symbolic_size, is_symbolic_size
from ms_compat.ops.function.nn.checks import floating, inexact, integer, numeric, wide
from ms_compat.ops.function.pooling.windows import elements_at, window_argmax, window_max, window_mean


def _edges(size: Any, parts: Any) -> tuple[Any, Any]:
    i = (jnp.arange if is_symbolic_size(parts) else np.arange)(parts)
    size, parts = [array_of_size(n) if is_symbolic_size(n) else n for n in (size, parts)]
    return i * size // parts, -(-(i + 1) * size // parts)


def _target(api: str, x: Any, output_size: Any, count: int) -> tuple[int, ...]:
    if isinstance(output_size, int) and not isinstance(output_size, bool):
        output_size = (output_size,) * count
    if not isinstance(output_size, (tuple, list)):
        raise type_error(api, "output_size", f"int or tuple of {count} ints", output_size)
    if len(output_size) != count:
        raise value_error(api, "output_size", f"int or tuple of {count} ints or None", output_size)
    check_rank(api, "input", x, count + 1, count + 2)
    spatial = x.shape[-count:]
    return tuple(
        n if o is None else integer(api, "output_size", o, 0) for o, n in zip(output_size, spatial, strict=True)
    )


def _filled(api: str, x: Any, error: type) -> Any:
    """An input that has elements; `error` is what MindSpore raises for another."""
    if not x.size:
        raise error(f"For '{api}', the input must have no dimension of size 0, but got shape {x.shape}.")
    return x


def mean_to(x: Any, target: tuple) -> Any:
    """Averages over windows of the last axes, `target` windows per axis."""
    count = len(target)
    spatial = x.shape[-count:]
    is_open = has_symbolic_size(spatial)
    if all(o == 1 if is_open else n and o and n % o == 0 for n, o in zip(spatial, target, strict=True)):
        if all(o == 1 for o in target):
            return jnp.mean(wide(x), axis=tuple(range(-count, 0)), keepdims=True).astype(x.dtype)
        kernel = tuple(n // o for n, o in zip(spatial, target, strict=True))
        return window_mean(x, kernel, kernel, ((0, 0),) * count, np.asarray(float(np.prod(kernel))))
    out = wide(x)
    for axis, (n, o) in enumerate(zip(spatial, target, strict=True), x.ndim - count):
        if n is o:  # also an open size that is kept
            continue
        low, high = _edges(n, o)
        at = (jnp.arange if is_symbolic_size(n) else np.arange)(n)
        matrix = ((at >= low[:, None]) & (at < high[:, None])) / (high - low)[:, None]
        out = jnp.moveaxis(
            jnp.tensordot(out, matrix.astype(out.dtype), axes=((axis,), (1,)), precision=lax.Precision.HIGHEST),
            -1,
            axis,
        )
    return out.astype(x.dtype)


def max_to(x: Any, target: tuple) -> tuple[Any, Any]:
    """Maxima over windows of the last axes and their flat positions (int64)."""
    count = len(target)
    spatial = x.shape[-count:]
    if has_symbolic_size((*spatial, *target)):
        return _max_openly(x, target)
    if all(o and n % o == 0 for n, o in zip(spatial, target, strict=True)):
        kernel = tuple(n // o for n, o in zip(spatial, target, strict=True))
        how = (kernel, kernel, (1,) * count, ((0, 0),) * count)
        return window_max(x, *how), window_argmax(x, *how)
    out, flat = lax.stop_gradient(x), jnp.arange(int(np.prod(spatial))).reshape(spatial)
    for axis, (n, o) in enumerate(zip(spatial, target, strict=True)):
        low, high = _edges(n, o)
        at = np.minimum(low[:, None] + np.arange((high - low).max()), high[:, None] - 1)
        # the windows' own axis goes to the end, so that all of them are flattened together
        out = jnp.moveaxis(jnp.take(out, at, axis=x.ndim - count + axis), x.ndim - count + axis + 1, -1)
        flat = jnp.moveaxis(jnp.take(flat, at, axis=axis), axis + 1, -1)
    out = out.reshape(*out.shape[: x.ndim], -1)
    flat = jnp.broadcast_to(flat.reshape(*flat.shape[:count], -1), out.shape)
    flat = jnp.take_along_axis(flat, jnp.argmax(out, -1)[..., None], -1)[..., 0]
    return elements_at(x, flat, count), flat


def _max_openly(x: Any, target: tuple) -> tuple[Any, Any]:
    """`max_to` where sizes are open, one axis after the other from the last on.

    The first of equal elements in a window is the one in its first row, so the rows' maxima decide as the elements do.
    """
    lowest = -np.inf if jnp.issubdtype(x.dtype, np.floating) else np.iinfo(x.dtype).min
    flat: Any = np.zeros((), np.int64)
    step: Any = 1
    for back, (n, o) in enumerate(reversed(list(zip(x.shape[-len(target) :], target, strict=True)))):
        axis = x.ndim - 1 - back
        x = jnp.moveaxis(x, axis, -1)
        if n is o:
            first = jnp.broadcast_to(jnp.arange(n), x.shape)
        else:
            low, high = (jnp.asarray(edge) for edge in _edges(n, o))
            at = jnp.arange(n)
            within = (at >= low[:, None]) & (at < high[:, None])
            windows = jnp.where(within, x[..., None, :], jnp.asarray(lowest, x.dtype))
            # a window of nothing but the lowest value may seem to begin before itself
            first = jnp.maximum(jnp.argmax(lax.stop_gradient(windows), -1), low)
            x = jnp.take_along_axis(x, first, -1)
            if back:
                flat = jnp.take_along_axis(jnp.moveaxis(flat, axis, -1), first, -1)
                flat = jnp.moveaxis(flat, -1, axis)
        x = jnp.moveaxis(x, -1, axis)
        flat = flat + jnp.moveaxis(first, -1, axis).astype(np.int64) * step
        step = step * (array_of_size(n) if is_symbolic_size(n) else n)
    return x, flat


def _divisible(api: str, x: Any, output_size: Any) -> tuple[int]:
    integer(api, "output_size", output_size, 1)
    if x.ndim != 3 and x.ndim != 2:
        raise ValueError(f"For '{api}', the input must have 2 or 3 dimensions, but got shape {x.shape}.")
    if x.shape[-1] % output_size:
        raise ValueError(f"For '{api}', the last size {x.shape[-1]} must be divisible by 'output_size' {output_size}.")
    return (output_size,)


@faces("ops")
@op(static=("output_size",))
def adaptive_avg_pool1d(input, output_size):
    """Averages of [N, C, L] to `output_size` positions, which must divide L; see `adaptive_avg_pool2d`."""
    return mean_to(
        floating("adaptive_avg_pool1d", "input", input), _divisible("adaptive_avg_pool1d", input, output_size)
    )


@faces("ops ops.adaptive_avg_pool2d_ext mint.nn.functional", primitive="AdaptiveAvgPool2D(output_size)(x)")
@op(static=("output_size",))
def adaptive_avg_pool2d(input, output_size):
    """Averages of [N, C, H, W] or [C, H, W] to a given size.

    Args:
        input (Tensor): floating type.
        output_size (Union[int, tuple]): [H', W'], where None keeps a size.

    Returns:
        Tensor [..., H', W'] of the same type.

    Raises:
        TypeError: `input` is not floating, `output_size` is not an int or tuple.
        ValueError: `output_size` is negative or of another length.

    >>> from ms_compat import Tensor
    >>> from ms_compat.ops.function.pooling.adaptive import adaptive_avg_pool2d
    >>> print(adaptive_avg_pool2d(Tensor([[[1.0, 2.0], [3.0, 4.0]]]), 1))
    [[[2.5]]]
    """
    api = "adaptive_avg_pool2d"
    return mean_to(_filled(api, floating(api, "input", input), ValueError), _target(api, input, output_size, 2))


@faces("ops mint.nn.functional", primitive="AdaptiveAvgPool3D(output_size)(x)")
@op(static=("output_size",))
def adaptive_avg_pool3d(input, output_size):
    """Averages of [N, C, D, H, W] or [C, D, H, W] to a given size; see `adaptive_avg_pool2d`."""
    api = "adaptive_avg_pool3d"
    means = mean_to(inexact(numeric(api, "input", input)), _target(api, input, output_size, 3))
    return means.astype(input.dtype)


@faces("ops", primitive="AdaptiveMaxPool1D()(input)")
@op(static=("output_size",))
def adaptive_max_pool1d(input, output_size):
    """Maxima of [N, C, L] over `output_size` windows, which must divide L."""
    api = "adaptive_max_pool1d"
    data = _filled(api, floating(api, "input", input), ValueError)
    return max_to(data, _divisible(api, input, output_size))[0]


@faces("ops mint.nn.functional")
@op(static=("output_size", "return_indices"))
def adaptive_max_pool2d(input, output_size, return_indices=False):
    """Maxima of [N, C, H, W] or [C, H, W] over windows that yield a given size.

    Args:
        input (Tensor): floating type.
        output_size (Union[int, tuple]): [H', W'], where None keeps a size.
        return_indices (bool): also return the flat positions in [H, W], Int64.

    Returns:
        Tensor [..., H', W'], or that and the positions.

    Raises:
        TypeError: `input` is not floating, `output_size` is not an int or tuple.
        ValueError: `output_size` is negative or of another length.
    """
    api = "adaptive_max_pool2d"
    out, where = max_to(floating(api, "input", input), _target(api, input, output_size, 2))
    return (out, where) if return_indices else out


@faces("ops")
@op(static=("output_size", "return_indices"))
def adaptive_max_pool3d(input, output_size, return_indices=False):
    """Maxima of [N, C, D, H, W] or [C, D, H, W] over windows that yield a given size; see `adaptive_max_pool2d`."""
    api = "adaptive_max_pool3d"
    data = _filled(api, numeric(api, "input", input), RuntimeError)
    out, where = max_to(data, _target(api, input, output_size, 3))
    return (out, where.astype(np.int32)) if return_indices else out


@faces("mint.nn.functional.adaptive_max_pool1d")
@op(static=("output_size", "return_indices"), name="adaptive_max_pool1d")
def adaptive_max_pool1d_ext(input, output_size, return_indices=False):
    """Maxima of [N, C, L] over windows that yield a given size (`mint`'s version: the size need not divide L)."""
    out, where = max_to(
        floating("adaptive_max_pool1d", "input", input), _target("adaptive_max_pool1d", input, output_size, 1)
    )
    return (out, where) if return_indices else out


@faces("mint.nn.functional.adaptive_avg_pool1d")
@op(static=("output_size",), name="adaptive_avg_pool1d")
def adaptive_avg_pool1d_ext(input, output_size):
    """Averages of [N, C, L] over windows that yield a given size (`mint`'s version: the size need not divide L)."""
    return mean_to(
        floating("adaptive_avg_pool1d", "input", input), _target("adaptive_avg_pool1d", input, output_size, 1)
    )
