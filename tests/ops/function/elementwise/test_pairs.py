"""Elementwise functions of two tensors."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize("name", ["add", "mul", "atan2", "maximum", "less", "logical_and", "bitwise_and", "lerp"])
def test_none_and_sequences_are_refused_by_type(name):
    x = Tensor(np.ones(3, np.int32))
    rest = (x,) if name == "lerp" else ()
    for other in (None, [1, 2, 3], (1, 2, 3)):
        with pytest.raises(TypeError):
            getattr(ops, name)(x, other, *rest)


def test_zeros_keep_their_sign_as_numbers_of_an_operation():
    signs = [float(ms.ops.copysign(Tensor([1.0]), zero)) for zero in (0.0, -0.0, 0.0)]
    assert signs == [1.0, -1.0, 1.0]
