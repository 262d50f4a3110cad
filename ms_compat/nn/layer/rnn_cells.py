"""One step of a recurrent network: `RNNCell`, `GRUCell` and `LSTMCell`, faces of `ops.function.rnn.recurrent_step`.

The formulas are the same as the layers' in `rnn.py`. Inputs and states must have the weights' type.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import check_bool, check_one_of, check_positive_int
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat.common.initializer import Uniform, initializer
from ms_compat.nn.cell import Cell
from ms_compat.nn.layer.rnn import first_states
from ms_compat.ops.function.rnn.layers import KINDS, recurrent_step


class RNNCellBase(Cell):
    """The Parameters of a recurrent step; a program's own subclass defines `construct`.

    Args:
        input_size (int): size of the input's last axis.
        hidden_size (int): size of the state.
        has_bias (bool): whether both products have a bias.
        num_chunks (int): how many states' sizes a product has: the number of gates.
        dtype: of the parameters.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a size that is not positive.

    >>> from ms_compat import nn
    >>> from ms_compat.nn.layer.rnn_cells import RNNCellBase
    >>> RNNCellBase(2, 3, True, num_chunks=4).weight_ih.shape
    (12, 2)
    """

    _kind: Any = None

    def __init__(self, input_size, hidden_size, has_bias, num_chunks, dtype=mstype.float32):
        super().__init__()
        api = type(self).__name__
        self.input_size = check_positive_int(api, "input_size", input_size)
        self.hidden_size = check_positive_int(api, "hidden_size", hidden_size)
        self.has_bias = check_bool(api, "has_bias", has_bias)
        rows = num_chunks * hidden_size
        shapes: dict[str, tuple[int, ...]] = {"weight_ih": (rows, input_size), "weight_hh": (rows, hidden_size)}
        if has_bias:
            shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
        self.bias_ih = self.bias_hh = None
        for name, shape in shapes.items():
            # MindSpore draws each twice; so what is drawn after it is MindSpore's, too.
            setattr(self, name, Parameter(Tensor(np.random.standard_normal(shape), dtype), name=name))
        self.reset_parameters(dtype)

    def reset_parameters(self, dtype=mstype.float32):
        """Draw the Parameters again, uniform in +-1/sqrt(hidden_size)."""
        for parameter in self.get_parameters():
            parameter.set_data(initializer(Uniform(1 / math.sqrt(self.hidden_size)), parameter.shape, dtype))

    def construct(self, x, hx):
        kind, api = self._kind, type(self).__name__
        hx = first_states(api, hx, KINDS[kind].states)
        return recurrent_step(x, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh, api, kind)


@faces("nn")
class RNNCell(RNNCellBase):
    """h' = act(W_ih x + b_ih + W_hh h + b_hh).

    Args:
        input_size (int): size of the input's last axis.
        hidden_size (int): size of the state.
        has_bias (bool): whether both products have a bias.
        nonlinearity (str): "tanh" or "relu".
        dtype: of the parameters.

    Inputs:
        x (Tensor): [N, input_size].
        hx (Tensor): [N, hidden_size].

    Returns:
        Tensor [N, hidden_size].

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a wrong value, or shapes that do not fit.

    >>> import numpy as np
    >>> from ms_compat import Tensor, nn
    >>> nn.RNNCell(2, 3)(Tensor(np.ones((4, 2), np.float32)), Tensor(np.zeros((4, 3), np.float32))).shape
    (4, 3)
    """

    def __init__(self, input_size, hidden_size, has_bias=True, nonlinearity="tanh", dtype=mstype.float32):
        check_one_of("RNNCell", "nonlinearity", nonlinearity, ("tanh", "relu"))
        self._kind = f"RNN_{nonlinearity.upper()}"
        super().__init__(input_size, hidden_size, has_bias, KINDS[self._kind].gates, dtype)
        self.nonlinearity = nonlinearity


@faces("nn")
class GRUCell(RNNCellBase):
    """One step of a `GRU`.

    Args:
        input_size (int): size of the input's last axis.
        hidden_size (int): size of the state.
        has_bias (bool): whether both products have a bias.
        dtype: of the parameters.

    Inputs:
        x (Tensor): [N, input_size].
        hx (Tensor): [N, hidden_size].

    Returns:
        Tensor [N, hidden_size].

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a wrong value, or shapes that do not fit.

    >>> import numpy as np
    >>> from ms_compat import Tensor, nn
    >>> nn.GRUCell(2, 3)(Tensor(np.ones((4, 2), np.float32)), Tensor(np.zeros((4, 3), np.float32))).shape
    (4, 3)
    """

    _kind = "GRU"

    def __init__(self, input_size, hidden_size, has_bias=True, dtype=mstype.float32):
        super().__init__(input_size, hidden_size, has_bias, KINDS[self._kind].gates, dtype)


@faces("nn")
class LSTMCell(RNNCellBase):
    """One step of an `LSTM`.

    Args:
        input_size (int): size of the input's last axis.
        hidden_size (int): size of a state.
        has_bias (bool): whether both products have a bias.
        dtype: of the parameters.

    Inputs:
        x (Tensor): [N, input_size].
        hx (tuple): h and c, each [N, hidden_size].

    Returns:
        Tuple of the next h and c.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a wrong value, or shapes that do not fit.

    >>> import ms_compat as ms
    >>> state = (ms.ops.zeros((2, 4)), ms.ops.zeros((2, 4)))
    >>> h, c = ms.nn.LSTMCell(3, 4)(ms.ops.ones((2, 3)), state)
    >>> h.shape, c.shape
    ((2, 4), (2, 4))
    """

    _kind = "LSTM"

    def __init__(self, input_size, hidden_size, has_bias=True, dtype=mstype.float32):
        super().__init__(input_size, hidden_size, has_bias, KINDS[self._kind].gates, dtype)
