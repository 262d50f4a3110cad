"""Generated primitives of experts, quantization, caches, synchronized normalization and updates; see `primitives.py`.

The products over groups of rows are `jax.lax.ragged_dot`. Arguments of the quantized forms are not taken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from ms_compat import mint, ops
from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import UnsupportedError
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import write_barrier
from ms_compat._inner.gradients.base import pull
from ms_compat._optim import rules
from ms_compat._optim.transform import adjusted, wide
from ms_compat.ops.primitive import Row


# -- experts ---------------------------------------------------------------------------------------------------------
@op(static=("counted",))
def _grouped(x, weight, groups, counted):
    """Rows of x [M, K] times the weight [G, K, N] of their group; `groups` are sizes, or where each group ends."""
    sizes = groups if counted else jnp.diff(groups, prepend=0)
    return jax.lax.ragged_dot(x, weight, sizes.astype(jnp.int32)).astype(x.dtype)


@op
def _group_of_row(groups, rows):
    return jnp.searchsorted(groups, jnp.arange(rows.shape[0]), side="right")


def _plain(api: str, *given: Any) -> None:
    if any(value is not None for value in given):
        raise UnsupportedError(f"'mindspore.ops.auto_generate.{api}' with scales, offsets or quantized activations")


def _grouped_matmul(api: str, x: Any, weight: Any, bias: Any, groups: Any, split_item: int, group_type: int,
                    counted: bool) -> tuple:  # fmt: skip
    if group_type == -1:
        biases = bias or [None] * len(x)
        outs = [mint.matmul(a, w) for a, w in zip(x, weight, strict=True)]
        outs = [o if b is None else ops.add(o, b) for o, b in zip(outs, biases, strict=True)]
        return (ops.concat(outs, 0),) if split_item in (2, 3) else tuple(outs)
    if group_type != 0:
        raise UnsupportedError(f"'mindspore.ops.auto_generate.{api}' with group_type {group_type}")
    if groups is None or len(x) != 1:
        raise ValueError(f"For '{api}', 'group_type' 0 needs one 'x' and a 'group_list'.")
    groups = groups if isinstance(groups, Tensor) else Tensor(list(groups))
    stacked = weight[0] if len(weight) == 1 else mint.stack(list(weight), 0)
    out = _grouped(x[0], stacked, groups, counted)
    if bias:
        rows = bias[0] if len(bias) == 1 else mint.stack(list(bias), 0)
        ends = mint.cumsum(groups, 0) if counted else groups
        out = ops.add(out, ops.gather(rows, _group_of_row(ends, x[0]), 0))
    return (out,)


def _built_matmul(x, weight, bias, scale, offset, antiquant_scale, antiquant_offset, group_list, split_item, group_type,
                  transpose_a, transpose_b):  # fmt: skip
    _plain("GroupedMatmul", scale, offset, antiquant_scale, antiquant_offset)
    x = [ops.swapaxes(a, -1, -2) for a in x] if transpose_a else x
    weight = [ops.swapaxes(w, -1, -2) for w in weight] if transpose_b else weight
    return _grouped_matmul("GroupedMatmul", x, weight, bias, group_list, split_item, group_type, False)


def _grouped_matmul_v2(
    x, weight, bias=None, scale=None, offset=None, antiquant_scale=None, antiquant_offset=None, group_list=None,
    split_item=0, group_type=-1,
):  # fmt: skip
    _plain("GroupedMatmulV2", scale, offset, antiquant_scale, antiquant_offset)
    return _grouped_matmul("GroupedMatmulV2", x, weight, bias, group_list, split_item, group_type, False)


def _grouped_matmul_v4(
    x, weight, bias=None, scale=None, offset=None, antiquant_scale=None, antiquant_offset=None, pre_token_scale=None,
    group_list=None, activation_input=None, activation_quant_scale=None, activation_quant_offset=None, split_item=0,
    group_type=-1, group_list_type=0, act_type=0, output_dtype=None,
):  # fmt: skip
    _plain("GroupedMatmulV4", scale, offset, antiquant_scale, antiquant_offset, pre_token_scale, activation_input,
           activation_quant_scale, activation_quant_offset)  # fmt: skip
    if act_type:
        raise UnsupportedError(f"'mindspore.ops.auto_generate.GroupedMatmulV4' with act_type {act_type}")
    counted = group_list_type == 1
    outs = _grouped_matmul("GroupedMatmulV4", x, weight, bias, group_list, split_item, group_type, counted)
    return outs if output_dtype is None else tuple([o.astype(output_dtype) for o in outs])


def _gmm(x, weight, bias=None, group_list=None, group_type=0, group_list_type=0):
    return _grouped_matmul("Gmm", x, weight, bias, group_list, 3, group_type, group_list_type == 1)


@op(static=("count",))
def _expert_ends(experts, count):
    return jnp.searchsorted(experts, jnp.arange(count), side="right").astype(experts.dtype)


@op(static=("active",))
def _init_routing(x, rows, experts, active):
    """Tokens in the order of their experts, where each went, and the experts in order."""
    order = jnp.argsort(experts.reshape(-1), stable=True)
    source = rows.reshape(-1)[order]
    places = jnp.zeros_like(source).at[source].set(jnp.arange(source.shape[0], dtype=source.dtype))
    kept = source[: min(active, x.shape[0]) * experts.shape[-1]]
    return x[kept % x.shape[0]], places, experts.reshape(-1)[order]


@op
def _finish_routing(expanded, x1, x2, bias, scales, places, experts):
    """The tokens' shares of their experts' results, added to `x1` and `x2`."""
    count, k = scales.shape
    out = x1 if x2 is None else x1 + x2
    for j in range(k):
        part = expanded[places[j * count : (j + 1) * count]]
        part = part if bias is None else part + bias[experts[:, j]]
        out = out + scales[:, j : j + 1] * part
    return out.astype(x1.dtype)


@op(static=("topk",))
def _permute_grad(dy, places, topk):
    """Each token was copied to `topk` places."""
    return dy[places.reshape(-1)].reshape(-1, topk, dy.shape[-1]).sum(1)


def _unpermute_grad(tokens, dy, places, probs=None, padded_mode=False, restore_shape=None):
    if probs is None:
        of_tokens = pull(lambda t: ops.moe_token_unpermute(t, places, None, padded_mode, restore_shape), dy, tokens)
        return of_tokens, None
    return pull(lambda t, p: ops.moe_token_unpermute(t, places, p, padded_mode, restore_shape), dy, tokens, probs)


# -- normalization over processes ------------------------------------------------------------------------------------
def _by_channel(value, x):
    return None if value is None else value.reshape(1, -1, *[1] * (x.ndim - 2))


@op
def _stats(x, eps):
    axes = (0, *range(2, x.ndim))
    wide = x.astype(jnp.float32)
    return wide.mean(axes), jax.lax.rsqrt(wide.var(axes) + eps)


@op
def _normalized(x, weight, bias, mean, invstd, eps):
    weight, bias, mean, invstd = (_by_channel(v, x) for v in (weight, bias, mean, invstd))
    out = (x - mean) * invstd
    out = out if weight is None else out * weight
    return (out if bias is None else out + bias).astype(x.dtype)


def batch_norm_elemt(input, weight=None, bias=None, mean=None, invstd=None, eps=1e-5):
    """Normalize with statistics that are given; `eps` is in `invstd` already."""
    return _normalized(input, weight, bias, mean, invstd, eps)


@op
def _gathered(mean, invstd, momentum, eps, counts, running_mean, running_var):
    share = counts.reshape(-1, 1).astype(mean.dtype)
    total = share.sum()
    whole = (mean * share).sum(0) / total
    variance = ((1 / invstd**2 - eps + (mean - whole) ** 2) * share).sum(0) / total
    out = [whole, jax.lax.rsqrt(variance + eps)]
    if running_mean is not None:
        out.append(((1 - momentum) * running_mean + momentum * whole).astype(running_mean.dtype))
        unbiased = variance * total / (total - 1)
        out.append(((1 - momentum) * running_var + momentum * unbiased).astype(running_var.dtype))
    return tuple(out)


def _gather_stats(input, mean, invstd, running_mean=None, running_var=None, momentum=0.1, eps=1e-5, counts=None):
    counts = mint.full((mean.shape[0],), input.size // input.shape[1]) if counts is None else counts
    out = _gathered(mean, invstd, momentum, eps, counts, running_mean, running_var)
    for target, value in zip((running_mean, running_var), out[2:], strict=bool(out[2:])):
        write_barrier.assign(target, value._v)
    return out[:2]


@op
def _reduced(dy, x, mean, invstd, weight):
    axes = (0, *range(2, x.ndim))
    total, product = dy.sum(axes), (dy * (x - _by_channel(mean, x))).sum(axes)
    return total, product, product * invstd, total


@op
def _element_grad(dy, x, mean, invstd, weight, sum_dy, sum_dy_xmu, count):
    total = count.sum().astype(x.dtype)
    mean, invstd, weight, sum_dy, sum_dy_xmu = (_by_channel(v, x) for v in (mean, invstd, weight, sum_dy, sum_dy_xmu))
    out = (dy - sum_dy / total - (x - mean) * invstd**2 * sum_dy_xmu / total) * invstd
    return (out if weight is None else out * weight).astype(x.dtype)


def _reduce_grad(dout, input, mean, invstd, weight, input_g=True, weight_g=True, bias_g=True):
    return _reduced(dout, input, mean, invstd, weight)


# -- updates ---------------------------------------------------------------------------------------------------------
@op(static=("amsgrad", "maximize"))
def _adamw_step(var, m, v, max_v, g, step, lr, beta1, beta2, decay, eps, amsgrad, maximize):
    rule = adjusted(rules.adam((beta1, beta2), eps, amsgrad, torch=True), 0.0, maximize)
    t = jnp.asarray(step, jnp.float32)
    change, *states = rule(wide(g), wide(var), lr, t, *map(wide, (m, v, max_v)), decay=decay)
    new = (var + change, *states)
    return tuple([a.astype(old.dtype) for a, old in zip(new, (var, m, v, max_v), strict=True)])


def _adamw(var, m, v, max_v, gradient, step, lr, beta1, beta2, decay, eps, amsgrad=False, maximize=False):
    step = ops.reshape(step, ()) if isinstance(step, Tensor) else step
    out = _adamw_step(var, m, v, max_v, gradient, step, lr, beta1, beta2, decay, eps, amsgrad, maximize)
    for target, value in zip((var, m, v, max_v), out, strict=True):
        write_barrier.assign(target, value._v)
    return var, m, v


@op(static=("accumulate",))
def _put(x, index, source, accumulate):
    at = x.reshape(-1).at[index.reshape(-1)]
    values = source.reshape(-1).astype(x.dtype)
    return (at.add(values) if accumulate else at.set(values)).reshape(x.shape)


def _inplace_put(input, index, source, accumulate=False):
    out = _put(input, index, source, accumulate)
    write_barrier.assign(input, out._v, out._node)
    return input


# -- quantization and caches -----------------------------------------------------------------------------------------
@op
def _eight_bits(x):
    return jnp.clip(jnp.round(x.astype(jnp.float32)), -128, 127).astype(jnp.int8)


def _quantize(x, scale, offset, sqrt_mode=False, rounding_mode="ROUND", dst_type=mstype.int8):
    if sqrt_mode or str(rounding_mode).upper() != "ROUND" or dst_type is not mstype.int8:
        raise ValueError("For 'QuantV2', it must be 'sqrt_mode' False, 'rounding_mode' ROUND and 'dst_type' int8.")
    if scale.shape[-1] != x.shape[-1] or offset.shape[-1] != x.shape[-1]:
        raise ValueError(f"For 'QuantV2', the last sizes of {x.shape}, {scale.shape} and {offset.shape} differ.")
    return _eight_bits(ops.add(ops.mul(x, scale), offset))


@op(static=("transposed", "group"))
def _dequantized(weight, scale, offset, transposed, group):
    """`(weight + offset) * scale` as [..., K, N]; a scale for all, for each of N, or for each group of K, too."""
    weight = weight.astype(scale.dtype)
    weight = jnp.swapaxes(weight, -1, -2) if transposed else weight

    def spread(values):
        if values.size == 1:
            return values.reshape(())
        if values.ndim < 2:
            return values
        values = jnp.swapaxes(values, -1, -2) if transposed else values
        return jnp.repeat(values, group, -2)[..., : weight.shape[-2], :] if group else values

    return (weight if offset is None else weight + spread(offset)) * spread(scale)


def _quantized_product(
    x, weight, antiquant_scale, antiquant_offset, quant_scale, quant_offset, bias,
    transpose_x, transpose_weight, antiquant_group_size,
):  # fmt: skip
    """The product of `x` with a weight of Int8 or Int4 that is scaled back; Int8 again where `quant_scale` is given."""
    api = "WeightQuantBatchMatmul"
    for name, tensor in (("x", x), ("weight", weight)):
        if tensor.ndim < 2:
            raise ValueError(f"For '{api}', the '{name}' must have at least 2 dimensions, but got {tensor.shape}.")
    if weight.dtype not in (mstype.int8, mstype.qint4x2):
        raise TypeError(f"For '{api}', the dtype of 'weight' must be Int8 or Int4, but got {weight.dtype}.")
    left = ops.swapaxes(x, -1, -2) if transpose_x else x
    right = _dequantized(weight, antiquant_scale, antiquant_offset, transpose_weight, antiquant_group_size)
    if left.shape[-1] != right.shape[-2]:
        raise ValueError(f"For '{api}', the shapes {x.shape} and {weight.shape} do not fit.")
    out = ops.matmul(left, right.astype(x.dtype))
    if bias is not None:
        out = ops.add(out, bias).astype(x.dtype)
    if quant_scale is None:
        return out
    scaled = ops.mul(out, quant_scale)
    return _eight_bits(scaled if quant_offset is None else ops.add(scaled, quant_offset))


def _quantize_rows(x, smooth_scales=None):
    """Each row divided by its largest absolute value, in steps of 1/127, and the size of a step."""
    if not x.ndim:
        raise ValueError("For 'DynamicQuantExt', the 'x' must have at least 1 dimension.")
    x = (x if smooth_scales is None else ops.mul(x, smooth_scales)).astype(mstype.float32)
    step = ops.div(ops.amax(ops.abs(x), -1), 127)
    return _eight_bits(ops.div(x, ops.expand_dims(ops.select(ops.equal(step, 0), ops.ones_like(step), step), -1))), step


@op
def _products_of_groups(x, weight, ends, out):
    rows = jnp.arange(x.shape[0])
    starts = jnp.concatenate([jnp.zeros(1, ends.dtype), ends[:-1]])
    member = ((rows >= starts[:, None]) & (rows < ends[:, None])).astype(x.dtype)
    products = jnp.einsum("gm,mk,mn->gkn", member, x, weight, preferred_element_type=jnp.float32)
    return out + products.reshape(out.shape).astype(out.dtype)


def _add_products(x, weight, group_list, out):
    if x.dtype is not weight.dtype:
        raise TypeError(f"For 'InplaceGroupedMatmulAdd', the dtypes {x.dtype} and {weight.dtype} differ.")
    new = _products_of_groups(x, weight, group_list, out)
    write_barrier.assign(out, new._v, new._node)
    return out


@op(static=("axis",))
def _at_places(var, indices, updates, axis):
    return jax.vmap(lambda v, at, u: jax.lax.dynamic_update_slice_in_dim(v, u.astype(v.dtype), at, axis))(
        var, indices, updates
    )


def _update_cache(var, indices, updates, axis, reduce="none"):
    """For each of the batch, `updates` from the place in `indices` on."""
    if axis not in (-1, -2) or reduce not in ("none", "update"):
        raise ValueError(f"For 'KVCacheScatterUpdate', got 'axis' {axis} and 'reduce' {reduce!r}.")
    new = _at_places(var, indices, updates, axis)
    write_barrier.assign(var, new._v, new._node)
    return var


def format_cast(input, acl_format):
    """The input; XLA chooses its memory layout."""
    no_effect("format_cast", "XLA chooses layouts", acl_format=acl_format)
    return input


def _speed_fusion_forward(query, key, value, head_num, input_layout, seed, offset, *rest, **named):
    """`seed` and `offset` are Ascend's generator state; here `mindspore.manual_seed` sets the dropout's generator."""
    names = (
        "pse", "padding_mask", "atten_mask", "scale", "keep_prob", "pre_tokens", "next_tokens", "inner_precise",
        "prefix", "actual_seq_qlen", "actual_seq_kvlen", "sparse_mode", "gen_mask_parallel", "sync", "pse_type",
        "q_start_idx", "kv_start_idx",
    )  # fmt: skip
    named |= dict(zip(names, rest, strict=False))
    return ops.speed_fusion_attention(query, key, value, head_num, input_layout, **named)


FUSED: dict[str, Callable] = {
    "DynamicQuantExt": _quantize_rows,
    "FormatCast": format_cast,
    "InplaceGroupedMatmulAdd": _add_products,
    "KVCacheScatterUpdate": _update_cache,
    "QuantV2": _quantize,
    "SpeedFusionAttention": _speed_fusion_forward,
    "GroupedMatmulV2": _grouped_matmul_v2,
    "GroupedMatmulV4": _grouped_matmul_v4,
    "Gmm": _gmm,
    "GmmV2": _gmm,
    "MoeComputeExpertTokens": lambda sorted_experts, num_expert: _expert_ends(sorted_experts, num_expert),
    "MoeInitRouting": lambda x, row_idx, expert_idx, active_num: _init_routing(x, row_idx, expert_idx, active_num),
    "MoeInitRoutingV2": lambda *args: ops.moe_init_routing_v2(*args),
    "MoeFinalizeRouting": (
        lambda expanded_x, x1, x2=None, bias=None, scales=None, expanded_row_idx=None, expanded_expert_idx=None: (
            _finish_routing(expanded_x, x1, x2, bias, scales, expanded_row_idx, expanded_expert_idx)
        )
    ),
    "MoeTokenPermute": lambda *args, **kwargs: ops.moe_token_permute(*args, **kwargs),
    "MoeTokenUnpermute": lambda *args, **kwargs: ops.moe_token_unpermute(*args, **kwargs),
    "MoeTokenPermuteGrad": lambda permuted_tokens_grad, sorted_indices, num_topk=1, padded_mode=False: _permute_grad(
        permuted_tokens_grad, sorted_indices, num_topk
    ),
    "MoeTokenUnpermuteGrad": _unpermute_grad,
    "BatchNormStats": _stats,
    "BatchNormElemt": batch_norm_elemt,
    "BatchNormGatherStatsWithCounts": _gather_stats,
    "BatchNormReduceGrad": _reduce_grad,
    "BatchNormElemtGrad": _element_grad,
    "AddLayerNormV2": lambda x1, x2, gamma, beta, epsilon=1e-5, additionalOut=False: ops.add_layer_norm(
        x1, x2, gamma, beta, epsilon, additionalOut
    ),
    "AdamW": _adamw,
    "InplacePut": _inplace_put,
}
BUILT_FUSED = {
    "WeightQuantBatchMatmul": Row(
        _quantized_product,
        (
            "x", "weight", "antiquant_scale", ("antiquant_offset", None), ("quant_scale", None), ("quant_offset", None),
            ("bias", None),
        ),
        {"transpose_x": False, "transpose_weight": False, "antiquant_group_size": 0},
        {"transpose_x": (bool,), "transpose_weight": (bool,), "antiquant_group_size": (int,)},
    ),  # fmt: skip
    "GroupedMatmul": Row(
        _built_matmul,
        (
            "x", "weight", ("bias", None), ("scale", None), ("offset", None), ("antiquant_scale", None),
            ("antiquant_offset", None), ("group_list", None),
        ),
        {"split_item": 0, "group_type": -1, "transpose_a": False, "transpose_b": False},
    ),
}  # fmt: skip
