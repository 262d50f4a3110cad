"""Attention over long sequences: the scores of some queries at a time give what all at once give, in less memory."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from ms_compat.ops.function.attention import scaled_dot_product as core

B, N, G, S, T, D = 2, 4, 2, 11, 7, 4
RNG = np.random.RandomState(0)
Q, K, V = (jnp.asarray(RNG.randn(*shape), jnp.float32) for shape in ((B, N, S, D), (B, G, T, D), (B, G, T, D)))
MASK, SHIFT, LATE = RNG.rand(B, 1, S, T) > 0.3, RNG.randn(1, N, S, T), RNG.randn(B, N, S, T)
KEEP = RNG.rand(B, N, S, T) > 0.5
ENDS = [4, 11], [3, 6]


@pytest.fixture
def few(monkeypatch):
    """Three queries at a time."""
    monkeypatch.setattr(core, "_LONG", 0)
    monkeypatch.setattr(core, "_SCORES", 2 * B * N * T)
    monkeypatch.setattr(core, "_FEWEST", 1)


def packed(start, count):
    places = core.packed_places("attend", *ENDS, S, T)
    return core.visible("attend", places.of_queries(start, count), None, 3, core.EVERYTHING, core.EVERYTHING)


def banded(start, count):
    return core.visible("attend", core.plain_places(S, T).of_queries(start, count), None, 4, 2, 1)


PAIRS = {
    "nothing": {},
    "mask": {"seen": jnp.asarray(MASK)},
    "mask of keys": {"seen": jnp.asarray(MASK[:, :, :1])},
    "band": {"seen": banded},
    "packed": {"seen": packed},
    "encodings": {"early": jnp.asarray(SHIFT, jnp.float32), "late": jnp.asarray(LATE, jnp.float32)},
    "encoding of keys": {"late": jnp.asarray(LATE[:, :, :1], jnp.float32)},
    "dropout": {"keep": jnp.asarray(KEEP), "keep_prob": 0.5},
}


@pytest.mark.parametrize("pairs", PAIRS)
def test_some_queries_at_a_time(few, pairs, monkeypatch):
    pairs = PAIRS[pairs]
    differentiated = [name for name in ("early", "late") if name in pairs]

    def runner():
        def run(q, k, v, *encodings):
            out = core.attend(q, k, v, 0.5, **{**pairs, **dict(zip(differentiated, encodings, strict=True))})
            return sum((jnp.sin(x) * jnp.cos(jnp.arange(x.size).reshape(x.shape))).sum() for x in out), out

        return run  # another for each way, since JAX remembers traces

    inputs = (Q, K, V, *[pairs[name] for name in differentiated])
    by = tuple(range(len(inputs)))
    assert "remat" in str(jax.make_jaxpr(runner())(*inputs))
    found_by, found = jax.grad(runner(), by, has_aux=True)(*inputs)
    monkeypatch.setattr(core, "_LONG", 2**20)
    assert "remat" not in str(jax.make_jaxpr(runner())(*inputs))
    wanted_by, wanted = jax.grad(runner(), by, has_aux=True)(*inputs)
    for a, b in zip((*found, *found_by), (*wanted, *wanted_by), strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-6)


def test_bits_of_rows_that_begin_within_a_byte():
    for columns in (7, 16):
        shape = (1, 2, 5, columns)
        bits = RNG.rand(*shape) > 0.5
        of = core.kept_bits("attend", jnp.packbits(jnp.asarray(bits).reshape(-1), bitorder="little"), shape)
        assert (of(0, 5) == bits).all() and (of(3, 2) == bits[:, :, 3:]).all()
        with pytest.raises(ValueError, match="bits"):
            core.kept_bits("attend", jnp.zeros(2, jnp.uint8), shape)


LONG = 61  # of no other test, so that nothing compiled before is found


def test_a_long_sequence(few, mode):
    """Values and gradients of causal attention, and that a dropout draws the same for both."""
    q, k, v = (RNG.randn(1, 4, LONG, 8).astype(np.float32) for _ in range(3))
    scores = np.where(np.tri(LONG, dtype=bool), q @ k.swapaxes(-1, -2) * 0.3, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    causal = lambda q, k, v, p=1.0: ops.flash_attention_score(  # noqa: E731
        q, k, v, 4, keep_prob=p, scalar_value=0.3, input_layout="BNSD", sparse_mode=2
    )
    out, pull = ms.vjp(causal, *map(Tensor, (q, k, v)))
    np.testing.assert_allclose(out.asnumpy(), weights @ v, rtol=1e-3, atol=1e-4)
    dout = np.cos(np.arange(v.size)).reshape(v.shape).astype(np.float32)
    grads = pull(Tensor(dout))
    np.testing.assert_allclose(grads[2].asnumpy(), weights.swapaxes(-1, -2) @ dout, rtol=1e-3, atol=1e-3)
    inner = dout @ v.swapaxes(-1, -2)
    inner = weights * (inner - (inner * weights).sum(-1, keepdims=True)) * 0.3
    np.testing.assert_allclose(grads[0].asnumpy(), inner @ k, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(grads[1].asnumpy(), inner.swapaxes(-1, -2) @ q, rtol=1e-3, atol=1e-3)
    # the output is linear in the values, so that its derivative along them is itself: with the same dropout
    out, pull = ms.vjp(lambda v: causal(Tensor(q), Tensor(k), v, 0.5), Tensor(v))
    (by_value,) = pull(Tensor(dout))
    assert abs(float((out * Tensor(dout)).sum()) / float((by_value * Tensor(v)).sum()) - 1) < 1e-3


@pytest.mark.parametrize("training", [False, True])
def test_a_layer_that_is_not_asked_for_its_weights(few, training, monkeypatch):
    """It gives what the layer with weights gives, and its dropout is drawn again for the gradient."""
    layer = ms.nn.MultiheadAttention(8, 2, dropout=0.5, has_bias=False, add_zero_attn=True).set_train(training)
    x, values = (Tensor(RNG.randn(53, 3, 8).astype(np.float32)) for _ in range(2))
    masks = {
        "attn_mask": Tensor(np.triu(np.ones((53, 53), bool), 1)),
        "key_padding_mask": Tensor(RNG.rand(3, 53) > 0.8),
    }
    run = lambda y: layer(x, x, y, need_weights=False, **masks)[0]  # noqa: E731
    if training:
        out, pull = ms.vjp(run, values)  # linear in the values
        (found,) = pull(Tensor(np.ones(out.shape, np.float32)))
        assert abs(float(out.sum()) / float((found * values).sum()) - 1) < 1e-4
        assert not np.allclose(run(values).asnumpy(), out.asnumpy())
    else:
        found = ms.value_and_grad(lambda y: ops.sin(run(y)).sum())(values)
        wanted = ms.value_and_grad(lambda y: ops.sin(layer(x, x, y, **masks)[0]).sum())(values)
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-4, atol=1e-5)


def test_memory_grows_with_the_length(monkeypatch):
    """Temporaries of a forward and backward pass, as XLA counts them; those of all scores would grow fourfold."""
    monkeypatch.setattr(core, "_SCORES", 2**20)

    def temporaries(length):
        x = jax.ShapeDtypeStruct((1, 8, length, 64), jnp.bfloat16)
        places = core.plain_places(length, length)
        seen = lambda start, count: core.visible("attend", places.of_queries(start, count), None, 2, 0, 0)  # noqa: E731
        loss = lambda q, k, v: core.attend(q, k, v, 0.125, seen).out.sum()  # noqa: E731
        compiled = jax.jit(jax.grad(loss, (0, 1, 2))).lower(x, x, x).compile()
        return compiled.memory_analysis().temp_size_in_bytes

    assert temporaries(4096) < 2.2 * temporaries(2048)
    assert temporaries(4096) < 8 * 4096 * 4096 * 4 / 2  # half of the scores


@pytest.mark.parametrize("hide", ["seen", "late", "early"])
def test_a_query_that_sees_no_key_has_zeros_and_no_gradient(hide):
    hidden = np.zeros((S, T), bool)
    hidden[3] = hidden[5, 1:] = True
    added = jnp.where(hidden, -jnp.inf, 0.0)
    pairs = {"seen": jnp.asarray(~hidden)} if hide == "seen" else {hide: added}

    def attention(q, k, v):
        return core.attend(q, k, v, 0.5, **pairs).out

    def by_hand(q, k, v):  # of what sees a key
        k, v = (jnp.repeat(x, N // G, 1) for x in (k, v))
        scores = jnp.where(jnp.asarray(hidden), -1e30, jnp.einsum("bnsd,bntd->bnst", q, k) * 0.5)
        return (jax.nn.softmax(scores) @ v) * (jnp.arange(S) != 3)[:, None]

    def derivatives(fn):
        def loss(*qkv):
            return jnp.sin(fn(*qkv)).sum()

        first = jax.grad(loss, (0, 1, 2))
        again = jax.jvp(first, (Q, K, V), (Q, K + 1, -V))  # forward over reverse
        return fn(Q, K, V), *jax.tree.leaves(again), jax.jvp(fn, (Q, K, V), (Q, K, V))[1]

    for found, expected in zip(derivatives(attention), derivatives(by_hand), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    assert not np.asarray(attention(Q, K, V)[:, :, 3]).any()
