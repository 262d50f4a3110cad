"""How MindIR writes arguments of primitives that are dtypes or texts in Python: as numbers.

`ENCODED` says which inputs of which primitives are written so: "SumExt:3" is the fourth input of SumExt. Inputs are
counted with the call's arguments first and the constructor's after them, which is their order in the file.
"""

from __future__ import annotations

from typing import Any

from ms_compat._formats.mindir.values import NUMBERS
from ms_compat.ops._scalars import DtypeToEnum

DTYPE = "dtype"

# argument -> the texts, at their numbers
_TEXTS: dict[str, dict[int, str]] = {
    "approximate": {0: "none", 1: "tanh"},
    "coordinate_transformation_mode": {0: "asymmetric", 1: "align_corners", 2: "half_pixel"},
    "data_format": {0: "NCHW", 1: "NHWC", 14: "NCDHW"},
    "indexing": {0: "ij", 1: "xy"},
    "input_layout": {0: "BSH", 1: "BNSD", 2: "SBH", 3: "BSND", 4: "TND"},
    "interpolation_mode": {0: "bilinear", 1: "nearest"},
    "mode": {0: "reduced", 1: "complete", 2: "r"},
    "norm": {0: "backward", 1: "forward", 2: "ortho"},
    "pad_mode": {0: "pad", 1: "same", 2: "valid", 3: "full"},
    "padding_mode": {0: "zeros", 1: "border", 2: "reflection"},
    "reduce": {0: "none", 1: "add", 2: "multiply"},
    "reduction": {0: "sum", 1: "mean", 2: "none"},
    "rounding_mode": {0: "round", 1: "trunc", 2: "floor"},
}
_NUMBERS = {argument: {text: number for number, text in texts.items()} for argument, texts in _TEXTS.items()}

_ENCODED = {
    DTYPE: "Arange:3 Argmax:2 Argmin:2 Cast:1 CumsumExt:2 DropoutGenMaskExt:4 Eye:2 FillScalar:2 FillTensor:2 "
    "FullLike:2 LinSpaceExt:3 LinalgVectorNorm:4 LogSoftmaxExt:2 MaxPoolWithIndices:6 MeanExt:3 Nansum:3 NewOnes:2 "
    "NewZeros:2 Norm:4 Ones:1 OnesLikeExt:1 ProdExt:3 RandExt:3 RandInt:5 RandIntLike:5 RandLikeExt:3 Randn:3 "
    "RandnLike:3 RandpermExt:3 RandpermV2:3 ScalarCast:1 SearchSorted:3 SumExt:3 Zeros:1 ZerosLikeExt:1",
    "approximate": "GeluExt:1 GeluGradExt:2",
    "coordinate_transformation_mode": "ResizeLinear1D:2 ResizeLinear1DGrad:2",
    "data_format": "AvgPool:4 AvgPoolGrad:6 BatchNorm:8 BatchNormGrad:8 BatchNormGradGrad:10 BiasAdd:2 BiasAddGrad:1",
    "indexing": "Meshgrid:1",
    "input_layout": "FlashAttentionScore:16 FlashAttentionScoreGrad:21",
    "interpolation_mode": "GridSampler2D:2 GridSampler2DGrad:3 GridSampler3D:2 GridSampler3DGrad:3",
    "mode": "LinalgQr:1",
    "norm": "FFTWithSize:4 FFT:3 FFT2:3 FFTN:3 IFFT:3 IFFT2:3 IFFTN:3 RFFT:3 RFFT2:3 RFFTN:3 IRFFT:3 IRFFT2:3 "
    "IRFFTN:3 HFFT:3 HFFT2:3 HFFTN:3 IHFFT:3 IHFFT2:3 IHFFTN:3",
    "pad_mode": "AvgPool:3 AvgPoolGrad:5",
    "padding_mode": "GridSampler2D:3 GridSampler2DGrad:4 GridSampler3D:3 GridSampler3DGrad:4",
    "reduce": "InplaceScatterSrcReduce:4 InplaceScatterValueReduce:4 Scatter:4 ScatterValue:4 TensorScatterElements:4",
    "reduction": "BCEWithLogitsLoss:4 BinaryCrossEntropy:3 BinaryCrossEntropyGrad:4 "
    "BinaryCrossEntropyWithLogitsBackward:5 KLDiv:2 KLDivGrad:3 L1LossBackwardExt:3 L1LossExt:2 MSELossExt:2 "
    "MSELossGradExt:3 NLLLoss:3 NLLLoss2d:3 NLLLoss2dGrad:4 NLLLossGrad:5 SmoothL1Loss:3 SmoothL1LossGrad:4 "
    "SoftMarginLoss:2 SoftMarginLossGrad:3",
    "rounding_mode": "DivMod:2 DivMods:2 InplaceDivMod:2 InplaceDivMods:2",
}


def _by_primitive() -> dict[str, dict[int, str]]:
    out: dict[str, dict[int, str]] = {}
    for argument, places in _ENCODED.items():
        for place in places.split():
            primitive, _, position = place.partition(":")
            out.setdefault(primitive, {})[int(position)] = argument
    return out


# primitive -> position among its inputs -> DTYPE or the name of the argument
ENCODED: dict[str, dict[int, str]] = _by_primitive()
_TYPE_IDS = {dtype: DtypeToEnum()("encoded", "dtype", dtype) for dtype in NUMBERS}
_DTYPES = {number: dtype for dtype, number in _TYPE_IDS.items()}


def decoded(argument: str, value: Any) -> Any:
    """What a program passed for an argument that is written as a number; None stays None.

    Raises:
        ValueError: a number without a meaning.

    >>> decoded("dtype", 43), decoded("reduction", 1), decoded("dtype", None)
    (mindspore.float32, 'mean', None)
    """
    if value is None or not isinstance(value, int):
        return value
    table: dict[int, Any] = _DTYPES if argument == DTYPE else _TEXTS[argument]
    if value not in table:
        raise ValueError(f"The number {value} stands for no value of the argument '{argument}'.")
    return table[value]


def encoded(argument: str, value: Any) -> Any:
    """The number of a dtype or text; the inverse of `decoded`.

    Raises:
        ValueError: a text without a number.

    >>> encoded("dtype", decoded("dtype", 43)), encoded("reduction", "mean"), encoded("reduction", None)
    (43, 1, None)
    """
    if value is None:
        return None
    if argument == DTYPE:
        return _TYPE_IDS[value]
    if value.lower() in _NUMBERS[argument]:
        value = value.lower()
    if value not in _NUMBERS[argument]:
        raise ValueError(f"The text {value!r} of the argument '{argument}' has no number in MindIR.")
    return _NUMBERS[argument][value]
