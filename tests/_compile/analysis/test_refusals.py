"""What MindSpore's compiler refuses, compiled code of this package refuses, too: class by class, and nothing more."""

import functools

import pytest

import ms_compat as ms
from ms_compat import Tensor, context, log, nn, ops
from ms_compat.common import initializer


def vector():
    return Tensor([1.0, 2.0])


class Base(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(vector(), name="w")
        self.flag = False


# -- builtin functions and containers ---------------------------------------------------------------------------------
def two(x):
    return (x[0], x[1])


REFUSED = {
    "max of sequences of Tensors": (TypeError, lambda x: max([two(x), two(x)])),
    "min of a tuple with a Tensor": (TypeError, lambda x: min(((1, x[0]), (3, 4)))),
    "map over a tuple and a list": (RuntimeError, lambda x: list(map(lambda a, b: a * b, (x, x), [x, x]))),
    "map over unlike lengths": (RuntimeError, lambda x: list(map(lambda a, b: a * b, [x], [x, x]))),
    "map over a Tensor": (RuntimeError, lambda x: list(map(lambda a, b: a * b, [x], x))),
    "range of nothing": (RuntimeError, lambda x: [x for i in range()]),
    "range of four": (RuntimeError, lambda x: [x for i in range(1, 2, 3, 4)]),
    "index of a Tensor among numbers": (ValueError, lambda x: (1, 2, 3).index(Tensor(2))),
    "a primitive's wrong name": (RuntimeError, lambda x: ops.Softmax(-1)(x=x)),
    "a primitive's other wrong name": (RuntimeError, lambda x: ops.Add()(x, y=x)),
}
TAKEN = {
    "max of sequences of numbers": (lambda x: max([[1, 2], [3, 4]]), [3, 4]),
    "max of Tensors": (lambda x: max([x[0], x[1]]), 2.0),
    "zip over unlike lengths": (lambda x: list(zip([1, 2], [1, 2, 3], strict=False)), [(1, 1), (2, 2)]),
    "index of a number": (lambda x: (1, 2, 3).index(3), 2),
}


@pytest.mark.parametrize("what", REFUSED)
def test_arguments_that_builtin_functions_do_not_take_in_compiled_code(what):
    error, function = REFUSED[what]
    with pytest.raises(error) as caught:
        ms.jit(function)(vector())
    assert caught.type is error


@pytest.mark.parametrize("what", TAKEN)
def test_arguments_that_builtin_functions_take_in_compiled_code(what):
    function, expected = TAKEN[what]
    assert ms.jit(function)(vector()) == expected


class Outer(nn.Cell):
    def three(self, x):
        return x

    def construct(self, x):
        return super(Outer, self, 3).construct(x)


def test_super_with_wrong_arguments():
    ms.set_context(mode=ms.GRAPH_MODE)
    with pytest.raises(RuntimeError, match="super"):
        Outer()(vector())


def put(items, value):
    def f(x):
        a = items(x)
        at = ms.mutable(0)
        a[at] = value(x)
        return a

    return ms.jit(f)


def put_slice(items, value):
    def f(x):
        a = items(x)
        start = ms.mutable(0)
        a[start:2] = value(x)
        return a

    return ms.jit(f)


@pytest.mark.parametrize(
    "items, value",
    [
        (lambda x: [1, 2.0], lambda x: 10),
        (lambda x: [1, 2], lambda x: 1.0),
        (lambda x: [x, x + 1], lambda x: 2),
        (lambda x: [x, x + 1], lambda x: x.astype(ms.float16)),
        (lambda x: [x, 1], lambda x: x),
    ],
)
def test_lists_that_are_written_at_a_variable_index_are_of_one_type(items, value):
    with pytest.raises(TypeError, match="variable index"):
        put(items, value)(vector())


def test_lists_of_one_type_are_written_at_a_variable_index():
    assert put(lambda x: [1, 2], lambda x: 10)(vector()) == [10, 2]
    assert put(lambda x: [x, x + 1], lambda x: x * 2)(vector())[0][1] == 4
    with pytest.raises(TypeError, match="variable index"):
        put_slice(lambda x: [1.0, 2.0, 3.0], lambda x: [1, 2])(vector())


def test_as_many_elements_as_are_known_at_run_time_only_are_of_the_lists_type():
    @ms.jit
    def f():
        a = [1, 2, 3, 4.0]
        a[0:2] = ms.mutable([1, 2, 3, 4], True)
        return a

    with pytest.raises(ValueError, match="variable index"):
        f()


# -- hooks, gradients and instances -----------------------------------------------------------------------------------
def double(gradient):
    return gradient * 2


class Hooked(Base):
    def __init__(self, which):
        super().__init__()
        self.which = which

    def construct(self, x):
        if self.which == "parameter":
            self.w.register_hook(double)
        if self.which == "argument":
            x.register_hook(double)
            x.register_hook(double)
        y = x * 2
        if self.which == "variable":
            y.register_hook(double)
            y.register_hook(double)
        if self.which == "two":
            y.register_hook(double)
            y = y * 1
            y.register_hook(double)
        return y * self.w


def test_hooks_that_compiled_code_may_not_register():
    ms.set_context(mode=ms.GRAPH_MODE)
    with pytest.raises(ValueError, match="hook of a Parameter"):
        Hooked("parameter")(vector())
    with pytest.raises(RuntimeError, match="multiple hooks"):
        Hooked("variable")(vector())
    with pytest.raises(RuntimeError, match="multiple hooks"):
        ms.ops.GradOperation()(Hooked("variable"))(vector())
    for which in ("argument", "two"):
        assert ms.ops.GradOperation()(Hooked(which))(vector())[0] == 8


@pytest.mark.parametrize("other", [None, "a", ms.float32, (1, None)])
def test_containers_with_a_gradient_hold_only_what_can_be_variable(other):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    inner = ms.jit(lambda m, y: 2 * m[0] + y)

    def f(x, y):
        return inner((x * 3, other), y)

    with pytest.raises(RuntimeError, match="hand it over by itself"):
        ms.ops.GradOperation()(f)(vector(), vector())
    assert inner((vector(), other), vector())[0] == 3  # without a gradient, it may


@pytest.mark.parametrize("other", [1, True, 1.5, (), (1, 2)])
def test_containers_with_a_gradient_hold_numbers(other):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    inner = ms.jit(lambda m, y: 2 * m[0] + y)
    assert ms.ops.GradOperation()(lambda x, y: inner((x * 3, other), y))(vector(), vector())[0] == 6


class Holder(nn.Cell):
    def __init__(self, held):
        super().__init__()
        self.held = held

    def construct(self):
        return self.held


def test_cells_that_compiled_code_makes_are_made_of_constants():
    for make in (lambda x: Holder(x)(), lambda x: Holder((x, 1))(), lambda x: Holder(held=x)()):
        with pytest.raises(TypeError, match="known at run time only"):
            ms.jit(make)(vector())
    assert ms.jit(lambda x: Holder(3)())(vector()) == 3
    assert ms.jit(lambda x: Holder(x.shape)())(vector()) == (2,)
    assert ms.jit(lambda x: Holder(Tensor([1]))())(vector())[0] == 1


def test_ms_jit_0_runs_functions_in_python(monkeypatch):
    monkeypatch.setenv("MS_JIT", "0")
    f = ms.jit(lambda: initializer.initializer("ones", [2]).shape)
    assert f() == (2,)
    monkeypatch.setenv("MS_JIT", "1")
    with pytest.raises(RuntimeError, match="initializer"):
        f()


class Scatters(nn.Cell):
    def __init__(self, positions):
        super().__init__()
        self.positions = ms.Parameter(Tensor(positions), name="positions")
        self.scatter = ops.TensorScatterAdd()

    def construct(self, x):
        return self.scatter(x, self.positions, Tensor([1.0]))


def test_positions_that_a_parameter_holds_are_checked():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Scatters([[1, 1]])
    assert net(ops.ones((2, 2)))[1, 1] == 2
    net.positions.set_data(Tensor([[10, 10]]))
    with pytest.raises(RuntimeError, match="TensorScatterAdd"):
        net(ops.ones((2, 2)))


# -- outputs ----------------------------------------------------------------------------------------------------------
def helper(x):
    return x


@pytest.mark.parametrize(
    "output",
    [
        helper,
        (1, (helper,)),
        len,
        ops.sin,
        ops.ReLU(),
        nn.ReLU(),
        lambda x: x,
    ],
)
def test_functions_are_no_outputs(output):
    with pytest.raises(RuntimeError, match="cannot return a function"):
        ms.jit(lambda x: output)(vector())
    with pytest.raises(RuntimeError, match="cannot return a function"):
        ms.jit(lambda x: x.abs)(vector())


@pytest.mark.parametrize("output", [Tensor, int, nn.ReLU, functools.partial(helper, 1)])
def test_classes_and_partials_are_outputs(output):
    assert ms.jit(lambda x: output)(vector()) is output


def nested(depth, kind, value):
    return kind([nested(depth - 1, kind, value)]) if depth else value


@pytest.mark.parametrize("kind", [list, tuple])
def test_outputs_are_at_most_six_levels_deep(kind):
    ms.jit(lambda x: nested(6, kind, x))(vector())
    with pytest.raises(RuntimeError, match="6 levels"):
        ms.jit(lambda x: nested(7, kind, x))(vector())
    assert ms.jit(lambda x: x if nested(8, kind, x) else 0)(vector())[1] == 2  # inside, any depth goes


# -- calls ------------------------------------------------------------------------------------------------------------
class SetsData(Base):
    def construct(self, x):
        self.w.set_data(x)
        return x


class ReadsParameters(Base):
    def construct(self, x):
        for p in self.get_parameters():
            x = x + p
        return x


class InABranch(Base):
    def construct(self, x):
        if x.sum() > 100:
            self.trainable_params()
        return x


class Hooks(Base):
    def construct(self, x):
        self.register_forward_hook(lambda *args: None)
        return x


class Initializes(Base):
    def construct(self, x):
        return x + initializer.initializer("ones", [2]).init_data()


class Makes(Base):
    def construct(self, x):
        initializer.One()
        return x


class AsksMode(Base):
    def construct(self, x):
        return x * context.get_context("mode")


class SetsMode(Base):
    def construct(self, x):
        ms.set_context(mode=ms.GRAPH_MODE)
        return x


class Logs(Base):
    def construct(self, x):
        log.warning("text")
        return x


class Assigns(Base):
    def construct(self, x):
        return x.assign_value(x + 1)


class NotReached(Base):
    def construct(self, x):
        if self.flag:
            self.get_parameters()
        return x


class Overrides(Base):
    def get_sub_cell(self, target):
        return len(target)

    def construct(self, x):
        return x * self.get_sub_cell("ab")


class MadeInside(Base):
    def __init__(self):
        super().__init__()
        self.v = initializer.initializer("ones", [2]).init_data()
        context.get_context("mode")

    def construct(self, x):
        return x + self.v


@pytest.mark.parametrize(
    "kind",
    [SetsData, ReadsParameters, InABranch, Hooks, Initializes, Makes, AsksMode, SetsMode, Logs, Assigns],
)
def test_calls_that_compiled_code_may_not_make(kind):
    ms.set_context(mode=ms.GRAPH_MODE)
    net = kind()
    with pytest.raises(RuntimeError, match="cannot be called in compiled code"):
        net(vector())
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net(vector())


@pytest.mark.parametrize("kind", [NotReached, Overrides, MadeInside])
def test_calls_that_are_not_made_or_not_of_the_api_are_no_error(kind):
    ms.set_context(mode=ms.GRAPH_MODE)
    kind()(vector())


def test_cells_that_are_made_in_compiled_code_may_call_what_they_need():
    @ms.jit
    def f(x):
        return MadeInside().v + x

    assert f(vector())[0] == 2
