"""A function that meets many shapes is padded where that changes nothing, and else not compiled for each of them."""

import logging
import math
import pathlib

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from ms_compat._compile.fallback import breaks, explain
from ms_compat._compile.fallback.shape_policy import FEW, OFTEN
from ms_compat._compile.function import CompiledFunction
from tests.compilations import Compiled

LENGTHS = (5, 3, 9, 2, 17, 7, 1)  # the first FEW are compiled, the others fall into the buckets 16 and 32


@pytest.fixture(autouse=True)
def _restored():
    mode = ms.get_context("mode")
    explain.explanations.clear()
    yield
    ms.set_context(mode=mode)


def rows(n, columns=4, seed=0, dtype=np.float32):
    values = np.random.RandomState(seed + n).randn(n, columns) * 3
    return Tensor(values.astype(dtype))


def policy_of(function):
    compiled = function if isinstance(function, CompiledFunction) else function._compiled
    (specialised,) = [s for s in compiled._specialised.values() if not s.broken]
    return specialised.shape_policy


def as_arrays(out):
    return [o.asnumpy() for o in (out if isinstance(out, (tuple, list)) else [out])]


def assert_same(got, want):
    for a, b in zip(as_arrays(got), as_arrays(want), strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-6)


TABLE = Tensor(np.random.RandomState(1).randn(10, 4).astype(np.float32))
WEIGHT = Tensor(np.random.RandomState(2).randn(4, 6).astype(np.float32))
POSITIONS = Tensor(np.random.RandomState(3).randn(40, 4).astype(np.float32))
KERNEL = nn.Conv2d(1, 2, 3)


def causal(n):
    return ops.triu(ops.full((n, n), -1e9, dtype=ms.float32), 1)


def changed(x):
    x = x * 1
    x[0] = 5.0
    x[:, 1] *= 2
    return x.cumsum(0)


# What is shown to ignore padding; the inputs have n rows. Logarithms make what lies behind infinite or NaN.
PADDED = {
    "elementwise and sums": lambda x: (
        ops.exp(-x) * 2 + ops.abs(x), x.sum(), x.sum(0), x.sum(1), ops.log(ops.abs(x)).sum(0), x.mean(), x.mean(0),
        ops.prod(x, 0), x.var(0), x.std(0),
    ),
    "extremes": lambda x: (
        x.max(), x.min(), ops.amax(x, 0), ops.amin(x, 0), (-ops.exp(x)).max(), ops.argmax(x, 0), ops.argmin(x, 0),
        (x > 1).any(), (x > -99).all(), ops.softmax(x, 0), ops.log_softmax(x, 0), ops.cumsum(x, 0),
    ),
    "products": lambda x: (ops.matmul(x, WEIGHT), ops.matmul(x.T, x), ops.matmul(x, x.T).sum(1), x.T),
    "merged and joined": lambda x: (
        x.reshape(-1).sum(), ops.relu(x.reshape(-1)).reshape(-1, 4), x.reshape(-1, 2, 2).sum(1), x[0],
        ops.concat((TABLE[:2], x)), ops.concat((x, x * 2), 1), ops.stack((x, x), 1),
        ops.where(x > 0, x, ops.zeros_like(x)), ops.gather(TABLE, ops.abs(x).astype(ms.int32).clip(0, 9), 0),
    ),
    "sizes": lambda x: (
        x / x.shape[0], x.sum() * x.size, ops.mul(x, x.shape[0] - 1), x / ops.cast(x.shape[0], ms.float32),
        ops.arange(x.shape[0]), ops.arange(1, x.shape[0] + 1, dtype=ms.float32), ops.ones((x.shape[0], 2)),
        ms.numpy.arange(x.shape[0]), ops.eye(x.shape[0], 3, ms.float32), Tensor(x.shape[0], ms.int32),
        ops.broadcast_to(TABLE[0], (x.shape[0], 4)), ops.tile(TABLE[:1], (x.shape[0], 1)), ops.tile(x, (2, 1)).sum(0),
        ops.zeros(x.shape[0] // 2, ms.float16), x if isinstance(x.shape[0], int) else x.sum(),
    ),
    "parts": lambda x: (
        POSITIONS[: x.shape[0]] + x, x[None] + POSITIONS[None][:, : x.shape[0], :], POSITIONS[x.shape[0]], x[-1], x[1:],
        x[:-1], x[::2], x[1:][:1], x[: x.shape[0] // 2], POSITIONS[x.shape[0] : x.shape[0] + 2], x[0, 1:3],
        POSITIONS[x.shape[0] : 2 * x.shape[0]] * x, ops.split(x, 2, 1)[1], x[Tensor(0)],
    ),
    "reversed and joined": lambda x: (
        ops.flip(x, (0,)), ops.flip(x, (0, 1)).cumsum(0), ops.concat((x, TABLE[:2], -x)).cumsum(0),
        ops.roll(x, 1, 0), ops.concat((x[1:], x)), changed(x), ops.linspace(0, 1, x.shape[0]),
    ),
    "attention": lambda x: (
        ops.matmul(ops.softmax(ops.matmul(x, x.T) + causal(x.shape[0]), -1), x),
        ops.matmul(ops.softmax(ops.matmul(x, ops.concat((TABLE, x)).T), -1), ops.concat((TABLE, x))),
    ),
    "layers": lambda x: (ops.layer_norm(x, (4,), ops.ones(4), ops.zeros(4), 1e-5), KERNEL(x.reshape(-1, 1, 2, 2))),
}  # fmt: skip


@pytest.mark.parametrize("name", PADDED)
def test_what_padding_leaves_as_it_is_is_padded(name):
    function = PADDED[name]
    compiled, exact = ms.jit(function), ms.jit(fullgraph=True)(function)
    for n in LENGTHS:
        assert_same(compiled(rows(n)), exact(rows(n)))
    policy = policy_of(compiled)
    assert policy.padded is not None, explain.explanations
    assert len(policy.own) == FEW


# What is not: the reason is in the log, and the results are those of PYNATIVE_MODE all the same.
NOT_PADDED = {
    "sorted": lambda x: ops.sort(x, 0)[0],
    "random": lambda x: ops.dropout(x, 0.5, training=True) * 0 + x,
    "size as a number": lambda x: x * math.sqrt(x.shape[0]),
}


@pytest.mark.parametrize("name", NOT_PADDED)
def test_what_padding_may_change_runs_operation_by_operation(name):
    function = NOT_PADDED[name]
    compiled = ms.jit(function)
    for n in LENGTHS:
        assert_same(compiled(rows(n)), function(rows(n)))
    policy = policy_of(compiled)
    assert policy.padded is None and len(policy.own) == FEW
    (text,) = [text for text in explain.explanations if "cannot be padded: " in text]
    place = f"{pathlib.Path(__file__).name}:{function.__code__.co_firstlineno}: "  # and the line, or its lambda alone
    assert place in text and "lambda x: " in text and "bucket_batch_by_length" in text


def test_sizes_that_agree_are_one_and_others_are_their_own():
    def function(x, mask, y):
        return (x * mask).sum(0) + ops.matmul(y.T, ops.exp(y)).sum(), x + mask

    compiled = ms.jit(function)
    for n, m in ((5, 2), (3, 4), (9, 8), (2, 2), (17, 3), (7, 30)):
        x, mask, y = rows(n), rows(n, seed=1), rows(m, 3)
        assert_same(compiled(x, mask, y), function(x, mask, y))
    assert policy_of(compiled).padded is not None


def test_python_that_compares_a_size_goes_its_own_way():
    def function(x):
        if x.shape[0] == 7 or x.shape[0] in (12, 13):
            return x.sum(0)
        return x.max(0)

    compiled, exact = ms.jit(function), ms.jit(fullgraph=True)(function)
    for n in LENGTHS:  # `x.max(0)` has positions beside the values in PYNATIVE_MODE, but not in compiled functions
        assert_same(compiled(rows(n)), exact(rows(n)))
    policy = policy_of(compiled)
    assert policy.padded is not None and not policy.pads(((7, 4),)) and policy.pads(((8, 4),))


def test_which_of_two_sizes_is_larger_is_as_in_the_trace():
    def function(x):
        rows = x[:6]  # all of them, or six
        return (rows.sum(0), len(rows.shape)) if x.shape[0] > 8 else (rows.max(), 3)

    compiled, exact = ms.jit(function), ms.jit(fullgraph=True)(function)
    for n in (*LENGTHS, 30):
        (got, number), (want, wanted) = compiled(rows(n)), exact(rows(n))
        assert_same(got, want)
        assert number == wanted
    policy = policy_of(compiled)
    assert policy.pads(((9, 5),)) is False and policy.pads(((40, 4),)) and not policy.pads(((8, 4),))


def test_gradients_in_a_compiled_function_are_padded():
    def loss(x, w):
        return (ops.log(ops.abs(ops.matmul(x, w))).sum(1) * ops.softmax(x.sum(1), 0)).sum()

    ms.set_context(mode=ms.GRAPH_MODE)
    gradient = ms.value_and_grad(loss, (0, 1))
    got = [gradient(rows(n), WEIGHT) for n in LENGTHS]
    assert policy_of(gradient).padded is not None, explain.explanations
    ms.set_context(mode=ms.PYNATIVE_MODE)
    for n, (value, gradients) in zip(LENGTHS, got, strict=True):
        want_value, want = ms.value_and_grad(loss, (0, 1))(rows(n), WEIGHT)
        assert_same(value, want_value)
        for a, b in zip(gradients, want, strict=True):
            np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-3, atol=1e-4)


def test_gradients_through_a_compiled_function_are_those_of_its_operations():
    def function(x):
        return ops.exp(x / 5) * x.mean(0)

    compiled = ms.jit(function)
    for n in LENGTHS:
        got = ms.grad(lambda x: compiled(x).sum())(rows(n))
        assert_same(got, ms.grad(lambda x: function(x).sum())(rows(n)))
    assert len(policy_of(compiled).own) == FEW


def test_a_training_step_keeps_its_weights_equal_to_those_of_pynative_mode():
    def trained(mode):
        ms.set_context(mode=mode)
        net = nn.SequentialCell(nn.Dense(4, 8, weight_init="ones"), nn.Tanh(), nn.Dense(8, 1, weight_init="ones"))
        for p in net.trainable_params():
            p.set_data(ms.ops.ones_like(p) * 0.1)
        optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
        gradient = ms.value_and_grad(lambda x: ops.square(net(x) - 1).mean(), None, optimizer.parameters)

        def step(x):
            loss, gradients = gradient(x)
            optimizer(gradients)
            return loss

        run = ms.jit(step) if mode == ms.GRAPH_MODE else step
        losses = [float(run(rows(n)).asnumpy()) for n in LENGTHS]
        return run, losses, [p.asnumpy() for p in net.trainable_params()]

    step, losses, weights = trained(ms.GRAPH_MODE)
    assert policy_of(step).padded is not None, explain.explanations
    _, want_losses, want = trained(ms.PYNATIVE_MODE)
    np.testing.assert_allclose(losses, want_losses, rtol=1e-5)
    for a, b in zip(weights, want, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)


class Block(nn.Cell):
    """Attention and a feed-forward network, as people write them."""

    def __init__(self, width=16, heads=4):
        super().__init__()
        self.heads, self.scale = heads, (width // heads) ** -0.5
        self.qkv, self.out = nn.Dense(width, 3 * width), nn.Dense(width, width)
        self.norm, self.norm2 = nn.LayerNorm([width]), nn.LayerNorm([width])
        self.up, self.act, self.down = nn.Dense(width, 32), nn.GELU(), nn.Dense(32, width)

    def construct(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.heads, d // self.heads).transpose(2, 0, 3, 1, 4)
        weights = ops.softmax(ops.matmul(q, k.swapaxes(-1, -2)) * self.scale, -1)
        x = self.norm(x + self.out(ops.matmul(weights, v).transpose(0, 2, 1, 3).reshape(b, n, d)))
        return self.norm2(x + self.down(self.act(self.up(x))))


def test_a_transformer_of_many_lengths_is_compiled_a_few_times():
    net = nn.SequentialCell(nn.Embedding(20, 16), Block(), Block(), nn.Dense(16, 20))
    tokens = {n: Tensor(np.random.RandomState(n).randint(0, 20, (2, n)).astype(np.int32)) for n in range(1, 33)}
    ms.set_context(mode=ms.GRAPH_MODE)
    with Compiled() as names:
        got = {n: net(x) for n, x in tokens.items()}
    assert len(names) <= 10
    assert net._compiled.traces == FEW + 1
    ms.set_context(mode=ms.PYNATIVE_MODE)
    for n in (1, 17, 32):
        assert_same(got[n], net(tokens[n]))


def test_labels_are_checked_before_a_padded_run():
    compiled = ms.jit(lambda x, labels: ops.cross_entropy(x, labels))
    for n in LENGTHS:
        compiled(rows(n), Tensor(np.zeros(n, np.int32)))
    with pytest.raises((ValueError, RuntimeError)) as plain:
        ops.cross_entropy(rows(8), Tensor(np.full(8, 9, np.int32)))
    with pytest.raises(type(plain.value)):
        compiled(rows(8), Tensor(np.full(8, 9, np.int32)))


def test_fullgraph_compiles_every_shape(caplog):
    compiled = ms.jit(fullgraph=True)(lambda x: x.sum(0))
    for n in LENGTHS:
        compiled(rows(n))
    assert compiled.traces == len(LENGTHS)
    assert caplog.text == "" and explain.explanations == []


def test_a_shape_that_comes_often_gets_its_own_program():
    compiled = ms.jit(NOT_PADDED["sorted"])
    for n in LENGTHS[:FEW]:
        compiled(rows(n))
    for call in range(OFTEN + 1):
        compiled(rows(30))
        assert (((30, 4),) in policy_of(compiled).own) == (call >= OFTEN - 1)


def test_one_line_of_the_log_says_it(caplog):
    def averaged(x):
        return x.mean(0)

    compiled = ms.jit(averaged)
    with caplog.at_level(logging.WARNING, "ms_compat"):
        for n in LENGTHS:
            compiled(rows(n))
    (line,) = caplog.messages
    assert "averaged has been called with more than 4 input shapes. Inputs of other shapes are padded" in line
    assert "fullgraph" in line
    assert explain.explanations[0] in line
    assert breaks.reports == [] or averaged.__qualname__ not in str(breaks.reports)


def test_sequences_of_many_lengths_are_compiled_a_few_times(mode):
    traced = []

    @ms.jit
    def total(items):
        traced.append(len(items))
        out = 0
        for item in items:
            out = out + item * 2
        return out

    for n in LENGTHS:
        got = total(ms.mutable([Tensor([float(i)]) for i in range(n)], dynamic_len=True))
        np.testing.assert_array_equal(got.asnumpy(), [n * (n - 1.0)])
    assert total.traces == FEW


def test_symbols_leave_nothing_behind():
    from jax import export

    compiled = ms.jit(lambda x: x.sum(0))
    for n in LENGTHS:
        compiled(rows(n))
    a, b = export.symbolic_shape("a, b")
    assert (a == 3) is False and (a != b) is True and {a: 1}[a] == 1
    assert all("patched" not in str(method) for method in vars(type(a)).values())
    assert "__bool__" not in vars(type(a))


def test_random_numbers_of_many_sizes_leave_no_symbols_behind():
    drawn = ms.jit(lambda x: ops.random_poisson(Tensor([2]), x))
    sizes = [drawn(rows(1, n)[0]).shape for n in range(1, FEW + 4)]
    assert sizes == [(2, n) for n in range(1, FEW + 4)]
    assert any("Random numbers of a size that varies" in text for text in explain.explanations)
