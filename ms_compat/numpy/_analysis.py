"""`mindspore.numpy`'s histograms, differences and sets."""

from __future__ import annotations

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.tensor import Tensor
from ms_compat.numpy._array import tensor
from ms_compat.numpy._functions import _cast as cast_to
from ms_compat.numpy._functions import _host as host
from ms_compat.numpy._functions import _sizes as sizes
from ms_compat.ops.function import arithmetic, create, cumulative, gather, join, math, sort


def sign(x, dtype=None):
    """-1, 0 or 1 by the sign; of integers in Float32."""
    x = tensor(x)
    whole = x.dtype in mstype.int_type
    return cast_to(math.sign(create.cast(x, mstype.float32) if whole else x), dtype)


def histogram(a, bins=10, range=None, weights=None, density=False):
    """How many elements fall into each bin (Float32), and the edges of the bins."""
    values = [None if v is None else tensor(v).asnumpy() for v in (a, weights)]
    count, edges = np.histogram(values[0], host(bins), range, density, values[1])
    return Tensor(count.astype(np.float32)), Tensor(edges.astype(np.float32))


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """The edges of a histogram's bins."""
    return histogram(a, bins, range)[1]


def bincount(x, weights=None, minlength=0, length=None):
    """How often each number occurs (Float32), or the sums of their weights."""
    return sort.bincount(tensor(x), weights, minlength if length is None else length)


def gradient(f, *varargs, axis=None, edge_order=1):
    """Central differences of unit distance, one tensor an axis (a list for several)."""
    from ms_compat._core.errors import unsupported_argument

    if varargs or edge_order != 1:
        unsupported_argument("numpy.gradient", "varargs", varargs, "Divide the result by the distance.")
    f = tensor(f)
    axes = tuple(np.arange(len(f.shape)).tolist()) if axis is None else sizes(axis)
    out = [_difference(f, at % len(f.shape)) for at in axes]
    return out[0] if len(out) == 1 else out


def _difference(f: Tensor, axis: int) -> Tensor:
    size = f.shape[axis]
    left = np.maximum(np.arange(size) - 1, 0)
    right = np.minimum(np.arange(size) + 1, size - 1)
    width = [1] * len(f.shape)
    width[axis] = size
    gap = Tensor((right - left).astype(np.float32).reshape(width))
    upper, lower = (gather.gather(f, Tensor(at), axis) for at in (right, left))
    return arithmetic.div(arithmetic.sub(upper, lower), gap)


def trapz(y, x=None, dx=1.0, axis=-1):
    """The integral along an axis by the trapezoidal rule."""
    return cumulative.trapz(tensor(y), None if x is None else tensor(x), dx=dx, dim=axis)


def vander(x, N=None, increasing=False):
    """The Vandermonde matrix of a 1-d tensor."""
    out = join.vander(tensor(x), N)
    return join.fliplr(out) if increasing else out


def _sets(name: str):
    def function(ar1, ar2, assume_unique=False):
        return Tensor(getattr(np, name)(tensor(ar1).asnumpy(), tensor(ar2).asnumpy(), assume_unique=assume_unique))

    function.__name__, function.__doc__ = name, f"NumPy's `{name}`, computed on the host."
    return function


intersect1d, setdiff1d = _sets("intersect1d"), _sets("setdiff1d")


def atleast_1d(*arys):
    """Tensors of at least one dimension; several as a list."""
    out = [join.atleast_1d(tensor(a)) for a in arys]
    return out[0] if len(out) == 1 else out


def atleast_2d(*arys):
    """Tensors of at least two dimensions; several as a list."""
    out = [join.atleast_2d(tensor(a)) for a in arys]
    return out[0] if len(out) == 1 else out


def atleast_3d(*arys):
    """Tensors of at least three dimensions; several as a list."""
    out = [join.atleast_3d(tensor(a)) for a in arys]
    return out[0] if len(out) == 1 else out
