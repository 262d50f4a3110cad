"""How deep networks may be nested."""

import sys

import numpy as np

import ms_compat as ms
from ms_compat import Tensor, nn

# CPython 3.12 bounds calls through C, as a Cell's is, by a constant that no program can set
DEPTH = 200 if sys.version_info[:2] == (3, 12) else 1000


class Around(nn.Cell):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def construct(self, x):
        return self.inner(x) + 1


def test_nested_cells_and_their_gradient():
    net = nn.Identity()
    for _ in range(DEPTH):
        net = Around(net)
    x = Tensor(np.zeros(1, np.float32))
    assert net(x).asnumpy() == DEPTH
    assert ms.grad(net)(x).asnumpy() == 1
