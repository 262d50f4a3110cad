"""`mindspore.nn`: Cells, layers and losses, found by what the files that write them declare (`_core/faces.py`)."""

from ms_compat._core import faces as _faces
from ms_compat._names.absent import unsupported_getattr as _unsupported_getattr

_METRICS = frozenset(
    "Accuracy BleuScore ConfusionMatrix ConfusionMatrixMetric CosineSimilarity Dice F1 Fbeta HausdorffDistance "
    "Loss MAE MSE MeanSurfaceDistance Metric OcclusionSensitivity Perplexity Precision ROC Recall "
    "RootMeanSquareDistance Top1CategoricalAccuracy Top5CategoricalAccuracy TopKCategoricalAccuracy auc "
    "get_metric_fn get_metrics metrics names rearrange_inputs".split()
)
# Layers with PyTorch's defaults, which are those of `mint.nn`; that builds on `nn`, so they are fetched when asked for.
_EXTENDED = {
    "AvgPool1dExt": "AvgPool1d", "AvgPool2dExt": "AvgPool2d", "AvgPool3dExt": "AvgPool3d", "MaxPool2dExt": "MaxPool2d",
    "L1LossExt": "L1Loss", "LayerNormExt": "LayerNorm", "LogSoftmaxExt": "LogSoftmax", "PReLUExt": "PReLU",
}  # fmt: skip
_absent = _unsupported_getattr(__name__)


def _elsewhere(name):
    if name == "GraphCell":  # it runs the files that `train` reads, which builds on `nn`
        from ms_compat._formats.mindir.graph_cell import GraphCell

        return GraphCell
    if name in _METRICS:  # their old home; `train` builds on `nn`, so they are fetched when asked for
        from ms_compat.train import metrics

        return metrics if name == "metrics" else getattr(metrics, name)
    if name in _EXTENDED:
        from ms_compat.mint import nn as extended

        return getattr(extended, _EXTENDED[name])
    return _absent(name)


__getattr__, __dir__ = _faces.lazy_names(globals(), _elsewhere)
