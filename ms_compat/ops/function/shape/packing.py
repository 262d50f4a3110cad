"""Packing, filtering and moving of elements: MindSpore's separate primitives."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_choice, check_rank, check_same_dtype, check_same_shape
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import UnsupportedError
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.nn.checks import axis_of, floating, integer


def _rank4(api: str, x):
    check_rank(api, "input", x, 4)
    return x.shape


@faces(primitive="DepthToSpace(block_size)(x)")
@op(static=("block_size",), name="DepthToSpace", tensors="x")
def depth_to_space(x, block_size):
    """[N, C * b * b, H, W] to [N, C, H * b, W * b].

    Raises:
        ValueError: another rank, or `block_size` does not divide the channels or is below 2.
    """
    n, c, h, w = _rank4("DepthToSpace", x)
    b = integer("DepthToSpace", "block_size", block_size, 2)
    if c % (b * b):
        raise ValueError(f"For 'DepthToSpace', the channels must be divisible by {b * b}, but got {c}.")
    out = x.reshape(n, b, b, c // (b * b), h, w).transpose(0, 3, 4, 1, 5, 2)
    return out.reshape(n, c // (b * b), h * b, w * b)


@faces(primitive="SpaceToDepth(block_size)(x)")
@op(static=("block_size",), name="SpaceToDepth", tensors="x")
def space_to_depth(x, block_size):
    """[N, C, H * b, W * b] to [N, C * b * b, H, W].

    Raises:
        ValueError: another rank, or `block_size` does not divide the sizes or is below 2.
    """
    n, c, h, w = _rank4("SpaceToDepth", x)
    b = integer("SpaceToDepth", "block_size", block_size, 2)
    if h % b or w % b:
        raise ValueError(f"For 'SpaceToDepth', the sizes must be divisible by {b}, but got {h} and {w}.")
    out = x.reshape(n, c, h // b, b, w // b, b).transpose(0, 3, 5, 1, 2, 4)
    return out.reshape(n, c * b * b, h // b, w // b)


@faces(primitive="CompareAndBitpack()(x, threshold)")
@op(name="CompareAndBitpack", tensors="x threshold")
def compare_and_bitpack(x, threshold):
    """`x > threshold`, eight results of the last dimension in one UInt8, the first in the highest bit.

    Raises:
        ValueError: the last dimension's size is not divisible by 8.
    """
    if not x.ndim or x.shape[-1] % 8:
        raise ValueError(f"For 'CompareAndBitpack', the last size must be divisible by 8, but got shape {x.shape}.")
    return jnp.packbits(x > threshold, axis=-1)


@faces(primitive="DataFormatVecPermute(src_format='NHWC', dst_format='NCHW')(input_x)")
@op(static=("src_format", "dst_format"), name="DataFormatVecPermute", tensors="input_x")
def data_format_vec_permute(input_x, src_format="NHWC", dst_format="NCHW"):
    """A vector of 4, or a [4, 2], of one data format in the order of another.

    Raises:
        ValueError: another shape, or formats that are not 'NHWC' and 'NCHW'.
    """
    for name, given in (("src_format", src_format), ("dst_format", dst_format)):
        check_choice("DataFormatVecPermute", name, given, ("NHWC", "NCHW"))
    if input_x.shape not in ((4,), (4, 2)):
        raise ValueError(f"For 'DataFormatVecPermute', the shape must be (4,) or (4, 2), but got {input_x.shape}.")
    return input_x[np.array([src_format.index(letter) for letter in dst_format])]


@faces(primitive="InvertPermutation()(input_x)")
def invert_permutation(input_x):
    """The inverse of a permutation, as a tuple of ints.

    Args:
        input_x: a tuple or list of the ints 0..n-1 in any order.

    Raises:
        TypeError: it is not a tuple or list of ints.
        ValueError: it is not a permutation.

    >>> invert_permutation((2, 0, 1))
    (1, 2, 0)
    """
    if not isinstance(input_x, (tuple, list)) or not all(type(i) is int for i in input_x):
        raise TypeError("For 'InvertPermutation', the 'input_x' must be a tuple or list of ints.")
    if sorted(input_x) != list(range(len(input_x))):
        raise ValueError(f"For 'InvertPermutation', the 'input_x' must hold 0..{len(input_x) - 1} once each.")
    out = [0] * len(input_x)
    for place, value in enumerate(input_x):
        out[value] = place
    return tuple(out)


@faces(primitive="EqualCount()(x, y)")
@op(name="EqualCount")
def equal_count(x, y):
    """The number of equal elements in two tensors with one shape, in their dtype, shape (1,).

    Raises:
        TypeError: the dtypes differ.
        ValueError: the shapes differ.
    """
    check_same_dtype("EqualCount", x=x, y=y)
    check_same_shape("EqualCount", x=x, y=y)
    return (x == y).sum().astype(x.dtype).reshape(1)


def on_host(api: str, *tensors) -> list[np.ndarray]:
    """The values as NumPy arrays, for what has a result whose size depends on them.

    Raises:
        UnsupportedError: in compiled code.
    """
    if any(isinstance(t, Tensor) and isinstance(t._v, Tracer) for t in tensors):
        raise UnsupportedError(
            f"'mindspore.ops.{api}' has a result whose size depends on the data, which compiled code cannot have. Call "
            "it outside of the compiled function, or keep all elements with a mask (ops.where)."
        )
    return [t.asnumpy() if isinstance(t, Tensor) else np.asarray(t) for t in tensors]


def list_diff(x, y, out_idx=mstype.int32):
    """The elements of `x` that are not in `y`, and their places.

    Raises:
        TypeError: the dtypes differ, or `out_idx` is neither int32 nor int64.
        UnsupportedError: in compiled code.
    """
    if out_idx not in (mstype.int32, mstype.int64):
        raise TypeError(f"For 'ListDiff', the 'out_idx' must be int32 or int64, but got {out_idx}.")
    check_same_dtype("ListDiff", x=x, y=y)
    a, b = on_host("ListDiff", x, y)
    at = np.nonzero(~np.isin(a, b))[0]
    return Tensor(a[at]), Tensor(at.astype(out_idx.np_dtype))


@faces(primitive="SubAndFilter()(input_x, max_num, offset)")
def sub_and_filter(input_x, max_num, offset):
    """The elements of `input_x - offset` in [0, max_num), and their places.

    Raises:
        UnsupportedError: in compiled code.
    """
    (values,) = on_host("SubAndFilter", input_x)
    values = values - np.asarray(int(offset), values.dtype)
    at = np.nonzero((values >= 0) & (values < int(max_num)))[0]
    return Tensor(values[at]), Tensor(at.astype(values.dtype))


@faces(primitive="IndexPut(accumulate=0)(x1, x2, indices)")
@op(static=("accumulate",), name="IndexPut")
def index_put(x1, x2, indices, accumulate=0):
    """`x1` with the elements at `indices` (1-d places for each leading dimension) set to `x2`, or increased.

    Raises:
        TypeError: the dtypes differ, or the indices are not ints.
        ValueError: `accumulate` is neither 0 nor 1, or the ranks do not fit.
    """
    check_choice("IndexPut", "accumulate", accumulate, (0, 1))
    check_same_dtype("IndexPut", x1=x1, x2=x2)
    if x2.ndim != 1 or len(indices) > x1.ndim:
        raise ValueError("For 'IndexPut', 'x2' must be 1-d and 'indices' hold at most one tensor per dimension.")
    place = x1.at[tuple(indices)]
    return place.add(x2) if accumulate else place.set(x2)


@faces(primitive="ScatterAddWithAxis(axis=0)(input_x, indices, updates)")
@op(static=("axis",), name="ScatterAddWithAxis", tensors="indices")
def scatter_add_with_axis(input_x, indices, updates, axis=0):
    """`input_x` with `updates` added at the places `indices` along an axis."""
    axis = axis_of("ScatterAddWithAxis", "axis", axis, input_x.ndim)
    at = list(jnp.indices(indices.shape, sparse=True))
    at[axis] = indices
    return input_x.at[tuple(at)].add(updates)


@op(static=("out_type", "right"), name="LowerBound", tensors="sorted_x values")
def sorted_bound(sorted_x, values, out_type=mstype.int32, right=False):
    """Where the values of each row would be inserted into the sorted row, before equal ones or after them.

    Raises:
        TypeError: the dtypes differ, or `out_type` is neither int32 nor int64.
        ValueError: an input is not 2-d, or the numbers of rows differ.
    """
    api = "UpperBound" if right else "LowerBound"
    if out_type not in (mstype.int32, mstype.int64):
        raise TypeError(f"For '{api}', the 'out_type' must be int32 or int64, but got {out_type}.")
    if sorted_x.ndim != 2 or values.ndim != 2 or sorted_x.shape[0] != values.shape[0]:
        raise ValueError(
            f"For '{api}', the inputs must be 2-d with as many rows, but got {sorted_x.shape} and {values.shape}."
        )
    check_same_dtype(api, sorted_x=sorted_x, values=values)
    side = "right" if right else "left"
    return jax.vmap(lambda row, v: jnp.searchsorted(row, v, side=side))(sorted_x, values).astype(out_type.np_dtype)


@faces(primitive="CumulativeLogsumexp(exclusive=False, reverse=False)(x, axis)")
@op(static=("axis", "exclusive", "reverse"), name="CumulativeLogsumexp")
def cumulative_logsumexp(x, axis, exclusive=False, reverse=False):
    """Cumulative log-sum-exp along an axis.

    Args:
        x: a floating Tensor.
        axis: an int or a Tensor of one.
        exclusive (bool): leave out the element itself; the first is the lowest number.
        reverse (bool): sum from the end.
    """
    axis = axis_of("CumulativeLogsumexp", "axis", axis, floating("CumulativeLogsumexp", "x", x).ndim)
    out = jax.lax.cumlogsumexp(x.astype(jnp.promote_types(x.dtype, jnp.float32)), axis=axis, reverse=reverse)
    if exclusive:
        first = jnp.full((*x.shape[:axis], 1, *x.shape[axis + 1 :]), jnp.finfo(x.dtype).min, out.dtype)
        size = x.shape[axis]
        parts = [jax.lax.slice_in_dim(out, 1, size, axis=axis), first]
        if not reverse:
            parts = [first, jax.lax.slice_in_dim(out, 0, size - 1, axis=axis)]
        out = jnp.concatenate(parts, axis)
    return out.astype(x.dtype)


@faces(primitive="ConjugateTranspose()(x, perm)")
@op(static=("perm",), name="ConjugateTranspose", tensors="x")
def conjugate_transpose(x, perm):
    """The complex conjugate with its dimensions permuted.

    Raises:
        ValueError: `perm` is not a permutation of the dimensions.
    """
    if sorted(p % max(x.ndim, 1) for p in perm) != list(range(x.ndim)):
        raise ValueError(f"For 'ConjugateTranspose', the 'perm' must permute {x.ndim} dimensions, but got {perm}.")
    return jnp.conj(x).transpose(perm) if jnp.issubdtype(x.dtype, jnp.complexfloating) else x.transpose(perm)


@faces(primitive="Betainc()(a, b, x)")
@op(name="Betainc")
def betainc(a, b, x):
    """The regularized incomplete beta function.

    Raises:
        TypeError: the dtypes differ or are neither float32 nor float64.
        ValueError: the shapes differ.
    """
    if not (a.dtype == b.dtype == x.dtype) or a.dtype not in (np.float32, np.float64):
        raise TypeError(
            f"For 'Betainc', all dtypes must be float32 or float64, but got {a.dtype}, {b.dtype}, {x.dtype}."
        )
    if not a.shape == b.shape == x.shape:
        raise ValueError(f"For 'Betainc', the shapes must be the same, but got {a.shape}, {b.shape}, {x.shape}.")
    return jax.scipy.special.betainc(a, b, x)


@op(static=("steps", "base", "dtype"), name="LogSpace", tensors="start end")
def log_space(start, end, steps=10, base=10, dtype=mstype.float32):
    """`steps` numbers from base ** start to base ** end, evenly spaced in their logarithm."""
    steps = integer("LogSpace", "steps", steps, 0)
    base = integer("LogSpace", "base", base, 0)
    exponents = jnp.linspace(jnp.asarray(start, jnp.float64), jnp.asarray(end, jnp.float64), steps)
    return (float(base) ** exponents).astype(dtype.np_dtype)


@faces(primitive="NoRepeatNGram(ngram_size=1)(state_seq, log_probs)")
@op(static=("ngram_size",), name="NoRepeatNGram", tensors="state_seq")
def no_repeat_ngram(state_seq, log_probs, ngram_size=1):
    """Log-probabilities in which words that would repeat an n-gram of their sequence are the lowest number.

    Args:
        state_seq: the words so far, Int32 [batch, beam, length].
        log_probs: [batch, beam, words], floating.
        ngram_size (int): the n.

    Raises:
        TypeError: a wrong dtype.
        ValueError: the shapes do not fit, or `ngram_size` is below 1 or above the length.
    """
    n = integer("NoRepeatNGram", "ngram_size", ngram_size, 1)
    floating("NoRepeatNGram", "log_probs", log_probs)
    if not jnp.issubdtype(state_seq.dtype, jnp.integer):
        raise TypeError(f"For 'NoRepeatNGram', the dtype of 'state_seq' must be Int32, but got {state_seq.dtype}.")
    if state_seq.ndim != 3 or log_probs.ndim != 3 or state_seq.shape[:2] != log_probs.shape[:2]:
        raise ValueError(
            f"For 'NoRepeatNGram', 3-d inputs of equal batch and beam are taken, but got {state_seq.shape} and "
            f"{log_probs.shape}."
        )
    length = state_seq.shape[-1]
    if n >= length:
        raise ValueError(f"For 'NoRepeatNGram', the 'ngram_size' must be below the length {length}, but got {n}.")
    starts = np.arange(length - n + 1)
    grams = state_seq[..., starts[:, None] + np.arange(n)]
    last = state_seq[..., length - n + 1 :]
    repeated = (grams[..., : n - 1] == last[..., None, :]).all(-1)
    words = jnp.arange(log_probs.shape[-1])
    banned = (repeated[..., None] & (grams[..., -1:] == words)).any(-2)
    return jnp.where(banned, jnp.finfo(log_probs.dtype).min, log_probs)
