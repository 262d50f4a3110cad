"""Operations of integers where most programs have floats."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops


def of(values, dtype=ms.float32):
    return Tensor(np.array(values)).astype(dtype)


CUBE = np.arange(1, 9).reshape(1, 2, 2, 2)


INTEGERS = [
    (lambda d: ops.adaptive_avg_pool3d(of(CUBE, d), 1), [[[[4]]]], None),
    (lambda d: ops.adaptive_max_pool3d(of(CUBE, d), 1), [[[[8]]]], None),
    (lambda d: ops.lp_pool1d(of([[[1, 2, 3, 4]]], d), 2.0, 2), [[[5**0.5, 5]]], ms.float32),
    (lambda d: ops.lp_pool2d(of([[[[1, 2], [3, 4]]]], d), 2.0, 2), [[[[30**0.5]]]], ms.float32),
    (lambda d: ops.gaussian_nll_loss(of([1, 2], d), of([2, 2], d), of([1, 3], d)), 0.52465308, ms.float32),
    (lambda d: ops.margin_ranking_loss(of([1, 2], d), of([2, 2], d), of([1, 1], d)), 0.5, ms.float32),
    (lambda d: ops.cosine_embedding_loss(of([[1, 2]], d), of([[2, 2]], d), of([1], ms.int32)), 0.05131674, ms.float32),
    (lambda d: ops.bidense(of([[1, 2]], d), of([[2, 2]], d), of([[[1, 2], [3, 4]]], d), of([1], d)), [[35]], None),
    (lambda d: ops.unfold(of([[[[0, 1], [2, 3]]]], d), 2), [[[0], [1], [2], [3]]], None),
]


@pytest.mark.parametrize("dtype", [ms.int8, ms.int32, ms.uint8])
@pytest.mark.parametrize(("run", "value", "result_dtype"), INTEGERS)
def test_integers(mode, run, value, result_dtype, dtype):
    out = run(dtype)
    assert out.dtype == (result_dtype or dtype)
    np.testing.assert_allclose(out.asnumpy(), value, rtol=1e-6)
