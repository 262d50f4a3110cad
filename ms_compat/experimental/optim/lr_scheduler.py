"""`mindspore.experimental.optim.lr_scheduler`: schedulers of an optimizer's learning rates.

>>> import ms_compat as ms
>>> from ms_compat.experimental import optim
>>> optimizer = optim.SGD([ms.Parameter(ms.Tensor([1.0]), name="w")], lr=0.8)
>>> scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
>>> scheduler.step()
>>> print(scheduler.get_last_lr()[0])
0.4
"""

from __future__ import annotations

from ms_compat._names.absent import unsupported_getattr
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
from ms_compat.experimental.optim._schedules import MultiplicativeLR as MultiplicativeLR
from ms_compat.experimental.optim._schedules import MultiStepLR as MultiStepLR
from ms_compat.experimental.optim._schedules import PolynomialLR as PolynomialLR
from ms_compat.experimental.optim._schedules import StepLR as StepLR

__getattr__ = unsupported_getattr(__name__)
