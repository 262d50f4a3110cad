"""Registers of overflow."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops

X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_status_register_reports_on_what_it_depends_on(compiled):
    def overflow(x, divisor):
        status = ops.depend(ops.NPUAllocFloatStatus()(), x)
        x = ops.depend(x, ops.NPUClearFloatStatus()(status))
        status = ops.depend(status, (x / divisor,))
        status = ops.depend(status, ops.NPUGetFloatStatus()(status))
        return ops.ReduceSum()(status, (0,))

    fn = ms.jit(overflow) if compiled else overflow
    assert float(fn(Tensor(X), Tensor(1.0))) == 0
    assert float(fn(Tensor(X), Tensor(0.0))) == 8


def test_float_status_tells_overflow():
    assert ops.FloatStatus()(Tensor(X)).asnumpy().tolist() == [0]
    assert ops.FloatStatus()(Tensor([1, np.inf])).asnumpy().tolist() == [1]
    with pytest.raises(TypeError):
        ops.FloatStatus()(Tensor([1]))
