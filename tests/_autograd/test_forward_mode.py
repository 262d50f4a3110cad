"""Forward mode: the values that Python needs, and names of transformations."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops


def test_vmap_has_an_inner_name():
    np.testing.assert_array_equal(ops._Vmap()(lambda x: x.sum())(Tensor([[1, 2], [3, 4]])).asnumpy(), [3, 7])


# -- values that Python needs in forward mode


@pytest.mark.parametrize("kind", [bool, int, float, complex])
def test_python_numbers_of_a_tensor_are_known(kind):
    x = ms.Tensor([1.5, 2.0])
    _, tangent = ms.jvp(lambda y: y * y if abs(kind(y.sum())) < 9 else y, x, ms.Tensor([1.0, 1.0]))
    assert tangent.asnumpy().tolist() == [3.0, 4.0]


class _Branches(ms.nn.Cell):
    def construct(self, y):
        for _ in range(3):
            if y.sum() > 8:
                continue
            y = y * 2
        return y


@pytest.mark.parametrize("hooked", [False, True])
def test_recomputed_cells_branch_on_values(hooked):
    net = _Branches()
    net.recompute()
    if hooked:
        net.register_backward_hook(lambda cell, gradients, outputs: None)
    out, tangent = ms.jvp(net, ms.Tensor([1.5, 2.0]), ms.Tensor([1.0, 1.0]))
    assert out.asnumpy().tolist() == [6.0, 8.0]
    assert tangent.asnumpy().tolist() == [4.0, 4.0]
