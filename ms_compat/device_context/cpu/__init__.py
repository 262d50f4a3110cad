"""`mindspore.device_context.cpu`: CPU devices."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.device_context.cpu import device as device
from ms_compat.device_context.cpu import op_tuning as op_tuning
from ms_compat.device_context.cpu.device import device_count as device_count
from ms_compat.device_context.cpu.device import is_available as is_available

__all__ = [
    "device",
    "device_count",
    "is_available",
    "op_tuning",
]

__getattr__ = unsupported_getattr(__name__)
