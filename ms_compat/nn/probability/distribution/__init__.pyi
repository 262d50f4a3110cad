# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from typing import Any

from . import families as families
from ms_compat.nn.probability.distribution._base import Distribution as Distribution
from ms_compat.nn.probability.distribution._transformed import Gumbel as Gumbel
from ms_compat.nn.probability.distribution._transformed import LogNormal as LogNormal
from ms_compat.nn.probability.distribution._transformed import TransformedDistribution as TransformedDistribution
from ms_compat.nn.probability.distribution.families import Bernoulli as Bernoulli
from ms_compat.nn.probability.distribution.families import Beta as Beta
from ms_compat.nn.probability.distribution.families import Categorical as Categorical
from ms_compat.nn.probability.distribution.families import Cauchy as Cauchy
from ms_compat.nn.probability.distribution.families import Exponential as Exponential
from ms_compat.nn.probability.distribution.families import Gamma as Gamma
from ms_compat.nn.probability.distribution.families import Geometric as Geometric
from ms_compat.nn.probability.distribution.families import HalfNormal as HalfNormal
from ms_compat.nn.probability.distribution.families import Laplace as Laplace
from ms_compat.nn.probability.distribution.families import Logistic as Logistic
from ms_compat.nn.probability.distribution.families import Normal as Normal
from ms_compat.nn.probability.distribution.families import Poisson as Poisson
from ms_compat.nn.probability.distribution.families import StudentT as StudentT
from ms_compat.nn.probability.distribution.families import Uniform as Uniform
