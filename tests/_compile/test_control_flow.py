"""Python control flow on tensors: compiled results and gradients equal PYNATIVE's; conversion happens only on need."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor
from ms_compat._compile.control_flow import convert
from tests._compile.control_flow_programs import CELLS, PROGRAMS, t


def numbers(value):
    """The nested values as float64 arrays; how a number is held (Python or Tensor) may differ between the modes."""
    if isinstance(value, (tuple, list)):
        return [numbers(item) for item in value]
    return np.asarray(value.asnumpy() if isinstance(value, Tensor) else value, np.float64)


def assert_same(a, b):
    if isinstance(a, list):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            assert_same(x, y)
    else:
        np.testing.assert_allclose(a, b, rtol=1e-6)


@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled_equals_pynative(name):
    fn, calls = PROGRAMS[name]
    compiled = ms.jit(fn)
    for args in calls:
        assert_same(numbers(compiled(*args)), numbers(fn(*args)))
    traces = compiled.traces
    for args in calls:
        compiled(*args)
    assert compiled.traces == traces <= 3  # as it is, with what was being called rewritten, with all rewritten


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_equal_pynative(name):
    fn, calls = PROGRAMS[name]

    def first_float(*args):
        out = fn(*args)
        while isinstance(out, (tuple, list)):
            out = out[0]
        return out

    compiled = ms.jit(lambda *args: ms.grad(first_float)(*args))
    through = ms.grad(ms.jit(first_float))
    for args in calls:
        out = first_float(*args)
        if not isinstance(out, Tensor) or out.dtype not in ms.float_type:
            pytest.skip("the program returns an integer")
        expected = numbers(ms.grad(first_float)(*args))
        assert_same(numbers(compiled(*args)), expected)
        assert_same(numbers(through(*args)), expected)


@pytest.mark.parametrize("name", CELLS)
def test_cells_equal_pynative_with_state_and_gradients(name):
    make, calls = CELLS[name]
    results = {}
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        try:
            net = make()
            outputs = [numbers(net(*args)) for args in calls]
            grads = [numbers(ms.grad(net, 0, net.trainable_params())(*args)) for args in calls]
            results[mode] = [outputs, grads, [numbers(p) for p in net.get_parameters()]]
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)
    assert_same(results[ms.GRAPH_MODE], results[ms.PYNATIVE_MODE])


def test_long_loops_are_differentiated_from_snapshots():
    """More iterations than snapshots: the gradient is recomputed and equals the closed form."""

    def power(x, n):
        y = x * 0 + 1
        while n > 0:
            y = y * x
            n = n - 1
        return y

    compiled = ms.jit(lambda x, n: ms.grad(power)(x, n))
    for n in (1, 127, 128, 129, 500):
        got = compiled(t(1.001), Tensor(n))
        np.testing.assert_allclose(got.asnumpy(), n * 1.001 ** (n - 1), rtol=1e-3)
    assert compiled.traces == 2


def test_loops_in_forward_mode():
    fn, _ = PROGRAMS["while_break_continue"]
    compiled = ms.jit(lambda x: ms.jvp(fn, x, t(1.0)))
    expected = ms.grad(fn)(t(5.0))
    np.testing.assert_allclose(compiled(t(5.0))[1].asnumpy(), expected.asnumpy())


def test_nothing_is_converted_where_tracing_succeeds(monkeypatch):
    monkeypatch.setattr(convert, "_convert", lambda fn: pytest.fail("converted without need"))

    def constant_conditions(x, k):
        if k > 1:
            for i in range(k):
                x = x + i
        return x

    compiled = ms.jit(constant_conditions)
    assert compiled(t(1.0), 3).asnumpy() == 4.0
    assert compiled.traces == 1


def test_the_decision_is_remembered():
    compiled = ms.jit(PROGRAMS["if_elif_else"][0])
    compiled(t(1.0))
    assert compiled.traces == 2
    compiled(t([1.0]))
    assert compiled.traces == 3


def test_assert_and_raise_on_tensors_act_at_run_time():
    def checked(x):
        assert x > 0, "x must be positive"
        if x > 10:
            raise ValueError("too large")
        return x * 2

    compiled = ms.jit(checked)
    assert compiled(t(1.0)).asnumpy() == 2.0
    with pytest.raises(AssertionError, match="x must be positive"):
        compiled(t(-1.0))
    with pytest.raises(ValueError, match="too large"):
        compiled(t(11.0))
    assert compiled(t(2.0)).asnumpy() == 4.0
    assert compiled.traces == 2


def test_a_variable_of_two_kinds_is_named():
    def kinds(x):
        if x > 0:
            result = "text"
        else:
            result = None
        return x, result

    with pytest.raises(TypeError, match="'result'.*'text' and None"):
        ms.jit(kinds, fullgraph=True)(t(1.0))


def test_two_shapes_are_named():
    def shapes(x):
        y = x
        if x.sum() > 0:
            y = x.reshape(1, 2)
        return y

    with pytest.raises(TypeError, match=r"'y'.*\[1, 2\] and \[2\]"):
        ms.jit(shapes, fullgraph=True)(t([1.0, 2.0]))


def test_what_cannot_be_compiled_names_the_line():
    def reads_value(x):
        return x + x.asnumpy().sum()

    with pytest.raises(TypeError, match=r"test_control_flow\.py:\d+: return x \+ x\.asnumpy"):
        ms.jit(reads_value, fullgraph=True)(t(1.0))


def test_condition_of_several_elements_is_refused():
    with pytest.raises(ValueError, match="ambiguous"):
        ms.jit(PROGRAMS["early_return"][0])(t([1.0, 2.0]))


def elements(pick):
    return lambda x: pick(x)


def scalars(pick):
    return lambda x: pick(x[0], x[1], x[2])


# MindSpore 2.10.0: elements share by their number, scalars from pair to pair
@pytest.mark.parametrize("pick", [max, min])
@pytest.mark.parametrize("form, shares", [(elements, [1 / 3, 1 / 3, 1 / 3]), (scalars, [0.25, 0.25, 0.5])])
def test_equal_tensors_share_the_gradient_of_compiled_max_and_min(pick, form, shares):
    np.testing.assert_allclose(ms.grad(ms.jit(form(pick)))(t([1.0, 1.0, 1.0])).asnumpy(), shares)


@pytest.mark.parametrize("pick", [max, min])
def test_compiled_max_and_min_of_nothing_is_refused(pick):
    with pytest.raises(ValueError, match="empty"):
        ms.jit(lambda x: pick(x[:0]))(t([1.0, 2.0]))


def test_keys_of_max_and_min_are_heeded():
    assert float(ms.jit(lambda x: max(x, key=lambda v: -v))(t([1.0, 3.0, 2.0]))) == 1.0
    assert float(ms.jit(lambda x: min([x[0], x[1]], key=lambda v: -v))(t([1.0, 3.0]))) == 3.0


def halved(n, x):
    if n <= 0:
        return x
    return halved(n - 1, x / 2)


def even_step(n, x):
    return -x if n == 0 else odd_step(n - 1, x + 1)


def odd_step(n, x):
    return x if n == 0 else even_step(n - 1, x * 2)


class Recursive(ms.nn.Cell):
    def construct(self, x, n):
        return self.more(x, n) * 2

    def more(self, x, n):
        if n > 0:
            return self.more(x + 1, n - 1)
        return x


def test_recursion_that_a_tensor_ends(graph):
    """MindSpore's values; the functions run in Python, as a trace of them has no end."""
    x = Tensor([16.0, 32.0])
    fn = ms.jit(halved)
    assert fn(Tensor(3), x).asnumpy().tolist() == fn(3, x).asnumpy().tolist() == [2.0, 4.0]
    assert ms.grad(fn, 1)(Tensor(3), x).asnumpy().tolist() == [0.125, 0.125]
    fn = ms.jit(even_step)
    assert [fn(Tensor(n), Tensor([1.0])).item() for n in (3, 4)] == [5.0, -10.0]
    net = Recursive()
    assert [net(x, Tensor(n)).asnumpy().tolist() for n in (0, 4)] == [[32.0, 64.0], [40.0, 72.0]]
    with pytest.raises(TypeError, match="calls itself until the value of a Tensor ends it"):
        ms.jit(halved, fullgraph=True)(Tensor(3), x)


def test_recursion_that_a_number_ends_is_compiled_with_its_conditions():
    def grown(x, depth):
        if depth == 0:
            return x
        if x.sum() > 10:
            return grown(x - 1, depth - 1)
        return grown(x * 2, depth - 1)

    fn = ms.jit(grown, fullgraph=True)
    assert fn(Tensor([1.0, 2.0]), 3).asnumpy().tolist() == grown(Tensor([1.0, 2.0]), 3).asnumpy().tolist()
