"""`mindspore.utils`: tensors in the memory of other libraries, and simulated runs. Re-exports only."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat._tensor.storage import from_dlpack as from_dlpack
from ms_compat._tensor.storage import to_dlpack as to_dlpack
from ms_compat.utils import dryrun as dryrun

__all__ = ["dryrun", "from_dlpack", "to_dlpack"]
__getattr__ = unsupported_getattr(__name__)
