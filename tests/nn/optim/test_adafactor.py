"""AdaFactor, against recorded steps and its formula."""

import numpy as np
import pytest

from ms_compat import Parameter, Tensor, nn
from tests.nn import recorded
from tests.nn.optim.by_formula import SHAPES, check, train


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


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
