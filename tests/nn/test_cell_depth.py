"""How deep networks may be nested."""

import numpy as np

import ms_compat as ms
from ms_compat import Tensor, nn


class Around(nn.Cell):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def construct(self, x):
        return self.inner(x) + 1


def test_a_thousand_nested_cells_and_their_gradient():
    net = nn.Identity()
    for _ in range(1000):
        net = Around(net)
    x = Tensor(np.zeros(1, np.float32))
    assert net(x).asnumpy() == 1000
    assert ms.grad(net)(x).asnumpy() == 1
