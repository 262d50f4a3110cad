"""The families of distributions; formulas are in `_formulas.py`.

Every parameter is a number, list, numpy array, Tensor or Parameter, or None if it comes with each call. Everywhere
`seed` (int) seeds the samples, `dtype` is their type, and `name` names the instance; a wrong type raises `TypeError`, a
parameter out of its range `ValueError`.
"""

from __future__ import annotations

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import value_error
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import Tracer
from ms_compat.nn.probability import _parameters as rules
from ms_compat.nn.probability.distribution import _formulas
from ms_compat.nn.probability.distribution._parametric import Family, Parametric


@faces("nn.probability.distribution")
class Normal(Parametric):
    """The normal distribution.

    Args:
        mean: expectation.
        sd: standard deviation, > 0.
        seed, dtype, name: see the module.

    >>> import ms_compat as ms
    >>> normal = ms.nn.probability.distribution.Normal(1.0, 2.0)
    >>> print(normal.entropy(), normal)
    2.1120858 Normal(mean = 1.0, standard deviation = 2.0)
    """

    _family = Family("Normal", _formulas.NORMAL, {"mean": None, "sd": rules.positive}, ("mean", "standard deviation"))

    def __init__(self, mean=None, sd=None, seed=None, dtype=mstype.float32, name="Normal"):
        self._start(seed, dtype, name, mean=mean, sd=sd)


@faces("nn.probability.distribution")
class Uniform(Parametric):
    """The uniform distribution on [low, high].

    Args:
        low, high: the ends; low < high.
        seed, dtype, name: see the module.
    """

    _family = Family("Uniform", _formulas.UNIFORM, {"low": None, "high": None}, ("low", "high"))

    def __init__(self, low=None, high=None, seed=None, dtype=mstype.float32, name="Uniform"):
        self._start(seed, dtype, name, low=low, high=high)
        first, last = self.default_parameters
        if first is not None and last is not None and not isinstance(first._v, Tracer):
            if not (first.asnumpy() < last.asnumpy()).all():
                raise value_error("Uniform", "low", "less than 'high'", first.asnumpy())

    @property
    def low(self):
        """The lower end."""
        return self._low_value

    @property
    def high(self):
        """The upper end."""
        return self._high_value


@faces("nn.probability.distribution")
class Exponential(Parametric):
    """The exponential distribution.

    Args:
        rate: inverse of the mean, > 0.
        seed, dtype, name: see the module.
    """

    _family = Family("Exponential", _formulas.EXPONENTIAL, {"rate": rules.positive}, ("rate",))

    def __init__(self, rate=None, seed=None, dtype=mstype.float32, name="Exponential"):
        self._start(seed, dtype, name, rate=rate)

    @property
    def rate(self):
        """The inverse of the mean."""
        return self._rate_value


class _LocationScale(Parametric):
    """What the families of a location and a scale share."""

    @property
    def loc(self):
        """The location."""
        return self._loc_value

    @property
    def scale(self):
        """The scale."""
        return self._scale_value


@faces("nn.probability.distribution")
class Logistic(_LocationScale):
    """The logistic distribution.

    Args:
        loc: location.
        scale: scale, > 0.
        seed, dtype, name: see the module.
    """

    _family = Family("Logistic", _formulas.LOGISTIC, {"loc": None, "scale": rules.positive}, ("location", "scale"))

    def __init__(self, loc=None, scale=None, seed=None, dtype=mstype.float32, name="Logistic"):
        self._start(seed, dtype, name, loc=loc, scale=scale)


@faces("nn.probability.distribution")
class Cauchy(_LocationScale):
    """The Cauchy distribution, which has neither mean nor variance: `ValueError`.

    Args:
        loc: location.
        scale: scale, > 0.
        seed, dtype, name: see the module.
    """

    _family = Family("Cauchy", _formulas.CAUCHY, {"loc": None, "scale": rules.positive}, ("location", "scale"))

    def __init__(self, loc=None, scale=None, seed=None, dtype=mstype.float32, name="Cauchy"):
        self._start(seed, dtype, name, loc=loc, scale=scale)

    def _mean(self, *args, **kwargs):
        raise ValueError("The mean of the Cauchy distribution is undefined.")

    def _sd(self, *args, **kwargs):
        raise ValueError("The standard deviation of the Cauchy distribution is undefined.")

    def _var(self, *args, **kwargs):
        raise ValueError("The variance of the Cauchy distribution is undefined.")


@faces("nn.probability.distribution")
class Beta(Parametric):
    """The beta distribution.

    Args:
        concentration1: power of the value, plus 1; > 0, no scalar.
        concentration0: power of 1 less the value, plus 1; > 0, no scalar.
        seed, dtype, name: see the module.
    """

    _family = Family(
        "Beta",
        _formulas.BETA,
        {"concentration1": rules.array_positive, "concentration0": rules.array_positive},
        ("concentration1", "concentration0"),
    )

    def __init__(self, concentration1=None, concentration0=None, seed=None, dtype=mstype.float32, name="Beta"):
        self._start(seed, dtype, name, concentration1=concentration1, concentration0=concentration0)

    @property
    def concentration1(self):
        """The power of the value, plus 1."""
        return self._concentration1_value

    @property
    def concentration0(self):
        """The power of 1 less the value, plus 1."""
        return self._concentration0_value


@faces("nn.probability.distribution")
class Gamma(Parametric):
    """The gamma distribution.

    Args:
        concentration: shape, > 0, no scalar.
        rate: inverse scale, > 0, no scalar.
        seed, dtype, name: see the module.
    """

    _family = Family(
        "Gamma",
        _formulas.GAMMA,
        {"concentration": rules.array_positive, "rate": rules.array_positive},
        ("concentration", "rate"),
    )

    def __init__(self, concentration=None, rate=None, seed=None, dtype=mstype.float32, name="Gamma"):
        self._start(seed, dtype, name, concentration=concentration, rate=rate)

    @property
    def concentration(self):
        """The shape."""
        return self._concentration_value

    @property
    def rate(self):
        """The inverse scale."""
        return self._rate_value


@faces("nn.probability.distribution")
class HalfNormal(Parametric):
    """The upper half of a normal distribution; it has `prob` and `log_prob`.

    Args:
        mean: where it begins.
        sd: standard deviation of the whole, > 0.
        seed, dtype, name: see the module.
    """

    _family = Family("HalfNormal", _formulas.HALF_NORMAL, {"mean": None, "sd": rules.positive})

    def __init__(self, mean=None, sd=None, seed=None, dtype=mstype.float32, name="HalfNormal"):
        self._start(seed, dtype, name, mean=mean, sd=sd)


@faces("nn.probability.distribution")
class Laplace(Parametric):
    """The Laplace distribution; it has `prob` and `log_prob`.

    Args:
        mean: expectation.
        sd: scale (as in MindSpore not the standard deviation), > 0.
        seed, dtype, name: see the module.
    """

    _family = Family("Laplace", _formulas.LAPLACE, {"mean": None, "sd": rules.positive})

    def __init__(self, mean=None, sd=None, seed=None, dtype=mstype.float32, name="Laplace"):
        self._start(seed, dtype, name, mean=mean, sd=sd)


@faces("nn.probability.distribution")
class StudentT(Parametric):
    """Student's t distribution; it has `prob` and `log_prob`.

    Args:
        df: degrees of freedom, > 0.
        mean: location.
        sd: scale, > 0.
        seed, dtype, name: see the module.
    """

    _family = Family("StudentT", _formulas.STUDENT_T, {"df": rules.positive, "mean": None, "sd": rules.positive})

    def __init__(self, df=None, mean=None, sd=None, seed=None, dtype=mstype.float32, name="StudentT"):
        self._start(seed, dtype, name, df=df, mean=mean, sd=sd)


class _Counted(Parametric):
    """What the discrete families with probabilities share."""

    @property
    def probs(self):
        """The probabilities."""
        return self._probs_value


@faces("nn.probability.distribution")
class Bernoulli(_Counted):
    """The Bernoulli distribution: 1 with probability `probs`, else 0.

    Args:
        probs: probability of 1, between 0 and 1; called `probs1` as an argument of a quantity.
        seed, dtype, name: see the module; the type may be an integer's.
    """

    _family = Family(
        "Bernoulli",
        _formulas.BERNOULLI,
        {"probs": rules.probability},
        ("probs",),
        ("probs1",),
        discrete=True,
        typed=("mode",),
    )

    def __init__(self, probs=None, seed=None, dtype=mstype.int32, name="Bernoulli"):
        self._start(seed, dtype, name, probs=probs)


@faces("nn.probability.distribution")
class Geometric(_Counted):
    """The number of failures before the first success.

    Args:
        probs: probability of a success, between 0 and 1; called `probs1` as an argument of a quantity.
        seed, dtype, name: see the module; the type may be an integer's.
    """

    _family = Family(
        "Geometric",
        _formulas.GEOMETRIC,
        {"probs": rules.probability},
        ("probs",),
        ("probs1",),
        discrete=True,
        typed=("mode",),
    )

    def __init__(self, probs=None, seed=None, dtype=mstype.int32, name="Geometric"):
        self._start(seed, dtype, name, probs=probs)


@faces("nn.probability.distribution")
class Poisson(Parametric):
    """The Poisson distribution.

    Args:
        rate: expectation, > 0, no scalar.
        seed, dtype, name: see the module; the type may be an integer's.
    """

    _family = Family("Poisson", _formulas.POISSON, {"rate": rules.array_positive}, ("rate",), discrete=True)

    def __init__(self, rate=None, seed=None, dtype=mstype.float32, name="Poisson"):
        self._start(seed, dtype, name, rate=rate)

    @property
    def rate(self):
        """The expectation."""
        return self._rate_value


@faces("nn.probability.distribution")
class Categorical(_Counted):
    """The categorical distribution over 0, 1, ..., k - 1.

    Args:
        probs: probabilities, in the last axis; they sum to 1.
        seed, dtype, name: see the module; the type may be an integer's.
    """

    _family = Family(
        "Categorical",
        _formulas.CATEGORICAL,
        {"probs": rules.categories},
        ("probs",),
        discrete=True,
        typed=("mode",),
    )

    def __init__(self, probs=None, seed=None, dtype=mstype.int32, name="Categorical"):
        self._start(seed, dtype, name, probs=probs)
        if probs is not None:
            rows = self.default_parameters[0].shape[:-1]
            self._set(_broadcast_shape=rows, _is_scalar_batch=not rows)
