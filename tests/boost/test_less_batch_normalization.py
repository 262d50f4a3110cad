"""Last layers are exchanged as in MindSpore; values recorded with MindSpore 2.10."""

import numpy as np
import pytest

from ms_compat import Tensor, nn
from ms_compat.boost import LessBN
from ms_compat.boost.less_batch_normalization import CommonHeadLastFN

X = np.array([[1.0, -2.0, 0.5, 3.0], [0.0, 1.0, -1.0, 2.0]], np.float32)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        weight = np.arange(12).reshape(3, 4).astype(np.float32) / 6 - 1
        self.fc = nn.Dense(4, 3, weight_init=Tensor(weight), bias_init=Tensor([0.1, 0.2, 0.3]))
        weight = np.arange(9).reshape(3, 3).astype(np.float32) / 5 - 0.7
        self.fc2 = nn.Dense(3, 3, weight_init=Tensor(weight), bias_init="ones")

    def construct(self, x):
        return self.fc2(self.fc(x))


class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Dense(4, 4)
        self.net = Net()

    def construct(self, x):
        return self.net(self.first(x))


def test_the_head_normalizes(mode):
    head = CommonHeadLastFN(2, 2, weight_init=Tensor([[1.0, -1.0], [2.0, 3.0]]))
    expected = [[0.0, 0.0], [-0.14142135, 0.9984604]]  # rows of zeros stay zeros
    np.testing.assert_allclose(head(Tensor([[0.0, 0.0], [3.0, 4.0]])).asnumpy(), expected, rtol=1e-5, atol=1e-7)
    assert [p.name for p in head.get_parameters()] == ["weight", "multiplier", "bias"]


def test_the_last_layer_is_exchanged_without_its_bias(mode):
    net = Net()
    hidden, plain = net.fc(Tensor(X)).asnumpy(), net(Tensor(X)).asnumpy()
    weight = net.fc2.weight.asnumpy()
    np.testing.assert_array_equal(LessBN(net)(Tensor(X)).asnumpy(), plain)
    found = LessBN(net, fn_flag=True)
    expected = hidden / np.linalg.norm(hidden, axis=1, keepdims=True)
    expected = expected @ (weight / np.linalg.norm(weight, axis=1, keepdims=True)).T
    np.testing.assert_allclose(found(Tensor(X)).asnumpy(), expected, rtol=1e-5)
    assert [p.name for p in found.get_parameters()][2:] == ["fc2.weight", "fc2.multiplier"]


def test_each_cell_has_a_last_layer():
    kinds = [type(cell).__name__ for _, cell in LessBN(Outer(), fn_flag=True).cells_and_names()]
    assert kinds == ["LessBN", "Outer", "CommonHeadLastFN", "Net", "Dense", "CommonHeadLastFN"]
    kinds = [type(cell).__name__ for _, cell in LessBN(nn.Dense(2, 2), fn_flag=True).cells_and_names()]
    assert kinds == ["LessBN", "Dense"]


@pytest.mark.parametrize("arguments", [(3,), (nn.ReLU, True), (nn.ReLU(), 3)])
def test_other_types_are_refused(arguments):
    with pytest.raises(TypeError, match="LessBN"):
        LessBN(*arguments)
