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

_KINDS = {"int": int, "float": float, "bool": bool, "tuple": tuple, "list": list, "none": type(None), "tensor": Tensor}

# parameter and its types -> primitives
_PARAMETER_TYPES = {
    "use_locking bool": "ScatterUpdate ScatterAdd ScatterSub ScatterMul ScatterDiv ScatterMax ScatterMin "
    "ScatterNdUpdate ScatterNdAdd ScatterNdSub ScatterNdMul ScatterNdDiv ScatterNdMax ScatterNdMin "
    "ApplyCenteredRMSProp ApplyKerasMomentum AdamNoUpdateParam FusedSparseProximalAdagrad SparseApplyProximalAdagrad",
    "use_nesterov bool": "ApplyKerasMomentum AdamNoUpdateParam",
    "beta1 float": "ApplyAdamWithAmsgrad",
    "epsilon float": "LARSUpdate SparseApplyAdadelta",
    "use_clip bool": "LARSUpdate",
    "lr float": "SparseApplyAdagrad SparseApplyFtrlV2",
    "decay float": "SparseApplyRMSProp",
    "momentum float": "SparseApplyRMSProp",
    "output_size int tuple": "AdaptiveAvgPool3D",
    "output_size list tuple": "AdaptiveMaxPool2D",
    "align_corners bool": "AffineGrid",
    "means tuple": "BoundingBoxEncode BoundingBoxDecode",
    "stds tuple": "BoundingBoxEncode BoundingBoxDecode",
    "max_shape tuple": "BoundingBoxDecode",
    "keep_prob float": "Dropout3D",
    "Seed0 int": "DropoutGenMask",
    "ksize int tuple": "FractionalMaxPoolWithFixedKsize MaxUnpool3D",
    "seq_dim int": "ReverseSequence",
    "p int": "Mvlgamma",
    "axis int tuple list": "LpNorm ReduceStd",
    "num_true int": "LogUniformCandidateSampler UniformCandidateSampler",
    "keep_dims bool": "EuclideanNorm",
    "fill_value float": "FillDiagonal",
    "wrap bool": "FillDiagonal",
    "indices int tuple": "InplaceAdd InplaceSub",
    "axis int": "Unpack",
    "axis int tensor": "TensorScatterElements",
    "diagonal int tensor": "Triu Tril",
    "dim int none": "Quantile",
    "size_splits tuple list": "SplitV",
    "row int": "TrilIndices TriuIndices",
    "p float": "Pdist",
    "upper bool": "CholeskySolve",
    "left bool": "Ormqr",
    "fast bool": "Lstsq",
    "l2_regularizer float": "Lstsq",
    "unpack_data bool": "LuUnpack",
    "adjoint bool": "MatrixInverse MatrixSolve",
    "lower bool": "MatrixTriangularSolve",
    "n int": "MatrixPower",
    "numsamples int": "MultinomialWithReplacement",
    "seed int": "RandomGamma RandomPoisson ParameterizedTruncatedNormal",
    "count int": "RandomChoiceWithMask",
    "periodic bool": "BartlettWindow BlackmanWindow HammingWindow",
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


def _whole(api: str, argument: str, value: Any) -> None:
    if isinstance(value, str):
        raise value_error(api, argument, "an int", value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise type_error(api, argument, "an int", value)


def _whole_sizes(api: str, argument: str, value: Any) -> None:
    for item in value if isinstance(value, tuple) else (value,):
        _whole(api, argument, item)


def _text(api: str, argument: str, value: Any) -> None:
    if not isinstance(value, str):
        raise type_error(api, argument, "a str", value)


def _floats(api: str, argument: str, value: tuple) -> None:
    for item in value:
        if not isinstance(item, float):
            raise type_error(api, argument, "a tuple of floats", item)


def _a_dtype(api: str, argument: str, value: Any) -> None:
    if not isinstance(value, mstype.Type):
        raise type_error(api, argument, "a mindspore dtype", value)


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
    "NLLLoss": {"reduction": _one_of("none", "mean", "sum")},
    "FractionalMaxPoolWithFixedKsize": {"data_format": _one_of("NCHW")},
    "PadV3": {"mode": _one_of("constant", "reflect", "edge", "circular")},
    "TensorScatterElements": {"reduction": _one_of("none", "add")},
    "Dropout3D": {"keep_prob": _between(0.0, 1.0)},
    "Mvlgamma": {"p": _between(0, above=True)},
    "Einsum": {"equation": _text},
    "FractionalMaxPool3DWithFixedKsize": {"ksize": _whole_sizes, "output_shape": _whole_sizes},
    "Pdist": {"p": _between(0.0)},
    "Renorm": {"p": _whole},
    "BoundingBoxEncode BoundingBoxDecode": {"means": _floats, "stds": _floats},
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
        same: whether the dtypes must be one.
        shapes: whether the shapes must be one.
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
