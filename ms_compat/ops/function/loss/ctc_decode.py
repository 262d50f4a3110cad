"""Greedy decoding of CTC outputs. The number of labels depends on the values, so it is decided on the host."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import UnsupportedError, check_type
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.nn.checks import floating


@op
def _log_probability(inputs, sequence_length):
    x = floating("ctc_greedy_decoder", "inputs", inputs)
    used = jnp.arange(x.shape[0])[:, None] < sequence_length
    return -jnp.sum(jnp.where(used, jnp.max(x, -1), 0), 0)[:, None].astype(x.dtype)


@faces("ops")
def ctc_greedy_decoder(inputs, sequence_length, merge_repeated=True):
    """The best label at each time, without blanks (the last class) and, on request, without repetitions.

    Args:
        inputs (Tensor): [time, batch, classes].
        sequence_length (Tensor): [batch], Int32.
        merge_repeated (bool): a label that follows itself counts once.

    Returns:
        Positions (sample, place) and values of the labels, and the shape that holds them, Int64; and minus the sums
        of the largest inputs [batch, 1].

    Raises:
        ValueError: shapes that do not fit.
        RuntimeError: a length is beyond the number of times.
        UnsupportedError: in a compiled function.
    """
    check_type("ctc_greedy_decoder", "inputs", inputs, Tensor)
    check_type("ctc_greedy_decoder", "sequence_length", sequence_length, Tensor)
    if len(inputs.shape) != 3 or sequence_length.shape != inputs.shape[1:2]:
        raise ValueError(
            f"For 'ctc_greedy_decoder', the shapes must be [time, batch, classes] and [batch], but got {inputs.shape} "
            f"and {sequence_length.shape}."
        )
    if isinstance(inputs._v, Tracer) or isinstance(sequence_length._v, Tracer):
        raise UnsupportedError(
            "For 'ctc_greedy_decoder', the shape of the result depends on the values. Call it outside of the compiled "
            "function."
        )
    best = inputs.asnumpy().argmax(-1)
    blank = inputs.shape[2] - 1
    found = []
    for sample, length in enumerate(sequence_length.asnumpy().tolist()):
        if length > len(best):
            raise RuntimeError(
                f"For 'ctc_greedy_decoder', a length must be at most {len(best)}, the number of times, got {length}."
            )
        labels = best[: max(length, 0), sample]
        keep = labels != blank
        if merge_repeated:
            keep[1:] &= labels[1:] != labels[:-1]
        found.append(labels[keep])
    places = [(sample, place) for sample, labels in enumerate(found) for place in range(len(labels))]
    size = (len(found), max([len(labels) for labels in found], default=0))
    index = np.array(places, np.int64).reshape(-1, 2)
    values = np.concatenate(found).astype(np.int64)
    return Tensor(index), Tensor(values), Tensor(np.array(size)), _log_probability(inputs, sequence_length)
