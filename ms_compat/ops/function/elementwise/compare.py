"""Comparison, logic and bits: everything elementwise whose result is Bool, and the bitwise operations."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.dispatch.op import Op, op
from ms_compat._core.dispatch.operands import cast, is_integral, number_kind, promote_args, strong, to_float
from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.axes import tensor
from ms_compat.ops.function.elementwise.arithmetic import pair
from ms_compat.ops.function.examples import example


def _named(function: Callable, name: str, doc: str) -> Op:
    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = doc + example(name)
    return op(function)


def _comparison(name: str, primitive: str, fn: Callable, line: str, ordered: bool = True) -> Op:
    def function(input, other):
        if number_kind(input) is not None and name in ("equal", "less"):  # the others take two numbers
            tensor(primitive, other, "other")
        a, b = _exact(primitive, input, other) if name == "less" else pair(primitive, input, other)
        if ordered and a.dtype.kind == "c":
            raise TypeError(f"For '{primitive}', complex tensors have no order.")
        return fn(a, b)

    doc = f"{line}\n\nArgs:\n    input: a Tensor or a number.\n    other: a Tensor or a number; shapes broadcast.\n"
    return _named(function, name, doc)


def _exact(api: str, a, b) -> tuple[jax.Array, jax.Array]:
    """Cast operands to a dtype that holds both. MindSpore does so for `less` alone; elsewhere it casts the number."""
    for number, other in ((a, b), (b, a)):
        if number_kind(number) == "int" and number_kind(other) is None and other.dtype.kind in "iu":
            promote_args(api, a, b)
            wide = np.dtype(np.uint64 if other.dtype == np.uint64 else np.int64)
            return cast(a, wide), cast(b, wide)
    return pair(api, a, b)


equal = faces("ops ops.eq Tensor.eq Tensor mint.eq numpy:binary", primitive="Equal()(input, other)")(
    _comparison("equal", "Equal", lambda a, b: a == b, "Where the operands are equal.", ordered=False)
)
not_equal = faces("ops ops.ne Tensor.ne Tensor mint.ne mint numpy:binary", primitive="NotEqual()(input, other)")(
    _comparison("not_equal", "NotEqual", lambda a, b: a != b, "Where the operands differ.", ordered=False)
)
less = faces("ops ops.lt ops.tensor_lt Tensor Tensor.lt mint mint.lt numpy:binary", primitive="Less()(input, other)")(
    _comparison("less", "Less", lambda a, b: a < b, "Where input < other.")
)
less_equal = faces(
    "ops ops.le ops.tensor_le Tensor.le Tensor mint.le mint numpy:binary", primitive="LessEqual()(input, other)"
)(_comparison("less_equal", "LessEqual", lambda a, b: a <= b, "Where input <= other."))
greater = faces(
    "ops ops.gt ops.tensor_gt Tensor Tensor.gt mint mint.gt numpy:binary", primitive="Greater()(input, other)"
)(_comparison("greater", "Greater", lambda a, b: a > b, "Where input > other."))
greater_equal = faces(
    "ops ops.ge ops.tensor_ge Tensor.ge Tensor mint.ge mint numpy:binary", primitive="GreaterEqual()(input, other)"
)(_comparison("greater_equal", "GreaterEqual", lambda a, b: a >= b, "Where input >= other."))
eq, ne, lt, le, gt, ge = equal, not_equal, less, less_equal, greater, greater_equal


def _truth(x) -> jax.Array:
    x = strong(x)
    return x if x.dtype == bool else x != 0


def _logical(name: str, fn: Callable, line: str) -> Op:
    def function(input, other):
        return fn(*pair(name, _truth(input), _truth(other)))

    doc = f"{line} Numbers are true where they are not 0.\n\nArgs:\n    input: a Tensor.\n    other: a Tensor.\n"
    return _named(function, name, doc)


logical_and = faces("ops mint numpy:binary", primitive="LogicalAnd()(input, other)")(
    _logical("logical_and", jnp.logical_and, "Elementwise and.")
)
logical_or = faces("ops mint numpy:binary", primitive="LogicalOr()(input, other)")(
    _logical("logical_or", jnp.logical_or, "Elementwise or.")
)
logical_xor = faces("ops Tensor mint numpy:binary", primitive="LogicalXor()(input, other)")(
    _logical("logical_xor", jnp.logical_xor, "Elementwise exclusive or.")
)


@faces("ops Tensor mint numpy:unary_a", primitive="LogicalNot()(input)")
@op(tensors="input")
def logical_not(input):
    """Elementwise negation. Numbers are true where they are not 0.

    Args:
        input: a Tensor.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([True, False])
    >>> print(ops.logical_not(x), x.logical_not())
    [False  True] [False  True]
    """
    return ~_truth(input)


def _integers(api: str, *xs) -> tuple[jax.Array, ...]:
    tensors = [x for x in xs if hasattr(x, "shape")]
    if all(is_integral(x.dtype) for x in tensors):
        try:
            jnp.broadcast_shapes(*[x.shape for x in tensors])
        except ValueError as error:
            raise ValueError(f"For '{api}', the shapes of the operands must broadcast: {error}") from None
    out = promote_args(api, *xs)
    if not is_integral(out[0].dtype):
        raise TypeError(f"For '{api}', the operands must be integers or bool, but got {out[0].dtype.name}.")
    return out


def _bitwise(name: str, primitive: str, fn: Callable, line: str) -> Op:
    def function(input, other):
        return fn(*_integers(primitive, input, other))

    doc = f"{line}\n\nArgs:\n    input: an integer or bool Tensor.\n    other: likewise, or a number.\n"
    return _named(function, name, doc)


bitwise_and = faces("ops Tensor mint numpy:binary", primitive="BitwiseAnd()(input, other)")(
    _bitwise("bitwise_and", "BitwiseAnd", jnp.bitwise_and, "The and of the bits.")
)
bitwise_or = faces("ops Tensor mint numpy:binary", primitive="BitwiseOr()(input, other)")(
    _bitwise("bitwise_or", "BitwiseOr", jnp.bitwise_or, "The or of the bits.")
)
bitwise_xor = faces("ops Tensor mint numpy:binary", primitive="BitwiseXor()(input, other)")(
    _bitwise("bitwise_xor", "BitwiseXor", jnp.bitwise_xor, "The exclusive or of the bits.")
)
bitwise_left_shift = faces("ops Tensor", primitive="LeftShift()(input, other)")(
    _bitwise("bitwise_left_shift", "LeftShift", jnp.left_shift, "The bits shifted to the left.")
)
bitwise_right_shift = faces("ops Tensor", primitive="RightShift()(input, other)")(
    _bitwise("bitwise_right_shift", "RightShift", jnp.right_shift, "The bits shifted to the right.")
)


@faces(
    "ops Tensor.bitwise_not Tensor mint.bitwise_not numpy.bitwise_not:unary numpy:unary", primitive="Invert()(input)"
)
@op(tensors="x")
def invert(x):
    """All bits flipped.

    Args:
        x: an integer or bool Tensor.
    """
    return ~_integers("Invert", x)[0]


@faces("ops", primitive="PopulationCount()(input)")
@op(tensors="input_x")
def population_count(input_x):
    """The number of ones among the bits of each element, as UInt8.

    Args:
        input_x: an integer Tensor.
    """
    return cast(jax.lax.population_count(_integers("PopulationCount", input_x)[0]), np.dtype(np.uint8))


def _test(name: str, fn: Callable, line: str) -> Op:
    def function(input):
        return fn(tensor(name, input))

    return _named(function, name, f"{line}\n\nArgs:\n    input: a Tensor.\n")


isnan = faces("ops ops.isnan_ext Tensor mint numpy:unary", primitive="IsNan()(input)")(
    _test("isnan", jnp.isnan, "Where the elements are NaN.")
)
isinf = faces("ops Tensor mint numpy:unary", primitive="IsInf()(input)")(
    _test("isinf", jnp.isinf, "Where the elements are infinite.")
)
isfinite = faces("ops Tensor mint numpy:unary", primitive="IsFinite()(input)")(
    _test("isfinite", jnp.isfinite, "Where the elements are neither infinite nor NaN.")
)
isneginf = faces("ops Tensor mint numpy:plain")(
    _test("isneginf", jnp.isneginf, "Where the elements are minus infinity.")
)
isposinf = faces("ops Tensor numpy:plain")(_test("isposinf", jnp.isposinf, "Where the elements are plus infinity."))
isreal = faces("ops Tensor")(_test("isreal", jnp.isreal, "Where the elements have no imaginary part."))
signbit = faces("ops Tensor")(_test("signbit", jnp.signbit, "Where the sign bit is set."))


@faces("ops mint", primitive="IsClose(rtol=1e-05, atol=1e-08, equal_nan=False)(input, other)")
@op(static=("rtol", "atol", "equal_nan"), alike=("input", "other"))
def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Where |input - other| <= atol + rtol * |other|.

    Args:
        input: a Tensor.
        other: a Tensor; shapes broadcast.
        rtol: relative tolerance.
        atol: absolute tolerance.
        equal_nan: whether two NaN are close.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.isclose(Tensor([1.0, 2.0]), Tensor([1.0, 2.1])))
    [ True False]
    """
    tensor("isclose", other, "other")
    return jnp.isclose(*pair("isclose", tensor("isclose", input), other), rtol=rtol, atol=atol, equal_nan=equal_nan)


@faces("Tensor mint")
def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False) -> bool:
    """Whether all elements are close, as a Python bool.

    Args:
        input: a Tensor.
        other: a Tensor; shapes broadcast.
        rtol: relative tolerance.
        atol: absolute tolerance.
        equal_nan: whether two NaN are close.
    """
    return bool(isclose(input, other, rtol, atol, equal_nan).asnumpy().all())


@faces("ops Tensor")
@op(static=("tolerance",))
def approximate_equal(x, y, tolerance=1e-05):
    """Where |x - y| < tolerance.

    Args:
        x: a Tensor.
        y: a Tensor of the same shape.
        tolerance: a float.
    """
    a, b = pair("ApproximateEqual", to_float(x), y)
    return jnp.abs(a - b) < tolerance


@op
def isin(elements, test_elements):
    """Where the elements occur in a second tensor.

    Args:
        elements: a Tensor.
        test_elements: a Tensor.
    """
    return jnp.isin(elements, test_elements)


@faces("ops Tensor")
def is_complex(input) -> bool:
    """Whether the tensor's dtype is complex."""
    return _kind(input, "is_complex") == "c"


@faces("ops Tensor")
def is_floating_point(input) -> bool:
    """Whether the tensor's dtype is floating point.

    Args:
        input (Tensor): any shape.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1.0])
    >>> print(ops.is_floating_point(x), x.is_floating_point())
    True True
    """
    return _kind(input, "is_floating_point") in "fV"


@faces("ops")
def is_nonzero(input) -> bool:
    """Whether a tensor of one element is not 0."""
    _kind(input, "is_nonzero")
    return bool(input)


def _kind(input, api: str) -> str:
    check_type(api, "input", input, Tensor)
    return input.dtype.np_dtype.kind
