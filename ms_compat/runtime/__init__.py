"""`mindspore.runtime`: memory of the current device, and settings of MindSpore's runtime, which XLA decides itself."""

from ms_compat._core.settings.memory import empty_cache as empty_cache
from ms_compat._core.settings.memory import launch_blocking as launch_blocking
from ms_compat._core.settings.memory import max_memory_allocated as max_memory_allocated
from ms_compat._core.settings.memory import max_memory_reserved as max_memory_reserved
from ms_compat._core.settings.memory import memory_allocated as memory_allocated
from ms_compat._core.settings.memory import memory_reserved as memory_reserved
from ms_compat._core.settings.memory import memory_stats as memory_stats
from ms_compat._core.settings.memory import memory_summary as memory_summary
from ms_compat._core.settings.memory import reset_peak_memory_stats as reset_max_memory_allocated
from ms_compat._core.settings.memory import reset_peak_memory_stats as reset_max_memory_reserved
from ms_compat._core.settings.memory import reset_peak_memory_stats as reset_peak_memory_stats
from ms_compat._core.settings.memory import synchronize as synchronize
from ms_compat._core.settings.streams import Event as Event
from ms_compat._core.settings.streams import Stream as Stream
from ms_compat._core.settings.streams import StreamCtx as StreamCtx
from ms_compat._core.settings.streams import communication_stream as communication_stream
from ms_compat._core.settings.streams import current_stream as current_stream
from ms_compat._core.settings.streams import default_stream as default_stream
from ms_compat._core.settings.streams import set_cur_stream as set_cur_stream
from ms_compat._names.resolve import unsupported_getattr
from ms_compat.runtime.settings import dispatch_threads_num as dispatch_threads_num
from ms_compat.runtime.settings import set_cpu_affinity as set_cpu_affinity
from ms_compat.runtime.settings import set_kernel_launch_capture as set_kernel_launch_capture
from ms_compat.runtime.settings import set_kernel_launch_group as set_kernel_launch_group
from ms_compat.runtime.settings import set_memory as set_memory

__all__ = [
    "Event",
    "Stream",
    "StreamCtx",
    "communication_stream",
    "current_stream",
    "default_stream",
    "dispatch_threads_num",
    "empty_cache",
    "launch_blocking",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "memory_summary",
    "reset_max_memory_allocated",
    "reset_max_memory_reserved",
    "reset_peak_memory_stats",
    "set_cpu_affinity",
    "set_cur_stream",
    "set_kernel_launch_capture",
    "set_kernel_launch_group",
    "set_memory",
    "synchronize",
]

__getattr__ = unsupported_getattr(__name__)
