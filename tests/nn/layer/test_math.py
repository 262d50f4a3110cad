"""`nn.MatMul` against recorded values of MindSpore 2.10, and `lazy_inline`."""

import numpy as np
import pytest

from ms_compat import Tensor, lazy_inline, nn
from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def count(*shape):
    return Tensor(np.arange(np.prod(shape)).reshape(shape).astype(np.float32))


@pytest.mark.parametrize(
    ("flags", "left", "right", "expected"),
    [
        ((), (3,), (3,), 5.0),
        ((), (3,), (3, 2), [10.0, 13.0]),
        ((), (2, 3), (3,), [5.0, 14.0]),
        ((True, True), (3, 2), (4, 3), [[10.0, 28.0, 46.0, 64.0], [13.0, 40.0, 67.0, 94.0]]),
        ((True,), (3,), (2, 3, 2), [[10.0, 13.0], [28.0, 31.0]]),
        ((True, True), (3,), (3,), 5.0),
    ],
)
def test_matmul(flags, left, right, expected, mode):
    assert nn.MatMul(*flags)(count(*left), count(*right)).asnumpy().tolist() == expected


def test_matmul_errors(mode):
    with pytest.raises(ValueError, match="'x1_col' 3 and 'x2_row' 2"):
        nn.MatMul()(count(2, 3), count(2, 3))
    with pytest.raises(TypeError, match="transpose_x1"):
        nn.MatMul(1)


def test_lazy_inline_changes_nothing():
    class Block(nn.Cell):
        @lazy_inline(policy="front")
        def __init__(self, size):
            super().__init__()
            self.dense = nn.Dense(size, size)

    assert Block(2).dense.weight.name == "dense.weight"
    with pytest.raises(ValueError, match="should decorate the __init__ function"):
        lazy_inline(lambda x: x)
