"""Candidate sampling."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_log_uniform_candidates():
    ms.set_seed(3)
    true = Tensor([[0], [9]])
    drawn, expected, of_drawn = ops.log_uniform_candidate_sampler(true, 1, 4000, False, 10)
    share = np.log((np.arange(10) + 2) / (np.arange(10) + 1)) / np.log(11)
    counts = np.bincount(drawn.asnumpy(), minlength=10)
    np.testing.assert_allclose(counts / 4000, share, atol=0.03)
    np.testing.assert_allclose(expected.asnumpy()[:, 0], 4000 * share[[0, 9]], 1e-5)
    np.testing.assert_allclose(of_drawn.asnumpy(), 4000 * share[drawn.asnumpy()], 1e-5)
    for _ in range(5):
        drawn, expected, _ = ops.LogUniformCandidateSampler(1, 10, True, 10)(true)
        assert sorted(drawn.asnumpy().tolist()) == list(range(10))
        assert expected.asnumpy()[0] > expected.asnumpy()[1]
    first = ops.uniform_candidate_sampler(true, 1, 3, True, 4)[0]
    assert len(set(first.asnumpy().tolist())) == 3
