"""Losses with margins: rankings, embeddings and several labels; and the Gaussian likelihood."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from ms_compat._core.checks import check_choice, check_shape
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_type, value_error
from ms_compat._core.faces import faces
from ms_compat.ops.function.elementwise.slopes import at_least
from ms_compat.ops.function.indexing.bounds import looks_at_classes
from ms_compat.ops.function.nn.checks import (
    combined,
    floating,
    inexact,
    integer,
    numeric,
    real,
    reduced,
    tensor,
    wide,
)

_REDUCTIONS = ("mean", "sum", "none")


def _wide(api: str, reduction: str, **values: Any) -> list[Any]:
    check_choice(api, "reduction", reduction, _REDUCTIONS)
    return [wide(tensor(api, name, value)) for name, value in values.items()]


@faces("ops mint.nn.functional")
@op(static=("margin", "reduction"), alike=("input1", "input2"))
def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """1 - cos(a, b) where the target is 1, max(0, cos(a, b) - margin) where it is -1.

    Args:
        input1 (Tensor): [N, D]; integers give a Float32 result.
        input2 (Tensor): [N, D].
        target (Tensor): [N] of 1 and -1.
        margin (float): in [-1, 1].
        reduction (str): "mean", "sum" or "none".

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: `margin` is out of range, an unknown `reduction`.
    """
    api = "cosine_embedding_loss"
    input1, input2 = inexact(numeric(api, "input1", input1)), inexact(tensor(api, "input2", input2))
    a, b, y = _wide(api, reduction, input1=input1, input2=input2, target=target)
    if not -1 <= real(api, "margin", margin) <= 1:
        raise value_error(api, "margin", "in [-1, 1]", margin)
    tiny = 1e-12
    product = jnp.sum(a * b, -1)
    norms = (jnp.sum(lax.square(a), -1) + tiny) * (jnp.sum(lax.square(b), -1) + tiny)
    cosine = product * lax.rsqrt(norms)
    out = jnp.where(y == 1, 1 - cosine, jnp.where(y == -1, jnp.maximum(cosine - margin, 0), 0))
    return reduced(out, reduction).astype(input1.dtype)


@faces("ops")
@op(static=("margin", "reduction"), alike=("input1", "input2", "target"))
def margin_ranking_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """max(0, -target * (input1 - input2) + margin)."""
    given = {"input1": input1, "input2": input2, "target": target}
    given = {name: inexact(tensor("margin_ranking_loss", name, value)) for name, value in given.items()}
    a, b, y = _wide("margin_ranking_loss", reduction, **given)
    check_type("margin_ranking_loss", "margin", margin, float)
    return reduced(at_least(-y * (a - b) + margin, 0), reduction).astype(given["input1"].dtype)


@faces("ops mint.nn.functional", primitive="SoftMarginLoss(reduction='mean')(input, target)")
@op(static=("reduction",))
def soft_margin_loss(input, target, reduction="mean"):
    """log(1 + exp(-target * input))."""
    x, y = _wide("soft_margin_loss", reduction, input=floating("soft_margin_loss", "input", input), target=target)
    return reduced(jax.nn.softplus(-y * x), reduction).astype(input.dtype)


@faces("ops")
@op(static=("margin", "reduction"), takes={"inputs": "floating", "targets": "floating"})
def hinge_embedding_loss(inputs, targets, margin=1.0, reduction="mean"):
    """x where the target is positive, max(0, margin - x) where it is negative."""
    x, y = _wide("hinge_embedding_loss", reduction, inputs=inputs, targets=targets)
    real("hinge_embedding_loss", "margin", margin)
    out = jnp.where(y > 0, x, 0) + jnp.where(y < 0, jnp.maximum(margin - x, 0), 0)
    return reduced(out, reduction).astype(inputs.dtype)


def _triplets(api, a, b, c, margin, p, eps, swap):
    axis = 1 if a.ndim > 1 else 0

    def distance(u, v):
        return jnp.sum(jnp.abs(u - v + eps) ** p, axis) ** (1.0 / p)

    far = distance(a, c)
    if swap:
        far = jnp.minimum(far, distance(b, c))
    return jnp.maximum(distance(a, b) - far + margin, 0)


@faces("ops")
@op(static=("margin", "p", "eps", "swap", "reduction"), alike=("anchor", "positive", "negative"))
def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, reduction="mean"):
    """max(0, d(anchor, positive) - d(anchor, negative) + margin) with the p-norm distance along the second axis.

    Args:
        anchor (Tensor): [N, D, *].
        positive (Tensor): like `anchor`.
        negative (Tensor): like `anchor`.
        margin (float): the margin.
        p (int): order of the norm.
        eps (float): added to each difference.
        swap (bool): use the smaller of d(anchor, negative) and d(positive, negative).
        reduction (str): "mean", "sum" or "none".
    """
    api = "triplet_margin_loss"
    integer(api, "p", p)
    check_type(api, "eps", eps, float)
    a, b, c = _wide(api, reduction, anchor=anchor, positive=positive, negative=negative)
    return reduced(_triplets(api, a, b, c, margin, p, eps, swap), reduction).astype(anchor.dtype)


@op(static=("p", "eps", "swap", "reduction"), name="TripletMarginLoss")
def triplet_margin(x, positive, negative, margin, p=2, eps=1e-6, swap=False, reduction="mean"):
    """`triplet_margin_loss` of the primitive: the margin is a Float32 Tensor without dimensions.

    Raises:
        TypeError: `margin` is not a Float32 Tensor, or the types of the others differ.
        ValueError: `margin` has dimensions.
    """
    api = "TripletMarginLoss"
    if tensor(api, "margin", margin).dtype != jnp.float32 or not x.dtype == positive.dtype == negative.dtype:
        raise TypeError(
            f"For '{api}', the 'margin' must be Float32 and the others of one type, but got {margin.dtype}, {x.dtype}, "
            f"{positive.dtype} and {negative.dtype}."
        )
    if margin.ndim:
        raise ValueError(f"For '{api}', the 'margin' must have no dimensions, but got shape {margin.shape}.")
    a, b, c = _wide(api, reduction, x=x, positive=positive, negative=negative)
    return reduced(_triplets(api, a, b, c, margin.astype(a.dtype), p, eps, swap), reduction).astype(x.dtype)


@faces("ops")
@op(
    static=("p", "margin", "reduction"),
    look=looks_at_classes("multi_margin_loss", error=ValueError),
    takes={"target": "integer"},
)
def multi_margin_loss(input, target, p=1, margin=1, weight=None, reduction="mean"):
    """Mean over the other classes of max(0, margin - x[target] + x[class]) ** p.

    Args:
        input (Tensor): [N, C] or [C], floating type.
        target (Tensor): class numbers [N] or [].
        p (int): 1 or 2.
        margin (int): the margin.
        weight (Tensor): [C], a factor for each target class, or None.
        reduction (str): "mean", "sum" or "none".

    Raises:
        TypeError: `p` or `margin` is not an int.
        ValueError: another `p` or `reduction`, a class number out of range (on a CPU).
    """
    api = "multi_margin_loss"
    integer(api, "margin", margin)
    return _class_margins(api, input, target, weight, p, margin, reduction)


def _class_margins(api, input, target, weight, p, margin, reduction):
    (x,) = _wide(api, reduction, input=floating(api, "input", input))
    if integer(api, "p", p) not in (1, 2):
        raise value_error(api, "p", "1 or 2", p)
    label = target[..., None]
    own = lax.broadcasted_iota(target.dtype, x.shape, x.ndim - 1) == label
    terms = jax.nn.relu(margin - jnp.sum(jnp.where(own, x, 0), -1, keepdims=True) + x) ** p  # no slope at 0
    if weight is not None:
        terms = terms * weight.astype(x.dtype)[label]
    out = jnp.sum(jnp.where(own, 0, terms), -1) / x.shape[-1]
    return reduced(out, reduction).astype(input.dtype)


@op(static=("p", "margin", "reduction"), name="MultiMarginLoss", tensors="target weight")
def margin_of_classes(inputs, target, weight, p, margin, reduction):
    """`multi_margin_loss` of the primitive, whose margin may be a float."""
    return _class_margins("MultiMarginLoss", inputs, target, weight, p, margin, reduction)


def _true(target, classes):
    """Which elements of `target` stand before the first -1, and which classes they name."""
    live = jnp.cumsum(target < 0, -1) == 0
    named = lax.broadcasted_iota(target.dtype, (*target.shape, classes), target.ndim) == target[..., None]
    return live, jnp.any(named & live[..., None], -2)


@op(name="MultilabelMarginLoss")
def true_labels(x, target):
    """1 where a class is among the true ones of its row, of `target`'s shape and type."""
    return _true(target, x.shape[-1])[1].astype(target.dtype)


@faces("ops")
@op(static=("reduction",))
def multilabel_margin_loss(input, target, reduction="mean"):
    """Sum over true and false classes of max(0, 1 - (x[true] - x[false])) / C; a row of `target` ends at -1."""
    api = "multilabel_margin_loss"
    (x,) = _wide(api, reduction, input=floating(api, "input", input))
    check_shape(api, "target", target, x.shape)
    live, is_target = _true(target, x.shape[-1])
    classes = x.shape[-1]
    own = jnp.take_along_axis(x, jnp.where(live, target, 0), -1)
    terms = jnp.maximum(1 - own[..., :, None] + x[..., None, :], 0)
    out = jnp.sum(jnp.where(live[..., :, None] & ~is_target[..., None, :], terms, 0), (-2, -1)) / classes
    return reduced(out, reduction).astype(input.dtype)


@faces("ops")
@op(static=("reduction",))
def multilabel_soft_margin_loss(input, target, weight=None, reduction="mean"):
    """Mean over the classes of the binary cross-entropy of sigmoid(input)."""
    api = "multilabel_soft_margin_loss"
    x, y = _wide(api, reduction, input=floating(api, "input", input), target=target)
    out = y * jax.nn.softplus(-x) + (1 - y) * jax.nn.softplus(x)
    if weight is not None:
        out = out * weight.astype(x.dtype)
    return reduced(jnp.mean(out, -1), reduction).astype(combined(input, target, weight))


@faces("ops")
@op(static=("full", "eps", "reduction"))
def gaussian_nll_loss(x, target, var, full=False, eps=1e-6, reduction="mean"):
    """0.5 (log(v) + (x - target) ** 2 / v) with v = max(var, eps); `full` adds 0.5 log(2 pi)."""
    api = "gaussian_nll_loss"
    x, target, var = inexact(numeric(api, "x", x)), inexact(tensor(api, "target", target)), inexact(var)
    a, b, v = _wide(api, reduction, x=x, target=target, var=var)
    v = jnp.maximum(v, eps)
    out = 0.5 * (jnp.log(v) + lax.square(a - b) / v) + (0.5 * math.log(2 * math.pi) if full else 0)
    return reduced(out, reduction).astype(combined(x, target, var))
