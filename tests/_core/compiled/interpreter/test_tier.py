"""The first calls of a signature run without the compiler, give the same, and a setting turns that off."""

import gc
import logging
import os
import subprocess
import sys

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from ms_compat._core.compiled.interpreter import tier
from ms_compat._core.compiled.interpreter.sizes import SymbolicSizes
from ms_compat._core.dispatch.op import op as operation
from ms_compat._core.jax_compat import jit_fallback, of_scalar
from ms_compat._core.settings import memory_limits
from tests.compilations import Compiled

F32 = np.float32
RNG = np.random.RandomState(0)


@pytest.fixture
def op():
    """An operation that no other test has called."""

    @operation(name="fresh")
    def fresh(x, y):
        return jax.nn.relu(x) * y + x.sum()

    return fresh


def tensor(*shape, dtype=F32):
    return Tensor(RNG.randn(*shape).astype(dtype))


def test_the_first_calls_compile_nothing_and_one_compiles_once(op):
    x, y = tensor(7, 9), tensor(9)
    with Compiled() as names:
        interpreted = [op(x, y) for _ in range(tier.INTERPRETED_CALLS)]
        assert names == []
        compiled = op(x, y)
        assert names == ["jit(fresh)"]
        again = op(x, y)
        assert names == ["jit(fresh)"]
    for out in interpreted:
        assert out._v.aval == compiled._v.aval
        assert out._v.sharding == compiled._v.sharding
        assert out._v.committed == compiled._v.committed
        np.testing.assert_allclose(out.asnumpy(), compiled.asnumpy(), rtol=1e-5, atol=1e-5)
    assert (again.asnumpy() == compiled.asnumpy()).all()


@pytest.mark.parametrize("sizes", [tier.MANY + 4, tier.MANY // 2], ids=["many sizes", "some sizes"])
def test_what_keeps_growing_is_compiled_when_that_pays(sizes):
    name = f"of_{sizes}_sizes"  # an operation that no other test has called

    @operation(name=name, static=("shape",))
    def of_sizes(x, shape):
        return (x * 2).reshape(shape)

    given = [tensor(6, n) for n in range(40, 40 + sizes)]
    with Compiled() as names:
        for _ in range(tier.INTERPRETED_CALLS + 2):
            for x in given:
                assert of_sizes(x, x.shape[::-1]).shape == x.shape[::-1]
    assert names == ([] if sizes > tier.MANY else [f"jit({name})"] * sizes)
    with Compiled() as names:
        for _ in range(int(tier._WORTH / tier._OVERHEAD)):
            of_sizes(given[0], (40, 6))
    assert len(names) == (sizes > tier.MANY)


def test_shapes_that_differ_in_more_than_sizes_are_compiled_each():
    @operation(name="of_kinds", static=("wide",))
    def of_kinds(x, wide):
        return x.astype("float64" if wide else x.dtype) * 2

    given = [tensor(*[7] * n, dtype=dtype) for n in range(1, 5) for dtype in (F32, np.float16, np.int32)]
    with Compiled() as names:
        for _ in range(tier.INTERPRETED_CALLS + 1):
            for x in given:
                of_kinds(x, True), of_kinds(x, False)
    assert names == ["jit(of_kinds)"] * 2 * len(given)


@pytest.mark.parametrize("way", ["by calls", "by a setting"])
def test_a_warm_call_does_not_pass_the_tier(op, monkeypatch, way):
    inputs = [(tensor(n, 6), tensor(6)) for n in (7, 8, 9)]
    for x, y in inputs:
        for _ in range(tier.INTERPRETED_CALLS if way == "by calls" else 2):
            op(x, y)
    asked = []
    is_on = tier.is_on
    monkeypatch.setattr(tier, "is_on", lambda: asked.append(1) or is_on())
    with tier.compiled_only(way == "by a setting"):
        for _ in range(3):  # compiled, looked up anew, and once more as others were compiled in between
            for x, y in inputs:
                op(x, y)
        asked.clear()
        for x, y in inputs:
            op(x, y)
    assert not asked


def test_a_new_shape_is_not_traced_again():
    traces = []

    @operation(name="traced")
    def traced(x):
        traces.append(x.shape)
        return x * 2

    for n in (5, 6, 7, 8):
        assert traced(tensor(n, n + 5)).shape == (n, n + 5)
    assert len(traces) == 1


def test_a_lookup_in_jaxs_table_of_avals_decides_nothing():
    """It compares the shape that it looks for with some others, by chance of their hashes."""
    kept = [jax.core.ShapedArray((k, 10), np.dtype(F32)) for k in range(5, 3000)]
    for _ in range(100):
        sizes = SymbolicSizes([5, 10])
        with sizes.deciding():
            aval = jax.core.ShapedArray(sizes.symbols, np.dtype(F32))
        assert all(sizes.holds(sizes.evaluator(other.shape)) for other in kept)
        with sizes.deciding():
            assert aval.shape[0] == 5
        assert not sizes.holds(sizes.evaluator([6, 10]))


def test_a_decision_on_sizes_is_made_for_each_shape():
    @operation(name="deciding")
    def deciding(x):
        if x.shape[0] % 2 == 0:
            return x[: x.shape[0] // 2]
        if x.shape[0] > 20:
            return x + 1
        return x * x.shape[0] / x.size

    for n in (7, 8, 9, 10, 21, 22, 23, 5):
        x = tensor(n, 6)
        with tier.compiled_only():
            expected = deciding(x).asnumpy()
        got = deciding(x)
        assert got.dtype == ms.float32
        np.testing.assert_allclose(got.asnumpy(), expected, rtol=1e-6)


def test_gradients_compile_nothing_at_first():
    x, w = tensor(6, 11), Parameter(tensor(11, 5), name="w")

    def loss(x):
        return ops.tanh(ops.matmul(x, w)).mean()

    grad = ms.value_and_grad(loss, 0, [w])
    grad(x)
    with Compiled() as names:
        value, (of_x, (of_w,)) = grad(tensor(8, 11))
        assert names == []
    x = tensor(9, 11)
    value, (of_x, (of_w,)) = grad(x)
    with tier.compiled_only():
        expected, (x_expected, (w_expected,)) = grad(x)
    np.testing.assert_allclose(value.asnumpy(), expected.asnumpy(), rtol=1e-5)
    np.testing.assert_allclose(of_x.asnumpy(), x_expected.asnumpy(), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(of_w.asnumpy(), w_expected.asnumpy(), rtol=1e-5, atol=1e-7)


def test_a_tensor_of_a_new_shape_compiles_nothing():
    values = RNG.randn(3, 13, 2).astype(F32)
    with Compiled() as names:
        x = Tensor(values)
    assert names == []
    values[:] = 0
    assert (x.asnumpy() != 0).all()
    assert not x._v.committed


@pytest.mark.parametrize("number", [2, -7.5, True, 1j, np.int64(3), np.float32(0.5)], ids=repr)
def test_a_number_compiles_nothing(number):
    with jax.default_matmul_precision("highest"), Compiled() as names:  # no other test's programs serve
        found = of_scalar(number)
    assert names == []
    expected = jax.numpy.asarray(number)
    assert (found.aval, found.sharding, found.committed) == (expected.aval, expected.sharding, expected.committed)
    assert found == expected


def test_a_number_that_is_too_large():
    with pytest.raises(OverflowError):
        of_scalar(2**63)


def test_outputs_share_no_memory_with_inputs():
    x = tensor(5, 8)
    before = x.asnumpy().copy()
    y = x.reshape(8, 5)
    ops.assign(Parameter(x, name="x"), ops.zeros_like(x))
    y_values = y.asnumpy().copy()
    x._v.delete()
    np.testing.assert_array_equal(y.asnumpy(), y_values)
    np.testing.assert_array_equal(y_values.ravel(), before.ravel())


@pytest.mark.parametrize("way", ["deterministic", "compiled_only"])
def test_what_turns_it_off(op, way):
    x, y = tensor(4, 6), tensor(6)
    with Compiled() as names:
        if way == "deterministic":
            ms.set_deterministic(True)
            try:
                op(x, y)
            finally:
                ms.set_deterministic(False)
        else:
            with tier.compiled_only():
                op(x, y)
        assert names == ["jit(fresh)"]
        op(x, y)
        assert names == ["jit(fresh)"]


@pytest.mark.parametrize("value, compiled", [("0", True), ("1", False)])
def test_the_environment_turns_it_off(value, compiled):
    code = (
        "import logging, jax, numpy as np, ms_compat as ms\n"
        "x = ms.Tensor(np.ones((3, 7), np.float32))\n"
        "with jax.log_compiles(True):\n"
        "    ms.ops.relu(x)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "MS_COMPAT_COLD_TIER": value},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ("Compiling jit(relu)" in run.stderr) is compiled


def test_a_run_repeats_bit_for_bit():
    x = tensor(16, 33)

    def run(fn):
        return [fn(x).asnumpy().tobytes() for _ in range(tier.INTERPRETED_CALLS + 3)]

    first, second = [run(operation(lambda x: jax.nn.softmax(x * 1.7), name=f"n{i}")) for i in range(2)]
    assert first == second


def test_errors_are_those_of_the_trace(op):
    with pytest.raises(ValueError, match="Incompatible shapes"):
        op(tensor(3, 7), tensor(8))
    with Compiled() as names:
        op(tensor(3, 7), tensor(7))
    assert names == []


def test_warnings_of_numpy_stay_inside():
    x = Tensor(np.array([0.0, -1.0, np.inf, np.nan, 3e38], F32))
    with np.errstate(all="raise"):
        out = ops.log(x) / ops.mul(x, x)
    assert out.shape == (5,)


def test_numbers_none_and_weak_types():
    @operation(name="mixed")
    def mixed(x, y=None):
        return x if y is None else x * y

    x = tensor(5)
    for y in (2, 2.5, float("nan"), -0.0, None):
        got = mixed(x, y)
        with tier.compiled_only():
            expected = mixed(x, y)
        assert got.dtype == expected.dtype
        assert got._v.weak_type == expected._v.weak_type
        np.testing.assert_array_equal(got.asnumpy(), expected.asnumpy())


def test_arrays_on_other_devices_are_compiled(op):
    mesh = jax.make_mesh((1,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x"))
    x = ms.Tensor(jax.device_put(np.ones((4, 6), F32), sharding))
    x._v = jax.device_put(np.ones((4, 6), F32), sharding)
    with Compiled() as names:
        op(x, tensor(6))
    assert names == ["jit(fresh)"]


def test_a_resumable_training_compiles_from_its_first_step(tmp_path):
    seen = []

    class Look(ms.train.Callback):
        def on_train_step_end(self, run_context):
            seen.append(tier.is_on())

    net = nn.Dense(3, 2)
    config = ms.train.CheckpointConfig(save_checkpoint_steps=1, resumable=True)
    for callbacks in ([Look()], [Look(), ms.train.ModelCheckpoint("n", str(tmp_path), config)]):
        data = ms.dataset.NumpySlicesDataset((np.ones((8, 3), F32), np.ones((8, 2), F32))).batch(4)
        ms.train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params())).train(1, data, callbacks)
    assert seen == [True, True, False, False]
    assert tier.is_on()


def test_a_jax_without_the_parts_compiles_at_once(monkeypatch, caplog):
    monkeypatch.setattr(jit_fallback, "extension", object())
    jitted = jax.jit(lambda x: x + 1)
    with caplog.at_level(logging.DEBUG, "ms_compat"):
        assert jit_fallback.jit_with_fallback(lambda x: x + 1, jitted, None) is jitted
    assert "First calls are compiled" in caplog.text


@pytest.mark.parametrize("init, value", [("zeros", 0), ("ones", 1)])
@pytest.mark.parametrize("dtype", [ms.float32, ms.float16, ms.bfloat16, ms.int32])
def test_clones_of_parameters_compile_nothing(init, value, dtype):
    p = ms.Parameter(ms.Tensor(np.ones((3, 11)), dtype), name="p")
    with Compiled() as names:
        clone = p.clone(init)
    assert names == []
    assert (clone.dtype, clone.shape) == (dtype, (3, 11))
    assert (clone.astype(ms.float32).asnumpy() == value).all() and p.astype(ms.float32).asnumpy().all()


def test_constants_of_compiled_functions_are_walked_however_many_there_are(op):
    constant = tensor(3, 7)

    @ms.jit
    def function(x):
        for _ in range(3 * tier.INTERPRETED_CALLS):
            x = x + op(constant, constant)
        return x

    with Compiled() as names:
        function(tensor(3, 7))
    assert names == []


def test_constants_are_walked_where_an_axis_has_a_name(op):
    constant = tensor(5)

    @ms.jit
    def function(x):
        return ms.vmap(lambda row: row + op(constant, constant))(x)

    with Compiled() as names:
        function(tensor(2, 5))
    assert names == []


def test_one_trace_serves_results_of_few_and_of_many_bytes():
    """The check that a result fits into the memory compares its bytes with bounds, but not in a trace with symbols."""
    traces = []

    @operation(name="of_all_bytes")
    def of_all_bytes(x):
        traces.append(x.shape)
        return x * 2

    for shape in ((5, 7), (6, 9), (200, 300), (2000, 1000)):
        of_all_bytes(tensor(*shape))
    assert len(traces) == 1


def test_the_memory_is_checked_for_each_shape(monkeypatch):
    @operation(name="wide_of_each")
    def wide_of_each(x):
        return x[:, None] + x[None]

    monkeypatch.setattr(memory_limits, "_memory", lambda: 1_000_000)
    wide_of_each(tensor(10))
    wide_of_each(tensor(11))
    with pytest.raises(RuntimeError, match="For 'wide_of_each', the results are of 4000000 bytes"):
        wide_of_each(tensor(1000))


def test_sizes_that_are_static_arguments_are_numbers_in_a_trace():
    """Convolutions compare channels with groups, and a reshape divides by the sizes that it is given."""
    traces = []

    @operation(name="comparing", static=("groups", "shape"))
    def comparing(x, groups, shape):
        traces.append(x.shape)
        if x.shape[1] % groups:
            raise ValueError("not divisible")
        return x.reshape(shape)

    for n in (14, 15, 16):
        assert comparing(tensor(2, 12, n), 12, (12, -1)).shape == (12, 2 * n)
    assert len(traces) == 1


def test_operations_that_need_numbers_are_soon_traced_with_them_alone():
    asked = []

    @operation(name="needing_numbers", static=("size",))
    def needing_numbers(x, size):
        asked.append(type(x.shape[0]))
        if type(x.shape[0]) is not int:
            raise ValueError("a number is needed")
        return x.reshape(-1, size)

    for n in range(2 * tier._FAILURES):
        needing_numbers(tensor(60 + 12 * n), 2 + n % 2)
    assert asked.count(int) == 2 * tier._FAILURES
    assert len(asked) == 3 * tier._FAILURES


def test_a_trace_is_not_stopped_by_collections_of_garbage():
    enabled = []

    @operation(name="asking_the_collector")
    def asking_the_collector(x):
        enabled.append(gc.isenabled())
        return x + 1

    assert gc.isenabled()
    asking_the_collector(tensor(5))
    ms.jit(asking_the_collector)(tensor(6))
    assert enabled == [False, False]
    assert gc.isenabled()
    gc.disable()
    try:
        asking_the_collector(tensor(5, 6))
        assert not gc.isenabled()
    finally:
        gc.enable()
