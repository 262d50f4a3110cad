"""`mindspore.device_context.ascend`: Ascend devices, which here are JAX's accelerators."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.device_context.ascend import device as device
from ms_compat.device_context.ascend import op_debug as op_debug
from ms_compat.device_context.ascend import op_precision as op_precision
from ms_compat.device_context.ascend import op_tuning as op_tuning
from ms_compat.device_context.ascend.device import device_count as device_count
from ms_compat.device_context.ascend.device import is_available as is_available

__all__ = [
    "device",
    "device_count",
    "is_available",
    "op_debug",
    "op_precision",
    "op_tuning",
]

__getattr__ = unsupported_getattr(__name__)
