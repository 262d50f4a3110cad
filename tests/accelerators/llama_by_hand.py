"""The step of `programs/llama.py` written in JAX for GSPMD."""

import functools
import math

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from ms_compat._core import jax_compat
from ms_compat._targets.compiled import not_cached

F32, BF16 = jnp.float32, jnp.bfloat16
SIZES = {"7b": (4096, 32, 32, 11008, 32000, 4096), "70b": (8192, 64, 8, 28672, 32000, 4096)}


def places(how, sizes):
    """The shape of each weight of a block and of the rest, and along which axes of the mesh each is cut."""
    width, heads, groups, inner, words, _ = sizes
    own = width // heads * groups
    by_outputs, by_inputs, norm = P("mp", None), P(None, "mp"), P()
    if how in ("both", "optimizer"):
        by_outputs, by_inputs, norm = P(("mp", "dp"), None), P("dp", "mp"), P("dp")
    block = {
        "norm1": ((width,), norm), "norm2": ((width,), norm),
        "q": ((width, width), by_outputs), "k": ((own, width), by_outputs), "v": ((own, width), by_outputs),
        "out": ((width, width), by_inputs), "gate": ((inner, width), by_outputs), "up": ((inner, width), by_outputs),
        "down": ((width, inner), by_inputs),
    }  # fmt: skip
    rest = {"words": ((words, width), by_outputs), "norm": ((width,), norm), "head": ((words, width), by_outputs)}
    return block, rest


def attention(mesh, heads, length):
    """Causal attention of [B, S, N, D] by the kernel of GPUs, or by that of TPUs on samples and heads of each."""
    if mesh.devices.flat[0].platform != "tpu":
        by_kernel = functools.partial(jax.nn.dot_product_attention, is_causal=True, implementation="cudnn")
        return jax_compat.with_cudnn()(by_kernel)
    from jax.experimental.pallas.ops.tpu.splash_attention import splash_attention_kernel as kernels
    from jax.experimental.pallas.ops.tpu.splash_attention import splash_attention_mask as masks

    sizes = dict.fromkeys(
        ("block_q", "block_kv", "block_kv_compute", "block_q_dkv", "block_kv_dkv", "block_kv_dkv_compute", "block_q_dq",
         "block_kv_dq"), 512,
    )  # fmt: skip

    def on_a_chip(q, k, v):
        mask = masks.MultiHeadMask([masks.CausalMask((length, length))] * (heads // mesh.shape["mp"]))
        run = kernels.make_splash_mha(mask, block_sizes=kernels.BlockSizes(**sizes), head_shards=1, q_seq_shards=1)
        q = (q * q.shape[-1] ** -0.5).astype(q.dtype)
        return jax.vmap(run)(*[x.swapaxes(1, 2) for x in (q, k, v)]).swapaxes(1, 2)

    how = P("dp", None, "mp")
    return jax.shard_map(on_a_chip, mesh=mesh, in_specs=(how, how, how), out_specs=how, check_vma=False)


def compiled(devices, size, how, layers):
    """The step, compiled for devices, and the bytes of its weights on a chip."""
    width, heads, groups, _, _, length = sizes = SIZES[size]
    dp, mp = {"strategies": (len(devices) // 8, 8), "both": (len(devices) // 8, 8), "optimizer": (len(devices), 1)}[how]
    mesh = Mesh(np.array(devices).reshape(dp, mp), ("dp", "mp"))
    head = width // heads
    angles = np.outer(np.arange(length), 1e4 ** -(np.arange(0, head, 2) / head))
    cos, sin = (np.concatenate([f(angles)] * 2, -1).astype(BF16)[:, None] for f in (np.cos, np.sin))

    def lying(x, *spec):
        return jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P(*spec)))

    def dense(x, w, by_inputs=False):
        if by_inputs:
            return lying(lying(x, "dp", "mp") @ lying(w, None, "mp").T, "dp", None)
        return lying(lying(x, "dp", None) @ lying(w, "mp", None).T, "dp", "mp")

    def normal(x, gamma):
        wide = x.astype(F32)
        return (wide * jax.lax.rsqrt((wide * wide).mean(-1, keepdims=True) + 1e-5) * gamma.astype(F32)).astype(BF16)

    def rotate(x):
        low, high = jnp.split(x, 2, -1)
        return x * cos + jnp.concatenate([-high, low], -1) * sin

    def attend(p, x):
        q, k, v = (
            lying(dense(x, p[name]).reshape(-1, length, n, head), "dp", None, "mp", None)
            for name, n in (("q", heads), ("k", groups), ("v", groups))
        )
        y = attention(mesh, heads, length)(rotate(q), rotate(k), v)
        return dense(y.reshape(x.shape), p["out"], by_inputs=True)

    @jax.checkpoint
    def block(p, x):
        x = x + attend(p, normal(x, p["norm1"]))
        y = normal(x, p["norm2"])
        return x + dense(jax.nn.silu(dense(y, p["gate"])) * dense(y, p["up"]), p["down"], by_inputs=True)

    def loss(params, ids, labels):
        blocks, rest = params
        x = lying(lying(rest["words"], "mp", None)[ids], "dp", None, None).reshape(-1, width)
        for p in blocks:
            x = block(p, x)
        logits = dense(normal(x, rest["norm"]), rest["head"]).astype(F32)
        return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels.reshape(-1, 1), 1).mean()

    def update(p, g, m, v):
        p32, g32, m, v = (x.astype(F32) for x in (p, g, m, v))
        m, v = 0.9 * m + 0.1 * g32, 0.999 * v + 0.001 * g32 * g32
        return [x.astype(BF16) for x in (p32 - 1e-4 * m / (jnp.sqrt(v) + 1e-6), m, v)]

    def step(params, first, second, ids, labels):
        value, grads = jax.value_and_grad(loss)(params, ids, labels)
        leaves, tree = jax.tree.flatten(params)
        done = [update(*x) for x in zip(leaves, *map(jax.tree.leaves, (grads, first, second)), strict=True)]
        new = [tree.unflatten(x) for x in zip(*done, strict=True)]
        where = jax.tree.map(lambda p: p.sharding, params_given)
        return (*[jax.lax.with_sharding_constraint(x, where) for x in new], value)

    def given(places):
        return {
            name: jax.ShapeDtypeStruct(shape, BF16, sharding=NamedSharding(mesh, spec))
            for name, (shape, spec) in places.items()
        }

    block_places, rest_places = places(how, sizes)
    params_given = ([given(block_places) for _ in range(layers)], given(rest_places))
    ids = jax.ShapeDtypeStruct((dp, length), jnp.int32, sharding=NamedSharding(mesh, P("dp")))
    with not_cached(), jax.enable_x64(False):
        found = jax.jit(step, donate_argnums=(0, 1, 2)).lower(*[params_given] * 3, ids, ids).compile()
    return found, sum(2 * math.prod(p.sharding.shard_shape(p.shape)) for p in jax.tree.leaves(params_given))
