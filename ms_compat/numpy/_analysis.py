"""`mindspore.numpy`'s histograms, differences and sets."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_rank
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.operands import is_integral
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor
from ms_compat.numpy._array import flag, tensor
from ms_compat.numpy._functions import _cast as cast_to
from ms_compat.numpy._functions import _common as common
from ms_compat.numpy._functions import _host as host
from ms_compat.ops.function.elementwise import arithmetic, math
from ms_compat.ops.function.indexing import sort
from ms_compat.ops.function.reduction import cumulative
from ms_compat.ops.function.shape import create, join
from ms_compat.ops.function.update.assign import stop_gradient


@faces("numpy")
def sign(x, dtype=None):
    """-1, 0 or 1 by the sign; of integers in Float32.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.sign(Tensor([-2.0, 0.0, 3.0])))
    [-1.  0.  1.]
    """
    x = tensor(x)
    whole = x.dtype in mstype.int_type
    return cast_to(math.sign(create.cast(x, mstype.float32) if whole else x), dtype)


@faces("numpy")
def histogram(a, bins=10, range=None, weights=None, density=False):
    """How many elements fall into each bin (Float32), and the edges of the bins."""
    if isinstance(bins, str):
        raise NotImplementedError("For 'numpy.histogram', the 'bins' must be numbers, as in MindSpore.")
    flag("histogram", density=density)
    a = tensor(a)
    heavy = None if weights is None else tensor(weights)
    numbers = None if heavy is None else heavy.asnumpy()
    count, places = np.histogram(a.asnumpy(), host(bins), range, False, numbers)
    if isinstance(bins, (list, tuple, Tensor)):
        edges = tensor(bins)
    else:
        edges = Tensor(places.astype(np.float32))
        edges = edges if range is not None or not a.size else moving(edges, a)
    found = Tensor(count.astype(np.float32))
    if heavy is not None:
        found = arithmetic.add(found, of_weights(members(a.asnumpy().ravel(), places), heavy))
    if density:
        widths = arithmetic.sub(edges[1:], edges[:-1])
        found = arithmetic.div(found, arithmetic.mul(widths, found.sum()))
    return found, edges


def _zero(x):
    """Zero, in Float32, with the gradient of `x`."""
    x = create.cast(x, mstype.float32)
    return arithmetic.sub(x, stop_gradient(x))


def moving(edges, a):
    """The edges, with their gradients: they range from the smallest to the largest element."""
    share = Tensor(np.linspace(0, 1, edges.shape[0], dtype=np.float32))
    low, high = _zero(a.min()), _zero(a.max())
    return edges + low * (1 - share) + high * share


def members(a, edges):
    """Which elements [N] of a flat array are in which bin [bins, N]."""
    bins = np.clip(np.searchsorted(edges, a, "right") - 1, 0, len(edges) - 2)
    inside = (a >= edges[0]) & (a <= edges[-1])
    return (np.arange(len(edges) - 1)[:, None] == bins) & inside


def of_weights(members, weights):
    """Zero for each bin, with the gradient of its summed weights."""
    return (Tensor(members.astype(np.float32)) * _zero(weights).reshape(-1)).sum(1)


@faces("numpy")
def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """The edges of a histogram's bins."""
    return histogram(a, bins, range)[1]


@faces("numpy")
def bincount(x, weights=None, minlength=0, length=None):
    """How often each number occurs (Float32), or the sums of their weights."""
    x, weights = tensor(x), None if weights is None else tensor(weights)
    check_rank("numpy.bincount", "x", x, 1)
    if weights is not None and weights.shape != x.shape:
        raise ValueError(f"For 'numpy.bincount', the weights must have shape {x.shape}, but got {weights.shape}.")
    if isinstance(minlength, str):
        raise TypeError(f"For 'numpy.bincount', the 'minlength' must be an int, but got {minlength!r}.")
    if not is_integral(x._v.dtype):
        raise TypeError(f"For 'numpy.bincount', 'x' must have an integer dtype, but got {x.dtype}.")
    x = arithmetic.maximum(x, 0)  # a negative number counts as 0 in MindSpore
    out = sort.bincount(x, weights, minlength if length is None else length)
    return out if length is None else out[:length]


@faces("numpy")
def digitize(x, bins, right=False):
    """Each element's bin number (Int32); the bins rise or fall."""
    x, bins = tensor(x), tensor(bins)
    if bins.size > 1 and not isinstance(bins._v, Tracer) and bool(bins[0] > bins[-1]):
        rising = sort.searchsorted(join.flip(bins, (0,)), x, out_int32=True, right=not right)
        return arithmetic.sub(create.full_like(rising, bins.size), rising)
    return sort.searchsorted(bins, x, out_int32=True, right=not right)


@op()
def _interpolated(x, xp, fp, left, right):
    end = len(xp) - 1
    upper = jnp.clip(jnp.searchsorted(xp, x), min(1, end), end)
    lower = jnp.maximum(upper - 1, 0)
    width = xp[upper] - xp[lower]
    flat = width == 0
    line = (fp[lower] * (xp[upper] - x) + fp[upper] * (x - xp[lower])) / jnp.where(flat, 1, width)
    out = jnp.where(flat, fp[lower], line)
    out = jnp.where(x < xp[0], fp[0] if left is None else left, out)
    return jnp.where(x > xp[-1], fp[-1] if right is None else right, out).astype(np.float32)


@faces("numpy")
def interp(x, xp, fp, left=None, right=None):
    """Linear interpolation of points given by `xp` and `fp`; a point has the slope of the line before it."""
    at, places, values = [create.cast(tensor(v), mstype.float64) for v in (x, xp, fp)]
    if places.ndim != 1 or values.shape != places.shape:
        raise ValueError(
            "For 'numpy.interp', 'xp' and 'fp' must be 1-d and of one length, but got the shapes "
            f"{places.shape} and {values.shape}."
        )
    return _interpolated(at, places, values, left, right)


@faces("numpy")
def trapz(y, x=None, dx=1.0, axis=-1):
    """The integral along an axis by the trapezoidal rule."""
    return cumulative.trapz(tensor(y), None if x is None else tensor(x), dx=dx, dim=axis)


@faces("numpy")
def vander(x, N=None, increasing=False):
    """The Vandermonde matrix of a 1-d tensor."""
    flag("vander", increasing=increasing)
    out = join.vander(tensor(x), N or None)
    return join.fliplr(out) if increasing else out


@faces("numpy")
def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    """The sorted elements of both, computed on the host; on demand with their first positions (Int32) in each."""
    flag("intersect1d", assume_unique=assume_unique, return_indices=return_indices)
    one, other = common([tensor(ar1), tensor(ar2)])
    found = np.intersect1d(one.asnumpy(), other.asnumpy(), assume_unique, return_indices)
    if not return_indices:
        return Tensor(found)
    return (Tensor(found[0]), *[Tensor(at.astype(np.int32)) for at in found[1:]])


@faces("numpy")
def setdiff1d(ar1, ar2, assume_unique=False):
    """The elements of the first that the second lacks, computed on the host."""
    flag("setdiff1d", assume_unique=assume_unique)
    return Tensor(np.setdiff1d(tensor(ar1).asnumpy(), tensor(ar2).asnumpy(), assume_unique))


@faces("numpy")
def atleast_1d(*arys):
    """Tensors of at least one dimension; several as a list."""
    out = [join.with_dimensions(tensor(a), 1) for a in arys]
    return out[0] if len(out) == 1 else out


@faces("numpy")
def atleast_2d(*arys):
    """Tensors of at least two dimensions; several as a list."""
    out = [join.with_dimensions(tensor(a), 2) for a in arys]
    return out[0] if len(out) == 1 else out


@faces("numpy")
def atleast_3d(*arys):
    """Tensors of at least three dimensions; several as a list."""
    out = [join.with_dimensions(tensor(a), 3) for a in arys]
    return out[0] if len(out) == 1 else out
