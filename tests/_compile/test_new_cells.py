"""Cells and Parameters that a compiled function makes: compiled as constants, unless the function keeps them."""

import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from ms_compat._core.errors import NotTraceableError


class Counting(nn.Cell):
    """Changes an attribute, a Tensor and a Parameter of its own at each call."""

    def __init__(self, start=0.5):
        super().__init__()
        self.weight = Parameter(Tensor([start]), name="weight")
        self.dense = nn.Dense(1, 1, "ones", has_bias=False)
        self.calls = 0
        self.shift = Tensor([1.0])

    def construct(self, x):
        self.calls = self.calls + 1
        self.shift = self.shift + 1
        ops.assign(self.weight, self.weight + 1)
        return x + self.weight + self.dense(x) + self.calls + self.shift


def twice(x):
    cell = Counting()
    return cell(x), cell(x)


def in_branches(x):
    y = Counting(2.0)(x) if x.sum() > 0 else Counting(3.0)(x)
    for start in (0.0, 1.0):
        y = y + Counting(start)(x)
    k = Tensor(0)
    while k < 2:
        y = y + Counting(1.0)(x)
        k = k + 1
    return y


def in_containers(x):
    for cell in nn.CellList([Counting(1.0), Counting(2.0)]):
        x = cell(x)
    return nn.SequentialCell(Counting(1.0), nn.ReLU())(x)


def parameters(x):
    w = Parameter(Tensor([2.0]), name="w")
    y = w * x + Parameter(x * 2, name="v")
    w += 1
    return y * w, ops.grad(lambda a: a * w)(x)


# What MindSpore gives in PYNATIVE_MODE for [1.0]; it compiles some of these, with Parameters that stay between calls.
VALUES = [(twice, [6.5, 9.5]), (in_branches, [35.0]), (in_containers, [45.0]), (parameters, [12.0, 3.0])]


@pytest.mark.parametrize(("function", "values"), VALUES)
def test_what_a_function_makes_anew_is_new_at_each_call(mode, function, values):
    x = Tensor([1.0])
    compiled = ms.jit(function, fullgraph=True)
    traces = []
    for _ in range(3):
        for found in (function(x), compiled(x)):
            assert [float(v) for v in (found if isinstance(found, tuple) else (found,))] == values
        traces.append(compiled.traces)
    assert traces[0] == traces[2]


def test_gradients_pass_through_new_cells(mode):
    x = Tensor([1.0])
    assert float(ops.grad(ms.jit(in_branches))(x)) == float(ops.grad(in_branches)(x)) == 10.0
    assert float(ops.grad(ms.jit(in_containers))(x)) == float(ops.grad(in_containers)(x)) == 8.0


class Lazy(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = None

    def construct(self, x):
        if self.inner is None:
            self.inner = Counting()
        return self.inner(x)


class Holder:
    cell = None


class Keeping(nn.Cell):
    def __init__(self):
        super().__init__()
        self.holder = Holder()

    def construct(self, x):
        if self.holder.cell is None:
            self.holder.cell = Counting()
        return self.holder.cell(x)


@pytest.mark.parametrize("kind", [Lazy, Keeping])
def test_a_cell_that_the_function_keeps_has_its_state_at_the_next_call(mode, kind):
    net = kind()
    assert [float(net(Tensor([1.0]))) for _ in range(3)] == [6.5, 9.5, 12.5]


@pytest.mark.parametrize("kind", [Lazy, Keeping])
def test_a_cell_that_the_function_keeps_is_refused_where_python_may_not_run(kind):
    net = kind()
    with pytest.raises(NotTraceableError, match="makes a Cell.*'Counting', and keeps it"):
        ms.jit(net.construct, fullgraph=True)(Tensor([1.0]))
