"""Elementwise functions of one tensor."""

import numpy as np
import pytest

import ms_compat
import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_sinc_near_zero_and_at_integers_as_recorded():
    """MindSpore rounds at integers and has no overflow in the slope of tiny numbers."""
    x = Tensor(np.array([0, 1e-30, 1e-8, 0.5, 1, 2, -1, np.nan], np.float32))
    values = [1.0, 1.0, 1.0, 0.6366197466850281, -2.7827534054836178e-08, 2.7827534054836178e-08]
    assert np.allclose(ops.sinc(x).asnumpy()[:6], np.array(values, np.float32), rtol=1e-6, atol=0)
    slopes = [0.0, 0.0, 0.0, -1.2732396125793457, -1.0, 0.5, 1.0, np.nan]
    assert np.allclose(ms_compat.grad(ops.sinc)(x).asnumpy(), slopes, rtol=1e-6, atol=0, equal_nan=True)


def difference(function, point, along, step):
    """The derivative of a function of an array along a direction."""
    return (function(point + step * along) - function(point - step * along)) / (2 * step)


@pytest.mark.parametrize("name", ["igamma", "igammac"])
@pytest.mark.parametrize("order", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_second_order_of_the_incomplete_gamma_function(name, order, mode):
    a, x = np.array([0.5, 2.0, 8.0]), np.array([0.7, 3.0, 5.0])
    first, second = order
    function = getattr(ops, name)

    def slope(*inputs):
        return ms.grad(lambda *given: function(*given).sum(), first)(*inputs).sum()

    found = ms.grad(slope, second)(Tensor(a), Tensor(x)).asnumpy()
    for at in range(3):
        along = np.eye(3)[at]

        def moved(values):
            return float(slope(*[Tensor(v) for v in ((values, x) if second == 0 else (a, values))]))

        np.testing.assert_allclose(found[at], difference(moved, (a, x)[second], along, 1e-4), 1e-5)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_the_gradient_of_abs_is_nan_where_what_follows_is(mode):
    ms.set_context(mode=mode)
    found = ms.grad(lambda x: 1 / (ops.abs(ops.log(x)) + 0.5))(Tensor([-1.33, 1.25]))
    np.testing.assert_allclose(found.asnumpy(), [np.nan, -1.5298221], rtol=1e-5)
    assert ms.grad(ops.abs)(Tensor([np.nan, 0.0, -2.0])).asnumpy().tolist() == [0, 0, -1]
