"""Schedulers of schedulers."""

import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor
from ms_compat.experimental import optim
from ms_compat.experimental.optim import lr_scheduler
from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_sequential_outside_only():
    optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], 0.5)
    parts = [lr_scheduler.ConstantLR(optimizer), lr_scheduler.StepLR(optimizer, 1)]
    scheduler = lr_scheduler.SequentialLR(optimizer, parts, [2])
    with pytest.raises(ms.UnsupportedError, match="outside"):
        ms.jit(lambda: scheduler.step(), fullgraph=True)()
