"""The first calls of compiled functions are interpreted with NumPy, and give what the compiled program gives."""

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, mutable, nn, ops
from ms_compat._compile import specialised
from ms_compat._core.compiled.interpreter import numpy_program, tier
from ms_compat._core.convolution import lowering, three_axes, winograd
from ms_compat._core.onednn import calls
from tests.compilations import Compiled

pytestmark = pytest.mark.skipif(not tier.settings.asked, reason="nothing is interpreted")
COMPILED = "jit(_changed_first)"


class Net(nn.Cell):
    """Two layers, dropout, a counter."""

    def __init__(self):
        super().__init__()
        self.first = nn.Dense(6, 16, has_bias=False)  # the gradient of one before BatchNorm is rounding alone
        self.norm = nn.BatchNorm1d(16)
        self.drop = nn.Dropout(p=0.4)
        self.last = nn.Dense(16, 3)
        self.calls = Parameter(Tensor(0, ms.int32), name="calls", requires_grad=False)

    def construct(self, x):
        self.calls += 1
        return self.last(self.drop(ops.gelu(self.norm(self.first(x)))))


def batch(rows=4):
    return Tensor(np.random.default_rng(rows).standard_normal((rows, 6), np.float32))


def trained(steps):
    """Losses and Parameters after some steps of a compiled training step."""
    ms.set_seed(3)
    ms.manual_seed(3)
    net = Net().set_train()
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    grad = ms.value_and_grad(lambda x: (net(x) ** 2).mean(), None, optimizer.parameters)

    @ms.jit
    def step(x):
        loss, grads = grad(x)
        optimizer(grads)
        return loss

    with Compiled() as names:
        losses = [step(batch()) for _ in range(min(steps, tier.INTERPRETED_CALLS))]
    assert (COMPILED in names) != tier.is_on()  # dropout and all
    losses += [step(batch()) for _ in range(steps - len(losses))]
    return {
        "losses": np.array([loss.asnumpy() for loss in losses]),
        **{p.name: p.asnumpy() for p in net.get_parameters()},
    }


def test_the_call_after_the_walked_ones_compiles():
    compiled = ms.jit(lambda x: ops.softmax(x * 2 + 1))
    x = batch()
    with Compiled() as names:
        interpreted = [compiled(x).asnumpy() for _ in range(tier.INTERPRETED_CALLS)]
        assert names == []
        last = compiled(x)
        assert names == [COMPILED]
        compiled(x)
        assert names == [COMPILED]
    assert compiled.traces == 1
    assert len({values.tobytes() for values in interpreted}) == 1
    np.testing.assert_allclose(interpreted[0], last.asnumpy(), rtol=1e-6)
    assert interpreted[0].dtype == last.asnumpy().dtype


def test_a_training_step_changes_what_the_compiled_one_changes():
    interpreted = trained(
        tier.INTERPRETED_CALLS + 2
    )  # over the change from one to the other, which donates what NumPy has made
    with tier.compiled_only():
        compiled = trained(tier.INTERPRETED_CALLS + 2)
    for name, theirs in compiled.items():
        assert interpreted[name].dtype == theirs.dtype
        np.testing.assert_allclose(interpreted[name], theirs, rtol=2e-5, atol=2e-6, err_msg=name)
    assert interpreted["calls"] == tier.INTERPRETED_CALLS + 2


def test_each_call_draws_its_own_numbers(mode):
    drop = nn.Dropout(p=0.5).set_train()
    draw = ms.jit(lambda x: drop(x))
    ones = Tensor(np.ones(64, np.float32))

    def drawn():
        ms.set_seed(5)
        ms.manual_seed(5)
        return [draw(ones).asnumpy().tobytes() for _ in range(3)]

    with Compiled() as names:
        first = drawn()
    assert names == []
    assert len(set(first)) == 3
    with tier.compiled_only():
        assert drawn() == first


def test_what_a_network_computes_in_graph_mode_is_walked(graph):
    net = Net().set_train(False)
    with Compiled() as names:
        seen = net(batch())
    assert names == []
    with tier.compiled_only(), Compiled() as names:
        again = net(batch())
    assert names == [COMPILED]
    np.testing.assert_allclose(seen.asnumpy(), again.asnumpy(), rtol=1e-5)
    assert net.calls.asnumpy() == 2


def test_a_compiled_part_of_a_recorded_program_is_walked():
    weight = Parameter(Tensor(np.linspace(-1, 1, 6, dtype=np.float32)), name="w")
    part = ms.jit(lambda x: ops.tanh(x * weight).sum())
    grad = ms.value_and_grad(lambda x: part(x) * 3, 0, [weight])
    x = batch()

    def numbers():
        value, (by_input, (by_weight,)) = grad(x)
        return [t.asnumpy() for t in (value, by_input, by_weight)]

    numbers()  # also what is around it
    with Compiled() as names:
        interpreted = numbers()
        assert names == []
        with tier.compiled_only():
            compiled = numbers()
        assert "jit(forward)" in names and "jit(run)" in names
        del names[:]
        numbers()
        assert not {"jit(forward)", "jit(run)"} & set(names)  # the programs are there now
    for ours, theirs in zip(interpreted, compiled, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5)
        assert ours.dtype == theirs.dtype


def test_new_shapes_are_walked_too():
    compiled = ms.jit(lambda x: (x @ x.T).sum())
    with Compiled() as names:
        for rows in range(1, 5):
            x = batch(rows)
            np.testing.assert_allclose(compiled(x).asnumpy(), (x.asnumpy() @ x.asnumpy().T).sum(), rtol=1e-5)
    assert names == []
    assert compiled.traces == 4


class Hidden:
    """Parameters that no search finds: they are asked for by name."""

    __slots__ = ("of",)


HIDDEN = Hidden()


def traces_of_hidden_state():
    HIDDEN.of = {name: Parameter(Tensor(np.ones(6, np.float32)), name=name) for name in "ab"}
    compiled = ms.jit(lambda x: (x * getattr(HIDDEN, "of")["a" if x.shape[0] < 3 else "b"]).sum())  # noqa: B009
    for rows in (2, 4, 2, 4):
        x = batch(rows)
        np.testing.assert_allclose(compiled(x).asnumpy(), x.asnumpy().sum(), rtol=1e-5)
    return compiled.traces


def test_shapes_that_reach_other_parameters_are_traced_as_often_as_for_the_compiler():
    interpreted = traces_of_hidden_state()
    with tier.compiled_only():
        assert traces_of_hidden_state() == interpreted


def test_numbers_and_attributes(graph):
    class Counts(nn.Cell):
        def __init__(self):
            super().__init__()
            self.seen = 0

        def construct(self, x, n):
            self.seen = 5
            return x * n, n + 1

    net = Counts()
    with Compiled() as names:
        scaled, following = net(batch(), mutable(3))
    assert names == []
    np.testing.assert_array_equal(scaled.asnumpy(), batch().asnumpy() * 3)
    assert (following, net.seen) == (4, 5)
    assert net(batch(), mutable(4))[1] == 5


@pytest.mark.parametrize("reason", ["size", "prints", "deterministic", "asked", "switch", "loop"])
def test_what_is_compiled_from_its_first_call_on(reason, request):
    x = Tensor(np.ones((1024, 1024) if reason == "size" else (2, 2), np.float32))

    def fn(x):
        if reason == "prints":
            print(x)
        if reason == "loop":
            while x.sum() < 100:
                x = x * 2
        return x @ x

    compiled = ms.jit(fn)
    if reason == "deterministic":
        request.addfinalizer(lambda: ms.set_deterministic(False))
        ms.set_deterministic(True)
    if reason == "asked":
        request.getfixturevalue("graph")
        cell = nn.Dense(2, 2)
        with Compiled() as names:
            cell.compile(x)
            assert names[-1] == COMPILED
            del names[:]
            cell(x)
        assert names == []
        return
    with tier.compiled_only(reason == "switch"), Compiled() as names:
        compiled(x)
    assert COMPILED in names


def test_held_state_is_neither_copied_nor_changed(monkeypatch):
    w = Parameter(Tensor(np.ones(8, np.float32)), name="w")

    @ms.jit
    def step(x):
        ops.assign(w, w + x)
        return x

    kept = []
    with Compiled() as names, monkeypatch.context() as patch:
        patch.setattr(specialised, "_copy", None)
        for _ in range(tier.INTERPRETED_CALLS):
            kept.append(w.value())
            step(Tensor(1.0))
    assert names == []
    np.testing.assert_array_equal([t.asnumpy()[0] for t in kept], np.arange(1, tier.INTERPRETED_CALLS + 1))
    step(Tensor(1.0))  # donates what is not held
    np.testing.assert_array_equal(w.asnumpy(), np.full(8, tier.INTERPRETED_CALLS + 2, np.float32))
    np.testing.assert_array_equal([t.asnumpy()[0] for t in kept], np.arange(1, tier.INTERPRETED_CALLS + 1))


def test_what_is_given_twice_lies_in_memory_of_its_own():
    v, w = (Parameter(Tensor(np.ones(1 << 12, np.float32)), name=name) for name in "vw")

    @ms.jit
    def step(x):
        y = w + x
        ops.assign(v, y)
        ops.assign(w, y)
        return y, y

    kept = [step(Tensor(1.0)) for _ in range(tier.INTERPRETED_CALLS + 3)]  # the last ones donate what NumPy has made
    values = [[t.asnumpy()[7] for t in pair] for pair in kept]
    np.testing.assert_array_equal(values, [[n + 2.0] * 2 for n in range(tier.INTERPRETED_CALLS + 3)])
    assert v.asnumpy()[7] == w.asnumpy()[7] == tier.INTERPRETED_CALLS + 4


def test_the_work_of_nested_programs_is_counted():
    def program(x):
        y, _ = jax.lax.scan(lambda c, _: (jax.numpy.sin(c) * 2, None), x, None, length=50)
        return jax.jit(lambda v: v + 1)(jax.lax.cond(y.sum() > 0, lambda v: v * 3, lambda v: v - 1, y))

    closed = jax.make_jaxpr(program)(np.ones(3, np.float32))
    # sin, mul | sum, compare, convert | mul | sub | add
    assert numpy_program.operations(closed.jaxpr) == 8


def convolved(x, *kernels):
    for w in kernels:
        x = jax.lax.conv_general_dilated(x, w, (1,) * (x.ndim - 2), "SAME")
    return x


@pytest.mark.parametrize(
    ("x", "w", "count"),
    [
        ((2, 3, 9, 9), (3, 3, 5, 5), lowering._OPERATIONS),
        ((16, 64, 32, 32), (64, 64, 3, 3), 16 * winograd._OPERATIONS),
        ((16, 64, 32, 5), (64, 64, 3, 1), 4 * winograd._OPERATIONS),
        ((2, 32, 16, 16, 16), (32, 32, 5, 3, 3), 5 * three_axes._OPERATIONS),
    ],
)
def test_convolutions_count_as_many_operations(monkeypatch, x, w, count):
    """Equal ones share kernels, so the second counts as a quarter; the sizes may be symbols."""
    monkeypatch.setenv(calls.SWITCH, "0")
    monkeypatch.setattr(winograd._Winograd, "is_worth", lambda *_: True)
    x, w = jax.ShapeDtypeStruct(x, np.float32), jax.ShapeDtypeStruct(w, np.float32)
    assert numpy_program.operations(jax.make_jaxpr(convolved)(x, w).jaxpr) == count
    assert numpy_program.operations(jax.make_jaxpr(convolved)(x, w, w).jaxpr) == round(count * 1.25)
    (images,) = jax.export.symbolic_shape("n")
    of_any = jax.make_jaxpr(convolved)(jax.ShapeDtypeStruct((images, *x.shape[1:]), np.float32), w)
    assert numpy_program.operations(of_any.jaxpr, lambda n: x.shape[0] if n is images else n) == count


def test_a_gradient_by_weights_counts_as_more_operations(monkeypatch):
    monkeypatch.setenv(calls.SWITCH, "0")
    x, w = np.ones((16, 64, 16, 16), np.float32), np.ones((64, 64, 3, 3), np.float32)
    forward, backward = winograd._OPERATIONS * 16, winograd._OPERATIONS_BY_WEIGHTS * 16
    pulled = jax.make_jaxpr(lambda x, w: jax.vjp(convolved, x, w)[1](x))(x, w)
    others = sum(eqn.primitive.name != "conv_general_dilated" for eqn in pulled.jaxpr.eqns)
    assert numpy_program.operations(pulled.jaxpr) == 2 * forward + backward + others


def test_nothing_is_kept_of_walks_that_are_over():
    compiled = ms.jit(lambda x: x * 2)
    for _ in range(tier.INTERPRETED_CALLS + 1):
        compiled(batch())
    (specialised,) = compiled._compiled._specialised.values()
    (signature,) = specialised.first_calls.signatures.values()
    assert signature.program is None
