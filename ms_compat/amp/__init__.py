"""`mindspore.amp`: mixed precision and loss scaling. Re-exports only."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.amp.loss_scaler import DynamicLossScaler as DynamicLossScaler
from ms_compat.amp.loss_scaler import LossScaler as LossScaler
from ms_compat.amp.loss_scaler import StaticLossScaler as StaticLossScaler
from ms_compat.amp.loss_scaler import all_finite as all_finite
from ms_compat.train.amp import auto_mixed_precision as auto_mixed_precision
from ms_compat.train.amp import build_train_network as build_train_network
from ms_compat.train.amp import custom_mixed_precision as custom_mixed_precision
from ms_compat.train.amp import get_black_list as get_black_list
from ms_compat.train.amp import get_white_list as get_white_list
from ms_compat.train.loss_scale_manager import DynamicLossScaleManager as DynamicLossScaleManager
from ms_compat.train.loss_scale_manager import FixedLossScaleManager as FixedLossScaleManager
from ms_compat.train.loss_scale_manager import LossScaleManager as LossScaleManager

__getattr__ = unsupported_getattr(__name__)
