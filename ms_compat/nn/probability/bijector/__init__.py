"""`mindspore.nn.probability.bijector`: invertible mappings, and the logarithms of their derivatives."""

from __future__ import annotations

from ms_compat._names.absent import unsupported_getattr
from ms_compat.nn.probability.bijector._base import Bijector as Bijector
from ms_compat.nn.probability.bijector.mappings import Exp as Exp
from ms_compat.nn.probability.bijector.mappings import GumbelCDF as GumbelCDF
from ms_compat.nn.probability.bijector.mappings import Invert as Invert
from ms_compat.nn.probability.bijector.mappings import PowerTransform as PowerTransform
from ms_compat.nn.probability.bijector.mappings import ScalarAffine as ScalarAffine
from ms_compat.nn.probability.bijector.mappings import Softplus as Softplus

__getattr__ = unsupported_getattr(__name__)
