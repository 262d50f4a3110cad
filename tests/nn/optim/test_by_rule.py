"""Optimizers of one rule each, against recorded steps."""

import numpy as np
import pytest

from ms_compat import nn
from tests.nn import recorded
from tests.nn.optim.by_formula import check, train


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


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
