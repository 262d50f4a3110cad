"""Rules for elementwise primitives, with XLA's semantics of overflow, NaN and division by zero."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ms_compat._core.compiled.interpreter.rules import BFLOAT16, HALVES, RULES, Equation, Step, is_inexact, rule, wide
from ms_compat._core.jax_compat import JAX_VERSION


def _ufunc(function: Any) -> Any:
    """A rule for what one ufunc computes in all dtypes."""

    def make(eqn: Equation) -> Step:
        eqn.cost *= 5 if eqn.dtype in HALVES else 1
        return function

    return make


_PLAIN = {
    "neg": np.negative, "floor": np.floor, "ceil": np.ceil, "is_finite": np.isfinite, "abs": np.abs,
    "sqrt": np.sqrt, "square": np.square, "real": np.real, "imag": np.imag, "sub": np.subtract, "mul": np.multiply,
    "not": np.invert, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor, "eq": np.equal,
    "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
    "conj": np.conjugate,
}  # fmt: skip
_SLOW = {
    "exp": np.exp, "exp2": np.exp2, "log": np.log, "log1p": np.log1p, "expm1": np.expm1, "tanh": np.tanh,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "sinh": np.sinh, "cosh": np.cosh, "asinh": np.arcsinh,
    "acosh": np.arccosh, "atanh": np.arctanh, "cbrt": np.cbrt, "atan2": np.arctan2, "asin": np.arcsin,
    "acos": np.arccos, "atan": np.arctan,
}  # fmt: skip
RULES.update({name: _ufunc(function) for name, function in _PLAIN.items()})


def _slow(function: Any, times: int = 5) -> Any:
    """A rule by a function of real numbers that takes some `times` as long as an addition."""

    def make(eqn: Equation) -> Step | None:
        if eqn.dtype.kind == "c":
            return None  # NumPy and XLA choose other branches at infinities and signed zeros
        eqn.cost *= times
        return wide(function) if eqn.dtype in HALVES else function

    return make


RULES.update({name: _slow(function) for name, function in _SLOW.items()})
RULES.update(
    rsqrt=_slow(lambda x: x.dtype.type(1) / np.sqrt(x), 3),
    one_minus_square=_slow(lambda x: (x.dtype.type(1) - x) * (x.dtype.type(1) + x), 3),  # JAX 0.12: tanh's derivative
    logistic=_slow(lambda x: x.dtype.type(1) / (x.dtype.type(1) + np.exp(-x)), 6),
)


@rule("add", "add_any")
def _add(eqn: Equation) -> Step:
    eqn.cost *= 5 if eqn.dtype in HALVES else 1
    return np.bitwise_or if eqn.dtype.kind == "b" else np.add


@rule("max", "min")
def _extremum(eqn: Equation) -> Step | None:
    if eqn.dtype.kind == "c":
        return None
    return np.maximum if eqn.name == "max" else np.minimum


def _divided(x: Any, y: Any) -> Any:
    """Integers, rounded towards zero; by zero -1 (all bits set), and the lowest number by -1 is itself."""
    x, y = np.broadcast_arrays(x, y)
    zero = y == 0
    if x.dtype.kind == "u":
        return np.where(zero, np.array(np.iinfo(x.dtype).max, x.dtype), x // np.where(zero, x.dtype.type(1), y))
    safe = np.where(zero | (y == -1), x.dtype.type(1), y)
    floor = x // safe
    quotient = floor + ((floor < 0) & (floor * safe != x)).astype(x.dtype)
    return np.where(zero, x.dtype.type(-1), np.where(y == -1, np.negative(x), quotient))


def _remainder(x: Any, y: Any) -> Any:
    """With the sign of the dividend; by zero, the dividend."""
    zero = y == 0
    trivial = zero | (y == -1) if x.dtype.kind == "i" else zero
    rest = np.fmod(x, np.where(trivial, x.dtype.type(1), y))
    return np.asarray(np.where(zero, x, rest), x.dtype)


@rule("div")
def _div(eqn: Equation) -> Step | None:
    if eqn.dtype.kind == "c":
        return None
    return np.divide if is_inexact(eqn.dtype) else _divided


@rule("rem")
def _rem(eqn: Equation) -> Step | None:
    eqn.cost *= 10
    if eqn.dtype in HALVES:
        return wide(np.fmod)
    return np.fmod if is_inexact(eqn.dtype) else _remainder


@rule("sign")
def _sign(eqn: Equation) -> Step | None:
    if eqn.dtype.kind == "c":
        return None
    if not is_inexact(eqn.dtype):
        return np.sign
    # a zero keeps its sign, and NaN is NaN
    return lambda x: np.asarray(np.where(x == 0, x, np.sign(x)), x.dtype)


@rule("round")
def _round(eqn: Equation) -> Step:
    if int(eqn.params["rounding_method"]) == 1:  # to the nearest even
        return wide(np.rint) if eqn.dtype in HALVES else np.rint

    def away(x: Any) -> Any:
        whole = np.trunc(x)
        return np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(x.dtype.type(1), x), whole).astype(x.dtype)

    return wide(away) if eqn.dtype in HALVES else away


def _special(name: str, where: Any = None, there: float = 0.0) -> Any:
    """A rule by SciPy's function; where XLA's has another value, `where(x)`, it is `there`."""

    def make(eqn: Equation) -> Step:
        eqn.cost *= 20

        def step(*values: Any) -> Any:
            from scipy import special  # 40 ms, for few operations

            found = getattr(special, name)(*values).astype(values[0].dtype, copy=False)
            return found if where is None else np.where(where(values[0]), values[0].dtype.type(there), found)

        return wide(step) if eqn.dtype in HALVES else step

    return make


# XLA's value at 0: JAX's since 0.11 has the limit from above there
_DIGAMMA_AT_0 = -np.inf if JAX_VERSION >= (0, 11) else np.nan

RULES.update(
    erf=_special("erf"),
    erfc=_special("erfc"),
    lgamma=_special("gammaln", np.isneginf, np.inf),
    digamma=_special("psi", lambda x: x == 0, _DIGAMMA_AT_0),
)


@rule("erf_inv")
def _erf_inv(eqn: Equation) -> Step:
    eqn.cost *= 30

    def step(x: Any) -> Any:
        from scipy import special

        return special.erfinv(x.astype(np.float64)).astype(x.dtype)

    return step


def power_of(x: Any, exponent: int) -> Any:
    """By squaring, in the order in which JAX multiplies."""
    if exponent == 0:
        return np.ones_like(x)
    left, out = abs(exponent), x.dtype.type(1)
    while left:
        if left & 1:
            out = np.multiply(out, x)
        left >>= 1
        if left:
            x = np.multiply(x, x)
    return x.dtype.type(1) / out if exponent < 0 else out


@rule("integer_pow")
def _integer_pow(eqn: Equation) -> Step | None:
    exponent = eqn.params["y"]
    if eqn.dtype.kind == "c" or (exponent < 0 and not is_inexact(eqn.dtype)):
        return None
    eqn.cost *= 3
    step = functools.partial(power_of, exponent=exponent)
    return wide(step) if eqn.dtype in HALVES else step


@rule("pow")
def _pow(eqn: Equation) -> Step | None:
    if not is_inexact(eqn.dtype) or eqn.dtype.kind == "c":
        return None
    eqn.cost *= 20
    if not is_inexact(eqn.ins[1].dtype):
        dtype = np.float32 if eqn.dtype in HALVES else eqn.dtype
        return lambda x, y: np.power(x.astype(dtype), y.astype(dtype)).astype(x.dtype)
    return wide(np.power) if eqn.dtype in HALVES else np.power


@rule("nextafter")
def _nextafter(eqn: Equation) -> Step | None:
    return None if eqn.dtype in HALVES else np.nextafter


@rule("shift_left", "shift_right_logical", "shift_right_arithmetic")
def _shift(eqn: Equation) -> Step:
    dtype, name = eqn.dtype, eqn.name
    bits = dtype.itemsize * 8
    signed, unsigned = np.dtype(f"i{dtype.itemsize}"), np.dtype(f"u{dtype.itemsize}")
    moved = np.left_shift if name == "shift_left" else np.right_shift

    def shift(x: Any, by: Any) -> Any:
        by = by.astype(unsigned)
        beyond = by >= bits
        if name == "shift_right_arithmetic":  # of unsigned numbers, too, as if their first bit were a sign
            by = np.asarray(np.where(beyond, bits - 1, by), signed)
            return np.right_shift(x.astype(signed), by).astype(dtype)
        inside = np.asarray(np.where(beyond, 0, by), unsigned)
        return np.asarray(np.where(beyond, 0, moved(x.astype(unsigned), inside)), unsigned).astype(dtype)

    return shift


@rule("population_count")
def _population_count(eqn: Equation) -> Step:
    unsigned = np.dtype(f"u{eqn.dtype.itemsize}")
    return lambda x: np.bitwise_count(x.astype(unsigned)).astype(x.dtype)


@rule("complex")
def _complex(eqn: Equation) -> Step:
    dtype = eqn.outs[0].dtype

    def joined(real: Any, imag: Any) -> Any:
        out = np.empty(np.broadcast_shapes(real.shape, imag.shape), dtype)
        out.real, out.imag = real, imag
        return out

    return joined


@rule("select_n")
def _select(eqn: Equation) -> Step | None:
    dtype = eqn.outs[0].dtype
    if len(eqn.ins) > 3:
        return None
    if len(eqn.ins) == 2:
        return lambda which, case: case
    size = eqn.outs[0].size
    if size >= _LEAST_MASKED and dtype.itemsize in _WORDS and eqn.ins[0].shape == eqn.outs[0].shape:
        word = _WORDS[dtype.itemsize]
        if eqn.ins[0].dtype.kind == "b":
            return lambda which, no, yes: _masked(which, no, yes, word, dtype)
        return lambda which, no, yes: _masked(which != 0, no, yes, word, dtype)
    if eqn.ins[0].dtype.kind == "b":
        return lambda which, no, yes: np.asarray(np.where(which, yes, no), dtype)
    return lambda which, no, yes: np.asarray(np.where(which != 0, yes, no), dtype)


_LEAST_MASKED = 1 << 10  # elements
_WORDS = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}


def _masked(which: Any, no: Any, yes: Any, word: np.dtype, dtype: np.dtype) -> Any:
    """The same as `np.where(which, yes, no)`, by the bits: without a jump for each element, 10 times as fast."""
    no, yes, which = np.asarray(no, dtype).view(word), np.asarray(yes, dtype).view(word), which.view(np.uint8)
    found = np.empty(which.shape, dtype)  # its own memory: a view of it would be copied later
    bits = found.view(word)
    if not any(no.strides) and not no.flat[0]:  # zeros
        np.multiply(yes, which, out=bits)
        return found
    np.bitwise_xor(no, yes, out=bits)
    np.multiply(bits, which, out=bits)
    np.bitwise_xor(bits, no, out=bits)
    return found


@rule("clamp")
def _clamp(eqn: Equation) -> Step | None:
    return None if eqn.dtype.kind == "c" else lambda low, x, high: np.minimum(np.maximum(x, low), high)


# -- dtypes ----------------------------------------------------------------------------------------------------------
def _float_to_integer(dtype: np.dtype) -> Step:
    """Towards zero; what is outside of the type becomes its nearest end, and NaN 0."""
    info = np.iinfo(dtype)
    low, beyond = float(info.min), float(info.max) + 1.0  # `beyond` is a power of two, so it is exact

    def convert(x: Any) -> Any:
        if x.dtype in HALVES:
            x = x.astype(np.float32)
        above, below = x >= beyond, x <= low
        inside = ~(above | below | (x != x))
        out = np.where(inside, x, x.dtype.type(0)).astype(dtype)
        out = np.where(above, dtype.type(info.max), out)
        return np.where(below, dtype.type(info.min), out)

    return convert


def converter(source: np.dtype, dtype: np.dtype) -> Step | None:
    """Returns a function that casts arrays from one dtype to another."""
    if source == dtype:
        return lambda x: x
    if dtype.kind == "b":
        return lambda x: x != 0
    if source.kind == "c" and dtype.kind != "c":
        return None
    if is_inexact(source) and dtype.kind in "iu":
        return _float_to_integer(dtype)
    if BFLOAT16 in (source, dtype) and not {source, dtype} <= {BFLOAT16, np.dtype(np.float32)}:
        if source in (np.dtype(np.float64), np.dtype(np.int64), np.dtype(np.uint64)):
            return None  # rounded once by XLA
        return lambda x: x.astype(np.float32).astype(dtype)
    return lambda x: x.astype(dtype)


@rule("convert_element_type")
def _convert(eqn: Equation) -> Step | None:
    return converter(eqn.dtype, eqn.outs[0].dtype)


@rule("bitcast_convert_type")
def _bitcast(eqn: Equation) -> Step | None:
    dtype = eqn.outs[0].dtype
    if dtype.itemsize != eqn.dtype.itemsize or "b" in (dtype.kind, eqn.dtype.kind):
        return None
    return lambda x: np.ascontiguousarray(x).view(dtype).reshape(x.shape)


@rule("copy", "copy_p", "stop_gradient")
def _same(eqn: Equation) -> Step:
    return lambda x: x


@rule("optimization_barrier")
def _barrier(eqn: Equation) -> Step:
    return lambda *values: values
