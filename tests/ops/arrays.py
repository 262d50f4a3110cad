"""Arrays for tests of operations, and their comparison with results."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat import Tensor


def generator() -> Callable[..., np.ndarray]:
    """A function of a shape that draws Float32 numbers, the same ones in every run of a file's tests."""
    state = np.random.RandomState(0)
    return lambda *shape: state.randn(*shape).astype(np.float32)


def close(got: Tensor, wanted: Any, tolerance: float = 1e-5) -> None:
    """Fail where a result has another shape than wanted, or other values."""
    wanted = wanted.asnumpy() if isinstance(wanted, Tensor) else np.asarray(wanted)
    assert tuple(got.shape) == wanted.shape
    np.testing.assert_allclose(got.asnumpy(), wanted, rtol=tolerance, atol=tolerance)
