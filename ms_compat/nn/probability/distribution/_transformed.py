"""`TransformedDistribution` - a bijector applied to a distribution - and the two that MindSpore builds from it."""

from __future__ import annotations

from typing import Any

from ms_compat import ops
from ms_compat._core import dtype as mstype
from ms_compat._core.errors import check_type, type_error
from ms_compat._core.faces import faces
from ms_compat.nn.probability import _parameters
from ms_compat.nn.probability import bijector as bijectors
from ms_compat.nn.probability.distribution import _formulas
from ms_compat.nn.probability.distribution._base import FLOATS, Distribution, check_dtype
from ms_compat.nn.probability.distribution._parametric import Family, _sample_shape
from ms_compat.nn.probability.distribution.families import Normal, Uniform, _LocationScale


@faces("nn.probability.distribution")
class TransformedDistribution(Distribution):
    """The distribution of g(X), for a bijector g and the distribution of X.

    Args:
        bijector (Bijector): g, increasing.
        distribution (Distribution): of a float type.
        seed (int): seed of the samples; None takes the distribution's.
        name (str): the instance's name.

    Raises:
        TypeError: an argument of a wrong type, or a distribution of integers.

    >>> import ms_compat as ms
    >>> from ms_compat.nn.probability import bijector, distribution
    >>> made = distribution.TransformedDistribution(bijector.Exp(), distribution.Normal(0.0, 1.0))
    >>> print(made.cdf(ms.Tensor([1.0])))
    [0.5]
    """

    def __init__(self, bijector, distribution, seed=None, name="transformed_distribution"):
        api = "TransformedDistribution"
        check_type(api, "bijector", bijector, bijectors.Bijector)
        check_type(api, "distribution", distribution, Distribution)
        check_dtype(api, distribution.dtype, FLOATS)
        param = {"bijector": bijector, "distribution": distribution, "seed": seed, "name": name}
        super().__init__(seed, distribution.dtype, name, param)
        self._bijector = bijector
        self._distribution = distribution
        self._set(
            _is_linear_transformation=bijector.is_constant_jacobian,
            _batch_shape=distribution.batch_shape,
            _broadcast_shape=distribution.broadcast_shape,
            _is_scalar_batch=distribution.is_scalar_batch and bijector.is_scalar_batch,
            parameter_type=distribution.parameter_type,
            default_parameters=distribution.default_parameters,
            parameter_names=distribution.parameter_names,
        )

    @property
    def bijector(self):
        """The bijector."""
        return self._bijector

    @property
    def distribution(self):
        """The distribution before the transformation."""
        return self._distribution

    @property
    def is_linear_transformation(self):
        """Whether the bijector's derivative is constant."""
        return self._is_linear_transformation

    def _log_prob(self, value, *args, **kwargs):
        before = self._bijector.inverse(value)
        return self._distribution.log_prob(before, *args, **kwargs) + self._bijector.inverse_log_jacobian(value)

    def _prob(self, value, *args, **kwargs):
        return ops.exp(self._log_prob(value, *args, **kwargs))

    def _cdf(self, value, *args, **kwargs):
        return self._distribution.cdf(self._bijector.inverse(value), *args, **kwargs)

    def _mean(self, *args, **kwargs):
        if not self._is_linear_transformation:
            raise ValueError(f"For '{self._name}', the mean is only known for a linear bijector.")
        return self._bijector.forward(self._distribution.mean(*args, **kwargs))

    def _sample(self, shape=(), *args, **kwargs):
        _sample_shape(self._name, shape)
        return self._bijector.forward(self._distribution.sample(shape, *args, **kwargs))


class _Transformed(TransformedDistribution, _LocationScale):
    """A family with formulas of its own that is a TransformedDistribution, too."""

    def _begin(self, bijector: Any, distribution: Any, seed: Any, name: Any, dtype: Any, **given: Any) -> None:
        TransformedDistribution.__init__(self, bijector, distribution, seed, name)
        self._reset_parameters()
        self._set(parameter_type=_parameters.common_type(given, dtype))
        self._set_shapes(given)
        self._take(given)


@faces("nn.probability.distribution")
class LogNormal(_Transformed):
    """The distribution of exp(X) for a normal X.

    Args:
        loc: expectation of X.
        scale: standard deviation of X, > 0.
        seed, dtype, name: see `families`.
    """

    _family = Family("LogNormal", _formulas.LOG_NORMAL, {"loc": None, "scale": _parameters.positive}, ("loc", "scale"))

    def __init__(self, loc=None, scale=None, seed=0, dtype=mstype.float32, name="LogNormal"):
        self._begin(bijectors.Exp(), Normal(loc, scale, dtype=dtype), seed, name, dtype, loc=loc, scale=scale)

    def _check_value(self, value, name):
        return self._bijector._check_value(value, name)


@faces("nn.probability.distribution")
class Gumbel(_Transformed):
    """The Gumbel distribution of maxima.

    Args:
        loc: location.
        scale: scale, > 0.
        seed, dtype, name: see `families`.
    """

    _family = Family("Gumbel", _formulas.GUMBEL, {"loc": None, "scale": _parameters.positive}, ("loc", "scale"))

    def __init__(self, loc, scale, seed=0, dtype=mstype.float32, name="Gumbel"):
        check_dtype("Gumbel", dtype, FLOATS)
        for key, value in (("loc", loc), ("scale", scale)):
            if value is None:
                raise type_error("Gumbel", key, "a number, list, numpy.ndarray or Tensor", value)
        inner = bijectors.Invert(bijectors.GumbelCDF(loc, scale))
        self._begin(inner, Uniform(0.0, 1.0, dtype=dtype), seed, name, dtype, loc=loc, scale=scale)
