"""Compiled functions: what is constant, what varies, state, donation, random streams, exceptions, threads."""

import threading

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, mutable, ops
from ms_compat._compile.fallback import explain
from ms_compat._core.compiled.interpreter import tier
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.random import random_op
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.settings import context
from ms_compat._core.trace import scopes, write_barrier
from ms_compat.nn.cell import Cell
from tests.compilations import Compiled


@op
def mul(x, y):
    return jnp.multiply(x, y)


@op
def add(x, y):
    return jnp.add(x, y)


@random_op(static=("shape",))
def noise(key, shape):
    return jax.random.uniform(key, shape, jnp.float32)


def tensor(*values):
    return Tensor(np.array(values, np.float32))


def parameter(value, name="w"):
    return Parameter(tensor(value), name=name)


class Counter(Cell):
    def __init__(self):
        super().__init__()
        self.n = parameter(0.0, "n")
        self.scale = parameter(2.0, "scale")

    def construct(self, x):
        write_barrier.assign(self.n, add(self.n, 1.0)._v)
        return mul(mul(x, self.scale), self.n)


# -- constants ---------------------------------------------------------------------------------------------------------
@pytest.mark.skipif(not tier.settings.asked, reason="constants are compiled")
def test_what_depends_on_constants_alone_is_not_compiled_by_itself():
    def masked(x):
        positions = ops.arange(7)
        seen = (positions[:, None] >= positions[None, :]).astype(ms.float32)
        bias = ops.triu(ops.full((7, 7), -3.0), 1) + seen[2:3]
        if bias[0, 1] < 0:  # known while it is traced
            x = x * 2
        return ops.softmax(x + bias)

    x = Tensor(np.linspace(-1, 1, 49, dtype=np.float32).reshape(7, 7))
    compiled = ms.jit(masked)
    with Compiled() as names:
        got = compiled(x)
        assert names == []
        with tier.compiled_only():
            compiled(x)
    assert names == ["jit(_changed_first)"]  # the function itself
    np.testing.assert_allclose(got.asnumpy(), masked(x).asnumpy(), rtol=1e-6)


def test_constants_are_computed_in_transformations_of_jax():
    def scaled(x):
        return x * ops.exp(ops.arange(3).astype(ms.float32)).sum()

    x = np.ones((2, 3), np.float32)
    plain = scaled(Tensor(x)).asnumpy()
    named = jax.vmap(lambda row: jax.lax.psum(scaled(Tensor(row))._v, "rows"), axis_name="rows")
    np.testing.assert_allclose(named(x), 2 * plain, rtol=1e-6)
    np.testing.assert_allclose(jax.jit(lambda x: scaled(Tensor(x))._v)(x), plain, rtol=1e-6)


# -- keys ------------------------------------------------------------------------------------------------------------
def traces_of(fn, *calls):
    compiled = ms.jit(fn)
    for call in calls:
        compiled(*call)
    return compiled.traces


def test_tensor_values_are_variables_and_shapes_and_dtypes_are_not():
    x = tensor(1.0, 2.0)
    assert traces_of(lambda x: mul(x, x), (x,), (tensor(3.0, 4.0),)) == 1
    assert traces_of(lambda x: mul(x, x), (x,), (tensor(1.0),), (x,)) == 2
    assert traces_of(lambda x: mul(x, x), (x,), (Tensor([1, 2]),), (x,)) == 2


@pytest.mark.parametrize("values", [(1, 2), (1, 1.0), (1, True), ("a", "b"), ((1, 2), (1, 3)), ([1], [2]), (0.0, -0.0)])
def test_numbers_strings_and_containers_are_constants_by_type_and_value(values):
    x = tensor(1.0)
    first, second = values
    assert traces_of(lambda x, k: x, (x, first), (x, second), (x, first), (x, second)) == 2


def test_nan_is_one_constant():
    x = tensor(1.0)
    assert traces_of(lambda x, k: x, (x, float("nan")), (x, float("nan"))) == 1


def test_tensors_in_containers_are_variables():
    f = ms.jit(lambda pair, d: add(mul(pair[0], pair[1]), d["z"]))
    for k in (1.0, 2.0):
        assert f((tensor(k), tensor(3.0)), {"z": tensor(k)}).asnumpy().tolist() == [4.0 * k]
    assert f.traces == 1


def test_mutable_numbers_are_variables():
    f = ms.jit(lambda x, k: mul(x, k))
    assert [f(tensor(2.0), mutable(k)).asnumpy().tolist() for k in (3, 4, 5)] == [[6.0], [8.0], [10.0]]
    assert f.traces == 1
    assert f(tensor(2.0), mutable(1)).dtype == ms.float32
    g = ms.jit(lambda z: mul(z[0], z[1]["a"]))
    assert [g(mutable((tensor(2.0), {"a": k}))).asnumpy().tolist() for k in (3.0, 4.0)] == [[6.0], [8.0]]
    assert g.traces == 1


@pytest.mark.parametrize("value", ["text", None, object(), (1, "a"), {"k": [None]}])
def test_mutable_refuses_what_cannot_vary(value):
    with pytest.raises(TypeError, match="mutable"):
        mutable(value)


def test_mutable_keeps_the_type_and_checks_dynamic_len():
    for value in (1, 1.5, True, (tensor(1.0),), [1], {"a": 1}):
        assert isinstance(mutable(value), int if value is True else type(value)) and mutable(value) == value
    with pytest.raises(TypeError, match="dynamic_len"):
        mutable(1, dynamic_len=True)
    with pytest.raises(ValueError, match="dynamic length"):
        ms.jit(lambda x: x[0])(mutable((tensor(1.0), 2.0), dynamic_len=True))


def test_explanation_names_the_argument(monkeypatch):
    monkeypatch.setenv("MS_COMPAT_EXPLAIN_RECOMPILES", "1")
    explain.explanations.clear()
    f = ms.jit(lambda x, k: x)
    f(tensor(1.0), 1)
    f(tensor(1.0), 2)
    f(tensor(1.0, 2.0), 2)
    assert "argument 1 was int 1, is int 2" in explain.explanations[0]
    assert "argument 0 was Tensor[1] float32, is Tensor[2] float32" in explain.explanations[1]


def test_outputs_keep_their_structure():
    f = ms.jit(lambda x: (x, [mul(x, 2.0), 3], {"a": x, "b": None}, "text"))
    out = f(tensor(1.0))
    assert isinstance(out, tuple) and isinstance(out[1], list) and out[1][1] == 3
    assert out[2]["b"] is None and out[3] == "text"
    assert out[2]["a"].asnumpy().tolist() == [1.0]


def test_options_are_checked_as_in_mindspore(caplog):
    with caplog.at_level("DEBUG", "ms_compat"):
        ms.jit(lambda x: x, no_such=1)
    assert "no_such" in caplog.text
    with pytest.raises(ValueError, match="capture_mode"):
        ms.jit(capture_mode="magic")
    with pytest.raises(TypeError, match="jit"):
        ms.jit(3)


# -- state -----------------------------------------------------------------------------------------------------------
def test_cell_state_is_updated_and_equal_in_both_modes():
    eager = Counter()
    expected = [eager(tensor(3.0)).asnumpy().tolist() for _ in range(3)]
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net = Counter()
        assert [net(tensor(3.0)).asnumpy().tolist() for _ in range(3)] == expected
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert net.n.asnumpy().tolist() == eager.n.asnumpy().tolist() == [3.0]
    assert net._compiled_function().traces == 1


def test_a_parameter_changed_from_outside_is_seen(graph):
    net = Counter()
    net(tensor(1.0))
    net.scale.set_data(tensor(10.0))
    assert net(tensor(1.0)).asnumpy().tolist() == [20.0]
    assert net._compiled_function().traces == 1


def test_a_parameter_with_another_dtype_is_traced_again(graph):
    net = Counter()
    net(tensor(1.0))
    net.scale.set_dtype(ms.float16)
    assert net(tensor(1.0)).asnumpy().tolist() == [4.0]
    assert net._compiled_function().traces == 2


def test_closure_and_global_parameters_are_state():
    w = parameter(2.0)
    holder = {"deep": [w]}

    @ms.jit
    def f(x):
        write_barrier.assign(w, add(w, x)._v)
        return mul(x, holder["deep"][0])

    assert [f(tensor(1.0)).asnumpy().tolist() for _ in range(2)] == [[3.0], [4.0]]
    assert w.asnumpy().tolist() == [4.0]
    assert f.traces == 1


class Scaler:
    """An object that is no Cell, as loss scalers are."""

    def __init__(self, factor):
        self.factor = factor

    def scale(self, x):
        return mul(x, self.factor)


class Deeper:
    def __init__(self, scaler):
        self.inner = scaler

    def scale(self, x):
        return self.inner.scale(x)


@pytest.mark.parametrize(("hidden", "traces"), [(lambda s: s, 1), (Deeper, 2)], ids=["an attribute", "deeper"])
def test_a_parameter_hidden_from_inspection_costs_one_more_trace(hidden, traces):
    w = parameter(2.0)
    scaler = hidden(Scaler(w))
    f = ms.jit(lambda x: scaler.scale(x))
    assert f(tensor(3.0)).asnumpy().tolist() == [6.0]
    w.set_data(tensor(5.0))
    assert f(tensor(3.0)).asnumpy().tolist() == [15.0]
    assert f.traces == traces


def test_a_parameter_as_an_argument_is_changed_in_place():
    @ms.jit
    def increase(p):
        write_barrier.assign(p, add(p, 1.0)._v)
        return p

    w = parameter(1.0)
    assert increase(w).asnumpy().tolist() == [2.0]
    assert increase(w).asnumpy().tolist() == [3.0]
    assert w.asnumpy().tolist() == [3.0]


def test_who_holds_the_old_value_keeps_it():
    """Changed parameters are donated; a Tensor or numpy array of the old value must not die or change with it."""
    w = Parameter(Tensor(np.ones(1000, np.float32)), name="w")

    @ms.jit
    def step(x):
        write_barrier.assign(w, add(w, x)._v)
        return x

    step(tensor(1.0))
    tensor_view, numpy_view = w.value(), w.asnumpy()
    step(tensor(1.0))
    assert tensor_view.asnumpy()[0] == 2.0 and numpy_view[0] == 2.0
    assert w.asnumpy()[0] == 3.0


def test_changed_state_is_donated():
    w = Parameter(Tensor(np.ones(1 << 16, np.float32)), name="w")

    @ms.jit
    def step(x):
        write_barrier.assign(w, add(w, x)._v)
        return x

    with tier.compiled_only():
        step(tensor(1.0))
        before = w._v
        pointer = before.unsafe_buffer_pointer()
        del before
        step(tensor(1.0))
    assert w._v.unsafe_buffer_pointer() == pointer


def test_large_closed_over_arrays_are_arguments_not_text():
    table = Tensor(np.arange(100_000, dtype=np.float32))
    f = ms.jit(lambda x: mul(x, table))
    assert f(tensor(2.0)).asnumpy()[-1] == 2 * 99_999
    specialised = next(iter(f._compiled._specialised.values()))
    assert [c.nbytes for c in specialised.consts] == [400_000]


def test_training_flag_selects_another_program(graph):
    class Flagged(Cell):
        def construct(self, x):
            return mul(x, 2.0) if self.training else x

    net = Flagged()
    results = []
    for train in (False, True, False, True):
        net.set_train(train)
        results.append(net(tensor(1.0)).asnumpy().tolist()[0])
    assert results == [1.0, 2.0, 1.0, 2.0]
    assert net._compiled_function().traces == 2


# -- failures --------------------------------------------------------------------------------------------------------
def test_exception_while_tracing_leaves_everything_as_it_was(graph):
    class Broken(Counter):
        fail = True

        def construct(self, x):
            out = super().construct(x)
            if self.fail:
                raise KeyError("inside")
            return out

    net = Broken()
    x = tensor(1.0)
    with pytest.raises(KeyError, match="inside"):
        net(x)
    for p in net.get_parameters():
        assert not isinstance(p._v, Tracer)
    assert net.n.asnumpy().tolist() == [0.0]
    assert scopes.tracing == 0 and scopes.current_scope() is None
    Broken.fail = False
    assert net(x).asnumpy().tolist() == [2.0]


def test_shape_error_while_tracing_names_the_shapes():
    f = ms.jit(lambda x, y: add(x, y))
    with pytest.raises((TypeError, ValueError), match="2"):
        f(tensor(1.0, 2.0), tensor(1.0, 2.0, 3.0))
    assert scopes.tracing == 0


# -- random streams --------------------------------------------------------------------------------------------------
def test_two_calls_differ_seed_repeats_and_modes_agree():
    def draw(x):
        return add(noise((3,)), mul(noise((3,)), 10.0))

    compiled = ms.jit(draw)
    ms.set_seed(5)
    eager = [draw(tensor(0.0)).asnumpy() for _ in range(3)]
    ms.set_seed(5)
    graph = [compiled(tensor(0.0)).asnumpy() for _ in range(3)]
    np.testing.assert_allclose(eager, graph, rtol=1e-6)
    assert not np.array_equal(graph[0], graph[1])
    assert compiled.traces == 1


# -- threads ---------------------------------------------------------------------------------------------------------
def test_two_threads_may_call_the_same_cell(graph):
    net = Counter()
    errors, results = [], []
    barrier = threading.Barrier(4)

    def work():
        try:
            barrier.wait(60)
            for _ in range(20):
                results.append(float(net(tensor(1.0)).asnumpy()[0]))
        except Exception as error:  # reported below
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert errors == []
    assert sorted(results) == [2.0 * n for n in range(1, 81)]
    assert net.n.asnumpy().tolist() == [80.0]


def test_eager_use_of_a_parameter_while_another_thread_traces():
    w = parameter(3.0)
    inside, done = threading.Event(), threading.Event()
    results = []

    @ms.jit
    def slow(x):
        inside.set()
        done.wait(0.3)
        return mul(x, w)

    def eager():
        inside.wait(60)
        results.append(mul(w, 2.0).asnumpy().tolist())
        done.set()

    thread = threading.Thread(target=eager)
    thread.start()
    assert slow(tensor(1.0)).asnumpy().tolist() == [3.0]
    thread.join(60)
    assert results == [[6.0]]


# -- decorators ------------------------------------------------------------------------------------------------------
def test_methods_compile_per_instance_and_do_not_keep_it_alive():
    import gc
    import weakref

    class Scaler:
        def __init__(self, factor):
            self.w = parameter(factor)

        @ms.jit
        def scale(self, x):
            return mul(x, self.w)

    a, b = Scaler(2.0), Scaler(3.0)
    assert [s.scale(tensor(1.0)).asnumpy().tolist() for s in (a, b, a)] == [[2.0], [3.0], [2.0]]
    assert a.scale.traces == 1
    gone = weakref.ref(a)
    del a
    gc.collect()
    assert gone() is None


def test_a_method_keeps_the_instance_that_it_is_bound_to():
    class Scaler:
        def __init__(self, factor):
            self.w = parameter(factor)

        @ms.jit
        def scale(self, x):
            return mul(x, self.w)

    scale = Scaler(2.0).scale
    assert [scale(tensor(1.0)).asnumpy().tolist() for _ in range(2)] == [[2.0], [2.0]]
    assert scale.traces == 1
    assert Scaler(3.0).scale(tensor(1.0)).asnumpy().tolist() == [3.0]
    scaler = Scaler(4.0)
    assert scaler.scale == scaler.scale != Scaler(4.0).scale
    assert {scaler.scale: 1}[scaler.scale] == 1
    assert ms.grad(Scaler(5.0).scale)(tensor(1.0)).asnumpy().tolist() == [5.0]


def test_jit_of_a_cell_and_jitted_construct():
    class Net(Cell):
        def __init__(self):
            super().__init__()
            self.w = parameter(2.0)

        @ms.jit
        def construct(self, x):
            return mul(x, self.w)

    net = Net()
    assert net(tensor(3.0)).asnumpy().tolist() == [6.0]
    assert ms.jit(Counter())(tensor(3.0)).asnumpy().tolist() == [6.0]


def test_jit_class_marks_classes_and_refuses_cells():
    @ms.jit_class
    class Plain:
        pass

    assert Plain.__ms_class__
    with pytest.raises(TypeError, match="Cell"):
        ms.jit_class(Counter)
    with pytest.raises(TypeError, match="class"):
        ms.jit_class(3)


def test_saved_graphs_hold_the_jaxpr_and_hlo(tmp_path, monkeypatch):
    for name in ("save_graphs", "save_graphs_path"):  # put back afterwards
        monkeypatch.setattr(context.state, name, getattr(context.state, name))
    ms.set_context(save_graphs=True, save_graphs_path=str(tmp_path))
    ms.jit(lambda x: mul(x, x))(tensor(2.0))
    texts = {path.name.split(".", 1)[1]: path.read_text() for path in tmp_path.iterdir()}
    assert "mul" in texts["jaxpr.txt"]
    assert "multiply" in texts["hlo.txt"]


def test_the_values_of_a_traced_tensor_make_another_one():
    x = Tensor(np.array([[1.0, 2.0], [3.0, 4.0]], np.float32))

    def again(x):
        values = x.asnumpy()
        assert (values.shape, values.dtype, values.ndim, values.size, len(values)) == ((2, 2), np.float32, 2, 4, 2)
        return Tensor(values, ms.float16), ms.tensor(x.numpy().copy()), Tensor.from_numpy(values.astype(np.int32)) * x

    for mine, other in zip(ms.jit(again)(x), again(x), strict=True):
        assert mine.dtype == other.dtype
        np.testing.assert_array_equal(mine.asnumpy(), other.asnumpy())
    cut = ms.jit(lambda x: (x * Tensor(x.asnumpy())).sum())
    np.testing.assert_array_equal(ms.grad(cut)(x).asnumpy(), x.asnumpy())


@pytest.mark.parametrize(
    "use",
    [
        "values.sum()",
        "values + 1",
        "1 + values",
        "values[0]",
        "np.exp(values)",
        "float(values)",
        "values.T",
        "bool(values)",
    ],
)
def test_numpy_needs_values_that_a_compiled_function_has_not(use):
    with pytest.raises(TypeError, match="known at run time only"):
        ms.jit(lambda x: eval(use, {"values": x.asnumpy(), "np": np}), fullgraph=True)(Tensor([1.0, 2.0]))


def test_the_length_of_a_sequence_of_variable_length_is_a_variable():
    """It is no constant, but its value is known: it may bound a loop, and another length is another program."""

    @ms.jit
    def lengths():
        variable = mutable((Tensor([1]), Tensor([2])), True)
        fixed = mutable((Tensor([1]), Tensor([2])))
        total = variable[0] * 0
        for i in range(len(variable)):
            total = total + variable[i]
        known = ops.functional.isconstant(len(variable)), ops.functional.isconstant(len(fixed))
        return known, len(variable) + 1, total

    known, more, total = lengths()
    assert known == (False, True)
    assert more == 3 and total.asnumpy().tolist() == [3]
