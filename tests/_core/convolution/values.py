"""A program of the tests: convolutions by XLA and by other programs in one process; prints what differs, as JSON.

python -m tests._core.convolution.values onednn    # with oneDNN
python -m tests._core.convolution.values groups    # without it: the programs for groups
python -m tests._core.convolution.values kernels   # without it: the programs for 3 places and for three axes
"""

import json
import os
import re
import sys

if __name__ == "__main__":  # not where a test imports the cases
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count=2"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.convolution import lowering, onednn, three_axes, winograd
from ms_compat._core.onednn import calls, plans

onednn.LEAST = onednn.LEAST_IN_GROUPS = 1
random = np.random.RandomState(0)
TARGET = "ms_compat_onednn"
LAYOUTS = {3: ("NCH", "OIH", "NCH"), 4: ("NCHW", "OIHW", "NCHW"), 5: ("NCDHW", "OIDHW", "NCDHW")}


def floats(*shape):
    return jnp.asarray(random.randn(*shape).astype(np.float32))


def conv(stride, pads, dilation=None, layout=None, **options):
    def apply(x, w):
        numbers = layout or LAYOUTS[x.ndim]
        return lax.conv_general_dilated(x, w, stride, pads, rhs_dilation=dilation, dimension_numbers=numbers, **options)

    return apply


def with_gradients(function):
    def apply(x, w):
        y, pullback = jax.vjp(function, x, w)
        return y, pullback(jnp.cos(y))

    return apply


# name: (the function, the shapes of its arguments, how many calls of oneDNN its program has, None for any number)
PADDED = ((1, 1), (1, 1))
CASES = {
    "3 x 3": (with_gradients(conv((1, 1), PADDED)), ((2, 8, 9, 7), (6, 8, 3, 3)), 3),
    "stride": (with_gradients(conv((2, 2), PADDED)), ((2, 8, 9, 8), (6, 8, 3, 3)), 3),
    "1 x 1 with a stride": (with_gradients(conv((2, 2), ((0, 0), (0, 0)))), ((2, 8, 9, 8), (6, 8, 1, 1)), 3),
    "unequal": (
        with_gradients(conv((2, 1), ((2, 1), (2, 4)), (2, 1))), ((4, 5, 13, 11), (7, 5, 3, 5)), 3),
    "patches": (with_gradients(conv((8, 8), ((0, 0), (0, 0)))), ((2, 3, 32, 24), (6, 3, 8, 8)), 3),
    "a kernel as large as the input": (with_gradients(conv((1, 1), ((0, 0), (0, 0)))), ((2, 3, 7, 7), (6, 3, 7, 7)), 3),
    "far dilated": (with_gradients(conv((1, 1), ((5, 5), (5, 5)), (5, 5))), ((2, 3, 12, 12), (6, 3, 3, 3)), 3),
    "one axis": (with_gradients(conv((2,), ((3, 2),))), ((2, 4, 21), (5, 4, 6)), 3),
    "three axes": (with_gradients(conv((1, 2, 1), ((1, 1),) * 3)), ((2, 3, 5, 6, 7), (4, 3, 3, 3, 3)), 3),
    "channels last": (
        with_gradients(conv((1, 1), PADDED, layout=("NHWC", "HWIO", "NHWC"))), ((2, 9, 7, 8), (3, 3, 8, 6)), 3),
    "without padding": (with_gradients(conv((1, 1), ((0, 0), (0, 0)))), ((2, 6, 14, 13), (16, 6, 5, 5)), 3),
    "a stride and more padding than the kernel": (
        with_gradients(conv((2, 2), ((4, 0), (3, 5)))), ((2, 6, 9, 7), (8, 6, 3, 3)), None),
    "channels last, outputs first": (
        with_gradients(conv((1, 1), ((0, 2), (1, 1)), layout=("NHWC", "OHWI", "NHWC"))),
        ((2, 9, 7, 8), (6, 3, 3, 8)), 3),
    "vmap": (jax.vmap(with_gradients(conv((1, 1), PADDED)), (0, None)), ((3, 2, 8, 9, 7), (6, 8, 3, 3)), 5),
    "jvp": (lambda x, w: jax.jvp(conv((1, 1), PADDED), (x, w), (x * 2, w + 1)), ((2, 8, 9, 7), (6, 8, 3, 3)), 3),
    "second order": (
        jax.grad(lambda x, w: sum(jnp.sum(g**3) for g in with_gradients(conv((2, 2), PADDED))(x, w)[1])),
        ((2, 4, 9, 7), (3, 4, 3, 3)), None),
    "second order without a stride": (
        jax.grad(lambda x, w: sum(jnp.sum(g**3) for g in with_gradients(conv((1, 1), PADDED))(x, w)[1])),
        ((2, 4, 9, 7), (3, 4, 3, 3)), None),
    "negative padding": (conv((1, 1), ((-1, 1), (1, -2))), ((2, 8, 9, 7), (6, 8, 3, 3)), None),
    "groups": (with_gradients(conv((1, 1), PADDED, feature_group_count=2)), ((2, 8, 9, 7), (6, 4, 3, 3)), 3),
    "groups with a stride": (
        with_gradients(conv((2, 1), PADDED, feature_group_count=4)), ((2, 8, 9, 7), (12, 2, 3, 3)), 3),
    "depthwise": (with_gradients(conv((1, 2), PADDED, feature_group_count=8)), ((2, 8, 9, 7), (8, 1, 3, 3)), 3),
    "two for each channel": (
        with_gradients(conv((1, 1, 1), ((1, 1),) * 3, feature_group_count=3)), ((2, 3, 5, 4, 3), (6, 1, 3, 3, 3)), 3),
    "groups and vmap": (
        jax.vmap(with_gradients(conv((1, 1), PADDED, feature_group_count=2)), (0, None)),
        ((3, 2, 8, 9, 7), (6, 4, 3, 3)), None),
    "vmap of the kernels": (
        jax.vmap(with_gradients(conv((1, 1), PADDED)), (None, 0)), ((2, 8, 9, 7), (3, 6, 8, 3, 3)), None),
    "many groups": (with_gradients(conv((1, 2), PADDED, feature_group_count=12)), ((2, 24, 9, 7), (36, 2, 3, 3)), 3),
    "many groups, dilated": (
        with_gradients(conv((1, 2), ((2, 1), (0, 3)), (2, 1), feature_group_count=12)),
        ((2, 24, 9, 7), (12, 2, 3, 2)), 2),  # XLA's, with wide padding: the gradient by the input
    "depthwise, channels last": (
        with_gradients(conv((1, 1), PADDED, layout=("NHWC", "HWIO", "NHWC"), feature_group_count=8)),
        ((2, 9, 7, 8), (3, 3, 1, 16)), 3),
    "depthwise, negative padding": (
        with_gradients(conv((1, 1), ((-1, 1), (1, -2)), feature_group_count=8)), ((2, 8, 9, 7), (8, 1, 3, 3)), None),
    "depthwise, one axis": (with_gradients(conv((2,), ((3, 2),), feature_group_count=9)), ((2, 9, 21), (9, 1, 6)), 3),
    "depthwise, a large kernel": (
        with_gradients(conv((1, 1), ((4, 4), (4, 4)), feature_group_count=9)), ((2, 9, 12, 11), (9, 1, 9, 9)), None),
    "depthwise, second order": (
        jax.grad(lambda x, w: sum(
            jnp.sum(g**3) for g in with_gradients(conv((2, 2), PADDED, feature_group_count=9))(x, w)[1])),
        ((2, 9, 9, 7), (9, 1, 3, 3)), None),
    "one input": (with_gradients(conv((1, 1), ((2, 2), (1, 0)))), ((8, 1, 41, 40), (9, 1, 5, 5)), 3),
    "empty": (conv((1, 1), PADDED), ((0, 8, 9, 7), (6, 8, 3, 3)), 0),
}  # fmt: skip
BY_KERNELS = ("3 x 3", "vmap", "vmap of the kernels", "jvp", "second order without a stride", "three axes")
OTHER = {"bfloat16": jnp.bfloat16, "float16": jnp.float16}


def others(text):
    """How many convolutions of a program have groups."""
    return len(re.findall(r"(?:feature|batch)_group_count = (?!1 )", text))


def differences(names):
    """Of each case: the largest error, whether shapes and dtypes agree, and how many calls of oneDNN, convolutions in
    groups and convolutions its program has.
    """
    inputs = {name: [floats(*shape) for shape in CASES[name][1]] for name in names}
    by_xla = {name: jax.tree.leaves(jax.jit(CASES[name][0])(*inputs[name])) for name in names}
    lowering.use()
    jax.clear_caches()
    told = {}
    for name in names:
        function = CASES[name][0]
        lowered = jax.jit(function).lower(*inputs[name])
        found = jax.tree.leaves(lowered.compile()(*inputs[name]))
        pairs = list(zip(found, by_xla[name], strict=True))
        error = max((float(jnp.abs(a - b).max() / jnp.abs(b).max()) for a, b in pairs if a.size), default=0.0)
        same = all((a.shape, a.dtype) == (b.shape, b.dtype) for a, b in pairs)
        text = lowered.as_text()
        told[name] = [error, same, text.count(f"@{TARGET}"), others(text), text.count("stablehlo.convolution")]
    return told


def left_to_xla():
    """How many convolutions of oneDNN, and without groups, the programs have that are lowered as before."""
    x, w = floats(2, 8, 9, 7), floats(6, 4, 3, 3)
    plain = conv((1, 1), PADDED, feature_group_count=2)
    mesh = jax.sharding.Mesh(jax.devices(), ("a",))
    rows = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("a"))
    texts = {name: jax.jit(plain).lower(x.astype(dtype), w.astype(dtype)).as_text() for name, dtype in OTHER.items()}
    texts["two devices"] = jax.jit(plain).lower(jax.device_put(x, rows), w).as_text()
    texts["exported"] = jax.export.export(jax.jit(plain))(x, w).mlir_module()
    return {name: [text.count(TARGET), others(text)] for name, text in texts.items()}


def main():
    chosen = sys.argv[1]
    if chosen == "kernels":
        three_axes.LEAST = 1
        winograd.LEAST = winograd.LEAST_BY_WEIGHTS = -np.inf
        print(json.dumps(differences(BY_KERNELS)))
        return
    told = {"differences": differences(CASES), "left": left_to_xla()}
    if chosen == "onednn":
        x, w = floats(2, 8, 9, 7), floats(6, 8, 3, 3)
        plain = conv((1, 1), PADDED)
        told["from disk"] = of_another_process(x, w, plain)
        onednn.LEAST = 2_000_000
        told["small"] = jax.jit(lambda x, w: plain(x, w)).lower(x, w).as_text().count(TARGET)
    print(json.dumps(told))


def of_another_process(x, w, plain):
    """How far the result of a program is from XLA's if its plan was not made before, as in a program from disk."""
    given = {"window_strides": (1, 1), "padding": ((1, 1), (1, 1)), "lhs_dilation": (1, 1), "rhs_dilation": (1, 1),
             "feature_group_count": 1, "batch_group_count": 1,
             "dimension_numbers": lax.conv_dimension_numbers(x.shape, w.shape, LAYOUTS[4])}  # fmt: skip
    found = onednn.planned(x.shape, w.shape, (2, 6, 9, 7), given)
    row = np.array(found.row(), np.int64)
    table = calls._table()
    before = table.count.value
    table.count.value = 0  # native code finds no plan
    table._indices.clear()
    call = jax.ffi.ffi_call(TARGET, (jax.ShapeDtypeStruct((2, 6, 9, 7), np.float32),
                                     jax.ShapeDtypeStruct((1 << 20,), np.uint8)))  # fmt: skip
    value = jax.jit(lambda x, w: call(x, w, geometry=row)[0])(x, w)
    assert before > 0 and table.count.value == 1
    refused = row.copy()
    refused[plans.GEOMETRY - 9] = 10_000  # a padding that no sizes fit
    try:
        jax.jit(lambda x, w: call(x, w, geometry=refused)[0])(x, w).block_until_ready()
    except jax.errors.JaxRuntimeError as error:
        assert "oneDNN has no kernel" in str(error), error
    else:
        raise AssertionError("a geometry without a kernel was computed")
    return float(jnp.abs(value - plain(x, w)).max())


if __name__ == "__main__":
    main()
