"""`mindspore.numpy`'s statistics that pass over NaN, correlations, histograms of several dimensions, and padding."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import UnsupportedError
from ms_compat._core.op import op
from ms_compat._core.tensor import Tensor
from ms_compat.numpy._array import tensor, to_dtype
from ms_compat.numpy._functions import _cast
from ms_compat.numpy._functions import _host as host
from ms_compat.ops.function import arithmetic, compare, create, join, linalg, reduce, shape


@op(static=("largest", "axis", "keepdims"))
def _extreme(x, largest, axis, keepdims):
    fn = jnp.max if largest else jnp.min
    if x.dtype.kind not in "fV":
        return fn(x, axis=axis, keepdims=keepdims)
    valid = ~jnp.isnan(x)
    out = fn(x, axis=axis, keepdims=keepdims, where=valid, initial=-np.inf if largest else np.inf)
    return jnp.where(jnp.any(valid, axis=axis, keepdims=keepdims), out, jnp.nan).astype(x.dtype)


def nanmax(a, axis=None, dtype=None, keepdims=False):
    """The maximum over axes, without NaN; NaN where there is nothing else."""
    return _cast(_extreme(tensor(a), True, axis, keepdims), dtype)


def nanmin(a, axis=None, dtype=None, keepdims=False):
    """The minimum over axes, without NaN; NaN where there is nothing else."""
    return _cast(_extreme(tensor(a), False, axis, keepdims), dtype)


@op(static=("axis", "ddof", "keepdims"))
def _variance(x, axis, ddof, keepdims):
    x = x if x.dtype.kind in "fV" else x.astype(np.float32)
    valid = ~jnp.isnan(x)
    count = jnp.sum(valid, axis=axis, keepdims=True).astype(x.dtype)
    clean = jnp.where(valid, x, 0)
    gap = jnp.where(valid, clean - jnp.sum(clean, axis=axis, keepdims=True) / count, 0)
    total = jnp.sum(gap * gap, axis=axis, keepdims=True)
    out = jnp.where(count > ddof, total / (count - ddof), jnp.nan)
    return out if keepdims else jnp.squeeze(out, axis if axis is not None else tuple(range(x.ndim)))


def nanvar(a, axis=None, dtype=None, ddof=0, keepdims=False):
    """The variance over axes, without NaN."""
    return _cast(_variance(tensor(a), axis, ddof, keepdims), dtype)


def nanstd(a, axis=None, dtype=None, ddof=0, keepdims=False):
    """The standard deviation over axes, without NaN."""
    return _cast(nanvar(a, axis, None, ddof, keepdims) ** 0.5, dtype)


def nancumsum(a, axis=None, dtype=None):
    """Running sum with NaN as 0, along an axis or of the flat tensor."""
    a = tensor(a)
    if a.dtype in mstype.float_type:
        a = join.where(compare.isnan(a), create.zeros_like(a), a)
    return a.cumsum(axis, to_dtype(dtype))


@op
def _cube_root(x):
    return jnp.cbrt(x if x.dtype.kind in "fV" else x.astype(np.float32))


def cbrt(x, dtype=None):
    """The cube root; of integers in Float32."""
    return _cast(_cube_root(tensor(x)), dtype)


def copysign(x1, x2, dtype=None):
    """The magnitude of the first with the sign of the second, in the first's dtype."""
    x1, x2 = tensor(x1), tensor(x2)
    return create.cast(arithmetic.copysign(x1, x2), to_dtype(dtype) or x1.dtype)


def divmod(x1, x2, dtype=None):
    """Floor quotient and remainder."""
    x1, x2 = tensor(x1), tensor(x2)
    return _cast(arithmetic.floor_divide(x1, x2), dtype), _cast(arithmetic.remainder(x1, x2), dtype)


def corrcoef(x, y=None, rowvar=True, dtype=None):
    """The correlation coefficients of variables in rows (or columns), Float32."""
    rows = []
    for data in (x,) if y is None else (x, y):
        data = create.cast(tensor(data), to_dtype(dtype) or mstype.float32)
        data = join.atleast_2d(data)
        rows.append(data if rowvar or data.shape[0] == 1 else shape.t(data))
    data = join.concat(rows, 0) if len(rows) > 1 else rows[0]
    data = arithmetic.sub(data, reduce.mean(data, 1, True))
    covariance = linalg.matmul(data, shape.t(data))
    scale = shape.diagonal(covariance) ** 0.5
    return covariance / shape.reshape(scale, (-1, 1)) / shape.reshape(scale, (1, -1))


def ediff1d(ary, to_end=None, to_begin=None):
    """Differences of neighbours of the flat tensor, with values put behind and in front."""
    flat = shape.ravel(tensor(ary))
    parts = [arithmetic.sub(flat[1:], flat[:-1])]
    for end, at in ((to_begin, 0), (to_end, len(parts) + 1)):
        if end is not None:
            parts.insert(at, create.cast(shape.ravel(tensor(end)), flat.dtype))
    return join.concat(parts, 0) if len(parts) > 1 else parts[0]


def histogramdd(sample, bins=10, range=None, weights=None, density=False):
    """How many points of [N, D] fall into each cell (Float32), and the edges a dimension."""
    if isinstance(sample, (tuple, list)):
        sample = join.stack([tensor(v) for v in sample], -1)
    bins = [host(b) for b in bins] if isinstance(bins, (tuple, list)) else host(bins)
    count, edges = np.histogramdd(tensor(sample).asnumpy(), bins, range, density, host(weights))
    return Tensor(count.astype(np.float32)), [Tensor(e.astype(np.float32)) for e in edges]


def histogram2d(x, y, bins=10, range=None, weights=None, density=False):
    """As `histogramdd`, of points (x, y): counts and the two tensors of edges."""
    count, edges = histogramdd((x, y), bins, range, weights, density)
    return (count, *edges)


@op(static=("width", "mode", "options"))
def _padded(x, width, mode, options):
    whole = mode == "mean" and x.dtype.kind in "iu"
    data = x.astype(np.float32) if whole else x
    return jnp.pad(data, width, mode, **dict(options)).astype(x.dtype)


_OPTIONS = {
    "constant": ("constant_values",), "linear_ramp": ("end_values",), "reflect": ("reflect_type",),
    "symmetric": ("reflect_type",), "maximum": ("stat_length",), "minimum": ("stat_length",),
    "mean": ("stat_length",), "edge": (), "wrap": (), "empty": (),
}  # fmt: skip


def _frozen(value):
    value = host(value)
    value = value.tolist() if isinstance(value, np.ndarray) else value
    return tuple([_frozen(v) for v in value]) if isinstance(value, (tuple, list)) else value


def pad(
    arr, pad_width, mode="constant", stat_length=None, constant_values=0, end_values=0, reflect_type="even", **kwargs
):
    """Elements added around the tensor, in NumPy's modes except "median"; "mean" of integers is truncated.

    Raises:
        NotImplementedError: the mode "median".
        UnsupportedError: a function as `mode`, which alone takes further keywords.
        ValueError: another mode.
    """
    if callable(mode):
        raise UnsupportedError("mindspore.numpy.pad(mode=<function>)", "Pad with 'constant' and write the edges.")
    if mode == "median":
        raise NotImplementedError("For 'numpy.pad', the mode 'median' is not implemented, as in MindSpore.")
    if mode not in _OPTIONS:
        raise ValueError(f"For 'numpy.pad', the 'mode' must be one of {list(_OPTIONS)}, but got {mode!r}.")
    given = {
        "stat_length": stat_length, "constant_values": constant_values, "end_values": end_values,
        "reflect_type": reflect_type,
    }  # fmt: skip
    arr = tensor(arr)
    width = np.broadcast_to(np.asarray(_frozen(pad_width)), (len(arr.shape), 2))
    options = tuple([(name, _frozen(given[name])) for name in _OPTIONS[mode] if given[name] is not None])
    return _padded(arr, _frozen(width), mode, options)


def unwrap(p, discont=np.pi, axis=-1):
    """Angles without jumps of more than `discont`, by multiples of 2 pi; Float32 of integers."""
    return _unwrapped(tensor(p), float(discont), axis)


@op(static=("discont", "axis"))
def _unwrapped(p, discont, axis):
    p = p if p.dtype.kind in "fV" else p.astype(np.float32)
    return jnp.unwrap(p, discont, axis).astype(p.dtype)
