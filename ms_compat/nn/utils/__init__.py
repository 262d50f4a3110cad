"""`mindspore.nn.utils`: networks whose Parameters are not initialised. Re-exports only."""

from ms_compat._core.absent import unsupported_getattr
from ms_compat._core.blank import no_init_parameters as no_init_parameters

__all__ = ["no_init_parameters"]
__getattr__ = unsupported_getattr(__name__)
