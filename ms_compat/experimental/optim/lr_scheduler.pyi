# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from typing import Any

from ms_compat.experimental.optim._composed import ReduceLROnPlateau as ReduceLROnPlateau
from ms_compat.experimental.optim._composed import SequentialLR as SequentialLR
from ms_compat.experimental.optim._cycles import CosineAnnealingWarmRestarts as CosineAnnealingWarmRestarts
from ms_compat.experimental.optim._cycles import CyclicLR as CyclicLR
from ms_compat.experimental.optim._scheduler_base import LRScheduler as LRScheduler
from ms_compat.experimental.optim._schedules import ConstantLR as ConstantLR
from ms_compat.experimental.optim._schedules import CosineAnnealingLR as CosineAnnealingLR
from ms_compat.experimental.optim._schedules import ExponentialLR as ExponentialLR
from ms_compat.experimental.optim._schedules import LambdaLR as LambdaLR
from ms_compat.experimental.optim._schedules import LinearLR as LinearLR
from ms_compat.experimental.optim._schedules import MultiStepLR as MultiStepLR
from ms_compat.experimental.optim._schedules import MultiplicativeLR as MultiplicativeLR
from ms_compat.experimental.optim._schedules import PolynomialLR as PolynomialLR
from ms_compat.experimental.optim._schedules import StepLR as StepLR
