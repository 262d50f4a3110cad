"""The scan over the steps of a recurrent network, with a rule for its derivative.

Two facts decide its speed on CPUs (tests/benchmarks/test_rnn.py measures both against a plain `lax.scan`):

- XLA vectorises one tanh over a whole row of gates, but not several functions of slices of the row: 7 us against 47 us
  for a step of [32, 4 * 128]. So a sigmoid is taken as (tanh(x / 2) + 1) / 2, one tanh serves all gates of an LSTM, and
  the halves are multiplied into the weights beforehand (`halved`), which is exact.
- JAX's own derivative of a scan adds to the gradient of the weights in every step. Here the tangents are written as
  `outer`, which multiplies the tangents of inputs and weights for all steps at once, and a linear scan with the rest.
  Its transpose is one matmul of T * N rows after the loop: forward and backward take a third of the time. It is a
  rule for tangents and not a pullback, so that forward mode and higher derivatives keep working.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

UNROLL = 2  # steps per turn of the loop; more only costs compile time


def times(x: Any, weight: Any, out: Any) -> Any:
    """x @ weight.T, added up in `out`."""
    return lax.dot_general(x, weight, (((x.ndim - 1,), (1,)), ((), ())), preferred_element_type=out)


def _half(x: Any) -> Any:
    """A sigmoid of 2 x."""
    return jnp.tanh(x) * 0.5 + 0.5


def _gates(x: Any, count: int) -> Any:
    return x.reshape(*x.shape[:-1], count, -1)


# -- tanh and ReLU networks ------------------------------------------------------------------------------------------
def _plain(activation, slope):
    def step(inputs, product, states, bias):
        new = activation(inputs + product)
        return (new,), new

    def factors(saved, before, after):
        return (slope(saved),)

    def outer(inputs, product, bias, factors):
        return (inputs + product) * factors[0]

    def inner(rest, product, factors, states):
        return (rest + product * factors[0],)

    return step, factors, outer, inner


# -- GRU -------------------------------------------------------------------------------------------------------------
def _gru_step(inputs, product, states, bias):
    size = inputs.shape[-1] // 3
    part = product[..., 2 * size :] if bias is None else product[..., 2 * size :] + bias
    both = jnp.tanh(inputs[..., : 2 * size] + product[..., : 2 * size]) * 0.5 + 0.5
    reset, update = jnp.split(both, 2, -1)
    new = jnp.tanh(inputs[..., 2 * size :] + reset * part)
    return (new + update * (states[0] - new),), (both, new, part)


def _gru_factors(saved, before, after):
    both, new, part = saved
    reset, update = jnp.split(both, 2, -1)
    through = (1 - new * new) * (1 - update)
    gates = (2 * reset * (1 - reset) * part * through, 2 * update * (1 - update) * (before[0] - new))
    return jnp.concatenate([*gates, through * reset], -1), update, jnp.concatenate([*gates, through], -1)


def _gru_outer(inputs, product, bias, factors):
    if bias is not None:
        size = product.shape[-1] // 3
        product = jnp.concatenate([product[..., : 2 * size], product[..., 2 * size :] + bias], -1)
    return _gates(inputs * factors[2] + product * factors[0], 3).sum(-2)


def _gru_inner(rest, product, factors, states):
    return (rest + _gates(product * factors[0], 3).sum(-2) + factors[1] * states[0],)


# -- LSTM ------------------------------------------------------------------------------------------------------------
_LSTM_SCALE = (0.5, 0.5, 1.0, 0.5)  # of enter, forget, new, leave
_LSTM_SHIFT = (0.5, 0.5, 0.0, 0.5)


def _row(values: tuple, size: int, dtype: Any) -> Any:
    return np.repeat(np.array(values), size).astype(dtype)


def _lstm_step(inputs, product, states, bias):
    size, dtype = inputs.shape[-1] // 4, inputs.dtype
    gates = jnp.tanh(inputs + product) * _row(_LSTM_SCALE, size, dtype) + _row(_LSTM_SHIFT, size, dtype)
    enter, forget, new, leave = jnp.split(gates, 4, -1)
    cell = forget * states[1] + enter * new
    return (leave * jnp.tanh(cell), cell), gates


def _lstm_factors(gates, before, after):
    enter, forget, new, leave = jnp.split(gates, 4, -1)
    bounded = jnp.tanh(after[1])
    own = (
        2 * new * enter * (1 - enter),
        2 * before[1] * forget * (1 - forget),
        enter * (1 - new * new),
        2 * bounded * leave * (1 - leave),
    )
    return jnp.concatenate(own, -1), leave * (1 - bounded * bounded), forget


def _lstm_outer(inputs, product, bias, factors):
    return (inputs + product) * factors[0]


def _lstm_inner(rest, product, factors, states):
    parts = _gates(rest + product * factors[0], 4)
    cell = factors[2] * states[1] + parts[..., :3, :].sum(-2)
    return parts[..., 3, :] + factors[1] * cell, cell


class Kind(NamedTuple):
    """A kind of network.

    Args:
        gates: how many rows of `hidden` the weights have.
        states: how many states.
        halved: which gates are sigmoids, whose weights and inputs come halved.
        step: (inputs, product with the state, states, bias of the product) -> new states, what `factors` needs.
        factors: (that, states before, states after) -> what `outer` and `inner` multiply with.
        outer: (tangents of inputs, product, bias; factors) -> the part of the tangents that needs no state's tangent.
        inner: (that part, product with the state's tangent, factors, states' tangents) -> tangents of the new states.
    """

    gates: int
    states: int
    halved: tuple[bool, ...]
    step: Any
    factors: Any
    outer: Any
    inner: Any


KINDS = {
    "RNN_TANH": Kind(1, 1, (False,), *_plain(jnp.tanh, lambda new: 1 - new * new)),
    "RNN_RELU": Kind(1, 1, (False,), *_plain(jax.nn.relu, lambda new: (new > 0).astype(new.dtype))),
    "GRU": Kind(3, 1, (True, True, False), _gru_step, _gru_factors, _gru_outer, _gru_inner),
    "LSTM": Kind(4, 2, (True, True, False, True), _lstm_step, _lstm_factors, _lstm_outer, _lstm_inner),
}


def halved(kind: str, rows: Any, axis: int = 0) -> Any:
    """Weights, biases or sums with G * H rows along an axis, those of the sigmoids halved."""
    marks = KINDS[kind].halved
    if not any(marks):
        return rows
    factor = _row(tuple([0.5 if mark else 1.0 for mark in marks]), rows.shape[axis] // len(marks), rows.dtype)
    return rows * (factor if axis == -1 else factor.reshape(-1, *[1] * (rows.ndim - 1)))


def _product(state: Any, w_t: Any) -> Any:
    return lax.dot_general(
        state.astype(w_t.dtype), w_t, (((state.ndim - 1,), (0,)), ((), ())), preferred_element_type=state.dtype
    )


def _kept(keep: Any, new: tuple, old: tuple) -> tuple:
    return new if keep is None else tuple(jnp.where(keep, a, b) for a, b in zip(new, old, strict=True))


@partial(jax.custom_jvp, nondiff_argnums=(0, 1))
def sequence(kind: str, reverse: bool, inputs: Any, w_t: Any, bias: Any, states: tuple, keep: Any) -> tuple:
    """All steps of one direction of one layer.

    Args:
        kind: a key of `KINDS`.
        reverse: from the last step to the first.
        inputs: [T, N, G * H], the inputs times their weights plus the biases; sigmoid gates `halved`.
        w_t: [H, G * H], the state's weights transposed; sigmoid gates `halved`.
        bias: [H], the GRU's bias that its reset gate scales; None otherwise.
        states: h, or h and c, each [N, H].
        keep: Bool [T, N, 1], which steps are within their row's length; None for all.

    Returns:
        h of every step [T, N, H], zero outside of the lengths, and the last states.
    """
    step = KINDS[kind].step

    def body(states, now):
        inputs, keep = now
        new, _ = step(inputs, _product(states[0], w_t), states, bias)
        new = _kept(keep, new, states)
        return new, new[0]

    last, out = lax.scan(body, states, (inputs, keep), reverse=reverse, unroll=UNROLL)
    return (out if keep is None else jnp.where(keep, out, 0)), last


def _before(first: Any, each: Any, reverse: bool) -> Any:
    return jnp.concatenate([each[1:], first[None]] if reverse else [first[None], each[:-1]])


@sequence.defjvp
def _sequence_jvp(kind, reverse, primals, tangents):
    inputs, w_t, bias, states, keep = primals
    d_inputs, d_w_t, d_bias, d_states, _ = tangents
    step, factors, outer, inner = KINDS[kind][3:]

    def body(states, now):
        inputs, keep = now
        new, saved = step(inputs, _product(states[0], w_t), states, bias)
        new = _kept(keep, new, states)
        return new, (new, saved)

    last, (each, saved) = lax.scan(body, states, (inputs, keep), reverse=reverse, unroll=UNROLL)
    before = tuple(_before(a, b, reverse) for a, b in zip(states, each, strict=True))
    factor = factors(saved, before, each)
    rest = outer(d_inputs, _product(before[0], d_w_t), d_bias, factor)

    def linear(d_states, now):
        rest, factor, keep = now
        new = _kept(keep, inner(rest, _product(d_states[0], w_t), factor, d_states), d_states)
        return new, new[0]

    d_last, d_out = lax.scan(linear, d_states, (rest, factor, keep), reverse=reverse, unroll=UNROLL)
    out = each[0]
    if keep is not None:
        out, d_out = jnp.where(keep, out, 0), jnp.where(keep, d_out, 0)
    return (out, last), (d_out, d_last)
