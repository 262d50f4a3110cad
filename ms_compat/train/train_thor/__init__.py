"""`mindspore.train.train_thor`: training with the optimizer THOR."""

from ms_compat.train.train_thor.convert_utils import ConvertModelUtils as ConvertModelUtils
from ms_compat.train.train_thor.convert_utils import ConvertNetUtils as ConvertNetUtils
