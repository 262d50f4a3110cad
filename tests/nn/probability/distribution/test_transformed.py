"""Transformed distributions."""

import numpy as np
import pytest

from ms_compat import Tensor
from ms_compat.nn.probability import bijector as msb
from ms_compat.nn.probability import distribution as msd
from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_a_transformed_distribution_is_the_one_it_makes():
    made = msd.TransformedDistribution(msb.Exp(), msd.Normal(0.5, 2.0), seed=3)
    wanted = msd.LogNormal(0.5, 2.0)
    assert isinstance(wanted, msd.TransformedDistribution) and not made.is_linear_transformation
    x = Tensor([0.1, 1.0, 4.0])
    for quantity in ("log_prob", "cdf", "survival_function"):
        assert np.allclose(made(quantity, x).asnumpy(), wanted(quantity, x).asnumpy(), rtol=1e-5)
    drawn = made.sample((2000,)).asnumpy()
    assert (drawn > 0).all() and abs(np.median(drawn) - np.exp(0.5)) < 0.25
    gumbel = msd.Gumbel(1.0, 2.0)
    assert isinstance(gumbel.bijector, msb.Invert) and isinstance(gumbel.distribution, msd.Uniform)
    linear = msd.TransformedDistribution(msb.ScalarAffine(2.0, 1.0), msd.Normal(3.0, 1.0))
    assert np.isclose(linear.mean().asnumpy(), 7.0) and linear.is_linear_transformation
