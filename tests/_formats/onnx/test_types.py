"""Types that ONNX Runtime has no kernel for are computed in others, with the same bits."""

import numpy as np
import pytest

from ms_compat import Tensor, ops
from tests._formats.mindir.nets import Of
from tests._formats.onnx_files import check

FUNCTIONS = {
    "arithmetic": lambda x: (x + x * x - x, -x, ops.abs(x), x // 2),
    "order": lambda x: (ops.maximum(x, x[::-1]), ops.sort(x)[0], x.max(), x > 1, x.argmax()),
    "sums": lambda x: (ops.cumsum(x, 0), x.sum(), ops.reduce_max(x)),
    "places": lambda x: (ops.where(x > 1, x, x * 3), ops.pad(x, (1, 2)), x[1:], ops.tile(x, (2,))),
}


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64", "float16", "float32"])
def test_every_type_of_number(function, dtype, session):
    net = Of(FUNCTIONS[function])
    x = Tensor(np.asarray([3, 100, 0, 1, 120], np.float32).astype(dtype))
    check(session(net, x), net, x)


def test_truth_values(session):
    net = Of(lambda x: (~x, x & x[::-1], x | x, ops.pad(x, (1, 2)), x.any(), ops.where(x, x, ~x), x[1:]))
    x = Tensor(np.asarray([True, False, True, True]))
    check(session(net, x), net, x)
