"""Comparison, logic and bits."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_a_bool_is_an_operand_of_logic():
    assert ops.LogicalAnd()(True, Tensor([True, False])).asnumpy().tolist() == [True, False]
    with pytest.raises(TypeError, match="LogicalAnd"):
        ops.LogicalAnd()(Tensor([True]), 3)


VALUES = [0, 1, 5, 100]


# the number as a dtype has it, as MindSpore 2.10 compares in both modes
CAST = {
    ("uint8", -1): 255,
    ("uint8", 256): 0,
    ("uint8", 300): 44,
    ("uint8", -(2**40)): 0,
    ("int8", 128): -128,
    ("int8", 255): -1,
    ("int8", -129): 127,
    ("int16", 70000): 4464,
    ("int16", 2**31): 0,
    ("int32", 2**31): -(2**31),
    ("int32", 2**40): 0,
}


COMPARISONS = {
    ">": (lambda x, y: x > y, ops.greater, np.greater),
    ">=": (lambda x, y: x >= y, ops.ge, np.greater_equal),
    "<=": (lambda x, y: x <= y, ops.le, np.less_equal),
    "==": (lambda x, y: x == y, mint.eq, np.equal),
    "!=": (lambda x, y: x != y, ops.ne, np.not_equal),
}


@pytest.mark.parametrize("sign", COMPARISONS)
def test_a_number_is_cast_to_the_dtype_of_the_tensor(mode, sign):
    *ours, wanted = COMPARISONS[sign]
    for (dtype, number), value in CAST.items():
        x = Tensor(np.array(VALUES), getattr(ms, dtype))
        answer = wanted(VALUES, value).tolist()
        for compare in ours:
            assert compare(x, number).asnumpy().tolist() == answer, (dtype, number)
        assert ms.jit(ours[0])(x, number).asnumpy().tolist() == answer, (dtype, number)


def test_less_compares_the_number_itself(mode):
    x = Tensor(np.array(VALUES), ms.uint8)
    for less in (lambda x, y: x < y, ops.less, mint.lt):
        assert less(x, -1).asnumpy().tolist() == [False] * 4
        assert less(x, 300).asnumpy().tolist() == [True] * 4
