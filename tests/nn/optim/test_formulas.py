"""The formula in an optimizer's docstring is what it computes: it is run line by line on one number."""

import inspect
import math
import re

import pytest

from ms_compat import Parameter, Tensor, nn

NAMES = {"sqrt": math.sqrt, "max": max, "abs": abs, "norm": abs, "sign": lambda x: math.copysign(1.0, x) if x else 0.0}
OPTIMIZERS = {
    "Adam": {"learning_rate": 0.1},
    "AdamWeightDecay": {"learning_rate": 0.1, "weight_decay": 0.5},
    "AdaMax": {"learning_rate": 0.1},
    "Adagrad": {"learning_rate": 0.1},
    "RMSProp": {"learning_rate": 0.1, "decay": 0.8, "momentum": 0.5},
    "Adadelta": {"learning_rate": 1.0},
    "FTRL": {"learning_rate": 0.1, "l1": 0.01, "l2": 0.02},
    "ProximalAdagrad": {"learning_rate": 0.1, "l1": 0.01, "l2": 0.02},
    "ASGD": {"learning_rate": 0.1},
    "Lamb": {"learning_rate": 0.1, "weight_decay": 0.5},
    "Momentum": {"learning_rate": 0.1, "momentum": 0.9},
    "SGD": {"learning_rate": 0.1, "momentum": 0.9},
}
# what else the formulas name: defaults, and the state before the first step
OTHERS = {
    "beta1": 0.9, "beta2": 0.999, "eps": 1e-8, "epsilon": 1e-6, "rho": 0.9, "lr_power": -0.5, "lambd": 1e-4,
    "alpha": 0.75, "t0": 1e6, "dampening": 0.0, "eta": 0.1, "mu": 1.0, "ax": 0.0,
    **dict.fromkeys("m v u s b z".split(), 0.0),
}  # fmt: skip
OWN = {
    "AdamWeightDecay": {"eps": 1e-6}, "Lamb": {"eps": 1e-6}, "RMSProp": {"epsilon": 1e-10, "s": 1.0},
    "Adadelta": {"a": 0.0}, "Adagrad": {"a": 0.1}, "FTRL": {"a": 0.1}, "ProximalAdagrad": {"a": 0.1},
}  # fmt: skip


def formula(name):
    found = re.search(r"at step `t`::\n\n((?: {4}.*\n)+)", inspect.getdoc(getattr(nn, name)))
    return [line.strip() for line in found[1].splitlines()]


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_the_formula_gives_the_steps(name):
    settings = OPTIMIZERS[name]
    weight = Parameter(Tensor([1.0]), name="w")
    optimizer = getattr(nn, name)([weight], **settings)
    scope = {**NAMES, **OTHERS, **OWN.get(name, {}), **settings, "p": 1.0}
    for step, gradient in enumerate((0.5, -0.25, 1.0), 1):
        optimizer((Tensor([gradient]),))
        scope.update(t=step, g=gradient)
        exec("\n".join(formula(name)), scope)
        assert float(weight.asnumpy()[0]) == pytest.approx(scope["p"], rel=1e-4)


@pytest.mark.parametrize("name", [*OPTIMIZERS, "Rprop", "AdaFactor"])
def test_every_optimizer_has_one(name):
    assert any(line.startswith("p = ") for line in formula(name))
