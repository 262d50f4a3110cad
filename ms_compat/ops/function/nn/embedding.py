"""Tables indexed by integers: one-hot vectors and embedding lookups.

An index out of range: `one_hot` gives a row of `off_value` and `embedding_lookup` a row of zeros, as MindSpore
does. `embedding` refuses it where it can be read (`indexing/bounds.py`) and gives NaN rows otherwise: JAX's own
choice, the nearest row, would be a wrong number that nobody notices.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_integers, check_rank, check_same_dtype, check_within
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import value_error
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import is_weak
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.indexing.bounds import check_index
from ms_compat.ops.function.nn.checks import integer, tensor
from ms_compat.ops.function.update.results import replace_as_variable


def _number(value: Any) -> Any:
    """The array of an on/off value: Int64 or Float32 for a Python number, the first element of a vector."""
    if isinstance(value, (bool, int)) or (is_weak(value) and value.dtype.kind in "iub"):
        return jnp.asarray(value, np.int64)
    if isinstance(value, float) or is_weak(value):
        return jnp.asarray(value, np.float32)
    return value.reshape(-1)[0]


@faces("ops", primitive="OneHot(axis: int = -1)(indices, depth, on_value, off_value)")
@op(static=("depth", "axis"))
def one_hot(indices, depth, on_value=1, off_value=0, axis=-1):
    """`on_value` where an index names a place along a new axis, `off_value` elsewhere and for indices out of range.

    Args:
        indices (Tensor): Int32 or Int64.
        depth (int): size of the new axis, >= 0.
        on_value (Union[Tensor, number]): Python numbers give Int64 or Float32.
        off_value (Union[Tensor, number]): of the same type.
        axis (int): place of the new axis, -1 to the rank of `indices`.

    Returns:
        Tensor with one more dimension and `on_value`'s type.

    Raises:
        TypeError: other types, or the two values of different types.
        ValueError: `depth` is negative, `axis` is out of range.

    >>> from ms_compat import Tensor
    >>> from ms_compat.ops.function.nn.embedding import one_hot
    >>> print(one_hot(Tensor([0, 2]), 3, 1.0, 0.0))
    [[1. 0. 0.]
     [0. 0. 1.]]
    """
    if tensor("OneHot", "indices", indices).dtype.name not in ("int32", "int64"):
        raise TypeError(
            f"For 'OneHot', the 'indices' must be Int32 or Int64, but got {mstype.np_dtype_to_ms(indices.dtype)}."
        )
    integer("OneHot", "depth", depth, 0)
    if not -1 <= integer("OneHot", "axis", axis) <= indices.ndim:
        raise value_error("OneHot", "axis", f"in range [-1, {indices.ndim}]", axis)
    on, off = _number(on_value), _number(off_value)
    check_same_dtype("OneHot", on_value=on, off_value=off)
    at = indices.ndim if axis == -1 else axis
    spread = jnp.expand_dims(indices, at)
    shape = spread.shape[:at] + (depth,) + spread.shape[at + 1 :]
    return jnp.where(lax.broadcasted_iota(indices.dtype, shape, at) == spread, on, off)


@op(static=("padding_idx", "scale_grad_by_freq"))
def _embedding(table, ids, padding_idx, scale_grad_by_freq):
    check_integers("embedding", "input", ids)
    check_rank("embedding", "weight", table, 2)
    if padding_idx is not None:
        check_within("embedding", "padding_idx", padding_idx, -table.shape[0], table.shape[0], "[)")
        padding_idx %= table.shape[0]
    out = table.at[ids].get(mode="fill", fill_value=np.nan)
    if scale_grad_by_freq:
        counts = jnp.zeros(table.shape[0], table.dtype).at[ids.reshape(-1)].add(1, mode="drop")
        scale = (1 / jnp.maximum(counts, 1)).at[ids].get(mode="fill", fill_value=1)[..., None]
        out = lax.stop_gradient(out * (1 - scale)) + out * lax.stop_gradient(scale)
    if padding_idx is not None:
        out = jnp.where((ids == padding_idx)[..., None], lax.stop_gradient(out), out)
    return out


@faces("ops mint.nn.functional")
def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False):
    """Rows of a table.

    Args:
        input (Tensor): indices, an int type.
        weight (Tensor): [rows, features].
        padding_idx (int): the row that gets no gradient.
        max_norm (float): shorten the rows that are used, in `weight` itself, to this norm first.
        norm_type (float): order of that norm.
        scale_grad_by_freq (bool): divide gradients by how often the row was used.

    Returns:
        Tensor [*input.shape, features]

    Raises:
        TypeError: `input` does not hold ints.
        ValueError: `weight` has not 2 dimensions, `padding_idx` is out of range.
        RuntimeError: an index is out of range (on a CPU).
    """
    if isinstance(input, Tensor) and isinstance(weight, Tensor) and len(weight.shape) == 2:
        check_index("embedding", input, weight.shape[0], -weight.shape[0], "input")
    if max_norm is not None:
        replace_as_variable(weight, _renormalised(weight, input, float(max_norm), float(norm_type)))
    return _embedding(weight, input, padding_idx, scale_grad_by_freq)


@op(static=("max_norm", "norm_type"))
def _renormalised(table, ids, max_norm, norm_type):
    used = jnp.zeros(table.shape[0], bool).at[ids.reshape(-1)].set(True, mode="drop")
    norm = jnp.linalg.norm(table, norm_type, -1)
    scale = jnp.where(used & (norm > max_norm), max_norm / (norm + 1e-7), 1)
    return table * scale[:, None].astype(table.dtype)


@faces(primitive="EmbeddingLookup()(input_params, input_indices, offset)")
@op(static=("offset",))
def embedding_lookup(input_params, input_indices, offset=0):
    """Rows `indices - offset` of a table (the primitive EmbeddingLookup); rows of zeros where there is none.

    Args:
        input_params (Tensor): table, at least one dimension.
        input_indices (Tensor): Int32 or Int64.
        offset (int): subtracted from the indices.

    Raises:
        TypeError: other types.
    """
    check_integers("EmbeddingLookup", "input_indices", tensor("EmbeddingLookup", "input_indices", input_indices))
    at = input_indices - integer("EmbeddingLookup", "offset", offset)
    size = input_params.shape[0]
    return input_params.at[jnp.where(at < 0, size, at)].get(mode="fill", fill_value=0)


@faces("mint.nn.functional.one_hot")
def one_hot_ext(tensor, num_classes=-1):
    """`mint`'s one_hot: Int64 zeros and ones; `num_classes` = -1 takes the largest class number plus one."""
    if num_classes == -1:
        num_classes = int(np.max(tensor.asnumpy())) + 1
    return one_hot(tensor, num_classes, 1, 0)
