"""What primitives refuse: the types and values of constructor arguments, and the dtypes of inputs, as tables.

Where a primitive class is stricter than the function behind it (`ops.Exp()` wants floats, `ops.exp` takes integers
too), the difference is a line here. `make_primitives` reads the tables once a class; a class without a line pays
nothing at its calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import type_error, value_error
from ms_compat._core.tensor import Tensor

_KINDS = {
    "int": int,
    "float": float,
    "bool": bool,
    "str": str,
    "tuple": tuple,
    "list": list,
    "none": type(None),
    "tensor": Tensor,
    "dtype": mstype.Type,
}

# parameter and its types -> primitives
_PARAMETER_TYPES = {
    "Seed0 int": "DropoutGenMask",
    "Seed1 int": "DropoutGenMask",
    "accumulate int": "IndexPut",
    "activation str": "DynamicRNN",
    "adjoint bool": "MatrixInverse MatrixSolve MatrixTriangularSolve",
    "align str": "MatrixDiagPartV3 MatrixDiagV3 MatrixSetDiagV3",
    "align_corners bool": "AffineGrid ResizeArea",
    "alpha float": "HammingWindow LRN",
    "antialias bool": "ScaleAndTranslate",
    "atol int none bool float": "IsClose",
    "axis int": "IndexAdd InplaceIndexAdd Pack ScatterAddWithAxis Sort Stack Unpack Unstack",
    "axis int bool tuple list": "L2Normalize",
    "axis int none bool tensor": "TensorScatterElements",
    "axis int none bool tuple": "Softmax",
    "axis int none bool tuple list": "ReduceStd Squeeze",
    "axis int tuple list": "LpNorm",
    "axis none tuple list": "ReverseV2",
    "base int": "LogSpace",
    "batch_dim int": "ReverseSequence",
    "beta float": "HammingWindow LRN",
    "beta int none bool float": "SmoothL1Loss",
    "beta1 float": "ApplyAdamWithAmsgrad",
    "beta2 float": "ApplyAdamWithAmsgrad",
    "bias float": "LRN",
    "ceil_mode bool": "AvgPool3D",
    "ceil_mode none bool": "MaxPool3D",
    "cell_type str": "DynamicRNN",
    "col int": "TrilIndices TriuIndices",
    "coordinate_transformation_mode none str": "ResizeLinear1D",
    "count int": "RandomChoiceWithMask",
    "count_include_pad bool": "AvgPool3D",
    "ctc_merge_repeated bool": "CTCLoss",
    "data_format none str": "AvgPool BatchNorm BiasAdd",
    "decay float": "SparseApplyRMSProp",
    "depth_radius int": "LRN",
    "descending bool": "Sort",
    "diagonal int": "Tril",
    "diagonal int tensor": "Triu",
    "dilation int tuple list": "Col2Im",
    "dim int": "Renorm",
    "dim int none": "Quantile",
    "dims int none tuple list": "CountNonZero",
    "direction str": "DynamicRNN",
    "divisor_override int": "AvgPool3D",
    "dtype dtype": "LogSpace RandomPoisson Randperm TruncatedNormal",
    "dtype none dtype": "RandpermV2 SearchSorted",
    "epsilon float": "ApplyAdamWithAmsgrad LARSUpdate LpNorm SparseApplyAdadelta",
    "epsilon int float": "L2Normalize",
    "exclusive bool": "CumulativeLogsumexp",
    "fast bool": "Lstsq",
    "fill_value float": "FillDiagonal",
    "gradient_scale float": "ApplyMomentum",
    "hyperpara float": "LARSUpdate",
    "ignore_longer_outputs_than_inputs bool": "CTCLoss",
    "ignore_nan none bool": "Quantile",
    "indexing none str": "Meshgrid",
    "indices int tuple": "InplaceAdd InplaceSub InplaceUpdate",
    "interpolation_mode none str": "GridSampler2D GridSampler3D",
    "iou_threshold float": "NMSWithMask",
    "is_grad bool": "SparseSoftmaxCrossEntropyWithLogits",
    "keep_dims bool": "EuclideanNorm LpNorm",
    "keep_dims none bool": "Quantile",
    "keep_prob float": "Dropout2D Dropout3D",
    "kernel_size int tuple list": "Col2Im",
    "kernel_type str": "ScaleAndTranslate",
    "ksize int tuple": "FractionalMaxPool3DWithFixedKsize FractionalMaxPoolWithFixedKsize MaxUnpool3D",
    "l2_regularizer float": "Lstsq",
    "left bool": "Ormqr",
    "lower bool": "MatrixTriangularSolve",
    "lr float": "SparseApplyAdagrad SparseApplyFtrlV2",
    "margin float": "MultiMarginLoss",
    "max_length int": "Randperm",
    "max_shape tuple": "BoundingBoxDecode",
    "maxnorm float": "Renorm",
    "means tuple": "BoundingBoxDecode BoundingBoxEncode",
    "method str": "CropAndResize",
    "modulated bool": "DeformableOffsets",
    "momentum float": "SparseApplyRMSProp",
    "n int": "MatrixPower",
    "nan int none bool float": "NanToNum",
    "neginf int none bool float": "NanToNum",
    "nesterov bool": "SGD",
    "ngram_size int": "NoRepeatNGram",
    "noise str": "ExtractGlimpse",
    "norm_region str": "LRN",
    "num int none": "Unstack",
    "num_sampled int": "LogUniformCandidateSampler UniformCandidateSampler",
    "num_true int": "LogUniformCandidateSampler UniformCandidateSampler",
    "numsamples int": "MultinomialWithReplacement",
    "offset int": "TrilIndices TriuIndices",
    "offset int none bool tensor": "RandpermV2",
    "out_shapes tuple list": "PyFunc",
    "output_shape int tuple": "FractionalMaxPool3DWithFixedKsize FractionalMaxPoolWithFixedKsize",
    "output_shape tuple": "MaxUnpool3D",
    "output_size int tuple": "AdaptiveAvgPool3D",
    "output_size list tuple": "AdaptiveMaxPool2D",
    "output_type none dtype": "Argmax Argmin",
    "p float": "Pdist",
    "p int": "LpNorm Mvlgamma",
    "p int str float": "Renorm",
    "pad int": "Randperm",
    "pad int tuple list": "AvgPool3D",
    "pad_dim_size int": "Padding",
    "pad_list int tuple": "MaxPool3D",
    "pad_mode none str": "AvgPool",
    "padding int tuple list": "Col2Im",
    "padding str": "ExtractVolumePatches",
    "padding_mode none str": "GridSampler2D GridSampler3D",
    "paddings_contiguous bool": "PadV3",
    "pads int tuple": "MaxUnpool3D",
    "periodic bool": "BartlettWindow BlackmanWindow HammingWindow",
    "posinf int none bool float": "NanToNum",
    "preprocess_collapse_repeated bool": "CTCLoss",
    "range_max int": "LogUniformCandidateSampler UniformCandidateSampler",
    "reduction none str": "BCEWithLogitsLoss BinaryCrossEntropy NLLLoss SmoothL1Loss SoftMarginLoss "
    "TensorScatterElements",
    "reduction str": "CTCLossV2",
    "remove_accidental_hits bool": "UniformCandidateSampler",
    "reverse bool": "CumulativeLogsumexp",
    "row int": "TrilIndices TriuIndices",
    "rtol int none bool float": "IsClose",
    "seed int": "Bernoulli Gamma LogUniformCandidateSampler Multinomial ParameterizedTruncatedNormal Poisson "
    "RandomChoiceWithMask RandomGamma RandomPoisson RandomShuffle StandardLaplace StandardNormal TruncatedNormal "
    "UniformCandidateSampler UniformInt UniformReal",
    "seed int none bool tensor": "RandpermV2",
    "seed2 int": "Gamma Multinomial ParameterizedTruncatedNormal Poisson RandomChoiceWithMask RandomGamma "
    "RandomPoisson RandomShuffle StandardLaplace StandardNormal TruncatedNormal UniformInt UniformReal",
    "seq_dim int": "ReverseSequence",
    "size_splits tuple list": "SplitV",
    "sorted bool": "TopK",
    "stds tuple": "BoundingBoxDecode BoundingBoxEncode",
    "steps int": "LogSpace",
    "stride int tuple list": "Col2Im",
    "tolerance float": "ApproximateEqual",
    "transpose bool": "Ormqr",
    "unique bool": "LogUniformCandidateSampler UniformCandidateSampler",
    "unpack_data bool": "LuUnpack",
    "unpack_pivots bool": "LuUnpack",
    "update_slots bool": "ApplyAdagrad SparseApplyAdagrad",
    "upper bool": "CholeskySolve",
    "use_clip bool": "LARSUpdate",
    "use_locking bool": "Adam AdamNoUpdateParam ApplyAdagradDA ApplyAdamWithAmsgrad ApplyAdamWithAmsgradV2 "
    "ApplyCenteredRMSProp ApplyFtrl ApplyKerasMomentum ApplyMomentum ApplyProximalAdagrad ApplyRMSProp "
    "FusedCastAdamWeightDecay FusedSparseAdam FusedSparseLazyAdam FusedSparseProximalAdagrad ScatterAdd ScatterDiv "
    "ScatterMax ScatterMin ScatterMul ScatterNdAdd ScatterNdDiv ScatterNdMax ScatterNdMin ScatterNdMul ScatterNdSub "
    "ScatterNdUpdate ScatterSub ScatterUpdate SparseApplyAdagrad SparseApplyProximalAdagrad",
    "use_nesterov bool": "Adam AdamNoUpdateParam ApplyKerasMomentum ApplyMomentum FusedSparseAdam FusedSparseLazyAdam",
    "wh_ratio_clip float": "BoundingBoxDecode",
    "wrap bool": "FillDiagonal",
}
_ALIGN = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")
_FLOAT_DTYPES = (mstype.float16, mstype.float32, mstype.float64)


def _one_of(*allowed: Any, error: Callable = value_error) -> Callable:
    def check(api: str, argument: str, value: Any) -> None:
        if value not in allowed:
            raise error(api, argument, f"one of {', '.join(map(str, allowed))}", value)

    return check


def _between(low: float, high: float = float("inf"), above: bool = False) -> Callable:
    def check(api: str, argument: str, value: Any) -> None:
        if not (low < value if above else low <= value) or value > high:
            raise value_error(api, argument, f"in {'(' if above else '['}{low}, {high}]", value)

    return check


def _of_length(count: int) -> Callable:
    def check(api: str, argument: str, value: Any) -> None:
        if len(value) != count:
            raise value_error(api, argument, f"of length {count}", value)

    return check


def _sizes(count: int, least: float, *positions: int) -> Callable:
    """An int, or a tuple of `count` numbers, of which those at `positions` (all by default) have a lower bound."""

    def check(api: str, argument: str, value: Any) -> None:
        items = value if isinstance(value, tuple) else (value,) * count
        if len(items) != count or any(items[i] < least for i in positions or range(count)):
            raise value_error(api, argument, f"an int or a tuple of {count} numbers, at least {least}", value)

    return check


def _whole(api: str, argument: str, value: Any) -> None:
    if isinstance(value, str):
        raise value_error(api, argument, "an int", value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise type_error(api, argument, "an int", value)


def _whole_sizes(api: str, argument: str, value: Any) -> None:
    for item in value if isinstance(value, tuple) else (value,):
        _whole(api, argument, item)
    _sizes(3, 1)(api, argument, value)


def _text(api: str, argument: str, value: Any) -> None:
    if not isinstance(value, str):
        raise type_error(api, argument, "a str", value)


def _order(api: str, argument: str, value: Any) -> None:
    _whole(api, argument, value)
    if value < 1:
        raise value_error(api, argument, "> 0", value)


def _four_floats(api: str, argument: str, value: tuple) -> None:
    for item in value:
        if not isinstance(item, float):
            raise type_error(api, argument, "a tuple of floats", item)
    _of_length(4)(api, argument, value)


def _a_dtype(api: str, argument: str, value: Any) -> None:
    if not isinstance(value, mstype.Type):
        raise type_error(api, argument, "a mindspore dtype", value)


def _as_tuple(value: Any) -> tuple:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _as_list(value: Any) -> list:
    return list(_as_tuple(value))


def _as_pair(value: Any) -> tuple:
    return tuple(value) if isinstance(value, (tuple, list)) else (value, value)


# primitives -> parameter: its attribute's value, where it differs from the constructor's argument
_SHOWN: dict[str, dict[str, Callable]] = {
    "Softmax Squeeze ReduceStd ReverseV2": {"axis": _as_tuple},
    "Roll": {"shifts": _as_tuple, "dims": _as_tuple},
    "L2Normalize LpNorm": {"axis": _as_list},
    "Col2Im": dict.fromkeys(("kernel_size", "dilation", "padding", "stride"), _as_pair),
    "Im2Col": dict.fromkeys(("ksizes", "strides", "dilations", "pads"), _as_pair),
}

# primitives -> parameter: check of its value
_PARAMETER_VALUES: dict[str, dict[str, Callable]] = {
    "MatrixDiagV3 MatrixDiagPartV3 MatrixSetDiagV3": {"align": _one_of(*_ALIGN)},
    "BiasAdd": {"data_format": _one_of("NCHW", "NHWC", "NCDHW")},
    "GridSampler2D": {
        "interpolation_mode": _one_of("bilinear", "nearest", "bicubic"),
        "padding_mode": _one_of("zeros", "border", "reflection"),
    },
    "GridSampler3D": {
        "interpolation_mode": _one_of("bilinear", "nearest"),
        "padding_mode": _one_of("zeros", "border", "reflection"),
    },
    "NLLLoss BCEWithLogitsLoss BinaryCrossEntropy SmoothL1Loss SoftMarginLoss": {
        "reduction": _one_of("none", "mean", "sum")
    },
    "KLDivLoss": {"reduction": _one_of("none", "mean", "batchmean", "sum")},
    "BatchNorm": {"data_format": _one_of("NCHW", "NHWC", "NCDHW")},
    "MaxUnpool2D": {"data_format": _one_of("NCHW", "NHWC")},
    "MaxUnpool3D": {"data_format": _one_of("NCDHW", "NDHWC")},
    "DataFormatVecPermute": {"src_format": _one_of("NHWC", "NCHW"), "dst_format": _one_of("NHWC", "NCHW")},
    "MirrorPad": {"mode": _one_of("REFLECT", "SYMMETRIC")},
    "Meshgrid": {"indexing": _one_of("xy", "ij")},
    "LRN": {"depth_radius": _between(0), "norm_region": _one_of("ACROSS_CHANNELS")},
    "ScaleAndTranslate": {
        "kernel_type": _one_of(
            "lanczos1", "lanczos3", "lanczos5", "gaussian", "box", "triangle", "keyscubic", "mitchellcubic"
        )
    },
    "LogSpace": {"steps": _between(0), "base": _between(0)},
    "LpNorm": {"p": _between(0), "epsilon": _between(0.0)},
    "AvgPool3D": {"divisor_override": _between(0)},
    "NoRepeatNGram": {"ngram_size": _between(1)},
    "RandomChoiceWithMask": {"count": _between(1)},
    "Padding": {"pad_dim_size": _between(1)},
    "Randperm": {"max_length": _between(1)},
    "ComputeAccidentalHits": {"num_true": _between(1)},
    "LogUniformCandidateSampler UniformCandidateSampler": {
        "num_true": _between(1),
        "num_sampled": _between(1),
        "range_max": _between(1),
        "seed": _between(0),
    },
    "RandomGamma Gamma Multinomial Poisson RandomShuffle StandardLaplace StandardNormal UniformInt UniformReal": {
        "seed": _between(0),
        "seed2": _between(0),
    },
    "FractionalMaxPoolWithFixedKsize": {
        "data_format": _one_of("NCHW"),
        "ksize": _sizes(2, 1),
        "output_shape": _sizes(2, 1),
    },
    "ListDiff": {"out_idx": _one_of(mstype.int32, mstype.int64, error=type_error)},
    "Multinomial": {"dtype": _one_of(mstype.int32, mstype.int64, error=type_error)},
    "LowerBound UpperBound": {"out_type": _one_of(mstype.int32, mstype.int64, error=type_error)},
    "RandomCategorical": {"dtype": _one_of(mstype.int16, mstype.int32, mstype.int64, error=type_error)},
    "PadV3": {"mode": _one_of("constant", "reflect", "edge", "circular")},
    "TensorScatterElements": {"reduction": _one_of("none", "add")},
    "Dropout2D Dropout3D": {"keep_prob": _between(0.0, 1.0)},
    "Mvlgamma": {"p": _between(0, above=True)},
    "Einsum": {"equation": _text},
    "FractionalMaxPool3DWithFixedKsize": {
        "ksize": _whole_sizes,
        "output_shape": _whole_sizes,
        "data_format": _one_of("NCDHW", "NDHWC"),
    },
    "Pdist": {"p": _between(0.0)},
    "Renorm": {"p": _order},
    "BoundingBoxEncode BoundingBoxDecode": {"means": _four_floats, "stds": _four_floats},
    "TrilIndices TriuIndices": {
        "row": _between(0),
        "col": _between(0),
        "dtype": _one_of(mstype.int32, mstype.int64, error=type_error),
    },
    "SearchSorted": {"dtype": _a_dtype},
    "BartlettWindow BlackmanWindow HammingWindow": {"dtype": _one_of(*_FLOAT_DTYPES, error=type_error)},
    "SparseApplyAdadelta": {"epsilon": _between(0.0)},
    "SparseApplyFtrlV2": {"l1": _between(0.0), "l2": _between(0.0)},
    "SparseApplyRMSProp": {"decay": _between(0.0, 1.0), "momentum": _between(0.0)},
}

_ANY_FLOAT = "BFloat16 Float16 Float32 Float64"
_COMPLEX = "Complex64 Complex128"
_SMALL = "Int8 Int16 UInt8 UInt16 UInt32 UInt64"
# dtypes, then flags (`tensors`: no numbers; `same`: one dtype; `shapes`: one shape) -> primitives
_INPUTS = (
    (_ANY_FLOAT, "", "Ceil"),
    ("BFloat16 Float16 Float32", "", "HShrink SoftShrink"),
    ("Float16 Float32 Float64", "", "Digamma BesselI0 BesselI0e BesselI1 BesselI1e Mvlgamma LpNorm"),
    ("Float16 Float32 Float64", "tensors", "Eps"),
    ("Float16 Float32 Float64 Int32", "", "Lgamma"),
    ("Float16 Float32", "", "FastGeLU FastGelu ReLU6"),
    (f"Bool {_ANY_FLOAT} {_COMPLEX}", "", "Exp"),
    (f"Bool Int32 Int64 {_ANY_FLOAT} {_COMPLEX}", "", "Sign"),
    (_COMPLEX, "", "ComplexAbs"),
    (f"BFloat16 Float16 Float32 Int32 Int64 Bool {_SMALL}", "tensors", "NanToNum"),
    (f"Bool Int32 Int64 {_ANY_FLOAT} {_SMALL}", "", "IsFinite IsNan"),
    (f"Int32 Int64 {_SMALL}", "tensors", "Invert PopulationCount"),
    (f"Int32 Int64 {_ANY_FLOAT} {_COMPLEX} {_SMALL}", "tensors", "Conj"),
    ("", "tensors", "Angle Imag Real LogicalNot Logit LogicalAnd LogicalOr LogicalXor Xlogy"),
    (f"Int32 Int64 {_ANY_FLOAT}", "", "Fmax Fmin"),
    (f"Int32 Int64 {_ANY_FLOAT} {_SMALL}", "", "Minimum"),
    ("Int16 Int32 Int64", "tensors", "Gcd"),
    ("Int32 Int64", "", "Lcm"),
    (f"Int32 Int64 {_ANY_FLOAT} {_SMALL}", "tensors same", "Heaviside"),
    ("Float32 Float64", "tensors same", "Igamma Igammac NextAfter"),
    ("Float32 Float64", "tensors same shapes", "Zeta Polar"),
    (f"Bool Int32 Int64 {_ANY_FLOAT} {_SMALL}", "tensors same", "IsClose"),
    (f"Int32 Int64 {_SMALL}", "tensors same", "LeftShift RightShift"),
    ("Float16 Float32 Float64 Int32 Int8 UInt8", "", "TruncateMod"),
    (f"Float16 Float32 Float64 Int64 Int32 {_COMPLEX}", "tensors same", "Addcmul"),
    ("Float16 Float32 Float64 Int64", "tensors same", "Addcdiv"),
    (_ANY_FLOAT, "same", "Ger Lerp"),
    ("", "same", "InplaceAdd InplaceSub"),
    ("", "same", "BiasAdd"),
    ("Float16 Float32", "same shapes", "SquareSumAll"),
    ("Float16 Float32 Int32 Int64", "", "SparseApplyAdagrad SparseApplyAdagradV2 SparseApplyFtrl"),
    (f"Bool Int32 Int64 {_ANY_FLOAT} {_SMALL}", "", "Hypot"),
    ("Float16 Float32 Float64 Complex64 Complex128", "", "Renorm"),
    ("Float32 Float64", "", "Quantile"),
    ("Float16 Float32 Float64", "", "Cdist"),
    (f"Float32 Float64 {_COMPLEX}", "", "MatrixInverse Svd"),
    ("Bool", "", "RandomChoiceWithMask"),
    ("Float32 Float64 Int32 Int64 Int16 Int8 UInt8", "", "MatrixPower"),
    (f"Int32 Int64 {_ANY_FLOAT} {_COMPLEX} {_SMALL}", "", "Trace"),
)


class InputRule(NamedTuple):
    """What a primitive's inputs must be.

    Args:
        dtypes: the dtypes that tensors may have; empty for any.
        tensors: whether numbers are refused.
        same: whether all dtypes must be equal.
        shapes: whether all shapes must be equal.
    """

    dtypes: frozenset
    tensors: bool
    same: bool
    shapes: bool

    def check(self, api: str, args: tuple) -> None:
        """Raise TypeError or ValueError for inputs that the rule refuses."""
        first = None
        for value in args:
            if not isinstance(value, Tensor):
                if self.tensors and not (isinstance(value, bool) and api in ("LogicalAnd", "LogicalOr", "LogicalXor")):
                    raise type_error(api, "input", "a Tensor", value)
                continue
            if self.dtypes and value.dtype not in self.dtypes:
                wanted = ", ".join(sorted(map(str, self.dtypes)))
                raise TypeError(f"For '{api}', the input must be a Tensor of {wanted}, but got {value.dtype}.")
            if first is None:
                first = value
            elif self.same and value.dtype != first.dtype:
                raise TypeError(f"For '{api}', the inputs must have one dtype, but got {first.dtype}, {value.dtype}.")
            elif self.shapes and value.shape != first.shape:
                raise ValueError(f"For '{api}', the inputs must have one shape, but got {first.shape}, {value.shape}.")


def _by_primitive() -> tuple[dict, dict, dict]:
    types: dict[str, dict[str, tuple]] = {}
    for key, names in _PARAMETER_TYPES.items():
        parameter, *kinds = key.split()
        for name in names.split():
            types.setdefault(name, {})[parameter] = tuple([_KINDS[kind] for kind in kinds])
    values: dict[str, dict[str, Callable]] = {}
    for names, checks in _PARAMETER_VALUES.items():
        for name in names.split():
            values.setdefault(name, {}).update(checks)
    inputs = {}
    for dtypes, flags, names in _INPUTS:
        chosen = frozenset([getattr(mstype, d.lower().replace("bool", "bool_")) for d in dtypes.split()])
        rule = InputRule(chosen, "tensors" in flags, "same" in flags, "shapes" in flags)
        inputs.update(dict.fromkeys(names.split(), rule))
    return types, values, inputs


PARAMETER_TYPES, PARAMETER_VALUES, INPUTS = _by_primitive()
SHOWN = {name: rules for names, rules in _SHOWN.items() for name in names.split()}
