"""What MindSpore's `Cell` class keeps for itself; recorded with MindSpore 2.10."""

import gc

import pytest

from ms_compat import nn


def test_cells_are_counted():
    gc.collect()
    before = nn.Cell.total_instance_count
    made = [nn.ReLU(), nn.SequentialCell(nn.Dense(1, 1))]
    assert nn.Cell.total_instance_count == nn.Optimizer.total_instance_count == before + 3
    counted = made[0].total_instance_count
    assert counted == before + 3
    made.clear()
    gc.collect()  # a SequentialCell refers to itself
    assert nn.Cell.total_instance_count == before


def test_attributes_that_the_compiler_does_not_see_are_listed():
    assert nn.Cell.IGNORE_LIST is nn.CellList.IGNORE_LIST
    assert len(nn.Optimizer.IGNORE_LIST) == len(nn.SequentialCell.IGNORE_LIST) == 22
    assert {"_params", "_cells", "requires_grad"} < set(nn.Cell.IGNORE_LIST)


def test_the_hook_switch_is_declared_and_never_set():
    assert isinstance(nn.Cell.enable_backward_hook, property)
    assert not hasattr(nn.ReLU(), "enable_backward_hook")
    with pytest.raises(AttributeError, match="ReLU"):
        _ = nn.ReLU().enable_backward_hook
