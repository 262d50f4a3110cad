"""A program of the tests: products by XLA and by other programs in one process; prints what differs, as JSON.

python -m tests._core.products.values onednn    # with oneDNN
python -m tests._core.products.values columns    # without it: other forms for XLA
"""

import json
import os
import sys

if __name__ == "__main__":  # not where a test imports the cases
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count=2"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.onednn import calls
from ms_compat._core.products import lowering as products

products.LEAST = 1
calls.has_avx512 = lambda: True
TARGET = "@ms_compat_onednn"
random = np.random.RandomState(0)


def floats(*shape):
    return jnp.asarray(random.randn(*shape).astype(np.float32))


def dot(contracted, batched=((), ())):
    return lambda a, b: lax.dot_general(a, b, (contracted, batched))


def with_gradients(function):
    def apply(a, b):
        y, pullback = jax.vjp(function, a, b)
        return y, pullback(jnp.cos(y))

    return apply


# name: (the function, the shapes of its arguments, the calls of oneDNN in its program, the exchanged operands)
CASES = {
    "rows": (dot(((1,), (0,))), ((64, 70), (70, 80)), 1, 0),
    "transposed right": (dot(((1,), (1,))), ((64, 70), (80, 70)), 1, 0),
    "transposed left": (dot(((0,), (0,))), ((70, 64), (70, 80)), 1, 0),
    "transposed left, more rows": (dot(((0,), (0,))), ((70, 80), (70, 64)), 1, 1),
    "both transposed": (dot(((0,), (1,))), ((70, 64), (80, 70)), 1, 1),
    "transposed result": (lambda a, b: dot(((0,), (0,)))(a, b).T, ((70, 80), (70, 64)), 1, 1),
    "two contracted axes": (dot(((0, 1), (0, 1))), ((8, 12, 70), (8, 12, 80)), 1, 0),
    "two contracted axes, more rows": (dot(((0, 1), (0, 1))), ((8, 12, 80), (8, 12, 70)), 1, 1),
    "contracted in another order": (dot(((2, 1), (2, 1))), ((64, 5, 70), (80, 5, 70)), 1, 0),
    "contracted apart": (dot(((0, 2), (1, 2))), ((5, 64, 70), (80, 5, 70)), 1, 0),
    "three axes": (dot(((2,), (1,))), ((8, 12, 70), (80, 70)), 1, 0),
    "batch": (dot(((3,), (2,)), ((0, 1), (0, 1))), ((3, 4, 33, 40), (3, 4, 40, 50)), 1, 0),
    "batch in the middle": (dot(((3,), (3,)), ((0, 2), (0, 2))), ((3, 33, 4, 40), (3, 50, 4, 40)), 1, 0),
    "batch behind": (dot(((0,), (0,)), ((2,), (1,))), ((40, 33, 7), (40, 7, 50)), 0, 0),
    "axes of one": (dot(((2,), (0,))), ((1, 64, 70), (70, 1, 80)), 1, 0),
    "a batch of one": (dot(((1,), (2,)), ((0,), (0,))), ((1, 70, 64), (1, 80, 70)), 1, 1),
    "gradients": (with_gradients(dot(((2,), (1,)))), ((8, 12, 70), (80, 70)), 3, 1),
    "jvp": (lambda a, b: jax.jvp(dot(((1,), (0,))), (a, b), (a * 2, b + 1)), ((64, 70), (70, 80)), 3, 0),
    "vmap": (jax.vmap(with_gradients(dot(((1,), (0,)))), (0, None)), ((5, 64, 70), (70, 80)), 3, 0),
    "second order": (
        jax.grad(lambda a, b: sum(jnp.sum(g**3) for g in with_gradients(dot(((1,), (0,))))(a, b)[1])),
        ((64, 70), (70, 80)), None, None),
    "in a loop": (lambda a, b: lax.fori_loop(0, 3, lambda _, x: jnp.tanh(x @ b / 70), a), ((64, 70), (70, 70)), 1, 0),
    "a vector": (dot(((1,), (0,))), ((64, 70), (70,)), 0, 0),
    "one row": (dot(((1,), (0,))), ((1, 70), (70, 80)), 0, 0),
    "outer": (dot(((), ())), ((64,), (80,)), 0, 0),
    "empty": (dot(((1,), (0,))), ((0, 70), (70, 80)), 0, 0),
}  # fmt: skip


def program_of(name):
    """The lowered program of a case."""
    function, shapes, *_ = CASES[name]
    return jax.jit(function).lower(*[jax.ShapeDtypeStruct(shape, np.float32) for shape in shapes])


def described(text):
    """The calls of oneDNN in a program, and the products whose operands are exchanged."""
    return text.count(TARGET), text.count("call @_transposed_vector")


def differences():
    """Of each case: the largest error, whether shapes and dtypes agree, calls of oneDNN, exchanged operands."""
    inputs = {name: [floats(*shape) for shape in shapes] for name, (_, shapes, *_) in CASES.items()}
    lowered = {name: jax.jit(CASES[name][0]).lower(*inputs[name]) for name in CASES}
    assert all(described(program.as_text()) == (0, 0) for program in lowered.values())
    by_xla = {name: jax.tree.leaves(program.compile()(*inputs[name])) for name, program in lowered.items()}
    products.use()
    jax.clear_caches()
    told = {}
    for name, (function, *_) in CASES.items():
        program = jax.jit(function).lower(*inputs[name])
        pairs = list(zip(jax.tree.leaves(program.compile()(*inputs[name])), by_xla[name], strict=True))
        error = max((float(jnp.abs(a - b).max() / jnp.abs(b).max()) for a, b in pairs if a.size), default=0.0)
        same = all((a.shape, a.dtype) == (b.shape, b.dtype) for a, b in pairs)
        told[name] = [error, same, *described(program.as_text())]
    return told


def left_to_xla():
    """What the programs have that are lowered as before."""
    a, b = floats(70, 64), floats(70, 80)
    plain = dot(((0,), (0,)))
    mesh = jax.sharding.Mesh(jax.devices(), ("a",))
    rows = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("a"))
    texts = {
        name: jax.jit(plain).lower(a.astype(dtype), b.astype(dtype)).as_text()
        for name, dtype in {"bfloat16": jnp.bfloat16, "int32": jnp.int32}.items()
    }
    texts["two devices"] = jax.jit(plain).lower(jax.device_put(a, rows), b).as_text()
    texts["exported"] = jax.export.export(jax.jit(plain))(a, b).mlir_module()
    texts["another platform"] = jax.jit(plain).trace(a, b).lower(lowering_platforms=("tpu",)).as_text()
    products.LEAST = 70 * 64 * 80 + 1
    texts["small"] = jax.jit(lambda a, b: plain(a, b)).lower(a, b).as_text()
    return {name: described(text) for name, text in texts.items()}


def without_avx512():
    """What the programs of two matrices, and of a batch, have on a processor without AVX-512."""
    products.LEAST = 1
    calls.has_avx512 = lambda: False
    jax.clear_caches()
    names = ("rows", "gradients", "batch")
    return {name: described(program_of(name).as_text()) for name in names}


if __name__ == "__main__":
    print(json.dumps({"differences": differences(), "left": left_to_xla(), "without AVX-512": without_avx512()}))
    assert sys.argv[1] == ("columns" if os.environ.get("MS_COMPAT_ONEDNN") == "0" else "onednn")
