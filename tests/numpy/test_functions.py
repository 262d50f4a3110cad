"""Functions of `mindspore.numpy` that are more than an operation."""

import inspect

import numpy as np
import pytest

import ms_compat as ms
import ms_compat.numpy as mnp
from ms_compat import Tensor
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_parameters_have_mindspores_names():
    wanted = {
        "arccos": "(input, dtype=None)", "cos": "(x, dtype=None)", "negative": "(a, dtype=None)",
        "add": "(x1, x2, dtype=None)", "isclose": "(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)",
        "roll": "(a, shift, axis=None)", "nanmean": "(a, axis=None, dtype=None, keepdims=False)",
        "std": "(x, axis=None, ddof=0, keepdims=False)", "promote_types": "(type1, type2)",
        "diagonal": "(a, offset=0, axis1=0, axis2=1)", "trace": "(a, offset=0, axis1=0, axis2=1, dtype=None)",
    }  # fmt: skip
    assert {name: str(inspect.signature(getattr(mnp, name))) for name in wanted} == wanted


@pytest.mark.parametrize("make", [mnp.eye, mnp.tri, mnp.identity])
def test_ones_of_no_type_are_refused(make):
    with pytest.raises(TypeError, match="dtype"):
        make(2, dtype=None)


def test_average_with_weights_of_one_axis(mode):
    x = Tensor(np.arange(6.0).reshape(2, 3), ms.float32)
    weights = Tensor([1.0, 3.0], ms.float32)
    mean, total = mnp.average(x, 0, weights, True)
    assert mean.asnumpy().tolist() == [2.25, 3.25, 4.25] and total.asnumpy().tolist() == [4, 4, 4]
    slope = ms.grad(lambda w: mnp.average(x, 0, w))(weights)
    np.testing.assert_allclose(slope.asnumpy(), [-1.6875, 0.5625])
    deep = Tensor(np.arange(24.0).reshape(2, 3, 4), ms.float32)
    np.testing.assert_allclose(mnp.average(deep, 1, Tensor([1.0, 2, 3], ms.float32)).asnumpy()[0, 0], 16 / 3, 1e-6)
    for axis, weights, error in (((0, 1), [1.0, 2], TypeError), (1, [1.0, 2], ValueError), (None, [1.0, 2], TypeError)):
        with pytest.raises(error):
            mnp.average(x, axis, Tensor(weights, ms.float32))


@pytest.mark.parametrize(
    "low, high, dtype, value",
    [
        (0, [1.5, 2.5], "Float32", [1.0, 2.0]),
        (Tensor([1.5, 0]), 1, "Float32", [1.0, 1.0]),
        (2.5, Tensor([9, 1], ms.int64), "Int64", [2, 1]),
        (0, Tensor([0.5, 3], ms.float16), "Float16", [0.5, 2.0]),
        (None, Tensor([5, 5], ms.int8), "Int32", [1, 2]),
        (0, 1.5, "Int32", [1, 1]),
    ],
)
def test_clip_joins_the_dtypes_of_its_tensors(mode, low, high, dtype, value):
    out = mnp.clip(Tensor([1, 2], ms.int32), low, high)
    assert (str(out.dtype), out.asnumpy().tolist()) == (dtype, value)


def test_clip_of_bools_joins_dtypes():
    x = Tensor([True, False])
    out = mnp.clip(x, Tensor([2, 0], ms.int16), 2.5)
    assert (str(out.dtype), out.asnumpy().tolist()) == ("Int16", [2, 0])
    assert mnp.clip(x, 0, 2.5).dtype == ms.bool_
