"""`mindspore.utils.dlpack`: tensors in the memory of other libraries."""

from ms_compat._tensor.storage import from_dlpack as from_dlpack
from ms_compat._tensor.storage import to_dlpack as to_dlpack

__all__ = ["from_dlpack", "to_dlpack"]
