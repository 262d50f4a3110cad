"""`mindspore.utils`: tensors in the memory of other libraries. Re-exports only."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat._tensor.storage import from_dlpack as from_dlpack
from ms_compat._tensor.storage import to_dlpack as to_dlpack

__all__ = ["from_dlpack", "to_dlpack"]
__getattr__ = unsupported_getattr(__name__)
