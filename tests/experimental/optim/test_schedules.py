"""Schedulers of learning rates, in both modes."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, mint
from ms_compat.experimental import optim
from ms_compat.experimental.optim import lr_scheduler
from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


SCHEDULERS = {
    "StepLR": (2,),
    "MultiStepLR": ([1, 3],),
    "ConstantLR": (0.5, 2),
    "LinearLR": (),
    "ExponentialLR": (0.9,),
    "PolynomialLR": (),
    "CosineAnnealingLR": (3,),
    "LambdaLR": (lambda epoch: 0.9**epoch,),
    "MultiplicativeLR": (lambda epoch: 0.9,),
    "CyclicLR": (0.01, 0.1, 2),
    "CosineAnnealingWarmRestarts": (2, 2),
}


@pytest.mark.parametrize("name", SCHEDULERS)
def test_schedulers_in_a_compiled_function(name):
    seen = []
    for compiled in (False, True):
        optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], 0.5)
        scheduler = getattr(lr_scheduler, name)(optimizer, *SCHEDULERS[name])

        def step(scheduler=scheduler):
            scheduler.step()

        step = ms.jit(step) if compiled else step
        rates = []
        for _ in range(5):
            step()
            rates.append(float(optimizer.param_groups[0]["lr"].asnumpy()))
        seen.append(rates)
    assert np.allclose(*seen, rtol=1e-6)


def test_plateau_in_a_compiled_function():
    optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], 0.5)
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=0)
    step = ms.jit(lambda metric: scheduler.step(metric))
    for value in (1.0, 0.5, 0.5, 0.5):
        step(Tensor(value))
    assert float(optimizer.param_groups[0]["lr"].asnumpy()) == 0.125


class HalfAway(lr_scheduler.LRScheduler):
    """A user's scheduler."""

    def get_lr(self):
        return [group["lr"] * 0.5 for group in self.optimizer.param_groups]


def test_a_scheduler_of_the_users_and_an_optimizer_of_mint():
    optimizer = mint.optim.SGD([Parameter(Tensor([1.0]), name="w")], 0.8)
    assert isinstance(optimizer, optim.Optimizer)
    scheduler = HalfAway(optimizer)
    scheduler.step()
    assert np.isclose(float(scheduler.get_last_lr()[0].asnumpy()), 0.2)
    assert np.isclose(float(optimizer.param_groups[0]["initial_lr"].asnumpy()), 0.8)
