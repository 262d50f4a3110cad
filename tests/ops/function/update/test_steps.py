"""Single steps of optimizers."""

import numpy as np

import ms_compat as ms
from ms_compat import Parameter, Tensor, ops


def test_sparse_rms_prop_keeps_the_mean_square_where_there_is_no_gradient(mode):
    start = ([[0.6, 0.3], [0.1, 0.5]], [[0.2, 0.4], [0.1, 0.3]], [[0.3, 0.1], [0.3, 0.6]])
    states = [Parameter(Tensor(values, ms.float32), name=f"s{i}") for i, values in enumerate(start)]
    step = ops.operations.SparseApplyRMSProp(0.2, 0.01, 1e-6)
    grad, rows = Tensor([[0.0, 0.0], [0.3, 0.4]], ms.float32), Tensor([0, 1], ms.int32)
    found = step(*states, 0.01, grad, rows)
    wanted = [
        [[0.597000002861023, 0.2990000247955322], [0.08710934966802597, 0.48477470874786377]],
        [[0.20000000298023224, 0.4000000059604645], [0.09200000762939453, 0.18800000846385956]],
        [[0.003000000026077032, 0.0010000000474974513], [0.012890653684735298, 0.015225287526845932]],
    ]
    np.testing.assert_allclose([t.asnumpy() for t in found], wanted, rtol=1e-6)
