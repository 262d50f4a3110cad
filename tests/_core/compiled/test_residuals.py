"""Operations of a backward pass that repeats keep what their pullbacks would compute a second time."""

import gc
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from ms_compat._core import tape
from ms_compat._core.compiled import background, residuals
from ms_compat._core.compiled.interpreter import tier
from ms_compat._core.dispatch.op import op as operation
from ms_compat._core.tape import programs
from tests._core.compiled.test_background import finish, no_time_is_left, trace_at_once

pytestmark = pytest.mark.skipif(not tier.settings.asked, reason="nothing is compiled in the background")
RNG = np.random.RandomState(0)
X = Tensor(RNG.randn(4, 6).astype(np.float32))
W = Tensor((RNG.randn(6, 6) / 3).astype(np.float32))
STEPS = 4
CALLS = programs._BEFORE_COMPILING + 3  # it is planned, forward passes keep residuals, a program reads them


@operation
def iterated(x, w):
    return lax.scan(lambda h, _: (jnp.tanh(h @ w), None), x, None, STEPS)[0]


@operation
def both_ends(x, w):
    last, states = lax.scan(lambda h, _: (jnp.tanh(h @ w),) * 2, x, None, STEPS)
    return last, states[0]


class Submitted(list):
    """The programs that were compiled in the background: (name, jaxpr)."""

    def named(self, name):
        return [jaxpr for given, jaxpr in self if given == name]


@pytest.fixture(autouse=True)
def compile_in_background(monkeypatch):
    monkeypatch.setattr(background.settings, "asked", True)
    trace_at_once(monkeypatch)
    yield
    finish()


@pytest.fixture
def submitted(monkeypatch):
    """What is compiled in the background; nothing is planned before."""
    monkeypatch.setattr(programs, "_segments", {})
    monkeypatch.setattr(programs, "_parts", {})
    for made in (iterated, both_ends):
        monkeypatch.setattr(made._plain, "plans", None)
    found, submit = Submitted(), background.submit

    def noted(traced, name):
        found.append((name, traced.jaxpr))
        return submit(traced, name)

    monkeypatch.setattr(background, "submit", noted)
    return found


def arrays(value):
    if isinstance(value, (tuple, list)):
        return [a for item in value for a in arrays(item)]
    return [value.asnumpy()]


def repeated(function, *args, calls=CALLS):
    """The results of the first call, which is walked, and of the last one."""
    first = arrays(function(*args))
    for _ in range(calls - 1):
        last = function(*args)
        finish()
    return first, arrays(last)


def check_equal(first, last):
    for walked, ran in zip(first, last, strict=True):
        assert walked.dtype == ran.dtype
        np.testing.assert_allclose(ran, walked, rtol=2e-5, atol=2e-6 * max(1.0, np.abs(walked).max(initial=0)))


def counted(jaxpr, names):
    """How many equations of these names are in a jaxpr and in those within it."""
    inner = sum(counted(found, names) for eqn in jaxpr.eqns for found in residuals._inner(eqn))
    return inner + sum(eqn.primitive.name in names for eqn in jaxpr.eqns)


# -- what is kept ------------------------------------------------------------------------------------------------------
LOOPS, RANDOM = {"scan", "while"}, {"random_bits", "threefry2x32"}
lstm = nn.LSTM(6, 5)
SEQUENCE = Tensor(RNG.randn(7, 2, 6).astype(np.float32))

# each with what it would compute again, how often the first program has it, and how often the second one
CASES = {
    "loop": (lambda: iterated(X, W).sum(), LOOPS, 2, 1),
    "lstm": (lambda: (lstm(SEQUENCE)[0] ** 2).sum(), LOOPS, 2, 1),
    "sort": (lambda: (ops.sort(X, 1)[0] * W[:4]).sum(), {"sort"}, 1, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_programs_compute_no_forward_pass_again(name, submitted):
    function, what, before, after = CASES[name]
    check_equal(*repeated(ms.grad(lambda *_: function(), (0, 1, 2)), X, W, SEQUENCE))
    first, second = submitted.named("backward pass")
    assert counted(first.jaxpr, what) == before
    assert counted(second.jaxpr, what) == after


def test_random_masks_are_those_of_the_forward_pass(submitted):
    drop = nn.Dropout(p=0.5).set_train()

    def function(x):
        kept = drop(x * 2)
        return (kept * x).sum(), kept

    grad = ms.value_and_grad(function, 0, has_aux=True)
    for _ in range(CALLS):
        (_, kept), by_x = grad(X)
        finish()
        np.testing.assert_allclose(by_x.asnumpy(), 2 * kept.asnumpy(), rtol=1e-5)
    first, second = submitted.named("backward pass")
    assert counted(first.jaxpr, RANDOM) > 0
    assert counted(second.jaxpr, RANDOM) == 0


def test_operations_are_planned_one_after_the_other_while_there_is_time(submitted, monkeypatch):
    grad = ms.grad(lambda x: (iterated(x, W) * both_ends(x, W)[1]).sum())
    for _ in range(programs._BEFORE_COMPILING):
        grad(X)
    finish()
    planned, planning = [], residuals.plan
    monkeypatch.setattr(residuals, "plan", lambda entry, *args: planned.append(entry.name) or planning(entry, *args))
    no_time_is_left(monkeypatch)
    grad(X)
    assert planned == []
    for _ in range(2):  # each leaves no time for the next one
        background.allowance.left = 1
        grad(X)
    assert len(planned) == 2
    trace_at_once(monkeypatch)
    grad(X)
    assert sorted(planned) == ["both_ends", "iterated", "mul", "sum"]


def test_the_cheapest_cut():
    """Of equal ones that nearest to the sink; none has an edge of infinite capacity."""
    edges = {(0, 2): 3.0, (0, 3): 2.0, (2, 3): 5.0, (2, 4): 2.0, (3, 4): math.inf, (4, 1): 4.0, (3, 1): 1.0}
    assert residuals._minimum_cut(edges, 0, 1) == [(4, 1), (3, 1)]  # 5, as the edges that leave the source
    assert residuals._minimum_cut({**edges, (4, 1): 9.0}, 0, 1) == [(0, 2), (0, 3)]
    assert residuals._minimum_cut({**edges, (0, 4): 1.0}, 0, 1) == [(4, 1), (3, 1)]
    assert residuals._minimum_cut({**edges, (0, 4): math.inf, (4, 1): math.inf}, 0, 1) == []
    assert residuals._minimum_cut({(0, 2): 1.0, (3, 1): 1.0}, 0, 1) == []


# -- who reads it ------------------------------------------------------------------------------------------------------
def loss(x, w):
    return (iterated(x, w) ** 2).sum()


@pytest.fixture(scope="module")
def planned():
    """The gradients of `loss` by the walk; afterwards `iterated` keeps residuals, and programs read them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(background.settings, "asked", True)
        trace_at_once(patch)
        first, last = repeated(ms.grad(loss, (0, 1)), X, W)
    check_equal(first, last)
    return first


@pytest.fixture
def watched(monkeypatch):
    """What nodes kept, in the order of the forward passes; None where a plan was left alone."""
    found, run = [], tape._run_planned

    def noted(*args):
        outputs, kept = run(*args)
        found.append(kept)
        return outputs, kept

    monkeypatch.setattr(tape, "_run_planned", noted)
    return found


def test_weights_that_change_in_between_are_those_of_the_forward_pass(planned, watched):
    w = Parameter(W.copy(), name="w")
    _, pull = ms.vjp(loss, X, w)
    ops.assign(w, w * 0)
    check_equal(planned, arrays(pull(Tensor(1.0))))
    assert watched[0] is not None


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(W.copy(), name="w")

    def construct(self, x):
        return loss(x, self.w)


def test_a_recorded_call_reads_weights_that_were_written_into_afterwards(submitted, watched):
    net = Net().set_train()
    net.set_grad()
    grad = ops.GradOperation(get_all=True, get_by_list=True)(net, net.trainable_params())
    check_equal(*repeated(lambda x: (net(x), grad(x))[1], X))
    assert len(submitted.named("backward pass")) == 2
    net(X)
    net.w.set_data(W * 0.5)
    assert watched[-1] is not None
    written = arrays(grad(X))
    _, pull = jax.vjp(iterated.fn, X._v, W._v * 0.5)  # results of operations stay those of the forward pass
    check_equal(list(map(np.asarray, pull(2 * iterated(X, W)._v))), written)


def test_a_record_of_which_only_a_part_is_needed(submitted):
    net = Net().set_train()
    net.set_grad()
    grad = ops.GradOperation(get_by_list=True)(net, net.trainable_params())  # and not for the input
    check_equal(*repeated(lambda x: (net(x), grad(x))[1], X))
    assert len(submitted.named("backward pass")) == 1


def test_pullbacks_that_are_called_again(planned, watched):
    _, pull = ms.vjp(loss, X, W)
    for factor in (1.0, 1.0, 2.0):
        check_equal([factor * g for g in planned], arrays(pull(Tensor(factor))))
    assert watched[0] is not None


def test_higher_orders(planned):
    def inner(x, w):
        return (ms.grad(loss)(x, w) * x).sum()

    pulled = jax.grad(lambda x, w: (jax.grad(lambda x: (iterated.fn(x, w) ** 2).sum())(x) * x).sum(), (0, 1))
    check_equal(list(map(np.asarray, pulled(X._v, W._v))), arrays(ms.grad(inner, (0, 1))(X, W)))


def test_pullbacks_keep_residuals_for_their_own_pullbacks(submitted):
    def inner(x, w):
        return (ms.grad(loss)(x, w) * x).sum()

    check_equal(*repeated(ms.grad(inner, (0, 1)), X, W))
    first, *_, last = submitted.named("backward pass")
    assert counted(last.jaxpr, LOOPS) < counted(first.jaxpr, LOOPS)


def test_hooks_run_where_a_segment_with_residuals_was(planned, watched):
    seen = []

    def hooked(x, w):
        y = iterated(x, w)
        y.register_hook(lambda grad: (seen.append(grad), grad * 3)[1])
        return (y**2).sum()

    for times in range(1, CALLS):
        check_equal([3 * g for g in planned], arrays(ms.grad(hooked, (0, 1))(X, W)))
        finish()
        assert len(seen) == times
    assert watched[0] is not None


def test_saved_tensor_hooks_get_inputs_and_nothing_else(planned, watched):
    packed = []

    def pack(tensor):
        packed.append(tensor.shape)
        return tensor

    with ms.saved_tensors_hooks(pack, lambda tensor: tensor):
        _, pull = ms.vjp(loss, X, W)
    check_equal(planned, arrays(pull(Tensor(1.0))))
    assert watched == [None]
    assert set(packed) == {X.shape, W.shape}


def test_equal_operations_share_a_plan(submitted):
    def three(x, w):
        return (iterated(iterated(iterated(x, w), w), w) ** 2).sum()

    check_equal(*repeated(ms.grad(three, (0, 1)), X, W))
    assert len(submitted.named("iterated with residuals")) == 1
    assert counted(submitted.named("backward pass")[1].jaxpr, LOOPS) == 3


def test_outputs_of_which_others_have_cotangents(submitted):
    def of_first(x, w):
        return both_ends(x, w)[0].sum()

    def of_second(x, w):
        return both_ends(x, w)[1].sum()

    for function in (of_first, of_second, of_first):
        check_equal(*repeated(ms.grad(function, (0, 1)), X, W))


@pytest.mark.parametrize("reason", ["deterministic", "precision", "paused", "other shapes", "other dtypes"])
def test_where_a_plan_is_left_alone(reason, planned, watched, request):
    x, w = X, W
    if reason == "deterministic":
        request.addfinalizer(lambda: ms.set_deterministic(False))
        ms.set_deterministic(True)
    elif reason == "paused":
        request.getfixturevalue("monkeypatch").setattr(background.settings, "asked", False)
    elif reason == "other shapes":
        x = X[:3]
    elif reason == "other dtypes":
        x, w = (t.astype(ms.float64) for t in (X, W))
    with jax.default_matmul_precision("bfloat16" if reason == "precision" else None):
        got = arrays(ms.grad(loss, (0, 1))(x, w))
    assert watched == [None]
    if reason != "other shapes":
        np.testing.assert_allclose(got[1], planned[1], rtol=1e-4, atol=1e-4)
    ms.grad(loss, (0, 1))(X, W)
    assert (watched[-1] is None) == (reason in ("deterministic", "paused"))


def test_an_operation_that_cannot_be_planned_computes_again(submitted, monkeypatch, caplog):
    def plan(entry, *_):
        raise NotImplementedError(entry.name)

    monkeypatch.setattr(residuals, "plan", plan)
    monkeypatch.setattr(background, "_reported", set())
    check_equal(*repeated(ms.grad(loss, (0, 1)), X, W))
    assert len(submitted.named("backward pass")) == 1
    assert "'iterated' keeps no residuals: NotImplementedError: iterated" in caplog.messages


# -- memory ------------------------------------------------------------------------------------------------------------
def bytes_alive():
    return sum(array.nbytes for array in jax.live_arrays())


def test_residuals_are_bounded_and_freed_with_their_record(planned, watched):
    gc.collect()
    before = bytes_alive()
    _, pull = ms.vjp(loss, X, W)
    plan, values = watched.pop()
    assert plan.bytes == sum(a.nbytes for a in values)
    assert plan.bytes in (3 * STEPS * X._v.nbytes, 2 * STEPS * X._v.nbytes)  # of JAX 0.10, and of 0.12
    assert plan.bytes <= residuals._MOST_OF_LOOPS * (2 * X._v.nbytes + W._v.nbytes)
    del values
    assert bytes_alive() >= before + plan.bytes
    del pull, _
    gc.collect()
    assert bytes_alive() == before


def test_a_backward_pass_frees_residuals_at_once(planned, watched):
    gc.collect()
    before = bytes_alive()
    gc.disable()
    try:
        gradients = ms.grad(loss, (0, 1))(X, W)
        assert watched.pop() is not None
        assert bytes_alive() == before + sum(g._v.nbytes for g in gradients)
    finally:
        gc.enable()


def test_an_operation_with_larger_residuals_keeps_none(submitted):
    @operation
    def longer(x, w):
        return lax.scan(lambda h, _: (jnp.tanh(h @ w), None), x, None, 40)[0]  # 7680 bytes or more for 336

    check_equal(*repeated(ms.grad(lambda x, w: longer(x, w).sum(), (0, 1)), X, W))
    assert longer._plain.plans is None
    assert len(submitted.named("backward pass")) == 1


def test_residuals_that_nobody_reads_are_computed_no_more(planned, watched, monkeypatch):
    monkeypatch.setattr(residuals, "UNUSED", 3)
    ms.grad(loss, (0, 1))(X, W)
    for _ in range(4):
        ms.vjp(loss, X, W)
    assert [kept is not None for kept in watched] == [True] * 4 + [False]
    ms.grad(loss, (0, 1))(X, W)  # which would read some
    ms.grad(loss, (0, 1))(X, W)
    assert [kept is not None for kept in watched[-2:]] == [False, True]


def test_plans_wait_until_there_is_time_for_them(submitted, monkeypatch):
    grad = ms.grad(loss, (0, 1))
    repeated(grad, X, W, calls=programs._BEFORE_COMPILING)
    no_time_is_left(monkeypatch)
    repeated(grad, X, W, calls=3)
    assert iterated._plain.plans is None
    assert len(submitted.named("backward pass")) == 1
    trace_at_once(monkeypatch)
    grad(X, W)
    assert len(iterated._plain.plans) == 1


def test_plans_of_an_operation_are_few(submitted, monkeypatch):
    monkeypatch.setattr(residuals, "_PLANS", 2)
    grad = ms.grad(loss, (0, 1))
    for rows in range(1, 4):
        repeated(grad, X[:rows], W, calls=programs._BEFORE_COMPILING + 1)
        assert len(iterated._plain.plans) <= 2


# -- what is chosen ----------------------------------------------------------------------------------------------------
def chosen_for(function, *inputs, cotangents=1):
    """The shapes of what is kept of a program whose first inputs are cotangents, and that returns gradients alone."""
    program = residuals._Program(jax.make_jaxpr(function)(*inputs))
    places = program.cheapest(program.inputs[:cotangents], program.outputs)
    return [program.avals[place].str_short() for place in places]


def test_the_fewest_bytes_are_kept():
    x = np.ones((8, 8), np.float32)

    def row(x):
        return jnp.sort(x).sum(0)

    assert chosen_for(lambda ct, x: ct * row(x), x[0], x) == ["float32[8]"]
    assert chosen_for(lambda ct, x: ct * jnp.tile(row(x), (8, 1)), x, x) == ["float32[1,8]"]
    assert chosen_for(lambda ct, x: ct * (jnp.sort(x) > 0), x, x) == ["bool[8,8]"]
    assert chosen_for(lambda ct, x: ct * jnp.exp(jnp.sin(jnp.sort(x))), x, x) == ["float32[8,8]"]
    assert chosen_for(lambda ct, x: ct * jnp.sort(jnp.sort(x).sum(0)), x[0], x) == ["float32[8]"]
    assert chosen_for(lambda ct, x: (ct * row(x), row(x) + 1), x[0], x) == ["float32[8]"] * 2


@pytest.mark.parametrize("costly", [
    lambda x: lax.fori_loop(0, 3, lambda _, h: jnp.sin(h), x),
    lambda x: lax.while_loop(lambda h: h[0, 0] < 3, lambda h: h + 1, x),
    lambda x: lax.cond(x[0, 0] > 0, jnp.sin, jnp.sort, x),
    lambda x: jax.random.uniform(jax.random.key(0), x.shape),
    lambda x: lax.top_k(x, 8)[0],
    lambda x: jnp.linalg.cholesky(x, symmetrize_input=False),
    lambda x: jnp.linalg.qr(x)[0],
    lambda x: jnp.fft.fft(x).real,
])  # fmt: skip
def test_loops_and_algorithms_are_costly(costly):
    x = np.eye(8, dtype=np.float32)
    (kept,) = chosen_for(lambda ct, x: ct * costly(x), x, x)
    assert kept.endswith("[8,8]")


def test_nothing_is_kept_of_what_costs_little_or_depends_on_cotangents():
    x = np.ones((8, 8), np.float32)
    assert chosen_for(lambda ct, x: ct * jnp.exp(x) + x @ x, x, x) == []
    assert chosen_for(lambda ct, x: ct * jnp.sort(ct + x), x, x) == []
    assert chosen_for(lambda ct, x: ct * x, x, np.sort(x)) == []


def test_large_products_are_kept():
    x, w = np.ones((64, 256), np.float32), np.ones((256, 256), np.float32)
    assert chosen_for(lambda ct, x, w: ct * jnp.tanh(x @ w), x, x, w) == ["float32[64,256]"]
    assert chosen_for(lambda ct, x, w: ct * jnp.tanh(x @ w), x[:1], x[:1], w) == []
    image, kernel = np.ones((1, 32, 16, 16), np.float32), np.ones((32, 32, 3, 3), np.float32)
    conv = lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME")  # noqa: E731
    assert chosen_for(lambda ct, x, w: ct * jnp.tanh(conv(x, w)), image, image, kernel) == ["float32[1,32,16,16]"]
