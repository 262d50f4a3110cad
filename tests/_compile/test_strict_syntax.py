"""The strict syntax of MindSpore's compiler, on request."""

import pytest

import ms_compat as ms
from ms_compat import JitConfig, Parameter, Tensor, nn, ops


class Labelled(nn.Cell):
    def construct(self, x):
        return [{"a": x}, x, {"b": {"c": x, "d": 1}}]


class Product(nn.Cell):
    def construct(self, x):
        return x["a"][0] * x["b"] + x["a"][1]


def test_strict_syntax_returns_the_values_of_dicts(graph):
    x = Tensor([1, 2])
    plain = Labelled()(x)
    assert [type(item) for item in plain] == [dict, Tensor, dict]
    net = Labelled()
    net.set_jit_config(JitConfig(jit_syntax_level="STRICT"))
    first, second, third = net(x)
    assert [type(first), type(third), type(third[0])] == [tuple] * 3
    for found in (first[0], second, third[0][0]):
        assert found.asnumpy().tolist() == [1, 2]
    assert third[0][1] == 1
    assert ms.jit(lambda: {"a": 1}, fullgraph=True)() == (1,)
    assert ms.jit(lambda: {"a": 1})() == {"a": 1}


@pytest.mark.parametrize(
    ("context", "environment", "strict"), [("STRICT", "", True), ("LAX", "0", True), ("STRICT", "2", False)]
)
def test_strict_syntax_of_the_context_and_the_environment(graph, monkeypatch, context, environment, strict):
    monkeypatch.setenv("MS_DEV_JIT_SYNTAX_LEVEL", environment)
    ms.set_context(jit_syntax_level=getattr(ms, context))
    try:
        gradient = ops.GradOperation()(Product())(ms.mutable({"a": (Tensor([2.0]), Tensor([3.0])), "b": Tensor([4.0])}))
        found = Labelled()(Tensor([1, 2]))
        # a decorated function takes no level from the context
        assert ms.jit(lambda: {"a": 1})() == ((1,) if environment == "0" else {"a": 1})
        assert ms.jit(lambda: {"a": 1}, fullgraph=True)() == ({"a": 1} if environment == "2" else (1,))
    finally:
        ms.set_context(jit_syntax_level=ms.LAX)
    assert [type(item) for item in found] == ([tuple, Tensor, tuple] if strict else [dict, Tensor, dict])
    assert type(gradient) is (tuple if strict else dict)


class Counter:
    """An object of the user's, as MindSpore's tests of the levels have it."""

    def __init__(self):
        self.calls = 0

    def array(self, x):
        return x.asnumpy() * 2

    def count(self, x):
        self.calls += 1
        return x


COUNTER = Counter()


def array(x):
    return COUNTER.array(x)


def tensor_of_array(x):
    return Tensor(x.asnumpy())


def count(x):
    return COUNTER.count(x)


def two_kinds(x):
    return x if x.sum() > 0 else None


class Calling(nn.Cell):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def construct(self, x):
        return self.function(x)


class Keeping(nn.Cell):
    def __init__(self, seen, later):
        super().__init__()
        self.seen = seen
        self.later = later

    def construct(self, x):
        self.seen = self.later
        return x + self.seen


class Adding(nn.Cell):
    def construct(self, x):
        self.seen = x
        return x


REFUSED = [(array, AttributeError), (tensor_of_array, AttributeError), (count, TypeError)]


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize(("function", "error"), REFUSED)
def test_levels_below_lax_refuse_what_needs_python(graph, monkeypatch, function, error, level):
    x = Tensor([1.0, 2.0])
    net = Calling(function)
    net.set_jit_config(JitConfig(jit_syntax_level=("STRICT", "COMPATIBLE")[level]))
    with pytest.raises(error):
        net(x)
    with pytest.raises(error):
        ms.jit(function, fullgraph=True)(x)
    monkeypatch.setenv("MS_DEV_JIT_SYNTAX_LEVEL", str(level))
    for refused in (ms.jit(function), Calling(function)):
        with pytest.raises(error):
            refused(x)


def test_attributes_that_are_not_parameters_are_refused_below_lax(graph):
    config = JitConfig(jit_syntax_level="COMPATIBLE")
    for net, error in (
        (Keeping(1, 2), TypeError),
        (Keeping(Tensor(1.0), Tensor(2.0)), TypeError),
        (Adding(), AttributeError),
    ):
        net.set_jit_config(config)
        with pytest.raises(error, match="seen"):
            net(Tensor([1.0]))
    net = Keeping(Parameter(Tensor([1.0]), name="seen"), Tensor([2.0]))
    net.set_jit_config(config)
    assert net(Tensor([1.0])).asnumpy().tolist() == [3.0]


class Shift(nn.Cell):
    def __init__(self, by):
        super().__init__()
        self.by, self.offset, self.steps = by, Tensor([0.5]), [1, 2]

    def construct(self, x):
        return x + self.by + self.offset


def shifted_by_a_new_cell(x):
    return Shift(2)(x)


def shifted_by_a_changed_cell(x):
    shift = Shift(2)
    shift.by, shift.offset, shift.new = 4, Tensor([1.5]), 3
    return shift(x)


@pytest.mark.parametrize(("function", "found"), [(shifted_by_a_new_cell, 3.5), (shifted_by_a_changed_cell, 6.5)])
def test_cells_that_the_function_makes_may_have_attributes_at_all_levels(graph, function, found):
    x = Tensor([1.0])
    assert ms.jit(function, fullgraph=True)(x).asnumpy().tolist() == [found]
    for level in ("STRICT", "COMPATIBLE"):
        net = Calling(function)
        net.set_jit_config(JitConfig(jit_syntax_level=level))
        assert net(x).asnumpy().tolist() == [found]
        assert ms.grad(net)(x).asnumpy().tolist() == [1.0]


def test_branches_of_two_kinds_are_refused_in_strict_syntax_alone(graph, monkeypatch):
    x = Tensor([1.0, 2.0])
    for level in (1, 2):
        monkeypatch.setenv("MS_DEV_JIT_SYNTAX_LEVEL", str(level))
        assert Calling(two_kinds)(x).asnumpy().tolist() == [1.0, 2.0]
    monkeypatch.setenv("MS_DEV_JIT_SYNTAX_LEVEL", "0")
    with pytest.raises(TypeError):
        Calling(two_kinds)(x)


def test_environment_allows_what_the_function_refuses(monkeypatch):
    x = Tensor([1.0, 2.0])
    monkeypatch.setenv("MS_DEV_JIT_SYNTAX_LEVEL", "2")
    assert ms.jit(array, fullgraph=True)(x).tolist() == [2.0, 4.0]
    monkeypatch.setenv("MS_DEV_JIT_SYNTAX_LEVEL", "3")
    with pytest.raises(RuntimeError, match="MS_DEV_JIT_SYNTAX_LEVEL"):
        ms.jit(tensor_of_array)(x)
