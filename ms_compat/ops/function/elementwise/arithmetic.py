"""Elementwise arithmetic of two and more operands: Tensors, Python numbers or both, brought together by `convert.py`.

Division has MindSpore's corners: integers divide to Float32; floor division by an integer zero gives the dtype's
extreme value; `floor_mod` by zero gives the smallest Int32 or Int64, and 0 for the narrow types.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_any_given
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.operands import (
    FLOAT32,
    cast,
    common_dtype,
    is_complex,
    is_integral,
    number_kind,
    promote_args,
    strong,
    to_float,
)
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import scopes
from ms_compat.ops.function.elementwise.slopes import at_least, at_most


def _broadcast(api: str, a: jax.Array, b: jax.Array) -> None:
    """ValueError, as MindSpore raises, for shapes that do not broadcast (JAX raises TypeError)."""
    try:
        jnp.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        raise ValueError(
            f"For '{api}', the shapes of the inputs must broadcast to each other, but got {a.shape} and {b.shape}."
        ) from None


def pair(api: str, a, b, product: bool = False) -> tuple[jax.Array, jax.Array]:
    """Two operands in one dtype and of shapes that broadcast."""
    a, b = promote_args(api, a, b, product=product)
    if a.shape != b.shape:
        _broadcast(api, a, b)
    return a, b


@faces("ops ops.tensor_add numpy:binary", primitive="Add()(input, other); TensorAdd()(input, other)")
@op
def add(input, other):
    """The sum; of two bool tensors their disjunction.

    Args:
        input: a Tensor or a number.
        other: a Tensor or a number; shapes broadcast.

    Raises:
        TypeError: MindSpore does not combine the dtypes.
        ValueError: the shapes do not broadcast.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.add(Tensor([1, 2]), 1.5))
    [2.5 3.5]
    """
    a, b = pair("Add", input, other)
    return a + b


@faces("ops ops.tensor_sub numpy.subtract:binary", primitive="Sub()(input, other)")
@op
def sub(input, other):
    """The difference; of two bool tensors their exclusive or.

    Args:
        input: a Tensor or a number.
        other: a Tensor or a number; shapes broadcast.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.sub(Tensor([1.0, 2.0]), 1.0))
    [0. 1.]
    """
    a, b = pair("Sub", input, other)
    return a ^ b if a.dtype == bool else a - b


@op
def add_scaled(input, other, alpha):
    """input + alpha * other.

    Args:
        input: a Tensor or a number.
        other: a Tensor or a number.
        alpha: a number.
    """
    a, b = pair("add", input, other)
    return a + cast(alpha, a.dtype) * b


@faces("ops.subtract")
@op(name="subtract")
def sub_scaled(input, other, alpha=1):
    """input - alpha * other.

    Args:
        input: a Tensor or a number.
        other: a Tensor or a number.
        alpha: a number.
    """
    a, b = pair("subtract", input, other)
    return a - cast(alpha, a.dtype) * b


@faces(
    "ops ops.multiply ops.tensor_mul ops.tensor_muls Tensor Tensor.multiply Tensor.mul_ mint numpy.multiply:promoted",
    primitive="Mul()(input, other)",
)
@op
def mul(input, other):
    """The product. A 0-d tensor gives way to one with dimensions like a Python number.

    Args:
        input: a Tensor or a number.
        other: a Tensor or a number; shapes broadcast.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1.0, 2.0])
    >>> print(ops.mul(x, x), x.mul(3), x.mul_(2))
    [1. 4.] [3. 6.] [2. 4.]
    """
    a, b = pair("Mul", input, other, product=True)
    return a * b


def _floor_divide(a, b):
    if a.dtype == bool:
        return jnp.broadcast_to(a, jnp.broadcast_shapes(a.shape, b.shape))
    if is_complex(a.dtype):
        return jnp.floor(jnp.real(a / b)).astype(a.dtype)
    if not is_integral(a.dtype):
        # MindSpore divides in Float64 before it rounds: 1.5 // 0.3 is 4 in Float32, whose 0.3 exceeds 0.3
        return jnp.floor(a.astype(np.float64) / b.astype(np.float64)).astype(a.dtype)
    info = np.iinfo(a.dtype)
    zero = b == 0
    low, high, none = (jnp.asarray(v, a.dtype) for v in (info.min, info.max, 0))
    extreme = jnp.where(a > 0, high, jnp.where(a < 0, low, none))
    return jnp.where(zero, extreme, jnp.floor_divide(a, jnp.where(zero, 1, b).astype(b.dtype)))


def _truncate_divide(a, b):
    if not is_integral(a.dtype):
        return jnp.trunc(a / b)
    zero = b == 0
    return jnp.where(zero, _floor_divide(a, b), jax.lax.div(a, jnp.where(zero, 1, b).astype(b.dtype)))


@faces("ops ops.divide ops.tensor_div Tensor.div_ mint.divide numpy.divide:divided", primitive="Div()(input, other)")
@op(static=("rounding_mode",))
def div(input, other, rounding_mode=None):
    """The quotient; of integers in Float32, unless it is rounded.

    Args:
        input: a Tensor or a number.
        other: a Tensor or a number; shapes broadcast.
        rounding_mode: None, "floor" or "trunc", which keep integers integers.

    Raises:
        ValueError: another rounding mode.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([5.0, -5.0])
    >>> print(ops.div(x, 2), x.div(2, rounding_mode="floor"), x.div_(5))
    [ 2.5 -2.5] [ 2. -3.] [ 1. -1.]
    """
    if rounding_mode is None and is_integral(common_dtype("div", input, other, product=True)):
        # a Python number is not squeezed into a narrow integer tensor first: uint8 / -3 is negative
        input, other = cast(input, FLOAT32), cast(other, FLOAT32)
    a, b = pair("div", input, other, product=True)
    if rounding_mode == "floor":
        return _floor_divide(a, b)
    if rounding_mode == "trunc":
        return _truncate_divide(a, b)
    if rounding_mode is not None:
        raise ValueError(
            f"For ops.div, the argument 'rounding_mode' must be None, 'floor' or 'trunc', but got {rounding_mode!r}."
        )
    return a / b


divide = div


@faces("ops Tensor numpy:divided")
@op
def true_divide(dividend, divisor):
    """The quotient; of integers in Float32.

    Args:
        dividend: a Tensor or a number.
        divisor: a Tensor or a number.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1.0, 2.0])
    >>> print(ops.true_divide(x, 4), x.true_divide(2))
    [0.25 0.5 ] [0.5 1. ]
    """
    return div.fn(dividend, divisor)


@faces(primitive="RealDiv()(input, other)")
@op(name="RealDiv")
def real_div(x, y):
    """The quotient in the operands' own dtype: of integers it is truncated.

    Args:
        x: a Tensor or a number.
        y: a Tensor or a number.
    """
    a, b = pair("RealDiv", x, y)
    return _truncate_divide(a, b) if is_integral(a.dtype) else a / b


@faces("ops ops.floordiv ops.tensor_floordiv", primitive="FloorDiv()(input, other)")
@op
def floor_div(x, y):
    """The quotient rounded down. An integer divided by zero gives its dtype's largest or smallest number.

    Args:
        x: a Tensor or a number.
        y: a Tensor or a number; shapes broadcast.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.floor_div(Tensor([7, -7]), 2))
    [ 3 -4]
    """
    return _floor_divide(*pair("FloorDiv", x, y))


@faces("ops Tensor Tensor.floor_divide_ mint numpy:binary")
@op
def floor_divide(input, other):
    """The quotient rounded down, as `floor_div`.

    Args:
        input: a Tensor or a number.
        other: a Tensor or a number.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([7, -7])
    >>> print(ops.floor_divide(x, 2), x.floor_divide(3))
    [ 3 -4] [ 2 -3]
    """
    return _floor_divide(*pair("floor_divide", input, other))


def _modulus_operands(api: str, x, y) -> tuple[jax.Array, jax.Array]:
    a, b = pair(api, x, y)
    # MindSpore's `remainder` and `fmod` are composed of other operations, its primitives have kernels of fewer types
    composed = api in ("remainder", "fmod") and not is_complex(a.dtype)
    if not composed and (a.dtype == bool or is_complex(a.dtype) or a.dtype.kind == "u" and a.dtype.itemsize > 1):
        raise TypeError(f"For '{api}', tensors of {a.dtype.name} are not supported; cast them first.")
    return a, b


def _floor_modulus(a, b):
    if not is_integral(a.dtype):
        return jnp.remainder(a, b)
    zero = b == 0
    filler = np.iinfo(a.dtype).min if a.dtype in (np.int32, np.int64) else 0
    return jnp.where(zero, filler, jnp.remainder(a, jnp.where(zero, 1, b).astype(b.dtype))).astype(a.dtype)


@faces("ops ops.floormod ops.tensor_mod", primitive="FloorMod()(input, other)")
@op
def floor_mod(x, y):
    """The remainder of `floor_div`, with the divisor's sign.

    Args:
        x: a Tensor or a number.
        y: a Tensor or a number; shapes broadcast.

    Raises:
        TypeError: bool, complex or wide unsigned tensors.
    """
    return _floor_modulus(*_modulus_operands("FloorMod", x, y))


@faces("ops Tensor.remainder_ mint")
@op
def remainder(input, other):
    """The remainder with the divisor's sign.

    Args:
        input: a Tensor or a number.
        other: a Tensor or a number.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.remainder(Tensor([7, -7]), 4))
    [3 1]
    >>> print(Tensor([7, -7]).remainder(4))
    [3 1]
    """
    a, b = _modulus_operands("remainder", input, other)
    out = _floor_modulus(a, b)
    return jnp.where(b == 0, a, out) if is_integral(a.dtype) else out


def _truncate_modulus(a, b, otherwise):
    """The remainder with the dividend's sign; `otherwise` for an integer divisor of 0."""
    if not is_integral(a.dtype):
        return jnp.fmod(a, b)
    if a.dtype == bool:
        return jnp.zeros(jnp.broadcast_shapes(a.shape, b.shape), bool)
    a, b = jnp.broadcast_arrays(a, b)
    zero = b == 0
    return jnp.where(zero, otherwise, jax.lax.rem(a, jnp.where(zero, 1, b).astype(b.dtype))).astype(a.dtype)


@faces("ops Tensor mint")
@op
def fmod(input, other):
    """The remainder with the dividend's sign.

    Args:
        input: a Tensor or a number.
        other: a Tensor or a number.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([7, -7])
    >>> print(ops.fmod(x, 4), x.fmod(4))
    [ 3 -3] [ 3 -3]
    """
    a, b = _modulus_operands("fmod", input, other)
    return _truncate_modulus(a, b, a)


@faces("ops numpy.fmod:binary", primitive="TruncateMod()(input, other)")
@op
def truncate_mod(x, y):
    """The remainder with the dividend's sign, and 0 of an integer divided by 0.

    Args:
        x: a Tensor or a number.
        y: a Tensor or a number.
    """
    return _truncate_modulus(*_modulus_operands("TruncateMod", x, y), 0)


@faces(primitive="Mod()(input, other)")
@op(name="Mod")
def mod(x, y):
    """As `truncate_mod`, with the least number of Int32 or Int64 for a divisor of 0 (the primitive Mod)."""
    a, b = _modulus_operands("Mod", x, y)
    return _truncate_modulus(a, b, np.iinfo(a.dtype).min if a.dtype in (np.int32, np.int64) else 0)


@faces("ops", primitive="TruncateDiv()(input, other)")
@op
def truncate_div(x, y):
    """The quotient rounded towards zero.

    Args:
        x: a Tensor or a number.
        y: a Tensor or a number.
    """
    return _truncate_divide(*pair("TruncateDiv", x, y))


def _integer_power(a, b):
    """Integer powers; a negative exponent gives 0, but for the bases 1 and -1."""
    result = jnp.power(a, jnp.maximum(b, 0))
    if a.dtype.kind == "u":
        return result
    inverse = jnp.where(a == 1, 1, jnp.where(a == -1, jnp.where(b % 2 == 0, 1, -1), 0)).astype(a.dtype)
    return jnp.where(b < 0, inverse, result)


@op(name="pow")
def _power(input, exponent):
    a, b = pair("Pow", input, exponent)
    if a.dtype == bool:
        raise TypeError("For 'Pow', two bool operands are not supported; cast one of them first.")
    return _integer_power(a, b) if is_integral(a.dtype) else jnp.power(a, b)


@op(name="pow")
def _inverse(input):
    return (input == 1).astype(input.dtype)


@op(static=("exponent",), name="pow")
def _small_power(input, exponent):
    a, _ = pair("Pow", input, exponent)
    return jax.lax.integer_pow(a, exponent)


@faces("ops ops.pows ops.tensor_pow Tensor numpy.power:binary", primitive="Pow()(input, other)")
def pow(input, exponent):
    """The power; integers stay integers, and to a negative power are 0, but for the bases 1 and -1.

    The exponents 2 and 3 are computed as products, which have exact derivatives everywhere.

    Args:
        input: a Tensor or a number.
        exponent: a Tensor or a number; shapes broadcast.

    Raises:
        TypeError: both are bool.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.pow(Tensor([2, 3]), 2))
    [4 9]
    """
    if exponent.__class__ is int:
        if 2 <= exponent <= 3:
            return _small_power(input, exponent)
        if exponent < 0 and isinstance(input, Tensor) and input.dtype.np_dtype.kind == "u":
            return _inverse(input)  # the exponent has no value in the type of the input
    return _power(input, exponent)


@faces("ops ops.float_power_ext Tensor mint")
@op
def float_power(input, exponent):
    """The power, computed in Float64.

    Args:
        input: a Tensor or a number.
        exponent: a Tensor or a number.
    """
    a, b = [cast(x, np.dtype(np.float64)) if not is_complex(jnp.asarray(x).dtype) else x for x in (input, exponent)]
    return jnp.power(a, b)


@faces("ops Tensor mint numpy:bounded", primitive="Maximum()(input, other)")
@op
def maximum(input, other):
    """The larger element of each pair; NaN if one is NaN.

    Args:
        input: a Tensor or a number.
        other: a Tensor or a number; shapes broadcast.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1.0, 5.0])
    >>> print(ops.maximum(x, Tensor([3.0, 4.0])), x.maximum(2.0))
    [3. 5.] [2. 5.]
    """
    return jnp.maximum(*pair("Maximum", input, other))


@faces("ops Tensor mint numpy:bounded", primitive="Minimum()(input, other)")
@op
def minimum(input, other):
    """The smaller element of each pair; NaN if one is NaN.

    Args:
        input: a Tensor or a number.
        other: a Tensor or a number; shapes broadcast.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1.0, 5.0])
    >>> print(ops.minimum(x, Tensor([3.0, 4.0])), x.minimum(2.0))
    [1. 4.] [1. 2.]
    """
    return jnp.minimum(*pair("Minimum", input, other))


@faces("ops Tensor")
@op
def ldexp(x, other):
    """x * 2**other.

    Args:
        x: a Tensor.
        other: a Tensor of exponents. Integers give a power in Float32, so that the product of Float16 has Float32, too.
    """
    a, b = pair("ldexp", x, jnp.exp2(to_float(other)), product=True)
    return a * b


@faces("ops Tensor mint", primitive="Lerp()(start, end, weight); LerpScalar()(input, end, weight)")
@op(alike=("input", "end"))
def lerp(input, end, weight):
    """input + weight * (end - input).

    Args:
        input: a floating Tensor.
        end: a Tensor of the same dtype.
        weight: a float or a Tensor.

    Raises:
        TypeError: `weight` is an int.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([0.0])
    >>> print(ops.lerp(x, Tensor([10.0]), 0.5), x.lerp(Tensor([10.0]), Tensor([0.25])))
    [5.] [2.5]
    """
    if number_kind(weight) in ("int", "bool"):
        raise TypeError("For 'Lerp', the 'weight' must be a float or a Tensor, but got an int.")
    a, b = pair("lerp", to_float(input), end)
    return a + cast(weight, a.dtype) * (b - a)


@faces("ops Tensor", primitive="Addcmul()(input, tensor1, tensor2, value=1)")
@op(alike=("input", "tensor1", "tensor2"))
def addcmul(input, tensor1, tensor2, value=1):
    """input + value * tensor1 * tensor2.

    Args:
        input: a Tensor.
        tensor1: a Tensor.
        tensor2: a Tensor; shapes broadcast.
        value: a number or a Tensor.
    """
    a, b, c = promote_args("addcmul", input, tensor1, tensor2)
    return a + cast(value, a.dtype) * b * c


def _truncated_quotient(a, b):
    a, b = jnp.broadcast_arrays(a, b)
    return jnp.where(b == 0, 0, jax.lax.div(a, jnp.where(b == 0, 1, b))).astype(a.dtype)


@faces("ops Tensor mint", primitive="Addcdiv()(input, tensor1, tensor2, value=1)")
@op(alike=("input", "tensor1", "tensor2"))
def addcdiv(input, tensor1, tensor2, value=1):
    """input + value * tensor1 / tensor2.

    Args:
        input: a Tensor.
        tensor1: a Tensor.
        tensor2: a Tensor; shapes broadcast.
        value: a number or a Tensor.
    """
    a, b, c = promote_args("addcdiv", input, tensor1, tensor2)
    if a.dtype == np.int64:
        return a + cast(value, a.dtype) * _truncated_quotient(b, c)
    a, b, c = to_float(a), to_float(b), to_float(c)
    return a + cast(value, a.dtype) * (b / c)


@faces("ops ops.clip Tensor Tensor.clip Tensor.clamp_ mint mint.clip")
@op(tensors="input")
def clamp(input, min=None, max=None):
    """The elements limited to [min, max]; `max` where min > max. A float limit makes integers Float32.

    Args:
        input: a Tensor.
        min: a number, a Tensor or None.
        max: a number, a Tensor or None.

    Raises:
        ValueError: both limits are None, or one of the arguments is a bool.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1.0, 5.0, 9.0])
    >>> print(ops.clamp(x, 2.0, 6.0), x.clip(max=4.0), x.clamp_(min=2.0))
    [2. 5. 6.] [1. 4. 4.] [2. 5. 9.]
    """
    check_any_given("clamp", min=min, max=max)
    if any(isinstance(value, bool) or getattr(value, "dtype", None) == np.bool_ for value in (input, min, max)):
        raise ValueError("For 'clamp', 'input', 'min' and 'max' must be of number types, but got Bool.")
    out = strong(input)
    if min is not None:
        out = at_least(*pair("clamp", out, min))
    if max is not None:
        out = at_most(*pair("clamp", out, max))
    return out


def _instead_of_nan(limited: Callable, value: Any, limit: Any) -> Any:
    """The value limited by `limited`; the limit for NaN."""
    return jnp.where(jnp.isnan(value), limit, limited(value, limit))


@faces("ops")
@op
def clip_by_value(x, clip_value_min=None, clip_value_max=None):
    """The elements limited to a range, in the tensor's own dtype; the upper limit wins where the limits cross.

    NaN becomes the lower limit, or the upper one without it. A list or tuple of Tensors gives a tuple.

    Args:
        x: a Tensor, or a list or tuple of Tensors.
        clip_value_min: a number, a Tensor or None.
        clip_value_max: a number, a Tensor or None.

    Raises:
        ValueError: both limits are None.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.clip_by_value(Tensor([1.0, 5.0, 9.0]), 2.0, 6.0))
    [2. 5. 6.]
    """
    check_any_given("clip_by_value", clip_value_min=clip_value_min, clip_value_max=clip_value_max)

    def one(value):
        if number_kind(value) is not None:
            raise TypeError("For 'clip_by_value', the argument 'x' must be a Tensor, or a list or tuple of Tensors.")
        if clip_value_min is not None:
            value = _instead_of_nan(jnp.maximum, value, cast(clip_value_min, value.dtype))
        if clip_value_max is not None:
            value = _instead_of_nan(jnp.minimum, value, cast(clip_value_max, value.dtype))
        return value

    return tuple([one(value) for value in x]) if isinstance(x, tuple) else one(x)


@faces("ops ops.accumulate_n", primitive="AddN()(input)")
def addn(x):
    """The sum of tensors with one dtype and shape; in PYNATIVE_MODE, one alone is returned itself.

    Args:
        x: a list or tuple of Tensors.

    Raises:
        TypeError: the dtypes differ or `x` is not a sequence.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.addn([Tensor([1.0]), Tensor([2.0]), Tensor([3.0])]))
    [6.]
    """
    if not isinstance(x, (list, tuple)):
        raise TypeError("For 'AddN', the input must be a list or tuple of Tensors.")
    return x[0] if len(x) == 1 and isinstance(x[0], Tensor) and not scopes.tracing else _sum_of(x)


@op(name="addn")
def _sum_of(x):
    if not x:
        raise ValueError("For 'AddN', the input must hold at least one Tensor, but it is empty.")
    if any(value.dtype != x[0].dtype for value in x):
        raise TypeError(f"For 'AddN', all dtypes must be the same, but got {[value.dtype.name for value in x]}.")
    return sum(x[1:], x[0])
