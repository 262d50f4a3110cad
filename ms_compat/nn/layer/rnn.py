"""Recurrent layers over whole sequences: `RNN`, `GRU` and `LSTM`, stacked and in both directions.

They differ in a table entry; the computation is one operation, `recurrent` of `ops/function/rnn/layers.py`. Parameters
are named as MindSpore names them (`weight_ih_l0`, `weight_ih_l0_reverse`, `weight_ih_l1`, ... then `weight_hh_*`,
`bias_ih_*`, `bias_hh_*`), so that checkpoints fit, and begin uniform in +-1 / sqrt(hidden_size).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_choice, check_within
from ms_compat._core.errors import check_bool, check_positive_int, check_type, type_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter, ParameterTuple
from ms_compat.nn.cell import Cell
from ms_compat.ops.function.rnn import lengths
from ms_compat.ops.function.rnn.layers import KINDS, recurrent, recurrent_dropout


def first_states(api: str, hx: Any, count: int) -> tuple:
    """The states as a tuple; TypeError unless `hx` is a Tensor, or a tuple of two for an LSTM."""
    if count == 1:
        check_type(api, "hx", hx, Tensor)
        return (hx,)
    if not isinstance(hx, tuple):
        raise type_error(api, "hx", "tuple of two Tensors", hx)
    if len(hx) != count:
        raise TypeError(f"For '{api}', the length of 'hx' must be {count}, but got {len(hx)}.")
    return hx


class _Recurrent(Cell):
    _kind: Any = None
    _gives_as_given = True

    def __init__(
        self, input_size, hidden_size, num_layers=1, has_bias=True, batch_first=False, dropout=0.0,
        bidirectional=False, dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        api = type(self).__name__
        self.input_size = check_positive_int(api, "input_size", input_size)
        self.hidden_size = check_positive_int(api, "hidden_size", hidden_size)
        self.num_layers = check_positive_int(api, "num_layers", num_layers)
        self.has_bias = check_bool(api, "has_bias", has_bias)
        self.batch_first = check_bool(api, "batch_first", batch_first)
        check_type(api, "dropout", dropout, float)
        check_within(api, "dropout", dropout, 0, 1, "[)")
        self.dropout = dropout
        self.bidirectional = check_bool(api, "bidirectional", bidirectional)
        self.is_lstm = self._kind == "LSTM"
        self._make_parameters(dtype)

    def _make_parameters(self, dtype: Any) -> None:
        hidden, directions = self.hidden_size, 2 if self.bidirectional else 1
        rows = KINDS[self._kind].gates * hidden
        bound = 1 / math.sqrt(hidden)
        ends = [f"_l{layer}{end}" for layer in range(self.num_layers) for end in ("", "_reverse")[:directions]]
        inner = self.num_layers * directions - directions
        shapes: dict[str, Any] = {
            "weight_ih": [(rows, self.input_size)] * directions + [(rows, hidden * directions)] * inner,
            "weight_hh": [(rows, hidden)] * len(ends),
        }
        if self.has_bias:
            shapes |= {"bias_ih": [(rows,)] * len(ends), "bias_hh": [(rows,)] * len(ends)}
        # Drawn by numpy layer by layer, and held by kind, both as in MindSpore: its weights and its order.
        values = {
            name + end: np.random.uniform(-bound, bound, sizes[place]).astype(np.float32)
            for place, end in enumerate(ends)
            for name, sizes in shapes.items()
        }
        for name in shapes:
            for end in ends:
                setattr(self, name + end, Parameter(Tensor(values[name + end], dtype), name=name + end))
        self._names = {name: [name + end for end in ends] for name in shapes}
        self._flat_names = [self._names[name][i] for i in range(len(ends)) for name in shapes]

    def _list(self, name: str) -> ParameterTuple:
        return ParameterTuple([getattr(self, each) for each in self._names.get(name, ())])

    def _take(self, name: str, parameters: Any) -> None:
        """Use other Parameters for the weights of one kind; ValueError for another number of them."""
        names = self._names.get(name, ())
        if len(parameters) != len(names):
            raise ValueError(
                f"For '{type(self).__name__}', {len(names)} of '{name}' are wanted, but got {len(parameters)}."
            )
        for own, parameter in zip(names, parameters, strict=True):
            setattr(self, own, parameter)

    @property
    def w_ih_list(self) -> ParameterTuple:
        """The weights of the inputs, one for each layer and direction."""
        return self._list("weight_ih")

    @w_ih_list.setter
    def w_ih_list(self, parameters: Any) -> None:
        self._take("weight_ih", parameters)

    @property
    def w_hh_list(self) -> ParameterTuple:
        """The recurrent weights."""
        return self._list("weight_hh")

    @w_hh_list.setter
    def w_hh_list(self, parameters: Any) -> None:
        self._take("weight_hh", parameters)

    @property
    def b_ih_list(self) -> ParameterTuple:
        """The biases of the inputs; empty without `has_bias`."""
        return self._list("bias_ih")

    @b_ih_list.setter
    def b_ih_list(self, parameters: Any) -> None:
        self._take("bias_ih", parameters)

    @property
    def b_hh_list(self) -> ParameterTuple:
        """The biases of the state; empty without `has_bias`."""
        return self._list("bias_hh")

    @b_hh_list.setter
    def b_hh_list(self, parameters: Any) -> None:
        self._take("bias_hh", parameters)

    def extend_repr(self):
        """The sizes, and the other arguments where they are not the defaults."""
        others = {"num_layers": 1, "has_bias": True, "batch_first": False, "dropout": 0.0, "bidirectional": False}
        shown = [name for name, default in others.items() if getattr(self, name) != default]
        return ", ".join(f"{name}={getattr(self, name)}" for name in ("input_size", "hidden_size", *shown))

    def construct(self, x, hx=None, seq_length=None):
        api = type(self).__name__
        if hx is not None:
            hx = first_states(api, hx, 2 if self.is_lstm else 1)
        weights = [getattr(self, name) for name in self._flat_names]
        axis, length = int(self.batch_first), None
        network = (self._kind, self.num_layers, self.bidirectional, self.input_size, self.hidden_size)
        steps = lengths.steps_for(network, x, axis)
        if steps is not None:
            length = x.shape[axis]
            x, seq_length = lengths.padded(x, seq_length, steps, axis)
        if self.training and self.dropout and self.num_layers > 1:
            out, *last = recurrent_dropout(
                x, hx, seq_length, weights, api, self._kind, self.num_layers, self.bidirectional, self.batch_first,
                self.dropout,
            )  # fmt: skip
        else:
            out, *last = recurrent(
                x, hx, seq_length, weights, api, self._kind, self.num_layers, self.bidirectional, self.batch_first
            )
        if length is not None:
            out = out[:, :length] if axis else out[:length]
        return out, tuple(last) if self.is_lstm else last[0]


@faces("nn")
class RNN(_Recurrent):
    """h' = act(W_ih x + b_ih + W_hh h + b_hh), with tanh or ReLU.

    Args:
        input_size (int): size of the input's last axis.
        hidden_size (int): size of a state.
        num_layers (int): layers on top of each other.
        has_bias (bool): whether both products have a bias.
        batch_first (bool): whether the input and the outputs are [N, T, *] instead of [T, N, *].
        dropout (float): probability to drop an output element of every layer but the last, in training.
        bidirectional (bool): whether each layer also runs backwards; its outputs are appended to the last axis.
        nonlinearity (str): "tanh" or "relu"; by name only.
        dtype: of the parameters; they are used in the type of the input.

    Inputs:
        x (Tensor): [T, N, input_size], floating.
        hx (Tensor): the first state, [num_layers * directions, N, hidden_size]; zeros by default.
        seq_length (Tensor): [N], Int32 or Int64, the length of each row; outputs beyond it are zero.

    Returns:
        Tuple of the outputs [T, N, directions * hidden_size] and the last state, in the form of `hx`.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a wrong value, or shapes that do not fit.

    >>> import numpy as np
    >>> from ms_compat import Tensor, nn
    >>> net = nn.RNN(2, 3, batch_first=True)
    >>> output, h = net(Tensor(np.ones((4, 5, 2), np.float32)), Tensor(np.zeros((1, 4, 3), np.float32)))
    >>> output.shape, h.shape
    ((4, 5, 3), (1, 4, 3))
    """

    def __init__(self, input_size, hidden_size, *args, nonlinearity="tanh", **kwargs):
        check_choice("RNN", "nonlinearity", nonlinearity, ("tanh", "relu"))
        self._kind = f"RNN_{nonlinearity.upper()}"
        super().__init__(input_size, hidden_size, *args, **kwargs)

    def extend_repr(self):
        """What other recurrent layers show, and ReLU."""
        return super().extend_repr() + (", nonlinearity=relu" if self._kind == "RNN_RELU" else "")


@faces("nn")
class GRU(_Recurrent):
    """Gated recurrent unit; the reset gate scales the product of the state, its bias included (as in PyTorch).

    r = sigmoid(W_ir x + b_ir + W_hr h + b_hr), z likewise, n = tanh(W_in x + b_in + r * (W_hn h + b_hn)),
    h' = n + z * (h - n). Cho et al., EMNLP 2014. Arguments, inputs and errors are the same as `RNN`'s, except
    `nonlinearity`.

    >>> import numpy as np
    >>> from ms_compat import Tensor, nn
    >>> net = nn.GRU(2, 3, num_layers=2)
    >>> output, h = net(Tensor(np.ones((5, 4, 2), np.float32)), Tensor(np.zeros((2, 4, 3), np.float32)))
    >>> output.shape, h.shape
    ((5, 4, 3), (2, 4, 3))
    """

    _kind = "GRU"


@faces("nn")
class LSTM(_Recurrent):
    """Long short-term memory without peepholes.

    i, f, g, o = the four parts of W_ih x + b_ih + W_hh h + b_hh; c' = sigmoid(f) * c + sigmoid(i) * tanh(g);
    h' = sigmoid(o) * tanh(c'). Hochreiter and Schmidhuber, Neural Computation 9 (1997).
    Arguments, inputs and errors are the same as `RNN`'s, except `nonlinearity`, and that `hx` is a tuple of h and c.

    >>> import ms_compat as ms
    >>> net = ms.nn.LSTM(3, 4, num_layers=2, bidirectional=True)
    >>> y, (h, c) = net(ms.ops.ones((5, 2, 3)))
    >>> y.shape, h.shape, c.shape
    ((5, 2, 8), (4, 2, 4), (4, 2, 4))
    """

    _kind = "LSTM"
