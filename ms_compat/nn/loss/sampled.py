"""The softmax loss over a sample of the classes, and the triplet loss with a distance of one's own."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.checks import check_callable, check_length
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.random import random_op
from ms_compat._core.errors import check_bool, check_positive_int, check_type
from ms_compat._core.faces import faces
from ms_compat.nn.loss.loss import LossBase
from ms_compat.ops.function.elementwise.arithmetic import maximum
from ms_compat.ops.function.linalg.norms import lp_norm


def _frequency(classes: Any, total: int) -> Any:
    """The log-uniform (Zipfian) probability of classes: log((c + 2) / (c + 1)) / log(n + 1)."""
    classes = classes.astype(jnp.float32)
    return jnp.log((classes + 2) / (classes + 1)) / np.log(total + 1.0)


@random_op(static=("sampled", "total"))
def _draw(key, labels, sampled, total):
    """Distinct classes, log-uniform, with the expected counts of the true and sampled ones."""
    every = jnp.arange(total)
    chances = _frequency(every, total)
    # the Gumbel trick draws without replacement
    scores = jnp.log(chances) + jax.random.gumbel(key, (total,), jnp.float32)
    found = lax.top_k(scores, sampled)[1].astype(jnp.int32)

    def expected(classes):
        return -jnp.expm1(sampled * jnp.log1p(-_frequency(classes, total)))

    return found, expected(labels), expected(found)


@op(static=("num_true", "remove"), name="SampledSoftmaxLoss")
def _sampled(weights, biases, labels, inputs, sampled, true_expected, sampled_expected, num_true, remove):
    if labels.ndim == 1:
        labels = labels[:, None]
    if labels.ndim != 2 or labels.shape[1] != num_true:
        raise ValueError(
            f"For 'SampledSoftmaxLoss', the labels must have shape [batch, {num_true}], but got {labels.shape}."
        )
    true_expected = true_expected.reshape(labels.shape)
    own = jnp.sum(inputs[:, None, :] * weights[labels], -1) + biases[labels] - jnp.log(true_expected)
    others = inputs @ weights[sampled].T + biases[sampled] - jnp.log(sampled_expected)
    if remove:
        hit = jnp.any(labels[:, :, None] == sampled, axis=1)
        others = jnp.where(hit, jnp.finfo(others.dtype).min, others)
    logits = jnp.concatenate([own, others], -1)
    return -jnp.mean(jax.nn.log_softmax(logits)[:, :num_true], -1)


@faces("nn nn.loss")
class SampledSoftmaxLoss(LossBase):
    """The softmax cross entropy over the true classes and a sample of the others, for many classes.

    Jean et al., "On Using Very Large Target Vocabulary for Neural Machine Translation" (2015). The reduction is
    accepted and not applied, as in MindSpore: the losses of the batch are returned.

    Args:
        num_sampled (int): how many classes are drawn.
        num_classes (int): how many there are.
        num_true (int): true classes per sample.
        sampled_values (tuple): classes [num_sampled] and the expected counts of the true and drawn ones; drawn
            log-uniformly at every call if None.
        remove_accidental_hits (bool): whether drawn classes that are true ones no longer count as drawn.
        seed (int): accepted; the process-wide random stream draws.
        reduction (str): "mean", "sum" or "none".

    Inputs:
        weights (Tensor): [num_classes, D].
        biases (Tensor): [num_classes].
        labels (Tensor): [N] or [N, num_true], integers.
        logits (Tensor): [N, D].

    Raises:
        TypeError: `sampled_values` is not a tuple.
        ValueError: numbers of classes that do not fit.

    >>> import ms_compat as ms
    >>> ms.nn.SampledSoftmaxLoss(num_sampled=2, num_classes=4).num_sampled
    2
    """

    def __init__(
        self, num_sampled, num_classes, num_true=1, sampled_values=None, remove_accidental_hits=True, seed=0,
        reduction="none",
    ):  # fmt: skip
        super().__init__(reduction)
        api = "SampledSoftmaxLoss"
        for name, value in (("num_sampled", num_sampled), ("num_classes", num_classes), ("num_true", num_true)):
            check_positive_int(api, name, value)
        for name, value in (("num_true", num_true), ("num_sampled", num_sampled)):
            if value > num_classes:
                raise ValueError(
                    f"For '{api}', the '{name}' must be <= 'num_classes', but got {value} and {num_classes}."
                )
        if sampled_values is not None:
            check_type(api, "sampled_values", sampled_values, (list, tuple))
            check_length(api, "sampled_values", sampled_values, 3)
        self.num_sampled = num_sampled
        self.num_classes = num_classes
        self.num_true = num_true
        self.sampled_values = sampled_values
        self.remove_accidental_hits = check_bool(api, "remove_accidental_hits", remove_accidental_hits)
        self.seed = seed

    def construct(self, weights, biases, labels, logits):  # type: ignore[override]
        drawn = self.sampled_values
        if drawn is None:
            drawn = _draw(labels, self.num_sampled, self.num_classes)
        return _sampled(weights, biases, labels, logits, *drawn, self.num_true, self.remove_accidental_hits)


def _distance(x: Any, y: Any) -> Any:
    """The Euclidean distance of the rows, with no slope where they are equal."""
    return lp_norm(x - y, 1)


@faces("nn nn.loss")
class TripletMarginWithDistanceLoss(LossBase):
    """max(0, d(x, positive) - d(x, negative) + margin).

    Args:
        distance_function (callable): d; the Euclidean distance along axis 1 if None.
        swap (bool): use d(positive, negative) where it is smaller than d(x, negative).
        reduction (str): "mean", "sum" or "none".
        margin (float): the margin.

    Inputs:
        x, positive, negative (Tensor): one shape, floating type.

    Raises:
        TypeError: `distance_function` is not callable.
        ValueError: another `reduction`.

    >>> from ms_compat import Tensor, nn
    >>> loss = nn.TripletMarginWithDistanceLoss()(Tensor([[0.0, 0.0]]), Tensor([[3.0, 4.0]]), Tensor([[0.0, 5.0]]))
    >>> round(loss.item(), 3)
    1.0
    """

    def __init__(self, distance_function=None, swap=False, reduction="mean", margin=1.0):
        super().__init__(reduction)
        if distance_function is not None:
            check_callable("TripletMarginWithDistanceLoss", "distance_function", distance_function)
        self.distance_function = _distance if distance_function is None else distance_function
        self.swap = check_bool("TripletMarginWithDistanceLoss", "swap", swap)
        self.margin = margin

    def construct(self, x, positive, negative):  # type: ignore[override]
        near, far = self.distance_function(x, positive), self.distance_function(x, negative)
        if self.swap:
            far = far.minimum(self.distance_function(positive, negative))
        return self.get_loss(maximum(near - far + self.margin, 0))
