"""Layers in one compiled function."""

import numpy as np

import ms_compat as ms
from ms_compat import Tensor, nn

S = Tensor(np.array([[4, 1, 0.5], [1, 3, -1], [0.5, -1, 2]], np.float32))


COMPILED = {
    "MatrixSetDiag": lambda v: nn.MatrixSetDiag()(v, v[0]),
    "MatInverse": lambda v: nn.MatInverse()(v),
    "Triu": lambda v: nn.Triu()(v, 1),
    "Roll": lambda v: nn.Roll((1, 2), (0, 1))(v),
    "ReplicationPad2d": lambda v: nn.ReplicationPad2d(1)(v[None]),
    "ReplicationPad2d, cutting": lambda v: nn.ReplicationPad2d((-1, 2, 1, -1))(v[None]),
    "ReflectionPad1d": lambda v: nn.ReflectionPad1d((1, 2))(v[None]),
    "ConstantPad1d": lambda v: nn.ConstantPad1d(2, 3.0)(v[None]),
    "LPPool1d": lambda v: nn.LPPool1d(2, 2)(v[None]),
    "AdaptiveMaxPool1d": lambda v: nn.AdaptiveMaxPool1d(1)(v[None]),
    "VirtualDatasetCellTriple": lambda v: nn.VirtualDatasetCellTriple(Three())(v, v, v),
}


class Three(nn.Cell):
    def construct(self, a, b, c):
        return a + b * c


def test_compiled_equals_pynative():
    def run(v):
        return tuple([fn(v) for fn in COMPILED.values()])

    for name, one, other in zip(COMPILED, run(S), ms.jit(run)(S), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-5, atol=1e-6, err_msg=name)
