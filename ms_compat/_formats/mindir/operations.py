"""From a primitive of a MindIR file to the function that computes it.

Most are primitives of the same name in this package. Since MindSpore 2.3 most constructor arguments are inputs of
the node, after the call's; the others, and all in older files, are attributes. This module undoes what a file adds to
the inputs and attributes that a program gives (axes of lengths 1 before strides, numbers for dtypes and texts).
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from typing import Any

from ms_compat import mint, ops
from ms_compat._core import dtype as mstype
from ms_compat._core.errors import UnsupportedError
from ms_compat._core.tensor import Tensor
from ms_compat._formats.mindir.arguments import ENCODED, decoded
from ms_compat._formats.mindir.graphs import Operation
from ms_compat._formats.mindir.values import Monad
from ms_compat._names.resolve import served
from ms_compat.nn.layer.clip import ClipByNorm
from ms_compat.ops.primitive import REQUIRED, Primitive

_WAY_OUT = "Define the net as a Cell and load its weights: save_checkpoint(nn.GraphCell(load(file)), name) saves them."
# parameter of a constructor -> its names among the attributes of a file
_ATTRIBUTE_NAMES = {
    "data_format": ("format", "data_format"),
    "group": ("group", "groups"),
    "dilation": ("dilation", "dilations"),
    "stride": ("stride", "strides"),
    "strides": ("strides", "stride"),
}
# primitive -> its spatial axes; in a file some of its attributes count the batch and channel axes, too
_SPATIAL = {
    "Conv2D": 2, "Conv2DTranspose": 2, "Conv2DBackpropInput": 2, "MaxPool": 2, "MaxPoolWithArgmax": 2,
    "MaxPoolWithArgmaxV2": 2, "Conv3D": 3, "Conv3DTranspose": 3, "MaxPool3D": 3, "AvgPool3D": 3,
}  # fmt: skip
_SPATIAL_ATTRIBUTES = ("kernel_size", "stride", "strides", "dilation", "pads")
# attributes that are dtypes in a program and in a file numbers of another table than the one in `arguments`
_NUMBERED: dict[tuple[str, str], dict[int, mstype.Type]] = {
    ("MaxPoolWithArgmaxV2", "argmax_type"): {3: mstype.int32, 4: mstype.int64},
    ("HammingWindow", "dtype"): {0: mstype.float32, 1: mstype.float16, 11: mstype.float64},
}
_TRANSPOSED = ("Conv2DTranspose", "Conv2DBackpropInput")
_PADS = ("pad", "pad_list")
_PAD_MODES = {0: "pad", 1: "same", 2: "valid"}


def _item(sequence: Any, index: Any) -> Any:
    return sequence[int(index)]


def _python_scalar(x: Any) -> Any:
    """The number in a Tensor, as a Tensor without axes where its value is known at run time only."""
    return ops.reshape(x, ()) if isinstance(x, Tensor) else x


def _tensor_of(items: Any, dtype: Any = None) -> Tensor:
    if any(isinstance(item, Tensor) for item in items):
        out = ops.stack([ops.reshape(ops.scalar_to_tensor(i) if not isinstance(i, Tensor) else i, ()) for i in items])
        return out if dtype is None else ops.cast(out, dtype)
    return Tensor(list(items), dtype)


_OF_MONADS = ("UpdateState", "MakeTuple", "Depend")
# What a program does not write, or what Python computes.
STRUCTURE: dict[str, Callable] = {
    "Depend": lambda value, *_: value,
    "Return": lambda value: value,
    "UpdateState": lambda state, *_: state,
    "MakeTuple": lambda *items: tuple(items),
    "MakeList": lambda *items: list(items),
    "make_list": lambda *items: list(items),
    "RealMakeTuple": lambda *items: tuple(items),
    "TupleGetItem": _item,
    "ListGetItem": _item,
    "RealTupleGetItem": _item,
    "TensorToScalar": _python_scalar,
    "TupleToTensor": lambda items, dtype=None: _tensor_of(items, decoded("dtype", dtype)),
    "ListToTensor": lambda items, dtype=None: _tensor_of(items, decoded("dtype", dtype)),
    "ScalarToTensor": lambda x, dtype=None: ops.scalar_to_tensor(x, decoded("dtype", dtype)),
    "sequence_len": len,
    "Print": lambda *inputs: ops.Print()(*inputs),
    "Load": mint.clone,
    "TensorMove": mint.clone,
    "ScalarAdd": operator.add, "ScalarSub": operator.sub, "ScalarMul": operator.mul, "ScalarDiv": operator.truediv,
    "ScalarFloorDiv": operator.floordiv, "ScalarMod": operator.mod, "ScalarPow": operator.pow,
    "ScalarUadd": operator.pos, "ScalarUsub": operator.neg, "ScalarEq": operator.eq, "ScalarNe": operator.ne,
    "ScalarLt": operator.lt, "ScalarLe": operator.le, "ScalarGt": operator.gt, "ScalarGe": operator.ge,
    "ScalarBool": bool, "BoolNot": operator.not_, "ScalarMax": max, "ScalarMin": min,
}  # fmt: skip


# Primitives that are not exported by MindSpore's modules of primitives, or take more inputs in a file.
_MORE: dict[str, Callable] = {
    "AdaptiveMaxPool1D": lambda x, size: ops.adaptive_max_pool1d(
        x, size[0] if isinstance(size, (tuple, list)) else size
    ),
    "Any": mint.any,
    "AnyExt": mint.any,
    "Diagonal": ops.diagonal,
    "DiagonalView": ops.diagonal,
    "EluExt": mint.nn.functional.elu,
    "EqScalar": mint.eq,
    "GatherNdExt": ops.gather_nd,
    "LessScalar": mint.lt,
    "MaskedFillScalar": ops.masked_fill,
    "Round": lambda x, decimals=0: ops.round(x, decimals=decimals),
    "SearchSorted": lambda sequence, values, sorter, dtype, right: ops.searchsorted(
        sequence, values, out_int32=dtype is mstype.int32, right=right, sorter=sorter
    ),
    "TypeAs": lambda x, other: ops.cast(x, other.dtype),
    "SparseSegmentMean": ops.sparse_segment_mean,
    "View": lambda x, shape: ops.reshape(x, shape),
    **{
        name: getattr(ops, name.lower())
        for name in "FFT FFT2 FFTN IFFT IFFT2 IFFTN RFFT RFFT2 RFFTN IRFFT IRFFT2 IRFFTN HFFT HFFT2 HFFTN IHFFT IHFFT2 "
        "IHFFTN FFTShift IFFTShift".split()
    },
}


# Modules of MindSpore with primitives; the registry knows what serves those that `ops` lacks.
_HOMES = ("mindspore.ops", "mindspore.ops.auto_generate.gen_ops_prim", "mindspore.ops.operations._grad_ops")


def find(name: str) -> type[Primitive] | None:
    """The primitive class of a name: a public one, or one that MindSpore generates or differentiates with."""
    for home in _HOMES:  # one after the other: the second costs an import
        found = served(f"{home}.{name}")
        if isinstance(found, type) and issubclass(found, Primitive):
            return found
    return None


def implementation_of(operation: Operation) -> Callable[..., Any]:
    """The function of a node's inputs that computes an operation.

    Raises:
        UnsupportedError: there is no such primitive here.
    """
    if operation.name in STRUCTURE:
        return STRUCTURE[operation.name] if operation.name in _OF_MONADS else _without_monads(STRUCTURE[operation.name])
    if operation.name == "ClipByNorm":
        return ClipByNorm(operation.attributes.get("axis") or None)
    if operation.name in _MORE:
        return _without_monads(_decoding(operation.name, _MORE[operation.name]))
    cls = find(operation.name)
    if cls is None:
        raise UnsupportedError(f"mindspore.nn.GraphCell of a graph with the primitive {operation.name}", _WAY_OUT)
    return _without_monads(_decoding(operation.name, _bound(cls, operation)))


def _without_monads(fn: Callable) -> Callable:
    def call(*inputs: Any) -> Any:
        return fn(*[value for value in inputs if not isinstance(value, Monad)])

    return call


def _decoding(name: str, fn: Callable) -> Callable:
    """Give `fn` dtypes and texts for the numbers that encode them."""
    places = ENCODED.get(name)
    if not places:
        return fn

    def call(*inputs: Any) -> Any:
        return fn(*[decoded(places[i], value) if i in places else value for i, value in enumerate(inputs)])

    return call


def _bound(cls: Any, operation: Operation) -> Callable:
    """The primitive's function: its constructor's arguments are the last inputs, or else attributes."""
    row = cls._row
    if row is not None:
        count, parameters = len(row.inputs), row.parameters
        attributes = _attributes(operation, tuple(parameters))
        optional = [None if isinstance(i, str) else i[1] for i in row.inputs]

        def compute(*inputs: Any) -> Any:
            if row.variadic and count == 1 and not (inputs and isinstance(inputs[0], (tuple, list))):
                inputs = (inputs,)
            given = [*inputs, *optional[len(inputs) :]]
            rest = list(parameters)[len(given) - count :]
            return row.fn(*given, *[_value(operation, key, attributes, parameters[key]) for key in rest])

        return compute
    if hasattr(cls, "_fn"):  # a face of a function, which takes all the inputs
        return cls()
    count = len(_names(cls.__call__))
    settings = _names(cls.__init__)
    attributes = _attributes(operation, settings)

    def construct_and_call(*inputs: Any) -> Any:
        last = dict(zip(settings, inputs[count:], strict=False))
        if operation.name in _TRANSPOSED:  # MindSpore does not compare it with the weight
            last["out_channel"] = inputs[1].shape[0]
        return cls(**{**attributes, **last})(*inputs[:count])

    return construct_and_call


def _names(method: Callable) -> tuple[str, ...]:
    return tuple(inspect.signature(method).parameters)[1:]


def _value(operation: Operation, key: str, attributes: dict[str, Any], default: Any) -> Any:
    value = attributes.get(key, default)
    if value is REQUIRED:
        raise RuntimeError(f"The primitive {operation.name} of the graph lacks its '{key}'.")
    return value


def _attributes(operation: Operation, names: tuple[str, ...]) -> dict[str, Any]:
    """The attributes that are arguments of the constructor, as a program writes them."""
    out = {}
    for name in names:
        found = [a for a in _ATTRIBUTE_NAMES.get(name, (name,)) if a in operation.attributes]
        if found:
            value = operation.attributes[found[0]]
            out[name] = _plain(operation.name, name, tuple(value) if isinstance(value, list) else value)
    if str(out.get("pad_mode", "pad")).lower() != "pad":
        out = {name: value for name, value in out.items() if name not in _PADS}  # a file holds the computed ones
    return out


def _plain(primitive: str, name: str, value: Any) -> Any:
    space = _SPATIAL.get(primitive)
    if space and name in _SPATIAL_ATTRIBUTES and isinstance(value, tuple) and len(value) == space + 2:
        return value[2:]
    if name == "pad_mode" and isinstance(value, int):
        return _PAD_MODES[value]
    if (primitive, name) in _NUMBERED and isinstance(value, int):
        return _NUMBERED[primitive, name][value]
    if primitive == "AdaptiveAvgPool2D" and isinstance(value, tuple):
        return tuple([None if size == -1 else size for size in value])
    if name.endswith("_type") and isinstance(value, str):
        return getattr(mstype, value, value)
    return value
