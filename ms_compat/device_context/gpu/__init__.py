"""`mindspore.device_context.gpu`: GPU devices, which here are JAX's accelerators."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.device_context.gpu import device as device
from ms_compat.device_context.gpu import op_precision as op_precision
from ms_compat.device_context.gpu import op_tuning as op_tuning
from ms_compat.device_context.gpu.device import device_count as device_count
from ms_compat.device_context.gpu.device import is_available as is_available

__all__ = [
    "device",
    "device_count",
    "is_available",
    "op_precision",
    "op_tuning",
]

__getattr__ = unsupported_getattr(__name__)
