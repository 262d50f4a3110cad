"""`mindspore.boost`: accumulating gradients. MindSpore's other speed-ups are not supported. Re-exports only."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.boost.grad_accumulation import GradientAccumulation as GradientAccumulation

__getattr__ = unsupported_getattr(__name__)
