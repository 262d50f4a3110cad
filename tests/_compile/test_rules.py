"""Backward rules and hooks of the user's in compiled functions: what they write, and how often they are called."""

import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops


@pytest.fixture(autouse=True)
def graph():
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


traced: list[int] = []


class Keeping(nn.Cell):
    """A network that keeps the cotangent of its activation, and counts its calls."""

    def __init__(self, keep=True):
        super().__init__()
        self.seen = Parameter(Tensor([0.0, 0.0]), name="seen", requires_grad=False)
        self.calls = Parameter(Tensor(0.0), name="calls", requires_grad=False)
        self.activation = nn.ReLU()
        self.activation.register_backward_hook(self.write if keep else self.pass_on)

    def write(self, cell, grad_input, grad_output):
        ops.assign(self.seen, grad_output[0])

    def pass_on(self, cell, grad_input, grad_output):
        traced.append(1)

    def construct(self, x):
        ops.assign_add(self.calls, Tensor(1.0))
        return self.activation(x) * 3


class Ruled(Keeping):
    def construct(self, x):
        ops.assign_add(self.calls, Tensor(1.0))
        return x * 2

    def bprop(self, x, out, dout):
        ops.assign(self.seen, dout)
        return (dout * 5,)


@pytest.mark.parametrize(("network", "expected", "seen"), [(Keeping, 3.0, 3.0), (Ruled, 5.0, 1.0)])
def test_what_a_hook_or_rule_of_a_compiled_cell_writes_is_kept(network, expected, seen):
    net = network()
    for count in (1, 2):
        assert ms.grad(net)(Tensor([1.0, 2.0])).asnumpy().tolist() == [expected] * 2
        assert net.seen.asnumpy().tolist() == [seen] * 2
        assert net.calls.asnumpy() == count


@pytest.mark.parametrize("network", [Keeping, Ruled])
def test_a_jitted_function_around_it_runs_in_python_or_is_refused(network):
    net = network()
    with pytest.raises(ms.UnsupportedError, match="compiled"):
        ms.jit(ms.grad(net), fullgraph=True)(Tensor([1.0, 2.0]))
    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert net.seen.asnumpy().tolist() == [0.0, 0.0]
    compiled = ms.jit(lambda x: net(x) * 2)
    ms.grad(compiled)(Tensor([1.0, 2.0]))
    assert net.seen.asnumpy().tolist() == ([6.0, 6.0] if network is Keeping else [2.0, 2.0])
    assert net.calls.asnumpy() == 1


def test_a_hook_that_writes_nothing_stays_compiled_and_is_called_once():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net = Keeping(keep=False)
    compiled = ms.jit(lambda x: net(x) * 2)
    traced.clear()
    for count in (1, 2):
        assert ms.grad(compiled)(Tensor([1.0, 2.0])).asnumpy().tolist() == [6.0, 6.0]
        assert net.calls.asnumpy() == count
    assert len(traced) == 1
