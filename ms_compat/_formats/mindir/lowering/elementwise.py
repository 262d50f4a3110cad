"""Rules for element-wise operations, reductions, and those along one axis."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._formats.mindir.lowering.rules import Broadcast, Lowering, Value, known_values, rule, type_number
from ms_compat._formats.mindir.sizes import whole
from ms_compat._formats.mindir.writing import Ref

_UNARY = {
    "abs": "Abs", "acos": "ACos", "acosh": "Acosh", "asin": "Asin", "asinh": "Asinh", "atan": "Atan", "atanh": "Atanh",
    "ceil": "Ceil", "conj": "Conj", "cos": "Cos", "cosh": "Cosh", "digamma": "Digamma", "erf": "Erf",
    "erf_inv": "Erfinv", "erfc": "Erfc", "exp": "Exp", "expm1": "Expm1", "floor": "Floor", "is_finite": "IsFinite",
    "lgamma": "Lgamma",
    "log": "Log", "log1p": "Log1p", "logistic": "Sigmoid", "neg": "Neg", "rsqrt": "Rsqrt", "sign": "Sign", "sin": "Sin",
    "sinh": "Sinh", "sqrt": "Sqrt", "square": "Square", "tan": "Tan", "tanh": "Tanh", "imag": "Imag", "real": "Real",
}  # fmt: skip
_BINARY = {
    "add": "Add", "add_any": "Add", "atan2": "Atan2", "eq": "Equal", "ge": "GreaterEqual", "gt": "Greater",
    "le": "LessEqual", "lt": "Less", "max": "Maximum", "min": "Minimum", "mul": "Mul", "ne": "NotEqual", "pow": "Pow",
    "rem": "TruncateMod", "sub": "Sub", "shift_left": "LeftShift", "shift_right_arithmetic": "RightShift",
    "nextafter": "NextAfter", "complex": "Complex",
}  # fmt: skip
_OF_BOOL = {"add": "LogicalOr", "max": "LogicalOr", "mul": "LogicalAnd", "min": "LogicalAnd", "ne": "LogicalXor"}
_BITS = {"and": ("LogicalAnd", "BitwiseAnd"), "or": ("LogicalOr", "BitwiseOr"), "xor": ("LogicalXor", "BitwiseXor")}
_REDUCTIONS = {"reduce_sum": "ReduceSum", "reduce_max": "ReduceMax", "reduce_min": "ReduceMin",
               "reduce_prod": "ReduceProd", "reduce_and": "ReduceAll", "reduce_or": "ReduceAny"}  # fmt: skip
_MAX_MULTIPLICATIONS = 16


def out_aval(eqn: Any) -> tuple[tuple[int, ...], np.dtype]:
    """Shape and numpy dtype of an equation's first output."""
    aval = eqn.outvars[0].aval
    return aval.shape, np.dtype(aval.dtype)


@rule(*_UNARY)
def unary(low: Lowering, eqn: Any, x: Value) -> Value:
    return low.unary(_UNARY[eqn.primitive.name], x, out_aval(eqn)[1])


@rule(*_BINARY)
def binary(low: Lowering, eqn: Any, x: Value, y: Value) -> Value:
    name = eqn.primitive.name
    if name == "max" and jnp.issubdtype(x.dtype, np.floating) and _is_zero(y):
        return low.unary("ReLU", x)
    op = _OF_BOOL.get(name) if x.dtype == np.bool_ else None
    return low.elementwise(op or _BINARY[name], (x, y), *out_aval(eqn))


@rule(*_BITS)
def bits(low: Lowering, eqn: Any, x: Value, y: Value) -> Value:
    return low.elementwise(_BITS[eqn.primitive.name][x.dtype != np.bool_], (x, y), *out_aval(eqn))


@rule("not")
def invert(low: Lowering, eqn: Any, x: Value) -> Value:
    return low.unary("LogicalNot" if x.dtype == np.bool_ else "Invert", x)


@rule("shift_right_logical")
def shift_right(low: Lowering, eqn: Any, x: Value, y: Value) -> Value:
    if not np.issubdtype(x.dtype, np.unsignedinteger):
        raise low.unsupported(eqn, "shifts signed integers as if they were unsigned, which no primitive does")
    return low.elementwise("RightShift", (x, y), *out_aval(eqn))


@rule("convert_element_type")
def convert(low: Lowering, eqn: Any, x: Value) -> Value:
    return low.cast(x, eqn.params["new_dtype"])


@rule("copy", "copy_p", "stop_gradient", "device_put", "name", "sharding_constraint", "optimization_barrier", "reshard")
def same(low: Lowering, eqn: Any, *values: Value) -> list[Value]:
    return list(values)


@rule("reduce_precision")
def reduce_precision(low: Lowering, eqn: Any, x: Value) -> Value:
    kept = {"float16": (5, 10), "float32": (8, 23), "float64": (11, 52)}.get(x.dtype.name)
    if kept == (eqn.params["exponent_bits"], eqn.params["mantissa_bits"]):
        return x
    raise low.unsupported(eqn, "rounds to a width of its own, which no primitive does")


@rule("round")
def round_(low: Lowering, eqn: Any, x: Value) -> Value:
    if eqn.params["rounding_method"].name == "TO_NEAREST_EVEN":
        return low.unary("Rint", x)
    whole = low.unary("Trunc", x)
    far = low.binary("GreaterEqual", low.unary("Abs", low.binary("Sub", x, whole)), 0.5, np.bool_)
    return low.select(far, low.binary("Add", whole, low.unary("Sign", x)), whole, x.shape)


@rule("exp2")
def exp2(low: Lowering, eqn: Any, x: Value) -> Value:
    return low.elementwise("Pow", (np.asarray(2, x.dtype), x), *out_aval(eqn))


@rule("cbrt")
def cbrt(low: Lowering, eqn: Any, x: Value) -> Value:
    root = low.binary("Pow", low.unary("Abs", x), 1 / 3)
    return low.binary("Mul", low.unary("Sign", x), root)


@rule("integer_pow")
def integer_pow(low: Lowering, eqn: Any, x: Value) -> Value:
    power = eqn.params["y"]
    if abs(power) > _MAX_MULTIPLICATIONS or power == 0:
        return low.binary("Pow", x, power)
    found, square, rest = None, x, abs(power)
    while rest:
        if rest & 1:
            found = square if found is None else low.binary("Mul", found, square)
        rest >>= 1
        if rest:
            square = low.unary("Square", square)
    return found if power > 0 else low.unary("Reciprocal", found)


def _is_zero(value: Value) -> bool:
    known = known_values(value)
    return known is not None and not np.any(known)


def _is_relu(which: Value, no: Value, yes: Value) -> bool:
    """Whether this is `where(x > 0, x, 0)`, as the package computes ReLU."""
    if not (isinstance(which, Ref) and which.call and which.call.op == "Greater" and _is_zero(no)):
        return False
    x, limit = which.call.inputs
    return x is yes and jnp.issubdtype(yes.dtype, np.floating) and _is_zero(limit)


@rule("select_n")
def select_n(low: Lowering, eqn: Any, which: Value, *cases: Value) -> Value:
    shape, _ = out_aval(eqn)
    if len(cases) == 2 and _is_relu(which, *cases):
        return low.unary("ReLU", cases[1])
    if which.dtype == np.bool_:
        return low.select(which, cases[1], cases[0], shape) if len(cases) == 2 else cases[0]
    out = cases[-1]
    for index in reversed(range(len(cases) - 1)):
        out = low.select(low.binary("LessEqual", which, index, np.bool_), cases[index], out, shape)
    return out


@rule("clamp")
def clamp(low: Lowering, eqn: Any, least: Value, x: Value, most: Value) -> Value:
    shape, dtype = out_aval(eqn)
    return low.elementwise("Minimum", (low.elementwise("Maximum", (x, least), shape, dtype), most), shape, dtype)


# -- along axes --------------------------------------------------------------------------------------------------------
@rule(*_REDUCTIONS)
def reduction(low: Lowering, eqn: Any, x: Value) -> Value:
    axes = tuple(int(a) for a in eqn.params["axes"])
    op = _REDUCTIONS[eqn.primitive.name]
    shape, dtype = out_aval(eqn)
    if not axes:
        return x
    if isinstance(x, Broadcast) and op not in ("ReduceSum", "ReduceProd"):
        keep = [a for a in axes if x.source.shape[a] != 1]
        if not keep and all(x.shape):
            return low.broadcast(
                low.reshape(x.source, [d for axis, d in enumerate(x.source.shape) if axis not in axes]), shape
            )
    if x.dtype == np.bool_ and op in ("ReduceMax", "ReduceMin"):
        op = "ReduceAny" if op == "ReduceMax" else "ReduceAll"
    more = (False, False) if op == "ReduceSum" else (False,)
    return low.call(op, (x, axes, *more), shape, dtype)


@rule("argmax", "argmin")
def arg(low: Lowering, eqn: Any, x: Value) -> Value:
    (axis,) = eqn.params["axes"]
    shape, dtype = out_aval(eqn)
    op = "Argmax" if eqn.primitive.name == "argmax" else "Argmin"
    found = low.call(op, (x, int(axis), type_number(np.int32)), shape, np.int32)
    return low.cast(found, dtype)


@rule("cumsum", "cumprod", "cummax", "cummin")
def cumulative(low: Lowering, eqn: Any, x: Value) -> Value:
    axis, reverse = int(eqn.params["axis"]), bool(eqn.params["reverse"])
    name = eqn.primitive.name
    if name in ("cumsum", "cumprod"):
        op = "CumSum" if name == "cumsum" else "CumProd"
        return low.call(op, (x, axis, False, reverse), x.shape, x.dtype)
    turned = low.call("ReverseV2", (x, (axis,)), x.shape, x.dtype) if reverse else low.ref(x)
    op = "Cummax" if name == "cummax" else "Cummin"
    out = low.writer.call_many(op, (turned, axis), [(x.shape, x.dtype), (x.shape, np.int64)])[0]
    return low.call("ReverseV2", (out, (axis,)), x.shape, x.dtype) if reverse else out


@rule("sort")
def sort(low: Lowering, eqn: Any, *values: Value) -> list[Value]:
    axis = int(eqn.params["dimension"])
    if eqn.params["num_keys"] != 1:
        raise low.unsupported(eqn, "sorts by several keys, which no primitive does")
    ordered, index = _sorted(low, values[0], axis, False)
    return [ordered, *[_along(low, v, index, axis) for v in values[1:]]]


def _sorted(low: Lowering, x: Value, axis: int, descending: bool) -> tuple[Value, Ref]:
    """A stable sort, and where its elements were."""
    key = low.ref(low.cast(x, np.int32) if x.dtype == np.bool_ else x)
    results = [(key.shape, key.dtype), (key.shape, np.int32)]
    ordered, index = low.writer.call_many("Sort", (key,), results, axis=axis, descending=descending)
    return low.cast(ordered, x.dtype), index


def _along(low: Lowering, value: Value, index: Ref, axis: int) -> Value:
    source = known_values(value)
    if np.issubdtype(value.dtype, np.integer) and source is not None:
        shape = [-1 if a == axis else 1 for a in range(value.ndim)]
        iota = np.arange(source.shape[axis], dtype=value.dtype).reshape(shape)
        if source.shape[axis] == value.shape[axis] and np.array_equal(source, np.broadcast_to(iota, source.shape)):
            return low.cast(index, value.dtype)  # sorting positions gives the order itself
    return low.call("GatherD", (value, axis, index), value.shape, value.dtype)


@rule("top_k")
def top_k(low: Lowering, eqn: Any, x: Value) -> list[Value]:
    """By a stable sort: MindSpore's TopK may return any of several equal elements, JAX's returns the first."""
    axis = int(eqn.params.get("axis", -1)) % x.ndim
    end = [whole(eqn.params["k"]) if a == axis else d for a, d in enumerate(x.shape)]
    values, index = _sorted(low, x, axis, True)
    begin = [0] * x.ndim
    return [low.slice(values, begin, end), low.cast(low.slice(index, begin, end), eqn.outvars[1].aval.dtype)]
