# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from typing import Any

from . import lr_scheduler as lr_scheduler
from . import optimizers as optimizers
from ms_compat.experimental.optim.optimizers import ASGD as ASGD
from ms_compat.experimental.optim.optimizers import Adadelta as Adadelta
from ms_compat.experimental.optim.optimizers import Adagrad as Adagrad
from ms_compat.experimental.optim.optimizers import Adam as Adam
from ms_compat.experimental.optim.optimizers import AdamW as AdamW
from ms_compat.experimental.optim.optimizers import Adamax as Adamax
from ms_compat.experimental.optim.optimizers import NAdam as NAdam
from ms_compat.experimental.optim.optimizers import RAdam as RAdam
from ms_compat.experimental.optim.optimizers import RMSprop as RMSprop
from ms_compat.experimental.optim.optimizers import Rprop as Rprop
from ms_compat.experimental.optim.optimizers import SGD as SGD
from ms_compat.mint.optim._base import Optimizer as Optimizer
