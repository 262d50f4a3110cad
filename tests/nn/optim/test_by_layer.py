"""Optimizers that scale by layer, against their papers' formulas in Float64: nn.Lamb, nn.LARS, nn.AdaFactor.

MindSpore's CPU backend has kernels for AdaFactor alone; its recorded steps are in test_recorded.py.
"""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn

RNG = np.random.RandomState(0)
SHAPES = {"w": (3, 2), "bias": (4,), "k": (2, 3, 2, 2)}
START = {name: RNG.randn(*shape) for name, shape in SHAPES.items()}
GRADS = [{name: RNG.randn(*shape) for name, shape in SHAPES.items()} for _ in range(4)]


def train(make, compiled):
    params = [Parameter(Tensor(value.astype(np.float32)), name=name) for name, value in START.items()]
    optimizer = make(params)
    step = ms.jit(lambda *g: optimizer(g)) if compiled else lambda *g: optimizer(g)
    for grads in GRADS:
        step(*[Tensor(g.astype(np.float32)) for g in grads.values()])
    return {p.name: p.asnumpy() for p in params}


def check(found, rule, state):
    for name in SHAPES:
        value, kept = START[name], {k: v(name) for k, v in state.items()}
        for t, grads in enumerate(GRADS, 1):
            value = rule(name, value, grads[name], kept, t)
        assert np.allclose(found[name], value, rtol=2e-5, atol=2e-6), name


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("decay", [0.0, 0.1])
def test_lamb(compiled, decay):
    def rule(name, p, g, s, t):
        s["m"] = 0.8 * s["m"] + 0.2 * g
        s["v"] = 0.9 * s["v"] + 0.1 * g * g
        r = s["m"] / (1 - 0.8**t) / (np.sqrt(s["v"] / (1 - 0.9**t)) + 1e-3) + decay * p
        return p - 0.05 * np.linalg.norm(p) / np.linalg.norm(r) * r

    found = train(lambda params: nn.Lamb(params, 0.05, 0.8, 0.9, 1e-3, decay), compiled)
    check(found, rule, {"m": lambda name: 0.0, "v": lambda name: 0.0})


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("clip", [False, True])
@pytest.mark.parametrize("scale", [1.0, 8.0])
def test_lars(compiled, clip, scale):
    decay, rate = 0.1, 0.5

    def rule(name, p, g, s, t):
        g = g / scale
        if name != "bias":  # which is neither scaled nor decayed: LARS takes the decay of all from the optimizer within
            norms = np.linalg.norm(p), np.linalg.norm(g)
            ratio = 0.02 * norms[0] / (norms[1] + decay * norms[0] + 1e-3)
            ratio = min(ratio / rate, 1.0) if clip else ratio
            g = ratio * (g + decay * p)
        s["v"] = 0.9 * s["v"] + g
        return p - rate * s["v"]

    def make(params):
        within = nn.Momentum(params, rate, 0.9, weight_decay=decay, loss_scale=scale)
        return nn.LARS(within, epsilon=1e-3, coefficient=0.02, use_clip=clip)

    check(train(make, compiled), rule, {"v": lambda name: 0.0})


def rms(x):
    return np.sqrt(np.mean(x * x))


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(
    "options", [{}, {"beta1": None, "clip_threshold": 0.5}, {"learning_rate": 0.01, "relative_step": False}]
)
def test_adafactor(compiled, options):
    def rule(name, p, g, s, t):
        rate = options.get("learning_rate") or min(1e-2, 1 / np.sqrt(t))
        rate *= max(1e-3, rms(p))
        beta = 1 - t**-0.8
        if p.ndim >= 2:
            s["row"] = beta * s["row"] + (1 - beta) * (g * g).mean(-1)
            s["column"] = beta * s["column"] + (1 - beta) * (g * g).mean(-2)
            outer = s["row"][..., :, None] * s["column"][..., None, :]
            second = outer / s["row"].mean(-1)[..., None, None]
        else:
            s["row"] = second = beta * s["row"] + (1 - beta) * g * g
        u = g / np.sqrt(second)
        u = rate * u / max(1, rms(u) / options.get("clip_threshold", 1.0))
        s["m"] = 0.9 * s["m"] + 0.1 * u
        return p - (u if "beta1" in options else s["m"])

    found = train(lambda params: nn.AdaFactor(params, **options), compiled)
    check(found, rule, {"row": lambda name: 0.0, "column": lambda name: 0.0, "m": lambda name: 0.0})


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda p: nn.AdaFactor(p, learning_rate=0.1), ValueError),
        (lambda p: nn.AdaFactor(p, relative_step=False), ValueError),
        (lambda p: nn.AdaFactor(p, 0.1, relative_step=False, warmup_init=True), ValueError),
        (lambda p: nn.AdaFactor(p, eps=(0, 1e-3)), TypeError),
        (lambda p: nn.AdaFactor(p, eps=(1e-3,)), ValueError),
        (lambda p: nn.AdaFactor(p, eps=1e-3), TypeError),
        (lambda p: nn.AdaFactor(p, clip_threshold=1), TypeError),
        (lambda p: nn.AdaFactor(p, decay_rate=2.0), ValueError),
        (lambda p: nn.AdaFactor(p, beta1=-0.1), ValueError),
        (lambda p: nn.AdaFactor(p, compression=1), TypeError),
        (lambda p: nn.AdaFactor(p, weight_decay=-1.0), ValueError),
        (lambda p: nn.LARS(3), TypeError),
        (lambda p: nn.LARS(nn.SGD(p), epsilon=1), TypeError),
        (lambda p: nn.LARS(nn.SGD(p), use_clip=1), TypeError),
    ],
)
def test_refuses(make, error):
    with pytest.raises(error):
        make([Parameter(Tensor([1.0]), name="a")])


def test_adafactor_keeps_small_moments():
    params = [Parameter(Tensor(np.ones(shape, np.float32)), name=name) for name, shape in SHAPES.items()]
    optimizer = nn.AdaFactor(params, compression=True, warmup_init=True)
    kept = {p.name: (p.shape, str(p.dtype)) for p in optimizer.get_parameters() if "exp_avg_sq" in p.name}
    assert kept["exp_avg_sq_row_k"] == ((2, 3, 2), "Float32")
    assert kept["exp_avg_sq_col_w"] == ((2,), "Float32")
    assert kept["exp_avg_sq_bias"] == ((4,), "Float16")
    assert optimizer(tuple(Tensor(np.ones(s, np.float32)) for s in SHAPES.values())) == (True,) * 3
