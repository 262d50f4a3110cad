"""Marks of Tensors and Parameters."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor

X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)


def test_marks_of_a_tensor():
    x = Tensor(X)
    x.set_init_flag(True)
    assert x.is_init() and x.init_flag
    p = Parameter(Tensor(X))
    p.requires_grad_(False)
    assert p.requires_grad is False and not p.init_flag and p.param_info.obj is p


def test_the_shape_of_a_cache_is_what_was_set():
    first, second = (ms.Parameter(ms.Tensor([1.0]), name=name) for name in "ab")
    first.cache_shape = [1, 2]
    assert (first.cache_shape, second.cache_shape) == ([1, 2], [])


@pytest.mark.parametrize(
    ("prefix", "error"),
    [("", ValueError), (".a", ValueError), ("a b", ValueError), ("a-b", ValueError), (3, TypeError), (None, TypeError)],
)
def test_a_prefix_of_clones_consists_of_names_and_dots(prefix, error):
    weights = ms.ParameterTuple([Parameter(Tensor([1.0]), name="w")])
    with pytest.raises(error):
        weights.clone(prefix)
    assert [copied.name for copied in weights.clone("a.b_1.")] == ["a.b_1..w"]
