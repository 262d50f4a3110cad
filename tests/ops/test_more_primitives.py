"""The samples of primitive_samples.py answer as MindSpore did, compiled code as PYNATIVE, and gradients are slopes."""

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, ops
from tests.conformance import replay
from tests.ops import primitive_samples

RTOL = 1e-4  # MindSpore's kernels sum in other orders and approximate exp, log and the like
X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)


@pytest.mark.parametrize("case", replay.load("ops_primitives.json"), ids=lambda case: case["expr"])
def test_answers_as_recorded(case):
    case = {**case, "setup": primitive_samples.SETUP, "rtol": RTOL}
    assert not replay.differences(case, replay.evaluate(case, ms))


def test_the_recording_holds_the_samples():
    cases = replay.load("ops_primitives.json")
    assert [case["expr"] for case in cases] == primitive_samples.EXPRESSIONS


def spiral(i, total):
    return total * 1.1 + i


def fori(x):
    return ops.ForiLoop()(0, 4, spiral, x).sum()


def fori_staged(x):
    return ops.ForiLoop()(0, 4, spiral, x, False).sum()


def whiled(x):
    return ops.WhileLoop()(lambda v: v.sum() < 1000, lambda v: v * 2 + 3, x).sum()


def scanned(x):
    return ops.Scan()(lambda carry, v: (carry + v, carry * v), x, [x, x * 2], 2, False)[0].sum()


def hooked(x):
    return (ops.HookBackward(lambda grads: grads[0] * 3)(x) * x).sum()


def inserted(x):
    return (ops.InsertGradientOf(lambda grad: grad * 3)(x) * x).sum()


def custom(x):
    own = ops.Custom(np.sin, lambda shape: shape, lambda dtype: dtype, bprop=lambda v, out, dout: (dout * v.cos(),))
    return own(x).sum()


@pytest.mark.parametrize("fn", [fori, fori_staged, whiled, scanned, hooked, inserted, custom])
def test_helpers_and_their_gradients_are_the_same_compiled(fn):
    x = Tensor(X)
    np.testing.assert_allclose(ms.jit(fn)(x).asnumpy(), fn(x).asnumpy(), rtol=1e-6)
    np.testing.assert_allclose(ms.jit(ms.grad(fn))(x).asnumpy(), ms.grad(fn)(x).asnumpy(), rtol=1e-6)


def test_hooks_change_the_gradient():
    np.testing.assert_allclose(ms.grad(hooked)(Tensor(X)).asnumpy(), 4 * X, rtol=1e-6)
    np.testing.assert_allclose(ms.grad(inserted)(Tensor(X)).asnumpy(), 4 * X, rtol=1e-6)
    np.testing.assert_allclose(ms.grad(custom)(Tensor(X)).asnumpy(), np.cos(X), rtol=1e-5)


def test_a_loop_with_a_traced_bound_is_one_operation():
    run = ms.jit(lambda x, n: ops.ForiLoop()(0, n, spiral, x))
    for n in (0, 3, 5):
        expected = ops.ForiLoop()(0, n, spiral, Tensor(X)).asnumpy()
        np.testing.assert_allclose(run(Tensor(X), Tensor(n)).asnumpy(), expected, rtol=1e-6)


def test_a_failed_assertion_of_compiled_code_raises_after_the_run(capsys):
    @ms.jit
    def run(x):
        ops.Assert(2)(x.sum() > 100, [x])
        return x

    with pytest.raises(RuntimeError, match="Assert"):
        run(Tensor(X))
    assert "input data: [ 1.5 -2. ]" in capsys.readouterr().out
    assert run(Tensor(X + 100)).shape == (2, 3)


def test_print_shows_a_value_a_line_in_both_modes(capsys):
    def show(x):
        ops.Print()("x:", x, 3)
        return x

    eager, compiled = " [ 1.00000000e+00,  2.00000000e+00]", "[ 1.00000000e+00  2.00000000e+00]"
    for fn, values in ((show, eager), (ms.jit(show), compiled)):
        fn(Tensor([1.0, 2.0])).asnumpy()
        jax.effects_barrier()
        assert capsys.readouterr().out == f"x:\nTensor(shape=[2], dtype=Float32, value={values})\n3\n"


def test_a_custom_function_must_keep_its_promise_and_needs_a_bprop():
    wrong = ops.Custom(lambda x: x.astype(np.float64), lambda shape: shape, lambda dtype: dtype)
    with pytest.raises(RuntimeError, match="promised"):
        wrong(Tensor(X))
    plain = ops.Custom(lambda x: x, lambda shape: shape, lambda dtype: dtype)
    with pytest.raises(RuntimeError, match="bprop"):
        ms.grad(lambda x: plain(x).sum())(Tensor(X))


@pytest.mark.parametrize("compiled", [False, True])
def test_a_status_register_reports_on_what_it_depends_on(compiled):
    def overflow(x, divisor):
        status = ops.depend(ops.NPUAllocFloatStatus()(), x)
        x = ops.depend(x, ops.NPUClearFloatStatus()(status))
        status = ops.depend(status, (x / divisor,))
        status = ops.depend(status, ops.NPUGetFloatStatus()(status))
        return ops.ReduceSum()(status, (0,))

    fn = ms.jit(overflow) if compiled else overflow
    assert float(fn(Tensor(X), Tensor(1.0))) == 0
    assert float(fn(Tensor(X), Tensor(0.0))) == 8


def test_float_status_tells_overflow():
    assert ops.FloatStatus()(Tensor(X)).asnumpy().tolist() == [0]
    assert ops.FloatStatus()(Tensor([1, np.inf])).asnumpy().tolist() == [1]
    with pytest.raises(TypeError):
        ops.FloatStatus()(Tensor([1]))


def test_an_update_in_compiled_code_changes_the_parameters():
    values = []
    for compiled in (False, True):
        p, m = (Parameter(Tensor(X.copy()), name=name) for name in "pm")
        step = ops.ApplyMomentum(use_nesterov=True)

        def run(grad, step=step, p=p, m=m):
            return step(p, m, 0.1, grad, 0.9)

        out = (ms.jit(run) if compiled else run)(Tensor(X))
        values.append(np.stack([out.asnumpy(), p.asnumpy(), m.asnumpy()]))
    np.testing.assert_allclose(values[0], values[1], rtol=1e-6)
    np.testing.assert_allclose(values[0][0], X - 0.1 * (X + 0.9 * (0.9 * X + X)), rtol=1e-6)


def test_an_update_that_fails_changes_nothing():
    p, m = (Parameter(Tensor(X.copy()), name=name) for name in "pm")
    with pytest.raises(ValueError, match="gradient"):
        ops.ApplyMomentum()(p, m, 0.1, Tensor(X[:1]), 0.9)
    np.testing.assert_array_equal(p.asnumpy(), X)
    np.testing.assert_array_equal(m.asnumpy(), X)


SMOOTH = {
    "CTCLoss": lambda x: ops.CTCLoss()(
        x.reshape(3, 1, 2), Tensor([[0, 0]]), Tensor([0], ms.int32), Tensor([3], ms.int32)
    )[0],
    "CumulativeLogsumexp": lambda x: ops.CumulativeLogsumexp()(x, 1),
    "UpsampleTrilinear3D": lambda x: ops.UpsampleTrilinear3D()(x.reshape(1, 1, 1, 2, 3), (2, 3, 4)),
    "DepthToSpace": lambda x: ops.DepthToSpace(2)(ops.concat((x, x[:, :1]), 1).reshape(1, 4, 1, 2)) ** 2,
    "STFT": lambda x: ops.STFT(4, 1, 4, False, True, False)(x.reshape(6), ops.ones(4, ms.float64)),
}


@pytest.mark.parametrize("name", SMOOTH)
def test_gradient_is_the_slope(name):
    def loss(x):
        out = SMOOTH[name](x)
        return (out * Tensor(np.cos(np.arange(out.size)).reshape(out.shape), out.dtype)).sum()

    x, step = X.astype(np.float64), 1e-6
    slope = np.zeros_like(x)
    for at in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[at] += step
        down[at] -= step
        slope[at] = (float(loss(Tensor(up))) - float(loss(Tensor(down)))) / (2 * step)
    np.testing.assert_allclose(ms.grad(loss)(Tensor(x)).asnumpy(), slope, rtol=2e-5, atol=2e-6)


def test_attributes_that_place_and_recompute_are_kept():
    primitive = ops.ReLU()
    assert primitive.recompute() is primitive.shard(((1, 1),)) is primitive
    assert primitive.place("MS_WORKER", 0) is None
    assert repr(primitive) == "Prim[ReLU]<recompute=True, in_strategy=((1, 1),), ms_role=MS_WORKER, rank_id=0>"


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: ops.ReLU().place("worker", 0), ValueError),
        (lambda: ops.ReLU().place(3, 0), ValueError),
        (lambda: ops.ReLU().place("MS_WORKER", "a"), TypeError),
        (lambda: ops.ReLU().place("MS_WORKER", -1), ValueError),
        (lambda: ops.ReLU().recompute(3), TypeError),
        (lambda: ops.ReLU().shard(3), TypeError),
    ],
)
def test_wrong_attributes_are_refused(call, error):
    with pytest.raises(error):
        call()


def test_tangents_and_counts_of_arrays():
    x = Tensor([[0.0, 1.0], [2.0, 0.0]])
    np.testing.assert_allclose(ops.Tan()(x).asnumpy(), np.tan(x.asnumpy()), rtol=1e-6)
    assert int(ops.CountNonZero()(x)) == 2 and ops.CountNonZero([0])(x).asnumpy().tolist() == [1, 1]
