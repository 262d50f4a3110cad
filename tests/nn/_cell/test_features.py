"""Which features make a call more than `construct`."""

import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat._core.trace import scopes
from ms_compat.nn._cell import auto_precision, features


class WithRule(nn.Cell):
    def construct(self, x):
        return x * 2

    def bprop(self, x, out, dout):
        return (dout * 3,)


def _level_auto(cell):
    cell._set_auto_precision(auto_precision.AutoPrecision(ms.float16))


ASKED = {
    "forward_pre_hook": lambda cell: cell.register_forward_pre_hook(lambda cell, inputs: None),
    "forward_hook": lambda cell: cell.register_forward_hook(lambda cell, inputs, output: None),
    "backward_hook": lambda cell: cell.register_backward_hook(lambda cell, grads, given: None),
    "backward_pre_hook": lambda cell: cell.register_backward_pre_hook(lambda cell, given: None),
    "shard": lambda cell: cell.shard(((1, 1),)),
    "recompute": lambda cell: cell.recompute(),
    "saved_hooks": lambda cell: cell.register_saved_tensors_hooks(lambda x: x, lambda x: x),
    "auto": _level_auto,
    "parameter_hook": lambda cell: cell.register_parameter_forward_hook(lambda p: p * 1),
    "to_float": lambda cell: cell.to_float(ms.float16),
    "set_grad": lambda cell: cell.set_grad(),
}


@pytest.mark.parametrize("asked", ASKED)
def test_a_cell_of_which_something_is_asked_is_not_plain(asked):
    cell = nn.Dense(2, 2)
    cell(Tensor([[1.0, 2.0]]))  # the first call looks at the names
    assert cell._plain
    ASKED[asked](cell)
    assert not cell._plain
    assert features.is_special(cell) == (asked != "set_grad")  # who runs the call, not how it is run
    assert cell(Tensor([[1.0, 2.0]])).shape == (1, 2)


def test_each_feature_is_asked_by_one_way_at_least():
    ways = []
    for way in ASKED.values():
        cell = nn.Dense(2, 2)
        way(cell)
        ways.append(cell)
    ways.append(WithRule())
    applied = {feature for feature in features.FEATURES for cell in ways if feature.applies(cell)}
    with scopes.TraceScope():  # in which a `bprop` method stands around the hooks
        applied |= {feature for feature in features.FEATURES for cell in ways if feature.applies(cell)}
    assert applied == set(features.FEATURES)
    assert not WithRule()._plain
