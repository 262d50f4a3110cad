"""`mindspore.mint.nn.functional`: PyTorch's names and defaults over the same operations as `mindspore.ops`.

Where name, order and default of every argument agree the operation itself declares this face (`_core/faces.py`); the
functions here only translate. `inplace=True` writes the result into the input and returns it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core import faces as _faces
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import value_error
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import write_barrier
from ms_compat._names.resolve import unsupported_getattr as _unsupported_getattr
from ms_compat.ops.function.elementwise import activation as _act
from ms_compat.ops.function.image.interpolate import interpolate_exact as _interpolate
from ms_compat.ops.function.loss import losses as _loss
from ms_compat.ops.function.nn import conv as _conv
from ms_compat.ops.function.nn import normalization as _norm
from ms_compat.ops.function.nn.dropout import dropout as _dropout
from ms_compat.ops.function.nn.dropout import dropout2d as _dropout2d
from ms_compat.ops.function.pooling import windows as _pool
from ms_compat.ops.function.shape import join as _join
from ms_compat.ops.function.shape.create import another as _another


def _into(target: Tensor, out: Tensor, inplace: bool) -> Tensor:
    if not inplace:
        return out
    write_barrier.assign(target, out._v, out._node)
    return target


def relu6(input, inplace=False):
    """min(max(x, 0), 6)."""
    return _into(input, _act.relu6(input), inplace)


def silu(input, inplace=False):
    """x * sigmoid(x)."""
    return _into(input, _act.silu(input), inplace)


def elu(input, alpha=1.0, inplace=False):
    """x where x > 0, alpha * (exp(x) - 1) elsewhere."""
    return _into(input, _act.elu_ext(input, float(alpha)), inplace)


def elu_(input, alpha=1.0):
    """`elu` in place."""
    return elu(input, alpha, True)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    """The input limited to [min_val, max_val]."""
    return _into(input, _act.hardtanh(input, min_val, max_val), inplace)


def hardtanh_(input, min_val=-1, max_val=1):
    """`hardtanh` in place."""
    return hardtanh(input, min_val, max_val, True)


def sigmoid_(input):
    """`sigmoid` in place."""
    return _into(input, _act.sigmoid(input), True)


def threshold(input, threshold, value, inplace=False):
    """x where x > threshold, else value."""
    return _into(input, _act.threshold(input, threshold, value), inplace)


def threshold_(input, threshold, value):
    """`threshold` in place."""
    return _into(input, _act.threshold(input, threshold, value), True)


def leaky_relu(input, negative_slope=0.01):
    """x where x > 0, negative_slope * x elsewhere."""
    return _act.leaky_relu(input, negative_slope)


def glu(input, dim=-1):
    """a * sigmoid(b) for the two halves a, b along an axis."""
    return _act.glu(input, dim)


def softmax(input, dim=None, dtype=None):
    """exp(x) / sum(exp(x)) along an axis; `dtype` is a type to cast to first."""
    return _act.softmax(input, _act.implicit_axis(input, dim), dtype)


def log_softmax(input, dim=None, *, dtype=None):
    """log(softmax(x)) along an axis; `dtype` is a type to cast to first."""
    return _act.log_softmax(input if dtype is None else input.astype(dtype), _act.implicit_axis(input, dim))


def _conv_nd(function: Any, count: int):
    def conv(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        if len(input.shape) == count + 1:  # one image without a batch
            return conv(input[None], weight, bias, stride, padding, dilation, groups)[0]
        if len(input.shape) == len(weight.shape) == count + 2 and isinstance(groups, int):
            _conv.check_channels(f"conv{count}d", input, weight, groups, ValueError)
        if isinstance(padding, str):
            return function(input, weight, bias, stride, padding, 0, dilation, groups)
        return function(input, weight, bias, stride, "pad", padding, dilation, groups)

    conv.__name__ = conv.__qualname__ = f"conv{count}d"
    conv.__doc__ = f"{count}-D convolution; `padding` is zeros on both sides of each axis, or 'valid' or 'same'."
    return conv


conv1d, conv2d, conv3d = (_conv_nd(f, i) for i, f in enumerate((_conv.conv1d, _conv.conv2d, _conv.conv3d), 1))
_faces.table_faces(__name__, "conv2d", "mint")


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Maxima over windows of [N, C, H, W]."""
    return _pool.max_pool2d(input, kernel_size, stride or None, padding, dilation, return_indices, ceil_mode)


@op(static=("count", "kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor"))
def _avg_pool(x, count, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor):
    ranks = (count + 1, count + 2)
    api = f"avg_pool{count}d"
    return _pool.avg_pool_nd(api, count, x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor, ranks)


def _divisor(value: int | None) -> int:
    if value == 0:
        raise value_error("avg_pool", "divisor_override", "not 0", value)
    return value or 0


def _flat(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """Averages over windows of [N, C, L]."""
    return _avg_pool(
        input, 1, _flat(kernel_size), _flat(stride) or None, _flat(padding), ceil_mode, count_include_pad, 0
    )


def avg_pool2d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    """Averages over windows of [N, C, H, W]."""
    how = (_flat(kernel_size), _flat(stride) or None, _flat(padding), ceil_mode, count_include_pad)
    return _avg_pool(input, 2, *how, _divisor(divisor_override))


def avg_pool3d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    """Averages over windows of [N, C, D, H, W]."""
    how = (_flat(kernel_size), _flat(stride) or None, _flat(padding), ceil_mode, count_include_pad)
    return _avg_pool(input, 3, *how, _divisor(divisor_override))


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """Normalises every channel; see `ops.batch_norm`. Without running statistics the batch's own are used."""
    if running_mean is None:
        return _norm.batch_norm_train(input, weight, bias, None, None, momentum, eps)[0]
    return _norm.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


def dropout(input, p=0.5, training=True, inplace=False):
    """Zeroes elements with probability p, which may be 1 here; what stays as it is shares storage."""
    if training and p == 1:
        return _into(input, _act.threshold(input, float(np.inf), 0.0), inplace)
    out = _dropout(input, p, training)
    if p == 0 or not training:
        return input if inplace else _another(input)
    return _into(input, out, inplace)


def dropout2d(input, p=0.5, training=True, inplace=False):
    """Zeroes whole channels with probability p."""
    return _into(input, _dropout2d(input, p, training), inplace)


def binary_cross_entropy(input, target, weight=None, reduction="mean"):
    """Binary cross-entropy of probabilities."""
    return _loss.binary_cross_entropy(input, target, weight, reduction)


def binary_cross_entropy_with_logits(input, target, weight=None, reduction="mean", pos_weight=None):
    """Binary cross-entropy of logits."""
    return _loss.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Negative log-likelihood of log-probabilities."""
    return _loss.nll_loss(input, target, weight, ignore_index, reduction)


def smooth_l1_loss(input, target, reduction="mean", beta=1.0):
    """0.5 d ** 2 / beta where |d| < beta, |d| - 0.5 beta elsewhere."""
    return _loss.smooth_l1_loss(input, target, beta, reduction)


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
    """Resizes the spatial axes; `scale_factor` gives floor(size * factor).

    Positions are 1 / `scale_factor` apart, with `recompute_scale_factor` as far as both sizes say.
    """
    return _interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor)


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """Same as `interpolate`."""
    return interpolate(input, size, scale_factor, mode, align_corners)


def pad(input, pad, mode="constant", value=None):
    """Elements added around the last axes; negative padding cuts.

    Args:
        input (Tensor): to be padded.
        pad (tuple): pairs (before, after) of ints, from the last axis on.
        mode (str): "constant", "reflect", "replicate" or "circular".
        value (number): what mode "constant" adds; 0 by default.
    """
    return _join.pad(input, pad, mode, value)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Puts the values back to the positions that a maximum pool returned; zero elsewhere."""
    return _pool.max_unpool2d(input, indices, kernel_size, stride, padding, output_size)


def flatten(input, start_dim=0, end_dim=-1):
    """Dimensions as one."""
    from ms_compat.mint._adapters import flatten as general

    return general(input, start_dim, end_dim)


__getattr__, __dir__ = _faces.lazy_names(globals(), _unsupported_getattr(__name__))
