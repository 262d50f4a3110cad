"""The rules of optimizers are optax transformations, and their faces (nn, mint, experimental, primitives) agree."""

import jax.numpy as jnp
import numpy as np
import optax
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, mint, nn, ops
from ms_compat._optim.rules import short_of_one
from ms_compat.experimental import optim

RNG = np.random.RandomState(0)
START = RNG.randn(3, 2).astype(np.float32)
GRADS = RNG.randn(3, 3, 2).astype(np.float32)


def stepped(make):
    """What three steps of an optimizer make of START."""
    weight = Parameter(Tensor(START), name="w")
    optimizer = make([weight])
    for g in GRADS:
        optimizer((Tensor(g),))
    return weight.asnumpy()


def applied(primitive, starts, arguments):
    """What three calls of a primitive make of START; `arguments(gradient, t)` follow the Parameter and its states."""
    states = [Parameter(Tensor(np.full_like(START, s)), name=f"s{i}") for i, s in enumerate(starts)]
    weight = Parameter(Tensor(START), name="w")
    for t, g in enumerate(GRADS, 1):
        primitive(weight, *states, *arguments(Tensor(g), t))
    return weight.asnumpy()


def sgd_of_ops(momentum, dampening, nesterov):
    states = [Parameter(Tensor(np.full_like(START, s)), name=f"s{s}") for s in (0, 1)]
    weight, step = Parameter(Tensor(START), name="w"), ops.SGD(dampening, 0.0, nesterov)
    for g in GRADS:
        step(weight, Tensor(g), Tensor(0.1), states[0], Tensor(momentum), states[1])
    return weight.asnumpy()


B = (0.8, 0.9)
FACES = {
    "momentum": [
        lambda: stepped(lambda p: nn.Momentum(p, 0.1, 0.9, use_nesterov=True)),
        lambda: applied(ops.ApplyMomentum(use_nesterov=True), (0,), lambda g, t: (0.1, g, 0.9)),
    ],
    "sgd": [
        lambda: stepped(lambda p: nn.SGD(p, 0.1, 0.9, 0.2)),
        lambda: stepped(lambda p: mint.optim.SGD(p, 0.1, 0.9, 0.2)),
        lambda: stepped(lambda p: optim.SGD(p, 0.1, 0.9, 0.2)),
        lambda: sgd_of_ops(0.9, 0.2, False),
    ],
    "sgd without momentum": [
        lambda: stepped(lambda p: nn.SGD(p, 0.1, dampening=0.2)),
        lambda: stepped(lambda p: mint.optim.SGD(p, 0.1, dampening=0.2)),
        lambda: stepped(lambda p: optim.SGD(p, 0.1, dampening=0.2)),
        lambda: sgd_of_ops(0.0, 0.2, False),
    ],
    "adam": [
        lambda: stepped(lambda p: nn.Adam(p, 0.1, *B, 1e-20)),
        lambda: stepped(lambda p: mint.optim.Adam(p, 0.1, B, 1e-20)),
        lambda: stepped(lambda p: optim.Adam(p, 0.1, B, 1e-20)),
        lambda: applied(ops.Adam(), (0, 0), lambda g, t: (B[0] ** t, B[1] ** t, 0.1, *B, 1e-20, g)),
    ],
    "amsgrad": [
        lambda: stepped(lambda p: nn.Adam(p, 0.1, *B, 1e-3, use_amsgrad=True)),
        lambda: applied(ops.ApplyAdamWithAmsgrad(*B, 1e-3), (0, 0, 0), lambda g, t: (B[0] ** t, B[1] ** t, 0.1, g)),
    ],
    "adamw": [
        lambda: stepped(lambda p: mint.optim.AdamW(p, 0.1, B, 1e-3, 0.2)),
        lambda: stepped(lambda p: optim.AdamW(p, 0.1, B, 1e-3, 0.2)),
    ],
    "adam_weight_decay": [
        lambda: stepped(lambda p: nn.AdamWeightDecay(p, 0.1, *B, 1e-3, 0.2)),
        lambda: applied(ops.AdamWeightDecay(), (0, 0), lambda g, t: (0.1, *B, 1e-3, 0.2, g)),
    ],
    "adamax": [
        lambda: stepped(lambda p: nn.AdaMax(p, 0.1, *B, 1e-20)),
        lambda: stepped(lambda p: optim.Adamax(p, 0.1, B, 1e-20)),
        lambda: applied(ops.ApplyAdaMax(), (0, 0), lambda g, t: (B[0] ** t, 0.1, *B, 1e-20, g)),
    ],
    "adagrad": [
        lambda: stepped(lambda p: nn.Adagrad(p, 0.1, 0.1)),
        lambda: stepped(lambda p: optim.Adagrad(p, 0.1, initial_accumulator_value=0.1, eps=1e-20)),
        lambda: applied(ops.ApplyAdagrad(), (0.1,), lambda g, t: (0.1, g)),
        lambda: applied(ops.ApplyAdagradV2(1e-20), (0.1,), lambda g, t: (0.1, g)),
    ],
    "adadelta": [
        lambda: stepped(lambda p: nn.Adadelta(p, 0.5, 0.8, 1e-2)),
        lambda: stepped(lambda p: optim.Adadelta(p, 0.5, 0.8, 1e-2)),
        lambda: applied(ops.ApplyAdadelta(), (0, 0), lambda g, t: (0.5, 0.8, 1e-2, g)),
    ],
    "rms_prop": [
        lambda: stepped(lambda p: nn.RMSProp(p, 0.1, 0.8, 0.5, 1e-2)),
        lambda: applied(ops.ApplyRMSProp(), (1, 0), lambda g, t: (Tensor(0.1), g, 0.8, 0.5, 1e-2)),
    ],
    "centered rms_prop": [
        lambda: stepped(lambda p: nn.RMSProp(p, 0.1, 0.8, 0.5, 1e-2, centered=True)),
        lambda: applied(ops.ApplyCenteredRMSProp(), (0, 1, 0), lambda g, t: (g, Tensor(0.1), 0.8, 0.5, 1e-2)),
    ],
    "ftrl": [
        lambda: stepped(lambda p: nn.FTRL(p, 0.1, 0.1, l1=0.1, l2=0.2)),
        lambda: applied(ops.ApplyFtrl(), (0.1, 0), lambda g, t: (g, 0.1, 0.1, 0.2, -0.5)),
    ],
    "proximal_adagrad": [
        lambda: stepped(lambda p: nn.ProximalAdagrad(p, 0.1, 0.1, 0.2, 0.3)),
        lambda: applied(ops.ApplyProximalAdagrad(), (0.1,), lambda g, t: (0.1, 0.2, 0.3, g)),
    ],
    "asgd": [
        lambda: stepped(lambda p: nn.ASGD(p, 0.1, 0.01, 0.5, 2.0)),
        lambda: stepped(lambda p: optim.ASGD(p, 0.1, 0.01, 0.5, 2.0)),
    ],
    "rprop": [
        lambda: stepped(lambda p: nn.Rprop(p, 0.1)),
        lambda: stepped(lambda p: optim.Rprop(p, 0.1)),
    ],
}


@pytest.mark.parametrize("name", FACES)
def test_faces_of_a_rule_agree(name):
    first, *others = [face() for face in FACES[name]]
    assert not np.allclose(first, START, atol=1e-3)
    for other in others:
        np.testing.assert_allclose(other, first, rtol=2e-6, atol=1e-6)


OPTIMIZERS = {
    "Momentum": (lambda p: nn.Momentum(p, 0.1, 0.9), {"momentum": 0.9}),
    "SGD": (lambda p: nn.SGD(p, 0.1, 0.9), {"momentum": 0.9}),
    "Adam": (lambda p: nn.Adam(p, 0.1, use_amsgrad=True), {}),
    "AdamWeightDecay": (lambda p: nn.AdamWeightDecay(p, 0.1), {}),
    "AdaMax": (lambda p: nn.AdaMax(p, 0.1), {}),
    "Adagrad": (lambda p: nn.Adagrad(p, 0.1, 0.1), {}),
    "Adadelta": (lambda p: nn.Adadelta(p, 0.1), {}),
    "RMSProp": (lambda p: nn.RMSProp(p, 0.1, centered=True), {}),
    "FTRL": (lambda p: nn.FTRL(p, 0.1, 0.1), {}),
    "ProximalAdagrad": (lambda p: nn.ProximalAdagrad(p, 0.1, 0.1), {}),
    "ASGD": (lambda p: nn.ASGD(p, 0.1), {}),
    "Rprop": (lambda p: nn.Rprop(p, 0.1), {}),
    "Lamb": (lambda p: nn.Lamb(p, 0.1), {}),
    "AdaFactor": (lambda p: nn.AdaFactor(p), {}),
    "AdaFactor without mean": (lambda p: nn.AdaFactor(p, beta1=None), {}),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_the_transformation_of_an_optimizer_composes_with_optaxs(name):
    make, settings = OPTIMIZERS[name]
    transformation = optax.chain(optax.scale(0.5), make([Parameter(Tensor(START), name="w")])._transform)
    params = [jnp.asarray(START)]
    state = transformation.init(params)
    for t, g in enumerate(GRADS, 1):
        options = {"learning_rate": jnp.float32(0.1), "step": jnp.float32(t)}
        options.update({key: jnp.float32(value) for key, value in settings.items()})
        changes, state = transformation.update([2 * g], state, params, **options)
        params = optax.apply_updates(params, changes)
    np.testing.assert_allclose(params[0], stepped(make), rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("stat", [1.0, 0.0])
def test_sgd_without_momentum_keeps_no_velocity(mode, stat):
    weight, accum, kept = (
        Parameter(Tensor(v), name=n) for n, v in (("w", [1.0, 2.0]), ("a", [0.5, 0.25]), ("s", [stat] * 2))
    )
    ops.SGD(0.3, 0.1)(weight, Tensor([0.3, -0.2]), Tensor(0.1), accum, Tensor(0.0), kept)
    # recorded from MindSpore
    np.testing.assert_allclose(weight.asnumpy(), [0.96, 2.0], rtol=1e-6)
    assert accum.asnumpy().tolist() == [0.5, 0.25] and kept.asnumpy().tolist() == [stat] * 2


def test_corrections_of_the_bias_do_not_cancel():
    exact = -np.expm1(np.log(0.9999999))
    assert abs(float(short_of_one(0.9999999, jnp.float32(1))) / exact - 1) < 1e-6
    assert float(short_of_one(0.0, jnp.float32(1))) == 1
    assert abs(float(short_of_one(jnp.float32(0.5), jnp.float32(2))) - 0.75) < 1e-6


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16], ids=str)
def test_adam_with_decay_rounds_a_weight_once(mode, dtype):
    """The change is subtracted in Float32; rounded before, it would move one weight in 25 elsewhere."""
    draw = np.random.default_rng(0).standard_normal
    start, gradient = (Tensor(draw(4096).astype(np.float32)).astype(dtype) for _ in range(2))
    w, g = (x.astype(ms.float32).asnumpy() for x in (start, gradient))
    m, v = 0.1 * g, 0.001 * g * g
    expected = Tensor(w - 0.003 * (m / (np.sqrt(v) + 1e-6) + 0.1 * w)).astype(dtype).astype(ms.float32).asnumpy()

    def by_cell(weight, moments):
        optimizer = nn.AdamWeightDecay([weight], 0.003, weight_decay=0.1)
        optimizer((gradient,))

    def by_primitive(weight, moments):
        ops.AdamWeightDecay()(weight, *moments, 0.003, 0.9, 0.999, 1e-6, 0.1, gradient)

    for step in (by_cell, by_primitive):
        zeros = [Parameter(Tensor(np.zeros(4096, np.float32)).astype(dtype), name=name) for name in "mv"]
        weight = Parameter(start.copy(), name="w")
        step(weight, zeros)
        assert weight.dtype == dtype
        found = weight.astype(ms.float32).asnumpy()
        assert (found != expected).mean() < 1e-3  # another order of Float32's roundings
