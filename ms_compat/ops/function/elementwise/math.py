"""Elementwise functions of one tensor: exponentials, trigonometry, rounding, special functions.

Most are one row of a table: a JAX function and what MindSpore does with integers. Where MindSpore's CPU backend has
no kernel for integers (`exp`, `sin`) they are computed in Float32, as its other backends do.
"""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_tensors
from ms_compat._core.dispatch.op import Op, op
from ms_compat._core.dispatch.operands import cast, is_complex, is_integral, strong, to_float
from ms_compat._core.errors import check_int
from ms_compat._core.faces import faces
from ms_compat.ops.function.axes import tensor
from ms_compat.ops.function.elementwise.slopes import at_least, at_most, magnitude, size, sloped
from ms_compat.ops.function.examples import example


def _float_op(name: str, fn: Callable, line: str) -> Op:
    """An Op that computes in floating point: integers and bool become Float32."""

    def function(input):
        return fn(to_float(tensor(name, input)))

    function.__doc__ = f"{line} Integers and bool give Float32.\n\nArgs:\n    input: a Tensor.\n{example(name)}"
    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    return op(function)


def _in_double(fn: Callable) -> Callable:
    """`fn` computed in Float64: JAX's Float32 loses digits near its zeros (lgamma(1) is 5e-7 there)."""
    return lambda x: fn(x.astype(np.float64)).astype(x.dtype)


def _real_op(name: str, fn: Callable, line: str) -> Op:
    """An Op that computes in floating point and refuses everything else."""

    def function(input):
        if not jnp.issubdtype(tensor(name, input).dtype, jnp.floating):
            raise TypeError(f"For '{name}', the input must be a Tensor of floats, but got {input.dtype.name}.")
        return fn(input)

    function.__doc__ = f"{line}\n\nArgs:\n    input: a Tensor of floats.\n{example(name)}"
    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    return op(function)


def _same_op(name: str, fn: Callable, line: str) -> Op:
    """An Op that keeps the dtype and leaves integers as they are."""

    def function(input):
        input = tensor(name, input)
        return input if is_integral(input.dtype) else fn(input)

    function.__doc__ = f"{line} Integers are returned as they are.\n\nArgs:\n    input: a Tensor.\n{example(name)}"
    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    return op(function)


def _log2(x):
    return jnp.log2(x) if not is_complex(x.dtype) else jnp.log(x) / x.dtype.type(np.log(2))


def _polygamma(order, x):
    """JAX's, with the infinity of the even orders' poles, where JAX's derivative has NaN."""
    pole = (x <= 0) & (x == jnp.floor(x))
    sign = jnp.where(order % 2 == 1, 1, -1)
    return jnp.where(pole, sign * jnp.inf, jax.scipy.special.polygamma(order, jnp.where(pole, 1, x)))


def _derived(order):
    """polygamma of an order as a function of x."""
    return sloped(lambda x: _polygamma(order, x), lambda x, value: _polygamma(order + 1, x))


def _zero_as_limit(x):
    """JAX's digamma has NaN at zero, where MindSpore has the infinity of the side that the zero's sign names."""
    return jnp.where(x == 0, jnp.copysign(jnp.asarray(jnp.inf, x.dtype), -x), jax.scipy.special.digamma(x))


_digamma = sloped(_zero_as_limit, lambda x, value: _derived(jnp.ones((), jnp.int32))(x))
_lgamma = sloped(jax.scipy.special.gammaln, lambda x, value: _digamma(x))
_i0 = sloped(jax.scipy.special.i0, lambda x, value: jax.scipy.special.i1(x))  # JAX's slope of |x| gives 1 at 0
_acosh = sloped(jnp.arccosh, lambda x, value: jnp.where(x < 1, jnp.nan, jax.lax.rsqrt((x - 1) * (x + 1))))


@jax.custom_jvp
def _sinc(x):
    """JAX's has exact zeros at integers in its newer versions, where MindSpore rounds."""
    angle = jnp.where(x == 0, 1, x * np.asarray(np.pi, x.dtype))
    return jnp.where(x == 0, 1, jnp.sin(angle) / angle)


@_sinc.defjvp
def _(primals, tangents):
    (x,), (tangent,) = primals, tangents
    value = _sinc(x)
    slope = (jnp.cos(x * np.asarray(np.pi, x.dtype)) - value) / jnp.where(
        x == 0, 1, x
    )  # no square, which may underflow
    return value, jnp.where(x == 0, 0, slope) * tangent


exp = faces("ops ops.tensor_exp Tensor Tensor.exp_ mint numpy:unary", primitive="Exp()(input)")(
    _float_op("exp", jnp.exp, "e to the power of each element.")
)
log = faces("ops Tensor Tensor.log_ mint numpy:unary", primitive="Log()(input)")(
    _float_op("log", jnp.log, "Natural logarithm of each element.")
)
log2 = faces("ops Tensor mint numpy:unary")(_float_op("log2", _log2, "Base-2 logarithm of each element."))
log10 = faces("ops Tensor mint numpy:unary")(_float_op("log10", jnp.log10, "Base-10 logarithm of each element."))
log1p = faces("ops Tensor mint mint.special numpy:unary", primitive="Log1p()(input)")(
    _float_op("log1p", jnp.log1p, "log(1 + x) without loss of precision near zero.")
)
expm1 = faces("ops ops.tensor_expm1 Tensor mint mint.special numpy:unary", primitive="Expm1()(input)")(
    _float_op("expm1", jnp.expm1, "exp(x) - 1 without loss of precision near zero.")
)
exp2 = faces("ops numpy:whole")(
    _float_op(
        "exp2",
        lambda x: jnp.exp2(x.astype(np.float32) if x.dtype.name == "bfloat16" else x),
        "2 to the power of each element. BFloat16 gives Float32.",
    )
)
exp2_ext = faces("Tensor.exp2 mint.exp2 mint.special.exp2")(
    _float_op("exp2", jnp.exp2, "2 to the power of each element.")
)
sqrt = faces("ops Tensor mint numpy:unary", primitive="Sqrt()(input)")(
    _float_op("sqrt", jnp.sqrt, "Square root of each element; NaN for negative ones.")
)
rsqrt = faces("ops Tensor mint", primitive="Rsqrt()(input)")(
    _float_op("rsqrt", jax.lax.rsqrt, "Reciprocal square root of each element.")
)
reciprocal = faces("ops Tensor mint numpy:whole", primitive="Reciprocal()(input)")(
    _float_op("reciprocal", lambda x: 1 / x, "Reciprocal of each element.")
)
sin = faces("ops Tensor mint numpy:halved", primitive="Sin()(input)")(
    _float_op("sin", jnp.sin, "Sine of each element, in radians.")
)
cos = faces("ops Tensor mint numpy:halved", primitive="Cos()(input)")(
    _float_op("cos", jnp.cos, "Cosine of each element, in radians.")
)
tan = faces("ops Tensor mint numpy:halved", primitive="Tan()(input)")(
    _float_op("tan", jnp.tan, "Tangent of each element, in radians.")
)
asin = faces("ops ops.arcsin Tensor.arcsin Tensor mint mint.arcsin numpy.arcsin:halved", primitive="Asin()(input)")(
    _float_op("asin", jnp.arcsin, "Arcsine of each element.")
)
acos = faces(
    "ops ops.arccos Tensor Tensor.arccos mint mint.arccos numpy.arccos:halved_input", primitive="ACos()(input)"
)(_float_op("acos", jnp.arccos, "Arccosine of each element."))
atan = faces("ops ops.arctan Tensor.arctan Tensor mint mint.arctan numpy.arctan:halved", primitive="Atan()(input)")(
    _float_op("atan", jnp.arctan, "Arctangent of each element.")
)
sinh = faces("ops Tensor mint numpy:halved", primitive="Sinh()(input)")(
    _float_op("sinh", jnp.sinh, "Hyperbolic sine of each element.")
)
cosh = faces("ops Tensor mint numpy:halved", primitive="Cosh()(input)")(
    _float_op("cosh", jnp.cosh, "Hyperbolic cosine of each element.")
)
asinh = faces(
    "ops ops.arcsinh Tensor.arcsinh Tensor mint mint.arcsinh numpy.arcsinh:halved", primitive="Asinh()(input)"
)(_float_op("asinh", jnp.arcsinh, "Inverse hyperbolic sine of each element."))
acosh = faces(
    "ops ops.arccosh Tensor Tensor.arccosh mint mint.arccosh numpy.arccosh:halved", primitive="Acosh()(input)"
)(
    _float_op(
        "acosh",
        lambda x: jnp.arccosh(x) if is_complex(x.dtype) else _acosh(x),
        "Inverse hyperbolic cosine of each element.",
    )
)
atanh = faces(
    "ops ops.arctanh Tensor.arctanh Tensor mint mint.arctanh numpy.arctanh:halved", primitive="Atanh()(input)"
)(_float_op("atanh", jnp.arctanh, "Inverse hyperbolic tangent of each element."))
sinc = faces("ops Tensor mint mint.special", primitive="Sinc()(input)")(
    _float_op("sinc", _sinc, "sin(pi x) / (pi x), 1 at zero.")
)
erf = faces("ops Tensor mint", primitive="Erf()(input)")(
    _float_op("erf", jax.scipy.special.erf, "Gauss error function.")
)
erfc = faces("ops Tensor mint mint.special", primitive="Erfc()(input)")(
    _float_op("erfc", jax.scipy.special.erfc, "Complement of the Gauss error function, 1 - erf(x).")
)
erfinv = faces("ops Tensor Tensor.erfinv_ mint", primitive="Erfinv()(input)")(
    _float_op("erfinv", jax.scipy.special.erfinv, "Inverse of the Gauss error function on (-1, 1).")
)
lgamma = faces("ops Tensor", primitive="Lgamma()(input)")(
    _float_op("lgamma", _in_double(_lgamma), "Logarithm of the gamma function's absolute value.")
)
digamma = faces("ops Tensor", primitive="Digamma()(input)")(
    _float_op("digamma", _in_double(_digamma), "Derivative of the log-gamma function.")
)
bessel_i0 = faces("ops ops.i0 Tensor.i0", primitive="BesselI0()(input)")(
    _real_op("bessel_i0", _i0, "Modified Bessel function of order 0.")
)
bessel_i0e = faces("ops", primitive="BesselI0e()(input)")(
    _real_op("bessel_i0e", jax.scipy.special.i0e, "exp(-|x|) times the modified Bessel function of order 0.")
)
bessel_i1 = faces("ops", primitive="BesselI1()(input)")(
    _real_op("bessel_i1", jax.scipy.special.i1, "Modified Bessel function of order 1.")
)
bessel_i1e = faces("ops", primitive="BesselI1e()(input)")(
    _real_op("bessel_i1e", jax.scipy.special.i1e, "exp(-|x|) times the modified Bessel function of order 1.")
)
deg2rad = faces("ops Tensor numpy:unary numpy.radians:unary")(_float_op("deg2rad", jnp.deg2rad, "Degrees to radians."))
rad2deg = faces("ops Tensor numpy:unary")(_float_op("rad2deg", jnp.rad2deg, "Radians to degrees."))

floor = faces("ops Tensor Tensor.floor_ mint numpy:unary", primitive="Floor()(input)")(
    _same_op("floor", jnp.floor, "The largest integer not above each element.")
)
ceil = faces("ops Tensor mint numpy:float32", primitive="Ceil()(input)")(
    _same_op("ceil", jnp.ceil, "The smallest integer not below each element.")
)
trunc = faces("ops Tensor mint mint.fix numpy:floated numpy.fix:floated_plain", primitive="Trunc()(input)")(
    _same_op("trunc", jnp.trunc, "Each element without its fraction.")
)
rint = faces("numpy:unary", primitive="Rint()(input)")(
    _same_op("rint", jnp.round, "The nearest integer, halves to even.")
)


@faces("ops Tensor mint")
@op
def frac(input):
    """The fraction of each element, with its sign; 0 for integers, and Int64 for Bool.

    Args:
        input: a Tensor.
    """
    x = tensor("frac", input)
    if is_integral(x.dtype):
        return jnp.zeros(x.shape, np.int64 if x.dtype == bool else x.dtype)
    return x - jnp.trunc(x)


@faces("ops Tensor", primitive="Inv()(input)")
@op
def inv(x):
    """The reciprocal; of integers their integer quotient, and the dtype's least number for 0.

    Args:
        x: a Tensor.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([2.0, 4.0])
    >>> print(ops.inv(x), x.inv())
    [0.5  0.25] [0.5  0.25]
    """
    x = tensor("Inv", x)
    if x.dtype.kind != "i":
        return reciprocal.fn(x)
    return jnp.where(x == 0, np.iinfo(x.dtype).min, jnp.where(jnp.abs(x) == 1, x, 0)).astype(x.dtype)


i0 = bessel_i0
arcsin, arccos, arctan = asin, acos, atan
arcsinh, arccosh, arctanh = asinh, acosh, atanh


def numeric(api: str, x) -> jax.Array:
    """The value as an array that is not bool, which MindSpore's arithmetic on one tensor refuses."""
    x = tensor(api, x)
    if x.dtype == bool:
        raise TypeError(f"For '{api}', the input must be a Tensor of numbers, but got a Tensor of Bool.")
    return x


@faces(
    "ops ops.absolute Tensor Tensor.absolute mint numpy:unary numpy.absolute:unary numpy.fabs:unary",
    primitive="Abs()(input)",
)
@op
def abs(input):
    """Absolute value; a complex tensor keeps its dtype, as in MindSpore.

    Args:
        input: a Tensor of any dtype.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.abs(Tensor([-1.5, 2.0])))
    [1.5 2. ]
    """
    input = tensor("abs", input)
    if input.dtype == bool:
        return input
    return cast(size(input) if input.dtype.kind in "fV" else magnitude(input), input.dtype)


absolute = abs


@faces("ops ops.negative Tensor Tensor.negative mint mint.negative numpy.negative:unary_a", primitive="Neg()(input)")
@op
def neg(input):
    """The negative of each element; unsigned integers wrap around.

    Args:
        input: a Tensor of numbers.

    Raises:
        TypeError: a Tensor of Bool.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1.0, -2.0])
    >>> print(ops.neg(x), x.neg())
    [-1.  2.] [-1.  2.]
    """
    return -numeric("neg", input)


negative = neg


@faces("ops Tensor mint numpy:unary", primitive="Square()(input)")
@op
def square(input):
    """Each element times itself, in its own dtype.

    Args:
        input: a Tensor of numbers.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([2.0, -3.0])
    >>> print(ops.square(x), x.square())
    [4. 9.] [4. 9.]
    """
    input = numeric("square", input)
    return input * input


@faces("ops Tensor Tensor.sign_ mint", primitive="Sign()(input)")
@op
def sign(input):
    """-1, 0 or 1 by the sign of each element; 0 for NaN.

    Args:
        input: a Tensor of numbers.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([-2.0, 0.0, 3.0])
    >>> print(ops.sign(x), x.sign())
    [-1.  0.  1.] [-1.  0.  1.]
    """
    x = numeric("sign", input)
    return jnp.sign(jnp.nan_to_num(x, posinf=1, neginf=-1) if x.dtype.kind in "fV" else x)


@faces("ops Tensor")
@op
def sgn(input):
    """As `sign`; a complex element is divided by its absolute value.

    Args:
        input: a Tensor of numbers.
    """
    input = numeric("sgn", input)
    if not is_complex(input.dtype):
        return jnp.sign(input)
    size = jnp.abs(input)
    return jnp.where(size == 0, 0, input / jnp.where(size == 0, 1, size)).astype(input.dtype)


@faces("ops Tensor")
def positive(input):
    """The Tensor itself.

    Args:
        input: a Tensor.
    """
    check_tensors("positive", input=input)
    return input


@faces("numpy.positive:unary_a")
@op(name="positive")
def positive_copy(input):
    """The elements as they are, in a new Tensor."""
    return tensor("positive", input)


@faces("ops Tensor mint mint.special", primitive="Round()(input)")
@op(static=("decimals",))
def round(input, decimals=0):
    """The nearest number with `decimals` digits after the point, halves to even.

    Args:
        input: a Tensor of numbers.
        decimals: an int; negative ones round before the point.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([0.5, 1.5, 2.25])
    >>> print(ops.round(x), x.round(decimals=1))
    [0. 2. 2.] [0.5 1.5 2.2]
    """
    input = numeric("round", input)
    if is_integral(input.dtype) and decimals >= 0:
        return input
    return cast(jnp.round(input, decimals), input.dtype)


@faces("ops Tensor", primitive="Logit(eps=-1.0)(x)")
@op(static=("eps",), tensors="input")
def logit(input, eps=None):
    """log(x / (1 - x)); outside (0, 1) NaN or infinite, unless `eps` clamps to [eps, 1 - eps].

    Args:
        input: a floating Tensor.
        eps: None or a small float.
    """
    x = to_float(input)
    if eps is not None and eps >= 0:
        x = at_most(at_least(x, eps), 1 - eps)
    return _logit(x)


def _outside(x, value):
    return jnp.where((x < 0) | (x > 1), jnp.nan, 1 / (x * (1 - x)))


_logit = sloped(lambda x: jnp.log(x / (1 - x)), _outside)


@faces("ops Tensor mint", primitive="NanToNum(nan=None, posinf=None, neginf=None)(x)")
@op(static=("nan", "posinf", "neginf"), tensors="input")
def nan_to_num(input, nan=None, posinf=None, neginf=None):
    """Replace NaN and the infinities.

    Args:
        input: a Tensor.
        nan: for NaN; by default 0.
        posinf: for infinity; by default the dtype's largest number.
        neginf: for minus infinity; by default the dtype's smallest number.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([float("nan"), 1.0])
    >>> print(ops.nan_to_num(x), x.nan_to_num(nan=5.0))
    [0. 1.] [5. 1.]
    """
    return jnp.nan_to_num(strong(input), nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf)


@faces("ops Tensor mint", primitive="Real()(input)")
@op(tensors="input")
def real(input):
    """The real part.

    Args:
        input: a Tensor.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1 + 2j])
    >>> print(ops.real(x), x.real())
    [1.] [1.]
    """
    return jnp.real(strong(input))


@faces("ops Tensor mint", primitive="Imag()(input)")
@op(tensors="input")
def imag(input):
    """The imaginary part; zeros for a real tensor.

    Args:
        input: a Tensor.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1 + 2j])
    >>> print(ops.imag(x), x.imag())
    [2.] [2.]
    """
    return jnp.imag(strong(input))


@faces("ops Tensor", primitive="Conj()(input)")
@op(tensors="input")
def conj(input):
    """The complex conjugate.

    Args:
        input: a Tensor.
    """
    return jnp.conj(strong(input))


@faces("ops Tensor", primitive="Angle()(input)")
@op
def angle(input):
    """The argument of a complex number; 0 or pi for a real one.

    Args:
        input: a Tensor.
    """
    return jnp.angle(to_float(input))


@faces(primitive="Complex()(input, other)")
@op(tensors="real imag")
def complex(real, imag):
    """A complex tensor of its parts: Float32 gives Complex64, Float64 Complex128.

    Args:
        real: floating Tensor.
        imag: Tensor of the same dtype.
    """
    return jax.lax.complex(*jnp.broadcast_arrays(to_float(real), to_float(imag)))


@faces("ops mint", primitive="Polar()(input, other)")
@op(tensors="abs angle")
def polar(abs, angle):
    """A complex tensor of absolute value and angle.

    Args:
        abs: floating Tensor.
        angle: Tensor of the same dtype, in radians.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.polar(Tensor([2.0]), Tensor([0.0])))
    [2.+0.j]
    """
    size, at = to_float(abs), to_float(angle)
    return jax.lax.complex(size * jnp.cos(at), size * jnp.sin(at))


@faces("ops")
@op(tensors="input")
def view_as_real(input):
    """A complex tensor as a real one with a last dimension of two.

    Args:
        input: complex Tensor.

    Raises:
        TypeError: `input` is not complex.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.view_as_real(Tensor([1 + 2j])))
    [[1. 2.]]
    """
    if input.dtype.kind != "c":
        raise TypeError(f"For 'view_as_real', the 'input' must be complex, but got {input.dtype.name}.")
    return jnp.stack([jnp.real(input), jnp.imag(input)], axis=-1)


@faces("ops", primitive="Polygamma()(input, other)")
@op(static=("n",), tensors="input")
def polygamma(n, input):
    """The n-th derivative of the digamma function.

    Args:
        n: an int or a Tensor of one.
        input: a floating Tensor.
    """
    x = to_float(input)
    order = jnp.asarray(n).astype(jnp.int32)
    return _derived(order)(x.astype(np.float64)).astype(x.dtype)


@faces("ops Tensor", primitive="Mvlgamma(p)(x)")
@op(static=("p",))
def mvlgamma(input, p):
    """Logarithm of the multivariate gamma function of dimension `p`.

    Args:
        input: a floating Tensor, every element above (p - 1) / 2.
        p: an int.
    """
    check_int("Mvlgamma", "p", p)
    x = tensor("Mvlgamma", input)
    if not jnp.issubdtype(x.dtype, jnp.floating):
        raise TypeError(f"For 'Mvlgamma', the input must be a Tensor of Float32 or Float64, but got {x.dtype.name}.")
    return jax.scipy.special.multigammaln(x, p)
