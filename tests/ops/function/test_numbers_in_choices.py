"""Two ints between which a condition chooses: Int64 in PYNATIVE_MODE, Int32 in compiled code, as in MindSpore."""

import pytest

import ms_compat as ms
from ms_compat import Tensor, mint, ops

CHOICES = {"ops.select": ops.select, "ops.where": ops.where, "mint.where": mint.where}


@pytest.mark.parametrize("name", CHOICES)
def test_two_ints(name):
    choose, condition = CHOICES[name], Tensor([True, False])
    compiled = ms.jit(lambda c: choose(c, 1, 2))
    assert choose(condition, 1, 2).dtype == ms.int64
    assert compiled(condition).dtype == ms.int32
    assert compiled(condition).asnumpy().tolist() == [1, 2]


@pytest.mark.parametrize("name", CHOICES)
def test_a_float_or_a_tensor_decides(mode, name):
    choose, condition = CHOICES[name], Tensor([True, False])
    assert ms.jit(lambda c: choose(c, 1, 2.5))(condition).dtype == ms.float32
    assert ms.jit(lambda c: choose(c, Tensor([5, 6], ms.int16), 3))(condition).dtype == ms.int16
