"""`mindspore.nn`: Cells, layers and losses, found by what the files that write them declare (`_core/faces.py`)."""

from ms_compat._core import faces as _faces
from ms_compat._names.resolve import unsupported_getattr as _unsupported_getattr

# Layers with PyTorch's defaults, from `mint.nn`; `mint.nn` builds on `nn`, so they are fetched at their first use.
_EXTENDED = {
    "AvgPool1dExt": "AvgPool1d", "AvgPool2dExt": "AvgPool2d", "AvgPool3dExt": "AvgPool3d", "MaxPool2dExt": "MaxPool2d",
    "L1LossExt": "L1Loss", "LayerNormExt": "LayerNorm", "LogSoftmaxExt": "LogSoftmax", "PReLUExt": "PReLU",
}  # fmt: skip
_absent = _unsupported_getattr(__name__)


def _elsewhere(name):
    if name == "metrics":  # their old home
        from ms_compat.train import metrics

        return metrics
    if name in _EXTENDED:
        from ms_compat.mint import nn as extended

        return getattr(extended, _EXTENDED[name])
    return _absent(name)


__getattr__, __dir__ = _faces.lazy_names(globals(), _elsewhere, modules="layer loss optim probability wrap")
