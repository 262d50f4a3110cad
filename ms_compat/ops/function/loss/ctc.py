"""The CTC loss with dense labels and a chosen blank. Graves et al., ICML 2006.

A label sequence is widened to states blank, label, blank, ..., and alpha(t, s) is the log-probability of all paths that
are in state s at time t. The gradient is the one that MindSpore and PyTorch give: with respect to the scores whose
log-softmax is `log_probs`, so exp(log_probs) minus each class's posterior, not with respect to `log_probs` itself.
Both recursions run in one scan each with minus infinity replaced by a large negative number, which needs no care with
differences of infinities.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.checks import check_dtype
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_bool, check_one_of, value_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.elementwise.slopes import log_of_sum
from ms_compat.ops.function.indexing.bounds import check_index, visible
from ms_compat.ops.function.nn.checks import integer

_NEVER = -1e30
_IMPOSSIBLE = -1e29  # sums below are minus infinity to the user


def _chain(targets: Any, counts: Any, blank: int) -> tuple[Any, Any, Any]:
    """The states' classes [N, S], which of them exist, and which may be reached from two states before."""
    batch, width = targets.shape
    states = 2 * width + 1
    chain = jnp.full((batch, states), blank, np.int32).at[:, 1::2].set(targets.astype(np.int32))
    exists = jnp.arange(states) <= 2 * counts[:, None]
    differs = jnp.concatenate([jnp.zeros((batch, 2), bool), chain[:, 2:] != chain[:, :-2]], 1)
    return jnp.where(exists, chain, blank), exists, differs & (jnp.arange(states) % 2 == 1)


def _shifted(values: Any, by: int) -> Any:
    """Values `by` states before (or, if negative, behind)."""
    pads = ((0, 0), (by, 0)) if by > 0 else ((0, 0), (0, -by))
    out = jnp.pad(values, pads, constant_values=_NEVER)
    return out[:, : values.shape[1]] if by > 0 else out[:, -values.shape[1] :]


def _add(*values: Any) -> Any:
    out = values[0]
    for value in values[1:]:
        out = log_of_sum(out, value)
    return out


def _alphas(emitted: Any, exists: Any, skip: Any, counts: Any) -> Any:
    """alpha [T, N, S]."""
    states = emitted.shape[2]
    first = (jnp.arange(states) < 2) & exists
    start = jnp.where(first, emitted[0], _NEVER)

    def step(alpha, now):
        new = _add(alpha, _shifted(alpha, 1), jnp.where(skip, _shifted(alpha, 2), _NEVER)) + now
        new = jnp.where(exists, jnp.maximum(new, _NEVER), _NEVER)
        return new, new

    _, rest = lax.scan(step, start, emitted[1:])
    return jnp.concatenate([start[None], rest])


def _ends(alpha: Any, counts: Any, lengths: Any) -> Any:
    """The log-probability of the labels: alpha of the last label and of the blank behind it, at the last time."""
    at = jnp.take_along_axis(alpha, jnp.maximum(lengths - 1, 0)[None, :, None], 0)[0]
    last = jnp.take_along_axis(at, 2 * counts[:, None], 1)[:, 0]
    before = jnp.take_along_axis(at, jnp.maximum(2 * counts - 1, 0)[:, None], 1)[:, 0]
    return _add(last, jnp.where(counts > 0, before, _NEVER))


def _places(log_probs: Any, chain: Any) -> Any:
    """The positions of the chain's labels in the flat `log_probs`: [T, N, S].

    A label that is not a class means the number at its distance from the row's first, as in MindSpore's kernel, which
    reads the neighbours' numbers; 0 stands for those outside of the array.
    """
    time, batch, classes = log_probs.shape
    at = jnp.arange(time * batch, dtype=chain.dtype).reshape(time, batch, 1) * classes + chain
    return jnp.where((at >= 0) & (at < log_probs.size), at, log_probs.size)


def _forward(log_probs, targets, lengths, counts, blank):
    chain, exists, skip = _chain(targets, counts, blank)
    emitted = jnp.maximum(log_probs.reshape(-1).at[_places(log_probs, chain)].get(mode="fill", fill_value=0), _NEVER)
    alpha = _alphas(emitted, exists, skip, counts)
    return alpha, _ends(alpha, counts, lengths), (chain, exists, skip, emitted)


def _posterior(log_probs, lengths, counts, alpha, likelihood, parts) -> Any:
    """The log-probability [T, N, C] that the path is in a class at a time."""
    chain, exists, skip, emitted = parts
    time, batch, _ = log_probs.shape
    states = chain.shape[1]
    ends = (jnp.arange(states) == 2 * counts[:, None]) | (jnp.arange(states) == 2 * counts[:, None] - 1)
    ends &= exists
    onward = jnp.concatenate([skip[:, 2:], jnp.zeros((batch, 2), bool)], 1)

    def step(beta, now):
        emitted, at = now
        new = _add(beta, _shifted(beta, -1), jnp.where(onward, _shifted(beta, -2), _NEVER)) + emitted
        new = jnp.where(exists, jnp.maximum(new, _NEVER), _NEVER)
        fresh = jnp.where(ends, emitted, _NEVER)
        new = jnp.where((at == lengths - 1)[:, None], fresh, jnp.where((at < lengths)[:, None], new, _NEVER))
        return new, new

    start = jnp.full((batch, states), _NEVER, log_probs.dtype)
    _, beta = lax.scan(step, start, (emitted, jnp.arange(time)), reverse=True)
    joint = jnp.exp(jnp.minimum(alpha + beta - emitted - likelihood[:, None], 0))
    flat = jnp.zeros(log_probs.size, log_probs.dtype).at[_places(log_probs, chain)].add(joint, mode="drop")
    return flat.reshape(log_probs.shape)


@partial(jax.custom_jvp, nondiff_argnums=(4, 5))
def _losses(log_probs, targets, lengths, counts, blank, zero_infinity):
    alpha, likelihood, _ = _forward(log_probs, targets, lengths, counts, blank)
    return _outcome(likelihood, zero_infinity), _shown(alpha, lengths)


def _outcome(likelihood: Any, zero_infinity: bool) -> Any:
    return jnp.where(likelihood < _IMPOSSIBLE, 0 if zero_infinity else jnp.inf, -likelihood)


def _shown(alpha: Any, lengths: Any) -> Any:
    """alpha as MindSpore gives it: [N, T, S], minus infinity where no path is and behind the end."""
    valid = (alpha > _IMPOSSIBLE) & (jnp.arange(alpha.shape[0])[:, None] < lengths)[:, :, None]
    return jnp.where(valid, alpha, -jnp.inf).transpose(1, 0, 2)


@_losses.defjvp
def _losses_jvp(blank, zero_infinity, primals, tangents):
    log_probs, targets, lengths, counts = primals
    alpha, likelihood, parts = _forward(log_probs, targets, lengths, counts, blank)
    posterior = _posterior(log_probs, lengths, counts, alpha, likelihood, parts)
    impossible = likelihood < _IMPOSSIBLE
    slope = jnp.exp(log_probs) - posterior
    slope = jnp.where(impossible[:, None], 0 if zero_infinity else jnp.nan, slope)
    slope = jnp.where((jnp.arange(log_probs.shape[0])[:, None] < lengths)[:, :, None], slope, 0)
    shown = _shown(alpha, lengths)
    losses = _sloped(log_probs, lax.stop_gradient(_outcome(likelihood, zero_infinity)), slope)
    return (losses, lax.stop_gradient(shown)), (_along(slope, tangents[0]), jnp.zeros_like(shown))


def _along(slope: Any, tangent: Any) -> Any:
    return jnp.sum(slope * tangent, (0, 2))


@jax.custom_jvp
def _sloped(log_probs: Any, losses: Any, slope: Any) -> Any:
    """The losses with this slope, so that their gradient is the same where a gradient has computed them."""
    return losses


@_sloped.defjvp
def _sloped_jvp(primals: tuple, tangents: tuple) -> tuple:
    return _sloped(*primals), _along(primals[2], tangents[0])


def _check(api: str, log_probs, targets, lengths, counts, blank: int) -> None:
    check_dtype(api, "log_probs", log_probs, np.float32, np.float64)
    for name, value in (("targets", targets), ("input_lengths", lengths), ("target_lengths", counts)):
        check_dtype(api, name, value, np.int32, np.int64)
    if log_probs.ndim != 3 or targets.ndim != 2:
        raise ValueError(
            f"For '{api}', 'log_probs' must have 3 dimensions and 'targets' 2, but got {log_probs.shape} and "
            f"{targets.shape}."
        )
    batch = log_probs.shape[1]
    for name, value in (("input_lengths", lengths), ("target_lengths", counts), ("targets", targets[:, :1])):
        if value.shape[:1] != (batch,):
            raise ValueError(f"For '{api}', the '{name}' must have {batch} rows, but got shape {value.shape}.")
    if not 0 <= integer(api, "blank", blank) < log_probs.shape[2]:
        raise value_error(api, "blank", f"in [0, {log_probs.shape[2]})", blank)


@op(static=("api", "blank", "reduction", "zero_infinity"), name="ctc_loss", tensors="lengths counts")
def _ctc_loss(log_probs, targets, lengths, counts, api, blank, reduction, zero_infinity):
    _check(api, log_probs, targets, lengths, counts, blank)
    lengths, counts = lengths.astype(np.int32), counts.astype(np.int32)
    losses, alpha = _losses(log_probs, targets, lengths, counts, blank, zero_infinity)
    if reduction == "sum":
        return losses.sum(), alpha
    if reduction == "mean":
        return (losses / jnp.maximum(counts, 1).astype(losses.dtype)).mean(), alpha
    return losses, alpha


def _numbers(value: Any) -> Any:
    if not isinstance(value, (tuple, list)):
        return value
    array = np.array(value)
    return Tensor(array.astype(np.float32 if array.dtype.kind == "f" else np.int64))


def _check_lengths(api: str, time: int, width: int, lengths: Any, counts: Any) -> None:
    """The checks of values (see `indexing/bounds.py`)."""
    check_index(api, lengths, time + 1, 0, "input_lengths")
    check_index(api, counts, width + 1, 0, "target_lengths")
    times, labels = visible(lengths), visible(counts)
    if times is not None and labels is not None and times.shape == labels.shape:
        if ((labels < 0) | (labels > times)).any():
            raise RuntimeError(
                f"For '{api}', the 'target_lengths' must be in [0, input_lengths], but got {labels.tolist()} for "
                f"{times.tolist()}."
            )


@faces("ops")
def ctc_loss(
    log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False, api="ctc_loss"
):
    """Minus the log-probability of label sequences under all alignments with a longer sequence.

    Args:
        log_probs (Tensor): [T, N, C], logarithms of probabilities, Float32 or Float64.
        targets (Tensor): [N, S], the labels.
        input_lengths (Union[tuple, Tensor]): [N], steps of each sequence, at most T.
        target_lengths (Union[tuple, Tensor]): [N], labels of each sequence.
        blank (int): the class that stands for no label.
        reduction (str): "none"; "sum"; or "mean" of the losses divided by their numbers of labels.
        zero_infinity (bool): labels that do not fit into their sequence have zero loss and gradient instead of
            infinity and NaN.
        api (str): what error messages call it.

    Returns:
        Tuple of the loss, [N] or a scalar, and the logarithms of the paths' probabilities, [N, T, 2 * S + 1].

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: shapes that do not fit, an unknown `reduction`, a `blank` that is not a class.
        RuntimeError: a length out of range (on a CPU).

    >>> import numpy as np
    >>> from ms_compat import Tensor, ops
    >>> scores = Tensor(np.zeros((4, 1, 3), np.float32))
    >>> loss, _ = ops.ctc_loss(ops.log_softmax(scores), Tensor([[1, 2]]), (4,), (2,), reduction="sum")
    >>> f"{float(loss):.3f}"
    '1.686'
    """
    check_bool(api, "zero_infinity", zero_infinity)
    check_one_of(api, "reduction", reduction, ("none", "sum", "mean"))
    lengths, counts = _numbers(input_lengths), _numbers(target_lengths)
    out = _ctc_loss(log_probs, targets, lengths, counts, api, blank, reduction, zero_infinity)
    _check_lengths(api, log_probs.shape[0], targets.shape[1], lengths, counts)
    return out
