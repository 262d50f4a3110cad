"""Transformations of functions that return a Parameter, or something that their inputs do not reach."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops

X = [1.9, 2.9, 3.9]


class Alone(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([0.5]), name="w")

    def construct(self, x):
        return self.w


class Beside(Alone):
    def construct(self, x):
        return x * 2, self.w


def x():
    return Tensor(np.array(X), ms.float32)


def values(out):
    assert type(out) is Tensor
    return np.round(out.asnumpy().astype(float), 4).tolist()


def test_jvp(mode):
    out, tangent = ms.jvp(Alone(), x(), x())
    assert (values(out), values(tangent)) == ([0.5], [0.0])
    (first, second), (of_first, of_second) = ms.jvp(Beside(), x(), x())
    assert values(second) == [0.5]
    assert values(of_second) == [0.0]
    assert values(first) == values(of_first) == [3.8, 5.8, 7.8]


def test_jacobians(mode):
    for transform in (ms.jacfwd, ms.jacrev):
        assert values(transform(Alone())(x())) == [[0.0, 0.0, 0.0]]


def test_linearize(mode):
    out, tangents = ops.linearize(Alone(), x())
    assert (values(out), values(tangents(x()))) == ([0.5], [0.0])


def test_vmap_repeats_what_is_the_same_for_all_slices(mode):
    assert values(ms.vmap(Alone())(x())) == [[0.5], [0.5], [0.5]]
    first, second = ms.vmap(Beside())(x())
    assert values(first) == [3.8, 5.8, 7.8]
    assert values(second) == [[0.5], [0.5], [0.5]]


def test_vmap_gives_once_what_is_the_same_for_all_slices(mode):
    first, second = ms.vmap(Beside(), 0, (0, None))(x())
    assert values(first) == [3.8, 5.8, 7.8]
    assert values(second) == [0.5]


@pytest.mark.parametrize("axes", [None, (None, None), (None, 0)])
def test_vmap_refuses_to_take_one_slice_for_all(mode, axes):
    with pytest.raises(RuntimeError, match="out_axes' of 'vmap' cannot be|source is not None and dst is None"):
        ms.vmap(Beside(), 0, axes)(x())
