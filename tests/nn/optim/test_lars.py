"""LARS, against recorded steps and its formula."""

import numpy as np
import pytest

from ms_compat import Parameter, Tensor, nn
from tests.nn import recorded
from tests.nn.optim.by_formula import check, train


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


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


def test_the_state_has_the_names_of_mindspores_checkpoints():
    weight = Parameter(Tensor([1.0]), name="w")
    lars = nn.LARS(nn.Adam([weight], 0.1, weight_decay=0.1))
    names = ["global_step", "fake_lr", "fake_param", "w", "learning_rate", "beta1_power", "beta2_power"]
    assert [p.name for p in lars.get_parameters()] == [*names, "moment1.w", "moment2.w"]
    lars((Tensor([1.0]),))
    assert [p.name for p in lars.get_parameters()][:7] == names
    assert lars.global_step.asnumpy().tolist() == lars.opt.global_step.asnumpy().tolist() == [1]
