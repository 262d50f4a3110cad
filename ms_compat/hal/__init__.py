"""`mindspore.hal`: devices, their memory, streams and events."""

from ms_compat._core.settings.memory import empty_cache as empty_cache
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
from ms_compat.hal.devices import device_count as device_count
from ms_compat.hal.devices import get_arch_list as get_arch_list
from ms_compat.hal.devices import get_device_capability as get_device_capability
from ms_compat.hal.devices import get_device_name as get_device_name
from ms_compat.hal.devices import get_device_properties as get_device_properties
from ms_compat.hal.devices import is_available as is_available
from ms_compat.hal.devices import is_initialized as is_initialized

__all__ = [
    "Event",
    "Stream",
    "StreamCtx",
    "communication_stream",
    "current_stream",
    "default_stream",
    "device_count",
    "empty_cache",
    "get_arch_list",
    "get_device_capability",
    "get_device_name",
    "get_device_properties",
    "is_available",
    "is_initialized",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "memory_summary",
    "reset_max_memory_allocated",
    "reset_max_memory_reserved",
    "reset_peak_memory_stats",
    "set_cur_stream",
    "synchronize",
]

__getattr__ = unsupported_getattr(__name__)
