"""Losses between predictions and targets.

Cross-entropies go through one log-softmax; the target's entry is picked by comparing class numbers instead of by a
gather, so that the forward fuses and the gradient (softmax - one-hot) needs no scatter. A class number out of
range is refused where its value can be read (`indexing/bounds.py`) and gives NaN otherwise: a wrong number must
not pass silently.
"""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.checks import check_choice, check_integers, check_same_dtype, check_shape
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_one_of, value_error
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import is_weak
from ms_compat._core.promotion import promote
from ms_compat.ops.function.elementwise.slopes import magnitude
from ms_compat.ops.function.indexing.bounds import looks_at_classes
from ms_compat.ops.function.nn.checks import FLOATS, combined, floating, integer, real, reduced, tensor, wide

_REDUCTIONS = ("mean", "sum", "none")
_TINY = 1e-12


def pick(values: Any, labels: Any, axis: int, wrap: bool) -> Any:
    """The entry of `values` along `axis` that `labels` names; NaN where there is none.

    Args:
        values: [..., C, ...].
        labels: integers, shaped like `values` without `axis`.
        axis: the class axis, not negative.
        wrap: whether -C to -1 count from the end.
    """
    classes = values.shape[axis]
    at = jnp.expand_dims(labels, axis)
    if wrap:
        at = jnp.where(at < 0, at + classes, at)
    hit = lax.broadcasted_iota(labels.dtype, values.shape, axis) == at
    picked = jnp.sum(jnp.where(hit, values, 0), axis, dtype=values.dtype)
    inside = jnp.squeeze((at >= 0) & (at < classes), axis)
    return jnp.where(inside, picked, jnp.asarray(np.nan, values.dtype))


def _entries(values: Any, labels: Any, axis: int) -> Any:
    """As `pick` with `wrap`, for any number of labels along `axis`."""
    return jnp.take_along_axis(values, labels, axis, mode="fill", fill_value=np.nan)


def _same_shape(api: str, a: Any, b: Any) -> None:
    if a.shape != b.shape:
        raise ValueError(f"For '{api}', both inputs must have the same shape, but got {a.shape} and {b.shape}.")


# -- classes ---------------------------------------------------------------------------------------------------------
@faces("ops mint.nn.functional")
@op(
    static=("ignore_index", "reduction", "label_smoothing"),
    look=looks_at_classes("cross_entropy", wrap=True, ignored_at=3, axis=1, name="target"),
)
def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Cross-entropy of logits with class numbers or class probabilities.

    Args:
        input (Tensor): [C], [N, C] or [N, C, *]: logits of a floating type.
        target (Tensor): class numbers (int) of the shape without C, or probabilities shaped like `input`. Integers
            [N, K] or [K] are K class numbers for each sample, so a one-hot target must be cast to a floating type.
        weight (Tensor): [C], a factor for each class, or None.
        ignore_index (int): the class number that counts for nothing.
        reduction (str): "mean" (weighted), "sum" or "none".
        label_smoothing (float): share of the uniform distribution in the target.

    Returns:
        Tensor, a scalar unless `reduction` is "none".

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: shapes that do not fit, an unknown `reduction`.
        RuntimeError: a class number out of range (on a CPU).

    >>> from ms_compat import Tensor
    >>> from ms_compat.ops.function.loss.losses import cross_entropy
    >>> print(round(float(cross_entropy(Tensor([[2.0, 0.0]]), Tensor([0])).asnumpy()), 4))
    0.1269
    """
    api = "cross_entropy"
    floating(api, "input", input), tensor(api, "target", target)
    _classification_checks(api, input, weight, ignore_index, reduction, label_smoothing)
    axis = 1 if input.ndim > 1 else 0
    logp = jax.nn.log_softmax(wide(input), axis)
    if target.dtype in FLOATS:
        if input.ndim == target.ndim + 1:
            raise ValueError(
                f"For '{api}', a 'target' of shape {target.shape} holds class numbers, which must be integers (Int32), "
                f"but got {target.dtype}; probabilities have the shape {input.shape} of the input."
            )
        _same_shape(api, input, target)
        out = _soft_cross_entropy(logp, target, weight, axis, reduction, label_smoothing)
    else:
        out = _nll(api, logp, target, weight, axis, ignore_index, reduction, label_smoothing)
    return out.astype(combined(input, target if target.dtype in FLOATS else None, weight))


def _soft_cross_entropy(logp, target, weight, axis, reduction, smoothing):
    classes = logp.shape[axis]
    soft = wide(target).astype(logp.dtype)
    if smoothing:
        soft = soft * (1 - smoothing) + smoothing / classes
    if weight is not None:
        logp = logp * jnp.reshape(weight.astype(logp.dtype), (-1,) + (1,) * (logp.ndim - axis - 1))
    out = -jnp.sum(logp * soft, axis)
    if reduction == "mean":
        return jnp.sum(out) / (out.size if logp.ndim > 1 else 1)
    return reduced(out, reduction)


@faces("ops")
@op(
    static=("ignore_index", "reduction", "label_smoothing"),
    look=looks_at_classes("nll_loss", wrap=True, ignored_at=3, axis=1, name="target"),
)
def nll_loss(inputs, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Negative log-likelihood of class numbers; as `cross_entropy`, for inputs that are log-probabilities already."""
    api = "nll_loss"
    tensor(api, "inputs", inputs), tensor(api, "target", target)
    inputs = inputs.astype(_float_of(inputs.dtype))
    _classification_checks(api, inputs, weight, ignore_index, reduction, label_smoothing)
    axis = 1 if inputs.ndim > 1 else 0
    out = _nll(api, wide(inputs), target, weight, axis, ignore_index, reduction, label_smoothing)
    return out.astype(combined(inputs, weight))


def _classification_checks(api, x, weight, ignore_index, reduction, label_smoothing) -> None:
    integer(api, "ignore_index", ignore_index), real(api, "label_smoothing", label_smoothing)
    check_choice(api, "reduction", reduction, _REDUCTIONS)
    if weight is not None and weight.shape != (x.shape[1 if x.ndim > 1 else 0],):
        raise ValueError(
            f"For '{api}', the 'weight' must have one entry per class of {x.shape}, but got shape {weight.shape}."
        )


def _nll(api, logp, target, weight, axis, ignore_index, reduction, smoothing) -> Any:
    expected = logp.shape[:axis] + logp.shape[axis + 1 :]
    one_each = target.ndim == logp.ndim <= 2  # as many numbers for each sample as the target has along the class axis
    if one_each:
        expected = (*logp.shape[:axis], target.shape[axis])
    check_shape(api, "target", target, expected)
    check_integers(api, "target", target)
    kept = target != ignore_index
    label = jnp.where(kept, target, 0)
    out = -(_entries(logp, label, axis) if one_each else pick(logp, label, axis, True))
    factor = kept.astype(logp.dtype)
    if weight is not None:
        per_class = weight.astype(logp.dtype)
        spread = jnp.reshape(per_class, (-1,) + (1,) * (logp.ndim - axis - 1))
        factor = factor * per_class[label]
    total = jnp.sum(factor)
    out = jnp.where(kept, out * factor, 0)
    if smoothing:
        uniform = -jnp.sum(logp if weight is None else logp * spread, axis, keepdims=one_each)
        uniform = jnp.where(kept, uniform, 0)
        share = smoothing / logp.shape[axis]
    if reduction == "mean":
        main = jnp.sum(out) / total
        return main if not smoothing else (1 - smoothing) * main + share * (jnp.sum(uniform) / total)
    if smoothing:
        out = (1 - smoothing) * out + share * uniform
    return reduced(out, reduction)


@op(static=("ignore_index",))
def label_weight(weight, labels, ignore_index):
    """The sum of the counted labels' weights; the second output of the primitive NLLLoss."""
    return jnp.sum(
        jnp.where(labels == ignore_index, 0, weight[jnp.where(labels == ignore_index, 0, labels)]), dtype=weight.dtype
    )


@faces(primitive="SoftmaxCrossEntropyWithLogits()(logits, labels)")
@op
def softmax_cross_entropy_with_logits(logits, labels):
    """Primitive SoftmaxCrossEntropyWithLogits: loss [N] of logits [N, C] with probabilities [N, C], and its gradient.

    Returns:
        Tuple of the losses and softmax(logits) - labels.

    Raises:
        TypeError: data of another type.
        ValueError: the shapes differ.
    """
    api = "SoftmaxCrossEntropyWithLogits"
    floating(api, "logits", logits), floating(api, "labels", labels)
    _same_shape(api, logits, labels)
    soft = wide(lax.stop_gradient(labels))  # MindSpore gives the labels no gradient
    logp = jax.nn.log_softmax(wide(logits), -1)
    gradient = lax.stop_gradient(jnp.exp(logp) - soft)
    loss = -jnp.sum(soft * logp, -1)
    # MindSpore's gradient is softmax - labels, also where a row of labels does not sum to one. So the labels weight the
    # logits, but not the log-sum-exp.
    shifted = wide(logits) - lax.stop_gradient(jnp.max(wide(logits), -1, keepdims=True))
    ruled = jax.nn.logsumexp(shifted, -1) - jnp.sum(soft * shifted, -1)
    return (ruled + lax.stop_gradient(loss - ruled)).astype(logits.dtype), gradient.astype(logits.dtype)


@op(static=("reduction",), look=looks_at_classes("SparseSoftmaxCrossEntropyWithLogits"))
def sparse_softmax_cross_entropy(logits, labels, reduction="mean"):
    """Cross-entropy of logits [N, C] with class numbers [N].

    Args:
        logits (Tensor): floating type.
        labels (Tensor): Int32 or Int64.
        reduction (str): "mean", "sum" or "none".

    Raises:
        TypeError: data of another type.
        ValueError: shapes that do not fit.
        RuntimeError: a number outside [0, C) (on a CPU).
    """
    api = "SparseSoftmaxCrossEntropyWithLogits"
    floating(api, "logits", logits)
    _sparse_checks(api, logits, labels)
    data = wide(logits)
    loss = jax.nn.logsumexp(data, -1) - pick(data, labels, data.ndim - 1, False)
    return reduced(loss, reduction).astype(logits.dtype)


@op(look=looks_at_classes("SparseSoftmaxCrossEntropyWithLogits"))
def sparse_softmax_cross_entropy_grad(logits, labels):
    """The gradient of the mean sparse cross-entropy: (softmax - one-hot) / N."""
    _sparse_checks("SparseSoftmaxCrossEntropyWithLogits", floating("", "logits", logits), labels)
    data = wide(logits)
    hit = lax.broadcasted_iota(labels.dtype, data.shape, data.ndim - 1) == labels[..., None]
    out = (jax.nn.softmax(data, -1) - hit.astype(data.dtype)) / labels.size
    return out.astype(logits.dtype)


def _sparse_checks(api: str, logits: Any, labels: Any) -> None:
    if tensor(api, "labels", labels).dtype.kind not in "iu":
        raise TypeError(f"For '{api}', the 'labels' must be Int32 or Int64, but got {labels.dtype}.")
    check_shape(api, "labels", labels, logits.shape[:-1])


# -- probabilities ---------------------------------------------------------------------------------------------------
@faces("ops", primitive="BinaryCrossEntropy(reduction='mean')(input, target, weight=None)")
@op(static=("reduction",))
def binary_cross_entropy(logits, labels, weight=None, reduction="mean"):
    """-(y log p + (1 - y) log(1 - p)) of probabilities p, with p and 1 - p not below 1e-12.

    Args:
        logits (Tensor): probabilities, floating type.
        labels (Tensor): targets of the same shape.
        weight (Tensor): factors of the same shape, or None.
        reduction (str): "mean", "sum" or "none".

    Raises:
        TypeError: data of another type.
        ValueError: shapes that differ, an unknown `reduction`.

    >>> from ms_compat import Tensor, ops
    >>> print(round(ops.binary_cross_entropy(Tensor([0.5]), Tensor([1.0])).item(), 4))
    0.6931
    """
    api = "binary_cross_entropy"
    floating(api, "logits", logits), floating(api, "labels", labels)
    check_one_of(api, "reduction", reduction, _REDUCTIONS)
    check_same_dtype(api, logits=logits, labels=labels, **({} if weight is None else {"weight": weight}))
    _same_shape(api, logits, labels)
    out = _of_probabilities(wide(logits), wide(labels), logits.dtype == np.float16)
    if weight is not None:
        _same_shape(api, logits, weight)
        out = out * weight.astype(out.dtype)
    return reduced(out, reduction).astype(logits.dtype)


@functools.partial(jax.custom_jvp, nondiff_argnums=(2,))
def _of_probabilities(p, y, half):
    def rounded(a):  # MindSpore's kernel keeps each step of float16 in float16
        return lax.reduce_precision(a, 5, 10) if half else a

    of_ones = rounded(y * rounded(jnp.log(jnp.maximum(p, _TINY))))
    of_zeros = rounded(rounded(1 - y) * rounded(jnp.log(jnp.maximum(rounded(1 - p), _TINY))))
    return -rounded(of_ones + of_zeros)


@_of_probabilities.defjvp
def _(half, primals, tangents):
    """A prediction of exactly 0 or 1 has the slope of one next to it, so that a wrong one is left again."""
    (p, y), (by_p, by_y) = primals, tangents
    of_label = jnp.log(jnp.maximum(1 - p, _TINY)) - jnp.log(jnp.maximum(p, _TINY))
    slope = (p - y) / jnp.maximum(p * (1 - p), _TINY)
    return _of_probabilities(p, y, half), slope * by_p + of_label * by_y


@faces("ops", primitive="BCEWithLogitsLoss(reduction='mean')(input, target, weight=None, posWeight=None)")
@op(static=("reduction",), takes={"weight": "floating", "pos_weight": "floating"})
def binary_cross_entropy_with_logits(input, target, weight=None, pos_weight=None, reduction="mean"):
    """Binary cross-entropy of sigmoid(input), without overflow.

    Args:
        input (Tensor): logits, floating type.
        target (Tensor): targets of the same shape.
        weight (Tensor): factors that broadcast to the shape, or None.
        pos_weight (Tensor): factors of the positive part that broadcast to the shape, or None.
        reduction (str): "mean", "sum" or "none".

    Raises:
        TypeError: data of another type.
        ValueError: shapes that do not fit, an unknown `reduction`.

    >>> from ms_compat import Tensor, ops
    >>> print(round(ops.binary_cross_entropy_with_logits(Tensor([0.0]), Tensor([1.0])).item(), 4))
    0.6931
    """
    api = "binary_cross_entropy_with_logits"
    floating(api, "input", input), floating(api, "target", target)
    check_one_of(api, "reduction", reduction, _REDUCTIONS)
    _same_shape(api, input, target)
    z, y = wide(input), wide(target)
    softplus_neg = jax.nn.softplus(-z)
    factor = 1 if pos_weight is None else (pos_weight.astype(z.dtype) - 1) * y + 1
    out = (1 - y) * z + factor * softplus_neg
    if weight is not None:
        out = out * weight.astype(z.dtype)
    return reduced(out, reduction).astype(target.dtype)  # as MindSpore, which also leaves the logits' dtype


@faces(primitive="SigmoidCrossEntropyWithLogits()(logits, label)")
@op
def sigmoid_cross_entropy_with_logits(logits, label):
    """The primitive SigmoidCrossEntropyWithLogits: elementwise loss."""
    api = "SigmoidCrossEntropyWithLogits"
    floating(api, "logits", logits)
    _same_shape(api, logits, label)
    z, y = wide(logits), wide(lax.stop_gradient(label))  # MindSpore gives the labels no gradient
    return ((1 - y) * z + jax.nn.softplus(-z)).astype(logits.dtype)


@faces("ops", primitive="KLDivLoss(reduction='mean')(logits, labels)")
@op(static=("reduction",))
def kl_div(logits, labels, reduction="mean"):
    """labels * (log(labels) - logits), 0 where `labels` is not positive. As in MindSpore, `labels` get no gradient.

    Args:
        logits (Tensor): log-probabilities, floating type.
        labels (Tensor): probabilities of the same shape.
        reduction (str): "mean", "batchmean" (sum over the first size), "sum" or "none".

    Raises:
        TypeError: data of another type.
        ValueError: shapes that differ, an unknown `reduction`.
    """
    check_same_dtype("kl_div", logits=tensor("kl_div", "logits", logits), labels=tensor("kl_div", "labels", labels))
    return _kl_div(logits, lax.stop_gradient(labels), reduction, False)


@faces("mint.nn.functional.kl_div")
@op(static=("reduction", "log_target"), name="kl_div")
def kl_div_ext(input, target, reduction="mean", log_target=False):
    """As `kl_div`; with `log_target` the target holds log-probabilities, too (`mint`'s version)."""
    return _kl_div(input, target, reduction, log_target)


def _kl_div(logits, labels, reduction, log_target):
    api = "kl_div"
    floating(api, "logits", logits), floating(api, "labels", labels)
    check_choice(api, "reduction", reduction, (*_REDUCTIONS, "batchmean"))
    _same_shape(api, logits, labels)
    x, y = wide(logits), wide(labels)
    if log_target:
        out = jnp.exp(y) * (y - x)
    else:
        positive = y > 0
        out = jnp.where(positive, y * (jnp.log(jnp.where(positive, y, 1)) - x), 0)
    if reduction == "batchmean":
        return (jnp.sum(out) / logits.shape[0]).astype(logits.dtype)
    return reduced(out, reduction).astype(logits.dtype)


# -- distances -------------------------------------------------------------------------------------------------------
def _pair(api: str, a: Any, b: Any, broadcast: bool = True) -> tuple[Any, Any, Any]:
    for name, value in (("input", a), ("target", b)):
        if value is None or isinstance(value, (int, float)) or is_weak(value):
            raise TypeError(f"For '{api}', the '{name}' must be a Tensor.")
    out = promote(a.dtype, b.dtype)
    if not broadcast:
        _same_shape(api, a, b)
    try:
        jnp.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        raise ValueError(f"For '{api}', the shapes must broadcast, but got {a.shape} and {b.shape}.") from None
    return wide(a.astype(out)), wide(b.astype(out)), out


def _float_of(dtype: Any) -> Any:
    return dtype if dtype in FLOATS else np.dtype(np.float32)


def _settle(out: Any, reduction: str, dtype: Any) -> Any:
    """Reduce and give the dtype back; an integer mean is truncated."""
    return reduced(out, reduction).astype(dtype)


@faces("ops ops.mse_loss_ext mint.nn.functional")
@op(static=("reduction",))
def mse_loss(input, target, reduction="mean"):
    """Squared difference.

    Args:
        input (Tensor): predictions.
        target (Tensor): targets of a shape that broadcasts with it.
        reduction (str): "mean", "sum" or "none".

    Raises:
        TypeError: no Tensors.
        ValueError: shapes that do not broadcast, an unknown `reduction`.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.mse_loss(Tensor([1.0, 3.0]), Tensor([1.0, 1.0])))
    2.0
    """
    a, b, dtype = _pair("mse_loss", input, target)
    check_choice("mse_loss", "reduction", reduction, _REDUCTIONS)
    return _settle(lax.square(a - b), reduction, _float_of(dtype))


@faces("ops mint.nn.functional")
@op(static=("reduction",))
def l1_loss(input, target, reduction="mean"):
    """Absolute difference; arguments and errors as `mse_loss`."""
    a, b, dtype = _pair("l1_loss", input, target)
    check_choice("l1_loss", "reduction", reduction, _REDUCTIONS)
    return _settle(magnitude(a - b), reduction, dtype)


@faces("ops", primitive="SmoothL1Loss(beta=1.0, reduction='none')(prediction, target)")
@op(static=("beta", "reduction"))
def smooth_l1_loss(input, target, beta=1.0, reduction="none"):
    """0.5 d ** 2 / beta where |d| < beta, |d| - 0.5 beta elsewhere, for d = input - target.

    Args:
        input (Tensor): predictions, floating type.
        target (Tensor): targets of the same shape.
        beta (float): the threshold, >= 0.
        reduction (str): "mean", "sum" or "none".

    Raises:
        TypeError: data of another type.
        ValueError: shapes that differ, an unknown `reduction`.
        RuntimeError: `beta` is negative.
    """
    api = "smooth_l1_loss"
    tensor(api, "input", input), tensor(api, "target", target)
    floating(api, "input", input)
    a, b, dtype = _pair(api, input, target, False)
    check_one_of(api, "reduction", reduction, _REDUCTIONS)
    if real(api, "beta", beta) < 0:
        raise RuntimeError(f"For '{api}', the 'beta' must be >= 0, but got {beta}.")
    d = magnitude(a - b)
    out = jnp.where(d < beta, 0.5 * lax.square(d) / beta, d - 0.5 * beta) if beta else d
    return _settle(out, reduction, dtype)


@faces("ops")
@op(static=("reduction", "delta"))
def huber_loss(input, target, reduction="mean", delta=1.0):
    """0.5 d ** 2 where |d| <= delta, delta (|d| - 0.5 delta) elsewhere, for d = input - target.

    Raises:
        TypeError: no Tensors.
        ValueError: shapes that do not broadcast, an unknown `reduction`, `delta` not positive.
    """
    a, b, dtype = _pair("huber_loss", input, target)
    check_choice("huber_loss", "reduction", reduction, _REDUCTIONS)
    if real("huber_loss", "delta", delta) <= 0:
        raise value_error("huber_loss", "delta", "> 0", delta)
    d = jnp.abs(a - b)
    d = d.astype(_float_of(d.dtype))
    return _settle(jnp.where(d <= delta, 0.5 * lax.square(d), delta * (d - 0.5 * delta)), reduction, _float_of(dtype))
