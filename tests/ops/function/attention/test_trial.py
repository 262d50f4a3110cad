"""A fused kernel is tried before it is used: one that fails here, or gives other numbers, is not used."""

import logging

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ms_compat import ops
from ms_compat._core.settings import device
from ms_compat._core.tensor import wrap
from ms_compat.ops.function.attention import kernels, trial

SHAPES = {"gpu": ("cudnn", jnp.float16), "tpu": ("splash", jnp.bfloat16)}
Q = np.random.default_rng(0).standard_normal((1, 16, 256, 64))


@pytest.fixture(params=SHAPES)
def elsewhere(request, monkeypatch):
    """A machine whose accelerator is in truth the CPU, on which no kernel compiles."""
    monkeypatch.setattr(device, "platform", lambda: request.param)
    monkeypatch.setattr(device, "is_ampere_or_later", lambda: True)
    monkeypatch.setattr(device, "everywhere", lambda: (None,))
    monkeypatch.setattr(trial, "_told", set())
    for function in (trial._is_accurate, trial._off):
        function.cache_clear()
    return SHAPES[request.param]


def attention(dtype, scale=0.125):
    """Its values, and those by the formula in Float32."""
    array = jnp.asarray(Q, dtype)

    def run(x):
        tensor = wrap(x)
        given = {"scalar_value": scale, "input_layout": "BNSD", "sparse_mode": 2}
        return ops.flash_attention_score(tensor, tensor, tensor, 16, **given)._v

    found = jax.jit(run)(array)  # within a trace, which the trial leaves alone
    x = np.asarray(array, np.float32)
    scores = np.where(np.tri(256, dtype=bool), x @ x.swapaxes(-1, -2) * scale, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return np.asarray(found, np.float32), weights / weights.sum(-1, keepdims=True) @ x


def test_a_kernel_that_fails_is_not_used(elsewhere, caplog):
    kernel, dtype = elsewhere
    for scale in (0.125, 0.25):  # each is a kind of its own
        found, expected = attention(dtype, scale)
        np.testing.assert_allclose(found, expected, rtol=0.01, atol=0.02)
    warned = [r for r in caplog.records if r.levelno >= logging.WARNING]
    assert (
        len(warned) == 1 and kernel in warned[0].getMessage() and "MS_COMPAT_FUSED_ATTENTION" in warned[0].getMessage()
    )


@pytest.mark.parametrize("elsewhere", ["gpu"], indirect=True)
@pytest.mark.parametrize(("wrong", "used"), [(False, True), (True, False)])
def test_a_kernel_that_gives_other_numbers_is_not_used(elsewhere, wrong, used, monkeypatch, caplog):
    kernel, dtype = elsewhere
    called = []

    def instead(query, key, value, how):
        called.append(query.shape)
        out = kernels.plain(query, key, value, how.scale, how.band)
        return out * 1.2 if wrong else out

    monkeypatch.setattr(kernels, f"_{kernel}", instead)
    found, expected = attention(dtype)
    np.testing.assert_allclose(found, expected, rtol=0.01, atol=0.02)
    assert (Q.shape in called) == used
    assert [r.levelno for r in caplog.records] == ([] if used else [logging.WARNING])
