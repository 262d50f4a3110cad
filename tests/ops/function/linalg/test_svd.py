"""The signs of singular vectors."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops


@pytest.mark.parametrize("shape", [(3, 2), (2, 3), (2, 4, 4)])
@pytest.mark.parametrize("full", [False, True])
def test_singular_vectors_have_one_sign(shape, full):
    matrix = np.random.default_rng(3).normal(size=shape)
    for factor in (1, -1):
        s, u, v = ops.svd(Tensor(factor * matrix), full)
        count = s.shape[-1]
        first = [t.asnumpy()[..., :count] for t in (u, v)]
        rebuilt = (first[0] * s.asnumpy()[..., None, :]) @ np.swapaxes(first[1], -1, -2)
        np.testing.assert_allclose(rebuilt, factor * matrix, atol=1e-12)
        largest = np.take_along_axis(first[1], np.abs(first[1]).argmax(-2)[..., None, :], -2)
        assert (largest > 0).all()
    with pytest.raises(TypeError, match="Svd"):
        ops.svd(Tensor(matrix, ms.float16))
