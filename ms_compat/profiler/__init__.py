"""`mindspore.profiler`: `Profiler` on top of `jax.profiler`. Re-exports only."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.profiler.environment import EnvProfiler as EnvProfiler
from ms_compat.profiler.profiling import AicoreMetrics as AicoreMetrics
from ms_compat.profiler.profiling import ExportType as ExportType
from ms_compat.profiler.profiling import HostSystem as HostSystem
from ms_compat.profiler.profiling import Profiler as Profiler
from ms_compat.profiler.profiling import ProfilerActivity as ProfilerActivity
from ms_compat.profiler.profiling import ProfilerLevel as ProfilerLevel
from ms_compat.profiler.steps import ProfilerAction as ProfilerAction
from ms_compat.profiler.steps import _ExperimentalConfig as _ExperimentalConfig
from ms_compat.profiler.steps import mstx as mstx
from ms_compat.profiler.steps import profile as profile
from ms_compat.profiler.steps import schedule as schedule
from ms_compat.profiler.steps import tensorboard_trace_handler as tensorboard_trace_handler

__getattr__ = unsupported_getattr(__name__)
