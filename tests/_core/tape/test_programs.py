"""Backward passes that repeat run as compiled programs and give what the walk gives. The user's Python still runs."""

import contextlib

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from ms_compat._core.compiled import background
from ms_compat._core.compiled.interpreter import tier
from ms_compat._core.dispatch.op import op as operation
from ms_compat._core.tape import backward, programs
from tests._core.compiled.test_background import finish, trace_at_once
from tests.compilations import Compiled

pytestmark = pytest.mark.skipif(not tier.settings.asked, reason="nothing is compiled in the background")
RNG = np.random.RandomState(0)
A, B = (Tensor(RNG.randn(4, 6).astype(np.float32)) for _ in range(2))
W = RNG.randn(6, 6).astype(np.float32)
WALKS, RUNS = programs._BEFORE_COMPILING, 2
CALLS = WALKS + RUNS


@pytest.fixture(autouse=True)
def segments(monkeypatch):
    """Compile in the background; gives the number of segments that ran as programs, and of those that were walked."""
    monkeypatch.setattr(background.settings, "asked", True)
    trace_at_once(monkeypatch)
    counts = {True: 0, False: 0}
    run = programs.run

    def counted(*args):
        ran = run(*args)
        counts[bool(ran)] += 1
        return ran

    monkeypatch.setattr(programs, "run", counted)
    programs.forget()
    yield counts
    finish()


def arrays(value):
    if isinstance(value, (tuple, list)):
        return [a for item in value for a in arrays(item)]
    return [value.asnumpy()]


def repeated(function, *args):
    """The results of the first call, which is walked, and of the last one, which is not if anything can be compiled."""
    first = arrays(function(*args))
    for _ in range(CALLS - 2):
        function(*args)
        finish()
    return first, arrays(function(*args))


def check_equal(first, last):
    assert len(first) == len(last)
    for walked, ran in zip(first, last, strict=True):
        assert walked.dtype == ran.dtype
        assert walked.shape == ran.shape
        # gradients are sums: where large terms cancel out, their last bits remain
        np.testing.assert_allclose(ran, walked, rtol=2e-5, atol=2e-6 * max(1.0, np.abs(walked).max(initial=0)))


def split_and_joined(a, b):
    first, _, third = ops.split(a * b, 2, 1)  # an output without a cotangent
    return ops.concat([first, ops.sin(third)]).sum()


FUNCTIONS = {
    "products": lambda a, b: (ops.matmul(a, b.T) ** 2).mean(),
    "several outputs": split_and_joined,
    "one tensor twice": lambda a, b: (a * a + ops.relu(a) * b * a).sum(),
    "two heads": lambda a, b: (ops.tanh(a * b), ops.sqrt(ops.exp(a) + 1)),
    "a head inside": lambda a, b: (c := a * b, ops.tanh(c)),
    "nothing of b": lambda a, b: (ops.softmax(a) * 2).sum(),
    "integers": lambda a, b: ops.gather(a * b, Tensor([1, 0, 1]), 0).sum() * b.argmax(),
    "a number": lambda a, b: (a * 3.5 + b ** 2).sum(),
    "other dtypes": lambda a, b: (a.astype(ms.float16) * b.astype(ms.float64)).sum(),
    "views": lambda a, b: ((a * b)[1:, ::2] + (a + b)[:3].T[::2].T).sum(),
    "norm": lambda a, b: ops.layer_norm(a * b, (6,), b[0], a[0]).sum() * a.max(),
}  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_programs_give_what_the_walk_gives(function, segments):
    check_equal(*repeated(ms.grad(function, (0, 1)), A, B))
    assert segments == {False: WALKS, True: RUNS}


@pytest.fixture
def elsewhere(monkeypatch):
    """A machine whose default device is not a CPU, by its name."""
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    programs._most_bytes.cache_clear()
    yield
    programs._most_bytes.cache_clear()


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_programs_of_accelerators(function, segments, elsewhere):
    check_equal(*repeated(ms.grad(function, (0, 1)), A, B))
    assert segments == {False: WALKS, True: RUNS}


def test_a_segment_of_large_arrays_is_walked_on_accelerators(segments, elsewhere, monkeypatch):
    monkeypatch.setattr(programs, "_USUAL_MEMORY", 50 * A.nbytes)
    check_equal(*repeated(ms.grad(FUNCTIONS["products"], (0, 1)), A, B))
    assert segments == {False: CALLS, True: 0}


def test_the_users_thread_compiles_nothing_and_runs_no_pullback(monkeypatch):
    w = Parameter(Tensor(W), name="w")
    grad = ms.value_and_grad(lambda a: (ops.relu(ops.matmul(a, w)) ** 2).mean(), None, [w])
    grad(A)
    with Compiled() as names:
        first, last = repeated(grad, A)
        monkeypatch.setattr(backward._Arrays, "run", None)
        check_equal(first, arrays(grad(A)))
        check_equal(last, arrays(grad(A)))
    assert names == []


def test_pullbacks_that_a_program_replaces_get_no_programs_of_their_own(monkeypatch):
    submitted, submit = [], background.submit
    monkeypatch.setattr(background, "submit", lambda traced, name: submitted.append(name) or submit(traced, name))
    grad = ms.grad(lambda a: (ops.erf(ops.tanh(a)) * 2.5).sum())
    a = Tensor(RNG.randn(3, 7).astype(np.float32))
    repeated(grad, a)
    assert submitted.count("backward pass") == 1
    assert not [name for name in submitted if name.endswith("_grad")]
    hooked = ms.grad(lambda a: _hooked(ops.tanh(a * a)).sum())  # nothing replaces these
    repeated(hooked, a)
    assert [name for name in submitted if name.endswith("_grad")]


def _hooked(tensor):
    tensor.register_hook(lambda grad: grad * 2)
    return tensor


def test_values_are_those_of_the_call(segments):
    w = Parameter(Tensor(W), name="w")
    grad = ms.grad(lambda a: (ops.tanh(ops.matmul(a, w)) ** 2).sum(), 0, [w])
    for step in range(CALLS + 3):
        by_a, (by_w,) = grad(A * float(step + 1))
        finish()
        a, weight = A.asnumpy().astype(np.float64) * (step + 1), w.asnumpy().astype(np.float64)
        t = np.tanh(a @ weight)
        inner = 2 * t * (1 - t * t)
        np.testing.assert_allclose(by_a.asnumpy(), inner @ weight.T, rtol=2e-3, atol=1e-4)
        np.testing.assert_allclose(by_w.asnumpy(), a.T @ inner, rtol=2e-3, atol=1e-4)
        ops.assign(w, w - 0.01 * by_w)
    assert segments[True] == RUNS + 3


def test_python_may_take_another_way_at_each_step(segments):
    def function(x, way):
        y = ops.sin(x) * x
        if way == 1:
            y = ops.exp(y) + x
        for _ in range(way):
            y = y * ops.cos(x)
        return y.sum()

    grad = ms.grad(lambda x, way: function(x, way))
    first = {way: grad(A, way).asnumpy() for way in range(3)}
    for way in [*range(3)] * CALLS:
        check_equal([first[way]], [grad(A, way).asnumpy()])
        finish()
    assert segments[True] == 3 * (RUNS + 1)


def test_tapes_that_repeat_are_known_again(segments, monkeypatch):
    first = ms.grad(lambda x: split_and_joined(ops.sin(x), x))
    second = ms.grad(lambda x: split_and_joined(x, ops.sin(x)))
    third = ms.grad(lambda x: split_and_joined(ops.cos(x), x))
    every = [first, second, third]  # three tapes of one length that end alike
    expected = [grad(A).asnumpy() for grad in every]
    numbered, number = [], programs.Part.number
    monkeypatch.setattr(programs.Part, "number", lambda self, *args: numbered.append(self) or number(self, *args))
    for _ in range(CALLS):
        for grad, gradient in zip(every, expected, strict=True):
            check_equal([gradient], [grad(A).asnumpy()])
        finish()
    assert numbered == []
    assert segments[True] == 3 * (RUNS + 1)


def test_targets_on_the_tape_of_another_pullback(segments):
    y, pull = ms.vjp(lambda x: x * x, A)
    kept = []

    def function(x):
        kept.append(ops.sin(x))
        return ops.sum(kept[-1] * 2)

    expected = 2 * np.cos(A.asnumpy())
    for _ in range(CALLS):
        np.testing.assert_allclose(ms.grad(function)(A).asnumpy(), expected, rtol=1e-5)
        np.testing.assert_allclose(
            ms.grad(lambda x: ops.sum(x * kept[-1]))(A).asnumpy(), np.sin(A.asnumpy()), rtol=1e-5
        )
        finish()
    np.testing.assert_allclose(pull(y)[0].asnumpy(), 2 * A.asnumpy() ** 3, rtol=1e-5)


def test_each_shape_has_a_program(segments):
    grad = ms.grad(lambda x: (ops.gelu(x) * x).sum())
    for rows in (2, 3):
        check_equal(*repeated(grad, Tensor(A.asnumpy()[:rows])))
    assert segments == {False: 2 * WALKS, True: 2 * RUNS}
    assert len(programs._segments) == 1


def test_random_masks_are_those_of_the_forward_pass(segments):
    drop = nn.Dropout(p=0.5).set_train()

    def function(x):
        kept = drop(x * 2)
        return (kept * x).sum(), kept

    grad = ms.value_and_grad(function, 0, has_aux=True)
    for _ in range(CALLS + 2):
        (_, kept), by_x = grad(A)
        finish()
        np.testing.assert_allclose(by_x.asnumpy(), 2 * kept.asnumpy(), rtol=1e-5)
    assert segments[True] == RUNS + 2


def test_hooks_run_at_every_pass_also_those_that_come_later(segments):
    w = Parameter(Tensor(W), name="w")
    seen = []

    def function(a, hooked):
        y = ops.sin(ops.matmul(a, w)) * 2
        if hooked:
            y.register_hook(lambda grad: (seen.append(grad.asnumpy()), grad * 3)[1])
        return (ops.exp(y) * y).sum()

    grad = ms.grad(function, 0, [w])
    plain, last = repeated(grad, A, False)
    check_equal(plain, last)
    for times in range(1, CALLS + 1):
        check_equal([3 * g for g in plain], arrays(grad(A, True)))
        finish()
        assert len(seen) == times
    check_equal(plain, arrays(grad(A, False)))
    handle = w.register_hook(lambda grad: grad * 5)
    for _ in range(CALLS):
        by_a, (by_w,) = grad(A, False)
        finish()
        check_equal([plain[0], 5 * plain[1]], arrays([by_a, by_w]))
    handle.remove()
    check_equal(plain, arrays(grad(A, False)))


def test_rules_of_the_user_run_at_every_pass(segments):
    calls = []

    class Doubled(nn.Cell):
        def construct(self, x):
            return x * 2

        def bprop(self, x, out, dout):
            calls.append(dout.asnumpy())
            return (dout * 10,)

    cell = Doubled()
    grad = ms.grad(lambda a: (ops.sin(cell(ops.cos(a) * a)) * a).sum())
    for times in range(1, CALLS + 2):
        got = grad(A).asnumpy()
        finish()
        assert len(calls) == times
        if times == 1:
            first = got
        check_equal([first], [got])
    assert segments[True] > 0


def test_writes_and_weights_that_change_in_between():
    w = Parameter(Tensor(W), name="w")

    def function(a):
        y = a * 2
        y[1] = 0.0
        z = ops.matmul(y, w)
        z[:, 0] += ops.sin(y[:, 1])
        return (z * z).sum()

    check_equal(*repeated(ms.grad(function, 0, [w]), A))


def test_pullbacks_that_are_called_again(segments):
    out, pull = ms.vjp(lambda a, b: ops.tanh(a * b) * a, A, B)
    check_equal(*repeated(pull, out))
    assert segments[True] == RUNS
    other = arrays(pull(out * 2))
    np.testing.assert_allclose(other[0], 2 * arrays(pull(out))[0], rtol=1e-5)


def test_higher_orders_are_walked_or_replaced_alike(segments):
    def third(a):
        return ms.grad(ms.grad(ms.grad(lambda x: (ops.sin(x) * x).sum())))(a)

    def inner(a):
        return (ms.grad(lambda x: (ops.exp(x) * x).sum())(a) * a).sum()

    check_equal(*repeated(third, A))
    check_equal(*repeated(ms.grad(inner), A))
    assert segments[True] == 2 * RUNS  # the outermost passes


def test_what_is_frozen_later_has_no_gradient():
    v, w = (Parameter(Tensor(W), name=name) for name in "vw")
    grad = ms.grad(lambda a: (ops.matmul(ops.relu(ops.matmul(a, v)), w) ** 2).sum(), None, [v, w])
    first, last = repeated(grad, A)
    check_equal(first, last)
    v.requires_grad = False
    frozen = [g.asnumpy() for g in grad(A)]
    assert not frozen[0].any()
    check_equal(first[1:], frozen[1:])


def test_recorded_cells(segments):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense, self.norm, self.last = nn.Dense(6, 5), nn.BatchNorm1d(5), nn.Dense(5, 1)

        def construct(self, x):
            return (self.last(ops.relu(self.norm(self.dense(x)))) ** 2).mean()

    net = Net().set_train()
    net.set_grad()
    grad = ops.GradOperation(get_by_list=True)(net, net.trainable_params())

    def step(x):
        loss = net(x)
        return loss, grad(x)

    check_equal(*repeated(step, A))
    assert segments[True] == RUNS
    np.testing.assert_allclose(net.norm.moving_mean.asnumpy(), step_means(net, CALLS), rtol=1e-4)


def step_means(net, calls):
    mean = net.dense(A).asnumpy().mean(0)
    return mean * (1 - 0.9**calls)


def test_long_tapes_are_cut_and_free_what_is_done(segments):
    def function(x):
        y = x
        for _ in range(programs._LONGEST):
            y = ops.sin(y) + x
        return y.sum()

    check_equal(*repeated(ms.grad(function), A))
    assert segments[True] == 3 * RUNS  # 64 sines, 64 sums, the total and the variable


class OneAtATime:
    """In place of the allowance: each walk may trace once."""

    def __init__(self):
        self.left = 0

    def allows(self):
        self.left -= 1
        return self.left >= 0

    def spent(self):
        return contextlib.nullcontext()


def test_a_segment_is_traced_in_parts(segments, monkeypatch):
    """An operation at each walk, and the whole at the last one, which traces no operation again."""
    for name in ("_BEFORE_COMPILING", "INTERPRETED_CALLS"):
        monkeypatch.setattr(tier, name, 100)  # the operations themselves are not traced meanwhile
    traced = []

    @operation(name="of_parts")
    def of_parts(x):
        traced.append("sin")
        return jax.numpy.sin(x) * 2

    @operation(name="also_of_parts")
    def also_of_parts(x):
        traced.append("cos")
        return jax.numpy.cos(x)

    grad = ms.grad(lambda a: of_parts(also_of_parts(of_parts(a) + a)).sum())
    first = [arrays(grad(A)) for _ in range(WALKS - 1)][0]
    allowance = OneAtATime()
    monkeypatch.setattr(background, "allowance", allowance)
    by_walk = []
    for _ in range(6):
        traced.clear()
        allowance.left = 1
        check_equal(first, arrays(grad(A)))
        by_walk.append(traced.copy())
    # the sum, three operations and an addition, where equal operations are traced once, and the segment
    assert by_walk == [[], ["sin"], ["cos"], [], [], []]
    assert segments[True] == 0
    finish()
    allowance.left = 100  # for what the operations keep
    check_equal(first, arrays(grad(A)))
    assert segments[True] == 1


def test_what_never_repeats_is_forgotten(monkeypatch):
    monkeypatch.setattr(programs, "_SEGMENTS", 10)
    for number in range(programs._SEGMENTS + 20):

        @operation(name="scaled")
        def scaled(x, n=number):
            return x * n

        ms.grad(lambda x: ops.tanh(scaled(x) * 2).sum())(A)
    assert len(programs._segments) <= programs._SEGMENTS


@pytest.mark.parametrize("reason", ["deterministic", "environment"])
def test_who_wants_equal_bits_gets_the_walk(reason, segments, monkeypatch, request):
    if reason == "environment":
        monkeypatch.setattr(background.settings, "asked", False)
    else:
        request.addfinalizer(lambda: ms.set_deterministic(False))
        ms.set_deterministic(True)
    repeated(ms.grad(FUNCTIONS["products"], (0, 1)), A, B)
    assert segments == {True: 0, False: 0}
