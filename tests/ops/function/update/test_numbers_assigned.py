"""`ops.assign` and its kind with a number: it gives way to the Parameter's dtype, unless that is of a lower kind."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, ops


@pytest.mark.parametrize("dtype", [ms.int8, ms.uint8, ms.int32, ms.int64, ms.float16, ms.float32])
def test_an_int_gives_way(mode, dtype):
    p = Parameter(Tensor(np.array(1), dtype), name="p")
    ops.assign(p, 2)
    ops.assign_add(p, 3)
    ops.assign_sub(p, 1)
    assert p.dtype == dtype
    assert p.asnumpy() == 4


def test_a_float_gives_way_to_floats_alone(mode):
    p = Parameter(Tensor(np.array(1), ms.float16), name="p")
    ops.assign(p, 2.5)
    assert p.dtype == ms.float16
    assert p.asnumpy() == 2.5
    for dtype in (ms.int32, ms.bool_):
        with pytest.raises(TypeError, match="cannot be converted"):
            ops.assign(Parameter(Tensor(np.array(1), dtype), name="p"), 2.5)


def test_the_extremes_of_a_tensor_without_dimensions(mode):
    for arguments in ({}, {"axis": 0}, {"keepdims": True}):
        low, high = ops.aminmax(Tensor(2.0), **arguments)
        assert low.shape == high.shape == ()
        assert low == high == 2.0
