"""Attention over long sequences, compiled for accelerators: by their fused kernels, and without."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ms_compat import Tensor, ops
from ms_compat._core import device
from ms_compat._core.tensor import wrap
from ms_compat._targets.compiled import not_cached
from ms_compat._targets.hlo import Module
from ms_compat._targets.target import parse
from tests.accelerators.targets import compiler

pytestmark = pytest.mark.accelerators
MIB = 1 << 20
LATER = Tensor(np.triu(np.ones((2048, 2048), np.uint8), 1))
KERNELS = {"h100": ("__cudnn$fmhaSoftmax", "__cudnn$fmhaSoftmaxBackward"), "v5e": ("tpu_custom_call",) * 3}


def compiled(target, length=32768, groups=8, size=128, **given):
    """The forward and backward pass of 8 heads in BFloat16, compiled for a chip: temporaries, and kernels called."""
    chip = compiler(target)[0]
    here = jax.sharding.SingleDeviceSharding(chip)
    shapes = [jax.ShapeDtypeStruct((1, n, length, size), jnp.bfloat16, sharding=here) for n in (8, groups, groups, 8)]
    settings = {"attn_mask": LATER, "sparse_mode": 2, "input_layout": "BNSD", **given}

    def step(query, key, value, cotangent):
        def attention(*qkv):
            return ops.flash_attention_score(*map(wrap, qkv), 8, scalar_value=0.0883, **settings)._v

        out, pull = jax.vjp(attention, query, key, value)
        return out, *pull(cotangent)

    with device.planned(parse(target).chip.backend, (chip,)), not_cached():
        found = jax.jit(step, out_shardings=here).lower(*shapes).compile()
    targets = [one.attribute("custom_call_target") for one in Module(found.as_text()).all()]
    kernels = tuple(sorted(t for t in targets if t in KERNELS[target]))
    return found.memory_analysis().temp_size_in_bytes / MIB, kernels


@pytest.mark.parametrize(
    ("target", "fused", "plain"),
    [
        ("h100", 257, 387),  # four inputs in cuDNN's layout; its workspace is known to a device alone
        ("v5e", 193, 65),  # sums of the softmax, 128 times the same
    ],
)
def test_memory_grows_with_the_length(target, fused, plain, monkeypatch):
    assert compiled(target) == (pytest.approx(fused, rel=0.05), KERNELS[target])
    monkeypatch.setenv("MS_COMPAT_FUSED_ATTENTION", "0")
    assert compiled(target) == (pytest.approx(plain, rel=0.05), ())


@pytest.mark.parametrize(
    "given",
    [
        {"sparse_mode": 0, "attn_mask": None},
        {"sparse_mode": 4, "pre_tokens": 1000, "next_tokens": 0, "groups": 2},
        {"sparse_mode": 3, "size": 64},
    ],
    ids=str,
)
@pytest.mark.parametrize("target", KERNELS)
def test_kernels_compile(target, given):
    assert compiled(target, 2048, **given)[1] == KERNELS[target]
