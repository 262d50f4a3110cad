"""The loss of recurrent transducers. Graves, arXiv:1211.3711.

alpha(t, u) is the log-probability of having emitted u labels before time t. A row of the lattice depends on the row
before and on itself from left to right; the latter is a scan over the labels.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.checks import check_dtype, check_rank, check_shape
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_int
from ms_compat._core.faces import faces
from ms_compat.ops.function.elementwise.slopes import log_of_sum
from ms_compat.ops.function.nn.checks import floating, wide


def _costs(acts: Any, labels: Any, lengths: Any, counts: Any, blank: int) -> Any:
    """The negative log-probability of each sequence's labels [B]."""
    _, time, width, _ = acts.shape
    scores = jax.nn.log_softmax(acts, -1)
    silent = scores[..., blank]
    index = jnp.broadcast_to(labels[:, None, :, None], (labels.shape[0], time, width - 1, 1))
    emit = jnp.take_along_axis(scores[:, :, :-1], index, 3)[..., 0]

    def along(first, emitted):
        """A row from its entries by silence `first` [B, U] and the labels' scores [B, U - 1]."""

        def step(left, now):
            entry, score = now
            value = log_of_sum(entry, left + score)
            return value, value

        _, rest = lax.scan(step, first[:, 0], (first[:, 1:].T, emitted.T))
        return jnp.concatenate([first[:, :1], rest.T], 1)

    never = jnp.full_like(silent[:, 0, 1:], -1e30)
    start = along(jnp.concatenate([jnp.zeros_like(silent[:, 0, :1]), never], 1), emit[:, 0])

    def step(alpha, now):
        before, emitted = now
        alpha = along(alpha + before, emitted)
        return alpha, alpha

    _, rest = lax.scan(step, start, (silent[:, :-1].swapaxes(0, 1), emit[:, 1:].swapaxes(0, 1)))
    alpha = jnp.concatenate([start[None], rest])  # [T, B, U]
    rows = jnp.arange(acts.shape[0])
    last = lengths - 1
    return -(alpha[last, rows, counts] + silent[rows, last, counts])


@faces(primitive="RNNTLoss(blank_label: int = 0)(acts, labels, input_lengths, label_lengths)")
@op(static=("blank",), name="RNNTLoss")
def rnnt_loss(acts, labels, input_lengths, label_lengths, blank=0):
    """Minus the log-probability of label sequences under a transducer, and its gradient.

    Args:
        acts (Tensor): [B, T, U, V], scores that are not normalised; U is the number of labels plus one.
        labels (Tensor): [B, U - 1], Int32.
        input_lengths (Tensor): [B], Int32: steps of each sequence.
        label_lengths (Tensor): [B], Int32: labels of each sequence.
        blank (int): the class of silence.

    Returns:
        Tuple of the losses [B] and the gradient of their sum, of the shape and type of `acts`.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: shapes that do not fit.
    """
    api = "RNNTLoss"
    check_int(api, "blank_label", blank)
    check_rank(api, "acts", floating(api, "acts", acts), 4)
    batch, _, width, _ = acts.shape
    for name, value, shape in (
        ("labels", labels, (batch, width - 1)),
        ("input_lengths", input_lengths, (batch,)),
        ("label_lengths", label_lengths, (batch,)),
    ):
        check_dtype(api, name, value, np.int32)
        check_shape(api, name, value, shape)

    def total(values):
        costs = _costs(values, labels, input_lengths, label_lengths, blank)
        return costs.sum(), costs

    gradient, costs = jax.grad(total, has_aux=True)(wide(acts))
    return costs.astype(acts.dtype), gradient.astype(acts.dtype)
