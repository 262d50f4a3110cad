"""The metrics by the names that `Model` takes."""

from __future__ import annotations

from typing import Any

from ms_compat._core.errors import value_and_type
from ms_compat._core.faces import faces
from ms_compat.train.metrics.accuracy import Accuracy
from ms_compat.train.metrics.auc import auc
from ms_compat.train.metrics.bleu_score import BleuScore
from ms_compat.train.metrics.confusion_matrix import ConfusionMatrix, ConfusionMatrixMetric
from ms_compat.train.metrics.cosine_similarity import CosineSimilarity
from ms_compat.train.metrics.dice import Dice
from ms_compat.train.metrics.error import MAE, MSE
from ms_compat.train.metrics.fbeta import F1
from ms_compat.train.metrics.hausdorff_distance import HausdorffDistance
from ms_compat.train.metrics.loss import Loss
from ms_compat.train.metrics.mean_surface_distance import MeanSurfaceDistance, RootMeanSquareDistance
from ms_compat.train.metrics.metric import Metric
from ms_compat.train.metrics.occlusion_sensitivity import OcclusionSensitivity
from ms_compat.train.metrics.perplexity import Perplexity
from ms_compat.train.metrics.precision import Precision
from ms_compat.train.metrics.recall import Recall
from ms_compat.train.metrics.roc import ROC
from ms_compat.train.metrics.topk import Top1CategoricalAccuracy, Top5CategoricalAccuracy, TopKCategoricalAccuracy

_BY_NAME: dict[str, Any] = {
    "F1": F1,
    "acc": Accuracy,
    "accuracy": Accuracy,
    "auc": auc,
    "bleu_score": BleuScore,
    "confusion_matrix": ConfusionMatrix,
    "confusion_matrix_metric": ConfusionMatrixMetric,
    "cosine_similarity": CosineSimilarity,
    "dice": Dice,
    "hausdorff_distance": HausdorffDistance,
    "loss": Loss,
    "mae": MAE,
    "mean_surface_distance": MeanSurfaceDistance,
    "mse": MSE,
    "occlusion_sensitivity": OcclusionSensitivity,
    "perplexity": Perplexity,
    "precision": Precision,
    "recall": Recall,
    "roc": ROC,
    "root_mean_square_distance": RootMeanSquareDistance,
    "top_1_accuracy": Top1CategoricalAccuracy,
    "top_5_accuracy": Top5CategoricalAccuracy,
    "topk": TopKCategoricalAccuracy,
}


@faces("train")
@faces("nn train train.metrics")
def names():
    """The names that `get_metric_fn` knows.

    >>> from ms_compat.train import names
    >>> names()[:3]
    ['F1', 'acc', 'accuracy']
    """
    return sorted(_BY_NAME)


@faces("train")
@faces("nn train train.metrics")
def get_metric_fn(name, *args, **kwargs):
    """Makes a metric by its name.

    Args:
        name: one of `names()`.
        args, kwargs: for its constructor.

    Raises:
        KeyError: there is no such name.

    >>> from ms_compat.train import get_metric_fn
    >>> type(get_metric_fn("accuracy", eval_type="multilabel")).__name__
    'Accuracy'
    """
    found = _BY_NAME.get(name) if isinstance(name, str) else None
    if found is None:
        raise KeyError(f"For 'get_metric_fn', the 'name' must be one of {names()}, but got {value_and_type(name)}.")
    return found(*args, **kwargs)


@faces("nn train.metrics")
def get_metrics(metrics):
    """The metrics of `Model`'s argument as a dict of name and Metric.

    Args:
        metrics: None, a dict of str and Metric, or a set of names.

    Raises:
        TypeError: something else.
        KeyError: an unknown name.

    >>> from ms_compat.nn import get_metrics
    >>> sorted(get_metrics({"accuracy", "mae"}))
    ['accuracy', 'mae']
    """
    if metrics is None:
        return metrics
    if isinstance(metrics, dict):
        for name, metric in metrics.items():
            if not isinstance(name, str) or not isinstance(metric, Metric):
                raise TypeError(
                    "For 'Model', the 'metrics' as a dict must have str keys and Metric values, but got "
                    f"{value_and_type(name)} and {value_and_type(metric)}."
                )
        return metrics
    if isinstance(metrics, set):
        return {name: get_metric_fn(name) for name in metrics}
    raise TypeError(f"For 'Model', the 'metrics' must be None, a dict or a set, but got {value_and_type(metrics)}.")
