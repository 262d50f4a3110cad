"""Elementwise functions of two tensors that are a function of JAX between MindSpore's dtypes."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.dispatch.op import Op, op
from ms_compat._core.dispatch.operands import FLOAT32, cast, is_integral, number_kind, to_float
from ms_compat._core.errors import type_error
from ms_compat._core.faces import faces
from ms_compat.ops.function.axes import tensor
from ms_compat.ops.function.elementwise.arithmetic import pair
from ms_compat.ops.function.elementwise.slopes import magnitude, sloped, x_log_y
from ms_compat.ops.function.examples import example


def _two(name: str, fn, line: str, floating: bool = True, tensors: str = "", number: Callable | None = None) -> Op:
    """An Op of two operands.

    Args:
        name: its name.
        fn: the function of two arrays with one dtype.
        line: the description.
        floating: compute integers in Float32.
        tensors: the operands that must not be numbers, see `op`.
        number: what a number is converted by before the types are promoted.
    """

    def function(input, other):
        if number is not None:
            input, other = (v if number_kind(v) is None else number(v) for v in (input, other))
        a, b = pair(name, input, other)
        return fn(to_float(a), to_float(b)) if floating else fn(a, b)

    kinds = {name: "a Tensor" if name in tensors.split() else "a Tensor or a number" for name in ("input", "other")}
    function.__doc__ = f"{line}\n\nArgs:\n    input: {kinds['input']}.\n    other: {kinds['other']}.\n{example(name)}"
    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    return op(function, tensors=tensors)


def _of_floats(name: str, fn):
    def checked(a, b):
        if a.dtype not in (FLOAT32, np.dtype(np.float64)):
            raise TypeError(f"For '{name}', the operands must be of type Float32 or Float64, but got {a.dtype.name}.")
        return fn(a, b)

    return checked


def _of_reals(name: str, fn):
    def checked(a, b):
        if a.dtype.kind == "c":
            raise TypeError(f"For '{name}', the operands must be real, but got {a.dtype.name}.")
        return fn(a, b)

    return checked


def _of_integers(name: str, fn):
    def checked(a, b):
        if not is_integral(a.dtype) or a.dtype == bool:
            raise TypeError(f"For '{name}', the operands must be integers, but got {a.dtype.name}.")
        return fn(a, b)

    return checked


fmax = faces("ops Tensor", primitive="Fmax()(input, other)")(
    _two(
        "fmax",
        lambda a, b: jnp.where((a >= b) | jnp.isnan(b), a, b),
        "The larger element of each pair, ignoring NaN.",
        floating=False,
    )
)
fmin = faces("ops Tensor", primitive="Fmin()(input, other)")(
    _two(
        "fmin",
        lambda a, b: jnp.where((a <= b) | jnp.isnan(b), a, b),
        "The smaller element of each pair, ignoring NaN.",
        floating=False,
    )
)
atan2 = faces(
    "ops ops.arctan2 Tensor.arctan2 Tensor mint mint.arctan2 numpy.arctan2:halved_binary",
    primitive="Atan2()(input, other)",
)(_two("atan2", jnp.arctan2, "The angle of the point (other, input), in radians."))
hypot = faces("ops Tensor numpy:binary", primitive="Hypot()(input, other)")(
    _two(
        "hypot",
        _of_reals("hypot", sloped(jnp.hypot, lambda a, b, out: a / out, lambda a, b, out: b / out)),
        "sqrt(input**2 + other**2) without overflow.",
    )
)
heaviside = faces("ops Tensor numpy:binary", primitive="Heaviside()(input, other)")(
    _two(
        "heaviside",
        lambda a, b: jnp.heaviside(to_float(a), to_float(b)).astype(a.dtype),
        "0, `other` or 1 where the input is below, at or above zero.",
        floating=False,
        tensors="input other",
    )
)
logaddexp = faces("ops Tensor mint numpy:binary")(
    _two("logaddexp", jnp.logaddexp, "log(exp(input) + exp(other)) without overflow.", tensors="input other")
)
logaddexp2 = faces("ops Tensor mint numpy:binary")(
    _two("logaddexp2", jnp.logaddexp2, "log2(2**input + 2**other) without overflow.", tensors="input other")
)


@faces("ops Tensor")
@op(tensors="input")
def copysign(input, other):
    """The first operand's size with the second one's sign, as a float.

    Args:
        input: a Tensor; Float16, Float32 and Float64 stay, other types give Float32.
        other: a Tensor or a number. It must broadcast to the shape of `input`. A zero counts as positive.

    Raises:
        TypeError: `input` is Bool, or an argument complex.
        ValueError: the shapes do not fit.
    """
    if isinstance(other, (list, tuple)):
        raise type_error("copysign", "other", "a Tensor or a number", other)
    x, other = tensor("copysign", input), jnp.asarray(other)
    if x.dtype.kind in "bc" or other.dtype.kind == "c":
        raise TypeError(f"For 'copysign', the operands must be real numbers, but got {x.dtype} and {other.dtype}.")
    size = magnitude(x if x.dtype.name in ("float16", "float32", "float64") else x.astype(np.float32))
    return jnp.where((jnp.broadcast_to(other, x.shape) if x.ndim else other) < 0, -size, size)


nextafter = faces("ops Tensor", primitive="NextAfter()(input, other)")(
    _two(
        "nextafter",
        sloped(jnp.nextafter, lambda a, b, out: jnp.ones_like(out), lambda a, b, out: jnp.zeros_like(out)),
        "The next number from the first operand towards the second.",
        tensors="input other",
    )
)
xlogy = faces("ops Tensor mint", primitive="Xlogy()(input, other)")(
    _two(
        "xlogy",
        x_log_y,
        "input * log(other), and 0 where the input is 0. A number is taken in Float32.",
        number=lambda v: cast(v, FLOAT32),
    )
)


def _density(a, x):
    return jnp.exp((a - 1) * jnp.log(x) - x - jax.scipy.special.gammaln(a))


def _second_by_order(a, x, slope):
    """A difference of the slopes, of the fourth order: there is no formula in closed form."""
    a, x = a.astype(np.float64), x.astype(np.float64)
    step = a * 1e-3
    near, far = [igamma_by_order(a + k * step, x) - igamma_by_order(a - k * step, x) for k in (1, 2)]
    return ((8 * near - far) / (12 * step)).astype(slope.dtype)


# the derivative of the incomplete gamma function by its order
igamma_by_order: Callable = sloped(
    lambda a, x: jax.lax.igamma_grad_a(*jnp.broadcast_arrays(a, x)),
    _second_by_order,
    lambda a, x, slope: _density(a, x) * (jnp.log(x) - jax.scipy.special.digamma(a)),
)
lower_gamma: Callable = sloped(
    jax.scipy.special.gammainc, lambda a, x, value: igamma_by_order(a, x), lambda a, x, value: _density(a, x)
)
upper_gamma: Callable = sloped(
    jax.scipy.special.gammaincc, lambda a, x, value: -igamma_by_order(a, x), lambda a, x, value: -_density(a, x)
)
igamma = faces("ops Tensor", primitive="Igamma()(input, other)")(
    _two(
        "igamma",
        _of_floats("igamma", lower_gamma),
        "Regularised lower incomplete gamma function.",
        False,
        "input other",
    )
)
igammac = faces("ops Tensor", primitive="Igammac()(input, other)")(
    _two(
        "igammac",
        _of_floats("igammac", upper_gamma),
        "Regularised upper incomplete gamma function.",
        False,
        "input other",
    )
)
zeta = faces("ops", primitive="Zeta()(input, other)")(
    _two("zeta", _of_floats("zeta", jax.scipy.special.zeta), "The Hurwitz zeta function.", False)
)
gcd = faces("ops Tensor mint", primitive="Gcd()(input, other)")(
    _two("gcd", _of_integers("gcd", jnp.gcd), "The greatest common divisor.", floating=False, tensors="input other")
)
lcm = faces("ops Tensor", primitive="Lcm()(input, other)")(
    _two("lcm", _of_integers("lcm", jnp.lcm), "The least common multiple.", floating=False)
)
squared_difference = faces(primitive="SquaredDifference()(input, other)")(
    _two("SquaredDifference", lambda a, b: (a - b) * (a - b), "(input - other) squared.", False)
)


def _mul_no_nan(a, b):
    # no `where` around the product, which would cut the slope of b at 0
    return (jnp.where((b == 0) & ~jnp.isfinite(a), 0, a) * b).astype(a.dtype)


mul_no_nan = faces(primitive="MulNoNan()(input, other)")(_two("MulNoNan", _mul_no_nan, "0 where other is 0.", False))
div_no_nan = faces(primitive="DivNoNan()(input, other)")(
    _two(
        "DivNoNan",
        lambda a, b: jnp.where(b == 0, 0, a / jnp.where(b == 0, 1, b)).astype(a.dtype),
        "0 where other is 0.",
    )
)


def _xdivy(a, b):
    if is_integral(a.dtype):
        raise TypeError(f"For 'xdivy', the operands must be floats, but got {a.dtype.name}.")
    return jnp.where(a == 0, 0, a / jnp.where(a == 0, 1, b)).astype(a.dtype)


xdivy = faces("ops Tensor", primitive="Xdivy()(input, other)")(
    _two(
        "xdivy",
        _xdivy,
        "input / other; 0 where input is.",
        floating=False,
    )
)
