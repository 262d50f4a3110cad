"""Adaptive summation."""

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat._core.parallel.processes import AXIS
from ms_compat.nn.optim.adasum import adaptive_sum


def _pair(a, b):
    ab, aa, bb = a @ b, a @ a, b @ b
    return (1 - ab / (2 * aa if aa else 1)) * a + (1 - ab / (2 * bb if bb else 1)) * b


@pytest.mark.parametrize("size", [1, 7, 16])
def test_adaptive_sums_of_eight_processes_are_those_of_pairs_of_pairs(size):
    xs = np.random.default_rng(size).normal(size=(8, size)).astype(np.float32)
    xs[2] = 0
    level = list(np.float64(xs))
    while len(level) > 1:
        level = [_pair(a, b) for a, b in zip(level[::2], level[1::2], strict=True)]
    ranks = tuple(range(8))
    found = jax.vmap(lambda x: adaptive_sum.fn((x,), ranks)[0], axis_name=AXIS)(xs)
    np.testing.assert_allclose(found, np.broadcast_to(level[0], (8, size)), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("setting", [{"enable_parallel_optimizer": True}, {"pipeline_stages": 2}, {}])
def test_adaptive_summation_refuses_what_mindspore_refuses(setting):
    weight = [ms.Parameter(Tensor([1.0]), name="w")]
    ms.set_auto_parallel_context(parallel_mode="data_parallel", **setting)
    try:
        with pytest.raises(RuntimeError, match="Adaptive summation"):
            nn.AdaSumByGradWrapCell(nn.SGD(weight))
    finally:
        ms.reset_auto_parallel_context()
