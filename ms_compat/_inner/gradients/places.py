"""Gradients of pools, slices, paddings, resizing and gathering; see `primitives.py`.

The forward operations are linear (the pullback is taken at zero), or their gradient goes to places that the forward
returned (`argmax`), or the forward is run again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat import mint, ops
from ms_compat._autograd.forward_mode import jvp
from ms_compat._core.dispatch.op import op
from ms_compat._core.tensor import Tensor
from ms_compat._inner.gradients.base import ints, pull, zeros
from ms_compat.mint.nn import functional as F
from ms_compat.ops.primitive import REQUIRED, Row


def _linear(forward: Callable, dy: Any, shape: Any) -> Any:
    return pull(forward, dy, zeros(shape, dy.dtype))


# -- places ----------------------------------------------------------------------------------------------------------
@op(static=("kept",))
def _to_places(dy, x, places, kept):
    """Put `dy` at flat places of `x`; the first `kept` axes are batches."""
    batch = x.shape[:kept]
    rows = int(np.prod(batch, dtype=np.int64))
    out = jnp.zeros((rows, x.size // rows), dy.dtype)
    at = places.reshape(rows, -1)
    return out.at[jnp.arange(rows)[:, None], at].add(dy.reshape(rows, -1)).reshape(x.shape)


@op(static=("kept",))
def _from_places(dy, x, places, kept):
    rows = int(np.prod(x.shape[:kept], dtype=np.int64))
    return jnp.take_along_axis(dy.reshape(rows, -1), places.reshape(rows, -1), 1).reshape(x.shape)


@op
def _masked_select(x, mask, grad):
    mask = jnp.broadcast_to(mask, x.shape)
    at = jnp.cumsum(mask.reshape(-1)) - 1
    values = grad[jnp.clip(at, 0, max(grad.shape[0] - 1, 0))].reshape(x.shape) if grad.shape[0] else jnp.zeros_like(x)
    return jnp.where(mask, values, 0).astype(grad.dtype)


@op
def _sliced(grad, indices, start, new_indices):
    same = (indices[:, None] == new_indices[None] + start).all(-1)
    return same.astype(grad.dtype) @ grad


@op
def _gamma(alpha, sample):
    return jax.lax.random_gamma_grad(jnp.broadcast_to(alpha, sample.shape), sample)


@op(static=("rows", "scaling"))
def _segments(x, indices, segments, rows, scaling):
    counts = jnp.zeros((x.shape[0],), x.dtype).at[segments].add(1)[segments]
    scale = {"sum": jnp.ones_like(counts), "mean": 1 / counts, "sqrt": 1 / jnp.sqrt(counts)}[scaling]
    parts = x[segments] * scale.reshape(-1, *[1] * (x.ndim - 1))
    return jnp.zeros((rows, *x.shape[1:]), x.dtype).at[indices].add(parts)


def _segment_grad(scaling: str) -> Row:
    def gradient(x, indices, segment_ids, output_dim0):
        return _segments(x, indices, segment_ids, ints(output_dim0)[0], scaling)

    return Row(gradient, ("x", "indices", "segment_ids", "output_dim0"))


@op(static=("whole", "axis", "keep_dims"))
def _median(dy, x, y, indices, whole, axis, keep_dims):
    if whole:
        same = x == y
        return (same * (dy / same.sum())).astype(dy.dtype)
    if not keep_dims:
        dy, indices = jnp.expand_dims(dy, axis), jnp.expand_dims(indices, axis)
    return jnp.put_along_axis(jnp.zeros(x.shape, dy.dtype), indices, dy, axis, inplace=False)


@op(static=("rows", "padding", "by_frequency"))
def _embedding(grad, indices, rows, padding, by_frequency):
    at, g = indices.reshape(-1), grad.reshape(-1, grad.shape[-1])
    if padding is not None:
        g = jnp.where((at == padding % rows)[:, None], 0, g)
    if by_frequency:
        g = g / jnp.zeros((rows,), g.dtype).at[at].add(1)[at][:, None]
    return jnp.zeros((rows, grad.shape[-1]), g.dtype).at[at].add(g)


@op(static=("dim", "sizes"))
def _repeats(grad, dim, sizes):
    at = np.repeat(np.arange(len(sizes)), sizes)
    shape = list(grad.shape)
    shape[dim] = len(sizes)
    moved = jnp.moveaxis(grad, dim, 0)
    return jnp.moveaxis(jnp.zeros((len(sizes), *moved.shape[1:]), grad.dtype).at[at].add(moved), 0, dim)


def _repeat_interleave(grad: Any, repeats: Any, dim: int) -> Tensor:
    sizes = ints(repeats)
    if len(sizes) == 1:
        sizes = sizes * (grad.shape[dim] // sizes[0])
    return _repeats(grad, dim % grad.ndim, sizes)


# -- slices and paddings ---------------------------------------------------------------------------------------------
def _strided_slice(dy, shapex, begin, end, strides, *masks):
    cut = ops.StridedSlice(*masks)
    return _linear(lambda x: cut(x, ints(begin), ints(end), ints(strides)), dy, shapex)


def _mirror_pad(dy, paddings, mode):
    pairs = np.array(ints(paddings)).reshape(-1, 2)
    shape = tuple([int(n - pair.sum()) for n, pair in zip(dy.shape, pairs, strict=True)])
    return _linear(lambda x: ops.MirrorPad(mode)(x, paddings), dy, shape)


def _pad_v3(dy, paddings, mode, paddings_contiguous):
    sizes = ints(paddings)
    half = len(sizes) // 2
    pairs = [sizes[2 * i : 2 * i + 2] for i in range(half)] if paddings_contiguous else list(
        zip(sizes[:half], sizes[half:], strict=True)
    )  # fmt: skip
    shape = list(dy.shape)
    for i, pair in enumerate(pairs):
        shape[-1 - i] -= sum(pair)
    flat = tuple([n for pair in pairs for n in pair])
    kind = "replicate" if mode == "edge" else mode
    return _linear(lambda x: F.pad(x, flat, kind), dy, shape)


def _padded(mode: str) -> Callable:
    def gradient(grad_output, input, padding):
        return pull(lambda x: F.pad(x, ints(padding), mode), grad_output, input)

    return gradient


# -- resizing --------------------------------------------------------------------------------------------------------
def _resized(name: str) -> Callable:
    def gradient(grads, image, *how):
        forward = getattr(ops, name)(*how)
        return pull(lambda x: forward(x, tuple(grads.shape[2:])), grads, image)

    return gradient


def _resized_of(name: str) -> Callable:
    def gradient(grads, size, *how):
        shape = (*grads.shape[:2], *ints(size))
        forward = getattr(ops, name)(*how)
        return _linear(lambda x: forward(x, tuple(grads.shape[2:])), grads, shape)

    return gradient


def _nearest(grads, size, align_corners, half_pixel_centers):
    forward = ops.ResizeNearestNeighbor(tuple(grads.shape[2:]), align_corners, half_pixel_centers)
    return _linear(forward, grads, (*grads.shape[:2], *ints(size)))


def _upsampled(mode: str) -> Callable:
    def gradient(dy, input_size, output_size=None, scales=None, align_corners=False):
        corners = None if mode == "nearest" else align_corners
        how: dict[str, Any] = {"size": tuple(dy.shape[2:])} if scales is None else {"scale_factor": tuple(scales)}
        if scales is not None:
            how["recompute_scale_factor"] = True
        return _linear(lambda x: F.interpolate(x, mode=mode, align_corners=corners, **how), dy, input_size)

    return gradient


# -- pools and convolutions ------------------------------------------------------------------------------------------
def _pooled(name: str) -> Callable:
    def gradient(x, out, dout, *how):
        return pull(getattr(ops, name)(*how), dout, x)

    return gradient


def _pooled_again(name: str) -> Callable:
    def gradient(x, out, grad, *how):
        return jvp(getattr(ops, name)(*how), x, grad)[1]

    return gradient


def _last3(*values: Any) -> tuple:
    return tuple([value if isinstance(value, int) else tuple(value)[-3:] for value in values])


def _pool3d(kernel_size: Any, strides: Any, *how: Any) -> Any:
    kernel, step = _last3(kernel_size, strides)
    return ops.MaxPool3D(kernel, step, *how)


def _avg_pool3d(origin_input_shape, grads, kernel_size, strides, pads, ceil_mode, count_include_pad, divisor_override,
                data_format, pad_mode):  # fmt: skip
    sizes = _last3(kernel_size, strides)
    mode = pad_mode if pads else "valid"
    kernel, step = sizes
    forward = ops.AvgPool3D(kernel, step, mode, pads, ceil_mode, count_include_pad, divisor_override, data_format)
    return _linear(forward, grads, origin_input_shape)


def _max_pool3d(x, out, grad, kernel_size, strides, pad_mode, pad_list, data_format):
    return pull(_pool3d(kernel_size, strides, pad_mode, pad_list, None, data_format), grad, x)


def _adaptive(count: int) -> Row:
    function = {2: ops.adaptive_avg_pool2d, 3: ops.adaptive_avg_pool3d}[count]
    return Row(
        lambda dy, shape: _linear(lambda x: function(x, tuple(dy.shape[-count:])), dy, shape),
        ("input_grad", "orig_input_shape"),
    )


def _conv_filter(name: str, dout_first: bool) -> Callable:
    dims = {"Conv2D": 2, "Conv3D": 3}[name]

    def gradient(*given):
        first, second, size = given[:3]
        dout, x = (first, second) if dout_first else (second, first)
        out_channel, kernel_size, pad_mode, pad, mode, stride, dilation, group, data_format = given[3:]
        stride, dilation = [v if isinstance(v, int) else tuple(v)[-dims:] for v in (stride, dilation)]
        forward = getattr(ops, name)(
            out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group, data_format
        )
        return _linear(lambda w: forward(x, w), dout, size)

    return gradient


def _sampled(grad, x, grid, interpolation_mode, padding_mode, align_corners, output_mask):
    return pull(lambda x, g: ops.grid_sample(x, g, interpolation_mode, padding_mode, align_corners), grad, x, grid)


def _depthwise(channel_multiplier, kernel_size, pad_mode, pad, pad_list, mode, stride, dilation, group):
    padding = tuple(pad_list) if any(pad_list) else pad
    return ops.DepthwiseConv2dNative(channel_multiplier, kernel_size, mode, pad_mode, padding, stride, dilation, group)


def _affine_grid(dy, size, align_corners):
    size = ints(size)
    dims = len(size) - 2
    return _linear(lambda theta: ops.affine_grid(theta, size, align_corners), dy, (size[0], dims, dims + 1))


PLACES: dict[str, Callable] = {
    "MaskedSelectGrad": _masked_select,
    "GatherDGradV2": lambda x, dim, index, dout: pull(lambda x: ops.gather_d(x, dim, index), dout, x),
    "AdaptiveMaxPool2DGrad": lambda y_grad, x, argmax: _to_places(y_grad, x, argmax, x.ndim - 2),
    "EmbeddingDenseBackward": lambda grad, indices, num_weights, padding_idx=None, scale_grad_by_freq=False: _embedding(
        grad, indices, num_weights, padding_idx, scale_grad_by_freq
    ),
    "RepeatInterleaveGrad": lambda input, repeats, dim: _repeat_interleave(input, repeats, dim),
    "ReflectionPad1DGrad": _padded("reflect"),
    "ReflectionPad2DGrad": _padded("reflect"),
    "ReflectionPad3DGrad": _padded("reflect"),
    "ReplicationPad1DGrad": _padded("replicate"),
    "ReplicationPad2DGrad": _padded("replicate"),
    "ReplicationPad3DGrad": _padded("replicate"),
    "AdaptiveAvgPool2DGradExt": lambda grad_output, x: pull(
        lambda x: F.adaptive_avg_pool2d(x, tuple(grad_output.shape[-2:])), grad_output, x
    ),
    "AdaptiveAvgPool3DGradExt": lambda input_grad, input: pull(
        lambda x: F.adaptive_avg_pool3d(x, tuple(input_grad.shape[-3:])), input_grad, input
    ),
    "AvgPool2DGrad": lambda grad, image, *args, **kwargs: pull(lambda x: F.avg_pool2d(x, *args, **kwargs), grad, image),
    "AvgPool3DGradExt": lambda grad, input, *args, **kwargs: pull(
        lambda x: F.avg_pool3d(x, *args, **kwargs), grad, input
    ),
    "UpsampleNearest1DGrad": _upsampled("nearest"),
    "UpsampleNearest2DGrad": _upsampled("nearest"),
    "UpsampleNearest3DGrad": _upsampled("nearest"),
    "UpsampleLinear1DGrad": _upsampled("linear"),
    "UpsampleBilinear2DGrad": _upsampled("bilinear"),
    "UpsampleBicubic2DGrad": _upsampled("bicubic"),
    "FlattenGrad": lambda dy, shape: ops.reshape(dy, ints(shape)),
    "TraceGrad": lambda y_grad, x_shape: ops.mul(mint.eye(ints(x_shape)[0], ints(x_shape)[1], y_grad.dtype), y_grad),
    "UniqueGrad": lambda dy, y: ops.gather(dy[0], y[1], 0),
    "SliceGrad": lambda dy, x, begin, size: _linear(lambda x: ops.slice(x, ints(begin), ints(size)), dy, x.shape),
}

_DILATION = {"stride": REQUIRED, "dilation": REQUIRED, "pad_mode": "SAME", "data_format": "NCHW"}
_DEPTHWISE = {
    "channel_multiplier": REQUIRED, "kernel_size": REQUIRED, "pad_mode": "valid", "pad": 0, "pad_list": (0, 0, 0, 0),
    "mode": 3, "stride": 1, "dilation": 1, "group": 1,
}  # fmt: skip
_POOL = {"kernel_size": 1, "strides": 1, "pad_mode": "VALID", "data_format": "NCHW"}
_IMAGE = {"align_corners": False, "half_pixel_centers": False}
_PLACES_IN = {"ksize": REQUIRED, "strides": 0, "pads": 0, "output_shape": ()}
BUILT_PLACES = {
    "StridedSliceGrad": Row(
        _strided_slice,
        ("dy", "shapex", "begin", "end", "strides"),
        {"begin_mask": 0, "end_mask": 0, "ellipsis_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 0},
    ),
    "MirrorPadGrad": Row(_mirror_pad, ("dy", "paddings"), {"mode": "REFLECT"}),
    "PadV3Grad": Row(_pad_v3, ("x", "paddings"), {"mode": "reflect", "paddings_contiguous": True}),
    "SparseSegmentSumGrad": _segment_grad("sum"),
    "SparseSegmentMeanGrad": _segment_grad("mean"),
    "SparseSegmentSqrtNGrad": _segment_grad("sqrt"),
    "MedianGrad": Row(
        _median, ("y_grad", "x", "y", "indices"), {"global_median": False, "axis": 0, "keep_dims": False}
    ),
    "ResizeBilinearGrad": Row(_resized("ResizeBilinearV2"), ("grads", "image"), _IMAGE),
    "ResizeBicubicGrad": Row(_resized("ResizeBicubic"), ("grads", "image"), _IMAGE),
    "ResizeLinear1DGrad": Row(
        _resized("ResizeLinear1D"), ("grads", "x"), {"coordinate_transformation_mode": "align_corners"}
    ),
    "ResizeNearestNeighborGrad": Row(_nearest, ("grads", "size"), _IMAGE),
    "ResizeNearestNeighborV2Grad": Row(_resized_of("ResizeNearestNeighborV2"), ("grads", "size"), _IMAGE),
    "UpsampleTrilinear3DGrad": Row(
        lambda dy, input_size, output_size, scales, align_corners: _upsampled("trilinear")(
            dy, input_size, output_size, scales, align_corners
        ),
        ("dy", "input_size", ("output_size", None), ("scales", None)),
        {"align_corners": False},
    ),
    "AvgPoolGrad": Row(_pooled("AvgPool"), ("x", "out", "dout"), _POOL),
    "AvgPoolGradGe": Row(lambda x, dout, *how: pull(ops.AvgPool(*how), dout, x), ("origin_input", "dout"), _POOL),
    "AvgPoolGradV1": Row(
        lambda shape, dout, *how: _linear(ops.AvgPool(*how), dout, shape), ("orig_input_shape", "input_grad"), _POOL
    ),
    "MaxPoolGrad": Row(_pooled("MaxPool"), ("x_origin", "out_origin", "grad"), _POOL),
    "MaxPoolGradV1": Row(_pooled("MaxPool"), ("x_origin", "out_origin", "grad"), _POOL),
    "MaxPoolGradGrad": Row(
        _pooled_again("MaxPool"),
        ("x_origin", "out_origin", "grad"),
        {"kernel_size": 1, "strides": 1, "pad_mode": "VALID"},
    ),
    "MaxPool3DGradGrad": Row(
        lambda x, out, grad, size, step, mode, _: jvp(_pool3d(size, step, mode), x, grad)[1],
        ("x_origin", "out_origin", "grad"),
        {"kernel_size": 1, "strides": 1, "pad_mode": "VALID", "data_format": "NCDHW"},
    ),
    "MaxPool3DGrad": Row(
        _max_pool3d,
        ("x_origin", "out_origin", "grad"),
        {"kernel_size": 1, "strides": 1, "pad_mode": "VALID", "pad_list": 0, "data_format": "NCDHW"},
    ),
    "AvgPool3DGrad": Row(
        _avg_pool3d,
        ("origin_input_shape", "grads"),
        {
            "kernel_size": 1,
            "strides": 1,
            "pads": 0,
            "ceil_mode": False,
            "count_include_pad": True,
            "divisor_override": 0,
            "data_format": "NCDHW",
            "pad_mode": "pad",
        },
    ),
    "AdaptiveAvgPool2DGrad": _adaptive(2),
    "AdaptiveAvgPool3DGrad": _adaptive(3),
    "AdaptiveMaxPool3DGrad": Row(
        lambda dy, x, argmax: _to_places(dy, x, argmax, x.ndim - 3), ("input_grad", "x", "argmax")
    ),
    "MaxPoolGradWithArgmax": Row(
        lambda x, dy, argmax, *_: _to_places(dy, x, argmax, 1), ("x", "grad", "argmax"), _POOL
    ),
    "MaxPoolGradGradWithArgmax": Row(
        lambda x, grad, argmax, *_: _from_places(grad, argmax, argmax, 1),
        ("x", "grad", "argmax"),
        {"kernel_size": 1, "strides": 1, "pad_mode": "VALID"},
    ),
    "MaxPoolGradWithArgmaxV2": Row(
        lambda x, dy, argmax, *_: _to_places(dy, x, argmax, 2),
        ("x", "grad", "argmax"),
        {
            "kernel_size": REQUIRED,
            "strides": None,
            "pads": 0,
            "dilation": (1, 1),
            "ceil_mode": False,
            "argmax_type": None,
        },
    ),
    "MaxPool3DGradWithArgmax": Row(
        lambda x, dy, argmax, *_: _to_places(dy, x, argmax, 2),
        ("x", "grads", "argmax"),
        {
            "ksize": REQUIRED,
            "strides": REQUIRED,
            "pads": REQUIRED,
            "dilation": (1, 1, 1),
            "ceil_mode": False,
            "data_format": "NCDHW",
        },
    ),
    "FractionalMaxPoolGradWithFixedKsize": Row(
        lambda x, dy, argmax, _: _to_places(dy, x, argmax, 2),
        ("origin_input", "out_backprop", "argmax"),
        {"data_format": "NCHW"},
    ),
    "FractionalMaxPool3DGradWithFixedKsize": Row(
        lambda x, dy, argmax, _: _to_places(dy, x, argmax, 2),
        ("origin_input", "out_backprop", "argmax"),
        {"data_format": "NCDHW"},
    ),
    "MaxUnpool2DGrad": Row(
        lambda x, dy, argmax, *_: _from_places(dy, x, argmax, 2),
        ("x", "grads", "argmax"),
        {**_PLACES_IN, "data_format": "NCHW"},
    ),
    "MaxUnpool3DGrad": Row(
        lambda x, dy, argmax, *_: _from_places(dy, x, argmax, 2),
        ("x", "grads", "argmax"),
        {**_PLACES_IN, "data_format": "NCDHW"},
    ),
    "Conv2DBackpropFilter": Row(
        lambda dout, x, size, out_channel, kernel_size, pad_mode, pad, pad_list, mode, stride, dilation, group, fmt: (
            _conv_filter("Conv2D", True)(
                dout, x, size, out_channel, kernel_size, pad_mode, pad, mode, stride, dilation, group, fmt
            )
        ),
        ("out_backprop", "input", "filter_sizes"),
        {
            "out_channel": REQUIRED,
            "kernel_size": REQUIRED,
            "pad_mode": "valid",
            "pad": 0,
            "pad_list": (0, 0, 0, 0),
            "mode": 1,
            "stride": (1, 1),
            "dilation": (1, 1, 1, 1),
            "group": 1,
            "data_format": "NCHW",
        },
    ),
    "Conv3DBackpropFilter": Row(
        lambda x, dout, size, out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group, fmt: _conv_filter(
            "Conv3D", False
        )(x, dout, size, out_channel, kernel_size, pad_mode, pad, mode, stride, dilation, group, fmt),
        ("x", "out_backprop", "filter_size"),
        {
            "out_channel": REQUIRED,
            "kernel_size": REQUIRED,
            "mode": 1,
            "pad_mode": "valid",
            "pad": 0,
            "stride": (1, 1, 1, 1, 1),
            "dilation": (1, 1, 1, 1, 1),
            "group": 1,
            "data_format": "NCDHW",
        },
    ),
    "GridSampler2DGrad": Row(
        _sampled,
        ("grad", "input_x", "grid"),
        {"interpolation_mode": "bilinear", "padding_mode": "zeros", "align_corners": False, "output_mask": (1, 1)},
    ),
    "GridSampler3DGrad": Row(
        _sampled,
        ("grad", "input_x", "grid"),
        {"interpolation_mode": "bilinear", "padding_mode": "zeros", "align_corners": False, "output_mask": (1, 1)},
    ),
    "AffineGridGrad": Row(_affine_grid, ("y_grad", "x_size"), {"align_corners": False}),
    "ROIAlignGrad": Row(
        lambda dy, rois, shape, *how: _linear(lambda x: ops.ROIAlign(*how)(x, rois), dy, shape),
        ("dy", "rois", "xdiff_shape"),
        {"pooled_height": REQUIRED, "pooled_width": REQUIRED, "spatial_scale": REQUIRED, "sample_num": 2},
    ),
    "SparseSliceGrad": Row(_sliced, ("backprop_val_grad", "indices", "start", "new_indices")),
    "RandomGammaGrad": Row(_gamma, ("alpha", "sample")),
    "Dilation2DBackpropInput": Row(
        lambda x, kernel, dout, *how: pull(lambda x: ops.Dilation2D(*how)(x, kernel), dout, x),
        ("x", "filter", "out_backprop"),
        _DILATION,
    ),
    "Dilation2DBackpropFilter": Row(
        lambda x, kernel, dout, *how: pull(lambda k: ops.Dilation2D(*how)(x, k), dout, kernel),
        ("x", "filter", "out_backprop"),
        _DILATION,
    ),
    "DepthwiseConv2dNativeBackpropInput": Row(
        lambda size, kernel, dout, *how: _linear(lambda x: _depthwise(*how)(x, kernel), dout, size),
        ("input_size", "filter", "dout"),
        _DEPTHWISE,
    ),
    "DepthwiseConv2dNativeBackpropFilter": Row(
        lambda x, size, dout, *how: _linear(lambda k: _depthwise(*how)(x, k), dout, size),
        ("input", "filter_size", "dout"),
        _DEPTHWISE,
    ),
    "DeformableOffsetsGrad": Row(
        lambda dout, x, offsets, strides, pads, kernel_size, *how: pull(
            ops.DeformableOffsets(strides, pads, kernel_size, *how), dout, x, offsets
        ),
        ("out_backprop", "input", "offsets"),
        {
            "strides": REQUIRED,
            "pads": REQUIRED,
            "kernel_size": REQUIRED,
            "dilations": (1, 1, 1, 1),
            "data_format": "NCHW",
            "deformable_groups": 1,
            "modulated": True,
        },
    ),
    "ScaleAndTranslateGrad": Row(
        lambda dy, image, scale, translation, *how: pull(
            lambda x: ops.ScaleAndTranslate(*how)(x, tuple(dy.shape[1:3]), scale, translation), dy, image
        ),
        ("grads", "original_image", "scale", "translation"),
        {"kernel_type": "lanczos3", "antialias": True},
    ),
    "ConcatOffset": Row(lambda xs, n, axis: _offsets(xs, axis), ("input_x",), {"N": 2, "axis": 0}),
}


def _offsets(xs: Any, axis: int) -> Tensor:
    """Where each of the joined tensors begins."""
    rows = np.zeros((len(xs), xs[0].ndim), np.int64)
    rows[1:, axis] = np.cumsum([x.shape[axis] for x in xs])[:-1]
    return Tensor(rows)
