"""The table of operations: expressions with the operands that they take and the kind of their results.

A row's expression has `x` and `y` for Tensors. The rules are for programs that mostly run to their end: an operation
that MindSpore refuses for one dtype of a class may still stand here.
"""
# ruff: noqa: E501 - as many expressions a line as there are

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from .kinds import Kind, broadcast, promoted


class Row(NamedTuple):
    """An operation.

    Attributes:
        expression: of `x`, and of `y` where there is a second operand.
        takes: the class of kinds of `x` (`Kind.fits`); a second operand is of the same class.
        gives: the kind of the result, from those of the operands; None where they do not fit together.
    """

    expression: str
    takes: str
    gives: Callable[..., Kind | None]


def _within(bound: float) -> Callable[[Kind], Kind]:
    return lambda x: x.but(bound=bound)


def _times(factor: float, more: float = 0.0) -> Callable[[Kind], Kind]:
    return lambda x: x.but(bound=x.bound * factor + more)


def _is_bool(x: Kind) -> Kind:
    return x.but(dtype="bool", bound=1.0)


def _in(dtype: str) -> Callable[[Kind], Kind]:
    return lambda x: x.but(dtype=dtype)


def _small(x: Kind) -> Kind | None:
    return x.but(bound=12.0) if x.bound <= 3 else None


_ELEMENTWISE = {
    ("float", _within(1.0)): (
        "ops.tanh(x); ops.sigmoid(x); ops.sin(x); x.cos(); x.tanh(); ops.erf(x); mint.sigmoid(x); ops.softsign(x); "
        "mint.tanh(x); nn.Tanh()(x); nn.Sigmoid()(x); ops.Sigmoid()(x); mnp.sin(x); ops.hardsigmoid(x); ops.hardtanh(x); "
        "mint.cos(x); ops.atan(x) * 0.5; ops.HSigmoid()(x); F.tanh(x)"
    ),
    ("float", _times(1.0)): (
        "ops.relu(x); -x; ops.neg(x); abs(x); ops.abs(x); x.abs(); ops.leaky_relu(x, 0.1); ops.elu(x); ops.gelu(x); "
        "ops.silu(x); nn.ReLU()(x); ops.ReLU()(x); mint.nn.functional.relu(x); mint.nn.functional.silu(x); ops.mish(x); "
        "x.clip(-1.5, 1.5); ops.clamp(x, -1, 1.5); x.clamp(-2.0, 2.0); ops.clip_by_value(x, -1.0, 1.0); ops.hardswish(x); "
        "ops.relu6(x); ops.hardshrink(x, 0.3); ops.softshrink(x, 0.3); ops.celu(x, 1.5); ops.selu(x); mnp.abs(x); "
        "ops.asinh(x); ops.trunc(x); ops.floor(x + 0.4321); x.round(); ops.stop_gradient(x); ops.identity(x); nn.GELU()(x); "
        "ops.logsigmoid(x); x.copy(); +x; ops.atan(x); nn.LeakyReLU(0.3)(x); nn.ELU()(x); "
        "mint.clamp(x, -1.0, 1.0); ops.clamp(x, min=-1.0); ops.nan_to_num(x); F.relu(x); x.astype(ms.float32).astype(x.dtype); "
        "ops.depend(x, x); ops.zeros_like(x) + x; ops.ones_like(x) * x; mint.zeros_like(x); ops.fill(x.dtype, x.shape, 0.5)"
    ),
    ("float", _times(1.0, 1.0)): (
        "ops.softplus(x); ops.cumsum(x, -1) if x.ndim else x; x + 1; 1 - x; x - 0.5; 0.75 + x; ops.log1p(ops.abs(x)); "
        "ops.sqrt(ops.abs(x) + 0.1); ops.log(ops.abs(x) + 0.2); ops.rsqrt(x * x + 0.5); ops.reciprocal(x * x + 1); "
        "1 / (abs(x) + 0.5); x / 2; x * 1.5; 0.5 * x; 2 ** ops.tanh(x); mint.log(mint.abs(x) + 0.3); x + x; x / (1 + x * x); "
        "x * np.float64(1.25); x + np.int64(1); x - True; ops.add(x, 1); "
        "ops.mul(x, 0.3); ops.sub(1.0, x); mint.add(x, x, alpha=0.5); mint.sub(x, 0.5); mnp.add(x, 1.0); x.add(1); x.mul(0.7); "
        "x.sub(0.1); x.div(1.5); x.pow(2) * 0.1; x ** 2 * 0.1; ops.square(x) * 0.1; ops.pow(x, 3) * 0.05; "
        "ops.pow(ops.abs(x) + 0.1, 0.5); (x > 0).astype(x.dtype) * x; ops.lerp(x, x * 2, 0.25); ops.addcmul(x, x, x, 0.1); "
        "ops.maximum(x, 0.123); ops.minimum(x, 0.345); x // 0.7; x % 1.7; ops.fmod(x, 1.3); x.exp().clip(0, 5)"
    ),
    ("float", _small): "ops.exp(x); x.exp(); mint.exp(x); ops.expm1(x); ops.sinh(x); ops.cosh(x); ops.Exp()(x)",
    ("integer", _times(1.0, 3.0)): (
        "x + 1; x - 2; 3 - x; x * 2; -x; abs(x); ops.abs(x); x % 3; x // 2; ops.sign(x); ops.clamp(x, -2, 3); x & 3; x | 1; "
        "x ^ 2; ~x; x + x; x * x % 7; ops.neg(x); ops.square(x) % 5; mint.add(x, 2); x + True; x + np.int32(2); "
        "x.clip(0, 3); ops.cumsum(x, -1) if x.ndim else x; ops.maximum(x, 1); mnp.minimum(x, 2); x.bitwise_and(6); x.copy(); "
        "ops.floor_mod(x, 3); ops.zeros_like(x) - x; ops.floor_div(x, 2); x // -2; x % -3"
    ),
    ("integer", lambda x: x.but(dtype="float32", bound=x.bound + 1)): (
        "x + 0.5; x * 1.5; x / 2; 1.0 - x; ops.div(x, 4); x / 3; 2 / (abs(x) + 1); ops.true_divide(x, 2); "
        "ops.sin(x); ops.tanh(x); ops.sqrt(abs(x)); mint.div(x, 2); ops.atan(x); ops.sigmoid(x)"
    ),
    ("number", _is_bool): (
        "x > 0; x <= 1; x == 1; x != 0; ops.gt(x, 0); ops.less(x, 1); ops.isnan(x); x.ge(0); mint.lt(x, 1); mnp.greater(x, 0); "
        "ops.isfinite(x); ops.logical_not(x > 0); x.equal(x); x < np.float32(0.5); ops.isclose(x, x)"
    ),
    ("bool", _is_bool): (
        "~x; x & True; x | (~x); x ^ True; ops.logical_not(x); x.logical_and(x); mnp.logical_not(x); x == False; "
        "ops.logical_or(x, ~x); mint.logical_xor(x, x); x.copy(); ops.logical_and(x, True)"
    ),
    ("bool", _in("int64")): "x + 1; x * 2; x.astype(ms.int64); x.sum(-1, keepdims=True) + x if x.ndim else x + 2",
    ("bool", _in("float32")): "x * 0.5; x.astype(ms.float32); x.float(); x + 1.5; ops.cast(x, ms.float32); x / 2",
    ("complex", _times(1.0, 1.0)): (
        "x * 2; x + 1j; -x; ops.conj(x); x + x; x * x * 0.1; ops.exp(x * 0.1); x / (2 + 1j); x - 1; x * 1.5; x.conj(); ops.square(x) * 0.1"
    ),
    ("complex", lambda x: x.but(dtype="float64" if x.dtype == "complex128" else "float32")): (
        "ops.real(x); ops.imag(x); ops.abs(x); x.real(); x.imag(); ops.angle(x)"
    ),
}

ELEMENTWISE = [
    Row(expression.strip(), takes, gives)
    for (takes, gives), expressions in _ELEMENTWISE.items()
    for expression in expressions.split(";")
]

CASTS = [
    Row(f"{call}", "number", lambda x, dtype=dtype: x.but(dtype=dtype))
    for dtype in ("float32", "float16", "float64", "int32", "int64")
    for call in (f"x.astype(ms.{dtype})", f"ops.cast(x, ms.{dtype})", f"x.to(ms.{dtype})")
] + [
    Row("x.half()", "number", _in("float16")),
    Row("x.float()", "number", _in("float32")),
    Row("x.int()", "number", _in("int32")),
]
CASTS = [Row(row.expression, row.takes, lambda x, gives=row.gives: gives(x)) for row in CASTS]


def _joined(bound: Callable[[float, float], float], dtype: str | None = None):
    def gives(x: Kind, y: Kind) -> Kind | None:
        shape = broadcast(x.shape, y.shape)
        if shape is None:
            return None
        return Kind(dtype or promoted(x.dtype, y.dtype), shape, bound(x.bound, y.bound))

    return gives


def _same_dtype(bound: Callable[[float, float], float]):
    joined = _joined(bound)
    return lambda x, y: joined(x, y) if x.dtype == y.dtype else None


def _sum(a: float, b: float) -> float:
    return a + b


def _product(a: float, b: float) -> float:
    return a * b


def _divided(x: Kind, y: Kind) -> Kind | None:
    shape = broadcast(x.shape, y.shape)
    if shape is None:
        return None
    dtype = promoted(x.dtype, y.dtype)
    return Kind(dtype if dtype.startswith(("float", "complex")) else "float32", shape, x.bound * 2)


_PAIRS = {
    ("number", _joined(_sum)): (
        "x + y; x - y; ops.add(x, y); ops.sub(x, y); x.add(y); mint.add(x, y); mint.sub(x, y); mnp.subtract(x, y); ops.Add()(x, y); "
        "mint.add(x, y, alpha=2); ops.sub(y, x); x - y * 2"
    ),
    (
        "number",
        _joined(_product),
    ): "x * y; ops.mul(x, y); x.mul(y); mint.mul(x, y); mnp.multiply(x, y); ops.Mul()(x, y)",
    ("number", _joined(max)): (
        "ops.maximum(x, y); ops.minimum(x, y); mint.maximum(x, y); mnp.minimum(x, y); ops.where(x > y, x, y); "
        "ops.select(x > y, x, y); mint.where(x < 0, x, y); x.where(x > 0, y)"
    ),
    ("number", _divided): (
        "x / (abs(y) + 1); ops.div(x, ops.abs(y) + 1); mint.div(x, y.abs() + 2); ops.true_divide(x, y * y + 1)"
    ),
    (
        "number",
        lambda x, y: _joined(_sum)(x, y),
    ): "x // (abs(y) + 1); x % (abs(y) + 2); ops.floor_div(x, abs(y) + 1); ops.floor_mod(x, abs(y) + 1)",
    ("float", _joined(_sum)): (
        "ops.tanh(x) * y; x * ops.sigmoid(y); x + y.abs().sqrt(); ops.exp(-abs(x)) + y; ops.pow(abs(x) + 0.5, ops.tanh(y)); "
        "ops.addcmul(x, x, y, 0.5); ops.addcdiv(x, y, abs(x) + 1, 0.5); ops.xlogy(x, abs(y) + 0.5); ops.atan2(x, y + 3); mint.where(y > 0, x, y * 2)"
    ),
    (
        "float",
        _same_dtype(_sum),
    ): "ops.lerp(x, y, 0.3); ops.SquaredDifference()(x, y) * 0.1; ops.logaddexp(x, y)",
    (
        "number",
        _joined(max, "bool"),
    ): "x > y; x <= y; x == y; x != y; ops.less(x, y); mint.ge(x, y); mnp.equal(x, y); x.lt(y)",
    ("bool", _joined(max)): "x & y; x | y; x ^ y; ops.logical_and(x, y); mint.logical_or(x, y); ops.logical_xor(x, y)",
    ("integer", _joined(_sum)): "x & y; x | y; x ^ y; ops.bitwise_and(x, y); mint.bitwise_or(x, y)",
    ("field", _joined(_product)): "x * y; x + y * 2; x - y",
}

PAIRS = [
    Row(expression.strip(), takes, gives)
    for (takes, gives), expressions in _PAIRS.items()
    for expression in expressions.split(";")
]

# What a statement may write into `x`, with a second operand `y` that broadcasts to its shape. MindSpore's CPU build lacks
# most methods in place, and the others (`add_`, `mul_`, ...) leave the Tensor as it was there, so that they stand below
# `FRESH`, where nobody reads the Tensor again.
IN_PLACE = (
    "x += y; x -= y; x *= y; x[0] = y; x[-1] += y; x[...] = y; x[:1] = y; x[1:] = y; x[0] *= y; x[x > 0] = y; x[::2] = y; x[[0]] = y; "
    "x /= 2; x[x < 0] *= -1; x[(0,)] = y; x[-1:] = y; x[Tensor([0])] = y; x[x > y] = 0; x //= 2; x[0] -= y; "
    "x[1:] *= 2; x[:, 0] = y; x[..., -1] += y; x[:, 1:] = y; x[0, 0] = y; x[0][0] = y; x[[0, -1]] = y; x %= 3; x **= 2"
).split("; ")
FRESH = "(x * 1).add_(y); (x * 1).mul_(y); (x + 0).sub_(y); ops.tanh(x).copy_(x); (x + 1).mul_(2)".split("; ")


def choose(random: Random, rows: list[Row], kinds: list[Kind]) -> tuple[str, Kind] | None:
    """A row that takes these operands and the kind of its result; None where chance finds none in twenty trials."""
    for _ in range(20):
        row = random.choice(rows)
        if all(kind.fits(row.takes) for kind in kinds):
            result = row.gives(*kinds)
            if result is not None and (kinds[0].bound * 1.01 >= result.bound or result.bound < 400):
                return row.expression, result
    return None
