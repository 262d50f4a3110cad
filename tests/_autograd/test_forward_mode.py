"""Names of transformations."""

import numpy as np

from ms_compat import Tensor, ops


def test_vmap_has_an_inner_name():
    np.testing.assert_array_equal(ops._Vmap()(lambda x: x.sum())(Tensor([[1, 2], [3, 4]])).asnumpy(), [3, 7])
