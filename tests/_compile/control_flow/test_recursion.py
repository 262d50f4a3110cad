"""Recursion that a Tensor's value does not end, in compiled functions."""

import pytest

import ms_compat as ms
from ms_compat import Tensor


@ms.jit
def endless(x):
    if x > 0:
        return endless(x - 1)
    return endless(x + 1)


def test_is_a_runtime_error():
    """As in MindSpore, whose compiler finds no branch that ends."""
    with pytest.raises(RuntimeError, match="infinite recursion or an endless loop") as caught:
        endless(Tensor([5], ms.int32))
    assert caught.type is RuntimeError
