"""Resharding keeps values."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops


def test_resharding_keeps_values():
    layout = ms.parallel.Layout((1,), ("dp",))("dp", "None")
    x = Tensor([[1, 2], [3, 4]])
    for out in (ops.reshard(x, layout), ops.Reshard((layout,), (layout,), ((1, 1),))(x)):
        np.testing.assert_array_equal(out.asnumpy(), x.asnumpy())
    with pytest.raises(TypeError, match="in_strategy"):
        ops.Reshard(1, 2, 3)
