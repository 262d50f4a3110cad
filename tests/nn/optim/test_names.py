"""What the Parameters of optimizers and training Cells are called, as recorded: their checkpoints load by it."""

import json
from pathlib import Path

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn
from tests.nn import optim_names

CASES = json.loads((Path(__file__).parents[2] / "conformance/data/optimizer_names.json").read_text("utf-8"))["cases"]
WIDER = {"LazyAdam decay": "TypeError"}  # MindSpore says that a Cell may be given, and refuses it


@pytest.mark.parametrize("case", CASES)
def test_names(case):
    if case in WIDER:
        assert CASES[case] == WIDER[case] != optim_names.told(case, ms)
    else:
        assert optim_names.told(case, ms) == CASES[case]


def test_a_decay_of_its_own_parameter_follows_it():
    class Decay(nn.Cell):
        def __init__(self):
            super().__init__()
            self.rate = Parameter(Tensor(0.0))

        def construct(self, step):
            return self.rate

    weight = Parameter(Tensor([2.0]), name="w")
    optimizer = nn.Momentum([weight], 0.5, 0.0, weight_decay=Decay())
    optimizer((Tensor([0.0]),))
    optimizer.weight_decay.rate.set_data(Tensor(1.0))
    optimizer((Tensor([0.0]),))
    np.testing.assert_allclose(weight.asnumpy(), [1.0])
