"""Fractional pooling."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded
from tests.ops.arrays import generator


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


random = generator()


@pytest.mark.parametrize("name, way", [("FractionalMaxPool", np.max), ("FractionalAvgPool", np.mean)])
@pytest.mark.parametrize("overlapping", [False, True])
@pytest.mark.parametrize("pseudo", [False, True])
def test_fractional_pools_take_windows_between_their_borders(name, way, overlapping, pseudo):
    x = random(2, 11, 13, 3)
    primitive = getattr(ops, name)([1.0, 1.5, 2.3, 1.0], pseudo, overlapping)
    for run in (primitive, ms.jit(lambda v: primitive(v))):
        out, rows, columns = (v.asnumpy() for v in run(Tensor(x)))
        assert (rows[0], rows[-1], columns[0], columns[-1], len(rows), len(columns)) == (0, 11, 0, 13, 8, 6)
        assert {*np.diff(rows)} <= {1, 2} and {*np.diff(columns)} <= {2, 3}
        for i, j in np.ndindex(7, 5):
            part = x[:, rows[i] : rows[i + 1] + overlapping, columns[j] : columns[j + 1] + overlapping]
            np.testing.assert_allclose(out[:, i, j], way(part, (1, 2)), rtol=1e-5, atol=1e-6)
    fixed = getattr(ops, name)([1.0, 1.5, 2.3, 1.0], deterministic=True, seed=3)
    np.testing.assert_array_equal(fixed(Tensor(x))[1].asnumpy(), fixed(Tensor(x))[1].asnumpy())


def test_fractional_pools_of_integers():
    samples = Tensor(np.array([0.5, 0.5, 0.8]).reshape(1, 1, 3), ms.float32)
    chosen = [0, 1, 3, 12, 13, 15, 48, 49, 51, 60, 61, 63]
    for dtype in (ms.float16, ms.float32, ms.float64, ms.int32, ms.int64):
        x = Tensor(np.arange(64).reshape(1, 1, 4, 4, 4), dtype)
        out, where = ops.operations.nn_ops.FractionalMaxPool3DWithFixedKsize((1, 1, 1), (2, 2, 3))(x, samples)
        assert out.dtype == dtype and out.asnumpy().ravel().tolist() == chosen
        assert where.dtype == ms.int64 and where.asnumpy().ravel().tolist() == chosen
        if dtype != ms.float32:
            with pytest.raises(TypeError):
                ops.fractional_max_pool3d(x, (1, 1, 1), (2, 2, 3), _random_samples=samples)
