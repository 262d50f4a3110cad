"""Generated primitives of shapes, places, windows and layers; see `primitives.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ms_compat import mint, ops
from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_choice
from ms_compat._core.tensor import Tensor
from ms_compat.mint.nn import functional as F
from ms_compat.ops.function.indexing.scatter import index_fill_ext
from ms_compat.ops.function.shape.pixel_shuffle import as_strided


def _reflect(input: Any, padding: Any) -> Tensor:
    return F.pad(input, tuple(padding), "reflect")


def _replicate(input: Any, padding: Any) -> Tensor:
    return F.pad(input, tuple(padding), "replicate")


def _upsample(mode: str) -> Callable:
    def call(x: Any, output_size: Any = None, scales: Any = None, align_corners: bool = False) -> Tensor:
        corners = None if mode == "nearest" else align_corners
        if (output_size is None) == (scales is None):
            raise ValueError("For 'upsample', give one of 'output_size' and 'scales'.")
        if output_size is not None:
            return F.interpolate(x, size=tuple(output_size), mode=mode, align_corners=corners)
        return F.interpolate(
            x, scale_factor=tuple(scales), mode=mode, align_corners=corners, recompute_scale_factor=True
        )

    return call


def _split(input: Any, split_size: Any, dim: int = 0) -> tuple[Tensor, ...]:
    return mint.split(input, split_size, dim)


def _index(input: Any, indices: Any) -> Tensor:
    return input[tuple(indices) if isinstance(indices, (tuple, list)) else indices]


def _slice(input: Any, dim: int, start: int, end: int, step: int) -> Tensor:
    at: list[Any] = [slice(None)] * input.ndim
    at[dim] = slice(start, end, step)
    return input[tuple(at)]


def _layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> tuple:
    """The result, the mean and the reciprocal of the standard deviation, as the primitive gives them."""
    axes = tuple(range(input.ndim - len(tuple(normalized_shape)), input.ndim))
    mean = ops.mean(input, axes, True)
    deviation = ops.rsqrt(ops.add(ops.mean(ops.square(ops.sub(input, mean)), axes, True), eps))
    return F.layer_norm(input, normalized_shape, weight, bias, eps), mean, deviation


def _batch_norm(
    input, weight=None, bias=None, running_mean=None, runnning_var=None, training=False, momentum=0.1, epsilon=1e-5
):
    axes = (0, *range(2, input.ndim))
    if training:
        mean = ops.mean(input, axes)
        deviation = ops.rsqrt(ops.add(mint.var(input, axes, correction=0), epsilon))
    else:
        mean = deviation = mint.zeros((0,), dtype=input.dtype)
    out = F.batch_norm(input, running_mean, runnning_var, weight, bias, training, momentum, epsilon)
    return out, mean, deviation


def _group_norm(input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> tuple:
    grouped = input.reshape((input.shape[0], num_groups, -1))
    deviation = ops.rsqrt(ops.add(mint.var(grouped, 2, correction=0), eps))
    return F.group_norm(input, num_groups, weight, bias, eps), ops.mean(grouped, 2), deviation


def _convolution(
    input, weight, bias=None, stride=1, padding=0, dilation=1, transposed=False, output_padding=0, groups=1
):
    if transposed:
        if input.ndim != 4:
            raise ValueError(f"For 'Convolution', a transposed one takes 4 dimensions, but got {input.ndim}.")
        return F.conv_transpose2d(
            input, weight, bias, _pair(stride), _pair(padding), _pair(output_padding), groups, _pair(dilation)
        )
    function = {3: F.conv1d, 4: F.conv2d, 5: F.conv3d}.get(input.ndim)
    if function is None:
        raise ValueError(f"For 'Convolution', the input must have 3, 4 or 5 dimensions, but got {input.ndim}.")
    return function(input, weight, bias, _settings(stride), _settings(padding), _settings(dilation), groups)


def _pair(value: Any) -> Any:
    return tuple(value) if isinstance(value, (tuple, list)) else value


def _settings(value: Any) -> Any:
    return value if isinstance(value, (int, str)) else tuple(value)


def _fill(size: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    return mint.full(tuple(size), fill_value, dtype=dtype)


SHAPES: dict[str, Callable] = {
    "Arange": lambda start, end, step, dtype=None: mint.arange(start, end, step, dtype=dtype),
    "AsStrided": lambda input, size, stride, storage_offset=0: as_strided(
        input, tuple(size), tuple(stride), storage_offset
    ),
    "BroadcastToView": lambda input, shape: ops.broadcast_to(input, tuple(shape)),
    "Chunk": lambda input, chunks, dim=0: mint.chunk(input, chunks, dim),
    "ChunkView": lambda input, chunks, dim=0: mint.chunk(input, chunks, dim),
    "ConstantPadND": lambda input, padding, value=0.0: F.pad(input, tuple(padding), "constant", value),
    "DiagExt": lambda input, diagonal=0: mint.diag(input, diagonal),
    "ExpandAs": lambda input, other: ops.expand_as(input, other),
    "ExpandDimsView": lambda input, dim: ops.expand_dims(input, dim),
    "FillScalar": _fill,
    "FillTensor": _fill,
    "FlattenExt": lambda input, start_dim=0, end_dim=-1: mint.flatten(input, start_dim, end_dim),
    "FullLike": lambda input, fill_value, dtype=None: mint.full_like(input, fill_value, dtype=dtype),
    "Index": _index,
    "InnerIndex": _index,
    "IndexAddExt": lambda input, dim, index, source, alpha=1: mint.index_add(input, dim, index, source, alpha=alpha),
    "IndexFillScalar": lambda input, dim, index, value: index_fill_ext(input, dim, index, value),
    "IndexFillTensor": lambda input, dim, index, value: index_fill_ext(input, dim, index, value),
    "IndexSelect": lambda input, dim, index: mint.index_select(input, dim, index),
    "LinSpaceExt": lambda start, end, steps, dtype=None: mint.linspace(start, end, steps, dtype=dtype),
    "Narrow": lambda input, dim, start, length: mint.narrow(input, dim, start, length),
    "NarrowView": lambda input, dim, start, length: mint.narrow(input, dim, start, length),
    "NewOnes": lambda input, size, dtype=None: mint.ones(tuple(size), dtype=dtype or input.dtype),
    "NewZeros": lambda input, size, dtype=None: mint.zeros(tuple(size), dtype=dtype or input.dtype),
    "NonZeroExt": lambda input: mint.nonzero(input, as_tuple=True),
    "InnerNonZero": lambda input: mint.transpose(mint.nonzero(input), 0, 1),
    "OnesLikeExt": lambda input, dtype=None: mint.ones_like(input, dtype=dtype),
    "ZerosLikeExt": lambda input, dtype=None: mint.zeros_like(input, dtype=dtype),
    "Repeat": lambda input, repeats: mint.tile(input, tuple(repeats)),
    "RepeatInterleaveInt": lambda input, repeats, dim=None, output_size=None: mint.repeat_interleave(
        input, repeats, dim, output_size=output_size
    ),
    "RepeatInterleaveTensor": lambda input, repeats, dim=None, output_size=None: mint.repeat_interleave(
        input, repeats, dim, output_size=output_size
    ),
    "Scatter": lambda input, dim, index, src, reduce="none": _scatter(input, dim, index, src, reduce),
    "ScatterValue": lambda input, dim, index, src, reduce="none": _scatter(input, dim, index, src, reduce),
    "ScatterAddExt": lambda input, dim, index, src: mint.scatter_add(input, dim, index, src),
    "SelectExtView": lambda input, dim, index: mint.select(input, dim, index),
    "SelectV2": lambda condition, input, other: mint.where(condition, input, other),
    "SliceExt": _slice,
    "SliceExtView": _slice,
    "SplitTensor": _split,
    "SplitTensorView": _split,
    "SplitWithSize": _split,
    "SplitWithSizeView": _split,
    "TrilExt": lambda input, diagonal=0: mint.tril(input, diagonal),
    "UnstackExtView": lambda input, dim=0: mint.unbind(input, dim),
    "ViewAs": lambda input, other: input.reshape(other.shape),
    # windows and resizing
    "AdaptiveAvgPool1D": lambda input, output_size: F.adaptive_avg_pool1d(input, output_size),
    "AdaptiveAvgPool2DExt": lambda input, output_size: F.adaptive_avg_pool2d(input, output_size),
    "AdaptiveAvgPool3DExt": lambda input, output_size: F.adaptive_avg_pool3d(input, output_size),
    "AvgPool1D": F.avg_pool1d,
    "AvgPool2D": F.avg_pool2d,
    "AvgPool3DExt": F.avg_pool3d,
    "Col2ImExt": lambda input, output_size, kernel_size, dilation=1, padding=0, stride=1: F.fold(
        input, output_size, kernel_size, dilation, padding, stride
    ),
    "Im2ColExt": lambda input, kernel_size, dilation=1, padding=0, stride=1: F.unfold(
        input, kernel_size, dilation, padding, stride
    ),
    "Col2ImGrad": lambda input, kernel_size, dilation=1, padding=0, stride=1: F.unfold(
        input, kernel_size, dilation, padding, stride
    ),
    "MaxUnpool2DExt": lambda input, indices, kernel_size, stride=None, padding=0, output_size=None: F.max_unpool2d(
        input, indices, kernel_size, stride, padding, output_size
    ),
    "PixelShuffle": lambda input, upscale_factor: F.pixel_shuffle(input, upscale_factor),
    "ReflectionPad1D": _reflect,
    "ReflectionPad2D": _reflect,
    "ReflectionPad3D": _reflect,
    "ReplicationPad1D": _replicate,
    "ReplicationPad2D": _replicate,
    "ReplicationPad3D": _replicate,
    "UpsampleBicubic2D": _upsample("bicubic"),
    "UpsampleBilinear2D": _upsample("bilinear"),
    "UpsampleLinear1D": _upsample("linear"),
    "UpsampleNearest1D": _upsample("nearest"),
    "UpsampleNearest2D": _upsample("nearest"),
    # layers
    "Conv1DExt": F.conv1d,
    "Conv1DPadding": F.conv1d,
    "Conv2DExt": F.conv2d,
    "Conv2DPadding": F.conv2d,
    "Conv3DExt": F.conv3d,
    "Conv3DPadding": F.conv3d,
    "ConvTranspose2D": F.conv_transpose2d,
    "Convolution": _convolution,
    "ConvolutionStr": _convolution,
    "BatchNormExt": _batch_norm,
    "GroupNorm": _group_norm,
    "LayerNormExt": _layer_norm,
    "AddRmsNorm": lambda x1, x2, gamma, epsilon=1e-6: (
        *ops.rms_norm(ops.add(x1, x2), gamma, epsilon),
        ops.add(x1, x2),
    ),
    "Embedding": lambda input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False: (
        F.embedding(input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq)
    ),
    "MoeGatingTopKSoftmax": lambda x, finished=None, k=1: _routed(x, finished, k),
}


def _scatter(input: Any, dim: int, index: Any, src: Any, reduce: str) -> Tensor:
    check_choice("Scatter", "reduce", reduce, ("none", "add"))
    if reduce == "none":
        return mint.scatter(input, dim, index, src)
    source = src if isinstance(src, Tensor) else mint.full(index.shape, src, dtype=input.dtype)
    return mint.scatter_add(input, dim, index, source)


def _routed(x: Any, finished: Any, k: int) -> tuple[Tensor, Tensor, Tensor]:
    """Softmax over the experts, the `k` largest, their numbers, and where row i's j-th goes: i + j * rows.

    Rows that are `finished` get the number of experts, which is not an expert.
    """
    weights, experts = mint.topk(mint.softmax(x, -1), k, -1)
    experts = experts.astype(mstype.int32)
    rows = mint.transpose(mint.arange(x.shape[0] * k, dtype=mstype.int32).reshape((k, x.shape[0])), 0, 1)
    if finished is not None:
        experts = mint.where(ops.expand_dims(finished, -1), mint.full_like(experts, x.shape[-1]), experts)
    return weights, experts, rows
