"""Reductions. Each exists once with the dtype rule as a parameter: the functions (`ops.sum`) widen integers to Int64,
the primitives (`ops.ReduceSum`) keep the dtype. An integer mean is an integer, truncated towards zero.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.compiled.integer_grad import integer_quotient
from ms_compat._core.dispatch.op import Op, op
from ms_compat._core.dispatch.operands import FLOAT32, cast, is_integral, to_float
from ms_compat._core.dtype import to_np_dtype
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import has_symbolic_size
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import scopes
from ms_compat.ops.function.axes import axes_of, axis_of, tensor
from ms_compat.ops.function.elementwise.slopes import root

INT32, INT64 = np.dtype(np.int32), np.dtype(np.int64)
_WIDE_UNSIGNED = (np.dtype(np.uint16), np.dtype(np.uint32), np.dtype(np.uint64))


def _widened(api: str, x, dtype) -> jax.Array:
    if dtype is not None:
        return cast(x, to_np_dtype(dtype, api))
    return cast(x, INT64) if is_integral(x.dtype) and x.dtype not in _WIDE_UNSIGNED else x


@faces("ops mint")
@op(static=("dim", "keepdim", "dtype"))
def sum(input, dim=None, keepdim=False, dtype=None):
    """The sum over dimensions; of integers and bool in Int64, but of UInt16, UInt32 and UInt64 in their own type.

    Args:
        input: a Tensor.
        dim: None (all), an int, or a tuple or list of ints.
        keepdim: whether reduced dimensions stay with size 1.
        dtype: compute in this dtype.

    Raises:
        TypeError: `dim` is not an int.
        ValueError: `dim` is out of range.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.sum(Tensor([[1, 2], [3, 4]]), 0))
    [4 6]
    """
    x = _widened("sum", tensor("sum", input), dtype)
    axes = axes_of("sum", dim, x.ndim, "dim")
    if x.dtype == bool:
        return jnp.any(x, axis=axes, keepdims=keepdim)
    return jnp.sum(x, axis=axes, keepdims=keepdim, dtype=x.dtype)


@faces("ops")
@op(static=("axis", "keep_dims"), name="ReduceSum")
def reduce_sum(x, axis=(), keep_dims=False):
    """The sum over dimensions in the tensor's own dtype; of bool their disjunction.

    Args:
        x: a Tensor.
        axis: () (all), an int, or a tuple or list of ints.
        keep_dims: whether reduced dimensions stay with size 1.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.reduce_sum(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
    [3. 7.]
    """
    x = tensor("ReduceSum", x)
    axes = axes_of("ReduceSum", axis, x.ndim)
    if x.dtype == bool:
        return jnp.any(x, axis=axes, keepdims=keep_dims)
    return jnp.sum(x, axis=axes, keepdims=keep_dims, dtype=x.dtype)


def _mean(api: str, x, axis, keepdims) -> jax.Array:
    if x.dtype == bool:
        raise RuntimeError(f"For '{api}', a Tensor of Bool has no mean; cast it first.")
    axes = axes_of(api, axis, x.ndim)
    if not is_integral(x.dtype):
        return jnp.mean(x, axis=axes, keepdims=keepdims)
    count = int(np.prod([x.shape[a] for a in axes], dtype=np.int64))
    total = jnp.sum(x, axis=axes, keepdims=keepdims, dtype=INT64)
    return cast(integer_quotient(total, jnp.full_like(total, count or 1)), x.dtype)


@faces("ops ops.reduce_mean", primitive="ReduceMean(keep_dims=False)(x, axis=())")
@op(static=("axis", "keep_dims"))
def mean(x, axis=None, keep_dims=False):
    """The mean over dimensions, in the tensor's own dtype: of integers truncated.

    Args:
        x: a Tensor.
        axis: None or () (all), an int, or a tuple or list of ints.
        keep_dims: whether reduced dimensions stay with size 1.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> print(ops.mean(x), ops.mean(x, 1, True))
    2.5 [[1.5]
     [3.5]]
    """
    return _mean("ReduceMean", tensor("ReduceMean", x), axis, keep_dims)


@faces("mint.mean")
@op(static=("dim", "keepdim", "dtype"), name="mean")
def mean_ext(input, dim=None, keepdim=False, dtype=None):
    """As `mean`, with `mint`'s names and a dtype to compute in."""
    x = tensor("mean", input)
    return _mean("mean", x if dtype is None else cast(x, to_np_dtype(dtype, "mean")), dim, keepdim)


@faces("ops Tensor:spelled")
@op(static=("axis", "keep_dims", "dtype"))
def prod(input, axis=None, keep_dims=False, dtype=None):
    """The product over dimensions; of integers and bool in Int64, but of UInt16, UInt32 and UInt64 in their own type.

    Args:
        input: a Tensor.
        axis: None (all), an int, or a tuple or list of ints, for which the product has the tensor's own type.
        keep_dims: whether reduced dimensions stay with size 1.
        dtype: compute in this dtype.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> print(ops.prod(x, 1), x.prod())
    [ 2. 12.] 24.0
    """
    x = tensor("prod", input)
    if dtype is not None or not isinstance(axis, (tuple, list)):
        x = _widened("prod", x, dtype)
    axes = axes_of("prod", axis, x.ndim)
    if x.dtype == bool:
        return jnp.all(x, axis=axes, keepdims=keep_dims)
    return jnp.prod(x, axis=axes, keepdims=keep_dims, dtype=x.dtype)


@faces(primitive="ReduceProd(keep_dims=False)(x, axis=())")
@op(static=("axis", "keep_dims"), name="ReduceProd")
def reduce_prod(x, axis=(), keep_dims=False):
    """The product over dimensions in the tensor's own dtype."""
    x = tensor("ReduceProd", x)
    return jnp.prod(x, axis=axes_of("ReduceProd", axis, x.ndim), keepdims=keep_dims, dtype=x.dtype)


def _extreme(api: str, largest: bool, x, axis, keepdims, initial=None, where=None) -> jax.Array:
    if x.dtype == bool:
        fn = jnp.any if largest else jnp.all
        return fn(x, axis=axes_of(api, axis, x.ndim), keepdims=keepdims)
    fn = jnp.max if largest else jnp.min
    if where is not None and initial is None:
        raise ValueError(f"For '{api}', 'initial' must be given together with 'where'.")
    options: dict[str, Any] = {}
    if initial is not None and not x.size:
        options["initial"] = cast(initial, x.dtype)
    x = _limited(largest, x, initial, None if where is None else cast(where, np.dtype(bool)))
    return fn(x, axis=axes_of(api, axis, x.ndim), keepdims=keepdims, **options)


@faces("ops ops.reduce_max Tensor:spelled", primitive="ReduceMax(keep_dims=False)(x, axis=())")
@op(static=("axis", "keepdims"))
def amax(input, axis=None, keepdims=False, initial=None, where=None):
    """The maximum over dimensions. Its gradient is shared evenly among equal elements.

    Args:
        input: a Tensor.
        axis: None (all), an int, or a tuple of ints.
        keepdims: whether reduced dimensions stay with size 1.
        initial: a lower bound of the result.
        where: a Bool Tensor of the elements that count; needs `initial`.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1.0, 3.0], [4.0, 2.0]])
    >>> print(ops.amax(x, 1), x.amax())
    [3. 4.] 4.0
    """
    return _extreme("amax", True, tensor("amax", input), axis, keepdims, initial, where)


@faces("ops ops.reduce_min Tensor:spelled", primitive="ReduceMin(keep_dims=False)(x, axis=())")
@op(static=("axis", "keepdims"))
def amin(input, axis=None, keepdims=False, initial=None, where=None):
    """The minimum over dimensions; arguments as for `amax`.

    Args:
        input (Tensor): real type.
        axis: an int or a tuple of ints; all dimensions by default.
        keepdims (bool): whether the dimensions stay, with size 1.
        initial: a number that counts as an element, too.
        where (Tensor): Bool, which elements count.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1.0, 3.0], [4.0, 2.0]])
    >>> print(ops.amin(x, 1), x.amin())
    [1. 2.] 1.0
    """
    return _extreme("amin", False, tensor("amin", input), axis, keepdims, initial, where)


def _first(largest: bool, x: jax.Array, axis: int) -> jax.Array:
    """Int32 positions of the extremes along an axis, which stays; `jnp.argmax` would compare Int64 ones."""
    if not x.shape[axis]:
        return (jnp.argmax if largest else jnp.argmin)(x, axis, keepdims=True)  # raises
    index = (jax.lax.argmax if largest else jax.lax.argmin)(x, axis, np.int32)
    return jnp.expand_dims(index, axis)


def _with_index(api: str, largest: bool, x, axis, keepdims) -> tuple[jax.Array, jax.Array]:
    """Values along one axis and their Int64 positions; the gradient goes to that position alone."""
    at = axis_of(api, axis, x.ndim)
    if not x.ndim:
        return x, jnp.zeros((), INT64)
    index = _first(largest, jax.lax.stop_gradient(x), at)
    value, index = jnp.take_along_axis(x, index, axis=at), index.astype(INT64)
    return (value, index) if keepdims else (value.squeeze(at), index.squeeze(at))


def _limited(largest: bool, x, initial, where) -> jax.Array:
    """The elements that count, not below (or above) `initial`."""
    if initial is None:
        return x
    if where is not None:
        x = jnp.where(where, x, cast(initial, x.dtype))
    return (jnp.maximum if largest else jnp.minimum)(x, cast(initial, x.dtype))


def _max_min(api: str, largest: bool, x, axis, keepdims, initial, where):
    x = tensor(api, x)
    if axis is None:
        return _extreme(api, largest, x, None, False, initial, where), jnp.zeros((), INT64)
    return _with_index(api, largest, _limited(largest, x, initial, where), axis, keepdims)


@functools.partial(jax.custom_jvp, nondiff_argnums=(0, 2))
def _first_extreme(largest: bool, x: jax.Array, axis: int) -> jax.Array:
    return (jnp.max if largest else jnp.min)(x, axis=axis, keepdims=True)


@_first_extreme.defjvp
def _(largest, axis, primals, tangents):
    place = _first(largest, primals[0], axis)
    return _first_extreme(largest, primals[0], axis), jnp.take_along_axis(tangents[0], place, axis)


def _itself_if_0d(extreme: Op) -> Callable:
    """The operation, which gives a 0-d Tensor itself as its maximum or minimum."""

    @functools.wraps(extreme.fn)
    def call(input, axis=None, keepdims=False, initial=None, where=None):
        value, place = extreme(input, axis, keepdims, initial, where)
        alone = isinstance(input, Tensor) and not input.shape and initial is None and not scopes.tracing
        return (input if alone else value), place

    return call


@op(static=("largest", "axis", "keepdims"))
def first_extreme(x, largest, axis, keepdims=False, initial=None, where=None):
    """The maximum or minimum along one axis; the first of equal elements has the whole gradient.

    It is a reduction and no gather, so that compiled functions can pad what it reduces.
    """
    api = "max" if largest else "min"
    x = tensor(api, x)
    at = axis_of(api, axis, x.ndim)
    if not x.ndim:
        return x
    out = _first_extreme(largest, _limited(largest, x, initial, where), at)
    return out if keepdims else out.squeeze(at)


@faces("ops")
@_itself_if_0d
@op(static=("axis", "keepdims"))
def max(input, axis=None, keepdims=False, initial=None, where=None):
    """The maximum along an axis and its position; without an axis the maximum of all elements, and 0.

    Args:
        input: a Tensor.
        axis: None or an int.
        keepdims: whether the reduced dimension stays with size 1.
        initial: a lower bound of the result.
        where: a Bool Tensor of the elements that count.

    Returns:
        (values, Int64 indices).

    >>> from ms_compat import Tensor, ops
    >>> values, positions = ops.max(Tensor([[1.0, 3.0], [4.0, 2.0]]), axis=1)
    >>> print(values, positions)
    [3. 4.] [1 0]
    """
    return _max_min("max", True, input, axis, keepdims, initial, where)


@faces("ops")
@_itself_if_0d
@op(static=("axis", "keepdims"))
def min(input, axis=None, keepdims=False, initial=None, where=None):
    """The minimum along an axis and its position; arguments and result as for `max`.

    Args:
        input (Tensor): real type.
        axis: an int; all dimensions by default.
        keepdims (bool): whether the dimension stays, with size 1.
        initial: a number that counts as an element, too.
        where (Tensor): Bool, which elements count.

    >>> from ms_compat import Tensor, ops
    >>> values, positions = ops.min(Tensor([[1.0, 3.0], [4.0, 2.0]]), axis=1)
    >>> print(values, positions)
    [1. 2.] [0 1]
    """
    return _max_min("min", False, input, axis, keepdims, initial, where)


@faces(primitive="ArgMaxWithValue(axis=0, keep_dims=False)(x)")
@op(static=("axis", "keep_dims"), name="ArgMaxWithValue")
def argmax_with_value(x, axis=0, keep_dims=False):
    """The Int64 position of the maximum along an axis, and the maximum."""
    value, index = _with_index("ArgMaxWithValue", True, tensor("ArgMaxWithValue", x), axis, keep_dims)
    return index, value


@faces(primitive="ArgMinWithValue(axis=0, keep_dims=False)(x)")
@op(static=("axis", "keep_dims"), name="ArgMinWithValue")
def argmin_with_value(x, axis=0, keep_dims=False):
    """The Int64 position of the minimum along an axis, and the minimum."""
    value, index = _with_index("ArgMinWithValue", False, tensor("ArgMinWithValue", x), axis, keep_dims)
    return index, value


def _arg(api: str, largest: bool, x, axis, keepdims, dtype) -> jax.Array:
    x = tensor(api, x)
    if axis is None:
        return _first(largest, x.reshape(-1), 0).reshape(()).astype(dtype)  # MindSpore keeps no dimension here
    at = axis_of(api, axis, x.ndim)
    if not x.ndim:
        return jnp.zeros((), dtype)
    out = _first(largest, x, at).astype(dtype)
    return out if keepdims else out.squeeze(at)


@faces("ops Tensor:spelled mint")
@op(static=("dim", "keepdim"))
def argmax(input, dim=None, keepdim=False):
    """The Int64 position of the first maximum along a dimension; of the flat tensor for None.

    Args:
        input: a Tensor.
        dim: None or an int.
        keepdim: whether the reduced dimension stays with size 1.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1.0, 3.0], [4.0, 2.0]])
    >>> print(ops.argmax(x, 1), x.argmax())
    [1 0] 2
    """
    return _arg("argmax", True, input, dim, keepdim, INT64)


@faces("ops Tensor:spelled")
@op(static=("axis", "keepdims"))
def argmin(input, axis=None, keepdims=False):
    """The Int32 position of the first minimum along an axis; of the flat tensor for None. Int64 for a 0-d tensor.

    Args:
        input: a Tensor.
        axis: None or an int.
        keepdims: whether the reduced dimension stays with size 1.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1.0, 3.0], [4.0, 2.0]])
    >>> print(ops.argmin(x, 1), x.argmin())
    [0 1] 0
    """
    kind = INT64 if getattr(input, "ndim", 1) == 0 else INT32
    return _arg("argmin", False, input, axis, keepdims, kind)


@faces("mint.argmin")
@op(static=("dim", "keepdim"), name="argmin")
def argmin_ext(input, dim=None, keepdim=False):
    """As `argmin`, with `mint`'s names and an Int64 result."""
    return _arg("argmin", False, input, dim, keepdim, INT64)


@op(static=("axis", "output_type"), name="Argmax")
def argmax_typed(input, axis=-1, output_type=None):
    """The position of the first maximum along an axis, in `output_type` (Int32)."""
    return _arg(
        "Argmax", True, input, axis, False, INT32 if output_type is None else to_np_dtype(output_type, "Argmax")
    )


@op(static=("axis", "output_type"), name="Argmin")
def argmin_typed(input, axis=-1, output_type=None):
    """The position of the first minimum along an axis, in `output_type` (Int32)."""
    return _arg(
        "Argmin", False, input, axis, False, INT32 if output_type is None else to_np_dtype(output_type, "Argmin")
    )


def _truth(api: str, x):
    x = tensor(api, x)
    return x if x.dtype == bool else x != 0


@faces("ops Tensor:spelled", primitive="ReduceAll(keep_dims=False)(x, axis=())")
@op(static=("axis", "keep_dims"))
def all(input, axis=None, keep_dims=False):
    """Whether all elements over dimensions are true.

    Args:
        input: a Tensor; numbers are true where they are not 0.
        axis: None (all), an int, or a tuple of ints.
        keep_dims: whether reduced dimensions stay with size 1.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[True, False], [True, True]])
    >>> print(ops.all(x), x.all(1))
    False [False  True]
    """
    x = _truth("all", input)
    return jnp.all(x, axis=axes_of("all", axis, x.ndim), keepdims=keep_dims)


@faces("ops Tensor:spelled", primitive="ReduceAny(keep_dims=False)(x, axis=())")
@op(static=("axis", "keep_dims"))
def any(input, axis=None, keep_dims=False):
    """Whether any element over dimensions is true; arguments as for `all`.

    Args:
        input (Tensor): of Bool or numbers, which are true where they are not 0.
        axis: an int or a tuple of ints; all dimensions by default.
        keep_dims (bool): whether the dimensions stay, with size 1.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[True, False], [False, False]])
    >>> print(ops.any(x), x.any(1))
    True [ True False]
    """
    x = _truth("any", input)
    return jnp.any(x, axis=axes_of("any", axis, x.ndim), keepdims=keep_dims)


def _variance(api: str, x, axis, correction, keepdims) -> tuple[jax.Array, jax.Array]:
    x = tensor(api, x)
    axes = axes_of(api, axis, x.ndim)
    if is_integral(x.dtype):  # around the integer mean, as MindSpore computes it
        center = _mean(api, x, axis, True)
        count = np.prod([x.shape[a] for a in axes], dtype=np.int64) - int(correction)
        apart = x.astype(INT64) - center if x.dtype.kind == "u" else x - center  # which may be below 0
        total = jnp.sum(cast(apart, FLOAT32) ** 2, axis=axes, keepdims=keepdims)
        return total / np.float32(count), cast(center if keepdims else center.squeeze(axes), FLOAT32)
    sizes = [x.shape[a] for a in axes]
    if has_symbolic_size(sizes) or (count := np.prod(sizes, dtype=np.int64)) > correction:
        variance = jnp.var(x, axis=axes, ddof=int(correction), keepdims=keepdims)
    else:  # a division by zero or by a negative number, which JAX answers with NaN
        total = jnp.var(x, axis=axes, keepdims=keepdims) * float(count)
        variance = total / jnp.asarray(count - int(correction), total.dtype)
    return (
        variance,
        jnp.mean(x, axis=axes, keepdims=keepdims),
    )


@faces("ops Tensor:spelled")
@op(static=("axis", "ddof", "keepdims"))
def var(input, axis=None, ddof=0, keepdims=False):
    """The variance over dimensions, divided by N - ddof.

    Args:
        input: a Tensor; integers give Float32.
        axis: None (all), an int, or a tuple of ints.
        ddof: 0 for the population, 1 (or True) for a sample.
        keepdims: whether reduced dimensions stay with size 1.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1.0, 3.0, 5.0])
    >>> print(round(ops.var(x).item(), 4), x.var(ddof=1))
    2.6667 4.0
    """
    return _variance("var", input, axis, ddof, keepdims)[0]


@faces("ops Tensor:spelled")
@op(static=("axis", "ddof", "keepdims"))
def std(input, axis=None, ddof=0, keepdims=False):
    """The standard deviation over dimensions; arguments as for `var`.

    Args:
        input (Tensor): real type.
        axis: an int or a tuple of ints; all dimensions by default.
        ddof: the sum of squares is divided by N - ddof.
        keepdims (bool): whether the dimensions stay, with size 1.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1.0, 3.0, 5.0])
    >>> print(round(ops.std(x).item(), 4), x.std(ddof=1))
    1.633 2.0
    """
    return jnp.sqrt(_variance("std", input, axis, ddof, keepdims)[0])


@op(static=("axis", "ddof", "keepdims"), name="std")
def std_ext(input, axis=None, ddof=0, keepdims=False):
    """As `std`, with the slope 0 where it is 0."""
    return root(_variance("std", input, axis, ddof, keepdims)[0])


@faces("ops")
@op(static=("axis", "ddof", "keepdims"))
def var_mean(input, axis=None, ddof=0, keepdims=False):
    """The variance and the mean over dimensions; arguments as for `var`."""
    return _variance("var_mean", input, axis, ddof, keepdims)


@faces("ops")
@op(static=("axis", "ddof", "keepdims"))
def std_mean(input, axis=None, ddof=0, keepdims=False):
    """The standard deviation and the mean over dimensions; arguments as for `var`."""
    variance, mean = _variance("std_mean", input, axis, ddof, keepdims)
    return jnp.sqrt(variance), mean


@faces("ops Tensor:spelled mint")
@op(static=("dim", "keepdim"))
def logsumexp(input, dim, keepdim=False):
    """log(sum(exp(x))) over dimensions without overflow.

    Args:
        input: a Tensor; integers give Float32.
        dim: an int or a tuple of ints; () for all.
        keepdim: whether reduced dimensions stay with size 1.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1000.0, -1000.0]])
    >>> print(ops.logsumexp(x, 1), x.logsumexp(0))
    [1000.] [ 1000. -1000.]
    """
    x = to_float(tensor("logsumexp", input))
    return jax.scipy.special.logsumexp(x, axis=axes_of("logsumexp", dim, x.ndim, "dim"), keepdims=keepdim)


@faces("ops Tensor:spelled")
@op(static=("axis", "keepdims", "dtype"), takes={"input": "ordered"})
def nansum(input, axis=None, keepdims=False, dtype=None):
    """The sum over dimensions with NaN as 0; arguments as for `sum`. Integers keep their type.

    Floats are summed as they are and the sum is cast to an integer `dtype`, where `sum` casts the elements.
    """
    x = tensor("nansum", input)
    target = None if dtype is None else to_np_dtype(dtype, "nansum")
    if target is None and x.dtype == bool:
        x = _widened("nansum", x, dtype)
    elif target is not None and (is_integral(x.dtype) or not is_integral(target)):
        x = cast(x, target)
    out = jnp.nansum(x, axis=axes_of("nansum", axis, x.ndim), keepdims=keepdims, dtype=x.dtype)
    return out if target is None else cast(out, target)


@faces("ops Tensor:spelled")
@op(static=("axis", "keepdims", "dtype"), takes={"input": "floating"})
def nanmean(input, axis=None, keepdims=False, dtype=None):
    """The mean over dimensions without NaN; arguments as for `sum`."""
    x = tensor("nanmean", input)
    x = x if dtype is None else cast(x, to_np_dtype(dtype, "nanmean"))
    return jnp.nanmean(x, axis=axes_of("nanmean", axis, x.ndim), keepdims=keepdims)


@faces("ops Tensor:spelled")
@op(static=("axis", "keep_dims", "dtype"))
def count_nonzero(x, axis=(), keep_dims=False, dtype=None):
    """How many elements over dimensions are not 0, as Int32 or in `dtype`.

    Args:
        x: a Tensor.
        axis: () (all), an int, or a tuple of ints.
        keep_dims: whether reduced dimensions stay with size 1.
        dtype: of the result; by default Int32.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[0, 1], [2, 3]])
    >>> print(ops.count_nonzero(x), x.count_nonzero(axis=1))
    3 [1 2]
    """
    x = tensor("count_nonzero", x)
    out = jnp.count_nonzero(x, axis=axes_of("count_nonzero", axis, x.ndim), keepdims=keep_dims)
    return cast(out, INT32 if dtype is None else to_np_dtype(dtype, "count_nonzero"))


@faces("ops Tensor:spelled")
@op(static=("axis", "keepdims"), takes={"input": "ordered"})
def aminmax(input, axis=0, keepdims=False):
    """The minimum and the maximum along an axis (None: of all elements).

    Args:
        input: a Tensor.
        axis: an int or None.
        keepdims: whether the reduced dimension stays with size 1.
    """
    x = tensor("aminmax", input)
    axes = axes_of("aminmax", axis, x.ndim)
    if not x.ndim:
        return x, x
    if x.dtype.kind not in "fV":
        return _extreme("aminmax", False, x, axis, keepdims), _extreme("aminmax", True, x, axis, keepdims)
    # as MindSpore compares: NaN is passed over unless it comes first
    first = x[tuple([np.s_[:1] if i in axes else np.s_[:] for i in range(x.ndim)])]
    first = first if keepdims else jnp.squeeze(first, axes)
    at, flat = (0, x.reshape(-1)) if axis is None else (axes[0], x)
    kept = jax.lax.stop_gradient(flat)
    found = []
    for largest, end in ((False, np.inf), (True, -np.inf)):
        place = _first(largest, jnp.where(jnp.isnan(kept), end, kept), at)
        found.append(jnp.take_along_axis(flat, place, at).reshape(first.shape))
    return tuple([jnp.where(jnp.isnan(first), first, v).astype(x.dtype) for v in found])


def _median(api: str, x, axis, keepdims, skip_nan: bool):
    at = axis_of(api, axis, x.ndim)
    if not x.ndim:
        return x, jnp.zeros((), INT64)
    order = jnp.argsort(jax.lax.stop_gradient(x), axis=at, stable=True)
    size = x.shape[at]
    if is_integral(x.dtype):
        place = jnp.full([1 if i == at else n for i, n in enumerate(x.shape)], (size - 1) // 2)
    else:
        missing = jnp.sum(jnp.isnan(x), axis=at, keepdims=True)
        valid = (jnp.maximum(size - missing, 1) - 1) // 2
        place = valid if skip_nan else jnp.where(missing > 0, size - missing, (size - 1) // 2)
    index = jnp.take_along_axis(order, place, axis=at)
    value = jnp.take_along_axis(x, index, axis=at)
    index = index.astype(INT64)
    return (value, index) if keepdims else (value.squeeze(at), index.squeeze(at))


@faces("ops Tensor:spelled")
@op(static=("axis", "keepdims"), takes={"input": "real"})
def median(input, axis=-1, keepdims=False):
    """The median along an axis (the lower one of two) and its position.

    Args:
        input: a Tensor.
        axis: an int.
        keepdims: whether the reduced dimension stays with size 1.

    Returns:
        (values, Int64 indices).
    """
    return _median("median", tensor("median", input), axis, keepdims, False)


@faces("ops Tensor:spelled")
@op(static=("axis", "keepdims"), takes={"input": "real"})
def nanmedian(input, axis=-1, keepdims=False):
    """The median along an axis without NaN, and its position; arguments as for `median`."""
    return _median("nanmedian", tensor("nanmedian", input), axis, keepdims, True)


@op(static=("axis", "keepdims", "ignore_nan"), name="quantile")
def _quantile(input, q, axis, keepdims, ignore_nan):
    if tensor("quantile", input).dtype not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise TypeError(f"For 'quantile', the input must be of type Float32 or Float64, but got {input.dtype.name}.")
    fn = jnp.nanquantile if ignore_nan else jnp.quantile
    return fn(input, cast(q, input.dtype), axis=axis, keepdims=keepdims)


def _check_fraction(q) -> None:
    if isinstance(q, (int, float)) and not 0 <= q <= 1:
        raise ValueError(f"For 'quantile', the 'q' must be in [0, 1], but got {q}.")


@faces("ops Tensor:spelled")
def quantile(input, q, axis=None, keepdims=False):
    """Quantiles along an axis, linearly interpolated.

    Args:
        input: a Tensor of Float32 or Float64.
        q: a number or a 1-d Tensor in [0, 1].
        axis: None (flat) or an int.
        keepdims: whether the reduced dimension stays with size 1.

    Raises:
        TypeError: another dtype.
        ValueError: a number outside [0, 1].
    """
    _check_fraction(q)
    return _quantile(input, q, axis, keepdims, False)


@faces("ops Tensor:spelled")
def nanquantile(input, q, axis=None, keepdims=False):
    """Quantiles along an axis without NaN; arguments as for `quantile`."""
    _check_fraction(q)
    return _quantile(input, q, axis, keepdims, True)


@faces(primitive="L2Loss()(input)")
@op
def l2_loss(x):
    """Half the sum of squares, the primitive `L2Loss`."""
    x = to_float(x)
    return jnp.sum(x * x) / 2
