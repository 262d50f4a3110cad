# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from typing import Any

from . import accuracy as accuracy
from . import bleu_score as bleu_score
from . import confusion_matrix as confusion_matrix
from . import cosine_similarity as cosine_similarity
from . import dice as dice
from . import error as error
from . import fbeta as fbeta
from . import hausdorff_distance as hausdorff_distance
from . import loss as loss
from . import mean_surface_distance as mean_surface_distance
from . import metric as metric
from . import occlusion_sensitivity as occlusion_sensitivity
from . import perplexity as perplexity
from . import precision as precision
from . import recall as recall
from . import roc as roc
from . import root_mean_square_surface_distance as root_mean_square_surface_distance
from . import topk as topk
from ms_compat.train.metrics._by_name import get_metric_fn as get_metric_fn
from ms_compat.train.metrics._by_name import get_metrics as get_metrics
from ms_compat.train.metrics._by_name import names as names
from ms_compat.train.metrics.accuracy import Accuracy as Accuracy
from ms_compat.train.metrics.auc import auc as auc
from ms_compat.train.metrics.bleu_score import BleuScore as BleuScore
from ms_compat.train.metrics.confusion_matrix import ConfusionMatrix as ConfusionMatrix
from ms_compat.train.metrics.confusion_matrix import ConfusionMatrixMetric as ConfusionMatrixMetric
from ms_compat.train.metrics.cosine_similarity import CosineSimilarity as CosineSimilarity
from ms_compat.train.metrics.dice import Dice as Dice
from ms_compat.train.metrics.error import MAE as MAE
from ms_compat.train.metrics.error import MSE as MSE
from ms_compat.train.metrics.fbeta import F1 as F1
from ms_compat.train.metrics.fbeta import Fbeta as Fbeta
from ms_compat.train.metrics.hausdorff_distance import HausdorffDistance as HausdorffDistance
from ms_compat.train.metrics.loss import Loss as Loss
from ms_compat.train.metrics.mean_surface_distance import MeanSurfaceDistance as MeanSurfaceDistance
from ms_compat.train.metrics.mean_surface_distance import RootMeanSquareDistance as RootMeanSquareDistance
from ms_compat.train.metrics.metric import Metric as Metric
from ms_compat.train.metrics.metric import rearrange_inputs as rearrange_inputs
from ms_compat.train.metrics.occlusion_sensitivity import OcclusionSensitivity as OcclusionSensitivity
from ms_compat.train.metrics.perplexity import Perplexity as Perplexity
from ms_compat.train.metrics.precision import Precision as Precision
from ms_compat.train.metrics.recall import Recall as Recall
from ms_compat.train.metrics.roc import ROC as ROC
from ms_compat.train.metrics.topk import Top1CategoricalAccuracy as Top1CategoricalAccuracy
from ms_compat.train.metrics.topk import Top5CategoricalAccuracy as Top5CategoricalAccuracy
from ms_compat.train.metrics.topk import TopKCategoricalAccuracy as TopKCategoricalAccuracy
