"""Operations that rearrange or select without a copy."""

import numpy as np
import pytest

from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_cuts_out_of_order(mode):
    pieces = ops.tensor_split(Tensor(np.arange(12)), [-18, -10, -14, 2])
    assert [piece.asnumpy().tolist() for piece in pieces] == [[], [0, 1], [], [0, 1], list(range(2, 12))]
