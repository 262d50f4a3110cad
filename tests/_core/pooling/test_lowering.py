"""The gradient of maximum pooling as another program: the bits are XLA's, whatever transforms it."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import nn, ops
from tests import processes
from tests._core.pooling.values import CASES


def test_bits_are_xlas_for_every_transformation():
    """In a process of its own: another lowering of JAX's primitive stays for the life of a process."""
    told = processes.told("-m", "tests._core.pooling.values", MS_COMPAT_CACHE="0")
    assert told["cases"] == 6 * len(CASES)
    assert told["different"] == []
    before, after = told["scatters"]
    assert before >= told["cases"]
    assert after == 0
    kept = ("a window of 65", "bfloat16", "float16", "empty", "two devices", "exported")
    assert told["left"] == dict.fromkeys(kept, 1)


@pytest.mark.parametrize(
    ("pool", "shape"),
    [
        (nn.MaxPool1d(3, 2), (2, 3, 9)),
        (nn.MaxPool2d(2, 2), (2, 3, 7, 8)),
        (nn.MaxPool2d(3, 2, pad_mode="same"), (2, 3, 7, 8)),
        (nn.MaxPool2d(3, 2, pad_mode="pad", padding=1, ceil_mode=True), (2, 3, 8, 8)),
        (nn.MaxPool2d(3, 2, pad_mode="pad", padding=1, return_indices=True), (2, 3, 8, 8)),
        (nn.MaxPool3d(2, 2), (2, 3, 4, 5, 6)),
        (nn.AdaptiveMaxPool2d(2), (2, 3, 6, 8)),
        (ops.MaxPoolWithArgmax(2, 2), (2, 3, 6, 8)),
    ],
    ids=lambda value: type(value).__name__ if callable(value) else "",
)
def test_layers(pool, shape):
    """A cotangent of 1 goes to the first of each window's largest elements."""
    random = np.random.RandomState(0)
    x = ms.Tensor(random.randint(0, 4, shape).astype(np.float32))

    def total(x):
        out = pool(x)
        return (out[0] if isinstance(out, tuple) else out).sum()

    found = ms.jit(ms.grad(total))(x).asnumpy()
    eager = ms.grad(total)(x).asnumpy()
    np.testing.assert_array_equal(found, eager)
    value = float(total(x).asnumpy())
    assert float((found * x.asnumpy()).sum()) == value
    assert (found != 0).any()
