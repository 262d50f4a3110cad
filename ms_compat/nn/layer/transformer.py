"""Attention and Transformers, after Vaswani et al., "Attention Is All You Need" (2017).

An attention is two operations with the dropout between them: projections, scores, masks and softmax are traced
together, then the weighted sum with the output projection. Where no weights are needed and the sequences are long,
or an accelerator's fused kernel may serve, it is one, which never holds them all. Masks mean what they mean in
MindSpore: a Bool mask is True where a position must not be attended to, a floating one is added to the scores.
"""

from __future__ import annotations

import copy
from typing import Any

import jax
import jax.numpy as jnp

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_shape
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.random import random_op
from ms_compat._core.errors import check_bool, check_positive_int
from ms_compat._core.faces import faces
from ms_compat._core.settings import device
from ms_compat._core.tensor.parameter import Parameter
from ms_compat.common.initializer import XavierNormal, XavierUniform, initializer
from ms_compat.nn.cell import Cell
from ms_compat.nn.container import CellList
from ms_compat.nn.layer import GELU, ReLU
from ms_compat.nn.layer.basic import Dense
from ms_compat.nn.layer.dropout import Dropout
from ms_compat.nn.layer.normalization import LayerNorm
from ms_compat.ops.function.attention import fused, scaled_dot_product
from ms_compat.ops.function.attention.bands import Band
from ms_compat.ops.function.elementwise.activation import gelu, relu
from ms_compat.ops.function.nn.checks import last_size
from ms_compat.ops.function.nn.dropout import dropout


def _as_bias(mask: Any, kind: Any) -> Any:
    """A mask as what is added to the scores."""
    return jnp.where(mask, -jnp.inf, 0).astype(kind) if mask.dtype == bool else mask.astype(kind)


def _wider(mask: Any, count: int) -> Any:
    return jnp.pad(mask, [(0, 0)] * (mask.ndim - 1) + [(0, count)])


def _projected(query, key, value, weights, bias, bias_k, bias_v, key_mask, mask, heads, zero):
    """Scaled queries, keys and values [N, H, *, E / H] of [L, N, E] inputs, and what the masks add to the scores:
    arrays [N or 1, H or 1, L or 1, S]."""
    length, batch, width = query.shape
    if key.shape[0] != value.shape[0] or key.shape[1] != value.shape[1]:
        raise ValueError(
            "For 'MultiheadAttention', 'key' and 'value' must agree in length and batch, but got shapes "
            f"{key.shape} and {value.shape}."
        )
    if key.shape[1] != batch:
        raise ValueError(
            f"For 'MultiheadAttention', 'query' and 'key' must agree in batch, but got {batch} and {key.shape[1]}."
        )
    parts = jnp.split(weights[0], 3) if len(weights) == 1 else weights
    sizes = ("embed_dim", "embed_dim", "embed_dim") if len(weights) == 1 else ("embed_dim", "kdim", "vdim")
    for name, argument, x, w in zip(("query", "key", "value"), sizes, (query, key, value), parts, strict=True):
        last_size("MultiheadAttention", x, argument, w.shape[1], name)
    shifts = jnp.split(bias, 3) if bias is not None else (None, None, None)
    projected = [
        jnp.einsum("lne,fe->lnf", x, w.astype(x.dtype)) + (0 if b is None else b.astype(x.dtype))
        for x, w, b in zip((query, key, value), parts, shifts, strict=True)
    ]
    q, k, v = projected
    more = 0
    if bias_k is not None:
        k = jnp.concatenate([k, jnp.broadcast_to(bias_k.astype(k.dtype), (1, batch, width))])
        v = jnp.concatenate([v, jnp.broadcast_to(bias_v.astype(v.dtype), (1, batch, width))])
        more += 1
    if zero:
        k, v = (jnp.pad(x, ((0, 1), (0, 0), (0, 0))) for x in (k, v))
        more += 1
    q, k, v = (x.reshape(x.shape[0], batch, heads, width // heads).transpose(1, 2, 0, 3) for x in (q, k, v))
    added = []
    source = k.shape[2] - more
    if mask is not None:
        if mask.shape not in ((length, source), (batch * heads, length, source)):
            raise ValueError(
                f"For 'MultiheadAttention', the shape of 'attn_mask' must be {(length, source)} or "
                f"{(batch * heads, length, source)}, but got {mask.shape}."
            )
        mask = _wider(_as_bias(mask, q.dtype), more)
        added.append(mask[None, None] if mask.ndim == 2 else mask.reshape(batch, heads, *mask.shape[1:]))
    if key_mask is not None:
        check_shape("MultiheadAttention", "key_padding_mask", key_mask, (batch, source))
        added.append(_wider(_as_bias(key_mask, q.dtype), more)[:, None, None, :])
    return q * (width // heads) ** -0.5, k, v, added


@op(static=("heads", "zero"), name="MultiheadAttention")
def _attend(query, key, value, weights, bias, bias_k, bias_v, key_mask, mask, heads, zero):
    """Attention weights [N, H, L, S] and projected values [N, H, S, E / H] of [L, N, E] inputs."""
    q, k, v, added = _projected(query, key, value, weights, bias, bias_k, bias_v, key_mask, mask, heads, zero)
    scores = jnp.einsum("nhld,nhsd->nhls", q, k)
    for bias_of_pairs in added:
        scores = scores + bias_of_pairs
    return jax.nn.softmax(scores, axis=-1), v


def _mixed_long(rng, query, key, value, weights, bias, bias_k, bias_v, key_mask, mask, heads, zero, rate):
    """The values [L, N, E] mixed by their weights, never all in memory; zeros for a query that sees no key."""
    q, k, v, added = _projected(query, key, value, weights, bias, bias_k, bias_v, key_mask, mask, heads, zero)

    def late(start, count):
        return sum(scaled_dot_product.rows_of(x, start, count) for x in added)

    out = None if added or rate else fused.attend(q, k, v, 1.0, Band())
    if out is None:
        keep = scaled_dot_product.drawn_bits(rng, 1 - rate, (*q.shape[:3], k.shape[2])) if rate else None
        out = scaled_dot_product.attend(q, k, v, 1.0, late=late if added else None, keep=keep, keep_prob=1 - rate).out
    return out.transpose(2, 0, 1, 3).reshape(*query.shape[:2], -1).astype(query.dtype)


@op(static=("heads", "zero"), name="MultiheadAttention")
def _attend_long(query, key, value, weights, bias, bias_k, bias_v, key_mask, mask, heads, zero):
    return _mixed_long(None, query, key, value, weights, bias, bias_k, bias_v, key_mask, mask, heads, zero, 0.0)


_attend_long_dropped = random_op(static=("heads", "zero", "rate"), name="MultiheadAttention")(_mixed_long)


@op(name="MultiheadAttention")
def _mix(attention, value, weight, bias):
    """The weighted values [L, N, E], projected."""
    mixed = jnp.einsum("nhls,nhsd->lnhd", attention, value)
    return _out_of(mixed.reshape(*mixed.shape[:2], -1), weight, bias)


def _out_of(mixed, weight, bias):
    out = jnp.einsum("lne,fe->lnf", mixed, weight.astype(mixed.dtype))
    return out if bias is None else out + bias.astype(out.dtype)


_project = op(name="MultiheadAttention")(_out_of)


@faces("nn nn.layer")
class MultiheadAttention(Cell):
    """Attention of several heads over projected queries, keys and values.

    Args:
        embed_dim (int): E, the width of queries and results.
        num_heads (int): number of heads; divides `embed_dim`.
        dropout (float): probability to drop an attention weight in training.
        has_bias (bool): whether the projections have biases.
        add_bias_kv (bool): whether a learned key and value are appended to the sequence.
        add_zero_attn (bool): whether a key and value of zeros are appended.
        kdim, vdim (int): widths of keys and values, `embed_dim` by default.
        batch_first (bool): whether inputs are [N, L, E] instead of [L, N, E].
        dtype: of the parameters.

    Inputs:
        query, key, value (Tensor): [L, N, E], [S, N, kdim], [S, N, vdim], or all without N.
        key_padding_mask (Tensor): [N, S]; Bool is True for keys to leave out, other types are added to the scores.
        need_weights (bool): whether to return the weights, too.
        attn_mask (Tensor): [L, S] or [N * num_heads, L, S], as `key_padding_mask`.
        average_attn_weights (bool): whether the weights are averaged over the heads.

    Returns:
        (result, weights), or (result,) without the weights.

    Raises:
        ValueError: `embed_dim` is not a multiple of `num_heads`, or shapes do not fit.

    >>> import ms_compat as ms
    >>> x = ms.ops.ones((5, 2, 8))
    >>> out, weights = ms.nn.MultiheadAttention(8, 4)(x, x, x)
    >>> out.shape, weights.shape
    ((5, 2, 8), (2, 5, 5))
    """

    def __init__(
        self, embed_dim, num_heads, dropout=0.0, has_bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None,
        vdim=None, batch_first=False, dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        api = "MultiheadAttention"
        self.embed_dim = check_positive_int(api, "embed_dim", embed_dim)
        self.num_heads = check_positive_int(api, "num_heads", num_heads)
        if embed_dim % num_heads:
            raise ValueError(
                f"For '{api}', 'embed_dim' must be divisible by 'num_heads', but got {embed_dim} and {num_heads}."
            )
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == self.vdim == embed_dim
        self.dropout = dropout
        self.batch_first = batch_first
        self.add_zero_attn = check_bool(api, "add_zero_attn", add_zero_attn)
        self.head_dim = embed_dim // num_heads

        def parameter(init: Any, shape: tuple[int, ...], name: str) -> Parameter:
            return Parameter(initializer(init, shape, dtype), name=name)

        if self._qkv_same_embed_dim:
            self.in_proj_weight = parameter(XavierUniform(), (3 * embed_dim, embed_dim), "in_proj_weight")
        else:
            self.q_proj_weight = parameter(XavierUniform(), (embed_dim, embed_dim), "q_proj_weight")
            self.k_proj_weight = parameter(XavierUniform(), (embed_dim, self.kdim), "k_proj_weight")
            self.v_proj_weight = parameter(XavierUniform(), (embed_dim, self.vdim), "v_proj_weight")
        self.in_proj_bias = parameter("zeros", (3 * embed_dim,), "in_proj_bias") if has_bias else None
        self.out_proj = Dense(embed_dim, embed_dim, has_bias=has_bias, dtype=dtype)
        self.bias_k = parameter(XavierNormal(), (1, 1, embed_dim), "bias_k") if add_bias_kv else None
        self.bias_v = parameter(XavierNormal(), (1, 1, embed_dim), "bias_v") if add_bias_kv else None

    def construct(
        self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, average_attn_weights=True
    ):
        # Three layouts (a sequence alone, batch first, sequence first) and three answers (no weights, their mean over
        # the heads, each head's weights) around one computation.
        single = query.ndim == 2
        if query.ndim not in (2, 3) or key.ndim != query.ndim or value.ndim != query.ndim:
            raise ValueError(
                "For 'MultiheadAttention', 'query', 'key' and 'value' must all have 2 or all 3 dimensions, but got "
                f"shapes {query.shape}, {key.shape} and {value.shape}."
            )
        if single:
            query, key, value = query.expand_dims(1), key.expand_dims(1), value.expand_dims(1)
            if key_padding_mask is not None:
                key_padding_mask = key_padding_mask.expand_dims(0)
        elif self.batch_first:
            query, key, value = query.swapaxes(0, 1), key.swapaxes(0, 1), value.swapaxes(0, 1)
        if self._qkv_same_embed_dim:
            projections: tuple = (self.in_proj_weight,)
        else:
            projections = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        inputs = (
            query, key, value, projections, self.in_proj_bias, self.bias_k, self.bias_v, key_padding_mask, attn_mask,
            self.num_heads, self.add_zero_attn,
        )  # fmt: skip
        rate = float(self.dropout) if self.training else 0.0
        is_plain = key_padding_mask is None and attn_mask is None and not rate
        if not need_weights and (
            scaled_dot_product.is_long(query.shape[0], key.shape[0])
            or (is_plain and device.platform() != "cpu")  # a kernel may serve
        ):
            mixed = _attend_long_dropped(*inputs, rate) if rate else _attend_long(*inputs)
            out = _project(mixed, self.out_proj.weight, self.out_proj.bias)
        else:
            weights, values = _attend(*inputs)
            if rate:
                weights = dropout(weights, rate)
            out = _mix(weights, values, self.out_proj.weight, self.out_proj.bias)
        if single:
            out = out.squeeze(1)
        elif self.batch_first:
            out = out.swapaxes(0, 1)
        if not need_weights:
            return (out,)
        if average_attn_weights:
            weights = weights.mean(1)
        return out, weights.squeeze(0) if single else weights


def _activation(value: Any) -> Any:
    if isinstance(value, str):
        if value not in ("relu", "gelu"):
            raise ValueError(f"The activation must be 'relu' or 'gelu', but got '{value}'.")
        return relu if value == "relu" else gelu
    if isinstance(value, Cell):
        if not isinstance(value, (ReLU, GELU)):
            raise ValueError(f"The argument 'activation' must be an instance of nn.ReLU or nn.GELU, but got {value}.")
        return value
    if not callable(value):
        raise ValueError(f"The argument 'activation' must be a str, callable or Cell, but got {value!r}.")
    return value


class _Layer(Cell):
    """What the two layers share: the blocks and their order with the norms."""

    _norms = 2

    def __init__(
        self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation="relu", layer_norm_eps=1e-5,
        batch_first=False, norm_first=False, dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first, dtype=dtype)
        if self._norms == 3:
            self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first, dtype=dtype)
        self.dense1 = Dense(d_model, dim_feedforward, dtype=dtype)
        self.dropout = Dropout(p=dropout)
        self.dense2 = Dense(dim_feedforward, d_model, dtype=dtype)
        self.norm_first = norm_first
        for index in range(1, self._norms + 1):
            setattr(self, f"norm{index}", LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype))
        for index in range(1, self._norms + 1):
            setattr(self, f"dropout{index}", Dropout(p=dropout))
        self.activation = _activation(activation)
        self.activation1 = activation
        self.d_model = d_model
        self.nhead = nhead
        self.dim_feedforward = dim_feedforward
        self.dropout_num = dropout
        self.layernorm_eps = layer_norm_eps
        self.batch_first = batch_first
        self.dtype = dtype

    def _anew(self) -> _Layer:
        """A layer with the same settings and its own weights."""
        return type(self)(
            self.d_model, self.nhead, self.dim_feedforward, self.dropout_num, self.activation1, self.layernorm_eps,
            self.batch_first, self.norm_first, self.dtype,
        )  # fmt: skip

    def _block(self, x: Any, norm: Cell, block: Any) -> Any:
        return x + block(norm(x)) if self.norm_first else norm(x + block(x))

    def _attention(self, attention: Cell, x: Any, memory: Any, mask: Any, padding: Any, drop: Cell) -> Any:
        memory = x if memory is None else memory
        return drop(attention(x, memory, memory, attn_mask=mask, key_padding_mask=padding, need_weights=False)[0])

    def _feed_forward(self, x: Any, drop: Cell) -> Any:
        return drop(self.dense2(self.dropout(self.activation(self.dense1(x)))))


@faces("nn nn.layer")
class TransformerEncoderLayer(_Layer):
    """Self-attention and a feed-forward network, each with a residual connection and a norm.

    Args:
        d_model (int): width of inputs and results.
        nhead (int): number of heads.
        dim_feedforward (int): width of the feed-forward network.
        dropout (float): probability to drop, everywhere in the layer.
        activation (Union[str, Cell, callable]): "relu", "gelu", `nn.ReLU()`, `nn.GELU()` or a function.
        layer_norm_eps (float): epsilon of the norms.
        batch_first (bool): whether inputs are [N, L, E] instead of [L, N, E].
        norm_first (bool): whether the norm comes before each block, not after it.
        dtype: of the parameters.

    Inputs:
        src (Tensor): [L, N, d_model] or [L, d_model].
        src_mask, src_key_padding_mask (Tensor): masks as for `MultiheadAttention`.

    Raises:
        ValueError: another `activation`.

    >>> import numpy as np
    >>> from ms_compat import Tensor, nn
    >>> layer = nn.TransformerEncoderLayer(d_model=4, nhead=2, dim_feedforward=8)
    >>> layer(Tensor(np.ones((3, 2, 4), np.float32))).shape
    (3, 2, 4)
    """

    def construct(self, src, src_mask=None, src_key_padding_mask=None):
        x = self._block(
            src,
            self.norm1,
            lambda y: self._attention(self.self_attn, y, None, src_mask, src_key_padding_mask, self.dropout1),
        )
        return self._block(x, self.norm2, lambda y: self._feed_forward(y, self.dropout2))


@faces("nn nn.layer")
class TransformerDecoderLayer(_Layer):
    """Self-attention, attention to the encoder's result and a feed-forward network; see `TransformerEncoderLayer`.

    Inputs:
        tgt (Tensor): [L, N, d_model] or [L, d_model].
        memory (Tensor): [S, N, d_model] or [S, d_model], the encoder's result.
        tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask (Tensor): as for `MultiheadAttention`.

    >>> import numpy as np
    >>> from ms_compat import Tensor, nn
    >>> layer = nn.TransformerDecoderLayer(d_model=4, nhead=2, dim_feedforward=8)
    >>> layer(Tensor(np.ones((3, 2, 4), np.float32)), Tensor(np.ones((5, 2, 4), np.float32))).shape
    (3, 2, 4)
    """

    _norms = 3

    def construct(
        self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None
    ):
        x = self._block(
            tgt,
            self.norm1,
            lambda y: self._attention(self.self_attn, y, None, tgt_mask, tgt_key_padding_mask, self.dropout1),
        )
        x = self._block(
            x,
            self.norm2,
            lambda y: self._attention(
                self.multihead_attn, y, memory, memory_mask, memory_key_padding_mask, self.dropout2
            ),
        )
        return self._block(x, self.norm3, lambda y: self._feed_forward(y, self.dropout3))


class _Stack(Cell):
    def __init__(self, layer, num_layers, norm=None):
        super().__init__()
        count = check_positive_int(type(self).__name__, "num_layers", num_layers)
        # MindSpore draws the weights of its own layers again, once for all; a user's layer is copied whole.
        if type(layer) in (TransformerEncoderLayer, TransformerDecoderLayer):
            layer = layer._anew()
        self.layers = CellList([copy.deepcopy(layer) for _ in range(count)])
        self.num_layers = count
        self.norm = norm


@faces("nn nn.layer")
class TransformerEncoder(_Stack):
    """Copies of an encoder layer, one after the other.

    Args:
        encoder_layer (Cell): the layer to copy; one of `TransformerEncoderLayer` itself gives its settings alone.
        num_layers (int): number of copies.
        norm (Cell): applied to the result.

    >>> import numpy as np
    >>> from ms_compat import Tensor, nn
    >>> net = nn.TransformerEncoder(nn.TransformerEncoderLayer(d_model=4, nhead=2, dim_feedforward=8), num_layers=2)
    >>> net(Tensor(np.ones((3, 2, 4), np.float32))).shape
    (3, 2, 4)
    """

    def __init__(self, encoder_layer, num_layers, norm=None):
        super().__init__(encoder_layer, num_layers, norm)

    def construct(self, src, src_mask=None, src_key_padding_mask=None):
        for layer in self.layers:
            src = layer(src, src_mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


@faces("nn nn.layer")
class TransformerDecoder(_Stack):
    """Copies of a decoder layer, one after the other; see `TransformerEncoder`.

    >>> import numpy as np
    >>> from ms_compat import Tensor, nn
    >>> net = nn.TransformerDecoder(nn.TransformerDecoderLayer(d_model=4, nhead=2, dim_feedforward=8), num_layers=2)
    >>> net(Tensor(np.ones((3, 2, 4), np.float32)), Tensor(np.ones((5, 2, 4), np.float32))).shape
    (3, 2, 4)
    """

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__(decoder_layer, num_layers, norm)

    def construct(
        self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None
    ):
        for layer in self.layers:
            tgt = layer(
                tgt,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
            )
        return tgt if self.norm is None else self.norm(tgt)


@faces("nn nn.layer")
class Transformer(Cell):
    """An encoder and a decoder.

    Args:
        d_model (int): width of inputs and results.
        nhead (int): number of heads.
        num_encoder_layers, num_decoder_layers (int): numbers of layers.
        dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype: as for
            `TransformerEncoderLayer`.
        custom_encoder, custom_decoder (Cell): used instead of the default ones.

    Inputs:
        src, tgt (Tensor): [S, N, d_model] and [T, N, d_model], or both without N.
        src_mask, tgt_mask, memory_mask, src_key_padding_mask, tgt_key_padding_mask, memory_key_padding_mask (Tensor):
            as for `MultiheadAttention`.

    Returns:
        Tensor with the shape of `tgt`.

    Raises:
        ValueError: batches or widths that do not fit.

    >>> import ms_compat as ms
    >>> net = ms.nn.Transformer(8, 2, 1, 1, 16)
    >>> net(ms.ops.ones((3, 2, 8)), ms.ops.ones((5, 2, 8))).shape
    (5, 2, 8)
    """

    def __init__(
        self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, dropout=0.1,
        activation="relu", custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-5, batch_first=False,
        norm_first=False, dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        settings = (dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype)
        if custom_encoder is None:
            custom_encoder = TransformerEncoder(
                TransformerEncoderLayer(d_model, nhead, *settings),
                num_encoder_layers,
                LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype),
            )
        if custom_decoder is None:
            custom_decoder = TransformerDecoder(
                TransformerDecoderLayer(d_model, nhead, *settings),
                num_decoder_layers,
                LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype),
            )
        self.encoder = custom_encoder
        self.decoder = custom_decoder
        for parameter in self.get_parameters():
            if parameter.ndim > 1:
                parameter.set_data(initializer("xavier_uniform", parameter.shape, parameter.dtype))
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def construct(
        self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None,
        tgt_key_padding_mask=None, memory_key_padding_mask=None,
    ):  # fmt: skip
        batch = 0 if self.batch_first else 1
        if src.ndim == 3 and src.shape[batch] != tgt.shape[batch]:
            raise ValueError(
                f"For 'Transformer', 'src' and 'tgt' must agree in batch, but got shapes {src.shape} and {tgt.shape}."
            )
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise ValueError(
                f"For 'Transformer', the width of 'src' and 'tgt' must be {self.d_model}, but got shapes {src.shape} "
                f"and {tgt.shape}."
            )
        memory = self.encoder(src, src_mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
        )
