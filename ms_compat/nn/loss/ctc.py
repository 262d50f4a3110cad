"""Connectionist temporal classification, Graves et al. (2006): the sum over all alignments, in log space.

The labels with blanks between them are the states of a chain; one `lax.scan` over time adds up the paths through it.
Impossible is a large negative number rather than minus infinity, whose gradient would be NaN.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import check_bool, check_int, check_type
from ms_compat._core.faces import faces
from ms_compat._core.op import op
from ms_compat._core.tensor import Tensor
from ms_compat.nn.loss.loss import LossBase

_NEVER = -1e30


def _losses(log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any, blank: int) -> Any:
    """Negative log likelihoods [N] of log probabilities [T, N, C] and targets [N, S]."""
    time, batch, _ = log_probs.shape
    width = targets.shape[1]
    states = 2 * width + 1
    labels = jnp.full((batch, states), blank, jnp.int32).at[:, 1::2].set(targets.astype(jnp.int32))
    # a blank between labels may be left out where they differ
    skip = jnp.zeros((batch, states), bool).at[:, 3::2].set(targets[:, 1:] != targets[:, :-1])
    emitted = jnp.take_along_axis(log_probs, jnp.broadcast_to(labels[None], (time, batch, states)), 2)
    first = jnp.full((batch, states), _NEVER, log_probs.dtype).at[:, :2].set(emitted[0, :, :2])

    def shifted(alpha, count):
        return jnp.pad(alpha, ((0, 0), (count, 0)), constant_values=_NEVER)[:, :states]

    def step(alpha, scores):
        now, at = scores
        two = jnp.where(skip, shifted(alpha, 2), _NEVER)
        new = jnp.logaddexp(jnp.logaddexp(alpha, shifted(alpha, 1)), two) + now
        return jnp.where((at < input_lengths)[:, None], new, alpha), None

    alpha, _ = lax.scan(step, first, (emitted[1:], jnp.arange(1, time)))
    last = 2 * target_lengths[:, None]
    end = jnp.take_along_axis(alpha, last, 1)[:, 0]
    before = jnp.take_along_axis(alpha, jnp.maximum(last - 1, 0), 1)[:, 0]
    before = jnp.where(target_lengths > 0, before, _NEVER)
    return -jnp.logaddexp(end, before)


@op(static=("blank", "reduction", "zero_infinity"), name="CTCLoss")
def _ctc(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity):
    kind = log_probs.dtype
    if kind not in (jnp.float32, jnp.float64):
        raise TypeError(f"For 'CTCLoss', the dtype of 'log_probs' must be Float32 or Float64, but got {kind}.")
    single = log_probs.ndim == 2
    if single:
        log_probs, targets = log_probs[:, None], targets.reshape(1, -1)
    elif log_probs.ndim != 3 or targets.ndim != 2 or targets.shape[0] != log_probs.shape[1]:
        raise ValueError(
            "For 'CTCLoss', 'log_probs' must be [T, N, C] and 'targets' [N, S], but got shapes "
            f"{log_probs.shape} and {targets.shape}."
        )
    if not 0 <= blank < log_probs.shape[2]:
        raise ValueError(f"For 'CTCLoss', the 'blank' must be in [0, {log_probs.shape[2]}), but got {blank}.")
    input_lengths, target_lengths = (v.reshape(-1).astype(jnp.int32) for v in (input_lengths, target_lengths))
    # MindSpore's gradient takes the probabilities for normalised, as after a log_softmax
    total = jax.nn.logsumexp(log_probs, -1, keepdims=True)
    log_probs = log_probs + (lax.stop_gradient(total) - total)
    losses = _losses(log_probs, targets, input_lengths, target_lengths, blank)
    impossible = losses > -_NEVER / 2
    losses = jnp.where(impossible, 0 if zero_infinity else jnp.inf, jnp.where(impossible, 0, losses))
    if reduction == "mean":
        return jnp.mean(losses / jnp.maximum(target_lengths, 1).astype(kind))
    if reduction == "sum":
        return jnp.sum(losses)
    return losses[0] if single else losses


def _lengths(name: str, value: Any) -> Any:
    if isinstance(value, (tuple, list, int)):
        return Tensor(value, mstype.int32)
    return check_type("CTCLoss", name, value, Tensor)


@faces("nn nn.loss")
class CTCLoss(LossBase):
    """The negative log likelihood of label sequences under all their alignments with a longer sequence.

    Differs from MindSpore's on CPU: `zero_infinity` is followed.

    Args:
        blank (int): the class that stands for no label.
        reduction (str): "none", "mean" (each loss is divided by its number of labels first) or "sum".
        zero_infinity (bool): whether the loss of impossible alignments is 0 instead of infinite.

    Inputs:
        log_probs (Tensor): [T, N, C] or [T, C], logarithms of probabilities, Float32 or Float64.
        targets (Tensor): [N, S], labels.
        input_lengths, target_lengths (Union[Tensor, tuple, int]): lengths of the sequences.

    Raises:
        TypeError, ValueError: an argument of a wrong type or value.

    >>> import ms_compat as ms
    >>> log_probs = ms.ops.log_softmax(ms.ops.zeros((4, 1, 3)))
    >>> loss = ms.nn.CTCLoss(reduction="none")(log_probs, ms.Tensor([[1, 2]]), ms.Tensor([4]), ms.Tensor([2]))
    >>> round(float(loss), 4)                 # 15 of the 81 sequences collapse to (1, 2)
    1.6864
    """

    def __init__(self, blank=0, reduction="mean", zero_infinity=False):
        super().__init__(reduction)
        self.blank = check_int("CTCLoss", "blank", blank)
        self.zero_infinity = check_bool("CTCLoss", "zero_infinity", zero_infinity)
        self.reduction = reduction

    def construct(self, log_probs, targets, input_lengths, target_lengths):  # type: ignore[override]
        check_type("CTCLoss", "log_probs", log_probs, Tensor)
        check_type("CTCLoss", "targets", targets, Tensor)
        input_lengths, target_lengths = _lengths("input_lengths", input_lengths), _lengths("target", target_lengths)
        return _ctc(log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity)
