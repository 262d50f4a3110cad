"""Norms and distances of vectors and matrices."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_above
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.operands import cast, promote_args, to_float
from ms_compat._core.dtype import to_np_dtype
from ms_compat._core.errors import type_error, value_error
from ms_compat._core.faces import faces
from ms_compat.ops.function.axes import axes_of, tensor
from ms_compat.ops.function.elementwise.slopes import first_extreme, largest_of_equals, magnitude, root, size
from ms_compat.ops.function.linalg.eigen import singular_values
from ms_compat.ops.function.nn.checks import wide


def _is_float_of_int(ord):
    return isinstance(ord, float) and ord in (1, -1, 2, -2)


def by_value(ord):
    """The order for which 2.0 is what 2 is; `ops.norm` alone tells them apart."""
    return int(ord) if _is_float_of_int(ord) else ord


def rank_of(x, dim):
    """How many dimensions a norm of a Tensor is taken over: 1 for vectors, 2 for matrices."""
    if dim is None:
        return x.ndim
    return len(dim) if isinstance(dim, (tuple, list)) else 1


def _numbers(x, ord, rank):
    """What a norm is computed of: floats, but integers for orders that count, compare or add them alone."""
    if x.dtype.kind in "biu":
        if ord == 0 and rank == 1 or ord in (1, -1) and rank == 2 and not _is_float_of_int(ord):
            return x.astype(np.int64)
        if ord in (np.inf, -np.inf) and x.dtype.kind != "b":
            return x
    return to_float(x)


def _as_numbers(x, out, ord=2, rank=1):
    """The norm in the dtype of complex numbers, which MindSpore's sum of conj(x) * x has, unlike singular values."""
    summed = rank == 1 or ord in (None, "fro") or _is_float_of_int(ord)
    return out.astype(x.dtype) if x.dtype.kind == "c" and summed and ord not in (np.inf, -np.inf) else out


def _norm(x, ord, dim, keepdim):
    rank = rank_of(x, dim)
    if rank == 2 and _is_float_of_int(ord):
        ord = "fro"  # what MindSpore computes of matrices for these numbers, unless they are ints
    elif rank == 1 and isinstance(ord, (str, bool)):
        raise type_error("norm", "ord", "a number for vectors", ord)
    if ord is None or (isinstance(ord, (int, float)) and (dim is None and x.ndim not in (1, 2))):
        axes = axes_of("norm", dim, x.ndim, "dim")
        if ord in (None, 2):
            return jnp.sqrt(jnp.sum(jnp.abs(x) ** 2, axis=axes, keepdims=keepdim))
    return _with_slopes(x, ord, dim, keepdim)


def _with_slopes(x, ord, dim, keepdim):
    """JAX's norm with MindSpore's slopes at zeros: 0 for whole orders of vectors, NaN for the rest."""
    if rank_of(x, dim) == 1:
        if ord == 2 and isinstance(ord, int) and dim is not None:
            return root(jnp.sum(jnp.abs(x) ** 2, axis=dim, keepdims=keepdim))
        if isinstance(ord, (int, float)) and ord not in (0, 2, np.inf, -np.inf) and (ord < 0 or ord != int(ord)):
            return jnp.linalg.norm(size(x), ord=ord, axis=dim, keepdims=keepdim)
        if ord in (np.inf, -np.inf):
            return first_extreme(magnitude(x), 0 if dim is None else dim, ord > 0, keepdim)
        if ord == 0 and not isinstance(ord, bool):
            return jnp.sum(x != 0, axis=dim, keepdims=keepdim).astype(magnitude(x).dtype)
    elif ord in (1, -1, np.inf, -np.inf):
        rows, columns = (axis % x.ndim for axis in axes_of("norm", dim, x.ndim, "dim"))
        summed, over = (rows, columns) if ord in (1, -1) else (columns, rows)
        sums = jnp.sum(magnitude(x), summed, keepdims=True, dtype=None if x.dtype.kind == "c" else x.dtype)
        out = first_extreme(sums, over, ord > 0, True)
        return out if keepdim else jnp.squeeze(out, (rows, columns))
    elif ord in (2, -2):
        axes = axes_of("norm", dim, x.ndim, "dim")
        values = singular_values(jnp.moveaxis(x, axes, (-2, -1)))
        out = (jnp.max if ord == 2 else jnp.min)(values, -1)
        return jnp.expand_dims(out, axes) if keepdim else out
    # the sum of singular values alone tells numbers from their magnitudes
    plain = ord in (None, 2, "fro", "nuc")
    return jnp.linalg.norm(x if plain else magnitude(x), ord=ord, axis=dim, keepdims=keepdim)


@op(static=("ord", "axis", "keepdims"), name="numpy.norm")
def extreme_norm(x, ord, axis, keepdims):
    """The norms of `mindspore.numpy` that are a largest or smallest sum, whose gradient equal sums share."""
    sums = magnitude(x if x.dtype.kind in "iu" else to_float(x))
    if rank_of(x, axis) == 2:
        rows, columns = (at % x.ndim for at in axes_of("norm", axis, x.ndim, "axis"))
        summed, axis = (rows, columns) if ord in (1, -1) else (columns, rows)
        sums = jnp.sum(sums, summed, keepdims=True, dtype=sums.dtype)
        out = (jnp.max if ord > 0 else jnp.min)(sums, axis, keepdims=True)
        return out if keepdims else jnp.squeeze(out, (rows, columns))
    return (jnp.max if ord > 0 else jnp.min)(sums, axis, keepdims=keepdims)


@faces("ops Tensor")
@op(static=("ord", "dim", "keepdim", "dtype"))
def norm(A, ord=None, dim=None, keepdim=False, dtype=None):
    """A norm of vectors or matrices: without `ord` the 2-norm of all elements, with `ord` and no `dim` the matrix's.

    Args:
        A: a Tensor; integers give Float32, but integers for the infinities, 0 of vectors, and 1 and -1 of matrices.
            Complex numbers give their own dtype where powers are summed, with the imaginary part 0.
        ord: None, a number, "fro" or "nuc"; of matrices 2 gives the largest singular value, and 2.0 what "fro" gives.
        dim: None, an int (vectors) or a pair (matrices).
        keepdim: whether reduced dimensions stay with size 1.
        dtype: compute in this dtype.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[3.0, 4.0], [6.0, 8.0]])
    >>> print(ops.norm(x, dim=1), x.norm(1, dim=0))
    [ 5. 10.] [ 9. 12.]
    """
    x = tensor("norm", A)
    x = _numbers(x, ord, rank_of(x, dim)) if dtype is None else cast(to_float(x), to_np_dtype(dtype, "norm"))
    return _as_numbers(x, _norm(x, ord, dim, keepdim), ord, rank_of(x, dim))


def _ordered(x, ord):
    """The Tensor, if its vectors have a norm of this order."""
    if not isinstance(ord, (int, float)):
        raise value_error("vector_norm", "ord", "a number", ord)
    return tensor("vector_norm", x)


@faces("ops")
@op(static=("ord", "axis", "keepdims", "dtype"))
def vector_norm(x, ord=2, axis=None, keepdims=False, dtype=None):
    """A norm of vectors: (sum of |x|**ord)**(1/ord) over dimensions.

    Args:
        x: a Tensor; integers give Float32, but integers for the order 0 and the infinities. Complex numbers give their
            own dtype with the imaginary part 0, but real numbers for the infinities.
        ord: a number.
        axis: None (all), an int or a tuple of ints.
        keepdims: whether reduced dimensions stay with size 1.
        dtype: compute in this dtype.
    """
    x = _ordered(x, ord)
    x = _numbers(x, ord, 1) if dtype is None else cast(to_float(x), to_np_dtype(dtype, "vector_norm"))
    axes = axes_of("vector_norm", axis, x.ndim)
    sizes = size(x) if x.dtype.kind in "fV" else jnp.abs(x)
    if ord == float("inf"):
        return first_extreme(sizes, axes, True, keepdims)
    if ord == float("-inf"):
        return first_extreme(sizes, axes, False, keepdims)
    if ord == 0:
        out = jnp.sum(sizes != 0, axis=axes, keepdims=keepdims).astype(sizes.dtype)
    elif ord == 2:
        out = jnp.sqrt(jnp.sum(sizes * sizes, axis=axes, keepdims=keepdims))
    else:
        out = jnp.sum(sizes**ord, axis=axes, keepdims=keepdims) ** (1 / ord)
    return _as_numbers(x, out)


@functools.partial(jax.custom_jvp, nondiff_argnums=(1, 2, 3))
def _bounded(x, p, axes, epsilon):
    sizes = jnp.abs(x)
    if p == 0:
        return jnp.sum(sizes != 0, axis=axes, keepdims=True).astype(x.dtype)
    return jnp.maximum(jnp.sum(sizes**p, axis=axes, keepdims=True) ** (1 / p), epsilon)


@_bounded.defjvp
def _(p, axes, epsilon, primals, tangents):
    """MindSpore divides by the bounded norm, also where the bound is the result."""
    (x,), (tangent,) = primals, tangents
    out = _bounded(x, p, axes, epsilon)
    slope = jnp.sign(x) * (jnp.abs(x) / out) ** (p - 1) if p else jnp.zeros_like(x)
    return out, jnp.sum(slope * tangent, axis=axes, keepdims=True)


@op(static=("axis", "p", "keepdims", "epsilon"), name="LpNorm")
def lp_norm(x, axis, p=2, keepdims=False, epsilon=1e-12):
    """The p-norm over dimensions, at least `epsilon`; of order 0 the number of elements that are not 0."""
    x = to_float(tensor("LpNorm", x))
    axes = axes_of("LpNorm", axis, x.ndim)
    out = _bounded(x, p, axes, epsilon)
    return out if keepdims else jnp.squeeze(out, axes)


@op(static=("ord", "axis", "keepdims", "dtype"), name="vector_norm")
def vector_norm_ext(x, ord=2, axis=None, keepdims=False, dtype=None):
    """As `vector_norm`, with the slope 0 at zeros."""
    x = to_float(_ordered(x, ord))
    x = x if dtype is None else cast(x, to_np_dtype(dtype, "vector_norm"))
    if ord in (0, float("inf"), float("-inf")):
        return vector_norm.fn(x, ord, axis, keepdims)
    return root(jnp.sum(magnitude(x) ** ord, axis=axes_of("vector_norm", axis, x.ndim), keepdims=keepdims), ord)


@faces("ops")
@op(static=("ord", "axis", "keepdims", "dtype"))
def matrix_norm(A, ord="fro", axis=(-2, -1), keepdims=False, dtype=None):
    """A norm of matrices: "fro", "nuc", 1, -1, 2, -2 or the infinities."""
    x = tensor("matrix_norm", A)
    x = _numbers(x, ord, 2) if dtype is None else cast(to_float(x), to_np_dtype(dtype, "matrix_norm"))
    return _as_numbers(x, _with_slopes(x, ord, axis, keepdims), ord, 2)


@faces("ops")
@op(static=("p",), takes={"input": "ordered", "other": "ordered"})
def dist(input, other, p=2):
    """The p-norm of the difference.

    Args:
        input: a Tensor.
        other: a Tensor; shapes broadcast.
        p: a number.
    """
    a, b = promote_args("dist", input, other)
    gap = wide(a - b)  # the squares of Float16 may exceed it
    return (root(jnp.sum(gap * gap)) if p == 2 else vector_norm.fn(gap, p)).astype(a.dtype)


@faces("ops", primitive="Cdist(p=2.0)(x1, x2)")
@op(static=("p",), alike=("x1", "x2"))
def cdist(x1, x2, p=2.0):
    """The p-norm distances from each row in one tensor to each row in another.

    Args:
        x1: a Tensor (..., P, M).
        x2: a Tensor (..., R, M).
        p: a number.
    """
    if x1.shape[-1:] != x2.shape[-1:]:
        raise ValueError(f"For 'cdist', the last sizes must be equal, but got {x1.shape} and {x2.shape}.")
    gap = magnitude(x1[..., :, None, :] - x2[..., None, :, :])
    if p == 0:
        return jnp.sum(gap != 0, axis=-1).astype(gap.dtype)
    if p == float("inf"):
        return largest_of_equals(gap)
    return root(jnp.sum(gap**p, axis=-1), p)


@faces("ops Tensor")
@op(static=("p", "axis"), takes={"input": "inexact"})
def renorm(input, p, axis, maxnorm):
    """The slices along an axis scaled down to a p-norm of at most `maxnorm`."""
    if not -input.ndim <= axis < input.ndim:
        raise RuntimeError(f"For 'Renorm', the 'axis' must be in [{-input.ndim}, {input.ndim}), but got {axis}.")
    check_above("Renorm", "p", p, 0)
    at = axis % input.ndim
    rest = tuple([i for i in range(input.ndim) if i != at])
    norms = vector_norm_ext.fn(input, p, rest, True)
    limit = cast(maxnorm, input.dtype)
    return jnp.where(norms > limit, input * (limit / jnp.where(norms == 0, 1, norms)), input)
