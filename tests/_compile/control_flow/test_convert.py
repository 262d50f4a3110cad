"""A name that needs rewriting has rewritten what leads to it, and nothing else."""

import functools

import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from ms_compat._compile.control_flow import convert


@pytest.fixture
def rewritten(monkeypatch):
    names = []
    whole = convert._convert
    monkeypatch.setattr(convert, "_convert", lambda fn: (names.append(fn.__qualname__), whole(fn))[1])
    return names


def largest(x):
    return max(x[0], x[1])


def passed_on(fn):
    @functools.wraps(fn)
    def wrapper(x):
        return fn(x)

    return wrapper


doubled = passed_on(lambda x: 2 * largest(x))


class Plain(nn.Cell):
    def construct(self, x):
        return x + 1


class Naming(nn.Cell):
    def __init__(self):
        super().__init__()
        self.plain = Plain()

    def helper(self, x):
        return largest(x)

    def construct(self, x):
        return self.helper(self.plain(x))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.naming = Naming()

    def construct(self, x):
        return self.naming(x) * 2


def test_only_what_leads_to_the_name_is_rewritten(rewritten, graph):
    assert float(Net()(Tensor([1.0, 4.0]))) == 10
    assert rewritten == ["Naming.construct", "Naming.helper", "largest"]


def test_what_a_decorator_holds_is_found():
    assert float(ms.jit(lambda x: doubled(x))(Tensor([1.0, 4.0]))) == 8


def test_a_condition_on_a_tensor_elsewhere_is_rewritten_too(rewritten, graph):
    class Deciding(Net):
        def construct(self, x):
            return super().construct(x) if ops.sum(x) > 0 else x[0]

    net = Deciding()
    assert [float(net(Tensor([1.0, 4.0]))), float(net(Tensor([-1.0, -4.0])))] == [10, -1]


def positive(x):
    if x.sum() > 0:
        return x
    return -x


def unchanged(x):
    return x + 0


def test_a_condition_has_rewritten_what_was_being_called(rewritten):
    def through(x):
        return positive(unchanged(x))

    compiled = ms.jit(lambda x: unchanged(through(x)) * 2)
    assert [float(compiled(Tensor([v]))[0]) for v in (3.0, -4.0)] == [6, 8]
    assert compiled.traces == 2
    name = "test_a_condition_has_rewritten_what_was_being_called.<locals>"
    assert rewritten == [f"{name}.<lambda>", f"{name}.through", "positive"]


def test_what_a_branch_calls_is_rewritten(rewritten):
    kept = []

    def note(x):
        kept[0] = kept[0] + x
        return unchanged(x)

    @ms.jit
    def compiled(x):
        kept[:] = [x * 10]
        if x > 0:
            x = note(x)
        return x, kept[0]

    assert [[float(v) for v in compiled(Tensor(n))] for n in (2.0, -1.0)] == [[2, 22], [-1, -10]]
    name = "test_what_a_branch_calls_is_rewritten.<locals>"
    assert rewritten == [f"{name}.compiled", f"{name}.note", "unchanged"]


def test_conditions_in_many_functions_have_all_rewritten(rewritten):
    steps = [
        lambda x: x + 1 if x.sum() > 0 else x,
        lambda x: x * 2 if x.sum() > 1 else x,
        lambda x: x - 3 if x.sum() > 2 else x,
        lambda x: x * 5 if x.sum() > 3 else x,
        lambda x: x + 7 if x.sum() > 4 else x,
    ]

    def through(x):
        for step in steps:
            x = step(x)
        return last(x)

    def last(x):
        return x + 0

    compiled = ms.jit(through)
    assert [float(compiled(Tensor([v]))[0]) for v in (4.0, -1.0)] == [42, -1]
    assert compiled.traces == 4  # two have taught one condition each
    assert len(rewritten) == 7


def scaled(x, by):
    if isinstance(by, int):
        return x + by
    return x * by


@pytest.mark.parametrize("makes", [True, False])
def test_a_number_of_a_tensor_whose_class_is_asked_has_all_rewritten(rewritten, makes):
    def function(x, n):
        number = n.item() if makes else n
        return scaled(x, number)

    compiled = ms.jit(function)
    assert float(compiled(Tensor([3.0]), Tensor(4))[0]) == (7 if makes else 12)
    assert compiled.traces == 1 + makes
    assert len(rewritten) == 2 * makes
