"""Optimizers of `mint`, against PyTorch's formulas."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, mint


def test_fused_adamw_is_adamw():
    after = []
    for kind in (mint.optim.FusedAdamW, mint.optim.AdamW):
        weight = ms.Parameter(Tensor([1.0, -2.0]), name="weight")
        optimizer = kind([weight], lr=0.1, weight_decay=0.01)
        for step in range(3):
            optimizer((Tensor([0.5 + step, -1.0]),))
        after.append(weight.asnumpy())
    np.testing.assert_allclose(*after, rtol=1e-6)


RNG = np.random.RandomState(0)


START = [RNG.randn(3, 2), RNG.randn(4)]


GRADS = [[RNG.randn(3, 2), RNG.randn(4)] for _ in range(4)]


CASES = {
    "SGD": [
        {},
        {"momentum": 0.9, "dampening": 0.1, "weight_decay": 0.01},
        {"momentum": 0.9, "nesterov": True, "maximize": True},
    ],
    "Adam": [{}, {"weight_decay": 0.1, "amsgrad": True}, {"betas": (0.5, 0.9), "eps": 1e-3}],
    "AdamW": [{}, {"weight_decay": 0.2, "maximize": True}],
}


def sgd(p, g, s, t, lr, momentum=0, dampening=0, weight_decay=0, nesterov=False, maximize=False):
    g = (-g if maximize else g) + weight_decay * p
    if momentum:
        s["v"] = g if t == 1 else momentum * s["v"] + (1 - dampening) * g
        g = g + momentum * s["v"] if nesterov else s["v"]
    return p - lr * g


def adam(p, g, s, t, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, maximize=False, decoupled=False):
    g = -g if maximize else g
    p, g = (p * (1 - lr * weight_decay), g) if decoupled else (p, g + weight_decay * p)
    s["m"] = betas[0] * s.get("m", 0) + (1 - betas[0]) * g
    s["v"] = betas[1] * s.get("v", 0) + (1 - betas[1]) * g * g
    s["h"] = np.maximum(s.get("h", 0), s["v"]) if amsgrad else s["v"]
    return p - lr * s["m"] / (1 - betas[0] ** t) / (np.sqrt(s["h"] / (1 - betas[1] ** t)) + eps)


def adamw(p, g, s, t, lr, weight_decay=0.01, **rest):
    return adam(p, g, s, t, lr, weight_decay=weight_decay, decoupled=True, **rest)


FORMULAS = {"SGD": sgd, "Adam": adam, "AdamW": adamw}


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(("name", "options"), [(n, o) for n, many in CASES.items() for o in many])
def test_steps(name, options, compiled):
    params = [Parameter(Tensor(v.astype(np.float32)), name=f"p{i}") for i, v in enumerate(START)]
    groups = [{"params": params[:1]}, {"params": params[1:], "lr": 0.3}]
    optimizer = getattr(mint.optim, name)(groups, lr=0.1, **options)
    step = ms.jit(lambda a, b: optimizer((a, b))) if compiled else lambda a, b: optimizer((a, b))
    wanted, states = list(START), [{}, {}]
    for t, grads in enumerate(GRADS, 1):
        step(*[Tensor(g.astype(np.float32)) for g in grads])
        rates = (0.1 if t < 3 else 0.05, 0.3)
        wanted = [
            FORMULAS[name](p, g, s, t, r, **options) for p, g, s, r in zip(wanted, grads, states, rates, strict=True)
        ]
        if t == 2:
            optimizer.param_groups[0]["lr"].set_data(Tensor(0.05))
    for p, w in zip(params, wanted, strict=True):
        assert np.allclose(p.asnumpy(), w, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda p: mint.optim.Adam([], 0.1), ValueError),
        (lambda p: mint.optim.SGD([p], -0.1), ValueError),
        (lambda p: mint.optim.AdamW([p], "x"), TypeError),
        (lambda p: mint.optim.Adam([p], betas=(0.9, 0)), TypeError),
        (lambda p: mint.optim.SGD([p], 0.1, nesterov=True), ValueError),
        (lambda p: mint.optim.SGD([p, p], 0.1), ValueError),
    ],
)
def test_refuses(make, error):
    with pytest.raises(error):
        make(Parameter(Tensor([1.0]), name="a"))


def test_names_of_the_state():
    optimizer = mint.optim.AdamW([Parameter(Tensor([1.0]), name="a")], 0.1)
    assert list(optimizer.state) == ["exp_avg.a", "exp_avg_sq.a", "state_step"]


def test_an_optimizer_without_an_update_says_what_to_define():
    class Mine(ms.experimental.optim.Optimizer):
        pass

    with pytest.raises(NotImplementedError, match="'Mine' must define construct"):
        Mine([Parameter(Tensor([1.0]), name="w")], {"lr": 0.1})((Tensor([1.0]),))
