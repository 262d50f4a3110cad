"""Recurrent networks: tanh and ReLU RNN, GRU (Cho et al., 2014), LSTM (Hochreiter and Schmidhuber, 1997).

A layer multiplies all its inputs with the input weights at once, before a scan over the steps (`scan.py`) that is
left with the product of the state alone; the first product is the larger part and one matmul of T * N rows is many
times faster than T of N rows. All layers and directions are one operation, so that an eager call costs one dispatch and
XLA sees the whole network.

The weights' first axis holds the gates: input, forget, cell, output of the LSTM; reset, update, new of the GRU.
The biases of both products are added to the first one, except the GRU's for `new`, which its reset gate scales.

With lengths, the state of a row stands still from its end on and the outputs there are zero. The reverse direction of a
row begins at the row's own end: its state stands still until then.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_shape
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.random import random_op
from ms_compat.ops.function.nn.checks import HALVES, floating, tensor, wide_on_cpu
from ms_compat.ops.function.nn.dropout import _kept
from ms_compat.ops.function.rnn.scan import KINDS, sequence, split_gates, times


def _biases(kind: str, b_ih: Any, b_hh: Any) -> tuple[Any, Any]:
    """The inputs' bias, and the part that must stay with the state."""
    if b_ih is None or kind != "GRU":
        return (None if b_ih is None else b_ih + b_hh), None
    hidden = b_hh.shape[0] // 3
    return b_ih.at[: 2 * hidden].add(b_hh[: 2 * hidden]), b_hh[2 * hidden :]


def _direction(kind: str, x: Any, states: tuple, keep: Any, weights: tuple, reverse: bool) -> tuple[Any, tuple]:
    """One direction of one layer over x [T, N, C]: outputs [T, N, H] and the last states."""
    out = states[0].dtype
    w_ih, w_hh, *biases = weights
    inputs = [times(x, each, out) for each in split_gates(kind, w_ih)]
    shift = bias = None
    if biases:
        folded, bias = _biases(kind, *(b.astype(out) for b in biases))
        shift = tuple(split_gates(kind, folded))
    outputs, last = sequence(kind, reverse, tuple(inputs), shift, split_gates(kind, w_hh), bias, states, keep)
    return outputs.astype(x.dtype), last


def _check(api: str, x: Any, hx: Any, lengths: Any, sizes: tuple, batch_first: bool) -> None:
    """Refuses inputs whose ranks, sizes or types do not fit; `sizes` are the input's and a state's."""
    size, (layers, hidden) = sizes
    floating(api, "x", x)
    if x.ndim != 3 or x.shape[2] != size:
        order = "(batch, seq, input_size)" if batch_first else "(seq, batch, input_size)"
        hint = "" if batch_first else " with batch_first=False"
        raise ValueError(
            f"For '{api}', 'input_size' is {size}, and x must have the shape {order}{hint}, but got {x.shape}."
        )
    batch = x.shape[0 if batch_first else 1]
    for value in hx or ():
        if floating(api, "hx", value).dtype != x.dtype:
            raise TypeError(
                f"For '{api}', the 'hx' must have the dtype of 'x', {mstype.np_dtype_to_ms(x.dtype)}, but got "
                f"{mstype.np_dtype_to_ms(value.dtype)}."
            )
        check_shape(api, "hx", value, (layers, batch, hidden))
    if lengths is None:
        return
    if tensor(api, "seq_length", lengths).dtype not in (np.int32, np.int64):
        raise TypeError(
            f"For '{api}', the 'seq_length' should be one of [Int32, Int64], but got "
            f"{mstype.np_dtype_to_ms(lengths.dtype)}."
        )
    if lengths.shape != (batch,):
        raise ValueError(
            f"For '{api}', the 'seq_length' must have shape {(batch,)}, one number for each row of 'x', but got "
            f"{tuple(lengths.shape)}."
        )


def _network(api, x, hx, lengths, weights, kind, num_layers, bidirectional, batch_first, dropout):
    """All layers; `dropout(layer, y)` is applied to the outputs of each layer but the last."""
    count = KINDS[kind].states
    directions = 2 if bidirectional else 1
    hidden = weights[1].shape[1]
    _check(api, x, hx, lengths, (weights[0].shape[1], (num_layers * directions, hidden)), batch_first)
    dtype = x.dtype
    total = np.dtype(np.float32) if dtype in HALVES else dtype
    y = wide_on_cpu(jnp.swapaxes(x, 0, 1) if batch_first else x)
    weights = [wide_on_cpu(w.astype(dtype)) for w in weights]
    keep = None
    if lengths is not None:
        keep = jnp.arange(y.shape[0], dtype=lengths.dtype)[:, None, None] < lengths[:, None]
    zeros = jnp.zeros((y.shape[1], hidden), total)
    per = len(weights) // (num_layers * directions)
    last = []
    for layer in range(num_layers):
        outputs = []
        for direction in range(directions):
            at = layer * directions + direction
            states = (zeros,) * count if hx is None else tuple(h[at].astype(total) for h in hx)
            out, state = _direction(kind, y, states, keep, weights[at * per : (at + 1) * per], direction == 1)
            outputs.append(out)
            last.append(state)
        y = outputs[0] if directions == 1 else jnp.concatenate(outputs, -1)
        if dropout is not None and layer < num_layers - 1:
            y = dropout(layer, y)
    y = jnp.swapaxes(y, 0, 1) if batch_first else y
    return y.astype(dtype), *(jnp.stack(part).astype(dtype) for part in zip(*last, strict=True))


@op(static=("api", "kind", "num_layers", "bidirectional", "batch_first"))
def recurrent(x, hx, lengths, weights, api, kind, num_layers=1, bidirectional=False, batch_first=False):
    """A recurrent network over a whole sequence.

    Args:
        x (Tensor): [T, N, C], or [N, T, C] with `batch_first`; floating.
        hx (tuple): the first states, each [layers * directions, N, H]; None for zeros. One for RNN and GRU, h and c for
            the LSTM. With `x`'s type.
        lengths (Tensor): [N], Int32 or Int64: each row's number of steps; None for all. A length
            beyond the end counts as the end.
        weights (tuple): of each layer and direction w_ih [G * H, C], w_hh [G * H, H] and, if there are biases, b_ih
            [G * H] and b_hh [G * H], for G gates. They are used in the type of `x`.
        api (str): what error messages call it.
        kind (str): "RNN_TANH", "RNN_RELU", "GRU" or "LSTM".
        num_layers (int): layers on top of each other.
        bidirectional (bool): whether each layer also runs backwards.
        batch_first (bool): whether `x` and the outputs begin with the batch.

    Returns:
        Tuple of the last layer's outputs, [T, N, directions * H], and the last states as in `hx`.

    Raises:
        TypeError: `x` is not floating, `hx` not of its type, or `lengths` not of integers.
        ValueError: shapes that do not fit.
    """
    return _network(api, x, hx, lengths, weights, kind, num_layers, bidirectional, batch_first, None)


@random_op(static=("api", "kind", "num_layers", "bidirectional", "batch_first", "p"))
def recurrent_dropout(key, x, hx, lengths, weights, api, kind, num_layers, bidirectional, batch_first, p):
    """`recurrent` that drops elements of every layer's outputs but the last's with probability `p`."""

    def drop(layer, y):
        return jnp.where(_kept(jax.random.fold_in(key, layer), y.shape, 1 - p), y / (1 - p), 0)

    return _network(api, x, hx, lengths, weights, kind, num_layers, bidirectional, batch_first, drop)


def _matrix(api: str, argument: str, value: Any, weight: Any) -> Any:
    if floating(api, argument, value).dtype != weight.dtype:
        raise TypeError(
            f"For '{api}', the '{argument}' must have the dtype of the weights, {mstype.np_dtype_to_ms(weight.dtype)}, "
            f"but got {mstype.np_dtype_to_ms(value.dtype)}."
        )
    if value.ndim != 2 or value.shape[1] != weight.shape[1]:
        raise ValueError(
            f"For '{api}', the '{argument}' must have shape [N, {weight.shape[1]}] ("
            f"{'input_size' if argument == 'x' else 'hidden_size'}), but got {value.shape}."
        )
    return wide_on_cpu(value)


@op(static=("api", "kind"))
def recurrent_step(x, hx, w_ih, w_hh, b_ih, b_hh, api, kind):
    """One step of a recurrent network.

    Args:
        x (Tensor): [N, C], with the weights' type.
        hx (tuple): the states, each [N, H]: one, or h and c of the LSTM.
        w_ih, w_hh (Tensor): [G * H, C] and [G * H, H] for G gates.
        b_ih, b_hh (Tensor): [G * H] or None.
        api (str): what error messages call it.
        kind (str): see `recurrent`.

    Returns:
        Tensor [N, H], or a tuple of h and c.

    Raises:
        TypeError: another type.
        ValueError: shapes that do not fit.
    """
    x = _matrix(api, "x", x, w_ih)
    hx = tuple(_matrix(api, "hx", state, w_hh) for state in hx)
    rows = {x.shape[0], *(state.shape[0] for state in hx)} - {1}
    if len(rows) > 1:
        raise ValueError(f"For '{api}', the 'x' and 'hx' must have the same number of rows, but got {sorted(rows)}.")
    dtype, total = w_ih.dtype, np.dtype(np.float32) if w_ih.dtype in HALVES else w_ih.dtype
    inputs = times(x, wide_on_cpu(w_ih), total)
    bias = None
    if b_ih is not None:
        folded, bias = _biases(kind, b_ih.astype(total), b_hh.astype(total))
        inputs = inputs + folded
    product = times(hx[0], wide_on_cpu(w_hh), total)
    states = tuple(h.astype(total) for h in hx)
    inputs, product = (tuple(split_gates(kind, v.T).swapaxes(1, 2)) for v in (inputs, product))
    new, _ = KINDS[kind].step(inputs, product, states, bias)
    new = tuple(state.astype(dtype) for state in new)
    return new if len(new) > 1 else new[0]
