# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from typing import Any

from . import mappings as mappings
from ms_compat.nn.probability.bijector._base import Bijector as Bijector
from ms_compat.nn.probability.bijector.mappings import Exp as Exp
from ms_compat.nn.probability.bijector.mappings import GumbelCDF as GumbelCDF
from ms_compat.nn.probability.bijector.mappings import Invert as Invert
from ms_compat.nn.probability.bijector.mappings import PowerTransform as PowerTransform
from ms_compat.nn.probability.bijector.mappings import ScalarAffine as ScalarAffine
from ms_compat.nn.probability.bijector.mappings import Softplus as Softplus
