"""Counting and ranking: histograms, buckets, confusion, the n-th element, and whether a class is among the best.

These are the forms of MindSpore's primitives; functions of `mindspore.ops` that differ are in `sort.py`
and `reduce.py`.
"""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_integers, check_shape
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.operands import is_integral
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.axes import axis_of, integer, tensor
from ms_compat.ops.function.reduction import reduce

_INT32 = np.dtype(np.int32)


def of_types(api: str, argument: str, x: Any, names: str) -> jax.Array:
    """The array of a Tensor whose dtype is one of the names; TypeError if not."""
    x = tensor(api, x, argument)
    if x.dtype.name not in names.split():
        raise TypeError(
            f"For '{api}', the dtype of '{argument}' must be one of {names.split()}, but got {x.dtype.name}."
        )
    return x


@op(static=("boundaries",), name="Bucketize")
def bucketize(input, boundaries):
    """For each element the number of boundaries that are not above it, as Int32.

    Args:
        input: a Tensor of numbers.
        boundaries: floats in ascending order.
    """
    x = tensor("Bucketize", input)
    edges = jnp.asarray(boundaries, np.float64)
    return jnp.searchsorted(edges, x.astype(np.float64), side="right").astype(_INT32)


@op(static=("bins", "min", "max"), name="Histogram")
def histogram(x, bins=100, min=0.0, max=0.0):
    """How many elements fall into each of `bins` ranges of equal width.

    Args:
        x: a Tensor of Float16, Float32 or Int32.
        bins: the number of ranges.
        min, max: the ends, both included; elements outside are not counted. Equal ends mean the data's ends, and one
            number to each side where these are equal, too.

    Returns:
        1-d Tensor, Int32 for Int32 and Float32 otherwise.
    """
    values = of_types("Histogram", "x", x, "float16 float32 int32")
    out = _INT32 if values.dtype == _INT32 else np.dtype(np.float32)
    values = values.reshape(-1).astype(np.float32)
    low, high = jnp.float32(min), jnp.float32(max)
    if min == max and values.size:
        low, high = jnp.min(values), jnp.max(values)
    low, high = jnp.where(low == high, low - 1, low), jnp.where(low == high, high + 1, high)
    place = jnp.floor((values - low) / (high - low) * bins).astype(_INT32)
    place = jnp.where(values == high, bins - 1, place)
    inside = (values >= low) & (values <= high)
    return jnp.zeros(bins, _INT32).at[jnp.where(inside, place, bins)].add(1, mode="drop").astype(out)


@op(static=("nbins",), name="HistogramFixedWidth")
def histogram_fixed_width(x, range, nbins):
    """The element counts in `nbins` ranges of equal width; the outer ranges take elements outside.

    Args:
        x: a Tensor of Float16, Float32 or Int32.
        range: a Tensor of the two ends, with `x`'s type.
        nbins: the number of ranges.

    Returns:
        1-d Tensor of Int32.
    """
    values = of_types("HistogramFixedWidth", "x", x, "float16 float32 int32").reshape(-1)
    ends = tensor("HistogramFixedWidth", range, "range")
    if ends.dtype != values.dtype:
        raise TypeError(
            f"For 'HistogramFixedWidth', the 'range' must have the dtype of 'x', {values.dtype.name}, but got "
            f"{ends.dtype.name}."
        )
    check_shape("HistogramFixedWidth", "range", ends, (2,))
    low, high = ends.astype(np.float32)
    place = jnp.floor((values.astype(np.float32) - low) / (high - low) * nbins)
    return jnp.zeros(nbins, _INT32).at[jnp.clip(place, 0, nbins - 1).astype(_INT32)].add(1)


@faces(primitive="ConfusionMatrix(num_classes: int, dtype: str = 'int32')(labels, predictions, weights=None)")
@op(static=("num_classes", "dtype"), name="ConfusionMatrix")
def confusion_matrix(labels, predictions, weights, num_classes, dtype):
    """How often each label (row) was predicted as each class (column).

    Args:
        labels, predictions: 1-d Tensors of class numbers.
        weights: None, or what each pair counts.
        num_classes: the number of classes.
        dtype: the result's dtype as a string, such as 'int32'.
    """
    api = "ConfusionMatrix"
    labels, predictions = tensor(api, labels, "labels"), tensor(api, predictions, "predictions")
    for name, value in (("labels", labels), ("predictions", predictions)):
        check_integers(api, name, value)
    if labels.ndim != 1 or labels.shape != predictions.shape:
        raise ValueError(
            f"For '{api}', the 'labels' and 'predictions' must be 1-d with equal shapes, but got {labels.shape} and "
            f"{predictions.shape}."
        )
    kind = np.dtype(dtype)
    count = jnp.ones(labels.shape, kind) if weights is None else weights.astype(kind)
    return jnp.zeros((num_classes, num_classes), kind).at[labels, predictions].add(count, mode="drop")


@faces("ops", primitive="InTopK(k: int)(x1, x2)")
@op(static=("k",), name="InTopK")
def intopk(x1, x2, k):
    """Whether the target of each row is among its `k` greatest elements.

    Args:
        x1: predictions [N, C], Float16 or Float32. A row that holds NaN or infinity answers False.
        x2: targets [N], integers; one that is not a column answers False.
        k: an int. Equal predictions share the better place.

    Returns:
        Bool Tensor [N].

    Raises:
        TypeError: another dtype, or `k` is not an int.
        ValueError: another rank or length.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.intopk(Tensor([[1.0, 8.0, 5.0], [4.0, 9.0, 1.0]]), Tensor([2, 2]), 2))
    [ True False]
    """
    api = "InTopK"
    integer(api, "k", k)
    x1, x2 = of_types(api, "x1", x1, "float16 float32"), of_types(api, "x2", x2, "int32 int64")
    if x1.ndim != 2 or x2.shape != x1.shape[:1]:
        raise ValueError(
            f"For '{api}', the 'x1' must be [N, C] and the 'x2' [N], but got the shapes {x1.shape} and {x2.shape}."
        )
    at = jnp.clip(x2, 0, x1.shape[1] - 1)[:, None]
    better = jnp.sum(x1 > jnp.take_along_axis(x1, at, 1), 1)
    return (better < k) & (x2 >= 0) & (x2 < x1.shape[1]) & jnp.all(jnp.isfinite(x1), 1)


@op(static=("n", "reverse"), name="NthElement")
def nth_element(input, n, reverse=False):
    """The n-th smallest element (from 0 on) along the last dimension, or the n-th greatest.

    Args:
        input: a Tensor of at least one dimension.
        n: an int.
        reverse: counts from the greatest.
    """
    x = tensor("NthElement", input)
    if not x.ndim:
        raise ValueError("For 'NthElement', the 'input' must have at least 1 dimension, but got 0.")
    if not 0 <= integer("NthElement", "n", n) < x.shape[-1]:
        raise ValueError(f"For 'NthElement', the 'n' must be in [0, {x.shape[-1]}), but got {n}.")
    fixed = jax.lax.stop_gradient(x)
    value = jnp.sort(fixed, -1)[..., -1 - n if reverse else n]
    if is_integral(x.dtype):
        return value
    equal = (fixed == value[..., None]) & jnp.isfinite(fixed)  # which share the gradient
    return value + jnp.sum(jnp.where(equal, x - fixed, 0), -1) / jnp.maximum(jnp.sum(equal, -1), 1).astype(x.dtype)


@faces(primitive="NthElement(reverse: bool = False)(input, n)")
def nth_element_primitive(input, n, reverse):
    """As `nth_element`, with `n` an int or a 0-d Int32 Tensor."""
    if isinstance(n, Tensor):
        if n.dtype is not mstype.int32 or n.ndim:
            raise TypeError(f"For 'NthElement', the 'n' must be an int or a 0-d Tensor of Int32, but got {n!r:.80}.")
        n = n.item()
    return nth_element(input, n, reverse)


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def _median_of_all(x, ignore_nan):
    return reduce._median("Median", x, 0, False, ignore_nan)[0]


@_median_of_all.defjvp
def _(ignore_nan, primals, tangents):
    """Elements that equal the median share its gradient."""
    (x,), (tangent,) = primals, tangents
    out = _median_of_all(x, ignore_nan)
    shares = (x == out).astype(tangent.dtype)
    return out, jnp.sum(shares * tangent) / jnp.sum(shares)


@faces(
    primitive="Median(global_median: bool = False, axis: int = 0, keep_dims: bool = False, ignore_nan: bool = False)(x)"
)
@op(static=("global_median", "axis", "keep_dims", "ignore_nan"), name="Median", takes={"x": "real"})
def median(x, global_median=False, axis=0, keep_dims=False, ignore_nan=False):
    """The lower median along an axis, or of all elements, and its position (0 for all elements).

    Args:
        x: a Tensor.
        global_median: of all elements.
        axis: an int.
        keep_dims: whether the reduced dimension stays with size 1.
        ignore_nan: passes over NaN; otherwise it is the median where there is one.

    Returns:
        (values, Int64 indices).
    """
    x = tensor("Median", x, "x")
    if global_median:
        return _median_of_all(x.reshape(-1), ignore_nan), jnp.zeros((), np.int64)
    axis_of("Median", axis, x.ndim)
    return reduce._median("Median", x, axis, keep_dims, ignore_nan)


@faces(primitive="Quantile(dim=None, keep_dims=False, ignore_nan=False)(input, q)")
def quantile_primitive(input, q, dim, keep_dims, ignore_nan):
    """Quantiles along an axis (None: of all elements); arguments as for `ops.quantile`."""
    return (reduce.nanquantile if ignore_nan else reduce.quantile)(input, q, dim, keep_dims)


@op(name="MapUniform")
def map_uniform(input, per_group_size, group_num):
    """key % group_num * per_group_size + key // group_num: keys dealt out to groups in turn.

    Args:
        input: a Tensor of integers.
        per_group_size: the size of a group.
        group_num: the number of groups.
    """
    x = tensor("MapUniform", input)
    size, groups = (jnp.asarray(v, x.dtype) for v in (per_group_size, group_num))
    return x % groups * size + x // groups
