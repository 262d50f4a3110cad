"""The steps of `programs/parallel.py` written in JAX for GSPMD: a mesh, shardings of what goes in, and constraints."""

import math
from collections import OrderedDict

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from ms_compat._targets.compiled import not_cached

WIDTH, INNER, BATCH = 1024, 4096, 4096
WEIGHTS = {"up": (INNER, WIDTH), "bias": (INNER,), "down": (WIDTH, INNER), "last": (WIDTH,)}
ROWS = {"up": (INNER, WIDTH), "down": (INNER, WIDTH)}  # `down` as the other factor


class How:
    """How a step lies: the mesh's shape, what lies along which of its axes, and in how many parts the batch goes."""

    def __init__(self, shape, batch, weights, recompute=False, parts=1):
        self.shape = (*shape, *[1] * (3 - len(shape)))
        self.batch, self.weights, self.recompute, self.parts = batch, weights, recompute, parts


def how(name, chips):
    whole = dict.fromkeys(WEIGHTS, P())
    dp = 2 ** (int(math.log2(chips)) // 2)
    both = {"up": P("mp", None), "down": P("mp", None)}
    stages = {"up": P(("mp", "pp"), None), "down": P(("mp", "pp"), None)}
    same = {"data": "mode", "reducer": "mode", "layouts": "strategies", "auto": "strategies", "hsdp": "optimizer"}
    return {
        "mode": How((chips, 1), P("dp", None), whole),
        "tensor": How((1, chips), P(), {"up": P("mp", None), "bias": P("mp"), "down": P(None, "mp"), "last": P()}),
        "strategies": How((dp, chips // dp), P(), both),
        "recompute": How((dp, chips // dp), P(), both, recompute=True),
        "optimizer": How((chips, 1), P("dp", None), {**whole, "up": P("dp"), "down": P("dp")}),
        "parts": How((2, chips // 4, 2), P(), both, parts=4),
        "stages": How((2, chips // 4, 2), P(), stages, parts=4),
    }[same.get(name, name)]


def compiled(devices, name, layers=1):
    """The step, compiled for devices, and the bytes of its weights on a chip."""
    chosen = how(name, len(devices))
    mesh = Mesh(np.array(devices).reshape(chosen.shape), ("dp", "mp", "pp"))
    shapes = ROWS if "bias" not in chosen.weights else WEIGHTS

    def lying(x, spec):
        return jax.lax.with_sharding_constraint(x, NamedSharding(mesh, spec))

    def block(p, x):
        if "bias" in p:
            return jax.nn.relu(x @ p["up"].T + p["bias"]) @ p["down"].T + p["last"]
        hidden = lying(jax.nn.relu(lying(x, P("dp", None)) @ p["up"].T), P("dp", "mp"))
        return lying(hidden @ p["down"], P("dp", None))

    def loss(params, x, label):
        total = 0.0
        for y, wanted in zip(jnp.split(x, chosen.parts), jnp.split(label, chosen.parts), strict=True):
            for p in params:
                y = (jax.checkpoint(block) if chosen.recompute else block)(p, y)
            total += ((y - wanted) ** 2).mean()
        return total

    def step(params, moments, x, label):
        value, grads = jax.value_and_grad(loss)(params, x, label)
        moments = jax.tree.map(lambda m, g: 0.9 * m + g, moments, grads)
        new = jax.tree.map(lambda p, m: p - 0.1 * m, params, moments)
        where = jax.tree.map(lambda p: p.sharding, given)
        return (*jax.lax.with_sharding_constraint((new, moments), (where, where)), value)

    shardings = {name: NamedSharding(mesh, chosen.weights[name]) for name in shapes}
    given = [
        OrderedDict((n, jax.ShapeDtypeStruct(shape, jnp.float32, sharding=shardings[n])) for n, shape in shapes.items())
        for _ in range(layers)
    ]
    x = jax.ShapeDtypeStruct((BATCH, WIDTH), jnp.float32, sharding=NamedSharding(mesh, chosen.batch))
    with not_cached():
        found = jax.jit(step, donate_argnums=(0, 1)).lower(given, given, x, x).compile()
    return found, sum(4 * math.prod(p.sharding.shard_shape(p.shape)) for p in jax.tree.leaves(given))
