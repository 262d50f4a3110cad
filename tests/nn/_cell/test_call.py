"""Calling a Cell: modes, assignment inside `construct`, precision, `bprop`, hooks, JAX's own transformations."""

import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn
from tests.nn._cell.nets import Net, X, add, gradients, mul, numbers


# -- state -------------------------------------------------------------------------------------------------------------
def test_a_parameter_assigned_in_construct_counts_calls(mode):
    class Counter(nn.Cell):
        def __init__(self):
            super().__init__()
            self.n = Parameter(Tensor(0, ms.int32), requires_grad=False)

        def construct(self, x):
            self.n = add(self.n, 1)
            return add(x, self.n)

    cell = Counter()
    before = cell.n
    assert [numbers(cell(Tensor(1, ms.int32))) for _ in range(2)] == [2, 3]
    assert cell.n is before and numbers(before) == 2


def test_assigning_what_does_not_fit():
    class Put(nn.Cell):
        def __init__(self):
            super().__init__()
            self.n = Parameter(Tensor(0, ms.int32), requires_grad=False)

        def construct(self, x):
            self.n = x
            return add(self.n, 0)

    assert numbers(Put()(Tensor(1.5))) == 1
    assert numbers(Put()(Tensor([1, 2], ms.int32))) == [1, 2]
    with pytest.raises(TypeError):
        Put()(3)
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        with pytest.raises(TypeError):
            Put()(Tensor(1.5))
        with pytest.raises(ValueError):
            Put()(Tensor([1, 2], ms.int32))
        assert numbers(Put()(3)) == 3
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_no_gradient_flows_through_an_assignment(mode):
    class Through(nn.Cell):
        def __init__(self):
            super().__init__()
            self.s = Parameter(Tensor([0.0, 0.0]))

        def construct(self, x):
            self.s = mul(x, 2.0)
            return mul(self.s, 3.0)

    assert numbers(ms.grad(Through())(Tensor(X))) == [0.0, 0.0]


def test_a_tensor_attribute_assigned_in_construct(mode):
    class Keep(nn.Cell):
        def __init__(self):
            super().__init__()
            self.t = Tensor([1.0])
            self.cache = None

        def construct(self, x):
            self.t = add(self.t, x)
            self.cache = x if self.cache is None else add(self.cache, x)
            self.new = add(x, x)
            return mul(self.t, self.cache)

    cell = Keep()
    held = cell.t
    assert [numbers(cell(Tensor([1.0]))) for _ in range(3)] == [[2.0], [6.0], [12.0]]
    assert (numbers(cell.t), numbers(cell.cache), numbers(cell.new), numbers(held)) == ([4.0], [3.0], [2.0], [1.0])


def test_a_number_changed_in_construct(mode):
    class Step(nn.Cell):
        def __init__(self):
            super().__init__()
            self.k = 1

        def construct(self, x):
            self.k = self.k + 1
            return mul(x, float(self.k))

    cell = Step()
    assert [numbers(cell(Tensor([1.0]))) for _ in range(2)] == [[2.0], [3.0]] and cell.k == 3


def test_changes_of_the_structure_are_seen(mode):
    net = Net()
    first = numbers(net(Tensor(X)))
    net.w.set_data(Tensor([1.0, 1.0]))
    second = numbers(net(Tensor(X)))
    net.w = Parameter(Tensor([7.0, 7.0]))
    third = numbers(net(Tensor(X)))
    net.inner = nn.Identity()
    assert [first, second, third, numbers(net(Tensor(X)))] == [[3.0, 16.0], [1.0, 4.0], [7.0, 28.0], [7.0, 14.0]]


def test_train_mode_is_seen(mode):
    class Mode(nn.Cell):
        def construct(self, x):
            return mul(x, 2.0) if self.training else x

    cell = Mode()
    assert [numbers(cell.set_train(train)(Tensor([1.0]))) for train in (False, True, False)] == [[1.0], [2.0], [1.0]]


def test_an_unchanged_cell_is_traced_once():
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net = Net()
        for _ in range(3):
            net(Tensor(X))
        assert net._compiled.traces == 1
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_no_tracer_stays_behind_after_an_error():
    class Fails(nn.Cell):
        def __init__(self):
            super().__init__()
            self.n = Parameter(Tensor([1.0]))
            self.t = Tensor([1.0])

        def construct(self, x):
            self.n = add(self.n, x)
            self.t = add(self.t, x)
            self.fresh = x
            raise RuntimeError("stop")

    cell = Fails()
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        with pytest.raises(RuntimeError, match="stop"):
            cell(Tensor([1.0]))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert numbers(cell.n) == [1.0] and numbers(cell.t) == [1.0] and not hasattr(cell, "fresh")


# -- precision ---------------------------------------------------------------------------------------------------------


# -- gradients ---------------------------------------------------------------------------------------------------------


def test_recompute_does_not_change_values(mode):
    net = Net()
    expected = gradients(net)
    net.recompute()
    assert gradients(net) == expected


# -- forward hooks -----------------------------------------------------------------------------------------------------


# -- as a pytree -------------------------------------------------------------------------------------------------------
