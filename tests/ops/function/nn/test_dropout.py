"""Dropout of elements and channels."""

import pytest

import ms_compat as ms
from ms_compat import ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_dropout_gradient_uses_the_forward_mask():
    x = ops.ones((50,))
    out, grad = ms.value_and_grad(lambda v: ops.reduce_sum(ops.dropout(v, 0.5)))(x)
    assert set(grad.asnumpy().tolist()) == {0.0, 2.0}
    assert out.asnumpy() == grad.asnumpy().sum()
