"""Activation functions: one declaration each; functions of one argument are rows of a table.

The formulas follow MindSpore's CPU kernels, including the ones that differ from PyTorch's of the same name:
`ops.gelu` is the exact one by default, `leaky_relu` has slope 0.2, `fast_gelu` is x * sigmoid(1.702 x). Half
precision is computed in float32 (see `nn/checks.py`). At a kink the gradient is MindSpore's, too.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_rank_at_most
from ms_compat._core.dispatch.op import Op, op
from ms_compat._core.errors import check_one_of, value_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import write_barrier
from ms_compat.ops.function.examples import example
from ms_compat.ops.function.nn.checks import axis_of, channelwise, floating, real, tensor, wide


class InplaceOp(Op):
    """An activation that can write its result into its input, and return that, with `inplace=True`."""

    def _call_or_write(self, args: tuple, kwargs: dict) -> Any:
        inplace = kwargs.pop("inplace", False)
        if len(args) == self.arity + 1:
            inplace, args = args[-1], args[:-1]
        args = self._bind(args, kwargs)
        out = self(*args)
        if not inplace:
            return out
        write_barrier.assign(args[0], out._v, out._node)
        return args[0]


@jax.custom_jvp
def _relu(x: Any) -> Any:
    return jnp.where(x > 0, x, 0).astype(x.dtype)


@_relu.defjvp
def _relu_jvp(primals: Any, tangents: Any) -> Any:
    # From the result, which the next layer keeps for its own gradient: so the input is not kept as well.
    out = _relu(*primals)
    return out, jnp.where(out > 0, tangents[0], 0).astype(out.dtype)


def _relu6(x: Any) -> Any:
    return jnp.where(x > 6, 6, jnp.where(x > 0, x, 0)).astype(x.dtype)


def _selu(x: Any) -> Any:
    if x.dtype.kind == "i":
        return jnp.maximum(x, 0)  # MindSpore cuts the scale to 1, and negative results to 0
    alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
    return scale * jnp.where(x >= 0, x, alpha * jnp.expm1(jnp.minimum(x, 0)))


def _tanh_shrink(x: Any) -> Any:
    if x.dtype != np.float16:
        return x - jnp.tanh(x)
    # MindSpore rounds tanh(x) to float16 before it subtracts; XLA would keep its float32.
    return x - jax.lax.reduce_precision(jnp.tanh(x.astype(np.float32)), 5, 10).astype(np.float16)


def _hard_sigmoid(x: Any) -> Any:
    return jnp.where(x <= -3, 0, jnp.where(x >= 3, 1, (x + 3) / 6)).astype(x.dtype)


def _hard_swish(x: Any) -> Any:
    return jnp.where(x < -3, 0, jnp.where(x > 3, x, x * (x + 3) / 6)).astype(x.dtype)


def _softsign(x: Any) -> Any:
    return x / (1 + jnp.abs(x))


def _fast_gelu(x: Any) -> Any:
    return x * jax.nn.sigmoid(1.702 * x)


def _log_sigmoid(x: Any) -> Any:
    return -jnp.log(1 + jnp.exp(-x)) if x.dtype.kind == "c" else -jax.nn.softplus(-x)


# name: (formula, name of the argument, integer types taken besides the floating ones, faces, primitives, description)
_SIGNED = ("int8", "int16", "int32", "int64")
_ALL = (*_SIGNED, "uint8", "uint16", "uint32", "uint64")
_OF_COMPLEX = ("sigmoid", "silu", "tanh", "tanhshrink", "logsigmoid")
_UNARY: dict[str, tuple[Callable, str, tuple, str, str, str]] = {
    "relu": (_relu, "input", ("bool", *_ALL), "ops mint.nn.functional",
        "ReLU()(input)", "max(x, 0), and 0 of NaN. Gradient 0 at 0."),
    "relu6": (_relu6, "x", (), "ops",
        "ReLU6()(x)", "min(max(x, 0), 6), and 0 of NaN."),
    "selu": (_selu, "input_x", ("int8", "int32"), "ops mint.nn.functional",
        "SeLU()(x)", "Scaled ELU: 1.0507 * elu(x, 1.67326)."),
    "sigmoid": (jax.nn.sigmoid, "input", (), "ops Tensor Tensor.sigmoid_ mint mint.nn.functional",
        "Sigmoid()(input)", "1 / (1 + exp(-x))."),
    "tanh": (jnp.tanh, "input", (), "ops Tensor Tensor.tanh_ mint mint.nn.functional numpy:halved",
        "Tanh()(input)", "Hyperbolic tangent."),
    "softsign": (_softsign, "x", (), "ops",
        "Softsign()(x)", "x / (1 + |x|)."),
    "silu": (lambda x: x * jax.nn.sigmoid(x), "input", (), "ops",
        "SiLU()(input)", "x * sigmoid(x), also called swish."),
    "mish": (lambda x: x * jnp.tanh(jax.nn.softplus(x)), "x", (), "ops mint.nn.functional",
        "Mish()(x)", "x * tanh(softplus(x))."),
    "hardsigmoid": (_hard_sigmoid, "input", _SIGNED, "ops mint.nn.functional",
        "HSigmoid()(input)", "min(max(x / 6 + 0.5, 0), 1)."),
    "hardswish": (_hard_swish, "input", _SIGNED, "ops mint.nn.functional",
        "HSwish()(input)", "x * hardsigmoid(x)."),
    "tanhshrink": (_tanh_shrink, "input", _ALL, "ops",
        "", "x - tanh(x)."),
    "logsigmoid": (_log_sigmoid, "x", (), "ops mint.nn.functional",
        "LogSigmoid()(x)", "log(sigmoid(x)), without overflow."),
    "fast_gelu": (_fast_gelu, "x", (), "ops",
        "FastGeLU()(x); FastGelu()(x)", "x * sigmoid(1.702 x)."),
}  # fmt: skip


def _unary(
    name: str,
    formula: Callable,
    parameter: str,
    integers: tuple,
    words: str,
    primitive: str,
    text: str,
    kind: type = Op,
) -> Op:
    def fn(x: Any) -> Any:
        if tensor(name, parameter, x).dtype.name in integers:
            if name in ("relu", "selu"):
                return formula(x)
            out = formula(x.astype(np.float32))
            return out if name == "tanhshrink" else out.astype(x.dtype)
        if x.dtype.kind == "c" and name in _OF_COMPLEX:
            return formula(x)
        floating(name, parameter, x)
        return formula(x if name == "tanhshrink" else wide(x)).astype(x.dtype)

    kinds = "floating" + (f" type, or {', '.join(integers)}" if integers else " type")
    fn.__name__ = fn.__qualname__ = name
    fn.__module__ = __name__
    fn.__doc__ = (
        f"{text}\n\nArgs:\n    {parameter} (Tensor): any shape, {kinds}.\n\n"
        f"Returns:\n    Tensor of the same shape{' and type' if name != 'tanhshrink' else ''}.\n\n"
        f"Raises:\n    TypeError: for another type.\n{example(name)}"
    )
    fn.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(parameter, inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    )
    return faces(words, primitive)(kind(fn, (), name))


_OPS = {name: _unary(name, *row, kind=InplaceOp if name == "relu" else Op) for name, row in _UNARY.items()}
relu, relu6, selu, sigmoid, tanh = (_OPS[n] for n in ("relu", "relu6", "selu", "sigmoid", "tanh"))
softsign, silu, mish, hardsigmoid, hardswish = (
    _OPS[n] for n in ("softsign", "silu", "mish", "hardsigmoid", "hardswish")
)
tanhshrink, logsigmoid, fast_gelu = (_OPS[n] for n in ("tanhshrink", "logsigmoid", "fast_gelu"))


@faces("ops")
@op(static=("alpha",))
def leaky_relu(input, alpha=0.2):
    """x where x > 0, `alpha` * x elsewhere.

    Args:
        input (Tensor): any shape, real type.
        alpha (Union[int, float]): slope below 0.

    Returns:
        Tensor of the same shape and type.

    Raises:
        TypeError: `alpha` is not a number.

    >>> from ms_compat import Tensor
    >>> from ms_compat.ops.function.elementwise.activation import leaky_relu
    >>> print(leaky_relu(Tensor([-1.0, 2.0])))
    [-0.2  2. ]
    """
    real("leaky_relu", "alpha", alpha)
    x = wide(tensor("leaky_relu", "input", input))
    scaled = x * np.asarray(alpha).astype(x.dtype)
    return (jnp.maximum if alpha <= 1 else jnp.minimum)(x, scaled).astype(input.dtype)


@faces("ops", primitive="Elu(alpha: float = 1.0)(input_x)")
@op(static=("alpha",))
def elu(input_x, alpha=1.0):
    """x where x > 0, `alpha` * (exp(x) - 1) elsewhere. As in MindSpore only `alpha` = 1.0 is taken.

    Args:
        input_x (Tensor): any shape, floating type.
        alpha (float): 1.0.

    Returns:
        Tensor of the same shape and type.

    Raises:
        TypeError: `input_x` is not floating, or `alpha` is not a float.
        ValueError: `alpha` is not 1.0; `mint.nn.functional.elu` takes any.
    """
    if real("elu", "alpha", alpha) != 1.0:
        raise value_error("elu", "alpha", "1.0 (mint.nn.functional.elu takes any)", alpha)
    return jax.nn.elu(wide(floating("elu", "input_x", input_x))).astype(input_x.dtype)


@op(static=("alpha",), name="elu")
def elu_ext(input, alpha=1.0):
    """x where x > 0, `alpha` * (exp(x) - 1) elsewhere (`mint`'s version, for any `alpha`)."""
    return jax.nn.elu(wide(floating("elu", "input", input)), real("elu", "alpha", alpha)).astype(input.dtype)


@faces("ops", primitive="CeLU(alpha: float = 1.0)(x)")
@op(static=("alpha",))
def celu(x, alpha=1.0):
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1)).

    Args:
        x (Tensor): any shape, floating type.
        alpha (float): not 0.

    Returns:
        Tensor of the same shape and type.

    Raises:
        TypeError: `x` is not floating, `alpha` is not a number.
        ValueError: `alpha` is 0.
    """
    if real("celu", "alpha", alpha) == 0:
        raise value_error("celu", "alpha", "not equal to 0", alpha)
    data = wide(floating("celu", "x", x))
    below = alpha * jnp.expm1(jnp.where(data < 0, data, 0) / alpha)
    return jnp.where(data < 0, below, data).astype(x.dtype)  # at 0 the second derivative is the one of x


@faces("ops mint.npu_gelu mint.nn.functional")
@op(static=("approximate",))
def gelu(input, approximate="none"):
    """Gaussian error linear unit: x * P(X <= x) for a standard normal X.

    Args:
        input (Tensor): any shape, floating type.
        approximate (str): "none" computes the error function, "tanh" its usual approximation.

    Returns:
        Tensor of the same shape and type.

    Raises:
        TypeError: `input` is not floating.
        ValueError: another `approximate`.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.gelu(Tensor([0.0, 10.0])))
    [ 0. 10.]
    """
    check_one_of("gelu", "approximate", approximate, ("none", "tanh"))
    return jax.nn.gelu(wide(floating("gelu", "input", input)), approximate == "tanh").astype(input.dtype)


def implicit_axis(x: Any, dim: int | None) -> int:
    """The axis that `mint` and PyTorch normalize along for None: 0 for 0, 1 and 3 dimensions, else 1."""
    if dim is not None:
        return dim
    return 0 if x.ndim in (0, 1, 3) else 1


@faces("ops Tensor")
@op(static=("axis", "dtype"))
def softmax(input, axis=-1, dtype=None):
    """exp(x - max) / sum(exp(x - max)) along one axis.

    Args:
        input (Tensor): at least one dimension, floating type.
        axis (int): the axis.
        dtype (mindspore.dtype): type to cast the input to first; its own if None.

    Returns:
        Tensor of the same shape.

    Raises:
        TypeError: `axis` is not an int, `input` is not floating.
        ValueError: `axis` is out of range.

    >>> from ms_compat import Tensor
    >>> from ms_compat.ops.function.elementwise.activation import softmax
    >>> print(softmax(Tensor([0.0, 0.0])))
    [0.5 0.5]
    """
    return _normalised("softmax", jax.nn.softmax, input, axis, dtype)


@faces("ops", primitive="LogSoftmax(axis=-1)(logits)")
@op(static=("axis",))
def log_softmax(logits, axis=-1):
    """log(softmax(x)) along one axis, without overflow.

    Args:
        logits (Tensor): at least one dimension, floating type.
        axis (int): the axis.

    Returns:
        Tensor of the same shape and type.

    Raises:
        TypeError: `axis` is not an int, `logits` is not floating.
        ValueError: `axis` is out of range.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.log_softmax(Tensor([0.0, 0.0])))
    [-0.6931... -0.6931...]
    """
    return _normalised("log_softmax", jax.nn.log_softmax, logits, axis, None)


@faces("ops")
@op(static=("axis", "dtype"))
def softmin(x, axis=-1, dtype=None):
    """softmax(-x) along one axis; see `softmax`."""
    return _normalised("softmin", lambda v, axis: jax.nn.softmax(-v, axis), x, axis, dtype)


def _normalised(api: str, formula: Callable, x: Any, axis: Any, dtype: Any) -> Any:
    tensor(api, "input", x)
    if dtype is not None:
        x = x.astype(mstype.to_np_dtype(dtype, api))
    floating(api, "input", x)
    return formula(wide(x), axis=axis_of(api, "axis", axis, x.ndim)).astype(x.dtype)


@faces("ops mint.nn.functional", primitive="Softplus()(x)")
@op(static=("beta", "threshold"))
def softplus(input, beta=1, threshold=20):
    """log(1 + exp(beta * x)) / beta; x itself where beta * x > `threshold`.

    Args:
        input (Tensor): any shape, floating type.
        beta (Union[int, float]): scale.
        threshold (Union[int, float]): where the function becomes the identity.

    Returns:
        Tensor of the same shape and type.

    Raises:
        TypeError: `input` is not floating, or a number is none.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.softplus(Tensor([0.0, 100.0])))
    [  0.6931... 100.       ]
    """
    real("softplus", "beta", beta), real("softplus", "threshold", threshold)
    x = wide(floating("softplus", "input", input))
    scaled = x * beta
    linear = scaled > threshold
    out = jnp.where(linear, x, jax.nn.softplus(jnp.where(linear, 0, scaled)) / beta)
    return out.astype(input.dtype)


@faces("ops")
@op(static=("min_val", "max_val"))
def hardtanh(input, min_val=-1.0, max_val=1.0):
    """The input limited to [`min_val`, `max_val`], NaN to `min_val`; the gradient is 0 on and outside the limits.

    Args:
        input (Tensor): any shape, real type.
        min_val (Union[int, float]): lower limit.
        max_val (Union[int, float]): upper limit.

    Returns:
        Tensor of the same shape and type.

    Raises:
        TypeError: a limit is not a number.
    """
    real("hardtanh", "min_val", min_val), real("hardtanh", "max_val", max_val)
    x = tensor("hardtanh", "input", input)
    limited = x.astype(np.float32) if x.dtype.kind in "biu" else x
    low, high = (np.asarray(v).astype(limited.dtype) for v in (min_val, max_val))
    return jnp.where(jnp.isnan(limited), low, jnp.minimum(jnp.maximum(limited, low), high)).astype(x.dtype)


def _threshold(api: str, lambd: Any) -> Any:
    """A number; MindSpore takes a bool for 0 or 1 here."""
    return int(lambd) if isinstance(lambd, bool) else real(api, "lambd", lambd)


@faces("ops Tensor mint.nn.functional", primitive="HShrink(lambd: float | int = 0.5)(input)")
@op(static=("lambd",))
def hardshrink(input, lambd=0.5):
    """x where |x| > `lambd`, else 0.

    Args:
        input (Tensor): any shape, floating type.
        lambd (float): the threshold.

    Returns:
        Tensor of the same shape and type.

    Raises:
        TypeError: `input` is not floating, `lambd` is not a number.
    """
    x = floating("hardshrink", "input", input)
    limit = float(_threshold("hardshrink", lambd))
    return jnp.where((x >= -limit) & (x <= limit), jnp.zeros((), x.dtype), x)


@faces(
    "ops ops.soft_shrink Tensor.soft_shrink mint.nn.functional", primitive="SoftShrink(lambd: float | int = 0.5)(input)"
)
@op(static=("lambd",))
def softshrink(input, lambd=0.5):
    """x - `lambd` above `lambd`, x + `lambd` below -`lambd`, else 0.

    Args:
        input (Tensor): any shape, floating type.
        lambd (float): the threshold, >= 0.

    Returns:
        Tensor of the same shape and type.

    Raises:
        TypeError: `input` is not floating, `lambd` is not a number.
        RuntimeError: `lambd` is negative.
    """
    x = floating("softshrink", "input", input)
    lambd = _threshold("softshrink", lambd)
    if lambd < 0:
        raise RuntimeError(f"For 'softshrink', the 'lambd' must be >= 0, but got {lambd}.")
    return jnp.where(x > lambd, x - lambd, jnp.where(x < -lambd, x + lambd, 0)).astype(x.dtype)


@faces("ops")
@op(static=("thr", "value"))
def threshold(input, thr, value):
    """x where x > `thr`, else `value`.

    Args:
        input (Tensor): any shape, real type.
        thr (Union[int, float]): the threshold.
        value (Union[int, float]): what replaces the rest.

    Returns:
        Tensor of the same shape and type.

    Raises:
        TypeError: `thr` or `value` is not a number.
    """
    real("threshold", "thr", thr), real("threshold", "value", value)
    x = tensor("threshold", "input", input)
    return jnp.where(x > thr, x, np.asarray(value).astype(x.dtype))


@faces("ops mint.nn.functional", primitive="PReLU()(input, weight)")
@op
def prelu(input, weight):
    """max(0, x) + weight * min(0, x), with one weight for all channels (axis 1) or one for each.

    Args:
        input (Tensor): at least one dimension, floating type.
        weight (Tensor): one dimension, of length 1 or the number of channels.

    Returns:
        Tensor of the shape and type of `input`.

    Raises:
        TypeError: no Tensors, or of no floating type.
        ValueError: `weight` has another rank or length.
    """
    x, w = floating("prelu", "input", input), floating("prelu", "weight", weight)
    check_rank_at_most("prelu", "weight", w, 1)
    channels = x.shape[1] if x.ndim > 1 else 1
    if w.size not in (1, channels):
        raise ValueError(
            f"For 'prelu', the length of 'weight' must be 1 or the number of channels {channels}, but got {w.size}."
        )
    w = w.reshape((1,) * min(x.ndim, 1)) if w.size == 1 else channelwise(w, x.ndim)
    wide_x = wide(x)
    return jnp.where(wide_x > 0, wide_x, w.astype(wide_x.dtype) * wide_x).astype(x.dtype)


@faces("ops")
@op(static=("axis",))
def glu(x, axis=-1):
    """a * sigmoid(b) for the two halves a, b of the input along an axis.

    Args:
        x (Tensor): floating type, of even length along `axis`.
        axis (int): the axis.

    Returns:
        Tensor of half the length along `axis`.

    Raises:
        TypeError: `x` is not floating.
        ValueError: the length is odd, `axis` is out of range.
    """
    at = axis_of("glu", "axis", axis, floating("glu", "x", x).ndim)
    a, b = _halves("glu", wide(x), at)
    return (a * jax.nn.sigmoid(b)).astype(x.dtype)


@faces("ops")
@op(static=("dim",))
def swiglu(input, dim=-1):
    """silu(a) * b for the two halves a, b of the input along an axis; arguments and errors as `glu`."""
    at = axis_of("swiglu", "dim", dim, floating("swiglu", "input", input).ndim)
    a, b = _halves("swiglu", wide(input), at)
    return (a * jax.nn.sigmoid(a) * b).astype(input.dtype)


def _halves(api: str, x: Any, axis: int) -> tuple[Any, Any]:
    if x.shape[axis] % 2:
        raise ValueError(f"For '{api}', the length along axis {axis} must be even, but got shape {x.shape}.")
    a, b = jnp.split(x, 2, axis)
    return a, b


@faces("ops mint.nn.functional")
def relu_(input: Tensor) -> Tensor:
    """`relu` that replaces the value of its input and returns it."""
    return relu(input, inplace=True)
