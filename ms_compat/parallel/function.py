"""`mindspore.parallel.function`: `reshard`."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.parallel.shard import reshard as reshard

__all__ = ["reshard"]
__getattr__ = unsupported_getattr(__name__)
