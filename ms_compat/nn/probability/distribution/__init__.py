"""`mindspore.nn.probability.distribution`.

>>> import ms_compat as ms
>>> import ms_compat.nn.probability.distribution as msd
>>> normal = msd.Normal(0.0, 1.0)
>>> print(normal.cdf(ms.Tensor([0.0])))
[0.5]
"""

from __future__ import annotations

from ms_compat._names.absent import unsupported_getattr
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

__getattr__ = unsupported_getattr(__name__)
