"""The primitives that compute gradients: `ops.operations._grad_ops` and those among the generated ones.

Programs that write their own `bprop` call them. Two mechanisms serve nearly all: the pullback of the forward operation
(`pull`), and, where MindSpore's primitive takes the forward's output and not its input, the formula in the output. Rows
are named like the primitive; a lambda's parameters are the call's, a `Row` has constructor arguments, too. Both
can be differentiated again. Gradients of GRU kernels and communication are not here.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from ms_compat import ops
from ms_compat._autograd.vjp import vjp
from ms_compat._core.dispatch.op import op
from ms_compat._core.tensor import Tensor
from ms_compat._inner.generated.primitives import make_faces
from ms_compat._inner.generated.shapes import SHAPES
from ms_compat._inner.gradients.base import pull, zeros
from ms_compat._inner.gradients.networks import BUILT_NETWORKS, NETWORKS, batch_norm
from ms_compat._inner.gradients.places import BUILT_PLACES, PLACES
from ms_compat.mint.nn import functional as F
from ms_compat.ops.primitive import Row, make_primitives


def _formula(fn: Callable) -> Callable:
    """An operation of arrays whose result has the type of its first argument."""

    def gradient(*args):
        return fn(*args).astype(args[0].dtype)

    gradient.__signature__ = inspect.signature(fn)  # type: ignore[attr-defined]
    return op(name="gradient")(gradient)


# Formulas, mostly in the forward's output `y` and the cotangent `dy`.
_FORMULAS: dict[str, Callable] = {
    "SigmoidGrad": _formula(lambda y, dy: dy * y * (1 - y)),
    "TanhGrad": _formula(lambda y, dy: dy * (1 - y * y)),
    "SqrtGrad": _formula(lambda y, dy: dy / (2 * y)),
    "RsqrtGrad": _formula(lambda y, dy: dy * -0.5 * y * y * y),
    "InvGrad": _formula(lambda y, dy: -dy * y * y),
    "ReciprocalGrad": _formula(lambda y, dy: -dy * y * y),
    "AcoshGrad": _formula(lambda y, dy: dy / jnp.sinh(y)),
    "AsinhGrad": _formula(lambda y, dy: dy / jnp.cosh(y)),
    "EluGrad": _formula(lambda dy, y: jnp.where(y < 0, dy * (y + 1), dy)),
    "SeluGrad": _formula(lambda dy, y: jnp.where(y < 0, dy * (y + 1.7580993408473766), dy * 1.0507009873554805)),
    "HSwishGrad": _formula(lambda dy, x: dy * jnp.where(x < -3, 0, jnp.where(x > 3, 1, (2 * x + 3) / 6))),
    "SoftmaxGrad": _formula(lambda y, dy: y * (dy - (y * dy).sum(-1, keepdims=True))),
}

# At the forward's input `x`; the rows give the order of the arguments.
_AT_INPUT: dict[str, Callable] = {
    "AbsGrad": lambda x, dout: pull(ops.abs, dout, x),
    "ACosGrad": lambda x, dout: pull(ops.acos, dout, x),
    "AsinGrad": lambda x, dout: pull(ops.asin, dout, x),
    "AtanGrad": lambda x, dout: pull(ops.atan, dout, x),
    "ReluGrad": lambda y_backprop, x: pull(ops.relu, y_backprop, x),
    "ReLU6Grad": lambda y_backprop, x: pull(ops.relu6, y_backprop, x),
    "GeLUGrad": lambda dy, x, y: pull(lambda x: ops.gelu(x, "tanh"), dy, x),
    "FastGeLUGrad": lambda dy, x: pull(ops.fast_gelu, dy, x),
    "HSigmoidGrad": lambda grads, input_x: pull(ops.hardsigmoid, grads, input_x),
    "SiLUGrad": lambda dout, x: pull(ops.silu, dout, x),
    "SoftplusGrad": lambda gradients, features: pull(ops.softplus, gradients, features),
    "PReLUGrad": lambda dy, x, weight: pull(ops.prelu, dy, x, weight),
    "SigmoidCrossEntropyWithLogitsGrad": lambda x, y, dout: pull(
        lambda x: ops.SigmoidCrossEntropyWithLogits()(x, y), dout, x
    ),
    "GeluGradExt": lambda grad, input, approximate="none": pull(
        lambda x: F.gelu(x, approximate=approximate), grad, input
    ),
    "MishGradExt": lambda dout, x: pull(F.mish, dout, x),
    "SoftplusGradExt": lambda dout, x, beta=1, threshold=20: pull(lambda x: F.softplus(x, beta, threshold), dout, x),
    "LogSigmoidGrad": lambda dy, input, buffer: pull(F.logsigmoid, dy, input),
    "ThresholdGrad": lambda grad_output, input, threshold: pull(
        lambda x: F.threshold(x, threshold, 0), grad_output, input
    ),
    "HardtanhGrad": lambda dout, input, min_val=-1, max_val=1: _between(dout, input, min_val, max_val),
    "LeakyReLUGradExt": lambda dy, input, negative_slope=0.01, is_result=False: pull(
        lambda x: F.leaky_relu(x, negative_slope), dy, input
    ),
    "EluGradExt": lambda dout, x_or_out, alpha=1.0, is_result=False: _elu(dout, x_or_out, alpha, is_result),
    "SwigluGrad": lambda grad_output, input, dim=-1: pull(lambda x: ops.swiglu(x, dim), grad_output, input),
    "SoftmaxBackward": lambda dout, out, dim=-1: _softmax_along(dout, out, dim),
    "RotaryPositionEmbeddingGrad": lambda dy, cos, sin, dx=None, mode=0: _rotary(dy, cos, sin, dx, mode),
    # losses: the cotangent, the forward's arguments, the reduction
    "MSELossGradExt": lambda dout, x, target, reduction="mean": pull(
        lambda x: F.mse_loss(x, target, reduction), dout, x
    ),
    "L1LossBackwardExt": lambda grad_output, input, target, reduction="mean": pull(
        lambda x: F.l1_loss(x, target, reduction), grad_output, input
    ),
    "KLDivGrad": lambda grad_output, input, target, reduction="mean", log_target=False: pull(
        lambda x: F.kl_div(x, target, reduction, log_target), grad_output, input
    ),
    "BinaryCrossEntropyWithLogitsBackward": (
        lambda grad_output, input, target, weight=None, posWeight=None, reduction="mean": pull(
            lambda x: F.binary_cross_entropy_with_logits(x, target, weight, reduction, posWeight), grad_output, input
        )
    ),
    "NLLLoss2dGrad": lambda loss_grad, input, target, weight, reduction, ignore_index, total_weight: pull(
        lambda x: F.nll_loss(x, target, weight, ignore_index, reduction), loss_grad, input
    ),
    # normalization, from what the forward saved
    "RmsNormGrad": lambda dy, x, rstd, gamma: _rms_norm(dy, x, rstd, gamma),
    "LayerNormGradExt": lambda dy, x, normalized_shape, mean, variance, gamma, beta, output_mask=(1, 1, 1): (
        _layer_norm_from(x, dy, variance, mean, gamma, x.ndim - len(tuple(normalized_shape)))
    ),
    "GroupNormGrad": (
        lambda dy, x, mean, rstd, gamma_opt, num_groups, dx_is_require=True, dgamma_is_require=True, dbeta_is_require=True: (  # noqa: E501
            pull(lambda x, g, b: F.group_norm(x, num_groups, g, b), dy, x, gamma_opt, zeros(gamma_opt.shape, x.dtype))
        )
    ),
    "AddLayerNormGrad": lambda dy, x1, x2, rstd, mean, gamma, dsumOptional=None: _add_layer_norm(
        dy, ops.add(x1, x2), rstd, mean, gamma, dsumOptional
    ),
    "NLLLoss2d": lambda input, target, weight, reduction="mean", ignore_index=-100: (
        F.nll_loss(input, target, weight, ignore_index, reduction),
        _weight_of_targets(target, weight, ignore_index),
    ),
    "ConvolutionGrad": (
        lambda dout, input, weight, bias=None, stride=1, padding=0, dilation=(1, 1), transposed=False, output_padding=0, groups=1, output_mask=(): (  # noqa: E501
            _convolution(dout, input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
        )
    ),
}


def _elu(dout: Any, value: Any, alpha: float, is_result: bool) -> Tensor:
    return _elu_of_output(dout, value, alpha) if is_result else pull(lambda x: F.elu(x, alpha), dout, value)


_elu_of_output: Callable = _formula(lambda dout, out, alpha: jnp.where(out < 0, dout * (out + alpha), dout))
_between: Callable = _formula(lambda dout, x, low, high: jnp.where((x > low) & (x < high), dout, 0))


@op(static=("dim",))
def _softmax_along(dout, out, dim):
    return out * (dout - (out * dout).sum(dim, keepdims=True))


@op(static=("mode",))
def _turned_back(dy, sin, mode):
    d = dy * sin
    if mode == 1:
        return jnp.stack((d[..., 1::2], -d[..., ::2]), -1).reshape(d.shape)
    parts = jnp.split(d, 4 if mode == 2 else 2, -1)
    pairs = [(b, -a) for a, b in zip(parts[::2], parts[1::2], strict=True)]
    return jnp.concatenate([part for pair in pairs for part in pair], -1)


def _rotary(dy: Any, cos: Any, sin: Any, x: Any, mode: int) -> tuple[Tensor, Tensor, Tensor]:
    """Gradients of the values, and of cosines and sines where the values `x` are given (zeros otherwise)."""
    of_x = ops.add(ops.mul(dy, cos), _turned_back(dy, sin, mode))
    if x is None:
        return of_x, ops.zeros_like(cos), ops.zeros_like(sin)
    _, of_cos, of_sin = pull(lambda x, c, s: ops.rotary_position_embedding(x, c, s, mode), dy, x, cos, sin)
    return of_x, of_cos, of_sin


@op
def _rms_norm(dy, x, rstd, gamma):
    rstd = rstd.reshape((*rstd.shape, *[1] * (x.ndim - rstd.ndim))) if rstd.ndim < x.ndim else rstd
    axes = tuple(range(x.ndim - gamma.ndim, x.ndim))
    normal = x * rstd
    g = dy * gamma
    dx = rstd * (g - normal * (g * normal).mean(axes, keepdims=True))
    return dx.astype(x.dtype), (dy * normal).sum(tuple(range(x.ndim - gamma.ndim))).astype(gamma.dtype)


@op(static=("begin_norm_axis", "begin_params_axis"))
def _layer_norm(x, dy, variance, mean, gamma, begin_norm_axis, begin_params_axis):
    begin = begin_norm_axis % x.ndim
    axes, before = tuple(range(begin, x.ndim)), tuple(range(begin_params_axis % x.ndim))
    count = 1
    for axis in axes:
        count *= x.shape[axis]
    shape = (*x.shape[:begin], *[1] * len(axes))
    mean, rstd = mean.reshape(shape), jax.lax.rsqrt(variance.reshape(shape))
    centred, g = x - mean, dy * gamma
    of_variance = -0.5 * (g * centred).sum(axes, keepdims=True) * rstd**3
    of_mean = -g.sum(axes, keepdims=True) * rstd - 2 * of_variance * centred.sum(axes, keepdims=True) / count
    dx = g * rstd + of_variance * 2 * centred / count + of_mean / count
    return dx.astype(x.dtype), (dy * centred * rstd).sum(before), dy.sum(before)


def _layer_norm_from(x: Any, dy: Any, rstd: Any, mean: Any, gamma: Any, begin: int) -> Any:
    """With the reciprocal of the deviation in place of the variance."""
    return _layer_norm(x, dy, ops.reciprocal(ops.square(rstd)), mean, gamma, begin, begin)


def _add_layer_norm(dy: Any, x: Any, rstd: Any, mean: Any, gamma: Any, dsum: Any) -> Any:
    of_x, of_gamma, of_beta = _layer_norm_from(x, dy, rstd, mean, gamma, x.ndim - gamma.ndim)
    return of_x if dsum is None else ops.add(of_x, dsum), of_gamma, of_beta


@op(static=("ignore_index",))
def _weight_of_targets(target, weight, ignore_index):
    kept = target != ignore_index
    return jnp.where(kept, weight[jnp.where(kept, target, 0)], 0).sum()


def _layer_norm_again(x, dy, variance, mean, gamma, d_dx, d_dg, d_db, begin_norm_axis, begin_params_axis):
    """The pullback of `LayerNormGrad`, with mean and variance as functions of x."""
    axes = tuple(range(begin_norm_axis % x.ndim, x.ndim))

    def gradient(x, dy, gamma):
        own = ops.mean(x, axes, True)
        spread = ops.mean(ops.square(ops.sub(x, own)), axes, True)
        return _layer_norm(x, dy, spread, own, gamma, begin_norm_axis, begin_params_axis)

    return vjp(gradient, x, dy, gamma)[1]((d_dx, d_dg, d_db))


@op
def _empty_rows(places, grad):
    kept = grad[places]
    return kept, grad.sum() - kept.sum()


@op(static=("axis", "epsilon"))
def _l2_normalize(x, y, dy, axis, epsilon):
    axes = axis if isinstance(axis, int) else tuple(axis)
    norm = jnp.sqrt(jnp.maximum((x * x).sum(axes, keepdims=True), epsilon))
    return (dy - y * (y * dy).sum(axes, keepdims=True)) / norm


@op(static=("data_format",))
def _bias(dout, data_format):
    axis = 1 if data_format.startswith("NC") else dout.ndim - 1
    return dout.sum(tuple([i for i in range(dout.ndim) if i != axis]))


@op(static=("reduction", "ignore_index"))
def _nll(logits, loss_grad, labels, weight, total_weight, reduction, ignore_index):
    rows = jax.nn.one_hot(labels, logits.shape[-1], dtype=logits.dtype) * weight
    rows = rows * (labels != ignore_index)[..., None]
    g = loss_grad[..., None] if reduction == "none" else loss_grad
    return -rows * g / (total_weight if reduction == "mean" else 1)


@op(static=("reduction",))
def _kl_div(dy, x, target, reduction):
    share = {"mean": x.size, "batchmean": x.shape[0] if x.ndim else 1}.get(reduction, 1)
    return (-target * dy / share).astype(x.dtype)


@op(static=("keep_prob",))
def _dropout(dy, mask, keep_prob):
    return (dy * mask.astype(dy.dtype) / keep_prob).astype(dy.dtype)


@op
def _igamma_a(a, x):
    return jax.lax.igamma_grad_a(a, x)


def _extremes(function: Callable) -> Callable:
    def gradient(x, y, grads, grad_x, grad_y):
        return pull(function, grads, x, y)

    return gradient


def _extremes_again(at_least: bool) -> Callable:
    def gradient(x, y, dx, dy, *_):
        chosen = ops.greater_equal(x, y) if at_least else ops.less_equal(x, y)
        return ops.zeros_like(x), ops.zeros_like(y), ops.select(chosen, dx, dy)

    return gradient


def _convolution(dout, x, weight, bias, stride, padding, dilation, transposed, output_padding, groups) -> Any:
    if isinstance(dilation, (tuple, list)):
        dilation = tuple(dilation)[: x.ndim - 2]
    how = (stride, padding, dilation, transposed, output_padding, groups)
    channels = weight.shape[1] * groups if transposed else weight.shape[0]
    bias = zeros((channels,), x.dtype) if bias is None else bias
    return pull(lambda x, w, b: SHAPES["Convolution"](x, w, b, *how), dout, x, weight, bias)


def _whole(value: float) -> float:
    return int(value) if value == int(value) else value


_MEAN = {"reduction": "mean"}
_MARGIN = {"p": 1, "margin": 1.0, "reduction": "mean"}
_BUILT = {
    "HShrinkGrad": Row(
        lambda gradients, features, lambd: pull(lambda x: ops.hardshrink(x, lambd), gradients, features),
        ("gradients", "features"),
        {"lambd": 0.5},
    ),
    "SoftShrinkGrad": Row(
        lambda input_grad, input_x, lambd: pull(lambda x: ops.softshrink(x, lambd), input_grad, input_x),
        ("input_grad", "input_x"),
        {"lambd": 0.5},
    ),
    "LogitGrad": Row(
        lambda grad, x, eps: pull(lambda x: ops.logit(x, None if eps < 0 else eps), grad, x),
        ("grad", "input"),
        {"eps": -1.0},
    ),
    "LogSoftmaxGrad": Row(lambda y, dy, axis: _log_softmax(y, dy, axis), ("logits", "grad"), {"axis": -1}),
    "GluGrad": Row(lambda dy, x, axis: pull(lambda x: ops.glu(x, axis), dy, x), ("grads", "x"), {"axis": -1}),
    "BiasAddGrad": Row(_bias, ("dout",), {"data_format": "NCHW"}),
    "DropoutGrad": Row(_dropout, ("dy", "mask"), {"keep_prob": 0.5}),
    "MvlgammaGrad": Row(lambda dy, x, p: pull(lambda x: ops.mvlgamma(x, p), dy, x), ("y_grad", "x"), {"p": 1}),
    "PdistGrad": Row(lambda dy, x, y, p: pull(lambda x: ops.pdist(x, p), dy, x), ("y_grad", "x", "y"), {"p": 2.0}),
    "LRNGrad": Row(
        lambda dy, x, y, *how: pull(lambda x: ops.LRN(*how)(x), dy, x),
        ("grads", "x", "y"),
        {"depth_radius": 5, "bias": 1.0, "alpha": 1.0, "beta": 0.5},
    ),
    "L2NormalizeGrad": Row(_l2_normalize, ("x", "y", "dy"), {"axis": 0, "epsilon": 1e-4}),
    "LayerNormGrad": Row(
        _layer_norm, ("x", "dy", "variance", "mean", "gamma"), {"begin_norm_axis": 1, "begin_params_axis": 1}
    ),
    "LayerNormGradGrad": Row(
        _layer_norm_again,
        ("x", "dy", "variance", "mean", "gamma", "d_dx", "d_dg", "d_db"),
        {"begin_norm_axis": 1, "begin_params_axis": 1},
    ),
    "SparseFillEmptyRowsGrad": Row(_empty_rows, ("reverse_index_map", "grad_values")),
    "LuUnpackGrad": Row(
        lambda of_l, of_u, lu, wants_l, wants_u: (ops.tril(of_l, -1), ops.triu(of_u)),
        ("L_grad", "U_grad", "LU_data"),
        {"L_grad_flag": True, "U_grad_flag": True},
    ),
    "BatchNormGrad": Row(
        lambda dout, x, scale, mean, variance, reserve, *how: batch_norm(dout, x, scale, mean, variance, *how),
        ("dout", "x", "scale", "saved_mean", "saved_variance", ("reserve", None)),
        {"is_training": False, "epsilon": 1e-5, "data_format": "NCHW"},
    ),
    "MaximumGrad": Row(_extremes(ops.maximum), ("x", "y", "grads"), {"grad_x": True, "grad_y": True}),
    "MinimumGrad": Row(_extremes(ops.minimum), ("x1", "x2", "grads"), {"grad_x": True, "grad_y": True}),
    "MaximumGradGrad": Row(_extremes_again(True), ("x", "y", "dx", "dy"), {"grad_x": True, "grad_y": True}),
    "MinimumGradGrad": Row(_extremes_again(False), ("x1", "x2", "grad_y1", "grad_y2")),
    "EinsumGrad": Row(
        lambda xs, dy, equation: pull(lambda *xs: ops.einsum(equation, *xs), dy, *xs), ("x", "dout"), {"equation": ""}
    ),
    "CholeskyGrad": Row(
        lambda x, grad: pull(ops.cholesky, grad, ops.matmul(x, ops.swapaxes(x, -1, -2))), ("x", "grad")
    ),
    "IgammaGradA": Row(_igamma_a, ("a", "x")),
    # losses
    "BinaryCrossEntropyGrad": Row(
        lambda x, target, dy, weight, reduction: pull(
            lambda x: ops.BinaryCrossEntropy(reduction)(x, target, weight), dy, x
        ),
        ("input", "target", "grad_output", ("weight", None)),
        _MEAN,
    ),
    "KLDivLossGrad": Row(
        _kl_div,
        ("grads", "input_x", "input_target"),
        _MEAN,
    ),
    "SmoothL1LossGrad": Row(
        lambda x, target, dy, beta, reduction: pull(lambda x: ops.SmoothL1Loss(beta, reduction)(x, target), dy, x),
        ("prediction", "target", "dout"),
        {"beta": 1.0, "reduction": "none"},
    ),
    "SoftMarginLossGrad": Row(
        lambda x, label, dy, reduction: pull(lambda x: ops.soft_margin_loss(x, label, reduction), dy, x),
        ("predict", "label", "dout"),
        _MEAN,
    ),
    "MultiMarginLossGrad": Row(
        lambda dy, x, target, weight, p, margin, reduction: pull(
            lambda x: ops.multi_margin_loss(x, target, p, _whole(margin), weight, reduction), dy, x
        ),
        ("y_grad", "x", "target", ("weight", None)),
        _MARGIN,
    ),
    "MultilabelMarginLossGrad": Row(
        lambda dy, x, target, is_target, reduction: pull(
            lambda x: ops.multilabel_margin_loss(x, target, reduction), dy, x
        ),
        ("y_grad", "x", "target", "is_target"),
        _MEAN,
    ),
    "NLLLossGrad": Row(
        _nll,
        ("logits", "loss_grad", "labels", "weight", "total_weight"),
        {"reduction": "mean", "ignore_index": -100},
    ),
}


@op(static=("axis",))
def _log_softmax(y, dy, axis):
    return dy - jnp.exp(y) * dy.sum(axis, keepdims=True)


_AT_INPUT["ConvolutionStrGrad"] = _AT_INPUT["ConvolutionGrad"]
_CLASSES: dict[str, Any] = {
    **make_faces({**_FORMULAS, **_AT_INPUT, **PLACES, **NETWORKS}, __name__),
    **make_primitives({**_BUILT, **BUILT_PLACES, **BUILT_NETWORKS}, __name__),
}
globals().update(_CLASSES)
__all__ = list(_CLASSES)
_BY_PLAIN_NAME = {name.lower(): name for name in _CLASSES}


@functools.cache
def module_attribute(name: str) -> Any:
    """The instance `relu_grad_op` of a class `ReluGrad`."""
    known = _BY_PLAIN_NAME.get(name.removesuffix("_op").replace("_", "")) if name.endswith("_op") else None
    if known is None:
        return None
    return _CLASSES[known]()
