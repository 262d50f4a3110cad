# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from typing import Any

from ms_compat.train.callback._backup_and_restore import BackupAndRestore as BackupAndRestore
from ms_compat.train.callback._callback import Callback as Callback
from ms_compat.train.callback._callback import InternalCallbackParam as InternalCallbackParam
from ms_compat.train.callback._callback import RunContext as RunContext
from ms_compat.train.callback._checkpoint import CheckpointConfig as CheckpointConfig
from ms_compat.train.callback._checkpoint import ModelCheckpoint as ModelCheckpoint
from ms_compat.train.callback._early_stop import EarlyStopping as EarlyStopping
from ms_compat.train.callback._flops_collector import FlopsUtilizationCollector as FlopsUtilizationCollector
from ms_compat.train.callback._history import History as History
from ms_compat.train.callback._lambda_callback import LambdaCallback as LambdaCallback
from ms_compat.train.callback._landscape import SummaryLandscape as SummaryLandscape
from ms_compat.train.callback._loss_monitor import LossMonitor as LossMonitor
from ms_compat.train.callback._lr_scheduler_callback import LearningRateScheduler as LearningRateScheduler
from ms_compat.train.callback._on_request_exit import OnRequestExit as OnRequestExit
from ms_compat.train.callback._reduce_lr_on_plateau import ReduceLROnPlateau as ReduceLROnPlateau
from ms_compat.train.callback._summary_collector import SummaryCollector as SummaryCollector
from ms_compat.train.callback._time_monitor import TimeMonitor as TimeMonitor
from ms_compat.train.callback._train_fault_tolerance import TrainFaultTolerance as TrainFaultTolerance
