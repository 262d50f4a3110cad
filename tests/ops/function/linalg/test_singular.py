"""Singular, asymmetric and indefinite matrices, and the dtypes of what complex matrices give."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from ms_compat.ops.function.linalg import singular
from tests.conformance import departures, replay
from tests.ops.function.linalg import singular_samples as samples

SINGULAR = [[1.0, 2.0], [2.0, 4.0]]


@pytest.mark.parametrize("case", replay.load("matrices_singular.json"), ids=lambda case: case["expr"])
def test_recorded(case):
    outcome = replay.evaluate({**case, "setup": samples.SETUP}, ms)
    replay.check_stated({**case, "rtol": 1e-4, "atol": 1e-6}, outcome, departures.SINGULAR)


@pytest.mark.parametrize(
    "fn",
    [
        ops.inverse,
        ops.cholesky,
        lambda x: ops.matrix_power(x, -1),
        lambda x: ops.matrix_solve(x, x[:, :1]),
        lambda x: ms.scipy.linalg.inv(x),
        lambda x: ms.scipy.linalg.cholesky(x),
    ],
)
def test_compiled_functions_give_infinities_or_nan(fn):
    assert not np.isfinite(ms.jit(fn)(Tensor(SINGULAR)).asnumpy()).all()
    assert not np.isfinite(ms.vmap(fn)(Tensor([SINGULAR])).asnumpy()).all()


def test_infinities_and_nan_stay():
    x = Tensor([[np.nan, 1.0], [1.0, 2.0]])
    assert np.isnan(ops.inverse(x).asnumpy()).any()
    assert np.isnan(ops.matrix_solve(x, Tensor([[1.0], [1.0]])).asnumpy()).any()
    assert np.isnan(ms.scipy.linalg.eigh(x, eigvals_only=True).asnumpy()).all()
    with pytest.raises(RuntimeError):
        ops.cholesky(x)
    with pytest.raises(ValueError):
        ops.matrix_power(x, -1)


def test_the_cell_inverts_as_the_function():
    np.testing.assert_array_equal(nn.MatInverse()(Tensor(SINGULAR)).asnumpy(), [[0, 0], [0, 0.25]])


def test_a_larger_matrix_of_lower_rank_is_inverted_on_its_regular_part():
    draw = np.random.RandomState(0)
    x = (draw.randn(3, 12, 7) @ draw.randn(3, 7, 12)).astype(np.float64)
    found = ops.inverse(Tensor(x)).asnumpy()
    rows, columns, ranks = singular._pivots(x)
    assert ranks.tolist() == [7, 7, 7]
    for one, inverse, row, column in zip(x, found, rows[:, :7], columns[:, :7], strict=True):
        np.testing.assert_allclose(inverse[np.ix_(column, row)], np.linalg.inv(one[np.ix_(row, column)]), rtol=1e-8)
        assert np.count_nonzero(inverse) == 49
