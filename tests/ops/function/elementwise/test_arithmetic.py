"""Arithmetic of two and more operands."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_numpys_float64_is_pythons_float_in_both_modes():
    x = Tensor(np.ones(3, np.float32))
    scale = np.sqrt(2)
    for found in (x * scale, ops.mul(scale, x), ms.jit(lambda x: x * scale)(x), ms.jit(lambda x: ops.add(x, scale))(x)):
        assert found.dtype is ms.float32
    assert ms.grad(lambda x: (x * scale).sum())(x).dtype is ms.float32


#: what limits NaN to the lower limit, or without it to the upper one
LIMITING = {
    "clip_by_value": lambda x: ops.clip_by_value(x, -1.0, 2.0),
    "clip_by_value of Tensors": lambda x: ops.clip_by_value(x, Tensor(-1.0), Tensor(2.0)),
    "clamp": lambda x: ops.clamp(x, -1.0, 2.0),
    "hardtanh": lambda x: ops.hardtanh(x, -1.0, 2.0),
}


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("name", LIMITING)
def test_nan_is_limited_to_the_lower_limit(name, dtype):
    x = Tensor([float("nan"), 0.5, 5.0], getattr(ms, dtype))
    assert LIMITING[name](x).asnumpy().tolist() == [-1, 0.5, 2]


def test_nan_is_limited_to_the_only_limit():
    x = Tensor([float("nan"), 0.5])
    assert ops.clip_by_value(x, None, 2.0).asnumpy().tolist() == [2, 0.5]


def test_integers_to_a_negative_int():
    assert (Tensor([1, 2, 3], ms.uint8) ** -1).asnumpy().tolist() == [1, 0, 0]
    assert (Tensor([1, -1, 3]) ** -1).asnumpy().tolist() == [1, -1, 0]
    assert mint.pow(Tensor([2.0, 4.0]), -1).asnumpy().tolist() == [0.5, 0.25]
    with pytest.raises(RuntimeError, match="integers have no power to a negative int, but got -1"):
        mint.pow(Tensor([1, 2, 3]), -1)
