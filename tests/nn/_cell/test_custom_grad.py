"""Cells with a `bprop`."""

import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn
from tests.nn._cell.nets import X, mul, numbers


class Own(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([3.0, 4.0]))

    def construct(self, x, y):
        return mul(mul(x, y), self.w)

    def bprop(self, x, y, out, dout):
        return mul(dout, 10.0), mul(dout, 20.0)


def test_bprop(mode):
    cell = Own()
    by_input, by_weight = ms.grad(cell, (0, 1), cell.trainable_params())(Tensor(X), Tensor(X))
    assert cell.has_bprop
    assert numbers(by_input) == [[10.0, 10.0], [20.0, 20.0]]
    assert numbers(by_weight) == [[0.0, 0.0]]


@pytest.mark.parametrize("result", ["plain", "tuple", "too many", "none"])
def test_bprop_results_that_are_accepted(mode, result):
    class Square(nn.Cell):
        def construct(self, x):
            return mul(x, x)

        def bprop(self, x, out, dout):
            grad = mul(dout, out)
            return {"plain": grad, "tuple": (grad,), "too many": (grad, grad), "none": (None,)}[result]

    if result == "plain" and mode == ms.GRAPH_MODE:
        with pytest.raises(TypeError, match="should be a tuple"):
            ms.grad(Square())(Tensor(X))
    else:
        assert numbers(ms.grad(Square())(Tensor(X))) == ([0.0, 0.0] if result == "none" else [1.0, 4.0])


def test_bprop_of_several_outputs(mode):
    class Pair(nn.Cell):
        def construct(self, x, y):
            return mul(x, x), mul(y, y)

        def bprop(self, x, y, out, dout):
            return mul(dout[0], 3.0), mul(dout[1], 5.0)

    class Uses(nn.Cell):
        def __init__(self):
            super().__init__()
            self.pair = Pair()

        def construct(self, x, y):
            return self.pair(x, y)[0]

    assert numbers(ms.grad(Uses(), (0, 1))(Tensor(X), Tensor(X))) == [[3.0, 3.0], [0.0, 0.0]]
