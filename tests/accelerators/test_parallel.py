"""Programs over several chips: what each holds, what they exchange, and the same by hand in JAX."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from ms_compat._core import device
from ms_compat._targets import traffic
from ms_compat._targets.compiled import not_cached
from ms_compat._targets.hlo import Module
from ms_compat._targets.plan import plan
from ms_compat._targets.target import parse
from tests.accelerators.targets import captured, compiler

pytestmark = pytest.mark.accelerators
WEIGHTS = 2 * 1024 * 4096  # numbers
BIASES = 4096 + 1024


def planned(target, *arguments):
    step = captured(target, "parallel", *arguments)
    with device.planned(parse(target).chip.backend, tuple(compiler(target))):
        return plan(step, parse(target))


def by_hand(target, cut):
    """The same step in JAX, its weights cut over all chips or its batch."""
    mesh = Mesh(np.array(compiler(target)), ("x",))
    batch, *weights = {
        "tensor": (P(), P("x", None), P("x"), P(None, "x"), P()),
        "data": (P("x", None), P(), P(), P(), P()),
    }[cut]

    def loss(params, x):
        up, bias, down, last = params
        y = jax.nn.relu(x @ up.T + bias) @ down.T + last
        return ((y - x) ** 2).mean()

    def step(params, x):
        value, grads = jax.value_and_grad(loss)(params, x)
        return [p - 0.1 * g for p, g in zip(params, grads, strict=True)], value

    shapes = [(4096, 1024), (4096,), (1024, 4096), (1024,)]
    params = [
        jax.ShapeDtypeStruct(shape, jnp.float32, sharding=NamedSharding(mesh, spec))
        for shape, spec in zip(shapes, weights, strict=True)
    ]
    x = jax.ShapeDtypeStruct((512, 1024), jnp.float32, sharding=NamedSharding(mesh, batch))
    with not_cached():
        return Module(jax.jit(step, donate_argnums=0).lower(params, x).compile().as_text())


def exchanged(found):
    return {c.kind: c.bytes for c in found}


@pytest.mark.parametrize("target", ["h100:8", "v5e:2x4"])
def test_weights_that_are_cut(target):
    found = planned(target, "tensor")
    assert found.fits
    assert found.weights == 4 * (WEIGHTS + 4096) // 8 + 4 * 1024
    ours, hand = exchanged(found.collectives), exchanged(traffic.collectives(by_hand(target, "tensor")))
    assert sum(ours.values()) <= 1.05 * sum(hand.values())
    assert "all-gather" not in ours
    assert found.flops == 5 * 2 * 512 * 1024 * 4096 // 8
    assert not any("lays nothing out" in text for text in found.advice)


@pytest.mark.parametrize("target", ["h100:8", "v5e:2x4", "v5e:16x16"])
def test_a_batch_that_is_cut(target):
    found = planned(target, "data")
    assert found.weights == 4 * (WEIGHTS + BIASES)
    ours, hand = exchanged(found.collectives), exchanged(traffic.collectives(by_hand(target, "data")))
    assert sum(ours.values()) == pytest.approx(sum(hand.values()), rel=0.05)
    assert sum(ours.values()) == pytest.approx(4 * (WEIGHTS + BIASES), rel=0.01)  # the gradients, once
    assert not any("lays nothing out" in text for text in found.advice)
