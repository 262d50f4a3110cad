"""Pooling over windows: maximum, average and power mean, with the positions of maxima on request.

A maximum is `lax.reduce_window` from -inf, the form whose gradient JAX turns into `select_and_scatter`. An average
is the windowed sum over the number of positions that MindSpore counts: the numbers are a small host array (an outer
product of one vector per axis, because windows are boxes), and a single number where all windows are whole.
"""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_rank, check_tensors
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_bool, value_error
from ms_compat._core.faces import faces, table_faces
from ms_compat._core.jax_compat import extreme_size, has_symbolic_size, is_positive, is_symbolic_size
from ms_compat._core.pooling import lowering
from ms_compat.ops.function.elementwise.slopes import root
from ms_compat.ops.function.indexing.bounds import check_index
from ms_compat.ops.function.nn.checks import floating, inexact, sizes, tensor, wide
from ms_compat.ops.function.nn.conv import Pairs, padded_openly, paddings


def out_size(n: int, k: int, s: int, d: int, pad: tuple[int, int], ceil_mode: bool) -> int:
    """Number of windows along an axis; with `ceil_mode` also a last, partial one that begins inside the padded input.

    >>> out_size(5, 2, 2, 1, (0, 0), False), out_size(5, 2, 2, 1, (0, 0), True)
    (2, 3)
    """
    room = n + sum(pad) - d * (k - 1) - 1
    if not ceil_mode:
        return room // s + 1
    count = -(-room // s) + 1
    if is_symbolic_size(n):
        return extreme_size("min", count, -(-(n + pad[0]) // s))
    return count - 1 if (count - 1) * s >= n + pad[0] else count


def windows(api: str, x: Any, kernel: tuple, stride: tuple, dilation: tuple, pads: Pairs, ceil_mode: bool) -> Pairs:
    """The padding that makes `reduce_window` yield `out_size` windows per axis; ValueError if there would be none.

    Along an axis of open size, padding that no window reaches stays, or the end that none reaches is cut.
    """
    spatial = x.shape[-len(kernel) :]
    out = []
    for n, k, s, d, pad in zip(spatial, kernel, stride, dilation, pads, strict=True):
        count = out_size(n, k, s, d, pad, ceil_mode)
        if not is_positive(count):
            raise ValueError(f"For '{api}', the kernel {kernel} does not fit into the padded input of shape {x.shape}.")
        need = (count - 1) * s + d * (k - 1) + 1 - n - pad[0]
        if is_symbolic_size(n):
            out.append((pad[0], need if ceil_mode else pad[1]))
        else:
            out.append((pad[0], max(need, 0)))
    return tuple(out)


def _full(values: tuple, rank: int, fill: Any) -> tuple:
    return (fill,) * (rank - len(values)) + tuple(values)


def _lowest(dtype: Any) -> Any:
    return np.asarray(np.iinfo(dtype).min if dtype.kind in "iu" else -np.inf).astype(dtype)


def window_max(x: Any, kernel: tuple, stride: tuple, dilation: tuple, pads: Pairs) -> Any:
    """Maxima over windows of the last axes."""
    if has_symbolic_size(pads):
        x, pads = _padded_openly(x, kernel, stride, pads, _lowest(x.dtype)), ((0, 0),) * len(kernel)
    if any(d != 1 for d in dilation):  # JAX has no gradient for a dilated reduce_window
        parts = [part for _, part in _offsets(x, kernel, stride, dilation, pads, _lowest(x.dtype))]
        stacked = jnp.stack(parts, -1)
        first = jnp.argmax(lax.stop_gradient(stacked), -1)[..., None]
        return jnp.take_along_axis(stacked, first, -1)[..., 0]
    lowering.use()
    rank = x.ndim
    return lax.reduce_window(
        x, _lowest(x.dtype), lax.max, _full(kernel, rank, 1), _full(stride, rank, 1), _full(pads, rank, (0, 0))
    )


def _offsets(x: Any, kernel: tuple, stride: tuple, dilation: tuple, pads: Pairs, fill: Any):
    """For each position in the kernel: its offsets, and the elements that all windows have there."""
    count = len(kernel)
    padded = lax.pad(x, fill, [(0, 0, 0)] * (x.ndim - count) + [(a, b, 0) for a, b in pads])
    for at in np.ndindex(*kernel):
        index: list[Any] = [slice(None)] * (x.ndim - count)
        for i, k, s, d, n in zip(at, kernel, stride, dilation, padded.shape[-count:], strict=True):
            total = (n - d * (k - 1) - 1) // s + 1
            index.append(slice(i * d, i * d + (total - 1) * s + 1, s))
        yield at, padded[tuple(index)]


def window_argmax(x: Any, kernel: tuple, stride: tuple, dilation: tuple, pads: Pairs) -> Any:
    """Flat positions of the first maxima among the last axes of the unpadded input, as int64."""
    spatial = x.shape[-len(kernel) :]
    index: Any
    if has_symbolic_size((spatial, pads)):
        index = jnp.arange(math.prod(spatial), dtype=np.int64).reshape(1, 1, *spatial)
        index = _padded_openly(index, kernel, stride, pads, np.int64(0))[0, 0]
        x, pads = _padded_openly(x, kernel, stride, pads, _lowest(x.dtype)), ((0, 0),) * len(kernel)
    else:
        index = np.pad(np.arange(math.prod(spatial), dtype=np.int64).reshape(spatial), pads)
    best: Any = None
    where: Any = None
    for (_, values), (_, at) in zip(
        _offsets(lax.stop_gradient(x), kernel, stride, dilation, pads, _lowest(x.dtype)),
        _offsets(jnp.asarray(index), kernel, stride, dilation, ((0, 0),) * len(kernel), np.int64(0)),
        strict=True,
    ):
        at = jnp.broadcast_to(at, values.shape)
        if best is None:
            best, where = values, at
        else:
            better = values > best
            best, where = jnp.where(better, values, best), jnp.where(better, at, where)
    return where


def _max_pool(api, count, x, kernel_size, stride, padding, dilation, return_indices, ceil_mode) -> Any:
    tensor(api, "x", x)
    kernel = sizes(api, "kernel_size", kernel_size, count, keep=True)
    stride = kernel if stride is None else sizes(api, "stride", stride, count, keep=True)
    pad = sizes(api, "padding", padding, count, 0, keep=True)
    dilation = sizes(api, "dilation", dilation, count, keep=True)
    check_bool(api, "ceil_mode", ceil_mode)
    check_rank(api, "input", x, count + 2)
    if any(2 * p > k for p, k in zip(pad, kernel, strict=True)):
        raise value_error(api, "padding", "no more than half of 'kernel_size'", padding)
    pads = windows(api, x, kernel, stride, dilation, tuple((p, p) for p in pad), ceil_mode)
    out = window_max(x, kernel, stride, dilation, pads)
    return (out, window_argmax(x, kernel, stride, dilation, pads)) if return_indices else out


@faces("ops")
@op(static=("kernel_size", "stride", "padding", "dilation", "return_indices", "ceil_mode"))
def max_pool2d(x, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
    """Maxima over windows of [N, C, H, W].

    Args:
        x (Tensor): 4 dimensions, real type.
        kernel_size (Union[int, tuple]): window.
        stride (Union[int, tuple]): step; the window's size if None.
        padding (Union[int, tuple]): -inf on both sides, at most half of the window.
        dilation (Union[int, tuple]): distance of a window's elements.
        return_indices (bool): also return the flat positions in [H, W], Int64.
        ceil_mode (bool): count a last, partial window.

    Returns:
        Tensor [N, C, H', W'], or that and the positions.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: an argument out of range, or no window fits.

    >>> from ms_compat import Tensor
    >>> from ms_compat.ops.function.pooling.windows import max_pool2d
    >>> print(max_pool2d(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 2))
    [[[[4.]]]]
    """
    return _max_pool("max_pool2d", 2, x, kernel_size, stride, padding, dilation, return_indices, ceil_mode)


@faces("ops")
@op(static=("kernel_size", "stride", "padding", "dilation", "ceil_mode", "return_indices"))
def max_pool3d(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Maxima over windows of [N, C, D, H, W]; see `max_pool2d`."""
    return _max_pool("max_pool3d", 3, x, kernel_size, stride, padding, dilation, return_indices, ceil_mode)


def elements_at(x: Any, flat: Any, count: int) -> Any:
    """The elements at flat positions of the last `count` axes; a gradient scatters one number for each of them."""
    lead = x.shape[: x.ndim - count]
    return jnp.take_along_axis(x.reshape(*lead, -1), flat.reshape(*lead, -1), -1).reshape(flat.shape)


def window_counts(spatial, kernel, stride, pads, given: Pairs, include_pad: bool, dtype) -> Any:
    """How many positions each window averages over: requested padding counts if `include_pad`."""
    if has_symbolic_size(spatial):
        return _open_counts(spatial, kernel, stride, pads, given, include_pad)
    vectors = []
    for n, k, s, (before, after), (_, asked) in zip(spatial, kernel, stride, pads, given, strict=True):
        total = (n + before + after - k) // s + 1
        starts = np.arange(total) * s
        low, high = (0, before + n + asked) if include_pad else (before, before + n)
        vectors.append(np.minimum(starts + k, high) - np.maximum(starts, low))
    counts = vectors[0]
    for vector in vectors[1:]:
        counts = np.multiply.outer(counts, vector)
    return np.asarray(counts.flat[0] if (counts == counts.flat[0]).all() else counts).astype(dtype)


def _open_counts(spatial, kernel, stride, pads, given: Pairs, include_pad: bool) -> Any:
    """`window_counts` where sizes are open."""
    padding = (*pads, *given)
    if not has_symbolic_size(padding) and (pads == given and include_pad or not np.any(padding)):
        return np.asarray(math.prod(kernel), np.float32)
    counts = np.ones((), np.int32)
    for n, k, s, (before, after), (_, asked) in zip(spatial, kernel, stride, pads, given, strict=True):
        starts = jnp.arange((n + before + after - k) // s + 1, dtype=np.int32) * s
        low, high = (0, before + n + asked) if include_pad else (before, before + n)
        vector = jnp.minimum(starts + k, high) - jnp.maximum(starts, low)
        counts = counts[..., None] * vector
    return counts.astype(np.float32)


def window_mean(x: Any, kernel: tuple, stride: tuple, pads: Pairs, divisor: Any) -> Any:
    """Windowed sum over the last axes, divided by `divisor`; half precision is summed in float32."""
    x, dtype = wide(x), x.dtype
    if has_symbolic_size(pads):
        x, pads = _padded_openly(x, kernel, stride, pads, 0), ((0, 0),) * len(kernel)
    summed = window_sum(x, kernel, stride, pads)
    # The barrier keeps the quotient, which XLA would make a product with rounded reciprocals.
    return (summed / lax.optimization_barrier(divisor.astype(summed.dtype))).astype(dtype)


def _padded_openly(x: Any, kernel: tuple, stride: tuple, pads: Pairs, fill: Any) -> Any:
    """The last axes padded by numbers that are open: no more than a window reaches over each end."""
    reach = [k + s for k, s in zip(kernel, stride, strict=True)]
    lead = x.shape[: x.ndim - len(kernel)]
    flat = x.reshape(math.prod(lead[:-1]), *x.shape[x.ndim - len(kernel) - 1 :]) if len(lead) != 2 else x
    out = padded_openly(flat, pads, reach, fill)
    return out.reshape(*lead, *out.shape[2:])


def window_sum(x: Any, kernel: tuple, stride: tuple, pads: Pairs) -> Any:
    """Sums over windows of the last axes."""
    rank = x.ndim
    zero = np.zeros((), x.dtype)
    return lax.reduce_window(
        x, zero, lax.add, _full(kernel, rank, 1), _full(stride, rank, 1), _full(pads, rank, (0, 0))
    )


def _check_fits(api: str, spatial: tuple, kernel: tuple, stride: tuple, given: Pairs, ceil_mode: bool) -> None:
    """Raise RuntimeError if an axis has no window, not even a partial one."""
    for n, k, s, pad in zip(spatial, kernel, stride, given, strict=True):
        if not is_positive(out_size(n, k, s, 1, pad, ceil_mode)):
            raise RuntimeError(f"For '{api}', the kernel {kernel} does not fit into the padded input of {spatial}.")


def avg_pool_nd(api, count, x, kernel_size, stride, padding, ceil_mode, include_pad, divisor, ranks=None) -> Any:
    """The average pools; see `avg_pool2d`."""
    floating(api, "input_x", x)
    if isinstance(kernel_size, (str, float)) or kernel_size is None:
        raise TypeError(
            f"For '{api}', the 'kernel_size' must be int or tuple of {count} ints, but got {kernel_size!r}."
        )
    kernel = sizes(api, "kernel_size", kernel_size, count, keep=True)
    stride = kernel if stride is None else sizes(api, "stride", stride, count, keep=True)
    check_bool(api, "ceil_mode", ceil_mode), check_bool(api, "count_include_pad", include_pad)
    if isinstance(padding, (tuple, list)) and len(padding) == 2 * count:
        flat = sizes(api, "padding", padding, 2 * count, 0, keep=True)
        given = tuple(zip(flat[::2], flat[1::2], strict=True))
    else:
        given = tuple((p, p) for p in sizes(api, "padding", padding, count, 0, keep=True))
    if x.ndim not in (ranks or (count + 2,)):
        raise ValueError(f"For '{api}', the input must have {count + 2} dimensions, but got shape {x.shape}.")
    if any(a + b > k for (a, b), k in zip(given, kernel, strict=True)):
        raise value_error(api, "padding", "at most as large in sum as 'kernel_size'", padding)
    spatial = x.shape[-count:]
    _check_fits(api, spatial, kernel, stride, given, ceil_mode)
    pads = windows(api, x, kernel, stride, (1,) * count, given, ceil_mode)
    if divisor:
        return window_mean(x, kernel, stride, pads, np.asarray(divisor))
    return window_mean(
        x, kernel, stride, pads, window_counts(spatial, kernel, stride, pads, given, include_pad, np.float64)
    )


@faces("ops")
@op(static=("kernel_size", "stride", "padding", "ceil_mode", "count_include_pad"))
def avg_pool1d(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True):
    """Averages over windows of [N, C, L]; see `avg_pool2d`."""
    if isinstance(padding, (tuple, list)) and len(padding) != 1:
        raise value_error("avg_pool1d", "padding", "int or tuple of 1 int", padding)
    return avg_pool_nd("avg_pool1d", 1, input_x, kernel_size, stride, padding, ceil_mode, count_include_pad, 0, (2, 3))


@faces("ops")
@op(static=("kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"))
def avg_pool2d(
    input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0
):
    """Averages over windows of [N, C, H, W].

    Args:
        input_x (Tensor): 4 dimensions, floating type.
        kernel_size (Union[int, tuple]): window.
        stride (Union[int, tuple]): step.
        padding (Union[int, tuple]): zeros; one number, or top, bottom, left and right.
        ceil_mode (bool): count a last, partial window.
        count_include_pad (bool): whether the padding belongs to the average.
        divisor_override (int): divide by this instead, if not 0.

    Returns:
        Tensor [N, C, H', W'] of the same type.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: an argument out of range.
        RuntimeError: the kernel is larger than the padded input.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.avg_pool2d(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 2))
    [[[[2.5]]]]
    """
    if isinstance(padding, (tuple, list)) and len(padding) != 4:
        raise value_error("avg_pool2d", "padding", "int or tuple of 4 ints", padding)
    return avg_pool_nd(
        "avg_pool2d", 2, input_x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


@faces("ops")
@op(static=("kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"))
def avg_pool3d(
    input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0
):
    """Averages over windows of [N, C, D, H, W]; see `avg_pool2d`."""
    return avg_pool_nd(
        "avg_pool3d", 3, input_x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


@op(static=("kind", "kernel", "stride", "pad_mode", "pads", "ceil_mode", "include_pad", "divisor"))
def pool_mode(x, kind, kernel, stride, pad_mode, pads=(), ceil_mode=False, include_pad=False, divisor=0):
    """Pooling with MindSpore's pad modes over the last axes, as the primitives and layers use it.

    Args:
        x (Tensor): data.
        kind (str): "max" or "avg".
        kernel (tuple): window of each spatial axis.
        stride (tuple): steps.
        pad_mode (str): "valid", "same" or "pad".
        pads (tuple): for "pad", (before, after) per axis.
        ceil_mode (bool): count a last, partial window; of a maximum in mode "pad" alone.
        include_pad (bool): whether an average counts the padding.
        divisor (int): divide by this instead, if not 0.
    """
    api = "MaxPool" if kind == "max" else "AvgPool"
    count = len(kernel)
    check_rank(api, "input", x, count + 2)
    floating(api, "input", x)
    given = paddings(x.shape[2:], kernel, stride, (1,) * count, pad_mode, pads)
    if kind == "avg":
        _check_fits(api, x.shape[2:], kernel, stride, given, ceil_mode)
    used = windows(api, x, kernel, stride, (1,) * count, given, ceil_mode and (pad_mode == "pad" or kind == "avg"))
    if kind == "max":
        return window_max(x, kernel, stride, (1,) * count, used)
    if divisor:
        return window_mean(x, kernel, stride, used, np.asarray(divisor))
    counts = window_counts(x.shape[2:], kernel, stride, used, given, include_pad, np.float64)
    return window_mean(x, kernel, stride, used, counts)


@op(static=("kernel", "stride", "pad_mode", "pads", "dilation", "ceil_mode", "index_dtype", "by_sample"))
def max_pool_argmax(
    x, kernel, stride, pad_mode, pads=(), dilation=(1, 1), ceil_mode=False, index_dtype=mstype.int32, by_sample=False
):
    """Maxima over windows and their flat positions in [H, W], or (`by_sample`) in [C, H, W]."""
    given = paddings(x.shape[2:], kernel, stride, dilation, pad_mode, pads)
    used = windows("MaxPoolWithArgmax", x, kernel, stride, dilation, given, ceil_mode)
    where = window_argmax(x, kernel, stride, dilation, used)
    if by_sample:
        where = where + np.arange(x.shape[1])[:, None, None] * math.prod(x.shape[2:])
    return window_max(x, kernel, stride, dilation, used), where.astype(index_dtype.np_dtype)


@op(static=("norm_type", "kernel_size", "stride", "ceil_mode", "count"))
def _lp_pool(x, norm_type, kernel_size, stride, ceil_mode, count):
    api = f"lp_pool{count}d"
    x = inexact(tensor(api, "x", x))
    floating(api, "x", x)
    kernel = sizes(api, "kernel_size", kernel_size, count)
    stride = kernel if stride is None else sizes(api, "stride", stride, count)
    pads = windows(api, x, kernel, stride, (1,) * count, ((0, 0),) * count, ceil_mode)
    # MindSpore takes the mean over a partial window, times the size of a whole one
    counts = window_counts(x.shape[-count:], kernel, stride, pads, ((0, 0),) * count, False, np.float64)
    power = window_mean(wide(x) ** norm_type, kernel, stride, pads, counts) * math.prod(kernel)
    # of a negative sum NaN, as in MindSpore; no gradient where the sum is 0
    return root(power, norm_type).astype(x.dtype)


@faces("ops")
def lp_pool1d(x, norm_type, kernel_size, stride=None, ceil_mode=False):
    """(sum of x ** norm_type) ** (1 / norm_type) over windows of [N, C, L] or [C, L]."""
    return _lp_pool(x, norm_type, kernel_size, stride, ceil_mode, 1)


@faces("ops")
def lp_pool2d(x, norm_type, kernel_size, stride=None, ceil_mode=False):
    """(sum of x ** norm_type) ** (1 / norm_type) over windows of [N, C, H, W]."""
    return _lp_pool(x, norm_type, kernel_size, stride, ceil_mode, 2)


@op(static=("spatial",), name="MaxUnpool")
def _placed(x, indices, spatial):
    lead = x.shape[: x.ndim - len(spatial)]
    rows = math.prod(lead)
    flat = jnp.zeros((rows, math.prod(spatial)), x.dtype)
    flat = flat.at[np.arange(rows)[:, None], indices.reshape(rows, -1)].set(x.reshape(rows, -1), mode="drop")
    return flat.reshape(*lead, *spatial)


def _unpool(count: int):
    api = f"max_unpool{count}d"

    def unpool(x, indices, kernel_size, stride=None, padding=0, output_size=None):
        """Puts the values back to the positions that a maximum pool returned; zero elsewhere.

        Args:
            x (Tensor): pooled values, [N, C, *] or [C, *].
            indices (Tensor): their flat positions.
            kernel_size (Union[int, tuple]): window of the pool.
            stride (Union[int, tuple]): its step; the window if None or 0.
            padding (Union[int, tuple]): its padding.
            output_size (tuple): shape or spatial sizes of the result; computed from the others if None.

        Raises:
            RuntimeError: a position is outside (eagerly, on a CPU).
        """
        check_tensors(api, x=x)
        kernel = sizes(api, "kernel_size", kernel_size, count)
        step = kernel if not stride else sizes(api, "stride", stride, count)
        pad = sizes(api, "padding", padding, count, 0)
        if output_size:
            spatial = tuple(output_size)[-count:]
        else:
            spatial = tuple(
                (n - 1) * s - 2 * p + k for n, s, p, k in zip(x.shape[-count:], step, pad, kernel, strict=True)
            )
        check_index(api, indices, math.prod(spatial), 0, "indices")
        return _placed(x, indices, spatial)

    unpool.__name__ = unpool.__qualname__ = api
    return unpool


max_unpool1d, max_unpool2d, max_unpool3d = (_unpool(count) for count in (1, 2, 3))
table_faces(__name__, "max_unpool1d max_unpool2d max_unpool3d", "ops")
