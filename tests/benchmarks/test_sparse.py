"""The product of a CSR matrix and a dense one against a gather and a segment sum."""

import jax
import numpy as np
import pytest

from ms_compat import CSRTensor, Tensor
from tests.benchmarks.measure import check_ratio

pytestmark = pytest.mark.benchmark
SIZE, COUNT = 4000, 200_000


@jax.jit
def by_segments(rows, columns, values, dense):
    return jax.ops.segment_sum(values[:, None] * dense[columns], rows, SIZE, indices_are_sorted=True)


@pytest.mark.parametrize(("width", "budget"), [(1, 1.5), (64, 0.5)])
def test_product_with_a_dense_matrix(width, budget):
    """Measured on a busy 2-core CPU: 3 ms against 62 with 64 columns; with one it is that segment sum, rows kept."""
    rng = np.random.default_rng(0)
    rows = np.sort(rng.integers(0, SIZE, COUNT)).astype(np.int32)
    columns = rng.integers(0, SIZE, COUNT).astype(np.int32)
    starts = np.searchsorted(rows, np.arange(SIZE + 1)).astype(np.int32)
    values = rng.normal(size=COUNT).astype(np.float32)
    dense = Tensor(rng.normal(size=(SIZE, width)).astype(np.float32))
    matrix = CSRTensor(Tensor(starts), Tensor(columns), Tensor(values), (SIZE, SIZE))
    plain = [jax.numpy.asarray(x) for x in (rows, columns, values)]
    assert np.allclose(matrix.mm(dense).asnumpy(), by_segments(*plain, dense._v), atol=1e-3)
    check_ratio(
        f"CSRTensor.mm, {width} columns, against a segment sum",
        lambda: matrix.mm(dense)._v.block_until_ready(),
        lambda: by_segments(*plain, dense._v).block_until_ready(),
        budget, calls=3, rounds=5,
    )  # fmt: skip
