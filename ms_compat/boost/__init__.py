"""`mindspore.boost`: accumulating gradients, groups of Parameters, normalized last layers. Re-exports only."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.boost.base import ParameterProcess as ParameterProcess
from ms_compat.boost.grad_accumulation import GradientAccumulation as GradientAccumulation
from ms_compat.boost.less_batch_normalization import LessBN as LessBN

__getattr__ = unsupported_getattr(__name__)
