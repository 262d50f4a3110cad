"""`ConfusionMatrix` and the numbers that follow from it."""

from __future__ import annotations

import numpy as np

from ms_compat._core.checks import check_choice, check_same_shape
from ms_compat._core.errors import check_bool, check_int, check_one_of, check_type
from ms_compat._core.faces import faces
from ms_compat.train.metrics.metric import Metric, need_samples, rearrange_inputs, take

_DECREASE = ["none", "mean", "sum", "mean_batch", "sum_batch", "mean_channel", "sum_channel"]


@faces("nn train train.metrics")
class ConfusionMatrix(Metric):
    """Counts of (label, prediction) pairs.

    Args:
        num_classes: number of classes.
        normalize: "no_norm" (counts), "target" (over each label), "prediction" (over each prediction) or "all".
        threshold: a score above it means class 1, if the predictions are scores of two classes.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: another `normalize`.

    >>> import numpy as np
    >>> from ms_compat.train import ConfusionMatrix
    >>> ConfusionMatrix(2)(np.array([1, 0, 1, 0]), np.array([1, 0, 0, 1])).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """

    TARGET = "target"
    PREDICTION = "prediction"
    ALL = "all"
    NO_NORM = "no_norm"

    def __init__(self, num_classes, normalize="no_norm", threshold=0.5):
        super().__init__()
        self.num_classes = check_int("ConfusionMatrix", "num_classes", num_classes)
        check_choice("ConfusionMatrix", "normalize", normalize, ("target", "prediction", "all", "no_norm"))
        self.normalize = normalize
        self.threshold = check_type("ConfusionMatrix", "threshold", threshold, float)
        self.clear()

    def clear(self):
        """Forget what was seen."""
        self.confusion_matrix = np.zeros((self.num_classes, self.num_classes))
        self._is_update = False

    @rearrange_inputs
    def update(self, *inputs):
        """Take a batch: class numbers or scores (N,), or scores (N, C), and class numbers (N,)."""
        y_pred, y = map(self._convert_data, take("ConfusionMatrix", inputs, 2))
        if y_pred.ndim in (y.ndim, y.ndim + 1) and not (y_pred.ndim == y.ndim and y_pred.dtype.kind in "iu"):
            y_pred = y_pred.argmax(axis=1) if y_pred.ndim == y.ndim + 1 else (y_pred > self.threshold).astype(int)
        if y.size != y_pred.size:
            raise ValueError(
                f"For 'ConfusionMatrix.update', each prediction needs a label, but got {y_pred.size} and {y.size}."
            )
        y, y_pred = y.reshape(-1).astype(np.int64), y_pred.reshape(-1).astype(np.int64)
        if y.size and max(y.max(), y_pred.max()) >= self.num_classes:
            raise ValueError(
                f"For 'ConfusionMatrix.update', there are {self.num_classes} classes, but got class "
                f"{max(y.max(), y_pred.max())}."
            )
        np.add.at(self.confusion_matrix, (y, y_pred), 1)
        self._is_update = True

    def eval(self):
        """The matrix, a row for each label.

        Raises:
            RuntimeError: there were no samples.
        """
        need_samples("ConfusionMatrix", self._is_update)
        matrix = self.confusion_matrix.astype(float)
        if self.normalize == self.NO_NORM:
            return matrix
        total = {
            self.TARGET: lambda: matrix.sum(axis=1, keepdims=True),
            self.PREDICTION: lambda: matrix.sum(axis=0, keepdims=True),
            self.ALL: lambda: matrix.sum(),
        }[self.normalize]()
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.nan_to_num(matrix / total, nan=0.0)


def _rates(tp, fp, tn, fn):
    return tp / (tp + fn), tn / (fp + tn)


def _prevalence_threshold(tp, fp, tn, fn):
    tpr, tnr = _rates(tp, fp, tn, fn)
    return (np.sqrt(tpr * (1.0 - tnr)) + tnr - 1.0) / (tpr + tnr - 1.0)


_FORMULAS = {
    "tpr": lambda tp, fp, tn, fn: tp / (tp + fn),
    "tnr": lambda tp, fp, tn, fn: tn / (fp + tn),
    "ppv": lambda tp, fp, tn, fn: tp / (tp + fp),
    "npv": lambda tp, fp, tn, fn: tn / (fn + tn),
    "fnr": lambda tp, fp, tn, fn: fn / (tp + fn),
    "fpr": lambda tp, fp, tn, fn: fp / (fp + tn),
    "fdr": lambda tp, fp, tn, fn: fp / (fp + tp),
    "for": lambda tp, fp, tn, fn: fn / (fn + tn),
    "pt": _prevalence_threshold,
    "ts": lambda tp, fp, tn, fn: tp / (tp + fn + fp),
    "acc": lambda tp, fp, tn, fn: (tp + tn) / (tp + fp + tn + fn),
    "ba": lambda tp, fp, tn, fn: sum(_rates(tp, fp, tn, fn)) / 2.0,
    "f1": lambda tp, fp, tn, fn: tp * 2.0 / (tp * 2.0 + fn + fp),
    "mcc": lambda tp, fp, tn, fn: (
        (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))  # fmt: skip
    ),
    "fm": lambda tp, fp, tn, fn: np.sqrt(tp / (tp + fp) * (tp / (tp + fn))),
    "bm": lambda tp, fp, tn, fn: sum(_rates(tp, fp, tn, fn)) - 1.0,
    "mk": lambda tp, fp, tn, fn: tp / (tp + fp) + tn / (tn + fn) - 1.0,
}
_NAMES = {
    "tpr": "sensitivity recall hit_rate true_positive_rate",
    "tnr": "specificity selectivity true_negative_rate",
    "ppv": "precision positive_predictive_value",
    "npv": "negative_predictive_value",
    "fnr": "miss_rate false_negative_rate",
    "fpr": "fall_out false_positive_rate",
    "fdr": "false_discovery_rate",
    "for": "false_omission_rate",
    "pt": "prevalence_threshold",
    "ts": "threat_score critical_success_index csi",
    "acc": "accuracy",
    "ba": "balanced_accuracy",
    "f1": "f1_score",
    "mcc": "matthews_correlation_coefficient",
    "fm": "fowlkes_mallows_index",
    "bm": "informedness bookmaker_informedness",
    "mk": "markedness deltap",
}
_BY_NAME = {name: short for short, names in _NAMES.items() for name in (short, *names.split())}


@faces("nn train train.metrics")
class ConfusionMatrixMetric(Metric):
    """A number computed from the counts of true and false positives and negatives.

    As measured on MindSpore 2.10, `skip_channel=False` leaves out the first channel and True counts all; the counts of
    all updates and channels are added up, so that `decrease` changes nothing.

    Args:
        skip_channel: see above.
        metric_name: such as "sensitivity", "precision", "f1 score", "mcc", or a short name ("tpr", "ppv").
        calculation_method: only False: True ends in an error in MindSpore too.
        decrease: "none", "mean", "sum", "mean_batch", "sum_batch", "mean_channel" or "sum_channel".

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: another `decrease`.

    >>> import numpy as np
    >>> from ms_compat.train import ConfusionMatrixMetric
    >>> metric = ConfusionMatrixMetric(metric_name="tpr")
    >>> metric.update(np.array([[[0], [1]], [[1], [0]]]), np.array([[[0], [1]], [[0], [1]]]))
    >>> print(metric.eval())
    [0.5]
    """

    def __init__(self, skip_channel=True, metric_name="sensitivity", calculation_method=False, decrease="mean"):
        super().__init__()
        api = "ConfusionMatrixMetric"
        self.skip_channel = check_bool(api, "skip_channel", skip_channel)
        self.metric_name = check_type(api, "metric_name", metric_name, str)
        self.calculation_method = check_bool(api, "calculation_method", calculation_method)
        self.decrease = check_one_of(api, "decrease", decrease, _DECREASE)
        self.clear()

    def clear(self):
        """Forget what was seen."""
        self._total_tp = self._total_fp = self._total_tn = self._total_fn = 0.0

    @rearrange_inputs
    def update(self, *inputs):
        """Take a batch: prediction and label of one shape (N, C, ...), one-hot."""
        y_pred, y = map(self._convert_data, take("ConfusionMatrixMetric", inputs, 2))
        if self.calculation_method:
            raise ValueError(
                "For 'ConfusionMatrixMetric', 'calculation_method' must be False: True fails in MindSpore, so there is "
                "no value to agree with."
            )
        if y_pred.ndim < 2:
            raise ValueError(
                f"For 'ConfusionMatrixMetric.update', the prediction must be 2-d or more, but got {y_pred.ndim}-d."
            )
        if not self.skip_channel:
            y_pred = y_pred[:, 1:] if y_pred.shape[1] > 1 else y_pred
            y = y[:, 1:] if y.ndim > 1 and y.shape[1] > 1 else y
        check_same_shape("ConfusionMatrixMetric.update", y_pred=y_pred, y=y)
        tp = ((y_pred + y) == 2).sum()
        tn = ((y_pred + y) == 0).sum()
        positive = y.sum()
        self._total_tp += tp
        self._total_tn += tn
        self._total_fn += positive - tp
        self._total_fp += (y.size - positive) - tn

    def eval(self):
        """The number, as an array of one element.

        Raises:
            NotImplementedError: there is no such `metric_name`.
            RuntimeError: with `calculation_method`, there were no samples.
        """
        if self.calculation_method:
            need_samples("ConfusionMatrixMetric", False)  # a batch is refused, see `update`
        short = _BY_NAME.get(self.metric_name.lower().replace(" ", "_"))
        if short is None:
            raise NotImplementedError(
                f"For 'ConfusionMatrixMetric', the 'metric_name' must be one of {sorted(_BY_NAME)}, but got "
                f"{self.metric_name!r}."
            )
        counts = [np.array([c], float) for c in (self._total_tp, self._total_fp, self._total_tn, self._total_fn)]
        with np.errstate(divide="ignore", invalid="ignore"):
            return _FORMULAS[short](*counts)
