"""The recurrent operations behind MindSpore's older layers, with their own layouts of weights and gates.

- `DynamicRNN` and `BasicLSTMCell`: an LSTM whose one weight [C + H, 4 H] stands for inputs and state; the gates are
  input, new, forget, output (i, j, f, o).
- `DynamicGRUV2`: a GRU with weights [C, 3 H] and [H, 3 H] and a choice of the gates' order.
- `LSTM`: whole networks with all weights concatenated in a vector.

They also return the gates of every step; XLA drops those that nobody uses from compiled code.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.checks import check_rank, check_shape
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.random import random_op
from ms_compat._core.errors import unsupported_argument, value_error
from ms_compat.ops.function.nn.checks import HALVES, floating, wide_on_cpu
from ms_compat.ops.function.nn.dropout import _kept
from ms_compat.ops.function.rnn.layers import recurrent
from ms_compat.ops.function.rnn.scan import unroll


def _shape(api: str, name: str, value: Any, wanted: tuple) -> None:
    check_shape(api, name, value, wanted)


def _product(x: Any, w: Any, total: Any) -> Any:
    """x @ w, added up in `total`."""
    return lax.dot_general(
        wide_on_cpu(x), wide_on_cpu(w.astype(x.dtype)), (((x.ndim - 1,), (0,)), ((), ())), preferred_element_type=total
    )


def _lstm_gates(sums: Any, cell: Any, forget_bias: float, clip: float) -> tuple:
    """The new h and c, and the gates i, j, f, o and tanh(c)."""
    enter, new, forget, leave = jnp.split(sums, 4, -1)
    enter, new, leave = jax.nn.sigmoid(enter), jnp.tanh(new), jax.nn.sigmoid(leave)
    forget = jax.nn.sigmoid(forget + forget_bias)
    cell = forget * cell + enter * new
    if clip > 0:
        cell = jnp.clip(cell, -clip, clip)
    bounded = jnp.tanh(cell)
    return leave * bounded, cell, (enter, new, forget, leave, bounded)


@op(static=("forget_bias", "cell_clip"), name="DynamicRNN")
def dynamic_rnn(x, w, b, init_h, init_c, forget_bias, cell_clip):
    """An LSTM over a sequence, with the gates of every step.

    Args:
        x (Tensor): [T, N, C], floating type.
        w (Tensor): [C + H, 4 H], for the gates i, j, f, o.
        b (Tensor): [4 H].
        init_h, init_c (Tensor): [1, N, H], or None for zeros.
        forget_bias (float): added to the sum of the forget gate.
        cell_clip (float): bounds the cell, if positive.

    Returns:
        Tuple of the outputs, h, c, i, j, f, o and tanh(c), each [T, N, H]; h has `x`'s type, the others `b`'s.

    Raises:
        TypeError: data that is not floating.
        ValueError: shapes that do not fit.
    """
    api = "DynamicRNN"
    for name, value in (("x", x), ("w", w), ("b", b)):
        floating(api, name, value)
    if x.ndim != 3 or w.ndim != 2 or w.shape[1] % 4:
        raise ValueError(
            f"For '{api}', 'x' must have 3 dimensions and 'w' 2, the second of 4 gates, but got {x.shape} and "
            f"{w.shape}."
        )
    hidden = w.shape[1] // 4
    _shape(api, "w", w, (x.shape[2] + hidden, 4 * hidden))
    _shape(api, "b", b, (4 * hidden,))
    total = np.dtype(np.float32) if x.dtype in HALVES else x.dtype
    states = []
    for name, value in (("init_h", init_h), ("init_c", init_c)):
        if value is not None:
            _shape(api, name, value, (1, x.shape[1], hidden))
        states.append(jnp.zeros((x.shape[1], hidden), total) if value is None else value[0].astype(total))
    inputs = _product(x, w[: x.shape[2]], total) + b.astype(total)
    w_h = w[x.shape[2] :]

    def step(state, now):
        sums = now + _product(state[0].astype(x.dtype), w_h, total)
        h, c, gates = _lstm_gates(sums, state[1], forget_bias, cell_clip)
        return (h, c), (h, c, *gates)

    _, (h, c, *gates) = lax.scan(step, tuple(states), inputs, unroll=unroll(inputs.shape[0]))
    out = b.dtype
    return h.astype(out), h.astype(x.dtype), c.astype(out), *(g.astype(out) for g in gates)


@op(static=("forget_bias",), name="BasicLSTMCell")
def basic_lstm_cell(x, h, c, w, b, forget_bias):
    """One step of `dynamic_rnn`: c, h, i, j, f, o and tanh(c), each [N, H].

    Args:
        x (Tensor): [N, C].
        h, c (Tensor): [N, H].
        w (Tensor): [C + H, 4 H].
        b (Tensor): [4 H].
        forget_bias (float): added to the sum of the forget gate.

    Raises:
        TypeError: data that is not floating.
        ValueError: shapes that do not fit.
    """
    api = "BasicLSTMCell"
    for name, value, rank in (("x", x, 2), ("h", h, 2), ("c", c, 2), ("w", w, 2), ("b", b, 1)):
        check_rank(api, name, floating(api, name, value), rank)
    hidden = h.shape[1]
    _shape(api, "h", h, (x.shape[0], hidden))
    _shape(api, "c", c, h.shape)
    _shape(api, "w", w, (x.shape[1] + hidden, 4 * hidden))
    _shape(api, "b", b, (4 * hidden,))
    total = np.dtype(np.float32) if x.dtype in HALVES else x.dtype
    sums = _product(jnp.concatenate([x, h.astype(x.dtype)], 1), w, total) + b.astype(total)
    new_h, new_c, gates = _lstm_gates(sums, c.astype(total), forget_bias, 0.0)
    return new_c.astype(c.dtype), new_h.astype(c.dtype), *(g.astype(c.dtype) for g in gates)


@op(static=("gate_order", "reset_after"), name="DynamicGRUV2")
def dynamic_gru(x, weight_input, weight_hidden, bias_input, bias_hidden, init_h, gate_order, reset_after):
    """A GRU over a sequence, with the gates of every step.

    Args:
        x (Tensor): [T, N, C], floating type.
        weight_input (Tensor): [C, 3 H].
        weight_hidden (Tensor): [H, 3 H].
        bias_input, bias_hidden (Tensor): [3 H] or None.
        init_h (Tensor): [N, H].
        gate_order (str): "rzh": reset, update, new; or "zrh".
        reset_after (bool): the reset gate scales the state's product; otherwise the state before the product.

    Returns:
        Tuple of the outputs, h, the update and reset gates, the new values and the state's part of these, each
        [T, N, H], with the biases' type, or `init_h`'s without them.

    Raises:
        TypeError: data that is not floating.
        ValueError: shapes that do not fit.
    """
    api = "DynamicGRUV2"
    for name, value in (("x", x), ("weight_input", weight_input), ("weight_hidden", weight_hidden), ("init_h", init_h)):
        floating(api, name, value)
    if x.ndim != 3 or weight_hidden.ndim != 2:
        raise ValueError(
            f"For '{api}', 'x' must have 3 dimensions and 'weight_hidden' 2, but got {x.shape} and "
            f"{weight_hidden.shape}."
        )
    hidden = weight_hidden.shape[0]
    _shape(api, "weight_hidden", weight_hidden, (hidden, 3 * hidden))
    _shape(api, "weight_input", weight_input, (x.shape[2], 3 * hidden))
    init_h = init_h[0] if init_h.ndim == 3 and init_h.shape[0] == 1 else init_h
    _shape(api, "init_h", init_h, (x.shape[1], hidden))
    for name, value in (("bias_input", bias_input), ("bias_hidden", bias_hidden)):
        if value is not None:
            _shape(api, name, value, (3 * hidden,))
    out = next((b.dtype for b in (bias_input, bias_hidden) if b is not None), init_h.dtype)
    total = np.dtype(np.float32) if x.dtype in HALVES else x.dtype
    inputs = _product(x, weight_input, total)
    if bias_input is not None:
        inputs = inputs + bias_input.astype(total)
    zeros = jnp.zeros(3 * hidden, total)
    bias = zeros if bias_hidden is None else bias_hidden.astype(total)
    swap = gate_order == "zrh"

    def two(sums):
        first, second = jax.nn.sigmoid(sums[..., :hidden]), jax.nn.sigmoid(sums[..., hidden : 2 * hidden])
        return (second, first) if swap else (first, second)

    def step(h, now):
        rounded = h.astype(x.dtype)
        if reset_after:
            product = _product(rounded, weight_hidden, total) + bias
            reset, update = two(now + product)
            part = product[..., 2 * hidden :]
            new = jnp.tanh(now[..., 2 * hidden :] + reset * part)
        else:
            product = _product(rounded, weight_hidden[:, : 2 * hidden], total) + bias[: 2 * hidden]
            reset, update = two(now[..., : 2 * hidden] + product)
            scaled = (reset * h).astype(x.dtype)
            part = _product(scaled, weight_hidden[:, 2 * hidden :], total) + bias[2 * hidden :]
            new = jnp.tanh(now[..., 2 * hidden :] + part)
        h = new + update * (h - new)
        return h, (h, update, reset, new, part)

    _, (h, *gates) = lax.scan(step, init_h.astype(total), inputs, unroll=unroll(inputs.shape[0]))
    return h.astype(out), h.astype(out), *(g.astype(out) for g in gates)


# -- networks with the weights in one vector ---------------------------------------------------------------------------
def _sizes(inputs: int, hidden: int, real: int, layers: int, directions: int) -> list[tuple[int, ...]]:
    """Sizes of w_ih, w_hh (and of the projection) of each layer and direction."""
    out: list[tuple[int, ...]] = []
    for layer in range(layers):
        size = inputs if layer == 0 else real * directions
        out += [(4 * hidden * size, 4 * hidden * real, hidden * real if real != hidden else 0)] * directions
    return out


def _unpack(api: str, w: Any, sizes: list, hidden: int, has_bias: bool, grouped: bool) -> list[list[Any]]:
    """The parts of the vector: [w_ih, w_hh, projection, b_ih, b_hh] of each layer and direction.

    `grouped`: all w_ih, then all w_hh, then the projections, then one bias each; otherwise the weights of each layer
    and direction together, then two biases each.
    """
    ends = list(range(len(sizes)))
    kinds = range(3)
    order = [(kind, end) for kind in kinds for end in ends] if grouped else [(k, e) for e in ends for k in kinds]
    parts: dict[Any, Any] = {}
    at = 0
    for kind, end in order:
        parts[kind, end] = w[at : at + sizes[end][kind]]
        at += sizes[end][kind]
    sets = 1 if grouped else 2
    biases = sets * 4 * hidden if has_bias else 0
    if at + biases * len(sizes) > w.shape[0]:
        raise ValueError(
            f"For '{api}', the weights must have {at + biases * len(sizes)} elements, but got {w.shape[0]}."
        )
    for end in ends:
        both = w[at : at + biases]
        at += biases
        parts[3, end] = both[: 4 * hidden]
        parts[4, end] = both[4 * hidden :] if not grouped else jnp.zeros_like(both)
    return [[parts[kind, end] for kind in range(5)] for end in ends]


def _flat_lstm(key, x, h, c, w, input_size, hidden_size, num_layers, has_bias, bidirectional, dropout, proj_size):
    api = "LSTM"
    if floating(api, "input", x).ndim != 3 or x.shape[2] != input_size:
        raise ValueError(f"For '{api}', the 'input' must have shape (T, N, {input_size}), but got {x.shape}.")
    directions = 2 if bidirectional else 1
    real = proj_size or hidden_size
    _shape(api, "h", h, (num_layers * directions, x.shape[1], real))
    _shape(api, "c", c, (num_layers * directions, x.shape[1], hidden_size))
    w = w.reshape(-1)
    sizes = _sizes(input_size, hidden_size, real, num_layers, directions)
    plain = sum(sum(each) for each in sizes)
    two = plain + has_bias * 8 * hidden_size * len(sizes)
    grouped = num_layers == 1 and (not has_bias or w.shape[0] < two)
    ends = _unpack(api, w, sizes, hidden_size, has_bias, grouped)
    y, last_h, last_c = x, [], []
    for layer in range(num_layers):
        outputs = []
        for direction in range(directions):
            at = layer * directions + direction
            w_ih, w_hh, proj, b_ih, b_hh = ends[at]
            weights = [w_ih.reshape(4 * hidden_size, -1), w_hh.reshape(4 * hidden_size, real)]
            if has_bias:
                weights += [b_ih, b_hh]
            states = (h[at : at + 1], c[at : at + 1])
            flipped = y[::-1] if direction else y
            if proj_size:
                out, h_n, c_n = _projected(flipped, states, weights, proj.reshape(proj_size, hidden_size))
            else:
                out, h_n, c_n = recurrent.fn(flipped, states, None, weights, api, "LSTM")
            outputs.append(out[::-1] if direction else out)
            last_h.append(h_n[0])
            last_c.append(c_n[0])
        y = outputs[0] if directions == 1 else jnp.concatenate(outputs, -1)
        if key is not None and layer < num_layers - 1:
            keep = 1 - dropout
            y = jnp.where(_kept(jax.random.fold_in(key, layer), y.shape, keep), y / keep, 0).astype(x.dtype)
    empty = jnp.zeros((1, 1), x.dtype)
    return y, jnp.stack(last_h), jnp.stack(last_c), empty, empty


def _projected(x: Any, states: tuple, weights: list, proj: Any) -> tuple[Any, Any, Any]:
    """An LSTM whose output of each step is multiplied with `proj` [P, H] before it goes on."""
    w_ih, w_hh, *biases = weights
    total = np.dtype(np.float32) if x.dtype in HALVES else x.dtype
    inputs = _product(x, w_ih.T, total)
    for bias in biases:
        inputs = inputs + bias.astype(total)

    def step(state, now):
        h, c = state
        enter, forget, new, leave = jnp.split(now + _product(h, w_hh.T, total), 4, -1)
        c = jax.nn.sigmoid(forget) * c + jax.nn.sigmoid(enter) * jnp.tanh(new)
        h = _product((jax.nn.sigmoid(leave) * jnp.tanh(c)).astype(x.dtype), proj.T, total).astype(x.dtype)
        return (h, c), h

    start = (states[0][0].astype(x.dtype), states[1][0].astype(total))
    (h, c), out = lax.scan(step, start, inputs, unroll=unroll(inputs.shape[0]))
    return out, h[None], c.astype(x.dtype)[None]


_STATIC = ("input_size", "hidden_size", "num_layers", "has_bias", "bidirectional", "dropout", "proj_size")


@op(static=_STATIC, name="LSTM")
def _lstm(x, h, c, w, input_size, hidden_size, num_layers, has_bias, bidirectional, dropout, proj_size):
    settings = (input_size, hidden_size, num_layers, has_bias, bidirectional, dropout, proj_size)
    return _flat_lstm(None, x, h, c, w, *settings)


@random_op(static=_STATIC)
def _lstm_dropout(key, x, h, c, w, input_size, hidden_size, num_layers, has_bias, bidirectional, dropout, proj_size):
    settings = (input_size, hidden_size, num_layers, has_bias, bidirectional, dropout, proj_size)
    return _flat_lstm(key, x, h, c, w, *settings)


def lstm(x, h, c, w, input_size, hidden_size, num_layers, has_bias, bidirectional, dropout, proj_size=0):
    """An LSTM network with all weights in one vector.

    The vector has the order of MindSpore's CPU kernel for one layer without bias or with one bias for each gate:
    all w_ih, all w_hh, projections, biases; the gates are input, forget, new, output. With more layers, or the two
    biases of cuDNN, it is cuDNN's: w_ih, w_hh of each layer and direction, then b_ih, b_hh of each.

    Args:
        x (Tensor): [T, N, input_size].
        h (Tensor): [layers * directions, N, hidden_size], or `proj_size` in its place if that is positive.
        c (Tensor): [layers * directions, N, hidden_size].
        w (Tensor): the weights, in any shape.
        input_size, hidden_size, num_layers (int): sizes.
        has_bias (bool): whether there are biases.
        bidirectional (bool): whether each layer also runs backwards.
        dropout (float): probability to drop an element of every layer's outputs but the last's.
        proj_size (int): if positive, h is multiplied with a matrix [proj_size, hidden_size] after each step.

    Returns:
        Tuple of the outputs, the last h and c, and two Tensors [1, 1] in place of MindSpore's working memory.

    Raises:
        TypeError: data that is not floating.
        ValueError: shapes that do not fit.
    """
    settings = (input_size, hidden_size, num_layers, has_bias, bidirectional, dropout, proj_size)
    return (_lstm_dropout if dropout and num_layers > 1 else _lstm)(x, h, c, w, *settings)


def only(api: str, hint: str, **settings: tuple[Any, Any]) -> None:
    """Refuses settings that MindSpore has but this does not serve.

    Args:
        api: the primitive.
        hint: the way out.
        settings: `name=(value, the one value that is served)`.

    Raises:
        UnsupportedError: another value.
    """
    for name, (value, served) in settings.items():
        if value != served:
            unsupported_argument(api, name, value, hint)


def no_lengths(api: str, seq_length: Any) -> None:
    """MindSpore takes no lengths here either.

    Raises:
        ValueError: if there are some.
    """
    if seq_length is not None:
        raise value_error(api, "seq_length", "None (nn.LSTM and nn.GRU take lengths)", seq_length)
