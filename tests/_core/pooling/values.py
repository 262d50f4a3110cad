"""A program of the tests: gradients of maximum pooling by XLA and by the other program; prints the bits that differ.

Run it as `python -m tests._core.pooling.values`; it prints JSON.
"""

import functools
import json
import os

if __name__ == "__main__":  # not where a test imports the cases
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count=2"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.pooling import lowering

random = np.random.RandomState(0)
SPECIAL = (0.0, -0.0, 1.0, 2.0, np.nan, np.inf, -np.inf)


def ties(*shape):
    """Numbers of which many are equal."""
    return random.randint(0, 3, shape).astype(np.float32)


def special(*shape):
    """NaN, infinities and zeros of both signs among numbers."""
    return random.choice(SPECIAL, shape).astype(np.float32)


def lowest(*shape):
    """Windows that hold nothing but -inf, and a few that do not."""
    return np.where(random.rand(*shape) < 0.1, 1.0, -np.inf).astype(np.float32)


def pool(kernel, stride, pads=None, choose=lax.max, front=2):
    """Pooling of the last axes."""
    worst = -np.inf if choose is lax.max else np.inf
    padding = ((0, 0),) * (front + len(kernel)) if pads is None else ((0, 0),) * front + tuple(pads)
    ones = (1,) * front

    def apply(x):
        start = np.asarray(worst, x.dtype)
        return lax.reduce_window(x, start, choose, (*ones, *kernel), (*ones, *stride), padding)

    return apply


def gradient(function):
    return lambda x, dy: jax.vjp(function, x)[1](dy)[0]


def second(function):
    """Gradients of a gradient, by the cotangent and by the input."""
    return lambda x, dy: jax.vjp(lambda x, dy: jnp.sin(gradient(lambda x: function(x) ** 2)(x, dy)), x, dy)[1](x)


P1 = ((1, 1), (1, 1))
# name: the function of input and cotangent, the pooling, the input's shape
CASES = {
    "2 x 2": (gradient, pool((2, 2), (2, 2)), (2, 3, 8, 6)),
    "2 x 2, a remainder": (gradient, pool((2, 2), (2, 2)), (2, 3, 7, 5)),
    "3 x 3, stride 2, padded": (gradient, pool((3, 3), (2, 2), P1), (2, 3, 9, 8)),
    "3 x 3, stride 1, padded": (gradient, pool((3, 3), (1, 1), P1), (2, 3, 6, 7)),
    "3 x 2, strides 1 and 3": (gradient, pool((3, 2), (1, 3)), (2, 3, 8, 11)),
    "stride beyond the window": (gradient, pool((1, 2), (3, 4)), (2, 3, 8, 11)),
    "unequal padding": (gradient, pool((4, 3), (3, 2), ((2, 5), (0, 3))), (2, 3, 9, 8)),
    "one window": (gradient, pool((5, 4), (1, 1)), (2, 3, 5, 4)),
    "one element": (gradient, pool((1, 1), (1, 1)), (2, 3, 5, 4)),
    "one axis": (gradient, pool((4,), (2,), ((1, 2),)), (2, 3, 13)),
    "three axes": (gradient, pool((2, 3, 2), (2, 2, 1), ((1, 0), (1, 1), (0, 1))), (2, 3, 5, 6, 4)),
    "all axes": (gradient, pool((2, 2, 3), (1, 2, 2), front=0), (4, 5, 8)),
    "channels last": (gradient, pool((2, 2, 1), (2, 2, 1), ((0, 1), (1, 0), (0, 0)), front=1), (2, 7, 8, 3)),
    "minima": (gradient, pool((3, 2), (2, 2), P1, lax.min), (2, 3, 9, 8)),
    "the largest window": (gradient, pool((8, 8), (8, 8)), (2, 3, 16, 16)),
    "second order": (second, pool((3, 3), (2, 2), P1), (2, 3, 9, 8)),
    "vmap": (lambda f: jax.vmap(gradient(f)), pool((3, 3), (2, 2), P1), (4, 2, 3, 9, 8)),
    "jvp": (
        lambda f: lambda x, dy: jax.jvp(functools.partial(gradient(f), x), (dy,), (dy * 3,)),
        pool((2, 2), (2, 2), ((0, 1), (0, 1))), (2, 3, 7, 5)),
}  # fmt: skip
LEFT = {
    "a window of 65": (gradient(pool((13, 5), (1, 1))), np.float32, (2, 3, 14, 6)),
    "bfloat16": (gradient(pool((2, 2), (2, 2))), jnp.bfloat16, (2, 3, 8, 6)),
    "float16": (gradient(pool((2, 2), (2, 2))), np.float16, (2, 3, 8, 6)),
    "empty": (gradient(pool((2, 2), (2, 2))), np.float32, (0, 3, 8, 6)),
}


def pooled_shape(function, shape):
    return jax.eval_shape(function, jax.ShapeDtypeStruct(shape, np.float32)).shape


def inputs():
    """Of each case and kind of numbers: an input and a cotangent."""
    given = {}
    for name, (_, function, shape) in CASES.items():
        out = pooled_shape(jax.vmap(function) if name == "vmap" else function, shape)
        for make in (ties, special, lowest):
            for dtype in (np.float32, np.float64):
                dy = random.choice((1.5, -2.25, 0.0, -0.0, 1e-3, 1e8, np.nan), out)
                given[f"{name}, {make.__name__}, {dtype.__name__}"] = make(*shape).astype(dtype), dy.astype(dtype)
    return given


def bits(values):
    """The bits of some arrays, without the sign of NaN, which compilers choose."""
    arrays = [np.asarray(value) for value in jax.tree.leaves(values)]
    return [np.where(np.isnan(array), np.nan, array).tobytes() for array in arrays]


def results(given):
    """Of each case: the shapes, dtypes and bits of its results, and the scatters in its program."""
    found, scatters = {}, 0
    for name, values in given.items():
        way, function, _ = CASES[name.rsplit(", ", 2)[0]]
        lowered = jax.jit(way(function)).lower(*values)
        out = lowered.compile()(*values)
        found[name] = [(v.shape, v.dtype) for v in jax.tree.leaves(out)], bits(out)
        scatters += counted(lowered.as_text())
    return found, scatters


def counted(text):
    return text.count("stablehlo.select_and_scatter")


def left_to_xla():
    """How many of XLA's operations the programs have that are lowered as before."""
    plain = gradient(pool((2, 2), (2, 2)))
    x, dy = jnp.asarray(ties(2, 3, 8, 6)), jnp.asarray(ties(2, 3, 4, 3))
    mesh = jax.sharding.Mesh(jax.devices(), ("a",))
    rows = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("a"))
    texts = {}
    for name, (function, dtype, shape) in LEFT.items():
        pooled = (shape[0], shape[1], 2, 2) if "65" in name else (*shape[:2], 4, 3)
        texts[name] = jax.jit(function).lower(jnp.zeros(shape, dtype), jnp.zeros(pooled, dtype)).as_text()
    texts["two devices"] = jax.jit(plain).lower(jax.device_put(x, rows), dy).as_text()
    texts["exported"] = jax.export.export(jax.jit(plain))(x, dy).mlir_module()
    return {name: counted(text) for name, text in texts.items()}


def main():
    jax.config.update("jax_enable_x64", True)
    given = inputs()
    by_xla, scatters = results(given)
    lowering.use()
    jax.clear_caches()
    ours, left = results(given)
    told = {
        "cases": len(given),
        "different": [name for name in given if ours[name] != by_xla[name]],
        "scatters": [scatters, left],
        "left": left_to_xla(),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
