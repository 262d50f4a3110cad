"""Single operations that are exported, by the JAX primitive that their rule is for."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import ms_compat as ms
from ms_compat import Tensor, ops
from ms_compat._core.tensor import wrap
from tests._formats.mindir.nets import Of, floats, ints

F32, I32, I64 = np.float32, np.int32, np.int64


def of_jax(fn):
    """A Cell of a function of jax arrays."""

    def construct(*inputs):
        out = fn(*[x._v for x in inputs])
        return tuple(wrap(o) for o in out) if isinstance(out, (tuple, list)) else wrap(out)

    return lambda: Of(construct)


def small(*shape, dtype=F32):
    """Numbers strictly between 0 and 1."""
    return Tensor((np.asarray(floats(*shape).asnumpy()) / 4.2 + 0.5).astype(dtype))


def large(*shape):
    """Numbers from 1 on."""
    return Tensor(small(*shape).asnumpy() * 3 + 1)


def bools(*shape):
    return Tensor(floats(*shape).asnumpy() > 0)


def special():
    return Tensor(np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.5, -2.5, 2.5], F32))


OPERATIONS = {}


def case(name, fn, *inputs):
    OPERATIONS[name] = (of_jax(fn), lambda: [make() for make in inputs])


for _name in (
    "abs",
    "asinh",
    "atan",
    "ceil",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "expm1",
    "floor",
    "is_finite",
    "logistic",
    "neg",
    "sign",
    "sin",
    "sinh",
    "square",
    "tan",
    "tanh",
    "exp2",
    "cbrt",
):
    case(_name, getattr(lax, _name), lambda: floats(3, 4))
for _name in ("acos", "asin", "atanh", "erf_inv", "log", "log1p", "rsqrt", "sqrt", "lgamma", "digamma"):
    case(_name, getattr(lax, _name), lambda: small(3, 4))
case("acosh", lax.acosh, lambda: large(3, 4))
for _name in ("abs", "ceil", "exp", "is_finite", "log", "logistic", "neg", "sqrt", "tanh"):
    case(f"{_name} of special numbers", getattr(lax, _name), special)
for _name in ("add", "atan2", "div", "max", "min", "mul", "rem", "sub"):
    case(_name, getattr(lax, _name), lambda: floats(3, 4), lambda: large(3, 4))
    if _name != "atan2":
        case(f"{_name} of int32", getattr(lax, _name), lambda: ints(3, 4, below=9), lambda: ints(3, 4, below=4) + 1)
        case(
            f"{_name} of int64",
            getattr(lax, _name),
            lambda: ints(3, 4, below=9, dtype=I64) - 4,
            lambda: ints(3, 4, below=4, dtype=I64) + 1,
        )
for _name in ("max", "min"):  # NaN aside, which MindSpore's kernels drop or keep by its place
    case(f"{_name} of infinities", getattr(lax, _name), lambda: special()[1:], lambda: floats(7))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    case(_name, getattr(lax, _name), lambda: ints(3, 4), lambda: ints(3, 4, below=3))
    case(f"{_name} of floats", getattr(lax, _name), special, lambda: floats(8))
case("eq of bool", lax.eq, lambda: bools(3, 4), lambda: bools(3, 4))
for _name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
    case(_name, getattr(lax, _name), lambda: ints(3, 4), lambda: ints(3, 4, below=3))
    case(f"{_name} of bool", getattr(lax, _name), lambda: bools(3, 4), lambda: bools(4, 3).transpose(1, 0))
case("not", lax.bitwise_not, lambda: ints(3, 4))
case("not of bool", lax.bitwise_not, lambda: bools(3, 4))
case("shifts", lambda x: (x << 2, x >> 1), lambda: ints(3, 4, below=90))
case("pow", lax.pow, lambda: large(3, 4), lambda: floats(3, 4))
case("integer_pow", lambda x: (x**2, x**3, x**-2, x**7, lax.integer_pow(x, 40)), lambda: floats(3, 4))
case("integer_pow of int32", lambda x: (x**2, x**3), lambda: ints(3, 4))
case("round to even", lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), special)
case("round away from zero", lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO), special)
case("select_n", lambda p, a, b: jnp.where(p, a, b), lambda: bools(3, 4), lambda: floats(3, 4), lambda: floats(4))
case("select_n of int64", lambda p, a: jnp.where(p, a, 7), lambda: bools(3, 4), lambda: ints(3, 4, dtype=I64))
case("select_n of bool", lambda p, a: jnp.where(p, a, ~a), lambda: bools(3, 4), lambda: bools(3, 4))
case(
    "select_n of three",
    lambda i, a: lax.select_n(i, a, a + 1, a * 2),
    lambda: ints(3, 4, below=3),
    lambda: floats(3, 4),
)
case("clamp", lambda x: lax.clamp(F32(-0.5), x, F32(1)), lambda: floats(3, 4))
case("clamp of int32", lambda x: lax.clamp(I32(1), x, I32(3)), lambda: ints(3, 4))
_TYPES = ("float32", "float16", "float64", "int32", "int64", "int8", "uint8", "bool")
for _from, _make in (
    ("float32", lambda: floats(3, 4)),
    ("int32", lambda: ints(3, 4)),
    ("bool", lambda: bools(3, 4)),
    ("int64", lambda: ints(3, 4, dtype=I64)),
):
    case(
        f"convert_element_type from {_from}",
        lambda x: [abs(x).astype(t) if t == "uint8" else x.astype(t) for t in _TYPES],
        _make,
    )
case("convert_element_type of nan to bool", lambda x: x.astype(bool), special)
case(
    "complex",
    lambda a, b: (lambda z: (lax.real(z * z), lax.imag(z), lax.conj(z)))(lax.complex(a, b)),
    lambda: floats(3),
    lambda: small(3),
)
case(
    "add of bool",
    lambda x, y: (jnp.add(x, y), jnp.multiply(x, y), jnp.maximum(x, y)),
    lambda: bools(4),
    lambda: bools(8)[4:],
)
case("float16", lambda x: jnp.tanh(x * 2 + 1).sum(0), lambda: floats(3, 4, dtype=np.float16))
case("float64", lambda x: jnp.exp(x * 2 + 1).sum(0) @ x.T, lambda: floats(3, 4, dtype=np.float64))

# -- along axes -------------------------------------------------------------------------------------------------------
for _name in ("sum", "max", "min", "prod"):
    case(
        f"reduce_{_name}", lambda x, n=_name: (getattr(jnp, n)(x, (0, 2)), getattr(jnp, n)(x)), lambda: floats(2, 3, 4)
    )
    case(f"reduce_{_name} of int32", lambda x, n=_name: getattr(lax, f"reduce_{n}")(x, (1,)), lambda: ints(2, 3, 4))
    case(
        f"reduce_{_name} of int64",
        lambda x, n=_name: getattr(lax, f"reduce_{n}")(x, (1,)),
        lambda: ints(2, 3, 4, dtype=I64),
    )
case("reduce_max of special numbers", lambda x: (jnp.max(x), jnp.min(x), jnp.max(x[1:])), special)
case("reduce_and, reduce_or", lambda x: (x.all(1), x.any((0, 1)), x.max(0), x.min(0)), lambda: bools(2, 3))
case(
    "reduction of a repeated tensor",
    lambda x: (jnp.broadcast_to(x, (3, 4)).sum(0), jnp.broadcast_to(x, (3, 4)).max(0)),
    lambda: floats(4),
)
case("argmax, argmin", lambda x: (jnp.argmax(x, 1), jnp.argmin(x, 0), lax.argmax(x, 0, I32)), lambda: floats(3, 4))
case(
    "argmax of equal numbers",
    lambda x: (jnp.argmax(jnp.round(x), 1), jnp.argmin(jnp.round(x), 1)),
    lambda: floats(3, 9),
)
case("argmax of int32", lambda x: (jnp.argmax(x, 1), jnp.argmin(x, 0)), lambda: ints(3, 4))
case("argmax of int64", lambda x: (jnp.argmax(x, 1), jnp.argmin(x, 0)), lambda: ints(3, 4, dtype=I64))
case("cumsum", lambda x: (jnp.cumsum(x, 1), lax.cumsum(x, 0, reverse=True)), lambda: floats(3, 4))
case("cumsum of int32", lambda x: jnp.cumsum(x, 1, dtype=I32), lambda: ints(3, 4))
case("cumsum of int64", lambda x: jnp.cumsum(x, 1), lambda: ints(3, 4, dtype=I64))
case("cumprod", lambda x: (jnp.cumprod(x, 1), lax.cumprod(x, 0, reverse=True)), lambda: floats(3, 4))
case(
    "cummax, cummin",
    lambda x: (lax.cummax(x, 1), lax.cummin(x, 0), lax.cummax(x, 1, reverse=True)),
    lambda: floats(3, 4),
)
case("sort", lambda x: (jnp.sort(x, 1), jnp.sort(x, 0), jnp.argsort(x, 1)), lambda: floats(3, 4))
case("sort of equal numbers", lambda x: jnp.argsort(x, 1, stable=True), lambda: ints(3, 40, below=4))
case("sort of int64", lambda x: jnp.sort(x), lambda: ints(40, dtype=I64))
case("sort of pairs", lambda x, y: lax.sort((x, y), num_keys=1), lambda: ints(30, below=6), lambda: floats(30))
case("sort of infinities", lambda x: jnp.sort(x), lambda: special()[1:])
case("sort of bool", lambda x: jnp.sort(x), lambda: bools(9))
case("top_k", lambda x: lax.top_k(x, 3), lambda: floats(3, 7))
case(
    "top_k of equal numbers", lambda x: lax.top_k(x, 3), lambda: Tensor(np.tile([1, 3, 3, 2, 3.0], (2, 2)).astype(F32))
)
case("top_k of int32", lambda x: lax.top_k(x, 3), lambda: ints(3, 7, below=7))

# -- shapes -----------------------------------------------------------------------------------------------------------
case("reshape", lambda x: (x.reshape(6, 4), x[:, None], x[..., 0]), lambda: floats(2, 3, 4))
case(
    "transpose",
    lambda x: (x.transpose(2, 0, 1), x.transpose(2, 0, 1).transpose(1, 2, 0), x[:1].transpose(1, 0, 2)),
    lambda: floats(2, 3, 4),
)
case(
    "broadcast_in_dim",
    lambda x: (jnp.broadcast_to(x, (2, 3, 4)), jnp.broadcast_to(x[:, None], (4, 3))),
    lambda: floats(4),
)
case(
    "broadcast_in_dim of others",
    lambda x, y: (jnp.broadcast_to(x, (2, 4)), jnp.broadcast_to(y, (2, 4))),
    lambda: bools(4),
    lambda: ints(4, dtype=I64),
)
case("concatenate", lambda x, y: jnp.concatenate([x, y, x], 1), lambda: floats(2, 3), lambda: floats(2, 1))
case("concatenate of bool", lambda x, y: jnp.concatenate([x, y], 0), lambda: bools(3), lambda: bools(2))
case("stack", lambda x, y: (jnp.stack([x, y], 1), jnp.stack([x, x])), lambda: floats(2, 3), lambda: floats(2, 3))
case("tile", lambda x: jnp.tile(x, (2, 3)), lambda: floats(2, 3))
case("split", lambda x: jnp.split(x, [1, 3], 1), lambda: floats(2, 6))
case("slice", lambda x: (x[1:, 2:5], x[:, ::2], x[0, 1:4:2]), lambda: floats(3, 6))
case("slice of int64", lambda x: x[1:, 2:5], lambda: ints(3, 6, dtype=I64))
case(
    "pad", lambda x: (jnp.pad(x, ((1, 0), (2, 3))), lax.pad(x, F32(1.5), ((0, 0, 1), (-1, 2, 2)))), lambda: floats(3, 4)
)
case("pad of int32", lambda x: jnp.pad(x, ((1, 0), (2, 3)), constant_values=7), lambda: ints(3, 4))
case("pad with a tensor", lambda x, y: lax.pad(x, y, ((1, 0, 0), (0, 2, 0))), lambda: floats(3, 4), lambda: floats())
case(
    "tensors without elements",
    lambda x: (x[:, :0].sum(1) + x[:, 0], jnp.concatenate([x[:0], x]), x[:, :0] @ x[:0] * 0, x[:0]),
    lambda: floats(3, 3),
)
case("rev", lambda x: (x[::-1], jnp.flip(x, (0, 1))), lambda: floats(3, 4))
case(
    "dynamic_slice",
    lambda x, i: (lax.dynamic_slice(x, (i, i), (2, 4)), lax.dynamic_slice(x, (0 * i, i), (3, 2))),
    lambda: floats(3, 4),
    lambda: Tensor(2, ms.int32),
)
case(
    "dynamic_update_slice",
    lambda x, i: lax.dynamic_update_slice(x, x[:2, :2] * 9, (i, i - 1)),
    lambda: floats(3, 4),
    lambda: Tensor(2, ms.int32),
)
case(
    "dynamic_update_slice at a fixed place",
    lambda x, y: x.at[1:, 2:4].set(y),
    lambda: floats(3, 5),
    lambda: floats(2, 2),
)
case("iota", lambda x: x + jnp.arange(4, dtype=F32), lambda: floats(3, 4))

# -- indices ----------------------------------------------------------------------------------------------------------
case(
    "gather of rows",
    lambda x, i: (x[i], x[:, i], jnp.take(x, i, 1, mode="clip")),
    lambda: floats(5, 5, 2),
    lambda: ints(2, 3, below=5),
)
case(
    "gather out of bounds",
    lambda x, i: (jnp.take(x, i, 0), jnp.take(x, i, 0, mode="clip"), x.at[i].get(mode="fill", fill_value=3)),
    lambda: floats(4, 2),
    lambda: ints(2, 3, below=7) - 1,
)
case("gather of int32 out of bounds", lambda x, i: jnp.take(x, i, 0), lambda: ints(4, 2), lambda: ints(6, below=7))
case(
    "gather of elements",
    lambda x, i, j: (x[i, j], x[i, :, j]),
    lambda: floats(4, 5, 3),
    lambda: ints(6, below=4),
    lambda: ints(6, below=3),
)
case(
    "gather along an axis",
    lambda x, i: (jnp.take_along_axis(x, i, 1), jnp.take_along_axis(x, i[:, :1], 0)),
    lambda: floats(3, 5),
    lambda: ints(3, 2, below=3),
)
case(
    "gather of windows",
    lambda x, i: jax.vmap(lambda s: lax.dynamic_slice(x, (s, s * 0 + 1), (2, 3)))(i),
    lambda: floats(6, 5),
    lambda: ints(4, below=6),
)
case(
    "gather in a batch",
    lambda x, i: jax.vmap(lambda r, s: r[s])(x, i),
    lambda: floats(3, 5, 2),
    lambda: ints(3, 4, below=5),
)
case("gather of bool", lambda x, i: x[i], lambda: bools(5, 2), lambda: ints(3))
case(
    "scatter",
    lambda x, i, y: (x.at[i].set(y), x.at[:, i[:2]].set(1.0)),
    lambda: floats(6, 5),
    lambda: Tensor(np.array([4, 0, 2], I32)),
    lambda: floats(3, 5),
)
case(
    "scatter out of bounds",
    lambda x, i, y: (x.at[i].set(y), x.at[i].add(y)),
    lambda: floats(4, 2),
    lambda: Tensor(np.array([3, 7, 0], I32)),
    lambda: floats(3, 2),
)
case(
    "scatter_add",
    lambda x, i, y: (x.at[i].add(y), x.at[1:3].add(2.0)),
    lambda: floats(4, 2),
    lambda: ints(6, below=3),
    lambda: floats(6, 2),
)
case(
    "scatter_mul, scatter_max, scatter_min",
    lambda x, i, y: (x.at[i].mul(y), x.at[i].max(y), x.at[i].min(y)),
    lambda: floats(4),
    lambda: ints(6, below=3),
    lambda: floats(6),
)
case(
    "scatter of elements",
    lambda x, i, j, y: (x.at[i, j].set(y[:, None]), x.at[i, 1:, j].add(1.0)),
    lambda: floats(4, 3, 4),
    lambda: Tensor(np.array([0, 2, 3], I32)),
    lambda: Tensor(np.array([1, 0, 2], I32)),
    lambda: floats(3),
)
case(
    "scatter along an axis",
    lambda x, i, y: jnp.put_along_axis(x, i, y, 1, inplace=False),
    lambda: floats(3, 5),
    lambda: Tensor(np.array([[0, 3], [1, 2], [4, 0]], I32)),
    lambda: floats(3, 2),
)
case(
    "scatter of windows",
    lambda x, i, y: jax.vmap(lambda r, s, u: lax.dynamic_update_slice(r, u, (s,)))(x, i, y),
    lambda: floats(3, 6),
    lambda: ints(3, below=6),
    lambda: floats(3, 2),
)

# -- products, convolutions, pooling ----------------------------------------------------------------------------------
case(
    "dot_general",
    lambda a, b: (a @ b, b.T @ a.T, jnp.tensordot(a, a, ((1,), (1,))), a[0] @ b, a @ b[:, 0]),
    lambda: floats(3, 4),
    lambda: floats(4, 5),
)
case(
    "dot_general in a batch",
    lambda a, b: (a @ b, jnp.einsum("bij,bkj->bik", a, a), jnp.einsum("bij,bjk->bki", a, b)),
    lambda: floats(2, 3, 4),
    lambda: floats(2, 4, 5),
)
case(
    "dot_general of many axes",
    lambda a, b: (jnp.einsum("abcd,dce->abe", a, b), jnp.einsum("abcd,bced->acbe", a, jnp.ones((3, 4, 2, 5), F32))),
    lambda: floats(2, 3, 4, 5),
    lambda: floats(5, 4, 2),
)
case("dot_general of int32", lambda a, b: (a @ b, a[None] @ b), lambda: ints(3, 4), lambda: ints(4, 5))
case("outer product", lambda a, b: (jnp.outer(a, b), jnp.dot(a, a)), lambda: floats(3), lambda: floats(4))
case(
    "dot_general of float16 to float32",
    lambda a, b: jnp.matmul(a, b, preferred_element_type=F32),
    lambda: floats(3, 4, dtype=np.float16),
    lambda: floats(4, 5, dtype=np.float16),
)
case(
    "convolution in NHWC",
    lambda x, w: lax.conv_general_dilated(x, w, (1, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")),
    lambda: floats(2, 6, 7, 3),
    lambda: floats(3, 3, 3, 4),
)
case(
    "convolution with negative padding",
    lambda x, w: lax.conv_general_dilated(x, w, (1, 1), ((-1, 0), (0, -2))),
    lambda: floats(2, 3, 7, 7),
    lambda: floats(4, 3, 3, 3),
)
case(
    "convolution of a spread input",
    lambda x, w: lax.conv_general_dilated(x, w, (1, 1), ((2, 3), (5, 2)), (3, 2)),
    lambda: floats(2, 3, 4, 4),
    lambda: floats(4, 3, 3, 3),
)
case(
    "depthwise convolution",
    lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", feature_group_count=4),
    lambda: floats(2, 4, 5, 5),
    lambda: floats(8, 1, 3, 3),
)
case(
    "pooling in NHWC",
    lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"),
    lambda: floats(2, 6, 7, 3),
)
case(
    "pooling of int32",
    lambda x: (
        lax.reduce_window(x, I32(np.iinfo(I32).min), lax.max, (1, 2), (1, 2), "VALID"),
        lax.reduce_window(x, I32(0), lax.add, (2, 2), (1, 1), "SAME"),
    ),
    lambda: ints(4, 6),
)
case(
    "pooling of minima", lambda x: lax.reduce_window(x, jnp.inf, lax.min, (2, 2), (1, 1), "SAME"), lambda: floats(4, 6)
)
case(
    "pooling over three axes",
    lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 2, 3, 2), (1, 1, 1, 2), "SAME"),
    lambda: floats(2, 4, 6, 4),
)

# -- control flow -----------------------------------------------------------------------------------------------------
case("scan", lambda x: lax.scan(lambda c, r: (c * 0.5 + r, c.sum()), x[0], x, reverse=True), lambda: floats(5, 3))
case("while of a known length", lambda x: lax.fori_loop(0, 4, lambda i, c: c * 0.5 + i, x), lambda: floats(3))
case("while", lambda x: lax.while_loop(lambda c: c.sum() < 9, lambda c: c * 2 + 1, x), lambda: floats(3))
case(
    "while of several values",
    lambda x, n: lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] * 1.5 + x, c[1] > 1), (0, x, x > 0)),
    lambda: floats(3),
    lambda: Tensor(4, ms.int64),
)
case(
    "while in a while",
    lambda x: lax.while_loop(
        lambda c: c.sum() < 30, lambda c: c + 1 + lax.while_loop(lambda d: d.max() > 1, lambda d: d / 2, c), x
    ),
    lambda: floats(3),
)
# The loop of the branch that is not taken never ends.
case(
    "while in a branch",
    lambda x: lax.switch(
        (x.sum() > 0).astype(int),
        [lambda v: lax.while_loop(lambda c: c.sum() < 0, lambda c: c * 2, v), lambda v: v + 1, lambda v: v],
        x,
    ),
    lambda: floats(3),
)
case(
    "a loop of many iterations",
    lambda x: lax.fori_loop(0, 5000, lambda i, c: c * 0.999 + i * 1e-4, x),
    lambda: floats(3),
)
case(
    "a scan of many iterations",
    lambda x: jax.tree.leaves(
        lax.scan(lambda c, r: (c * 0.5 + r, (c.sum(), r - c)), x[0], jnp.tile(x, (700, 1)), reverse=True)
    ),
    lambda: floats(3, 3),
)
case("cond", lambda x: lax.cond(x.sum() > 0, lambda v: v * 2, lambda v: v - 1, x), lambda: floats(3))
case(
    "switch",
    lambda x, i: lax.switch(i, [lambda v: v, lambda v: v * 2, lambda v: -v], x),
    lambda: floats(3),
    lambda: Tensor(1, ms.int32),
)
OPERATIONS["if of a tensor"] = (lambda: Of(_branch), lambda: [floats(3)])
OPERATIONS["one_hot"] = (lambda: Of(lambda i: ops.one_hot(i, 5, Tensor(1.0), Tensor(0.0))), lambda: [ints(2, 3)])
OPERATIONS["interpolate nearest"] = (
    lambda: Of(lambda x: ops.interpolate(x, size=(5, 9), mode="nearest")),
    lambda: [floats(1, 2, 4, 4)],
)
OPERATIONS["interpolate bicubic"] = (
    lambda: Of(lambda x: ops.interpolate(x, size=(5, 9), mode="bicubic")),
    lambda: [floats(1, 2, 4, 4)],
)
OPERATIONS["grid_sample"] = (
    lambda: Of(lambda x, g: ops.grid_sample(x, g)),
    lambda: [floats(1, 2, 4, 4), floats(1, 3, 3, 2)],
)


def _branch(x):
    if x.sum() > 0:
        return x * 2
    return x - 1
