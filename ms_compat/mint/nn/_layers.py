"""`mint.nn` layers that are one function of `mint.nn.functional` with settings: rows of a table.

A row holds the class's own name where MindSpore prints another than the public one (`mint.nn.Dropout` is
`DropoutExt`), the function, the inputs, and the settings with PyTorch's defaults.
"""

from __future__ import annotations

from typing import Any

from ms_compat._core.errors import check_type
from ms_compat.mint._adapters import flatten
from ms_compat.mint.nn import functional as F
from ms_compat.nn._table import REQUIRED, table_cell
from ms_compat.nn.cell import Cell
from ms_compat.ops.function.loss import margins

_X = ("input",)
_PAIR = ("input", "target")
_LABELS = ("logits", "labels")
_MEAN = {"reduction": "mean"}
_INPLACE = {"inplace": False}
_POOL: dict[str, Any] = {
    "kernel_size": REQUIRED, "stride": None, "padding": 0, "ceil_mode": False, "count_include_pad": True,
}  # fmt: skip
_DIVIDED = {**_POOL, "divisor_override": None}
_BLOCKS = {"kernel_size": REQUIRED, "dilation": 1, "padding": 0, "stride": 1}
_SIZE = {"output_size": REQUIRED}
_SCALE: dict[str, Any] = {"size": None, "scale_factor": None}


def _bce_with_logits(input, target, weight, reduction, pos_weight):
    return F.binary_cross_entropy_with_logits(input, target, weight, reduction, pos_weight)


def _nearest(input, size, scale_factor):
    return F.interpolate(input, size, scale_factor, "nearest")


def _bilinear(input, size, scale_factor):
    return F.interpolate(input, size, scale_factor, "bilinear", True)


class _WithSize(Cell):
    def extend_repr(self):
        return f"output_size={self.output_size}"


# public name: (name that is printed, function, inputs, settings, text)
_TABLE: dict[str, tuple[str, Any, tuple[str, ...], dict[str, Any], str]] = {
    "ReLU": ("", F.relu, _X, {}, "max(x, 0)"),
    "ReLU6": ("", F.relu6, _X, _INPLACE, "min(max(x, 0), 6)"),
    "Sigmoid": ("", F.sigmoid, _X, {}, "1 / (1 + exp(-x))"),
    "Tanh": ("", F.tanh, _X, {}, "The hyperbolic tangent"),
    "SiLU": ("", F.silu, ("x",), _INPLACE, "x * sigmoid(x)"),
    "GELU": ("", F.gelu, _X, {"approximate": "none"}, "x * P(X <= x) of a normal X"),
    "Mish": ("", F.mish, _X, {}, "x * tanh(softplus(x))"),
    "SELU": ("", F.selu, _X, {}, "1.0507 * elu(x, 1.67326)"),
    "ELU": ("", F.elu, _X, {"alpha": 1.0, "inplace": False}, "x where x > 0, alpha * (exp(x) - 1) elsewhere"),
    "GLU": ("", F.glu, _X, {"dim": -1}, "a * sigmoid(b) of the two halves a, b of x along `dim`"),
    "Hardshrink": ("HShrink", F.hardshrink, _X, {"lambd": 0.5}, "x where |x| > lambd, 0 elsewhere"),
    "Softshrink": ("SoftShrink", F.softshrink, _X, {"lambd": 0.5}, "x moved towards 0 by lambd"),
    "Hardsigmoid": ("HSigmoid", F.hardsigmoid, _X, {}, "min(max(x / 6 + 0.5, 0), 1)"),
    "Hardswish": ("HSwish", F.hardswish, _X, {}, "x * hardsigmoid(x)"),
    "Hardtanh": ("", F.hardtanh, _X, {"min_val": -1.0, "max_val": 1.0, "inplace": False},
                 "min(max(x, min_val), max_val)"),
    "LogSigmoid": ("", F.logsigmoid, _X, {}, "log(sigmoid(x))"),
    "Threshold": ("", F.threshold, _X, {"threshold": REQUIRED, "value": REQUIRED, "inplace": False},
                  "x where x > threshold, `value` elsewhere"),
    "Softmax": ("SoftmaxExt", F.softmax, _X, {"dim": None}, "exp(x) / sum(exp(x)) along `dim`"),
    "LogSoftmax": ("LogSoftmaxExt", F.log_softmax, ("x",), {"dim": None}, "x - log(sum(exp(x))) along `dim`"),
    "Flatten": ("", flatten, _X, {"start_dim": 1, "end_dim": -1}, "The dimensions from `start_dim` on as one"),
    "PixelShuffle": ("", F.pixel_shuffle, _X, {"upscale_factor": REQUIRED}, "[*, C r r, H, W] to [*, C, H r, W r]"),
    "Unfold": ("UnfoldExt", F.unfold, _X, _BLOCKS, "The sliding blocks of [N, C, H, W] as columns"),
    "Fold": ("", F.fold, _X, {"output_size": REQUIRED, **_BLOCKS}, "The sum of sliding blocks into [N, C, H, W]"),
    "Upsample": ("UpsampleExt", F.interpolate, _X, {
        **_SCALE, "mode": "nearest", "align_corners": None, "recompute_scale_factor": None,
    }, "The spatial axes resized"),
    "UpsamplingNearest2d": ("", _nearest, _X, _SCALE, "[N, C, H, W] resized by the nearest element"),
    "UpsamplingBilinear2d": ("", _bilinear, _X, _SCALE, "[N, C, H, W] resized between corners that stay"),
    "AvgPool1d": ("AvgPool1dExt", F.avg_pool1d, _X, _POOL, "Averages over windows of [N, C, L]"),
    "AvgPool2d": ("AvgPool2dExt", F.avg_pool2d, _X, _DIVIDED, "Averages over windows of [N, C, H, W]"),
    "AvgPool3d": ("AvgPool3dExt", F.avg_pool3d, _X, _DIVIDED, "Averages over windows of [N, C, D, H, W]"),
    "MaxPool2d": ("MaxPool2dExt", F.max_pool2d, _X, {
        "kernel_size": 1, "stride": None, "padding": 0, "dilation": 1, "return_indices": False, "ceil_mode": False,
    }, "Maxima over windows of [N, C, H, W], and where they stand on demand"),
    "AdaptiveMaxPool1d": ("", F.adaptive_max_pool1d, _X, {**_SIZE, "return_indices": False}, "Maxima, to a length"),
    "AdaptiveMaxPool2d": ("", F.adaptive_max_pool2d, _X, {**_SIZE, "return_indices": False}, "Maxima, to a size"),
    "BCELoss": ("", F.binary_cross_entropy, _PAIR, {"weight": None, "reduction": "mean"},
                "-(y log p + (1 - y) log(1 - p)) of probabilities p"),
    "BCEWithLogitsLoss": ("", _bce_with_logits, _PAIR, {"weight": None, "reduction": "mean", "pos_weight": None},
                          "Binary cross-entropy of sigmoid(input)"),
    "CrossEntropyLoss": ("", F.cross_entropy, _PAIR, {
        "weight": None, "ignore_index": -100, "reduction": "mean", "label_smoothing": 0.0,
    }, "-log softmax(input)[target]"),
    "NLLLoss": ("", F.nll_loss, _PAIR, {"weight": None, "ignore_index": -100, "reduction": "mean"},
                "-input[target] of log-probabilities"),
    "KLDivLoss": ("", F.kl_div, _PAIR, {"reduction": "mean", "log_target": False}, "target * (log target - input)"),
    "MSELoss": ("", F.mse_loss, _PAIR, _MEAN, "(input - target) ** 2"),
    "L1Loss": ("L1LossExt", F.l1_loss, _LABELS, _MEAN, "|logits - labels|"),
    "SmoothL1Loss": ("", F.smooth_l1_loss, _PAIR, {"reduction": "mean", "beta": 1.0},
                     "0.5 d ** 2 / beta where |d| < beta, |d| - 0.5 beta elsewhere"),
    "SoftMarginLoss": ("", margins.soft_margin_loss, _LABELS, _MEAN, "log(1 + exp(-logits * labels))"),
    "CosineEmbeddingLoss": ("", F.cosine_embedding_loss, ("input1", "input2", "target"),
                            {"margin": 0.0, "reduction": "mean"}, "1 - cos for target 1, max(0, cos - margin) for -1"),
}  # fmt: skip
_ADAPTIVE = {1: F.adaptive_avg_pool1d, 2: F.adaptive_avg_pool2d, 3: F.adaptive_avg_pool3d}

for _name, (_printed, _function, _inputs, _settings, _text) in _TABLE.items():
    globals()[_name] = table_cell(
        _printed or _name, __name__, _function, _inputs, _settings, _text, served=f"mint.nn.{_name}"
    )
    globals()[_printed or _name] = globals()[_name]
for _axes, _function in _ADAPTIVE.items():
    _name = f"AdaptiveAvgPool{_axes}d"
    globals()[_name] = table_cell(
        _name,
        __name__,
        _function,
        _X,
        _SIZE,
        f"Averages over windows of {_axes} axes, to a size",
        base=_WithSize,
        served="mint.nn",
    )

# -- padding ---------------------------------------------------------------------------------------------------------
_MODES = {
    "Zero": ("constant", "zeros"), "Constant": ("constant", "`value`"),
    "Reflection": ("reflect", "the mirrored inside"),
    "Replication": ("replicate", "the edge"),
}  # fmt: skip


def _padding_of(api: str, axes: int, cuts: bool):
    """The check of `padding`: an int for all sides, or two for each axis from the last on; negative if it `cuts`."""

    def check(padding: Any, *value: Any) -> tuple:
        if isinstance(padding, int):
            check_type(api, "padding", padding, int)
            if padding <= 0 and not cuts:
                raise ValueError(f"For '{api}', the 'padding' must be > 0, but got {padding}.")
            return ((padding,) * (2 * axes), *value)
        if not isinstance(padding, (tuple, list)):
            raise ValueError(
                f"For '{api}', the 'padding' must be an int or a tuple or list of {2 * axes} ints, but got {padding!r}."
            )
        if len(padding) != 2 * axes:
            raise ValueError(f"For '{api}', the length of 'padding' must be {2 * axes}, but got {len(padding)}.")
        for at, item in enumerate(padding):
            check_type(api, f"padding[{at}]", item, int)
            if item < 0 and not cuts:
                raise ValueError(f"For '{api}', the 'padding[{at}]' must be >= 0, but got {item}.")
        return (tuple(padding), *value)

    return check


def _padder(mode: str):
    def run(input, padding, value=None):
        return F.pad(input, padding, mode, value)

    return run


for _axes in (1, 2, 3):
    for _word, (_mode, _text) in _MODES.items():
        _name = f"{_word}Pad{_axes}d"
        _settings = {"padding": REQUIRED, "value": REQUIRED} if _word == "Constant" else {"padding": REQUIRED}
        globals()[_name] = table_cell(
            _name, __name__, _padder(_mode), _X, _settings, f"Pads the last {_axes} axes with {_text}",
            _padding_of(_name, _axes, _mode == "constant"), served="mint.nn",
        )  # fmt: skip
