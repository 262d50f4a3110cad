"""Embedding layers: rows of a table, chosen by integers."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from ms_compat import ops as primitives
from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_above, check_integers, check_rank
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import (
    check_bool,
    check_int,
    check_one_of,
    check_positive_int,
    check_type,
    unsupported_argument,
    value_error,
)
from ms_compat._core.faces import faces
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.settings import device
from ms_compat._core.settings.parallel_context import get_auto_parallel_context, get_ps_context
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat.common.initializer import Normal
from ms_compat.nn.cell import Cell
from ms_compat.nn.layer._initial import initial
from ms_compat.nn.layer.clip import _clip
from ms_compat.ops.function.indexing.bounds import check_index
from ms_compat.ops.function.indexing.gather import _gather
from ms_compat.ops.function.nn import embedding as ops


@op(name="Embedding")
def _by_one_hot(ids, table):
    check_integers("Embedding", "input", ids)
    return jnp.matmul(jax.nn.one_hot(ids, table.shape[0], dtype=table.dtype), table)


def _table(init, rows: int, features: int, dtype, padding_idx: int | None):
    """The initial table, with zeros in the row of `padding_idx`."""
    value = initial(init, (rows, features), dtype)
    if padding_idx is None:
        return value
    if value.has_init:
        value = value.init_data()
    return Tensor(value._v.at[padding_idx].set(0))


@faces("nn nn.layer")
class Embedding(Cell):
    """Rows of a trainable table.

    Args:
        vocab_size (int): number of rows.
        embedding_size (int): length of a row.
        use_one_hot (bool): multiply by one-hot vectors instead of gathering; an index out of range then gives zeros.
        embedding_table: initializer, its name, number or Tensor; normal with deviation 0.01 by default.
        dtype: of the table.
        padding_idx (int): the row that starts as zeros.

    Inputs:
        ids (Tensor): indices, an int type.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: `padding_idx` is out of range.
        RuntimeError: an index is out of range, where its value is known when called.

    >>> import ms_compat as ms
    >>> net = ms.nn.Embedding(4, 2, embedding_table="ones")
    >>> net(ms.Tensor([[0, 3]])).shape
    (1, 2, 2)
    """

    def __init__(
        self, vocab_size, embedding_size, use_one_hot=False, embedding_table="normal", dtype=mstype.float32,
        padding_idx=None,
    ):  # fmt: skip
        super().__init__()
        self.vocab_size = check_int("Embedding", "vocab_size", vocab_size)
        self.embedding_size = check_int("Embedding", "embedding_size", embedding_size)
        self.use_one_hot = check_bool("Embedding", "use_one_hot", use_one_hot)
        check_type("Embedding", "dtype", dtype, mstype.Type)
        self.dtype = dtype
        self.padding_idx = padding_idx
        if padding_idx is not None and not 0 <= check_int("Embedding", "padding_idx", padding_idx) < vocab_size:
            raise ValueError(
                f"For 'Embedding', the 'padding_idx' must be in range of [0, {vocab_size}), but got {padding_idx}."
            )
        value = _table(embedding_table, vocab_size, embedding_size, dtype, padding_idx)
        self.embedding_table = Parameter(value, name="embedding_table")

    def construct(self, ids):
        if self.use_one_hot:
            return _by_one_hot(ids, self.embedding_table)
        table = self.embedding_table
        size = table.shape[0]
        check_index("Embedding", ids, size, -size, "ids", what=f"in range [0, {size}), the 'vocab_size'")
        return _gather(table, ids, 0, 0)

    def extend_repr(self):
        return (
            f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, use_one_hot={self.use_one_hot}, "
            f"embedding_table={self._params['embedding_table']}, dtype={self.dtype}, padding_idx={self.padding_idx}"
        )


@faces("nn nn.layer")
class EmbeddingExt(Cell):
    """`Embedding` with PyTorch's arguments; see `ops.embedding`.

    Args:
        num_embeddings (int): number of rows.
        embedding_dim (int): length of a row.
        padding_idx (int): the row that starts as zeros and gets no gradient.
        max_norm (float): shorten the rows that are used to this norm.
        norm_type (float): order of that norm.
        scale_grad_by_freq (bool): divide gradients by how often the row was used.
        sparse (bool): False: JAX's gradients are dense.
        _weight (Tensor): the initial table; standard normal by default.
        _freeze (bool): whether the table is not trained.
        dtype: of the table; Float32 by default.
    """

    def __init__(
        self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
        sparse=False, _weight=None, _freeze=False, dtype=None,
    ):  # fmt: skip
        super().__init__()
        if sparse:
            unsupported_argument("EmbeddingExt", "sparse", sparse, "JAX's gradients are dense.")
        self.num_embeddings = check_int("EmbeddingExt", "num_embeddings", num_embeddings)
        self.embedding_dim = check_int("EmbeddingExt", "embedding_dim", embedding_dim)
        self.dtype = mstype.float32 if dtype is None else dtype
        if padding_idx is not None:
            if not -num_embeddings <= check_int("EmbeddingExt", "padding_idx", padding_idx) < num_embeddings:
                raise ValueError(
                    f"For 'EmbeddingExt', the 'padding_idx' must be in range [{-num_embeddings}, "
                    f"{num_embeddings}), but got "
                    f"{padding_idx}."
                )
            padding_idx %= num_embeddings
        self.padding_idx = padding_idx
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        init = Normal(sigma=1.0, mean=0.0) if _weight is None else _weight
        value = _table(init, num_embeddings, embedding_dim, self.dtype, padding_idx)
        self.weight = Parameter(value, name="weight", requires_grad=not _freeze)

    def construct(self, input):
        weight = self._params["weight"] if self.max_norm is not None else self.weight
        return ops.embedding(input, weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq)

    def extend_repr(self):
        return (
            f"num_embeddings={self.num_embeddings}, embedding_dim={self.embedding_dim}, "
            f"padding_idx={self.padding_idx}, "
            f"max_norm={self.max_norm}, norm_type={self.norm_type}, scale_grad_by_freq={self.scale_grad_by_freq}, "
            f"dtype={self.dtype}"
        )


def _lookup_cut(slice_mode, manual_shapes):
    """The lookup of rows, with a strategy in the parallel modes."""
    if get_auto_parallel_context("parallel_mode") not in ("semi_auto_parallel", "auto_parallel"):
        return ops.embedding_lookup
    count = len(device.everywhere())
    cuts = {
        "batch_slice": None,
        "field_slice": (count, 1),
        "table_row_slice": (count, 1),
        "table_column_slice": (1, count),
    }
    cut = cuts[check_one_of("EmbeddingLookup", "slice_mode", slice_mode, tuple(cuts))]
    if slice_mode == "field_slice":
        if not manual_shapes:
            raise value_error("EmbeddingLookup", "manual_shapes", "given for 'field_slice'", manual_shapes)
        check_type("EmbeddingLookup", "manual_shapes", manual_shapes, tuple)
        for size in manual_shapes:
            check_positive_int("EmbeddingLookup", "manual_shapes", size)
    return ops.embedding_lookup if cut is None else primitives.EmbeddingLookup().shard((cut, (1, 1)))


@faces("nn nn.layer")
class EmbeddingLookup(Cell):
    """Rows of a trainable table; rows of zeros for an index out of range.

    Args:
        vocab_size (int): number of rows.
        embedding_size (int): length of a row.
        param_init: initializer of the table.
        target (str): "CPU" or "DEVICE"; JAX places the table.
        slice_mode (str): how the modes "semi_auto_parallel" and "auto_parallel" cut the table over all devices: its
            rows ("table_row_slice", "field_slice"), its columns ("table_column_slice") or not at all ("batch_slice").
        manual_shapes (tuple): rows of each part for "field_slice"; JAX cuts into equal parts.
        max_norm (float): rows of the result with a larger 2-norm are shortened to it; the table stays as it is.
        sparse (bool): must be True with the target "CPU"; the result does not depend on it.
        dtype: of the table.
        vocab_cache_size (int): rows of the cache that older versions of MindSpore keep on a device, in the parameter
            server's mode and with the target "DEVICE". The table is its own cache here, so results do not depend on it.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: an unknown `target`, a size that is not positive, a negative `vocab_cache_size`, `sparse` False with
            the target "CPU"; in the parallel modes an unknown `slice_mode`, or "field_slice" without `manual_shapes`.

    >>> import ms_compat as ms
    >>> net = ms.nn.EmbeddingLookup(4, 2, param_init="ones")
    >>> print(net(ms.Tensor([1, 9])))
    [[1. 1.]
     [0. 0.]]
    """

    BATCH_SLICE = "batch_slice"
    FIELD_SLICE = "field_slice"
    TABLE_ROW_SLICE = "table_row_slice"
    TABLE_COLUMN_SLICE = "table_column_slice"

    def __init__(
        self, vocab_size, embedding_size, param_init="normal", target="CPU", slice_mode="batch_slice",
        manual_shapes=None, max_norm=None, sparse=True, dtype=mstype.float32, *, vocab_cache_size=0,
    ):  # fmt: skip
        super().__init__()
        check_bool("EmbeddingLookup", "sparse", sparse)
        self.vocab_size = check_positive_int("EmbeddingLookup", "vocab_size", vocab_size)
        self.target = check_one_of("EmbeddingLookup", "target", target, ("CPU", "DEVICE"))
        if not sparse and target == "CPU":
            raise ValueError("For 'EmbeddingLookup', 'sparse' must be True when 'target' is 'CPU', but got False.")
        self.sparse = sparse
        self.embedding_size = check_positive_int("EmbeddingLookup", "embedding_size", embedding_size)
        self.vocab_cache_size = check_int("EmbeddingLookup", "vocab_cache_size", vocab_cache_size)
        if vocab_cache_size < 0:
            raise value_error("EmbeddingLookup", "vocab_cache_size", ">= 0", vocab_cache_size)
        self.cache_enable = vocab_cache_size > 0 and target == "DEVICE" and get_ps_context("enable_ps")
        no_effect("EmbeddingLookup", "the table is its own cache", vocab_cache_size=vocab_cache_size or None)
        self._lookup = _lookup_cut(slice_mode, manual_shapes)
        self.max_norm = None
        if max_norm is not None:
            check_type("EmbeddingLookup", "max_norm", max_norm, float)
            check_above("EmbeddingLookup", "max_norm", max_norm, 0)
            self.max_norm = Tensor(max_norm, mstype.float32)
        self.embedding_table = Parameter(
            initial(param_init, (vocab_size, embedding_size), dtype), name="embedding_table"
        )
        self.embedding_table.cache_enable = self.cache_enable

    def construct(self, indices):
        rows = self._lookup(self.embedding_table, indices, 0)
        return rows if self.max_norm is None else _clip(rows, self.max_norm, -1)


@op(static=("field_size", "operator", "max_norm"), name="MultiFieldEmbeddingLookup")
def _fields(table, indices, values, fields, field_size, operator, max_norm):
    batch, count = indices.shape
    out = ops.embedding_lookup.fn(table, indices)
    if max_norm is not None:
        out = _clip.fn(out, max_norm, 2)
    out = (out * values[..., None]).reshape(batch * count, -1)
    segments = (fields + jnp.arange(0, batch * field_size, field_size)[:, None]).reshape(-1)
    weights, total = values.reshape(-1), batch * field_size
    if operator == "SUM":
        merged = jax.ops.segment_sum(out, segments, total)
    else:
        # jnp.abs has the slope 1 at 0
        share = jax.ops.segment_sum(weights * jnp.sign(weights), segments, total)[:, None]
        if operator == "MEAN":
            merged = jax.ops.segment_sum(out, segments, total) / jnp.where(share == 0, 1, share)
        else:  # padding has the weight 0
            merged = jax.ops.segment_max(jnp.where(weights[:, None] == 0, -jnp.inf, out), segments, total)
        merged = jnp.where(share == 0, 0, merged)
    return merged.reshape(batch, field_size, -1)


@faces("nn")
class MultiFieldEmbeddingLookup(Cell):
    """Rows of a trainable table, weighted and combined by fields, for features of several values.

    The result's row f combines a sample's values with field f. It is the sum, the mean (the sum divided by the sum of
    the weights' absolute values) or the maximum of `input_values * embedding_table[input_indices]`. Values of weight 0
    are padding; a field without others is zeros.

    Args:
        vocab_size (int): number of rows.
        embedding_size (int): length of a row.
        field_size (int): number of fields.
        param_init: initializer of the table.
        target (str): "CPU" or "DEVICE"; JAX places the table.
        slice_mode (str): accepted for MindSpore's parallel modes.
        feature_num_list: accepted; MindSpore does not use it.
        max_norm (float): rows are shortened to this norm.
        sparse (bool): must be True with the target "CPU"; the result does not depend on it.
        operator (str): "SUM", "MEAN" or "MAX".
        dtype: of the table.

    Inputs:
        input_indices (Tensor): [batch, length], Int32 or Int64; out of range means a row of zeros.
        input_values (Tensor): [batch, length], Float32.
        field_ids (Tensor): [batch, length], Int32, in [0, field_size).

    Returns:
        At the call, a Tensor [batch, field_size, embedding_size].

    Raises:
        TypeError: an argument or input of a wrong type.
        ValueError: a size or `max_norm` that is not positive, another `target` or `operator`, `sparse` False with the
            target "CPU", or an input without two dimensions.

    >>> import ms_compat as ms
    >>> net = ms.nn.MultiFieldEmbeddingLookup(4, 2, field_size=2, param_init="ones")
    >>> fields = ms.Tensor([[0, 1, 1, 0]], ms.int32)
    >>> print(net(ms.Tensor([[3, 1, 2, 0]]), ms.Tensor([[1.0, 2.0, 3.0, 0.0]]), fields))
    [[[1. 1.]
      [5. 5.]]]
    """

    def __init__(
        self, vocab_size, embedding_size, field_size, param_init="normal", target="CPU", slice_mode="batch_slice",
        feature_num_list=None, max_norm=None, sparse=True, operator="SUM", dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        api = "MultiFieldEmbeddingLookup"
        self.vocab_size = check_positive_int(api, "vocab_size", vocab_size)
        self.embedding_size = check_positive_int(api, "embedding_size", embedding_size)
        self.field_size = check_positive_int(api, "field_size", field_size)
        self.target = check_one_of(api, "target", target, ("CPU", "DEVICE"))
        if not check_bool(api, "sparse", sparse) and target == "CPU":
            raise ValueError(f"For '{api}', 'sparse' must be True when 'target' is 'CPU', but got False.")
        self.operator = check_one_of(api, "operator", operator, ("SUM", "MAX", "MEAN"))
        if max_norm is not None:
            check_type(api, "max_norm", max_norm, float)
            check_above(api, "max_norm", max_norm, 0)
        self.max_norm = max_norm
        if slice_mode != "batch_slice" or feature_num_list is not None:
            no_effect(
                api,
                "a sharding says how an array is distributed",
                slice_mode=slice_mode,
                feature_num_list=feature_num_list,
            )
        self.embedding_table = Parameter(
            initial(param_init, (vocab_size, embedding_size), dtype), name="embedding_table"
        )

    def construct(self, input_indices, input_values, field_ids):
        api = "MultiFieldEmbeddingLookup"
        kinds = {
            "input_indices": (input_indices, (mstype.int32, mstype.int64)),
            "input_values": (input_values, (mstype.float32,)),
            "field_ids": (field_ids, (mstype.int32,)),
        }
        for name, (x, dtypes) in kinds.items():
            check_rank(api, name, x, 2)
            if x.dtype not in dtypes:
                raise TypeError(f"For '{api}', '{name}' must be of {[str(d) for d in dtypes]}, but got {x.dtype}.")
        if not input_indices.shape == input_values.shape == field_ids.shape:
            shapes = [x.shape for x, _ in kinds.values()]
            raise ValueError(f"For '{api}', the inputs must have one shape, but got {shapes}.")
        settings = (self.field_size, self.operator, self.max_norm)
        return _fields(self.embedding_table, input_indices, input_values, field_ids, *settings)
