"""Losses as Cells: `LossBase`, the table of those that are one operation, and the few that are more."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from ms_compat._core.checks import (
    Check,
    Choice,
    OfType,
    Optional,
    Range,
    check_choice,
    check_same_dtype,
    check_same_shape,
)
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_bool, check_int, check_number, check_type, unsupported_argument, value_error
from ms_compat._core.faces import faces
from ms_compat._core.promotion import promote
from ms_compat._core.tensor import Tensor
from ms_compat.nn._table import table_cell
from ms_compat.nn.cell import Cell
from ms_compat.nn.layer import LogSoftmax, get_activation
from ms_compat.ops.function.elementwise.slopes import magnitude
from ms_compat.ops.function.indexing.bounds import check_index, looks_at_classes
from ms_compat.ops.function.loss import losses as ops
from ms_compat.ops.function.loss import margins
from ms_compat.ops.function.nn.checks import FLOATS, combined

_REDUCTIONS = ("mean", "sum", "none")
_SERVED = "nn nn.loss"


def _reduce(value: Any, reduction: str) -> Any:
    """`mean`, `sum` or `none`; an integer mean is truncated, as MindSpore's."""
    if reduction == "none":
        return value
    return jnp.sum(value) if reduction == "sum" else jnp.mean(value).astype(value.dtype)


@op(static=("reduction",), name="get_loss")
def _weighted(x, weights, reduction):
    kind = x.dtype
    out = x.astype(jnp.float32) * (weights.astype(jnp.float32) if hasattr(weights, "astype") else weights)
    return _reduce(out, reduction).astype(kind)


@faces("nn nn.loss")
class LossBase(Cell):
    """The base class of losses: `construct` computes the elements and returns `get_loss(elements)`.

    Args:
        reduction (str): "mean", "sum" or "none".

    Raises:
        ValueError: another `reduction`.

    >>> import ms_compat as ms
    >>> ms.nn.LossBase("sum").get_loss(ms.Tensor([1.0, 2.0])).item()
    3.0
    """

    def __init__(self, reduction="mean"):
        super().__init__()
        check_choice(type(self).__name__, "reduction", reduction, _REDUCTIONS)
        self._set_reduction(reduction)

    def _set_reduction(self, reduction):
        self.average = reduction != "sum"
        self.reduce = reduction != "none"

    def get_axis(self, x):
        """All axes of a Tensor, as a tuple.

        >>> import ms_compat as ms
        >>> ms.nn.LossBase().get_axis(ms.Tensor([[1.0]]))
        (0, 1)
        """
        return tuple(range(x.ndim))

    def get_loss(self, x, weights=1.0):
        """Elements times weights, reduced.

        Args:
            x (Tensor): elements.
            weights (Union[float, Tensor]): factors that broadcast with `x`.

        >>> import ms_compat as ms
        >>> print(ms.nn.LossBase("mean").get_loss(ms.Tensor([1.0, 3.0]), weights=2.0))
        4.0
        """
        reduction = "mean" if self.average else "sum"
        if not self.reduce:
            reduction = "none"
        return _weighted(x, weights, reduction)

    def construct(self, logits, labels) -> Any:
        """Overridden by every loss.

        Raises:
            NotImplementedError: it is not.
        """
        raise NotImplementedError(f"'{type(self).__name__}' must define construct(logits, labels).")


@op(static=("reduction",), name="MSELoss")
def _mse(logits, labels, reduction):
    dtype = promote(logits.dtype, labels.dtype)
    if dtype.kind in "iu":
        return _reduce(lax.square(logits.astype(dtype) - labels.astype(dtype)), reduction)
    return ops.mse_loss.fn(logits, labels, reduction).astype(dtype)


def _with_logits(input, target, reduction, weight, pos_weight):
    return ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def _cross_entropy(logits, labels, weight, ignore_index, reduction, label_smoothing):
    rank = getattr(logits, "ndim", None)
    if isinstance(labels, Tensor) and labels.ndim == rank and not labels.is_floating_point():
        raise TypeError(
            f"For 'cross_entropy', a 'target' with the scores' rank {rank} holds probabilities, which must "
            f"be floating, but got {labels.dtype.np_dtype}, {labels.shape}. Cast one-hot labels, or pass class numbers."
        )
    return ops.cross_entropy(logits, labels, weight, ignore_index, reduction, label_smoothing)


def _multi_margin(x, target, p, margin, reduction, weight):
    if isinstance(margin, float):
        if not margin.is_integer():
            unsupported_argument(
                "MultiMarginLoss", "margin", margin, "Scale the input instead, so that the margin is an int."
            )
        margin = int(margin)
    return margins.multi_margin_loss(x, target, p, margin, weight, reduction)


@op(static=("log_input", "full", "eps", "reduction"), name="PoissonNLLLoss")
def _poisson(input, target, log_input, full, eps, reduction):
    out = jnp.exp(input) - target * input if log_input else input - target * jnp.log(input + eps)
    if full:  # Stirling's approximation of log(target!), where target > 1
        big = jnp.where(target > 1, target, 1)
        out = out + jnp.where(target > 1, big * jnp.log(big) - big + 0.5 * jnp.log(2 * math.pi * big), 0)
    out = _reduce(out, reduction)
    return out.astype(input.dtype) if input.dtype in FLOATS else out


_REDUCTION: dict[str, Check] = {"reduction": Choice(*_REDUCTIONS)}
_LIKELIHOOD: dict[str, Check] = {**_REDUCTION, "weight": Optional(OfType(Tensor)), "ignore_index": OfType(int)}
_CHECKS: dict[str, dict[str, Check]] = {
    "NLLLoss": _LIKELIHOOD,
    "CrossEntropyLoss": {**_LIKELIHOOD, "label_smoothing": Range(0, 1, "[]", float)},
}
_MEAN = {"reduction": "mean"}
_PAIR = ("logits", "labels")
# name: (operation, inputs, settings, text); the settings follow the inputs in the operation's call
_TABLE: dict[str, tuple] = {
    "MSELoss": (_mse, _PAIR, _MEAN, "(logits - labels) ** 2"),
    "L1Loss": (ops.l1_loss, _PAIR, _MEAN, "|logits - labels|"),
    "SmoothL1Loss": (ops.smooth_l1_loss, _PAIR, {"beta": 1.0, "reduction": "none"},
                     "0.5 d ** 2 / beta where |d| < beta, |d| - 0.5 beta elsewhere, for d = logits - labels"),
    "HuberLoss": (ops.huber_loss, _PAIR, {"reduction": "mean", "delta": 1.0},
                  "0.5 d ** 2 where |d| <= delta, delta (|d| - 0.5 delta) elsewhere, for d = logits - labels"),
    "BCELoss": (ops.binary_cross_entropy, _PAIR, {"weight": None, "reduction": "mean"},
                "-(y log p + (1 - y) log(1 - p)) of probabilities p"),
    "BCEWithLogitsLoss": (_with_logits, ("input", "target"), {"reduction": "mean", "weight": None, "pos_weight": None},
                          "Binary cross-entropy of sigmoid(input)"),
    "CrossEntropyLoss": (_cross_entropy, _PAIR,
                         {"weight": None, "ignore_index": -100, "reduction": "mean", "label_smoothing": 0.0},
                         "-log softmax(logits) at the labels"),
    "NLLLoss": (ops.nll_loss, _PAIR, {"weight": None, "ignore_index": -100, "reduction": "mean"},
                "-logits at the labels, where logits are log probabilities"),
    "KLDivLoss": (ops.kl_div, _PAIR, _MEAN, "labels * (log(labels) - logits), where logits are log probabilities"),
    "CosineEmbeddingLoss": (margins.cosine_embedding_loss, ("logits_x1", "logits_x2", "labels"),
                            {"margin": 0.0, "reduction": "mean"},
                                            "1 - cos where the label is 1, max(0, cos - margin) at -1"),
    "MarginRankingLoss": (margins.margin_ranking_loss, ("input1", "input2", "target"),
                          {"margin": 0.0, "reduction": "mean"}, "max(0, -target * (input1 - input2) + margin)"),
    "SoftMarginLoss": (margins.soft_margin_loss, _PAIR, _MEAN, "log(1 + exp(-labels * logits))"),
    "HingeEmbeddingLoss": (margins.hinge_embedding_loss, _PAIR, {"margin": 1.0, "reduction": "mean"},
                           "logits where the label is 1, max(0, margin - logits) at -1"),
    "MultiMarginLoss": (_multi_margin, ("x", "target"), {"p": 1, "margin": 1.0, "reduction": "mean", "weight": None},
                        "Mean over other classes of max(0, margin - x[target] + x) ** p"),
    "MultilabelMarginLoss": (margins.multilabel_margin_loss, ("x", "target"), _MEAN,
                             "Sum over true and false classes of max(0, 1 - (x[true] - x[false])) / C"),
    "PoissonNLLLoss": (_poisson, ("input", "target"),
                       {"log_input": True, "full": False, "eps": 1e-8, "reduction": "mean"},
                       "Negative log likelihood of a Poisson distribution"),
    "MultiLabelSoftMarginLoss": (margins.multilabel_soft_margin_loss, ("x", "target"),
                                 {"weight": None, "reduction": "mean"},
                                                 "Mean over classes of the binary cross-entropy"),
}  # fmt: skip
# checked by the operation when called, as in MindSpore
_LATE = ("KLDivLoss", "SoftMarginLoss", "BCEWithLogitsLoss")

# What the docstrings say of settings and inputs, where the loss has no words of its own.
_ABOUT = {
    "reduction": '(str): "mean" and "sum" return a scalar, "none" the loss of each element',
    "logits": "predictions, any shape",
    "labels": "targets, in the shape of `logits`",
    "input": "predictions, any shape",
    "target": "targets, in the shape of `input`",
    "margin": "(float): the margin",
    "ignore_index": "(int): a class whose samples do not count",
}
_CLASS_WEIGHT = "(Tensor): [C], the factor of each class, or None"
_SCORES = "[N, C] or [N, C, *], floating type"
_CLASSES = "[N] or [N, *], class numbers of Int32 or Int64"
_BROADCAST = "targets, in a shape that broadcasts with `logits`"
# name: (words of its own, the rest of the docstring)
_HELP: dict[str, tuple[dict[str, str], str]] = {
    "MSELoss": (
        {"labels": _BROADCAST},
        """
        Raises:
            ValueError: another `reduction`, or shapes that do not broadcast.

        >>> from ms_compat import Tensor, nn
        >>> print(nn.MSELoss()(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])))
        2.0
        """,
    ),
    "L1Loss": (
        {"labels": _BROADCAST},
        """
        Raises:
            ValueError: another `reduction`, or shapes that do not broadcast.

        >>> from ms_compat import Tensor, nn
        >>> print(nn.L1Loss()(Tensor([1.0, 2.0]), Tensor([1.0, 5.0])))
        1.5
        """,
    ),
    "SmoothL1Loss": (
        {"beta": "(float): where the square ends"},
        """
        Differs from PyTorch's: `reduction` is "none" by default.

        Raises:
            TypeError: an input has no floating type.
            ValueError: another `reduction`, or two shapes.
            RuntimeError: `beta` is negative.

        Source: Girshick, arXiv:1504.08083.

        >>> from ms_compat import Tensor, nn
        >>> print(nn.SmoothL1Loss()(Tensor([1.0, 2.0]), Tensor([1.5, 4.0])))
        [0.125 1.5  ]
        """,
    ),
    "HuberLoss": (
        {"delta": "(float): where the square ends, > 0", "labels": _BROADCAST},
        """
        Raises:
            ValueError: another `reduction`, `delta` <= 0, or shapes that do not broadcast.

        Source: Huber, Robust estimation of a location parameter (1964).

        >>> from ms_compat import Tensor, nn
        >>> print(nn.HuberLoss(reduction="none")(Tensor([1.0, 2.0]), Tensor([1.5, 4.0])))
        [0.125 1.5  ]
        """,
    ),
    "BCELoss": (
        {
            "weight": "(Tensor): factors of the elements, or None",
            "logits": "probabilities, any shape, floating type",
        },
        """
        Raises:
            TypeError: an input has no floating type.
            ValueError: another `reduction`, or two shapes.

        >>> from ms_compat import Tensor, nn
        >>> loss = nn.BCELoss()(Tensor([0.5, 0.5]), Tensor([0.0, 1.0]))
        >>> round(loss.item(), 4)
        0.6931
        """,
    ),
    "BCEWithLogitsLoss": (
        {
            "weight": "(Tensor): factors of the elements, or None",
            "pos_weight": "(Tensor): factors of the term with `target`, or None",
            "input": "scores before the sigmoid, any shape, floating type",
        },
        """
        It is exact where `sigmoid` would round to 0 or 1.

        Raises:
            TypeError: an input has no floating type.
            ValueError: another `reduction`, or two shapes (both while running).

        >>> from ms_compat import Tensor, nn
        >>> loss = nn.BCEWithLogitsLoss()(Tensor([0.0, 100.0]), Tensor([1.0, 1.0]))
        >>> round(loss.item(), 4)
        0.3466
        """,
    ),
    "CrossEntropyLoss": (
        {
            "weight": _CLASS_WEIGHT,
            "label_smoothing": "(float): share of the label that is spread over all classes, in [0, 1]",
            "logits": _SCORES,
            "labels": f"{_CLASSES}; or probabilities in the shape and type of `logits`",
        },
        """
        The mean divides by the sum of the samples' weights.

        Raises:
            TypeError: `weight` is not a Tensor, or labels in the shape of `logits` are integers.
            ValueError: another `reduction`, `label_smoothing` out of range, or shapes that do not fit.
            RuntimeError: a class number is out of range.

        >>> from ms_compat import Tensor, nn
        >>> loss = nn.CrossEntropyLoss()(Tensor([[0.0, 0.0], [3.0, 0.0]]), Tensor([1, 0]))
        >>> round(loss.item(), 4)
        0.3709
        """,
    ),
    "NLLLoss": (
        {"weight": _CLASS_WEIGHT, "logits": _SCORES, "labels": _CLASSES},
        """
        The mean divides by the sum of the samples' weights.

        Raises:
            TypeError: `weight` is not a Tensor, or the labels are not integers.
            ValueError: another `reduction`, or shapes that do not fit.
            RuntimeError: a class number is out of range.

        >>> from ms_compat import Tensor, nn
        >>> print(nn.NLLLoss()(Tensor([[-1.0, -2.0], [-3.0, -4.0]]), Tensor([0, 1])))
        2.5
        """,
    ),
    "KLDivLoss": (
        {
            "reduction": '(str): "mean", "sum", "none" or "batchmean" (the sum divided by the first size)',
            "logits": "log probabilities, any shape, floating type",
            "labels": "probabilities, in the shape of `logits`",
        },
        """
        Raises:
            TypeError: an input has no floating type.
            ValueError: another `reduction`, or two shapes (both while running).

        >>> from ms_compat import Tensor, nn
        >>> loss = nn.KLDivLoss("sum")(Tensor([-1.0, -1.0]), Tensor([0.5, 0.5]))
        >>> round(loss.item(), 4)
        0.3069
        """,
    ),
    "CosineEmbeddingLoss": (
        {
            "margin": "(float): the margin, in [-1, 1]",
            "logits_x1": "[N, D]",
            "logits_x2": "[N, D]",
            "labels": "[N], 1 for vectors that are alike and -1 for others",
        },
        """
        Raises:
            ValueError: another `reduction`, a margin out of range, or shapes that do not fit.

        >>> from ms_compat import Tensor, nn
        >>> x, y = Tensor([[1.0, 0.0], [1.0, 0.0]]), Tensor([[0.0, 1.0], [2.0, 0.0]])
        >>> print(nn.CosineEmbeddingLoss(reduction="none")(x, y, Tensor([1, -1])))
        [1. 1.]
        """,
    ),
    "MarginRankingLoss": (
        {
            "input1": "scores, any shape",
            "input2": "scores, in the shape of `input1`",
            "target": "1 where `input1` should be larger, -1 where `input2` should be",
        },
        """
        Raises:
            TypeError: `margin` is not a float.
            ValueError: another `reduction`, or shapes that do not fit.

        >>> from ms_compat import Tensor, nn
        >>> print(nn.MarginRankingLoss()(Tensor([1.0, 2.0]), Tensor([3.0, 1.0]), Tensor([1.0, 1.0])))
        1.0
        """,
    ),
    "SoftMarginLoss": (
        {"labels": "1 or -1, in the shape of `logits`"},
        """
        Raises:
            ValueError: another `reduction`, or shapes that do not fit (both while running).

        >>> from ms_compat import Tensor, nn
        >>> loss = nn.SoftMarginLoss()(Tensor([0.0, 2.0]), Tensor([1.0, -1.0]))
        >>> round(loss.item(), 4)
        1.41
        """,
    ),
    "HingeEmbeddingLoss": (
        {"logits": "distances, any shape", "labels": "1 or -1, in the shape of `logits`"},
        """
        Raises:
            TypeError: `margin` is not a number.
            ValueError: another `reduction`, or shapes that do not fit.

        >>> from ms_compat import Tensor, nn
        >>> print(nn.HingeEmbeddingLoss(reduction="none")(Tensor([0.5, 0.25]), Tensor([1.0, -1.0])))
        [0.5  0.75]
        """,
    ),
    "MultiMarginLoss": (
        {
            "p": "(int): the exponent, 1 or 2",
            "weight": _CLASS_WEIGHT,
            "x": "scores [N, C], floating type",
            "target": "[N], class numbers",
        },
        """
        Raises:
            ValueError: another `reduction` or `p`.
            UnsupportedError: `margin` is not a whole number.

        >>> from ms_compat import Tensor, nn
        >>> print(nn.MultiMarginLoss()(Tensor([[0.0, 0.5, 2.0]]), Tensor([2])))
        0.0
        >>> print(nn.MultiMarginLoss()(Tensor([[0.0, 0.5, 1.0, 1.0]]), Tensor([2])))
        0.375
        """,
    ),
    "MultilabelMarginLoss": (
        {
            "x": "scores [N, C] or [C], floating type",
            "target": "true classes in the shape of `x`; -1 ends the list",
        },
        """
        Raises:
            ValueError: another `reduction`, or shapes that do not fit.

        >>> import numpy as np
        >>> from ms_compat import Tensor, nn
        >>> target = Tensor(np.array([[2, -1, -1]], np.int32))
        >>> print(nn.MultilabelMarginLoss()(Tensor([[0.0, 0.5, 0.5]]), target))
        0.5
        """,
    ),
    "PoissonNLLLoss": (
        {
            "log_input": "(bool): whether `input` is the logarithm of the rate: exp(input) - target * input; otherwise "
            "input - target * log(input + eps)",
            "full": "(bool): add Stirling's approximation of log(target!) where target > 1",
            "eps": "(float): keeps the logarithm finite",
            "target": "counts, in a shape that broadcasts with `input`",
        },
        """
        Raises:
            ValueError: another `reduction`, or shapes that do not broadcast.

        >>> from ms_compat import Tensor, nn
        >>> print(nn.PoissonNLLLoss()(Tensor([0.0]), Tensor([3.0])))
        1.0
        """,
    ),
    "MultiLabelSoftMarginLoss": (
        {"weight": _CLASS_WEIGHT, "x": "scores [N, C]", "target": "0 or 1, in the shape of `x`"},
        """
        Raises:
            ValueError: another `reduction`, or shapes that do not fit.

        >>> from ms_compat import Tensor, nn
        >>> loss = nn.MultiLabelSoftMarginLoss()(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]]))
        >>> round(loss.item(), 4)
        0.6931
        """,
    ),
    "GaussianNLLLoss": (
        {
            "full": "(bool): add the constant log(2 pi) / 2",
            "eps": "(float): the least variance that is used",
            "logits": "means, any shape",
            "var": "variances >= 0, in the shape of `logits` or with a last axis of 1",
        },
        """
        The loss is (log(max(var, eps)) + (logits - labels) ** 2 / max(var, eps)) / 2.

        Raises:
            ValueError: another `reduction`, or shapes that do not fit.

        Source: Nix and Weigend, Estimating the mean and variance of the target probability distribution (1994).

        >>> from ms_compat import Tensor, nn
        >>> print(nn.GaussianNLLLoss()(Tensor([1.0]), Tensor([3.0]), Tensor([1.0])))
        2.0
        """,
    ),
    "MAELoss": (
        {"label": "targets, in a shape that broadcasts with `logits`"},
        """
        Raises:
            ValueError: another `reduction`, or shapes that do not broadcast.

        >>> from ms_compat import Tensor, nn
        >>> print(nn.MAELoss()(Tensor([1.0, 2.0]), Tensor([1.0, 5.0])))
        1.5
        """,
    ),
}


def _words(name: str) -> dict[str, Any]:
    """The arguments of `table_cell` for the docstring."""
    own, more = _HELP[name]
    return {"about": {**_ABOUT, **own}, "more": more}


for _name, (_operation, _inputs, _settings, _text) in _TABLE.items():
    _checks = None if _name in _LATE else _CHECKS.get(_name, _REDUCTION)
    globals()[_name] = table_cell(
        _name, __name__, _operation, _inputs, _settings, _text, _checks, LossBase, served=_SERVED, **_words(_name)
    )
GaussianNLLLoss = table_cell(
    "GaussianNLLLoss", __name__, margins.gaussian_nll_loss, ("logits", "labels", "var"),
    {"full": False, "eps": 1e-6, "reduction": "mean"}, "Negative log likelihood of a normal distribution",
    _REDUCTION, LossBase, True, _SERVED, **_words("GaussianNLLLoss"),
)  # fmt: skip


@op(static=("reduction",), name="SoftmaxCrossEntropyWithLogits")
def _softmax_cross_entropy(logits, labels, reduction):
    if labels.dtype.kind in "iu":
        hint = "Pass sparse=True for class numbers" if labels.ndim < logits.ndim else "Cast a one-hot array"
        raise TypeError(
            "For 'SoftmaxCrossEntropyWithLogits', the 'labels' must be probabilities in the dtype of 'logits', "
            f"{logits.dtype}, of shape [N, C], without 'sparse', but got {labels.dtype} of shape {labels.shape}. "
            f"{hint}."
        )
    check_same_dtype("SoftmaxCrossEntropyWithLogits", logits=logits, labels=labels)
    if logits.ndim != 2 or logits.shape != labels.shape:
        raise ValueError(
            "For 'SoftmaxCrossEntropyWithLogits', 'logits' and 'labels' must both be [N, C] without 'sparse', but got "
            f"{logits.shape} and {labels.shape}."
        )
    return _reduce(ops.softmax_cross_entropy_with_logits.fn(logits, labels)[0], reduction)


@op(
    static=("reduction",),
    name="SoftmaxCrossEntropyWithLogits",
    look=looks_at_classes("SoftmaxCrossEntropyWithLogits", when=lambda reduction: reduction == "mean"),
)
def _sparse_cross_entropy(logits, labels, reduction):
    if labels.dtype.kind not in "iu":
        raise TypeError(
            "For 'SoftmaxCrossEntropyWithLogits', the 'labels' must be Int32 or Int64 with sparse=True, but got "
            f"{labels.dtype} of shape {labels.shape}. Leave out 'sparse' for probabilities [N, C], or cast class "
            "numbers: 'labels.astype(mindspore.int32)'."
        )
    any_rank = reduction == "mean"  # as in MindSpore, whose kernel for the mean takes [..., C] and [...]
    if logits.ndim < 2 or (logits.ndim > 2 and not any_rank) or labels.shape != logits.shape[:-1]:
        raise ValueError(
            "For 'SoftmaxCrossEntropyWithLogits', the shapes must be [N, C] and [N] with sparse=True ([..., C] and "
            f"[...] with the reduction 'mean'), but got {logits.shape} and {labels.shape}."
            + (" Flatten the labels: 'labels.flatten()'." if labels.shape == (logits.shape[0], 1) else "")
        )
    # An index out of range has no class: its one-hot row and its loss are zeros, as in MindSpore. The mean is a kernel
    # of its own there, which refuses it; where the numbers cannot be read, the mean is NaN here.
    hot = jax.nn.one_hot(labels, logits.shape[-1], dtype=logits.dtype)
    loss = -jnp.sum(hot * jax.nn.log_softmax(logits, -1), -1)
    if any_rank:
        loss = jnp.where((labels >= 0) & (labels < logits.shape[-1]), loss, jnp.nan)
    return _reduce(loss, reduction)


@faces("nn nn.loss")
class SoftmaxCrossEntropyWithLogits(LossBase):
    """Cross-entropy of softmax(logits) and labels.

    Args:
        sparse (bool): whether labels are class numbers [N] instead of probabilities [N, C].
        reduction (str): "mean", "sum" or "none".

    Inputs:
        logits (Tensor): [N, C], floating type.
        labels (Tensor): [N] of Int32 or Int64, or [N, C] in the type of `logits`.

    Raises:
        TypeError: `sparse` is not a bool; labels of another type.
        ValueError: an unknown `reduction`, shapes that do not fit.

    >>> import ms_compat as ms
    >>> loss = ms.nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    >>> print(loss(ms.Tensor([[0.0, 0.0]]), ms.Tensor([1])))
    0.6931472
    """

    def __init__(self, sparse=False, reduction="none"):
        super().__init__(reduction)
        self.sparse = check_bool("SoftmaxCrossEntropyWithLogits", "sparse", sparse)
        self.reduction = reduction
        self._run = _sparse_cross_entropy if sparse else _softmax_cross_entropy

    def construct(self, logits, labels):
        return self._run(logits, labels, self.reduction)


@op(static=("reduction",), name="MAELoss")
def _mae(logits, label, reduction):
    dtype = promote(logits.dtype, label.dtype)
    return _reduce(magnitude(logits.astype(dtype) - label.astype(dtype)), reduction)


MAELoss = table_cell(
    "MAELoss", __name__, _mae, ("logits", "label"), _MEAN, "|logits - label|", _REDUCTION, LossBase, served=_SERVED,
    **_words("MAELoss"),
)  # fmt: skip


@op(name="sqrt")
def _sqrt(x):
    return jnp.sqrt(x)


@faces("nn nn.loss")
class RMSELoss(LossBase):
    """The square root of mean((logits - label) ** 2).

    >>> from ms_compat import Tensor, nn
    >>> print(nn.RMSELoss()(Tensor([1.0, 2.0]), Tensor([1.0 + 3.0, 2.0 - 3.0])))
    3.0
    """

    def __init__(self):
        super().__init__()
        self.MSELoss = globals()["MSELoss"]()  # made from the table

    def construct(self, logits, label):
        return _sqrt(self.MSELoss(logits, label))


@op(static=("smooth",), name="DiceLoss")
def _dice(logits, label, smooth):
    check_same_shape("DiceLoss", logits=logits, label=label)
    both = jnp.sum(logits.reshape(-1) * label.reshape(-1))
    total = jnp.sum(lax.square(logits)) + jnp.sum(lax.square(label))
    out = 1 - 2 * both / (total + smooth)
    return out.astype(combined(logits, label) if logits.dtype in FLOATS else jnp.float32)


@faces("nn nn.loss")
class DiceLoss(LossBase):
    """1 - 2 * sum(logits * label) / (sum(logits ** 2) + sum(label ** 2) + smooth). Milletari et al., arXiv:1606.04797.

    Args:
        smooth (float): keeps the quotient finite, in (0, 1].

    Raises:
        TypeError, ValueError: `smooth` is not a number, or not in range.

    >>> from ms_compat import Tensor, nn
    >>> loss = nn.DiceLoss()(Tensor([[1.0, 0.0]]), Tensor([[1.0, 1.0]]))
    >>> round(loss.item(), 4)
    0.3333
    """

    def __init__(self, smooth=1e-5):
        super().__init__()
        check_number("DiceLoss", "smooth", smooth)
        if not smooth > 0:
            raise value_error("DiceLoss", "smooth", "> 0", smooth)
        self.smooth = smooth

    def construct(self, logits, label):
        return _dice(logits, label, self.smooth)


@op(name="MultiClassDiceLoss")
def _column(x, index):
    return jax.lax.dynamic_index_in_dim(x, index, 1, keepdims=False)


_DICE_ACTIVATIONS = ("softmax", "logsoftmax", "relu", "relu6", "tanh", "sigmoid")


@faces("nn nn.loss")
class MultiClassDiceLoss(LossBase):
    """The mean over classes (axis 1) of `DiceLoss`.

    Args:
        weights (Tensor): [C, C] factors of the classes' losses, or None.
        ignore_indiex (int): a class to leave out, or None.
        activation (Union[str, Cell]): applied to the logits first.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: shapes that differ, an unknown activation.

    >>> from ms_compat import Tensor, nn
    >>> loss = nn.MultiClassDiceLoss()(Tensor([[0.5, 0.5]]), Tensor([[0.0, 1.0]]))
    >>> 0 <= loss.item() <= 1
    True
    """

    def __init__(self, weights=None, ignore_indiex=None, activation="softmax"):
        super().__init__()
        api = "MultiClassDiceLoss"
        if weights is not None:
            check_type(api, "weights", weights, Tensor)
        if ignore_indiex is not None:
            check_int(api, "ignore_indiex", ignore_indiex)
        if activation is not None:
            check_type(api, "activation", activation, (str, Cell))
        if isinstance(activation, str) and activation not in _DICE_ACTIVATIONS:
            raise value_error(api, "activation", f"in {list(_DICE_ACTIVATIONS)}", activation)
        self.binarydiceloss = DiceLoss(smooth=1e-5)
        self.weights = weights
        self.ignore_indiex = ignore_indiex
        self.activation = get_activation(activation) if isinstance(activation, str) else activation

    def construct(self, logits, label):
        check_same_shape("MultiClassDiceLoss", logits=logits, label=label)
        if self.activation is not None:
            logits = self.activation(logits)
        total = 0.0
        for index in range(label.shape[1]):
            if index != self.ignore_indiex:
                part = self.binarydiceloss(_column(logits, index), _column(label, index))
                total = part * (self.weights[index] if self.weights is not None else 1.0) + total
        return total / label.shape[1]


@op(static=("gamma", "reduction"), name="FocalLoss")
def _focal(logits, labels, weight, gamma, reduction):
    if logits.ndim < 2 or labels.ndim != logits.ndim or labels.shape[1] not in (1, logits.shape[1]):
        raise ValueError(
            f"For 'FocalLoss', the shapes must be [N, C, *] and [N, 1, *] or [N, C, *], but got {logits.shape}, "
            f"{labels.shape}."
        )
    logp = jax.nn.log_softmax(logits, 1)
    if labels.shape[1] == 1:
        at = labels.astype(jnp.int32)
        chosen = jnp.take_along_axis(logp, at, 1)
        factor = 1 if weight is None else jnp.take(weight, at)
    else:
        chosen = logp * labels.astype(logp.dtype)
        factor = 1 if weight is None else weight.reshape((1, -1) + (1,) * (logits.ndim - 2))
        kept = -((1 - jnp.exp(logp)) ** gamma) * chosen * factor
        out = _reduce(jnp.mean(kept.reshape(*kept.shape[:2], -1), -1), reduction)
        return out.astype(combined(logits, labels if labels.dtype in FLOATS else None, weight))
    kept = -((1 - jnp.exp(chosen)) ** gamma) * chosen * factor
    out = _reduce(jnp.mean(kept.reshape(kept.shape[0], -1), -1), reduction)
    return out.astype(combined(logits, weight))


@faces("nn nn.loss")
class FocalLoss(LossBase):
    """-(1 - p) ** gamma * log(p) of the labels' probabilities p = softmax(logits). Lin et al., arXiv:1708.02002.

    Args:
        weight (Tensor): [C] factors of the classes, or None.
        gamma (float): strength of the focus.
        reduction (str): "mean", "sum" or "none".

    Inputs:
        logits (Tensor): [N, C] or [N, C, *].
        labels (Tensor): [N, 1] or [N, 1, *] of class numbers.

    Raises:
        TypeError, ValueError: an argument of a wrong type or value.

    >>> import ms_compat as ms
    >>> loss = ms.nn.FocalLoss()(ms.Tensor([[0.0, 0.0]]), ms.Tensor([[1]], ms.int32))
    >>> round(loss.item(), 4)
    0.1733
    """

    def __init__(self, weight=None, gamma=2.0, reduction="mean"):
        super().__init__(reduction)
        self.weight = weight if weight is None else check_type("FocalLoss", "weight", weight, Tensor)
        self.gamma = check_type("FocalLoss", "gamma", gamma, float)
        self.reduction = reduction
        self.logsoftmax = LogSoftmax(1)

    def construct(self, logits, labels):
        if labels.ndim == logits.ndim > 1 == labels.shape[1] and labels.dtype.np_dtype.kind in "iu":
            check_index("FocalLoss", labels, logits.shape[1], -logits.shape[1], "labels")
        return _focal(logits, labels, self.weight, self.gamma, self.reduction)


@faces("nn nn.loss")
class TripletMarginLoss(LossBase):
    """max(0, |x - positive| - |x - negative| + margin), with the p-norm.

    Args:
        p (int): order of the norm.
        swap (bool): use the distance of positive and negative where it is smaller.
        eps (float): added to the differences.
        reduction (str): "mean", "sum" or "none".
        margin (float): the margin of calls that give none.

    >>> from ms_compat import Tensor, nn
    >>> loss = nn.TripletMarginLoss()(Tensor([[0.0, 0.0]]), Tensor([[3.0, 4.0]]), Tensor([[0.0, 5.0]]))
    >>> round(loss.item(), 3)
    1.0
    """

    def __init__(self, p=2, swap=False, eps=1e-6, reduction="mean", margin=1.0):
        super().__init__()
        self.p = p
        self.swap = swap
        self.eps = eps
        self.reduction = reduction
        self.margin = margin

    def construct(self, x, positive, negative, margin=None):  # type: ignore[override]
        margin = self.margin if margin is None else float(margin)
        return margins.triplet_margin_loss(x, positive, negative, margin, self.p, self.eps, self.swap, self.reduction)
