"""Conversion of the arguments of `mindspore.numpy`, and numbers beside Tensors."""

import numpy as np
import pytest

import ms_compat
import ms_compat as ms
import ms_compat.numpy as mnp
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


# Values of MindSpore 2.10: numbers become Int32 and Float32 Tensors before they meet the other operand.
NUMBERS = {
    "mnp.add(h, 1.0)": ("Float32", [1.25, 2.5]),
    "mnp.subtract(2, k)": ("Int32", [1, 0]),
    "mnp.power(h, 2.0)": ("Float32", [0.0625, 2.25]),
    "mnp.add(b, 1)": ("Int32", [2, 1]),
    "mnp.divide(h, 2.0)": ("Float32", [0.125, 0.75]),
    "mnp.divide(d, 2)": ("Float32", [0.125, 0.75]),
    "mnp.true_divide(d, d)": ("Float32", [1, 1]),
    "mnp.divide(d, 2.0)": ("Float64", [0.125, 0.75]),
    "mnp.maximum(k, 1.5)": ("Int8", [1, 2]),
    "mnp.maximum(h, 1.0)": ("Float16", [1, 1.5]),
    "mnp.minimum(Tensor(0.5, ms.float16), 1.0)": ("Float32", 0.5),
    "mnp.stack((d, d), 3)": ("Float64", [[0.25, 0.25], [1.5, 1.5]]),
    "mnp.stack(Tensor([[1, 2], [3, 4]]), 3)": ("Int64", [[1, 3], [2, 4]]),
    "mnp.var(d, ddof=3)": ("Float64", -0.78125),
    "mnp.std(d, ddof=3)": ("Float64", np.nan),
    "ops.var(h, None, 2)": ("Float16", np.inf),
    "d.std(None, 2)": ("Float64", np.inf),
}


@pytest.mark.parametrize("expression", NUMBERS)
def test_numbers_beside_tensors(expression, mode):
    names = {"mnp": ms_compat.numpy, "ms": ms_compat, "ops": ms_compat.ops, "Tensor": ms_compat.Tensor}
    names |= {
        "h": ms_compat.Tensor([0.25, 1.5], ms_compat.float16),
        "d": ms_compat.Tensor([0.25, 1.5], ms_compat.float64),
        "k": ms_compat.Tensor([1, 2], ms_compat.int8),
        "b": ms_compat.Tensor([True, False]),
    }
    out = eval(expression, names)
    dtype, values = NUMBERS[expression]
    assert str(out.dtype) == dtype
    np.testing.assert_allclose(out.asnumpy(), values, rtol=1e-3)


def test_where_a_whole_dtype_cuts_floats():
    x = Tensor([[-1.41, -1.2], [-0.29, -1.86]], ms.float32)  # sums and elements are cut in turn, as recorded
    whole = ms.int32
    assert ops.nansum(x, 0, dtype=whole).asnumpy().tolist() == [-1, -3]
    assert ops.sum(x, 0, dtype=whole).asnumpy().tolist() == [-1, -2]
    assert x.cumsum(0, whole).asnumpy().tolist() == mnp.cumsum(x, 0, whole).asnumpy().tolist() == [[-1, -1], [-1, -3]]
    assert ops.cumsum(x, 0, whole).asnumpy().tolist() == [[-1, -1], [-1, -2]]
    assert mnp.cumprod(x, 0, whole).asnumpy().tolist() == [[-1, -1], [0, 2]]
    assert mnp.trace(x, dtype=whole).asnumpy() == -2
