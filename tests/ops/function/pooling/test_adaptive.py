"""Pooling to a given size."""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ms_compat import Tensor
from ms_compat._core.compiled import residuals
from ms_compat.ops.function.pooling import fractional
from ms_compat.ops.function.pooling.adaptive import max_to
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for inner in residuals._inner(eqn):
            yield from equations(inner)


def scattered(function, *shapes):
    """How many numbers a function's gradient scatters."""
    values = [jnp.arange(math.prod(shape), dtype=np.float32).reshape(shape) for shape in shapes]
    jaxpr = jax.make_jaxpr(jax.grad(lambda *args: function(*args).sum()))(*values)
    found = [eqn for eqn in equations(jaxpr.jaxpr) if eqn.primitive.name == "scatter-add"]
    return sum(eqn.invars[2].aval.size for eqn in found)


@pytest.mark.parametrize("size, target", [((30,), (7,)), ((30, 9), (7, 4)), ((6, 30, 9), (4, 7, 4)), ((2, 3), (4, 5))])
def test_a_gradient_scatters_one_number_for_each_window(size, target):
    def maxima(x):
        return max_to(x, target)[0]

    assert scattered(maxima, (2, 3, *size)) == 6 * math.prod(target)


@pytest.mark.parametrize("kernel, target", [((3, 2), (4, 5)), ((3, 2, 2), (2, 3, 2))])
def test_a_gradient_of_a_fractional_pool_does_so_too(kernel, target):
    pool = {2: fractional.primitive(2), 3: fractional.primitive(3)}[len(kernel)]

    def maxima(x, samples):
        return pool(Tensor(x), Tensor(samples), kernel, target)[0]._v

    assert scattered(maxima, (2, 3, *[9] * len(kernel)), (2, 3, len(kernel))) == 6 * math.prod(target)


def test_of_equal_elements_and_of_nan_the_first_gets_the_gradient_and_derivatives_repeat():
    x = np.array([[1, 2, 2], [2, np.nan, np.nan], [-np.inf, -np.inf, -np.inf]], np.float32)

    def maxima(x):
        return max_to(x[None], (2, 2))

    values, places = maxima(x)
    np.testing.assert_array_equal(values[0], np.full((2, 2), np.nan))
    np.testing.assert_array_equal(places[0], [[4, 4], [4, 4]])
    values, places = maxima(np.nan_to_num(x, nan=2.0, neginf=-np.inf))
    np.testing.assert_array_equal(places[0], [[1, 1], [3, 4]])
    gradient = jax.grad(lambda x: (maxima(x)[0] * np.array([[1.0, 2], [3, 4]])).sum())
    np.testing.assert_array_equal(gradient(np.nan_to_num(x, nan=2.0)), [[0, 3, 0], [3, 4, 0], [0, 0, 0]])
    lowest = np.full((3, 3), -np.inf, np.float32)
    np.testing.assert_array_equal(gradient(lowest), [[1, 2, 0], [3, 4, 0], [0, 0, 0]])
    second = jax.hessian(lambda x: (maxima(x)[0] ** 2).sum())(np.nan_to_num(x, nan=2.0)).reshape(9, 9)
    np.testing.assert_array_equal(second, np.diag([0, 4, 0, 2, 2, 0, 0, 0, 0]))
