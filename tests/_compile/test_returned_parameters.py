"""Parameters among the outputs of a compiled function come back as Tensors of their values, as in MindSpore."""

import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops


class Net(nn.Cell):
    def __init__(self, give):
        super().__init__()
        self.w = Parameter(Tensor([1.0]), name="w")
        self.give = give

    def construct(self, x):
        return self.give(self, x)


def assigned(net, x):
    ops.assign(net.w, x)
    return net.w


def kind(value):
    if isinstance(value, (tuple, list)):
        return type(value)(map(kind, value))
    return {key: kind(item) for key, item in value.items()} if isinstance(value, dict) else type(value).__name__


# Recorded from MindSpore 2.10, the same for a Cell in GRAPH_MODE and for `jit`.
OUTPUTS = {
    "in a tuple": (lambda net, x: (net.w,), ("Tensor",)),
    "in a list": (lambda net, x: (x + 1, [net.w]), ("Tensor", ["Tensor"])),
    "in a dict": (lambda net, x: {"a": net.w}, {"a": "Tensor"}),
    "beside a number": (lambda net, x: (net.w, 3), ("Tensor", "int")),
    "after an assignment": (assigned, "Tensor"),
    "alone": (lambda net, x: net.w, "Parameter"),
}


@pytest.mark.parametrize("name", OUTPUTS)
@pytest.mark.parametrize("compiled", ["graph", "jit"])
def test_what_is_returned(name, compiled):
    give, wanted = OUTPUTS[name]
    net = Net(give)
    if compiled == "jit":
        out = ms.jit(net.construct)(Tensor([2.0]))
    else:
        ms.set_context(mode=ms.GRAPH_MODE)
        try:
            out = net(Tensor([2.0]))
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)
    assert kind(out) == wanted


def test_a_returned_value_stays_when_the_parameter_changes():
    net = Net(lambda net, x: (x, net.w))
    before = ms.jit(net.construct)(Tensor([2.0]))[1]
    ops.assign(net.w, Tensor([7.0]))
    assert before.asnumpy().tolist() == [1.0]
    assert ms.jit(net.construct)(Tensor([2.0]))[1].asnumpy().tolist() == [7.0]


def test_an_object_that_is_called_is_compiled_with_its_branches(monkeypatch):
    monkeypatch.setenv("MS_COMPAT_FULLGRAPH", "1")

    class EverySecond:
        def __init__(self):
            self.count = Parameter(Tensor(1, ms.int32), name="count")
            self.total = Parameter(Tensor([0.0]), name="total")

        def __call__(self, x):
            if self.count % 2 == 0:
                ops.assign_add(self.total, x)
            ops.assign_add(self.count, Tensor(1, ms.int32))
            return True

    every = EverySecond()

    @ms.jit
    def step(x):
        every(x)
        return x * 2

    for value in (1.0, 10.0, 100.0, 1000.0):
        step(Tensor([value]))
    assert every.total.asnumpy().tolist() == [1010.0]
