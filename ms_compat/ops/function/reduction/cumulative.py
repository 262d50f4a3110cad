"""Running sums, products and extremes along an axis."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.operands import cast, is_integral, to_float
from ms_compat._core.dtype import to_np_dtype
from ms_compat._core.faces import faces
from ms_compat.ops.function.axes import axis_of, dim_of, tensor
from ms_compat.ops.function.reduction.reduce import INT32, INT64


def _running(fn, x, at: int, exclusive: bool, reverse: bool):
    start = 1 if fn is jnp.cumprod else 0
    if reverse:
        x = jnp.flip(x, at)
    out = fn(x, axis=at, dtype=x.dtype)
    if exclusive:
        pads = [(1, 0) if i == at else (0, 0) for i in range(x.ndim)]
        out = jax.lax.slice_in_dim(jnp.pad(out, pads, constant_values=start), 0, x.shape[at], axis=at)
    return jnp.flip(out, at) if reverse else out


@faces("ops")
@op(static=("axis", "dtype"))
def cumsum(x, axis, dtype=None):
    """Running sum along an axis, in the tensor's own dtype.

    Args:
        x: a Tensor of numbers.
        axis: an int.
        dtype: cast to it first.

    Raises:
        TypeError: a Tensor of Bool.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.cumsum(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
    [[1. 3.]
     [3. 7.]]
    """
    x = tensor("CumSum", x)
    if dtype is not None:
        x = cast(x, to_np_dtype(dtype, "cumsum"))
    if x.dtype == bool:
        raise TypeError("For 'CumSum', the input must be a Tensor of numbers, but got a Tensor of Bool.")
    return jnp.cumsum(x, axis=dim_of("CumSum", axis, x.ndim), dtype=x.dtype)


def _widened(api: str, value, dtype):
    """A tensor in the dtype of its running sum or product: the one wanted, or Int64 for integers and bool."""
    x = tensor(api, value)
    own = INT64 if is_integral(x.dtype) else x.dtype
    return cast(x, own if dtype is None else to_np_dtype(dtype, api))


@faces("mint.cumsum")
@op(static=("dim", "dtype"), name="cumsum")
def cumsum_ext(input, dim, dtype=None):
    """As `cumsum`, with integers and bool in Int64 (`mint`).

    Args:
        input (Tensor): any shape.
        dim (int): the dimension.
        dtype: a mindspore dtype for the sums.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.cumsum(Tensor([1, 2, 3]), 0))
    [1 3 6]
    """
    x = _widened("cumsum", input, dtype)
    return jnp.cumsum(x, axis=axis_of("cumsum", dim, x.ndim, "dim"), dtype=x.dtype) if x.ndim else x


@faces("ops Tensor:spelled mint")
@op(static=("dim", "dtype"))
def cumprod(input, dim, dtype=None):
    """Running product along a dimension; of integers in Int64.

    Args:
        input: a Tensor.
        dim: an int.
        dtype: cast to it first.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1.0, 2.0, 3.0])
    >>> print(ops.cumprod(x, 0), x.cumprod(0))
    [1. 2. 6.] [1. 2. 6.]
    """
    x = _widened("cumprod", input, dtype)
    return jnp.cumprod(x, axis=axis_of("cumprod", dim, x.ndim, "dim"), dtype=x.dtype)


@faces(primitive="CumSum(exclusive=False, reverse=False)(x, axis)")
@op(static=("axis", "exclusive", "reverse"), name="CumSum")
def cumsum_primitive(x, axis, exclusive=False, reverse=False):
    """Running sum; `exclusive` leaves out the element itself, `reverse` runs from the end."""
    return _running(jnp.cumsum, tensor("CumSum", x), dim_of("CumSum", axis, x.ndim), exclusive, reverse)


@faces(primitive="CumProd(exclusive=False, reverse=False)(x, axis)")
@op(static=("axis", "exclusive", "reverse"), name="CumProd")
def cumprod_primitive(x, axis, exclusive=False, reverse=False):
    """Running product; `exclusive` leaves out the element itself, `reverse` runs from the end."""
    return _running(jnp.cumprod, tensor("CumProd", x), axis_of("CumProd", axis, x.ndim), exclusive, reverse)


def _running_extreme(api: str, x, axis: int, largest: bool, index_dtype):
    x = tensor(api, x)
    at = axis_of(api, axis, x.ndim)
    values = (jax.lax.cummax if largest else jax.lax.cummin)(x, axis=at)
    # The last NaN is the place of those that follow it, which are all NaN.
    hit = (x == values) | jnp.isnan(x) if x.dtype.kind in "fV" else x == values
    place = jax.lax.broadcasted_iota(index_dtype, x.shape, at)
    return values, jax.lax.cummax(jnp.where(hit, place, 0), axis=at).astype(index_dtype)


@faces("ops Tensor", primitive="Cummax(axis)(x)")
@op(static=("axis",))
def cummax(input, axis):
    """Running maximum along an axis and its last position (Int64).

    Args:
        input: a Tensor.
        axis: an int.
    """
    return _running_extreme("cummax", input, axis, True, INT64)


@faces("ops Tensor", primitive="Cummin(axis)(x)")
@op(static=("axis",))
def cummin(input, axis):
    """Running minimum along an axis and its last position (Int32).

    Args:
        input: a Tensor.
        axis: an int.
    """
    return _running_extreme("cummin", input, axis, False, INT32)


@faces("ops Tensor")
@op(static=("axis",), takes={"input": "floating"})
def logcumsumexp(input, axis):
    """Cumulative log-sum-exp along an axis.

    Args:
        input: a floating Tensor.
        axis: an int.
    """
    x = to_float(tensor("logcumsumexp", input))
    return jax.lax.cumlogsumexp(x, axis=axis_of("logcumsumexp", axis, x.ndim))


@faces("ops Tensor")
@op(static=("n", "axis"))
def diff(x, n=1, axis=-1, prepend=None, append=None):
    """Differences of neighbours along an axis, `n` times.

    Args:
        x: a Tensor.
        n: how often; an int of at least 1.
        axis: an int.
        prepend: a Tensor or number to put in front.
        append: a Tensor or number to put behind.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1, 4, 9])
    >>> print(ops.diff(x), x.diff(n=2))
    [3 5] [2]
    """
    x = tensor("diff", x)
    ends = [None if e is None else cast(e, x.dtype) for e in (prepend, append)]
    return jnp.diff(x, n=n, axis=axis_of("diff", axis, x.ndim), prepend=ends[0], append=ends[1])


@faces("ops")
@op(static=("dx", "dim"))
def trapz(y, x=None, dx=1.0, dim=-1):
    """The integral along a dimension by the trapezoidal rule.

    Args:
        y: a Tensor of values.
        x: their places, or None for a distance of `dx`.
        dx: a number.
        dim: an int.
    """
    values = to_float(tensor("trapz", y))
    out = jnp.trapezoid(values, x, dx=dx, axis=dim)
    # MindSpore computes in Float32; Float16 keeps its dtype where no places are given
    return jnp.real(out).astype(jnp.float16 if x is None and values.dtype == jnp.float16 else jnp.float32)
