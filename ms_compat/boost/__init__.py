"""`mindspore.boost`: accumulated gradients, frozen and normalized layers, steps in few dimensions. Re-exports only."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.boost.adasum import AdaSum as AdaSum
from ms_compat.boost.base import OptimizerProcess as OptimizerProcess
from ms_compat.boost.base import ParameterProcess as ParameterProcess
from ms_compat.boost.boost import AutoBoost as AutoBoost
from ms_compat.boost.boost_cell_wrapper import BoostTrainOneStepCell as BoostTrainOneStepCell
from ms_compat.boost.boost_cell_wrapper import BoostTrainOneStepWithLossScaleCell as BoostTrainOneStepWithLossScaleCell
from ms_compat.boost.dim_reduce import DimReduce as DimReduce
from ms_compat.boost.grad_accumulation import GradientAccumulation as GradientAccumulation
from ms_compat.boost.grad_freeze import FreezeOpt as FreezeOpt
from ms_compat.boost.grad_freeze import GradientFreeze as GradientFreeze
from ms_compat.boost.grad_freeze import freeze_cell as freeze_cell
from ms_compat.boost.group_loss_scale_manager import GroupLossScaleManager as GroupLossScaleManager
from ms_compat.boost.less_batch_normalization import LessBN as LessBN

__getattr__ = unsupported_getattr(__name__)
