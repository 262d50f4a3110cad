"""`mindspore.profiler`: `Profiler` on top of `jax.profiler`. Re-exports only."""

from ms_compat._core.absent import unsupported_getattr
from ms_compat.profiler.profiling import AicoreMetrics as AicoreMetrics
from ms_compat.profiler.profiling import ExportType as ExportType
from ms_compat.profiler.profiling import Profiler as Profiler
from ms_compat.profiler.profiling import ProfilerActivity as ProfilerActivity
from ms_compat.profiler.profiling import ProfilerLevel as ProfilerLevel

__getattr__ = unsupported_getattr(__name__)
