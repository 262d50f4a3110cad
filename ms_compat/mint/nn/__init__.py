"""`mindspore.mint.nn`: layers with PyTorch's names and defaults.

Those that are one function with settings are rows of the table in `_layers.py`.
"""

from ms_compat._names.absent import unsupported_getattr
from ms_compat.mint.nn import _layers
from ms_compat.mint.nn import functional as functional
from ms_compat.mint.nn._norm import BatchNorm1d as BatchNorm1d
from ms_compat.mint.nn._norm import BatchNorm2d as BatchNorm2d
from ms_compat.mint.nn._norm import BatchNorm3d as BatchNorm3d
from ms_compat.mint.nn._norm import GroupNorm as GroupNorm
from ms_compat.mint.nn._norm import LayerNorm as LayerNorm
from ms_compat.mint.nn._norm import SyncBatchNorm as SyncBatchNorm
from ms_compat.mint.nn._trained import Conv1d as Conv1d
from ms_compat.mint.nn._trained import Conv2d as Conv2d
from ms_compat.mint.nn._trained import Conv3d as Conv3d
from ms_compat.mint.nn._trained import ConvTranspose2d as ConvTranspose2d
from ms_compat.mint.nn._trained import Dropout as Dropout
from ms_compat.mint.nn._trained import Dropout2d as Dropout2d
from ms_compat.mint.nn._trained import Embedding as Embedding
from ms_compat.mint.nn._trained import Identity as Identity
from ms_compat.mint.nn._trained import MaxUnpool2d as MaxUnpool2d
from ms_compat.mint.nn._trained import PReLU as PReLU
from ms_compat.nn.cell import Cell as Cell
from ms_compat.nn.layer.basic import Linear as Linear

globals().update({_name: getattr(_layers, _name) for _name in _layers.NAMES})

__getattr__ = unsupported_getattr(__name__)
