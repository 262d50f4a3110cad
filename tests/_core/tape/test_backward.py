"""The tape: values against jax.grad, orders, hooks, custom gradients, in-place writes, and memory."""

import gc

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor
from ms_compat._autograd.custom import call_with_bprop
from ms_compat._core import tape
from ms_compat._core.dispatch.op import op
from ms_compat._core.trace import write_barrier


@op
def mul(x, y):
    return jnp.multiply(x, y)


@op
def add(x, y):
    return jnp.add(x, y)


@op
def matmul(x, y):
    return jnp.matmul(x, y)


@op
def tanh(x):
    return jnp.tanh(x)


@op
def total(x):
    return jnp.sum(x)


@op
def halves(x):
    return x[: x.shape[0] // 2], x[x.shape[0] // 2 :], jnp.argmax(x)


def tensor(*values):
    return Tensor(np.array(values, np.float32))


def mlp(x, weights, tanh=tanh, matmul=matmul, total=total):
    for w in weights:
        x = tanh(matmul(x, w))
    return total(x)


def test_gradients_of_inputs_and_weights_equal_jax_grad():
    rng = np.random.RandomState(0)
    x = rng.randn(4, 8).astype(np.float32)
    weights = [rng.randn(8, 8).astype(np.float32) for _ in range(3)]
    expected = jax.grad(lambda x, ws: mlp(x, ws, jnp.tanh, jnp.matmul, jnp.sum), (0, 1))(x, weights)
    params = [Parameter(Tensor(w), name=f"w{i}") for i, w in enumerate(weights)]
    got_x, got_w = ms.grad(lambda x: mlp(x, params), 0, params)(Tensor(x))
    close = {"rtol": 1e-5, "atol": 1e-5}  # elements near 0 are sums of eight numbers near 1, in another order
    np.testing.assert_allclose(got_x.asnumpy(), expected[0], **close)
    for got, want in zip(got_w, expected[1], strict=True):
        assert got.dtype == ms.float32
        np.testing.assert_allclose(got.asnumpy(), want, **close)


def test_orders_one_to_four_equal_nested_jax_grad():
    f = lambda x: total(mul(mul(tanh(x), x), mul(x, x)))  # noqa: E731
    f_jax = lambda x: jnp.sum(jnp.tanh(x) * x * x * x)  # noqa: E731
    ours, theirs = f, f_jax
    x = tensor(0.3, -0.7)
    for _ in range(4):
        ours, theirs = _sum_of_grad(ours), _sum_of_grad_jax(theirs)
        np.testing.assert_allclose(ours(x).asnumpy(), theirs(x._v), rtol=2e-5)


def _sum_of_grad(f):
    return lambda x: total(ms.grad(f)(x))


def _sum_of_grad_jax(f):
    return lambda x: jnp.sum(jax.grad(f)(x))


def test_inner_gradient_does_not_see_outer_variables():
    """d/dx [x * d/dy (x * y * y)] = d/dx [2 x^2 y]: perturbations of the two levels stay apart."""

    def outer(x, y):
        return total(mul(x, ms.grad(lambda v: total(mul(mul(x, v), v)))(y)))

    got = ms.grad(outer, (0, 1))(tensor(3.0), tensor(5.0))
    assert [g.asnumpy().tolist() for g in got] == [[60.0], [18.0]]


def test_operation_with_several_outputs_and_an_integer_one():
    def f(x):
        first, second, best = halves(x)
        assert best.dtype == ms.int64
        return total(mul(first, mul(second, second)))

    got = ms.grad(f)(tensor(1.0, 2.0, 3.0, 4.0))
    assert got.asnumpy().tolist() == [9.0, 16.0, 6.0, 16.0]


def test_same_tensor_in_two_positions_as_in_mindspore():
    """The tape knows objects: each position has the whole gradient. A compiled function has two variables."""
    x = tensor(3.0)
    f = lambda a, b: mul(a, mul(a, b))  # noqa: E731
    assert [g.asnumpy().tolist() for g in ms.grad(f, (0, 1))(x, x)] == [[27.0], [27.0]]
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        assert [g.asnumpy().tolist() for g in ms.grad(f, (0, 1))(x, x)] == [[18.0], [9.0]]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_unused_input_and_integer_input_have_zero_gradients():
    ints = Tensor(np.array([1, 2], np.int32))
    unused, integer = ms.grad(lambda a, b, c: mul(c, c), (0, 1))(tensor(1.0, 2.0), ints, tensor(3.0))
    assert unused.asnumpy().tolist() == [0.0, 0.0] and unused.dtype == ms.float32
    assert integer.asnumpy().tolist() == [0, 0]


def test_python_runs_on_every_call():
    seen = []

    def f(x):
        seen.append(float(x.asnumpy()[0]))
        return mul(x, x) if x.asnumpy()[0] > 0 else mul(x, 3.0)

    g = ms.grad(f)
    assert [g(tensor(v)).asnumpy().tolist() for v in (2.0, -2.0)] == [[4.0], [3.0]]
    assert seen == [2.0, -2.0]


def test_tensor_hook_replaces_and_can_be_removed():
    handles = []

    def f(x):
        y = mul(x, x)
        handles.append(y.register_hook(lambda g: mul(g, 10.0)))
        return mul(y, 2.0)

    assert ms.grad(f)(tensor(3.0)).asnumpy().tolist() == [120.0]

    def g(x):
        y = mul(x, x)
        y.register_hook(lambda g: mul(g, 10.0)).remove()
        return mul(y, 2.0)

    assert ms.grad(g)(tensor(3.0)).asnumpy().tolist() == [12.0]


def test_parameter_hook_acts_in_every_gradient(mode):
    w = Parameter(tensor(2.0), name="w")
    handle = w.register_hook(lambda g: mul(g, -1.0))
    assert ms.grad(lambda x: mul(x, w), None, w)(tensor(3.0)).asnumpy().tolist() == [-3.0]
    handle.remove()
    assert ms.grad(lambda x: mul(x, w), None, w)(tensor(3.0)).asnumpy().tolist() == [3.0]


def test_tensor_hook_in_a_compiled_function():
    def f(x):
        y = mul(x, x)
        y.register_hook(lambda g: mul(g, 10.0))
        mul(x, x).register_hook(lambda g: mul(g, 7.0)).remove()
        return mul(y, 2.0)

    assert ms.jit(lambda x: ms.grad(f)(x))(tensor(3.0)).asnumpy().tolist() == [120.0]
    assert ms.grad(ms.jit(f))(tensor(3.0)).asnumpy().tolist() == [120.0]


def test_hook_must_be_callable():
    with pytest.raises(TypeError, match="register_hook"):
        tensor(1.0).register_hook(3)


def test_custom_gradient_and_its_second_order():
    def square(x):
        return call_with_bprop(lambda x: mul(x, x), lambda x, out, dout: (mul(mul(x, 10.0), dout),), (x,), {}, "square")

    assert ms.grad(square)(tensor(3.0)).asnumpy().tolist() == [30.0]
    assert ms.grad(lambda x: ms.grad(square)(x))(tensor(3.0)).asnumpy().tolist() == [10.0]
    assert ms.jit(lambda x: ms.grad(square)(x))(tensor(3.0)).asnumpy().tolist() == [30.0]


def test_custom_gradient_of_wrong_count_or_shape_is_refused():
    too_few = (lambda x, y, out, dout: (dout,), "product")
    of_another_shape = (lambda x, y, out, dout: (tensor(1.0, 2.0, 3.0), dout), "shape")
    for bprop, what in (too_few, of_another_shape):
        f = lambda x, y, bprop=bprop: call_with_bprop(mul, bprop, (x, y), {}, "product")  # noqa: E731
        with pytest.raises(RuntimeError, match=what):
            ms.grad(f, (0, 1))(tensor(1.0, 2.0), tensor(1.0, 2.0))


def test_assignment_to_a_recorded_tensor_is_differentiated():
    def f(x):
        y = mul(x, 2.0)
        z = mul(y, y)
        write_barrier.assign(y, z._v, z._node)
        return mul(y, x)

    assert ms.grad(f)(tensor(3.0)).asnumpy().tolist() == [108.0]  # 4 x^3 -> 12 x^2


def test_gradient_through_a_compiled_function_and_its_second_order():
    w = Parameter(tensor(2.0), name="w")
    compiled = ms.jit(lambda x: mul(mul(x, x), mul(x, w)))
    dx, dw = ms.grad(compiled, 0, w)(tensor(3.0))
    assert (dx.asnumpy().tolist(), dw.asnumpy().tolist()) == ([54.0], [27.0])
    assert ms.grad(ms.grad(compiled))(tensor(3.0)).asnumpy().tolist() == [36.0]
    assert ms.grad(lambda x: mul(compiled(x), compiled(mul(x, 2.0))))(tensor(1.0)).asnumpy().tolist() == [192.0]


def test_nothing_is_recorded_outside_and_nothing_stays_recorded():
    x = tensor(1.0)
    kept = []
    ms.value_and_grad(lambda x: (mul(x, x), kept.append(mul(x, 3.0)))[0])(x)
    assert x._node is None
    assert tape.live_node(kept[0]) is None
    assert mul(kept[0], 2.0)._node is None


def test_auxiliary_outputs_do_not_hold_the_graph():
    (_, aux), _ = ms.value_and_grad(lambda x: (mul(x, x), mul(x, 3.0)), has_aux=True)(tensor(1.0))
    assert aux._node is None


def test_backward_frees_residuals_as_it_goes():
    """A chain of n operations on b bytes: n b alive after the forward, a few b at the end of the backward."""
    count, size = 24, 1 << 16
    alive = []

    def live_bytes():
        gc.collect()
        return sum(a.nbytes for a in jax.live_arrays())

    def f(x):
        first = mul(x, 1.0)
        first.register_hook(lambda g: alive.append(live_bytes()))
        y = first
        for _ in range(count):
            y = tanh(y)
        last = mul(y, 1.0)
        last.register_hook(lambda g: alive.append(live_bytes()))
        return total(last)

    ms.grad(f)(Tensor(np.ones(size, np.float32)))
    before = live_bytes()
    alive.clear()
    ms.grad(f)(Tensor(np.ones(size, np.float32)))
    at_start, at_end = (n - before for n in alive)
    assert at_start > count * size * 4
    assert at_end < 8 * size * 4


def test_exception_in_the_forward_leaves_no_session_and_no_nodes():
    w = Parameter(tensor(1.0), name="w")

    def f(x):
        mul(x, w)
        raise KeyError("stop")

    with pytest.raises(KeyError, match="stop"):
        ms.grad(f, 0, w)(tensor(1.0))
    assert not tape.recording()
    assert w._node is None
    assert ms.grad(lambda x: mul(x, w), None, w)(tensor(4.0)).asnumpy().tolist() == [4.0]


def test_exception_in_a_hook_leaves_the_tape_usable():
    x = tensor(2.0)

    def f(x):
        y = mul(x, x)
        y.register_hook(lambda g: 1 / 0)
        return y

    with pytest.raises(ZeroDivisionError):
        ms.grad(f)(x)
    assert ms.grad(lambda x: mul(x, x))(x).asnumpy().tolist() == [4.0]


def test_pullback_is_compiled_once_per_operation():
    entry = tanh._plain
    g = ms.grad(lambda x: total(tanh(tanh(tanh(x)))))
    g(tensor(0.1, 0.2))
    compiled = entry.pullback((0,)).jit._cache_size()
    for _ in range(5):
        g(tensor(0.3, 0.4))
    assert entry.pullback((0,)).jit._cache_size() <= compiled  # a signature that gets its program empties the cache


def test_a_number_first_seen_under_a_users_jit_is_not_kept_as_a_tracer():
    x = tensor(1.0)
    jax.jit(lambda a: a + mul(x, 12345.5)._v)(jnp.ones(1))
    assert mul(x, 12345.5).asnumpy().tolist() == [12345.5]
