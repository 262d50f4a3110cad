"""Counting, functions of matrices, distributions, and what has no kernel in MindSpore."""

import numpy as np
import pytest
import scipy.linalg

import ms_compat as ms
from ms_compat import Parameter, Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)


M = np.array([[4, 1, 2], [1, 3, 0.5], [0, -1, 2]], np.float32)


def tensors(*arrays):
    return [Tensor(np.asarray(a)) for a in arrays]


def test_what_mindspore_has_no_kernel_for():
    labels, predictions = [0, 1, 1, 3], [1, 2, 1, 3]
    expected = np.zeros((4, 4))
    np.add.at(expected, (labels, predictions), [1.0, 2.0, 3.0, 4.0])
    found = ops.ConfusionMatrix(4, "float32")(*tensors(labels, predictions), Tensor([1.0, 2.0, 3.0, 4.0]))
    assert found.dtype is ms.float32 and found.asnumpy().tolist() == expected.tolist()
    values = Tensor([-1.0, 0.0, 1.5, 2.0, 5.0, 15], ms.float16)
    assert ops.HistogramFixedWidth(5)(values, Tensor([0.0, 5.0], ms.float16)).asnumpy().tolist() == [2, 1, 1, 0, 2]
    rows, places, weights = ops.ComputeAccidentalHits(2)(*tensors([[1, 2], [0, 4], [3, 3]], [0, 1, 2, 3, 4]))
    assert (rows.dtype, places.dtype, weights.dtype) == (ms.int32, ms.int64, ms.float32)
    assert rows.asnumpy().tolist() == [0, 0, 1, 1, 2, 2] and places.asnumpy().tolist() == [1, 2, 0, 4, 3, 3]
    assert weights.asnumpy().tolist() == [np.finfo(np.float32).min] * 6
    np.testing.assert_allclose(
        ops.Quantile(1)(Tensor(X), Tensor([0.25, 0.5])).asnumpy(), np.quantile(X, [0.25, 0.5], 1)
    )
    with_nan = np.where(X > 4.5, np.nan, X)
    found = ops.Quantile(1, True, True)(Tensor(with_nan), 0.5)
    np.testing.assert_allclose(found.asnumpy(), np.nanquantile(with_nan, 0.5, 1, keepdims=True))
    summed = Parameter(Tensor(np.arange(4.0, dtype=np.float32)))
    ops.ScatterNonAliasingAdd()(summed, Tensor([[1], [1]]), Tensor([5.0, 6.0]))
    assert summed.asnumpy().tolist() == [0, 12, 2, 3]
    packed, tau = ops.geqrf(Tensor(M))
    q = scipy.linalg.qr(M)[0]
    np.testing.assert_allclose(np.abs(ops.Ormqr()(packed, tau, Tensor(M)).asnumpy()), np.abs(q @ M), 1e-4)
    np.testing.assert_allclose(
        ops.baddbmm_ext(*tensors(M[None], M[None], M[None]), beta=2).asnumpy()[0], M * 2 + M @ M, 1e-5
    )


def test_distributions():
    ms.set_seed(1)
    drawn = ops.Cauchy([4000], 3.0, 2.0)().asnumpy()
    assert abs(np.median(drawn) - 3) < 0.2 and abs(np.subtract(*np.quantile(drawn, [0.75, 0.25])) - 4) < 0.5
    logs = np.log(ops.LogNormalReverse(2.0, 0.5)(Tensor(np.zeros(4000), ms.float64)).asnumpy())
    assert abs(logs.mean() - 2) < 0.05 and abs(logs.std() - 0.5) < 0.05
    rows = ops.ParameterizedTruncatedNormal()(
        Tensor([2, 4000]), *[Tensor(v, ms.float32) for v in ([0.0, 5.0], [1.0, 2.0], [-1.0, 4.0], [1.0, 9.0])]
    ).asnumpy()
    assert rows.shape == (2, 4000) and (rows.min(1) >= [-1, 4]).all() and (rows.max(1) <= [1, 9]).all()
    assert abs(rows[0].mean()) < 0.05
    ints = ops.NonDeterministicInts(ms.int32)(Tensor([40, 40])).asnumpy()
    assert ints.min() < -(2**30) and ints.max() > 2**30
    assert ops.bernoulli_ext(Tensor(np.full(4000, 0.25, np.float32))).asnumpy().mean() == pytest.approx(0.25, abs=0.03)
