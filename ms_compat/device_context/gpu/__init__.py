"""`mindspore.device_context.gpu`: GPU devices, which here are JAX's accelerators."""

from ms_compat._core.absent import unsupported_getattr
from ms_compat.device_context import _settings
from ms_compat.device_context.gpu import op_precision as op_precision
from ms_compat.device_context.gpu import op_tuning as op_tuning
from ms_compat.hal import devices as _devices

__all__ = [
    "device_count",
    "is_available",
    "op_precision",
    "op_tuning",
]


def device_count() -> int:
    """Returns the number of devices; raises RuntimeError if there is none."""
    return _settings.device_count("GPU")


def is_available() -> bool:
    """Whether there is such a device."""
    return _devices.is_available("GPU")


__getattr__ = unsupported_getattr(__name__)
