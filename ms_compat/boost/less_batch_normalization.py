"""`LessBN`: the last layer computes with directions instead of values."""

from __future__ import annotations

from typing import Any

from ms_compat._core.errors import check_bool, check_type
from ms_compat._core.tensor.parameter import Parameter
from ms_compat.common.initializer import initializer
from ms_compat.nn.cell import Cell
from ms_compat.nn.layer.basic import Dense
from ms_compat.ops import L2Normalize, matmul


class CommonHeadLastFN(Cell):
    """A dense layer of normalized rows: `multiplier * (x / |x|) (w / |w|)^T`, and the bias times the multiplier.

    Args:
        in_channels (int): the size of the inputs.
        out_channels (int): the size of the outputs.
        weight_init: the weight, or its initializer.
        bias_init: the bias, or its initializer.
        has_bias (bool): whether there is a bias.

    >>> import ms_compat as ms
    >>> from ms_compat.boost.less_batch_normalization import CommonHeadLastFN
    >>> layer = CommonHeadLastFN(2, 1, weight_init=ms.Tensor([[4.0, 3.0]]))
    >>> print(layer(ms.Tensor([[0.0, 5.0]])))
    [[0.6]]
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        has_bias: bool = True,
    ):
        super().__init__()
        self.weight = Parameter(initializer(weight_init, [out_channels, in_channels]), name="weight")
        self.multiplier = Parameter(initializer("ones", [1]), name="multiplier")
        self.has_bias = has_bias
        if has_bias:
            self.bias_weight = Parameter(initializer(bias_init, [out_channels]), name="bias")
        self.normalize = L2Normalize(axis=1)

    def construct(self, x):
        out = matmul(self.normalize(x), self.normalize(self.weight).T)
        if self.has_bias:
            out = out + self.bias_weight
        return self.multiplier * out


class LessBN(Cell):
    """A network whose last dense layers may be exchanged for layers of normalized rows.

    The statistics of batch normalization stay as they are: what MindSpore saves there is a matter of its kernels.

    Args:
        network (Cell): the network, which is changed.
        fn_flag (bool): whether the last `nn.Dense` among the children of each Cell becomes a `CommonHeadLastFN` with
            its weight, without its bias and activation.

    Raises:
        TypeError: `network` is not a Cell, or `fn_flag` not a bool.

    >>> from ms_compat import boost, nn
    >>> class Net(nn.Cell):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.hidden, self.last = nn.Dense(4, 3), nn.Dense(3, 2)
    >>> print(type(boost.LessBN(Net(), fn_flag=True).network.last).__name__)
    CommonHeadLastFN
    """

    def __init__(self, network: Cell, fn_flag: bool = False):
        super().__init__()
        check_type("LessBN", "network", network, Cell)
        check_bool("LessBN", "fn_flag", fn_flag)
        self.network = network
        self.network.set_boost("less_bn")
        if fn_flag:
            _exchange_last(network)

    def construct(self, *inputs):
        return self.network(*inputs)


def _exchange_last(cell: Cell) -> None:
    last = None
    for name, child in cell.name_cells().items():
        if isinstance(child, Dense):
            last = name, child
        else:
            _exchange_last(child)
    if last is not None:
        name, dense = last
        head = CommonHeadLastFN(dense.in_channels, dense.out_channels, weight_init=dense.weight, has_bias=False)
        head.update_parameters_name(f"{name}.")  # as in MindSpore, without the names of the Cells around it
        cell._cells[name] = head
