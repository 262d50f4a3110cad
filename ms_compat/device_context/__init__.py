"""`mindspore.device_context`: which devices there are, and their settings. Re-exports only."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.device_context import ascend as ascend
from ms_compat.device_context import cpu as cpu
from ms_compat.device_context import gpu as gpu

__all__ = ["ascend", "cpu", "gpu"]
__getattr__ = unsupported_getattr(__name__)
