"""The scan over the steps of a recurrent network, with a rule for its derivative.

Four facts decide its speed on CPUs (tests/benchmarks/test_rnn.py measures them against a plain `lax.scan`):

- XLA vectorises a tanh over whole arrays, but not over row slices: 0.4 ns against 2.3 ns an element. So an LSTM has one
  tanh for the row of all its gates, and the gates of a GRU, where one enters another, are separate arrays.
- A sigmoid costs three times a tanh, so it is taken as (tanh(x / 2) + 1) / 2; the halves are multiplied into weights
  and biases beforehand (`split_gates`), which is exact.
- JAX's own derivative of a scan adds to the weights' gradient in every step. Here the tangents are written as
  `outer`, which multiplies the tangents of inputs and weights for all steps at once, and a linear scan with the rest.
  Its transpose is one matmul of T * N rows after the loop: forward and backward take half of the time. It is a rule for
  tangents and not a pullback, so that forward mode and higher derivatives keep working.
- What the linear scan multiplies with (`factors`) is computed in the first scan, whose values are still in the
  processor's cache, and not for all steps afterwards.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.jax_compat import is_symbolic_size
from ms_compat._core.settings import device

_STEPS = 2  # per turn of the loop; more only costs compile time


def unroll(length: Any) -> int:
    """How many steps a turn of the loop makes: one where the length is open, which JAX cannot divide into turns."""
    return 1 if is_symbolic_size(length) else _STEPS


def times(x: Any, weight: Any, out: Any) -> Any:
    """x @ weight.T, added up in `out`."""
    return lax.dot_general(x, weight, (((x.ndim - 1,), (1,)), ((), ())), preferred_element_type=out)


def _sigmoid(half: Any) -> Any:
    """The sigmoid of twice the argument."""
    return jnp.tanh(half) * 0.5 + 0.5


# In all functions below `inputs` and `product` are tuples of one array for each part.
# -- tanh and ReLU networks ------------------------------------------------------------------------------------------
def _plain(activation, slope):
    def step(inputs, product, states, bias):
        new = activation(inputs[0] + product[0])
        return (new,), new

    def factors(saved, before, after):
        return (slope(saved),)

    def outer(inputs, product, bias, factors):
        return inputs[0] + product[0]

    def inner(rest, product, factors, states):
        return ((rest + product[0]) * factors[0],)

    return step, factors, outer, inner


# -- GRU -------------------------------------------------------------------------------------------------------------
def _gru_step(inputs, product, states, bias):
    reset, update = _sigmoid(inputs[0] + product[0]), _sigmoid(inputs[1] + product[1])
    part = product[2] if bias is None else product[2] + bias
    new = jnp.tanh(inputs[2] + reset * part)
    return (new + update * (states[0] - new),), (reset, update, new, part)


def _gru_factors(saved, before, after):
    reset, update, new, part = saved
    through = (1 - new * new) * (1 - update)
    return (
        2 * reset * (1 - reset) * part * through,
        2 * update * (1 - update) * (before[0] - new),
        through * reset,
        update,
        through,
    )


def _gru_outer(inputs, product, bias, factors):
    own = product[2] if bias is None else product[2] + bias
    gates = (inputs[0] + product[0]) * factors[0] + (inputs[1] + product[1]) * factors[1]
    return gates + inputs[2] * factors[4] + own * factors[2]


def _gru_inner(rest, product, factors, states):
    gates = product[0] * factors[0] + product[1] * factors[1] + product[2] * factors[2]
    return (rest + gates + factors[3] * states[0],)


# -- LSTM: one row of all gates ----------------------------------------------------------------------------------------
_LSTM_SCALE = (0.5, 0.5, 1.0, 0.5)  # of enter, forget, new, leave
_LSTM_SHIFT = (0.5, 0.5, 0.0, 0.5)
_LSTM_SLOPE = ((0.0, 0.0, 1.0, 0.0), (2.0, 2.0, 0.0, 2.0), (-2.0, -2.0, -1.0, -2.0))


def _row(values: tuple, size: int, dtype: Any) -> Any:
    return np.repeat(np.array(values), size).astype(dtype)


def _lstm_step(inputs, product, states, bias):
    size, dtype = inputs[0].shape[-1] // 4, inputs[0].dtype
    gates = jnp.tanh(inputs[0] + product[0]) * _row(_LSTM_SCALE, size, dtype) + _row(_LSTM_SHIFT, size, dtype)
    enter, forget, new, leave = jnp.split(gates, 4, -1)
    cell = forget * states[1] + enter * new
    return (leave * jnp.tanh(cell), cell), gates


def _lstm_factors(gates, before, after):
    size, dtype = after[1].shape[-1], gates.dtype
    enter, forget, new, leave = jnp.split(gates, 4, -1)
    bounded = jnp.tanh(after[1])
    # By its value y, a halved sigmoid has the slope 2 y (1 - y), and a tanh 1 - y^2: one polynomial for the row.
    slope = _row(_LSTM_SLOPE[0], size, dtype) + gates * (
        _row(_LSTM_SLOPE[1], size, dtype) + gates * _row(_LSTM_SLOPE[2], size, dtype)
    )
    own = jnp.concatenate((new, before[1], enter, bounded), -1) * slope
    return own, leave * (1 - bounded * bounded), forget


def _lstm_outer(inputs, product, bias, factors):
    return inputs[0] + product[0]


def _lstm_inner(rest, product, factors, states):
    # The transpose of a split is a concatenation. Slices would become padded arrays that are added up.
    enter, forget, new, leave = jnp.split((rest + product[0]) * factors[0], 4, -1)
    cell = factors[2] * states[1] + (enter + forget + new)
    return leave + factors[1] * cell, cell


class Kind(NamedTuple):
    """A kind of network.

    Args:
        gates: how many rows of `hidden` the weights have.
        states: how many states.
        parts: how many arrays the gates come in: one for each, or 1 for a row of all.
        halved: which gates are sigmoids, whose weights and inputs come halved.
        step: (inputs, product with the state, states, bias of the product) -> new states, what `factors` needs.
        factors: (that, states before, states after) -> what `outer` and `inner` multiply with, for one step.
        outer: (tangents of inputs, product, bias; factors) -> the part that needs no state's tangent.
        inner: (that, product with the state's tangent, factors, states' tangents) -> tangents of the new states.
    """

    gates: int
    states: int
    parts: int
    halved: tuple[bool, ...]
    step: Any
    factors: Any
    outer: Any
    inner: Any


KINDS = {
    "RNN_TANH": Kind(1, 1, 1, (False,), *_plain(jnp.tanh, lambda new: 1 - new * new)),
    "RNN_RELU": Kind(1, 1, 1, (False,), *_plain(jax.nn.relu, lambda new: (new > 0).astype(new.dtype))),
    "GRU": Kind(3, 1, 3, (True, True, False), _gru_step, _gru_factors, _gru_outer, _gru_inner),
    "LSTM": Kind(4, 2, 1, (True, True, False, True), _lstm_step, _lstm_factors, _lstm_outer, _lstm_inner),
}


def split_gates(kind: str, rows: Any) -> Any:
    """Weights [G * H, C] or biases [G * H] as [parts, G * H / parts, C]; the rows of sigmoids halved."""
    _, _, parts, marks = KINDS[kind][:4]
    if any(marks):
        factor = _row(tuple([0.5 if mark else 1.0 for mark in marks]), rows.shape[0] // len(marks), rows.dtype)
        rows = rows * factor.reshape(-1, *[1] * (rows.ndim - 1))
    return rows.reshape(parts, -1, *rows.shape[1:])


def _product(state: Any, w_t: Any) -> tuple:
    """The state's product for each part; `w_t` is [parts, H, *]. Batched on CPUs: the results are whole arrays then."""
    left, parts = state.astype(w_t.dtype), w_t.shape[0]
    if device.platform() != "cpu" or parts == 1:
        return _all_parts(left, w_t, 0, state.dtype)
    each = jnp.broadcast_to(left, (parts, *state.shape))
    return tuple(lax.dot_general(each, w_t, (((2,), (1,)), ((0,), (0,))), preferred_element_type=state.dtype))


def _product_of_steps(state: Any, w: Any) -> tuple:
    """The product of all steps' states with a tangent of the weights, [parts, *, H].

    Its transpose is one product whose result has the weights' own order of axes, which optimizers read.
    """
    return _all_parts(state.astype(w.dtype), w, 1, state.dtype)


def _all_parts(left: Any, weights: Any, axis: int, out: Any) -> tuple:
    """One product of all parts' rows; `axis` of each part is contracted."""
    parts = weights.shape[0]
    right, axis = (weights[0], axis) if parts == 1 else (weights, axis + 1)
    contract = (((left.ndim - 1,), (axis,)), ((), ()))
    found = lax.dot_general(left, right, contract, preferred_element_type=out)
    return (found,) if parts == 1 else tuple([found[..., part, :] for part in range(parts)])


def _tangent_product(state: Any, w: Any) -> tuple:
    """The product with a state's tangent; `w` is [parts, *, H].

    On CPUs, XLA takes a third longer if the contracted axis of the weights is the last one. Here it is, so that in the
    transpose, which backward passes run in each step, it is the first one.
    """
    parts, rows, _ = w.shape
    out = times(state.astype(w.dtype), w.reshape(parts * rows, -1), state.dtype)
    return tuple(jnp.split(out, parts, -1))


def _shifted(inputs: tuple, shift: tuple | None) -> tuple:
    return inputs if shift is None else tuple(part + own for part, own in zip(inputs, shift, strict=True))


def _kept(keep: Any, new: tuple, old: tuple) -> tuple:
    return new if keep is None else tuple(jnp.where(keep, a, b) for a, b in zip(new, old, strict=True))


@partial(jax.custom_jvp, nondiff_argnums=(0, 1))
def sequence(kind: str, reverse: bool, inputs: tuple, shift: Any, w: Any, bias: Any, states: tuple, keep: Any) -> tuple:
    """All steps of one layer in one direction.

    Args:
        kind: a key of `KINDS`.
        reverse: from the last step to the first.
        inputs: [T, N, *] for each part: the inputs times their weights, as from `split_gates`.
        shift: [*] for each part: the biases, as from `split_gates`, or None. Adding them in each step saves a pass over
            all inputs.
        w: [parts, *, H], the state's weights as from `split_gates`.
        bias: [H], the GRU's bias that its reset gate scales; None otherwise.
        states: h, or h and c, each [N, H].
        keep: Bool [T, N, 1], which steps are within their row's length; None for all.

    Returns:
        h of every step [T, N, H], zero outside of the lengths, and the last states.
    """
    step = KINDS[kind].step
    w_t = w.swapaxes(1, 2)

    def body(states, now):
        inputs, keep = now
        new, _ = step(_shifted(inputs, shift), _product(states[0], w_t), states, bias)
        new = _kept(keep, new, states)
        return new, new[0]

    last, out = lax.scan(body, states, (inputs, keep), reverse=reverse, unroll=unroll(inputs[0].shape[0]))
    return (out if keep is None else jnp.where(keep, out, 0)), last


def _before(first: Any, each: Any, reverse: bool) -> Any:
    return jnp.concatenate([each[1:], first[None]] if reverse else [first[None], each[:-1]])


@sequence.defjvp
def _sequence_jvp(kind, reverse, primals, tangents):
    inputs, shift, w, bias, states, keep = primals
    d_inputs, d_shift, d_w, d_bias, d_states, _ = tangents
    step, factors, outer, inner = KINDS[kind][4:]
    w_t = w.swapaxes(1, 2)

    def body(states, now):
        inputs, keep = now
        new, saved = step(_shifted(inputs, shift), _product(states[0], w_t), states, bias)
        new = _kept(keep, new, states)
        return new, (new[0], factors(saved, states, new))

    last, (out, factor) = lax.scan(body, states, (inputs, keep), reverse=reverse, unroll=unroll(inputs[0].shape[0]))
    product = _product_of_steps(_before(states[0], out, reverse), d_w)
    rest = outer(_shifted(d_inputs, d_shift), product, d_bias, factor)

    def linear(d_states, now):
        rest, factor, keep = now
        new = _kept(keep, inner(rest, _tangent_product(d_states[0], w), factor, d_states), d_states)
        return new, new[0]

    d_last, d_out = lax.scan(linear, d_states, (rest, factor, keep), reverse=reverse, unroll=unroll(inputs[0].shape[0]))
    if keep is not None:
        out, d_out = jnp.where(keep, out, 0), jnp.where(keep, d_out, 0)
    return (out, last), (d_out, d_last)
