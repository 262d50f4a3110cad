"""Tensors that wait for their initializer: compiled code fills them, operations of PYNATIVE_MODE refuse them."""

import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from ms_compat.common.initializer import One


class Net(nn.Cell):
    def __init__(self, use):
        super().__init__()
        self.waiting = Tensor(shape=(2, 3), dtype=ms.float32, init=One())
        self.use = use

    def construct(self, x):
        return self.use(self.waiting, x)


def assigned(waiting, x):
    waiting[0] = x[0]
    return waiting


USES = {
    "view": (lambda waiting, x: waiting.view(3, 2), [[1.0, 1.0]] * 3),
    "operator": (lambda waiting, x: waiting + x, [[3.0] * 3, [4.0] * 3]),
    "twice": (lambda waiting, x: ops.concat((waiting, waiting), 1)[1], [1.0] * 6),
    "index": (lambda waiting, x: waiting[0], [1.0] * 3),
    "value": (lambda waiting, x: ops.zeros((2, 3)) + assigned(ops.zeros((2, 3)), waiting), [[1.0] * 3, [0.0] * 3]),
    "assigned": (assigned, [[2.0] * 3, [1.0] * 3]),
}
X = Tensor([[2.0], [3.0]])


@pytest.mark.parametrize("name", USES)
def test_compiled_code_fills_it(name, graph):
    use, expected = USES[name]
    net = Net(use)
    for _ in range(2):
        out = net(X)
        assert out.dtype == ms.float32 and out.asnumpy().tolist() == expected
        if name == "assigned":
            break  # what the first call wrote is kept by the attribute


def test_compiled_code_returns_it_filled(graph):
    assert Net(lambda waiting, x: waiting)(X).asnumpy().tolist() == [[1.0] * 3] * 2


def test_a_jitted_function_fills_what_it_closes_over():
    waiting = Tensor(shape=(2, 3), dtype=ms.float32, init=One())
    assert ms.jit(lambda x: waiting + x)(X).asnumpy().tolist() == [[3.0] * 3, [4.0] * 3]


@pytest.mark.parametrize("name", USES)
def test_it_is_refused_in_pynative_mode(name):
    with pytest.raises(RuntimeError, match="no data yet"):
        Net(USES[name][0])(X)


def test_its_shape_serves_without_values():
    net = Net(lambda waiting, x: x.expand_as(waiting))
    assert net(X).asnumpy().tolist() == [[2.0] * 3, [3.0] * 3] and net.waiting.has_init
