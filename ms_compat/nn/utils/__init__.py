"""`mindspore.nn.utils`: networks whose Parameters are not initialised. Re-exports only."""

from ms_compat._core.tensor.no_init import no_init_parameters as no_init_parameters
from ms_compat._names.resolve import unsupported_getattr

__all__ = ["no_init_parameters"]
__getattr__ = unsupported_getattr(__name__)
