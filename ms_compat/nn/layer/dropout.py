"""Dropout layers: zero at random in training, the input itself in inference.

`Dropout` drops elements; `Dropout1d`, `2d` and `3d` whole channels. The kept values are scaled by 1 / (1 - p). The
mask comes from the process-wide random stream, so `set_seed` repeats it and a compiled function draws a new one at
each call.
"""

from __future__ import annotations

from typing import Any

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_within
from ms_compat._core.errors import check_bool, check_float_range, check_type
from ms_compat._core.faces import faces
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import write_barrier
from ms_compat.nn.cell import Cell
from ms_compat.ops.function.nn.dropout import dropout, dropout1d, dropout2d, dropout3d


@faces("nn nn.layer")
class Dropout(Cell):
    """Sets elements to zero at random in training. Srivastava et al., JMLR 15 (2014).

    Differs from PyTorch's: the first positional argument is the probability to keep an element, deprecated in favour
    of `p`.

    Args:
        keep_prob (float): probability to keep an element, in (0, 1]; used if `p` is None.
        p (Union[float, int]): probability to drop one, in [0, 1).
        dtype: accepted, without effect as in MindSpore.

    Raises:
        TypeError: `keep_prob` is not a float, or `p` is not a number.
        ValueError: out of range.

    >>> import ms_compat as ms
    >>> print(ms.nn.Dropout(p=0.5)(ms.Tensor([1.0, 2.0])))   # inference mode
    [1. 2.]
    """

    def __init__(self, keep_prob=0.5, p=None, dtype=mstype.float32):
        super().__init__()
        if dtype is not mstype.float32:
            no_effect("nn.Dropout", "the result has the type of the input, as in MindSpore", dtype=dtype)
        if p is None:
            check_type("Dropout", "keep_prob", keep_prob, float)
            check_within("Dropout", "keep_prob", keep_prob, 0, 1, "(]")
            self._drop = 1.0 - keep_prob
        else:
            self._drop = float(check_float_range("Dropout", "p", p, 0, 1, "[)"))
        self.keep_prob = keep_prob
        self.p = p

    def construct(self, x):
        if not self.training or self._drop == 0:
            return x
        return dropout(x, self._drop)

    def extend_repr(self):
        return f"keep_prob={self.keep_prob}" if self.p is None else f"p={self.p}"


class _ChannelDropout(Cell):
    _drop_channels: Any = None

    def __init__(self, p=0.5):
        super().__init__()
        self._drop = float(check_float_range(type(self).__name__, "p", p, 0, 1))
        self.prob = p
        self.keep_prob = 1.0 - p

    def construct(self, x):
        if not self.training or self._drop == 0:
            return x
        return type(self)._drop_channels(x, self._drop)


@faces("nn nn.layer")
class Dropout1d(_ChannelDropout):
    """Sets whole channels of [N, C, L] or [C, L] to zero at random in training.

    Args:
        p (float): probability to drop a channel.

    Raises:
        TypeError: `p` is not a number.
        ValueError: it is not in [0, 1].

    >>> from ms_compat import Tensor, nn
    >>> print(nn.Dropout1d(p=0.5)(Tensor([[1.0, 2.0]])))
    [[1. 2.]]
    """

    _drop_channels = staticmethod(dropout1d)


@faces("nn nn.layer")
class Dropout2d(_ChannelDropout):
    """Sets whole channels of [N, C, H, W] or [C, H, W] to zero at random in training; see `Dropout1d`.

    >>> from ms_compat import Tensor, nn
    >>> print(nn.Dropout2d(p=0.5)(Tensor([[[[1.0, 2.0]]]])).flatten())
    [1. 2.]
    """

    _drop_channels = staticmethod(dropout2d)

    def extend_repr(self):
        return f"p={self.keep_prob}"


@faces("nn nn.layer")
class Dropout3d(_ChannelDropout):
    """Sets whole channels of [N, C, D, H, W] or [C, D, H, W] to zero at random in training; see `Dropout1d`.

    >>> from ms_compat import Tensor, nn
    >>> x = Tensor([1.0, 2.0]).reshape((1, 1, 1, 1, 2))
    >>> print(nn.Dropout3d(p=0.5)(x).flatten())
    [1. 2.]
    """

    _drop_channels = staticmethod(dropout3d)

    def extend_repr(self):
        return f"p={self.keep_prob}"


@faces("nn nn.layer")
class DropoutExt(Cell):
    """`Dropout` with PyTorch's arguments.

    Args:
        p (float): probability to drop an element.
        inplace (bool): whether the result also replaces the value of the input.

    Raises:
        ValueError: `p` is not in [0, 1].
    """

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        self.p = check_float_range("DropoutExt", "p", p, 0, 1)
        self.inplace = check_bool("DropoutExt", "inplace", inplace)

    def construct(self, input):
        if not self.training or self.p == 0:
            return input
        check_type("DropoutExt", "input", input, Tensor)
        out = input * 0 if self.p == 1 else dropout(input, float(self.p))
        if self.inplace:
            write_barrier.assign(input, out._v, out._node)
            return input
        return out


@faces("nn nn.layer")
class Dropout2dExt(Cell):
    """`Dropout2d` with PyTorch's arguments.

    Args:
        p (float): probability to drop a channel.
        inplace (bool): whether the result also replaces the value of the input.
    """

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        self.p = p
        self.inplace = check_bool("Dropout2dExt", "inplace", inplace)

    def construct(self, input):
        check_float_range("Dropout2dExt", "p", self.p, 0, 1)
        if not self.training or self.p == 0:
            return input
        out = dropout2d(input, float(self.p))
        if self.inplace:
            write_barrier.assign(input, out._v, out._node)
            return input
        return out
