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
from ms_compat.runtime.limits import StreamLimitCtx as StreamLimitCtx
from ms_compat.runtime.limits import get_device_limit as get_device_limit
from ms_compat.runtime.limits import get_stream_limit as get_stream_limit
from ms_compat.runtime.limits import reset_stream_limit as reset_stream_limit
from ms_compat.runtime.limits import set_device_limit as set_device_limit
from ms_compat.runtime.limits import set_stream_limit as set_stream_limit
from ms_compat.runtime.memory_pools import MemPool as MemPool
from ms_compat.runtime.memory_pools import PluggableAllocator as PluggableAllocator
from ms_compat.runtime.memory_pools import memory_replay as memory_replay
from ms_compat.runtime.memory_pools import use_mem_pool as use_mem_pool
from ms_compat.runtime.settings import dispatch_threads_num as dispatch_threads_num
from ms_compat.runtime.settings import set_cpu_affinity as set_cpu_affinity
from ms_compat.runtime.settings import set_kernel_launch_capture as set_kernel_launch_capture
from ms_compat.runtime.settings import set_kernel_launch_group as set_kernel_launch_group
from ms_compat.runtime.settings import set_memory as set_memory

__all__ = [
    "Event",
    "MemPool",
    "PluggableAllocator",
    "Stream",
    "StreamCtx",
    "StreamLimitCtx",
    "communication_stream",
    "current_stream",
    "default_stream",
    "dispatch_threads_num",
    "empty_cache",
    "get_device_limit",
    "get_stream_limit",
    "launch_blocking",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_replay",
    "memory_reserved",
    "memory_stats",
    "memory_summary",
    "reset_max_memory_allocated",
    "reset_max_memory_reserved",
    "reset_peak_memory_stats",
    "reset_stream_limit",
    "set_cpu_affinity",
    "set_cur_stream",
    "set_device_limit",
    "set_kernel_launch_capture",
    "set_kernel_launch_group",
    "set_memory",
    "set_stream_limit",
    "synchronize",
    "use_mem_pool",
]

__getattr__ = unsupported_getattr(__name__)
