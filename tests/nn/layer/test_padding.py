"""Padding layers: which axes, and how many."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


PADDED = [
    ("ConstantPad2d", ((0, 1), 0.5), (4,), (5,)),
    ("ConstantPad3d", ((1, 0, 0, 1), 0.5), (3, 4), (4, 5)),
    ("ConstantPad3d", ((-1, 0), 0.5), (3, 4), (3, 3)),
    ("ZeroPad2d", ((0, 1),), (2, 3, 4), (2, 3, 5)),
    ("ReflectionPad1d", (1,), (2, 2, 3, 4), (2, 2, 3, 6)),
    ("ReflectionPad1d", ((1, 0, 0, 1),), (3, 4), (4, 5)),
    ("ReflectionPad3d", ((0, 1),), (4,), (5,)),
]


@pytest.mark.parametrize(("layer", "arguments", "shape", "padded"), PADDED)
def test_paddings_of_other_axes_than_the_name_tells(mode, layer, arguments, shape, padded):
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    out = getattr(nn, layer)(*arguments)(Tensor(x))
    assert out.shape == padded
    if layer.startswith("Reflection"):
        pairs = np.array(arguments[0] if isinstance(arguments[0], tuple) else (1, 1)).reshape(-1, 2)[::-1]
        width = [(0, 0)] * (x.ndim - len(pairs)) + [tuple(pair) for pair in pairs]
        np.testing.assert_array_equal(out.asnumpy(), np.pad(x, width, mode="reflect"))


@pytest.mark.parametrize("padding", [(1, 1, 1), (1,), (1, 0, 0, 1, 1, 1)])
def test_paddings_of_too_many_axes_or_an_odd_number(padding):
    with pytest.raises(ValueError):
        nn.ConstantPad2d(padding, 0.5)
    with pytest.raises(TypeError):
        nn.ConstantPad2d((1, "b"), 0.5)


X = Tensor(np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32))


def test_replication_with_negative_padding_cuts():
    x = X[None].asnumpy()
    wanted = np.pad(x[..., 1:], ((0, 0), (0, 0), (0, 2)), mode="edge")
    np.testing.assert_array_equal(nn.ReplicationPad1d((-1, 2))(X[None]).asnumpy(), wanted)
    for net in (nn.ReplicationPad1d((-2, -1)), lambda v: ms.ops.pad(v, (-3, 0)), lambda v: ms.ops.pad(v, (-4, 0))):
        with pytest.raises(ValueError, match="leaves no element"):
            net(X[None])


def net():
    return nn.SequentialCell([nn.Dense(3, 2)])
