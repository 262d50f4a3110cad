"""`mindspore.numpy`'s statistics, also those that pass over NaN, and histograms of several dimensions."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch.op import op
from ms_compat._core.faces import faces, table_faces
from ms_compat._core.tensor import Tensor
from ms_compat.numpy import _analysis
from ms_compat.numpy._array import distinct, flag, tensor, to_dtype
from ms_compat.numpy._functions import _cast
from ms_compat.numpy._functions import _common as common
from ms_compat.numpy._functions import _host as host
from ms_compat.ops.function.elementwise import arithmetic, compare, pairs
from ms_compat.ops.function.reduction import reduce
from ms_compat.ops.function.shape import create, join, views


@op(static=("largest", "axis", "keepdims"))
def _extreme(x, largest, axis, keepdims):
    fn = jnp.max if largest else jnp.min
    if x.dtype.kind not in "fV":
        return fn(x, axis=axis, keepdims=keepdims)
    valid = ~jnp.isnan(x)
    out = fn(x, axis=axis, keepdims=keepdims, where=valid, initial=-np.inf if largest else np.inf)
    return jnp.where(jnp.any(valid, axis=axis, keepdims=keepdims), out, jnp.nan).astype(x.dtype)


def _places(axis, a):
    if isinstance(axis, str):
        raise TypeError(f"The 'axis' must be an int or several, but got {axis!r}.")
    if axis == ():
        return None
    return distinct(tuple(axis) if isinstance(axis, list) else axis, len(a.shape))


@faces("numpy")
def nanmax(a, axis=None, dtype=None, keepdims=False):
    """The maximum over axes, without NaN; NaN where there is nothing else."""
    a = tensor(a)
    return _cast(_extreme(a, True, _places(axis, a), keepdims), dtype)


@faces("numpy")
def nanmin(a, axis=None, dtype=None, keepdims=False):
    """The minimum over axes, without NaN; NaN where there is nothing else."""
    a = tensor(a)
    return _cast(_extreme(a, False, _places(axis, a), keepdims), dtype)


@op(static=("axis", "ddof", "keepdims"))
def _variance(x, axis, ddof, keepdims):
    x = x.astype(np.float32)  # MindSpore computes Float16 and Float64 in Float32, too
    valid = ~jnp.isnan(x)
    count = jnp.sum(valid, axis=axis, keepdims=True).astype(x.dtype)
    clean = jnp.where(valid, x, 0)
    gap = jnp.where(valid, clean - jnp.sum(clean, axis=axis, keepdims=True) / count, 0)
    total = jnp.sum(gap * gap, axis=axis, keepdims=True)
    out = jnp.where(count > ddof, total / (count - ddof), jnp.nan)
    if keepdims:
        return out
    return jnp.squeeze(out, axis if axis is not None else tuple(range(x.ndim)))


@faces("numpy")
def nanvar(a, axis=None, dtype=None, ddof=0, keepdims=False):
    """The variance over axes, without NaN; Float32 unless `dtype` says otherwise."""
    a = tensor(a)
    if a.is_complex():
        raise TypeError(f"For 'numpy.nanvar', the 'a' must be real, but got {a.dtype}.")
    return _cast(_variance(a, axis, ddof, keepdims), dtype)


@faces("numpy")
def nanstd(a, axis=None, dtype=None, ddof=0, keepdims=False):
    """The standard deviation over axes, without NaN; Float32 unless `dtype` says otherwise."""
    return _cast(nanvar(a, axis, None, ddof, keepdims) ** 0.5, dtype)


@faces("numpy")
def nansum(a, axis=None, dtype=None, keepdims=False):
    """The sum over axes, with NaN as 0; of truths, whether any is True."""
    a = tensor(a)
    if a.dtype is mstype.bool_:
        return _cast(reduce.any(a, distinct(axis, len(a.shape)), keepdims), dtype)
    return _cast(reduce.nansum(a, distinct(axis, len(a.shape)), keepdims), dtype)


@faces("numpy")
def nanmean(a, axis=None, dtype=None, keepdims=False):
    """The mean over axes, without NaN; Float32 at least."""
    a = tensor(a)
    narrow = a.dtype is mstype.float16 or not (a.is_floating_point() or a.is_complex())
    a = create.cast(a, mstype.float32) if narrow else a
    return _cast(reduce.nanmean(a, distinct(axis, len(a.shape)), keepdims), dtype)


def _spread(fn, api: str):
    def function(x, axis=None, ddof=0, keepdims=False):
        flag(api, keepdims=keepdims)
        if not isinstance(ddof, int):
            raise TypeError(f"For 'numpy.{api}', the 'ddof' must be an int, but got {ddof!r:.60}.")
        return fn(tensor(x), axis, ddof, keepdims)

    function.__name__, function.__doc__ = api, fn.__doc__
    return function


std, var = _spread(reduce.std, "std"), _spread(reduce.var, "var")
table_faces(__name__, "std var", "numpy")


@faces("numpy")
def sometrue(a, axis=None, keepdims=False):
    """Whether any element is not 0."""
    return reduce.any(tensor(a), axis, bool(keepdims))


@faces("numpy")
def signbit(x, dtype=None):
    """Where the sign is negative; nothing but Bool, which is all that `dtype` may be."""
    if dtype is not None and to_dtype(dtype) is not mstype.bool_:
        raise TypeError(f"For 'numpy.signbit', the 'dtype' must be Bool, but got {dtype}.")
    return compare.signbit(tensor(x))


@faces("numpy")
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Where two tensors are equal within tolerances.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.isclose(Tensor([1.0, 2.0]), Tensor([1.0, 2.1])))
    [ True False]
    """
    a, b = tensor(a), tensor(b)
    if a.dtype != b.dtype:
        a, b = common([a, b])
    return compare.isclose(a, b, rtol, atol, equal_nan)


@faces("numpy")
def nancumsum(a, axis=None, dtype=None):
    """Running sum with NaN as 0, along an axis or of the flat tensor."""
    a = tensor(a)
    if a.dtype in mstype.float_type:
        a = join.where(compare.isnan(a), create.zeros_like(a), a)
    return a.cumsum(axis, to_dtype(dtype))


@op
def _cube_root(x):
    return jnp.cbrt(x if x.dtype.kind in "fV" else x.astype(np.float32))


@faces("numpy")
def cbrt(x, dtype=None):
    """The cube root; in Float32 at least."""
    x = tensor(x)
    return _cast(_cube_root(create.cast(x, mstype.float32) if x.dtype is mstype.float16 else x), dtype)


@faces("numpy")
def copysign(x1, x2, dtype=None):
    """The magnitude of the first with the sign of the second, in the first's dtype."""
    x1, x2 = tensor(x1), tensor(x2)
    whole = views.broadcast_to(x1, np.broadcast_shapes(x1.shape, x2.shape))
    return create.cast(pairs.copysign(whole, x2), to_dtype(dtype) or x1.dtype)


@faces("numpy")
def divmod(x1, x2, dtype=None):
    """Floor quotient and remainder."""
    a, b = tensor(x1), tensor(x2)
    beside_tensor = isinstance(x1, Tensor) or isinstance(x2, Tensor)
    # a number takes the dtype of the Tensor beside it in the quotient, and has its own dtype in the remainder
    x1, x2 = (x if beside_tensor and isinstance(x, (bool, int, float)) else t for x, t in ((x1, a), (x2, b)))
    return _cast(arithmetic.floor_divide(x1, x2), dtype), _cast(arithmetic.remainder(a, b), dtype)


@faces("numpy")
def ediff1d(ary, to_end=None, to_begin=None):
    """Differences between neighbours in the flat tensor, with values put behind and in front."""
    flat = views.ravel(tensor(ary))
    parts = [arithmetic.sub(flat[1:], flat[:-1])]
    for end, at in ((to_begin, 0), (to_end, len(parts) + 1)):
        if end is not None:
            parts.insert(at, create.cast(views.ravel(tensor(end)), flat.dtype))
    return join.concat(parts, 0) if len(parts) > 1 else parts[0]


@faces("numpy")
def histogramdd(sample, bins=10, range=None, weights=None, density=False):
    """How many points of [N, D] fall into each cell (Float32), and the edges a dimension."""
    if isinstance(sample, (tuple, list)):
        sample = join.stack([tensor(v) for v in sample], -1)
    sample = tensor(sample)
    columns = [sample[:, int(at)] for at in np.arange(sample.shape[1])]
    each = list(bins) if isinstance(bins, (tuple, list)) else [bins] * len(columns)
    heavy = None if weights is None else tensor(weights)
    numbers = sample.asnumpy()
    given = [host(b) for b in bins] if isinstance(bins, (tuple, list)) else host(bins)
    count, places = np.histogramdd(numbers, given, range, False, host(heavy))
    edges = [_edges(*one) for one in zip(each, places, range or [None] * len(columns), columns, strict=True)]
    found = Tensor(count.astype(np.float32))
    if heavy is not None:
        cells = np.ones((1, len(numbers)), bool)
        for column, limits in zip(numbers.T, places, strict=True):
            cells = (cells[:, None] & _analysis.members(column, limits)).reshape(-1, len(numbers))
        found = arithmetic.add(found, _analysis.of_weights(cells, heavy).reshape(found.shape))
    if density:
        found = arithmetic.div(found, found.sum())
        for at, one in enumerate(edges):
            widths = arithmetic.sub(one[1:], one[:-1])
            found = arithmetic.div(found, widths.reshape([-1 if k == at else 1 for k in np.arange(len(edges))]))
    return found, edges


def _edges(bins, places, range, column):
    """The edges along a dimension, with their gradients."""
    if isinstance(bins, Tensor) and bins.ndim:
        return create.cast(bins, mstype.float32)
    edges = Tensor(places.astype(np.float32))
    return edges if np.ndim(bins) or range is not None or not column.size else _analysis.moving(edges, column)


@faces("numpy")
def histogram2d(x, y, bins=10, range=None, weights=None, density=False):
    """As `histogramdd`, of points (x, y): counts and the two tensors of edges."""
    count, edges = histogramdd((x, y), bins, range, weights, density)
    return (count, *edges)


@faces("numpy")
def unwrap(p, discont=np.pi, axis=-1):
    """Angles without jumps of more than `discont`, by multiples of 2 pi; Float32 of integers."""
    return _unwrapped(tensor(p), float(discont), axis)


@op(static=("discont", "axis"))
def _unwrapped(p, discont, axis):
    p = p if p.dtype.kind in "fV" else p.astype(np.float32)
    return jnp.unwrap(p, discont, axis).astype(p.dtype)
