"""Custom operations of Python functions."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops

X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)


def test_a_custom_function_must_keep_its_promise_and_needs_a_bprop():
    wrong = ops.Custom(lambda x: x.astype(np.float64), lambda shape: shape, lambda dtype: dtype)
    with pytest.raises(RuntimeError, match="promised"):
        wrong(Tensor(X))
    plain = ops.Custom(lambda x: x, lambda shape: shape, lambda dtype: dtype)
    with pytest.raises(RuntimeError, match="bprop"):
        ms.grad(lambda x: plain(x).sum())(Tensor(X))
