"""Internals of MindSpore's `ops.function.*` for scripts: functions with the suffix `_ext` or none, and their checks."""

from __future__ import annotations

import math
from typing import Any

from ms_compat import mint, ops
from ms_compat._core.dispatch.random import drawing_from
from ms_compat._core.dtype import bool_ as ms_bool
from ms_compat._core.tensor import Tensor
from ms_compat._inner.generated.fused import _gmm
from ms_compat._inner.gradients.base import pull
from ms_compat.mint.nn import functional as F
from ms_compat.ops.function.indexing import scatter
from ms_compat.ops.function.shape.pixel_shuffle import as_strided as _as_strided


def max_ext(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """`mint.max` with the arguments by name: the largest element, or with `dim` the largest along it and where."""
    return mint.max(input) if dim is None else mint.max(input, dim, keepdim)


def min_ext(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """As `max_ext`, with the smallest."""
    return mint.min(input) if dim is None else mint.min(input, dim, keepdim)


def mean_ext(input: Tensor, axis: Any = None, keep_dims: bool = False, dtype: Any = None) -> Tensor:
    """`mint.mean`."""
    return mint.mean(input, axis, keep_dims, dtype=dtype)


def new_ones(input: Tensor, size: Any, *, dtype: Any = None) -> Tensor:
    """`input.new_ones`."""
    return input.new_ones(size, dtype=dtype)


def new_zeros(input: Tensor, size: Any, *, dtype: Any = None) -> Tensor:
    """`input.new_zeros`."""
    return input.new_zeros(size, dtype=dtype)


def chunk_ext(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """`mint.chunk`."""
    return mint.chunk(input, chunks, dim)


def index_fill_ext(input: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    """`ops.index_fill`, with indices of any integer type."""
    return scatter.index_fill_ext(input, dim, index, value)


def one_hot_ext(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """`mint.nn.functional.one_hot`."""
    return F.one_hot(tensor, num_classes)


def repeat_interleave_ext(input: Tensor, repeats: Any, dim: int | None = None, output_size: Any = None) -> Tensor:
    """`mint.repeat_interleave`."""
    return mint.repeat_interleave(input, repeats, dim, output_size=output_size)


def addcmul_ext(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    """`input + value * tensor1 * tensor2`."""
    return mint.add(input, mint.mul(tensor1, tensor2), alpha=value)


addcmul = addcmul_ext


def as_strided(x: Tensor, shape: Any = None, strides: Any = None) -> Tensor:
    """Elements picked by steps through the flat tensor, as `numpy.lib.stride_tricks.as_strided`; its own by default."""
    shape = x.shape if shape is None else shape
    return _as_strided(x, tuple(shape), tuple(x.stride() if strides is None else strides))


def mul_ext(input: Tensor, other: Any) -> Tensor:
    """`mint.mul`."""
    return mint.mul(input, other)


def remainder_ext(input: Any, other: Any) -> Tensor:
    """`mint.remainder`."""
    return mint.remainder(input, other)


def uniform_ext(tensor: Tensor, a: float, b: float, generator: Any = None) -> Tensor:
    """Numbers from `a` to `b` in the shape and type of a Tensor."""
    with drawing_from(generator, "uniform_ext"):
        return (ops.rand_like(tensor) * (b - a) + a).astype(tensor.dtype)


def arrange(x: int) -> list[int]:
    """The ints from 0 to `x - 1`."""
    return list(range(x))


def gmm_backward(grad: Any, x: Any, weight: Any, *, group_list: Any = None, group_list_type: int = 0) -> tuple:
    """The gradients with respect to `x` and `weight` of row groups times their group's weight."""

    def forward(rows: Tensor, matrices: Tensor) -> Tensor:
        return _gmm([rows], [matrices], None, group_list, 0, group_list_type)[0]

    of_x, of_weight = pull(forward, grad[0], x[0], weight[0])
    return (of_x,), (of_weight,)


def rmod(input: Any, other: Tensor) -> Tensor:
    """`input % other` for a number `input`."""
    return mint.remainder(input, other)


def get_square_sum(x: Tensor) -> Tensor:
    """The sum of the squares, in Float32, of the shape (1,)."""
    return ops.square(x.astype("float32")).sum().reshape(1)


def apply_global_norm(clip_norm: Any, global_norm: Tensor, x: Tensor) -> Tensor:
    """`x * clip_norm / global_norm`, in the type of `x`."""
    return (x * clip_norm / global_norm).astype(x.dtype)


def _check_qkv_shape(query_ndim: int, key_ndim: int, value_ndim: int) -> bool:
    """Whether queries, keys and values are batched.

    Raises:
        ValueError: they do not have 2 or 3 dimensions each, or not as many.
    """
    if query_ndim not in (2, 3) or (key_ndim, value_ndim) != (query_ndim, query_ndim):
        raise ValueError(
            "The 'query', 'key' and 'value' must all have 2 dimensions or all have 3, but got "
            f"{query_ndim}, {key_ndim} and {value_ndim}."
        )
    return query_ndim == 3


def _check_kpm_shape(query_ndim: int, kmp_ndim: int) -> None:
    """
    Raises:
        ValueError: the key mask does not have one dimension less than the query.
    """
    if query_ndim in (2, 3) and kmp_ndim != query_ndim - 1:
        raise ValueError(
            f"For a 'query' of {query_ndim} dimensions, the 'key_padding_mask' must have {query_ndim - 1}, but got "
            f"{kmp_ndim}."
        )


def _check_attn_mask_shape(query_ndim: int, query_shape: tuple, key_shape: tuple, attn_mask_ndim: int,
                           attn_mask_shape: tuple, num_heads: int) -> None:  # fmt: skip
    """
    Raises:
        ValueError: the mask does not have 2 or 3 dimensions; or not one matrix per head for an unbatched query.
    """
    if attn_mask_ndim not in (2, 3):
        raise ValueError(f"The 'attn_mask' must have 2 or 3 dimensions, but got {attn_mask_ndim}.")
    expected = (num_heads, query_shape[0], key_shape[0])
    if query_ndim == 2 and attn_mask_ndim == 3 and tuple(attn_mask_shape) != expected:
        raise ValueError(f"The shape of the 'attn_mask' must be {expected}, but got {attn_mask_shape}.")


def _scaled_dot_product_attention(query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None, dropout_p: float,
                                  is_causal: bool, is_training: bool, dtype: Any) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Attention and its weights. As in MindSpore, what a bool or causal mask hides gets -1 added, not minus infinity.

    Raises:
        ValueError: both a mask and `is_causal` are given.
    """
    scores = ops.matmul(query / math.sqrt(query.shape[-1]), key.swapaxes(-1, -2))
    if is_causal:
        if attn_mask is not None:
            raise ValueError("For 'scaled_dot_product_attention', 'attn_mask' must be None when 'is_causal' is True.")
        attn_mask = ops.ones((query.shape[-2], key.shape[-2]), ms_bool).tril()
    if attn_mask is not None:
        scores = scores + (attn_mask.astype(dtype) - 1 if attn_mask.dtype == ms_bool else attn_mask)
    weights = ops.softmax(scores, -1)
    if dropout_p > 0:
        weights = ops.dropout(weights, dropout_p, is_training)
    return ops.matmul(weights, value), weights


def _interploate_ext_make_tuple(input: Tensor, value: Any) -> Any:
    """A number for each axis of an image, of which all have the same; sequences stay."""
    return value if isinstance(value, (list, tuple)) else (value,) * (input.ndim - 2)


def _interpolate_ext_scale_factor_convert_size(input: Tensor, scale_factor: Any) -> tuple[int, ...]:
    """The sizes of an image times factors, rounded down."""
    return tuple([math.floor(size * factor) for size, factor in zip(input.shape[2:], scale_factor, strict=False)])
