"""Operations that write into their first input."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)


def test_in_place_changes_reach_the_views():
    x = Tensor(X)
    view = x.view(-1)
    assert ops.put_(x, Tensor([0]), Tensor([9.0])) is x and view[0] == 9
    ops.clamp_(view, -1.0, 1.0)
    assert x.asnumpy().tolist() == np.clip(np.where(X == 1.5, 9, X), -1, 1).tolist()
    ops.zero_(x[0:1])
    x.index_copy_(0, Tensor([1]), Tensor([[7.0, 8.0, 9.0]]))
    assert view.asnumpy()[3:].tolist() == [7, 8, 9]
    assert x.to_("CPU") is x and x.to_(device="Ascend:0") is x
    row, last = x[1], x[0:1]
    assert x.set_(Tensor([1])).shape == (1,) and x.dtype is ms.int64
    assert row.asnumpy().tolist() == view.asnumpy()[3:].tolist() == [7, 8, 9]
    row[0] = 5  # no longer of one storage
    assert view[3] == 7 and x.asnumpy().tolist() == [1]
    last.set_(Tensor([2.0]))
    assert view[0] == 0 and x.set_().shape == (0,)
