"""The CTC loss of the primitive `CTCLoss`: labels as a sparse matrix, the blank last, the gradient beside the loss.

Source: Graves et al., 2006; MindSpore took the options from TensorFlow's `ctc_loss`. Impossible is
a large negative number rather than minus infinity, whose gradient would be NaN.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from ms_compat._core.checks import check_rank
from ms_compat._core.dispatch.op import op
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import Tracer
from ms_compat.ops.function.elementwise.slopes import log_of_sum
from ms_compat.ops.function.indexing.bounds import check_index
from ms_compat.ops.function.nn.checks import floating

_NEVER = -1e30


def _dense(indices, values, batch: int, blank: int, collapse: bool):
    """The labels [batch, width], padded with -1, how many there are, and whether one stands behind a blank.

    A label that is the blank ends its sequence; it serves as padding.
    """
    width = values.shape[0]
    labels = jnp.full((batch, width), -1, jnp.int32).at[indices[:, 0], indices[:, 1]].set(values.astype(jnp.int32))
    kept = labels >= 0
    if collapse:
        kept = kept & jnp.concatenate([jnp.ones((batch, 1), bool), labels[:, 1:] != labels[:, :-1]], 1)
    before = jnp.cumsum(kept & (labels >= blank), 1) == 0
    behind = jnp.any(kept & ~before & (labels < blank))
    kept = kept & before
    place = jnp.where(kept, jnp.cumsum(kept, 1) - 1, width)
    rows = jnp.arange(batch)[:, None]
    return jnp.full_like(labels, -1).at[rows, place].set(labels, mode="drop"), kept.sum(1), behind


def _losses(x, labels, counts, lengths, merge: bool):
    time, batch, classes = x.shape
    states = 2 * labels.shape[1] + 1
    blank = classes - 1
    chain = jnp.full((batch, states), blank).at[:, 1::2].set(jnp.where(labels >= 0, labels, blank))
    is_label = jnp.arange(states) % 2 == 1
    differs = jnp.concatenate([jnp.ones((batch, 2), bool), chain[:, 2:] != chain[:, :-2]], 1)
    skip = is_label & (differs | (not merge))
    stay = jnp.ones(states, bool) if merge else ~is_label
    emitted = jnp.take_along_axis(jax.nn.log_softmax(x, -1), jnp.broadcast_to(chain, (time, batch, states)), 2)

    def back(alpha, count):
        return jnp.pad(alpha, ((0, 0), (count, 0)), constant_values=_NEVER)[:, :states]

    def step(alpha, scores):
        now, at = scores
        new = log_of_sum(jnp.where(stay, alpha, _NEVER), back(alpha, 1))
        new = log_of_sum(new, jnp.where(skip, back(alpha, 2), _NEVER)) + now
        return jnp.where((at < lengths)[:, None], new, alpha), None

    start = jnp.where(jnp.arange(states) < 2, emitted[0], _NEVER)
    alpha, _ = lax.scan(step, start, (emitted[1:], jnp.arange(1, time)))
    last = 2 * counts[:, None]
    end = jnp.take_along_axis(alpha, last, 1)[:, 0]
    before = jnp.where(counts > 0, jnp.take_along_axis(alpha, jnp.maximum(last - 1, 0), 1)[:, 0], _NEVER)
    return -log_of_sum(end, before)


def _without_labels(x, losses, gradient, counts, lengths):
    """Losses and gradient; sequences without labels get MindSpore's values.

    Its kernel adds the blanks' probability at all steps but the last one, and so expects the last blank less. The
    documentation prints such values.
    """
    silent = jnp.cumsum(jax.nn.log_softmax(x, -1)[..., -1], 0)
    at = jnp.maximum(lengths - 2, 0)[None]
    shorter = jnp.where(lengths > 1, jnp.take_along_axis(silent, at, 0)[0], -jnp.inf)
    wanted = jnp.where(counts == 0, -jnp.logaddexp(-losses, shorter), losses)
    excess = jnp.where(counts == 0, 1 - jnp.exp(wanted - losses), 0).astype(gradient.dtype)
    gradient = gradient.at[jnp.maximum(lengths - 1, 0), jnp.arange(x.shape[1]), -1].add(excess)
    return wanted, gradient


@op(static=("collapse", "merge"), name="CTCLoss", tensors="labels_indices labels_values sequence_length")
def _ctc(x, labels_indices, labels_values, sequence_length, collapse, merge):
    check_rank("CTCLoss", "input", floating("CTCLoss", "x", x), 3)
    if labels_indices.ndim != 2 or labels_values.ndim != 1 or sequence_length.shape != x.shape[1:2]:
        raise ValueError(
            "For 'CTCLoss', 'labels_indices' must be 2-d, 'labels_values' 1-d and 'sequence_length' of shape "
            f"{x.shape[1:2]}, but got {labels_indices.shape}, {labels_values.shape} and {sequence_length.shape}."
        )
    labels, counts, behind = _dense(labels_indices, labels_values, x.shape[1], x.shape[2] - 1, collapse)
    possible = counts <= sequence_length

    def total(values):
        losses = _losses(values, labels, counts, sequence_length, merge)
        return jnp.where(possible, losses, 0).sum(), losses

    wide = x.astype(jnp.promote_types(x.dtype, jnp.float32))
    gradient, losses = jax.grad(total, has_aux=True)(wide)
    losses, gradient = _without_labels(wide, losses, gradient, counts, sequence_length)
    return jnp.where(possible, losses, jnp.inf).astype(x.dtype), gradient.astype(x.dtype), behind


@faces(
    primitive="CTCLoss(preprocess_collapse_repeated=False, ctc_merge_repeated=True, "
    "ignore_longer_outputs_than_inputs=False)(x, labels_indices, labels_values, sequence_length)"
)
def ctc_loss_sparse(
    x,
    labels_indices,
    labels_values,
    sequence_length,
    preprocess_collapse_repeated=False,
    ctc_merge_repeated=True,
    ignore_longer_outputs_than_inputs=False,
):
    """The negative log likelihood of label sequences under all alignments with a longer sequence, and its gradient.

    Args:
        x: [time, batch, classes], floating, not normalised; the last class is the blank.
        labels_indices: Int64 [n, 2], the batch and the position of each label.
        labels_values: Int32 [n]. The blank ends a sequence: it may stand behind its labels as padding.
        sequence_length: Int32 [batch].
        preprocess_collapse_repeated (bool): equal neighbours among the labels count once.
        ctc_merge_repeated (bool): equal neighbours in an alignment are one label.
        ignore_longer_outputs_than_inputs (bool): labels longer than their sequence get an infinite loss and a zero
            gradient instead of an error. Compiled code does so always.

    Returns:
        A tuple of the losses [batch] and the gradient of their sum, of `x`'s shape. The loss of a sequence without
        labels is -log(p(T) + p(T - 1)) for the probability p(t) of blanks in the first t steps, as in MindSpore, and
        its gradient expects the last blank by p(T) / (p(T) + p(T - 1)).

    Raises:
        TypeError: the dtype is not a float.
        ValueError: the shapes do not fit.
        RuntimeError: a length is out of range, there are more labels than steps, or a label stands behind a blank
            (compiled code leaves that label out).
    """
    loss, gradient, behind = _ctc(
        x, labels_indices, labels_values, sequence_length, preprocess_collapse_repeated, ctc_merge_repeated
    )
    check_index("CTCLoss", sequence_length, x.shape[0] + 1, 0, "sequence_length")
    if isinstance(loss._v, Tracer):
        return loss, gradient
    if bool(behind._v):
        raise RuntimeError(
            "For 'CTCLoss', the labels of a sequence must not continue after a blank, which is the last class."
        )
    if not ignore_longer_outputs_than_inputs and bool(jnp.isinf(loss._v).any()):
        raise RuntimeError("For 'CTCLoss', the sequence length must not be less than the number of labels.")
    return loss, gradient
