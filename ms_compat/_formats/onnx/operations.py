"""The primitives of MindSpore that lowering rules call, as nodes of ONNX.

An operation takes the writer and what is asked of the primitive; it returns the result, or a list where
the primitive returns a tuple.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.jax_compat import is_symbolic_size
from ms_compat._formats.mindir.writing import Ref
from ms_compat._formats.onnx.types import NoCounterpartError, computed_in
from ms_compat._formats.onnx.writing import OPERATIONS, Asked, OnnxWriter, operation

_TO_END = np.iinfo(np.int64).max
_TO_BEGIN = np.iinfo(np.int64).min

# of one or two tensors, which are broadcast
_SAME = {
    "Abs": "Abs", "ACos": "Acos", "Acosh": "Acosh", "Asin": "Asin", "Asinh": "Asinh", "Atan": "Atan",
    "Atanh": "Atanh", "Ceil": "Ceil", "Cos": "Cos", "Cosh": "Cosh", "Erf": "Erf", "Exp": "Exp", "Floor": "Floor",
    "Log": "Log", "Sigmoid": "Sigmoid", "Sign": "Sign", "Sin": "Sin", "Sinh": "Sinh", "Sqrt": "Sqrt", "Tan": "Tan",
    "Tanh": "Tanh", "ReLU": "Relu", "Rint": "Round", "Reciprocal": "Reciprocal", "LogicalNot": "Not",
    "Invert": "BitwiseNot", "Add": "Add", "Sub": "Sub", "Mul": "Mul", "Div": "Div", "TruncateDiv": "Div",
    "Pow": "Pow", "Maximum": "Max", "Minimum": "Min", "Equal": "Equal", "Greater": "Greater",
    "GreaterEqual": "GreaterOrEqual", "Less": "Less", "LessEqual": "LessOrEqual", "LogicalAnd": "And",
    "LogicalOr": "Or", "LogicalXor": "Xor", "BitwiseAnd": "BitwiseAnd", "BitwiseOr": "BitwiseOr",
    "BitwiseXor": "BitwiseXor",
}  # fmt: skip
_REDUCTIONS = {"ReduceSum": "ReduceSum", "ReduceMax": "ReduceMax", "ReduceMin": "ReduceMin", "ReduceProd": "ReduceProd",
               "ReduceAll": "ReduceMin", "ReduceAny": "ReduceMax"}  # fmt: skip
_SCATTERS = {"TensorScatterUpdate": "none", "TensorScatterAdd": "add", "TensorScatterMul": "mul",
             "TensorScatterMin": "min", "TensorScatterMax": "max"}  # fmt: skip


# -- element-wise ------------------------------------------------------------------------------------------------------
def _same(name: str) -> Callable:
    def build(w: OnnxWriter, asked: Asked) -> Ref:
        return w.node(_SAME[name], asked.inputs, asked.dtype)

    return build


OPERATIONS.update({name: _same(name) for name in _SAME})


@operation("NotEqual")
def not_equal(w: OnnxWriter, asked: Asked) -> Ref:
    return w.node("Not", [w.node("Equal", asked.inputs, np.bool_)], np.bool_)


@operation("Neg")
def neg(w: OnnxWriter, asked: Asked) -> Ref:
    if np.issubdtype(asked.dtype, np.unsignedinteger):
        return w.node("Sub", [np.zeros((), asked.dtype), *asked.inputs], asked.dtype)
    return w.node("Neg", asked.inputs, asked.dtype)


@operation("TruncateMod")
def truncate_mod(w: OnnxWriter, asked: Asked) -> Ref:
    return w.node("Mod", asked.inputs, asked.dtype, fmod=1)


@operation("Square")
def square(w: OnnxWriter, asked: Asked) -> Ref:
    return w.node("Mul", [asked.inputs[0], asked.inputs[0]], asked.dtype)


@operation("Rsqrt")
def rsqrt(w: OnnxWriter, asked: Asked) -> Ref:
    return w.node("Reciprocal", [w.node("Sqrt", asked.inputs, asked.dtype)], asked.dtype)


@operation("Erfc")
def erfc(w: OnnxWriter, asked: Asked) -> Ref:
    return w.node("Sub", [np.ones((), asked.dtype), w.node("Erf", asked.inputs, asked.dtype)], asked.dtype)


@operation("Expm1")
def expm1(w: OnnxWriter, asked: Asked) -> Ref:
    """tanh(x / 2) (exp(x) + 1), which is exact near zero, where exp(x) - 1 is not."""
    (x,) = asked.inputs
    half = w.node("Tanh", [w.node("Mul", [x, np.asarray(0.5, asked.dtype)], asked.dtype)], asked.dtype)
    return w.node(
        "Mul",
        [half, w.node("Add", [w.node("Exp", [x], asked.dtype), np.ones((), asked.dtype)], asked.dtype)],
        asked.dtype,
    )


@operation("Log1p")
def log1p(w: OnnxWriter, asked: Asked) -> Ref:
    """log(1 + x), near zero scaled by x / ((1 + x) - 1), which takes the rounding of 1 + x back."""
    (x,) = asked.inputs
    one = np.ones((), asked.dtype)
    more = w.node("Add", [x, one], asked.dtype)
    log, rounded = w.node("Log", [more], asked.dtype), w.node("Sub", [more, one], asked.dtype)
    none = w.node("Equal", [rounded, np.zeros((), asked.dtype)], np.bool_)
    safe = w.node("Where", [none, one, rounded], asked.dtype)
    scaled = w.node("Div", [w.node("Mul", [log, x], asked.dtype), safe], asked.dtype)
    small = w.node("Less", [w.node("Abs", [x], asked.dtype), np.asarray(0.5, asked.dtype)], np.bool_)
    return w.node("Where", [small, w.node("Where", [none, x, scaled], asked.dtype), log], asked.dtype)


@operation("IsFinite")
def is_finite(w: OnnxWriter, asked: Asked) -> Ref:
    (x,) = [w.tensor(value) for value in asked.inputs]
    zero = w.node("Sub", [x, x], x.dtype)  # NaN for infinite values
    return w.node("Equal", [zero, np.zeros((), x.dtype)], np.bool_)


@operation("Trunc")
def trunc(w: OnnxWriter, asked: Asked) -> Ref:
    (x,) = asked.inputs
    whole = w.node("Floor", [w.node("Abs", [x], asked.dtype)], asked.dtype)
    return w.node("Mul", [w.node("Sign", [x], asked.dtype), whole], asked.dtype)


@operation("Atan2")
def atan2(w: OnnxWriter, asked: Asked) -> Ref:
    y, x = asked.inputs
    zero, pi = np.zeros((), asked.dtype), np.asarray(math.pi, asked.dtype)
    angle = w.node("Atan", [w.node("Div", [y, x], asked.dtype)], asked.dtype)
    turn = w.node("Where", [w.node("Less", [y, zero], np.bool_), -pi, pi], asked.dtype)
    left = w.node("Less", [x, zero], np.bool_)
    turned = w.node("Where", [left, w.node("Add", [angle, turn], asked.dtype), angle], asked.dtype)
    both = [w.node("Equal", [value, zero], np.bool_) for value in (y, x)]
    return w.node("Where", [w.node("And", both, np.bool_), zero, turned], asked.dtype)


def _shift(direction: str) -> Callable:
    def build(w: OnnxWriter, asked: Asked) -> Ref:
        """BitShift has unsigned integers only: the bits of a negative number are inverted for a shift to the right."""
        x, by = [w.tensor(value) for value in asked.inputs]
        unsigned = np.dtype(f"uint{8 * asked.dtype.itemsize}")

        def shifted(value: Ref) -> Ref:
            bits = [w.cast(value, unsigned), w.cast(by, unsigned)]
            return w.cast(w.node("BitShift", bits, unsigned, direction=direction), asked.dtype)

        if unsigned == asked.dtype or direction == "LEFT":
            return shifted(x)
        negative = w.node("Less", [x, np.zeros((), asked.dtype)], np.bool_)
        inverted = w.node("BitwiseNot", [shifted(w.node("BitwiseNot", [x], asked.dtype))], asked.dtype)
        return w.node("Where", [negative, inverted, shifted(x)], asked.dtype)

    return build


OPERATIONS.update(LeftShift=_shift("LEFT"), RightShift=_shift("RIGHT"))


@operation("Select")
def select(w: OnnxWriter, asked: Asked) -> Ref:
    condition, yes, no = asked.inputs
    if asked.dtype != np.bool_:
        return w.node("Where", asked.inputs, asked.dtype)
    chosen = w.node("And", [condition, yes], np.bool_)
    return w.node("Or", [chosen, w.node("And", [w.node("Not", [condition], np.bool_), no], np.bool_)], np.bool_)


@operation("Cast")
def cast(w: OnnxWriter, asked: Asked) -> Ref:
    return w.cast(w.tensor(asked.inputs[0]), asked.dtype)


# -- along axes --------------------------------------------------------------------------------------------------------
def _reduction(name: str) -> Callable:
    def build(w: OnnxWriter, asked: Asked) -> Ref:
        x, axes, keep = asked.inputs[:3]
        return w.node(_REDUCTIONS[name], [x], asked.dtype, [np.asarray(axes, np.int64)], keepdims=int(keep))

    return build


OPERATIONS.update({name: _reduction(name) for name in _REDUCTIONS})


def _arg(op: str) -> Callable:
    def build(w: OnnxWriter, asked: Asked) -> Ref:
        return w.cast(w.node(op, [asked.inputs[0]], np.int64, axis=int(asked.inputs[1]), keepdims=0), asked.dtype)

    return build


OPERATIONS.update(Argmax=_arg("ArgMax"), Argmin=_arg("ArgMin"))


@operation("CumSum")
def cumsum(w: OnnxWriter, asked: Asked) -> Ref:
    x, axis, _, reverse = asked.inputs
    return w.node("CumSum", [x], asked.dtype, [np.asarray(axis, np.int64)], reverse=int(reverse))


@operation("ReverseV2")
def reverse(w: OnnxWriter, asked: Asked) -> Ref:
    x, axes = asked.inputs
    each = [np.full(len(axes), value, np.int64) for value in (-1, _TO_BEGIN)]
    return w.node("Slice", [x], asked.dtype, [*each, np.asarray(axes, np.int64), np.full(len(axes), -1, np.int64)])


@operation("Sort")
def sort(w: OnnxWriter, asked: Asked) -> list[Ref]:
    """The largest or smallest of all, in order; among equal elements TopK takes the first, so the order is stable."""
    (x,) = [w.tensor(value) for value in asked.inputs]
    of_index = asked.results[1][1]
    axis = asked.attributes["axis"]
    wide = computed_in("TopK", x.dtype)
    values, index = w.nodes(
        "TopK", [w.cast(x, wide), w.ints([asked.shape[axis]])], [(asked.shape, wide), (asked.shape, np.int64)],
        axis=axis, largest=int(asked.attributes["descending"]), sorted=1,
    )  # fmt: skip
    index = w.cast(index, of_index)
    return [Ref(w.cast(values, x.dtype).name, asked.shape, x.dtype), Ref(index.name, asked.shape, of_index)]


# -- parts and shapes --------------------------------------------------------------------------------------------------
@operation("Reshape")
def reshape(w: OnnxWriter, asked: Asked) -> Ref:
    return w.node("Reshape", [asked.inputs[0]], asked.dtype, [w.ints(asked.inputs[1])])


@operation("Transpose")
def transpose(w: OnnxWriter, asked: Asked) -> Ref:
    return w.node("Transpose", [asked.inputs[0]], asked.dtype, perm=list(asked.inputs[1]))


@operation("BroadcastTo")
def broadcast_to(w: OnnxWriter, asked: Asked) -> Ref:
    sizes = [1 if not is_symbolic_size(size) and size == -1 else size for size in asked.inputs[1]]
    return w.node("Expand", [asked.inputs[0]], asked.dtype, [w.ints(sizes)])


@operation("StridedSlice")
def strided_slice(w: OnnxWriter, asked: Asked) -> Ref:
    x, begin, end, steps, _, to_end = asked.inputs[:6]
    ends = [_TO_END if to_end >> axis & 1 else e for axis, e in enumerate(end)]
    cut = [
        axis
        for axis, (b, e, s) in enumerate(zip(begin, ends, steps, strict=True))
        if is_symbolic_size(b) or b != 0 or s != 1 or (e != _TO_END and e is not x.shape[axis])
    ]
    if not cut:
        return w.tensor(x)
    parts = [w.ints([values[axis] for axis in cut]) for values in (begin, ends)]
    return w.node("Slice", [x], asked.dtype, [*parts, w.ints(cut), w.ints([steps[axis] for axis in cut])])


@operation("Concat")
def concat(w: OnnxWriter, asked: Asked) -> Ref:
    return w.node("Concat", asked.inputs[0].items, asked.dtype, axis=int(asked.inputs[1]))


@operation("Gather")
def gather(w: OnnxWriter, asked: Asked) -> Ref:
    return w.node("Gather", [asked.inputs[0]], asked.dtype, [asked.inputs[1]], axis=int(asked.inputs[2]))


@operation("GatherD")
def gather_elements(w: OnnxWriter, asked: Asked) -> Ref:
    return w.node("GatherElements", [asked.inputs[0]], asked.dtype, [asked.inputs[2]], axis=int(asked.inputs[1]))


def _scatter(name: str) -> Callable:
    def build(w: OnnxWriter, asked: Asked) -> Ref:
        table, index, updates = [w.tensor(value) for value in asked.inputs]
        index = w.cast(index, np.int64)
        return w.nodes("ScatterND", [table, index, updates], [(asked.shape, asked.dtype)], reduction=_SCATTERS[name])[0]

    return build


OPERATIONS.update({name: _scatter(name) for name in _SCATTERS})


@operation("ScalarToTensor")
def scalar_to_tensor(w: OnnxWriter, asked: Asked) -> Ref:
    return w.cast(w.size(asked.inputs[0]), asked.dtype)


@operation("Range")
def range_(w: OnnxWriter, asked: Asked) -> Ref:
    return w.node("Range", [w.size(value) for value in asked.inputs[:3]], asked.dtype)


@operation("Pad")
def pad(w: OnnxWriter, asked: Asked) -> Ref:
    x, fill = [w.tensor(value) for value in (asked.inputs[0], asked.inputs[2])]
    wide = computed_in("Pad", asked.dtype)
    return w.cast(w.node("Pad", [w.cast(x, wide)], wide, [w.ints(asked.inputs[1]), w.cast(fill, wide)]), asked.dtype)


# -- products, convolutions, pooling -----------------------------------------------------------------------------------
@operation("MatMul", "BatchMatMul")
def matmul(w: OnnxWriter, asked: Asked) -> Ref:
    a, b = [w.tensor(value) for value in asked.inputs[:2]]
    a_turned, b_turned = asked.inputs[2:]
    if (a_turned or b_turned) and len(a.shape) == 2:
        return w.node("Gemm", [a, b], asked.dtype, transA=int(a_turned), transB=int(b_turned))
    return w.node("MatMul", [_turned(w, a) if a_turned else a, _turned(w, b) if b_turned else b], asked.dtype)


def _turned(w: OnnxWriter, x: Ref) -> Ref:
    rank = len(x.shape)
    return w.node("Transpose", [x], x.dtype, perm=[*range(rank - 2), rank - 1, rank - 2])


@operation("Conv2D", "Conv3D")
def convolution(w: OnnxWriter, asked: Asked) -> Ref:
    return w.node("Conv", asked.inputs, asked.dtype, **_windows(asked.attributes))


def _windows(attributes: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a convolution; ONNX orders the widths of paddings otherwise: first all before an axis."""
    pads = attributes["pad"]
    return {
        "kernel_shape": list(attributes["kernel_size"]), "strides": list(attributes["stride"][2:]),
        "dilations": list(attributes["dilation"][2:]), "group": int(attributes["group"]),
        "pads": [*pads[0::2], *pads[1::2]],
    }  # fmt: skip


@operation("Conv2DTranspose")
def transposed_convolution(w: OnnxWriter, asked: Asked) -> Ref:
    x, kernel = [w.tensor(value) for value in asked.inputs[:2]]
    windows = _windows(asked.attributes)
    rank = len(windows["strides"])
    more = []
    for axis in range(rank):
        length, stride, hole = (windows[key][axis] for key in ("kernel_shape", "strides", "dilations"))
        pads = windows["pads"][axis] + windows["pads"][axis + rank]
        more.append(asked.shape[2 + axis] - (stride * (x.shape[2 + axis] - 1) + hole * (length - 1) + 1 - pads))
    if any(is_symbolic_size(size) for size in more):
        raise NoCounterpartError("is a transposed convolution of a size that depends on an unknown one")
    return w.node("ConvTranspose", [x, kernel], asked.dtype, **windows, output_padding=[int(size) for size in more])


@operation("MaxPool")
def max_pool(w: OnnxWriter, asked: Asked) -> Ref:
    attributes = asked.attributes
    windows: dict[str, Any] = {
        "kernel_shape": list(attributes["kernel_size"][2:]), "strides": list(attributes["strides"][2:])
    }  # fmt: skip
    if "pads" in attributes:
        windows |= {"pads": list(attributes["pads"]), "dilations": list(attributes["dilations"])}
    else:
        windows["auto_pad"] = "SAME_UPPER" if attributes["pad_mode"] == "SAME" else "VALID"
    return w.node("MaxPool", asked.inputs, asked.dtype, **windows)


@operation("AvgPool")
def avg_pool(w: OnnxWriter, asked: Asked) -> Ref:
    x, kernel, strides = asked.inputs[:3]
    return w.node("AveragePool", [x], asked.dtype, kernel_shape=list(kernel), strides=list(strides))
