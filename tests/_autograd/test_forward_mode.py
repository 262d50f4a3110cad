"""Forward mode: the values that Python needs, and names of transformations."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops


def test_vmap_has_an_inner_name():
    np.testing.assert_array_equal(ops._Vmap()(lambda x: x.sum())(Tensor([[1, 2], [3, 4]])).asnumpy(), [3, 7])


# -- values that Python needs in forward mode


@pytest.mark.parametrize("kind", [bool, int, float, complex])
def test_python_numbers_of_a_tensor_are_known(kind):
    x = ms.Tensor([1.5, 2.0])
    _, tangent = ms.jvp(lambda y: y * y if abs(kind(y.sum())) < 9 else y, x, ms.Tensor([1.0, 1.0]))
    assert tangent.asnumpy().tolist() == [3.0, 4.0]


class _Branches(ms.nn.Cell):
    def construct(self, y):
        for _ in range(3):
            if y.sum() > 8:
                continue
            y = y * 2
        return y


@pytest.mark.parametrize("hooked", [False, True])
def test_recomputed_cells_branch_on_values(hooked):
    net = _Branches()
    net.recompute()
    if hooked:
        net.register_backward_hook(lambda cell, gradients, outputs: None)
    out, tangent = ms.jvp(net, ms.Tensor([1.5, 2.0]), ms.Tensor([1.0, 1.0]))
    assert out.asnumpy().tolist() == [6.0, 8.0]
    assert tangent.asnumpy().tolist() == [4.0, 4.0]


# -- integers in forward mode


class _Mixed(ms.nn.Cell):
    """Integers that depend on the input, integers that do not, and floats, behind a branch on values."""

    def __init__(self, cast=True):
        super().__init__()
        self.cast = cast

    def construct(self, x):
        y = x * x
        if y.sum() > 2:
            y = y * 2
        return (y.astype(ms.int32) if self.cast else ops.ones(2, ms.int32)), y, y > 1


def _shown(values):
    return [(str(value.dtype), value.asnumpy().tolist()) for value in values]


@pytest.mark.parametrize("recomputed", [False, True])
def test_integers_behind_a_branch_have_tangents(mode, recomputed):
    net = _Mixed()
    if recomputed:
        net.recompute()
    out, tangent = ms.jvp(net, Tensor([0.5, 1.5]), Tensor([1.0, 1.0]))
    assert _shown(out) == [("Int32", [0, 4]), ("Float32", [0.5, 4.5]), ("Bool", [False, True])]
    assert _shown(tangent) == [("Int32", [2, 6]), ("Float32", [2.0, 6.0]), ("Bool", [False, False])]
    out, tangent = ms.jvp(net, Tensor([1, 2], ms.int32), Tensor([1, 1], ms.int32))
    assert _shown(out) == [("Int32", [2, 8]), ("Int32", [2, 8]), ("Bool", [True, True])]
    assert _shown(tangent) == [("Int32", [4, 8]), ("Int32", [4, 8]), ("Bool", [False, False])]


def test_a_branch_that_casts_gives_tangents(mode):
    def function(x):
        if x.sum() > 1:
            return x.int() * 3, x
        return x.int(), x * 2

    _, tangent = ms.jvp(function, Tensor([0.5, 1.5]), Tensor([1.0, 1.0]))
    assert _shown(tangent) == [("Int32", [3, 3]), ("Float32", [1.0, 1.0])]
    _, tangent = ms.jvp(function, Tensor([1, 2], ms.int32), Tensor([1, 1], ms.int32))
    assert _shown(tangent) == [("Int32", [3, 3]), ("Int32", [1, 1])]


def test_a_hooked_cell_may_return_constant_integers(mode):
    net = _Mixed(cast=False)
    net.register_backward_hook(lambda cell, gradients, outputs: None)
    out, tangent = ms.jvp(net, Tensor([0.5, 1.5]), Tensor([1.0, 1.0]))
    assert _shown(out) == [("Int32", [1, 1]), ("Float32", [0.5, 4.5]), ("Bool", [False, True])]
    assert _shown(tangent) == [("Int32", [0, 0]), ("Float32", [2.0, 6.0]), ("Bool", [False, False])]


class _WithBprop(ms.nn.Cell):
    def construct(self, x):
        return x * 3

    def bprop(self, x, out, dout):
        return (dout * 5,)


def _hooked():
    net = _Mixed()
    net.register_backward_hook(lambda cell, gradients, outputs: None)
    return net


def _doubled(x):
    while x.sum() < 20:
        x = x * 2
    return x


def _doubled_after_a_cast(x):
    y = x.int() + 1
    while y.sum() < 20:
        y = y * 2
    return y


@pytest.mark.parametrize(
    "make, value",
    [
        (_hooked, [0.5, 1.5]),
        (_hooked, [1, 2]),
        (_WithBprop, [1, 2]),
        (lambda: _doubled, [1, 2]),
        (lambda: _doubled_after_a_cast, [0.5, 1.5]),
    ],
)
def test_integers_without_a_rule_raise_instead_of_being_zero(mode, make, value):
    x = Tensor(value)
    with pytest.raises(ms.UnsupportedError, match="a derivative of integers"):
        ms.jvp(make(), x, ops.ones_like(x))


def set_by_two_indices(x):
    v = x * 1
    v[0][0] = -0.5
    return v * 1


def set_in_place_by_two_indices(x):
    v = x * 1
    v[0][0] *= 2
    return v * 1


class SetByTwoIndices(nn.Cell):
    def construct(self, x):
        return set_by_two_indices(x)


@pytest.mark.parametrize(
    ("function", "first", "slope"),
    [(set_by_two_indices, -0.5, 0.0), (SetByTwoIndices(), -0.5, 0.0), (set_in_place_by_two_indices, 2.0, 2.0)],
)
def test_a_write_by_two_indices_is_seen_in_transformations(mode, function, first, slope):
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    value = [[first, 2.0], [3.0, 4.0]]
    slopes = [[slope, 1.0], [1.0, 1.0]]
    out, tangent = ms.jvp(function, x, ops.ones_like(x))
    np.testing.assert_allclose(out.asnumpy(), value)
    np.testing.assert_allclose(tangent.asnumpy(), slopes)
    np.testing.assert_allclose(ms.vmap(function)(ops.stack((x, x))).asnumpy(), [value, value])
    for jacobian in (ms.jacfwd, ms.jacrev):
        got = jacobian(function)(x).asnumpy().reshape(4, 4)
        np.testing.assert_allclose(got, np.diag(np.ravel(slopes)))
    np.testing.assert_allclose(ms.grad(lambda x: ms.jvp(function, x, x)[0].sum())(x).asnumpy(), slopes)
