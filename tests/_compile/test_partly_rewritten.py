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


def test_only_what_leads_to_the_name_is_rewritten(rewritten):
    ms.set_context(mode=ms.GRAPH_MODE)
    assert float(Net()(Tensor([1.0, 4.0]))) == 10
    assert rewritten == ["Naming.construct", "Naming.helper", "largest"]


def test_what_a_decorator_holds_is_found():
    assert float(ms.jit(lambda x: doubled(x))(Tensor([1.0, 4.0]))) == 8


def test_a_condition_on_a_tensor_elsewhere_has_all_rewritten():
    class Deciding(Net):
        def construct(self, x):
            return super().construct(x) if ops.sum(x) > 0 else x[0]

    ms.set_context(mode=ms.GRAPH_MODE)
    net = Deciding()
    assert [float(net(Tensor([1.0, 4.0]))), float(net(Tensor([-1.0, -4.0])))] == [10, -1]
