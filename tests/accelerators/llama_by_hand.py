"""The step of `programs/llama.py` written in JAX for GSPMD."""

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


def compiled(devices, size, how, layers):
    """The step, compiled for GPUs, and the bytes of its weights on a chip."""
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
        with jax_compat.with_cudnn():
            y = jax.nn.dot_product_attention(rotate(q), rotate(k), v, is_causal=True, implementation="cudnn")
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
    with not_cached():
        found = jax.jit(step, donate_argnums=(0, 1, 2)).lower(*[params_given] * 3, ids, ids).compile()
    return found, sum(2 * math.prod(p.sharding.shard_shape(p.shape)) for p in jax.tree.leaves(params_given))
