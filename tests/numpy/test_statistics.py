"""Statistics of `mindspore.numpy`, also those that skip NaN."""

import numpy as np
import pytest

import ms_compat
import ms_compat as ms
import ms_compat.numpy as mnp
from ms_compat import Tensor
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_sometrue_takes_any_number_as_keepdims():
    x = Tensor(np.array([[True, False], [False, False]]))
    assert ms_compat.numpy.sometrue(x, axis=(0, 1), keepdims=-1).asnumpy().tolist() == [[True]]
    assert ms_compat.numpy.sometrue(x, axis=1, keepdims=0).asnumpy().tolist() == [True, False]


def test_nansum_of_truths_says_whether_any_is_true():
    x = Tensor([[True, True], [False, False]])
    out = mnp.nansum(x, axis=1)
    assert (str(out.dtype), out.asnumpy().tolist()) == ("Bool", [True, False])
    assert mnp.nansum(x, dtype=ms.int32).asnumpy() == 1


@pytest.mark.parametrize(
    "x, y, dtypes",
    [
        (Tensor([1, 2], ms.int16), 2, ("Int16", "Int32")),
        (2, Tensor([1, 2], ms.uint8), ("UInt8", "Int32")),
        (Tensor([1.0, 2], ms.float16), 2.5, ("Float16", "Float32")),
        (Tensor([True, False]), 2, ("Int64", "Int32")),
        (Tensor([1, 2], ms.int16), Tensor([2, 2], ms.int32), ("Int32", "Int32")),
        ([1, 2], 2, ("Int32", "Int32")),
    ],
)
def test_a_number_takes_the_quotients_dtype(x, y, dtypes):
    assert tuple(str(out.dtype) for out in mnp.divmod(x, y)) == dtypes


@pytest.mark.parametrize("function", [mnp.nanvar, mnp.nanstd])
def test_spread_without_nan_is_of_float32(function):
    for kind in (np.float16, np.float64, np.int32):
        out = function(Tensor(np.array([1, 2, 4], kind)))
        assert str(out.dtype) == "Float32"
    assert str(function(Tensor([1.0, 2.0]), dtype=ms.float16).dtype) == "Float16"
    with pytest.raises(TypeError, match="must be real, but got Complex64"):
        function(Tensor(np.array([1 + 2j, 3], np.complex64)))
