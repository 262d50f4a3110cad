"""Gradients of recurrent networks, fused attention, fractional pools and batch normalization; see `primitives.py`.

The forward operation is run again, so what MindSpore's has saved for its gradient (`reserve`, `softmax_max`) is not
read. Masks of dropout stay with JAX: where the forward drops at random, the gradient must be given the mask.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax

from ms_compat import ops
from ms_compat._autograd.vjp import vjp
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import UnsupportedError
from ms_compat._inner.gradients.base import ints, pull, zeros
from ms_compat.ops.function.pooling.fractional_lists import _pool
from ms_compat.ops.primitive import REQUIRED, Row


def _lstm(x, hx, cx, w, y, hy, cy, dy, dhy, dcy, reserve, *how):
    dropout, layers = how[5], how[2]
    if dropout and layers > 1:
        raise UnsupportedError("LSTMGrad with dropout", "Differentiate 'nn.LSTM' with 'mindspore.grad'.")
    return pull(lambda *inputs: ops.LSTM(*how)(*inputs)[:3], (dy, dhy, dcy), x, hx, cx, w)


def _attention(forward: Callable, dy: Any, query: Any, key: Any, value: Any, shift: Any) -> tuple:
    """Gradients of queries, keys, values and the position encoding (an empty Tensor where there is none)."""
    if shift is None:
        return *pull(lambda q, k, v: forward(q, k, v, None), dy, query, key, value), zeros((0,), query.dtype)
    return pull(forward, dy, query, key, value, shift)


def _flash(query, key, value, dy, pse_shift, drop_mask, padding_mask, atten_mask, high, total, softmax_in, out, prefix,
           query_ends, key_ends, *how):  # fmt: skip
    keep_prob, inner_precise = how[1], how[5]
    if keep_prob < 1 and drop_mask is None:
        raise UnsupportedError("FlashAttentionScoreGrad without the mask of the dropout", "Give 'drop_mask'.")
    settings = (*how[:5], 0 if inner_precise == 1 else inner_precise, *how[6:])  # Ascend's choice of precision
    rest = (drop_mask, padding_mask, atten_mask, prefix, query_ends, key_ends)
    forward = ops.FlashAttentionScore(*settings)
    return _attention(lambda q, k, v, p: forward(q, k, v, p, *rest)[3], dy, query, key, value, pse_shift)


def _speed_fusion(
    query, key, value, dy, head_num, input_layout, pse=None, padding_mask=None, atten_mask=None, softmax_max=None,
    softmax_sum=None, softmax_in=None, attention_in=None, scale_value=1.0, keep_prob=1.0, pre_tokens=2147483647,
    next_tokens=2147483647, inner_precise=0, seed=None, offset=None, numels=None, prefix=None, actual_seq_qlen=None,
    actual_seq_kvlen=None, sparse_mode=0, gen_mask_parallel=True, sync=False, pse_type=1, q_start_idx=None,
    kv_start_idx=None,
):  # fmt: skip
    if keep_prob < 1:
        raise UnsupportedError("SpeedFusionAttentionGrad with dropout", "Differentiate 'ops.speed_fusion_attention'.")
    settings = {
        "padding_mask": padding_mask, "atten_mask": atten_mask, "scale": scale_value, "pre_tokens": pre_tokens,
        "next_tokens": next_tokens, "inner_precise": inner_precise, "prefix": prefix, "sparse_mode": sparse_mode,
        "actual_seq_qlen": actual_seq_qlen, "actual_seq_kvlen": actual_seq_kvlen, "pse_type": pse_type,
        "gen_mask_parallel": gen_mask_parallel, "sync": sync, "q_start_idx": q_start_idx, "kv_start_idx": kv_start_idx,
    }  # fmt: skip

    def forward(q, k, v, p):
        return ops.speed_fusion_attention(q, k, v, head_num, input_layout, pse=p, **settings)[0]

    return _attention(forward, dy, query, key, value, pse)


@op(static=("is_training", "epsilon", "data_format"))
def batch_norm(dout, x, scale, mean, variance, is_training, epsilon, data_format):
    """The gradients of a batch normalisation by its input, its scale and its offset."""
    axis = 1 if data_format.startswith("NC") else x.ndim - 1
    axes = tuple([i for i in range(x.ndim) if i != axis])
    shape = [1] * x.ndim
    shape[axis] = -1
    scale_, mean, variance = [v.reshape(shape) for v in (scale, mean, variance)]
    rstd = jax.lax.rsqrt(variance + epsilon)
    normal = (x - mean) * rstd
    of_scale, of_bias = (dout * normal).sum(axes), dout.sum(axes)
    dx = dout
    if is_training:
        count = x.size // x.shape[axis]
        dx = dout - (of_bias.reshape(shape) + normal * of_scale.reshape(shape)) / count
    return (dx * scale_ * rstd).astype(x.dtype), of_scale.astype(scale.dtype), of_bias.astype(scale.dtype)


def _batch_norm_again(x, dy, scale, mean, variance, d_dx, d_dscale, d_dbias, is_training, epsilon, data_format):
    """The pullback of `BatchNormGrad`; in training mean and variance are functions of x."""
    axis = 1 if data_format.startswith("NC") else x.ndim - 1
    axes = tuple([i for i in range(x.ndim) if i != axis])

    def kept(saved, own):  # the value that was saved, with the slope of the own one
        return ops.add(saved, ops.sub(own, ops.stop_gradient(own)))

    def gradient(x, dy, scale):
        statistics = mean, variance
        if is_training:
            centred = ops.sub(x, ops.mean(x, axes, True))
            statistics = kept(mean, ops.mean(x, axes)), kept(variance, ops.mean(ops.square(centred), axes))
        return batch_norm(dy, x, scale, *statistics, is_training, epsilon, data_format)

    return vjp(gradient, x, dy, scale)[1]((d_dx, d_dscale, d_dbias))


NETWORKS: dict[str, Callable] = {
    "SpeedFusionAttentionGrad": _speed_fusion,
}
BUILT_NETWORKS = {
    "LSTMGrad": Row(
        _lstm,
        ("x", "hx", "cx", "w", "y", "hy", "cy", "dy", "dhy", "dcy", "reserve"),
        {
            "input_size": REQUIRED,
            "hidden_size": REQUIRED,
            "num_layers": REQUIRED,
            "has_bias": REQUIRED,
            "bidirectional": REQUIRED,
            "dropout": REQUIRED,
            "proj_size": 0,
        },
    ),
    "FlashAttentionScoreGrad": Row(
        _flash,
        (
            "query", "key", "value", "dy",
            *[(name, None) for name in (
                "pse_shift", "drop_mask", "padding_mask", "atten_mask", "softmax_max", "softmax_sum", "softmax_in",
                "attention_in", "prefix", "actual_seq_qlen", "actual_seq_kvlen",
            )],
        ),
        {
            "head_num": REQUIRED, "keep_prob": 1.0, "scale_value": 1.0, "pre_tokens": 65536, "next_tokens": 65536,
            "inner_precise": 1, "input_layout": "BSH", "sparse_mode": 0,
        },
    ),
    "FractionalAvgPoolGrad": Row(
        lambda shape, dy, rows, columns, overlapping: pull(
            lambda x: _pool(x, rows, columns, "mean", overlapping), dy, zeros(ints(shape), dy.dtype)
        ),
        ("orig_input_tensor_shape", "out_backprop", "row_pooling_sequence", "col_pooling_sequence"),
        {"overlapping": False},
    ),
    "FractionalMaxPoolGrad": Row(
        lambda x, out, dy, rows, columns, overlapping: pull(
            lambda x: _pool(x, rows, columns, "max", overlapping), dy, x
        ),
        ("orig_input", "orig_output", "out_backprop", "row_pooling_sequence", "col_pooling_sequence"),
        {"overlapping": False},
    ),
    "BatchNormGradGrad": Row(
        _batch_norm_again,
        ("x", "dy", "scale", "saved_mean", "saved_variance", "dout_dx", "dout_dscale", "dout_dbias"),
        {"is_training": False, "epsilon": 1e-5, "data_format": "NCHW"},
    ),
}  # fmt: skip
