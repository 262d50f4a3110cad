"""Programs in which two Parameters have one name: refused by the class that MindSpore's compiler raises."""

import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn

X = Tensor([2.0])


def named(name, value=1.0):
    return Parameter(Tensor([value]), name=name)


class Scaled(nn.Cell):
    def __init__(self, name="w"):
        super().__init__()
        self.weight = named(name)

    def construct(self, x):
        return x * self.weight


class Hidden(nn.Cell):
    """Two Cells in a list, which get no prefixes."""

    def __init__(self, *cells):
        super().__init__()
        self.held = list(cells)

    def construct(self, x):
        return self.held[0](x) + self.held[1](x)


def test_among_the_arguments():
    @ms.jit
    def first(x, y):
        return x

    with pytest.raises(ValueError, match="its name 'a' already exists"):
        first(named("a"), named("a"))
    one = named("a")
    for other in (one, named("b"), Parameter(Tensor([1.0]))):
        assert first(one, other) == 1


def test_an_argument_and_one_from_outside():
    outside = named("a", 3.0)

    @ms.jit
    def added(x):
        return x + outside

    with pytest.raises(ValueError, match="its name 'a' already exists"):
        added(named("a"))
    assert added(outside) == 6 and added(named("b")) == 4


def test_both_from_outside():
    one, two = named("a"), named("a")

    @ms.jit
    def added():
        return one + two

    with pytest.raises(RuntimeError, match="its name 'a' already exists"):
        added()


def test_in_cells():
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        with pytest.raises(RuntimeError, match="its name 'w' already exists"):
            Hidden(Scaled(), Scaled())(X)
        shared = Scaled()
        assert Hidden(shared, shared)(X) == 4 and Hidden(Scaled("v"), Scaled("w"))(X) == 4
        assert nn.SequentialCell(Scaled(), Scaled())(X) == 2
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


class Registered(nn.Cell):
    """Two Parameters of one name, and Cells whose names the lists do not tell apart."""

    def __init__(self):
        super().__init__()
        self.a, self.b = named("w"), named("w", 2.0)
        self.first, self.second = nn.CellList([Scaled()]), nn.CellList([Scaled()])

    def construct(self, x):
        return x * self.a + self.b + self.first[0](x) + self.second[0](x)


def test_registered_in_one_cell(mode):
    assert Registered()(X) == 8
