"""`mindspore.numpy`'s products of vectors and matrices, and the divisors and multiples that numbers have in common."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_within
from ms_compat._core.dispatch.op import op
from ms_compat._core.faces import faces, table_faces
from ms_compat._core.tensor import Tensor
from ms_compat.numpy._array import binary, tensor, to_dtype
from ms_compat.ops.function.elementwise import arithmetic
from ms_compat.ops.function.elementwise.arithmetic import promote_args
from ms_compat.ops.function.linalg import basic
from ms_compat.ops.function.shape import create, views


def _aligned(api: str, a: Tensor, b: Tensor, at: int) -> None:
    if a.shape[-1] != b.shape[at]:
        raise ValueError(f"For 'numpy.{api}', the shapes {a.shape} and {b.shape} do not fit each other.")


@faces("numpy")
def dot(a, b):
    """The product of vectors, matrices or stacks of them, as NumPy's."""
    a, b = tensor(a), tensor(b)
    if not a.shape or not b.shape:
        return arithmetic.mul(a, b)
    _aligned("dot", a, b, -2 if len(b.shape) > 1 else -1)
    return basic.dot_1d(a, b)


@faces("numpy")
def inner(a, b):
    """The sums of products over the last dimensions."""
    a, b = tensor(a), tensor(b)
    if not a.shape or not b.shape:
        return arithmetic.mul(a, b)
    _aligned("inner", a, b, -1)
    return basic.inner(a, b)


@faces("numpy")
def kron(a, b):
    """The Kronecker product."""
    a, b = tensor(a), tensor(b)
    if a.dtype is mstype.bool_ and b.dtype is mstype.bool_:
        return create.cast(basic.kron(create.cast(a, mstype.int32), create.cast(b, mstype.int32)), mstype.bool_)
    return basic.kron(a, b)


@faces("numpy")
def matmul(x1, x2, dtype=None):
    """The matrix product.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.matmul(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]])))
    [[11.]]
    """
    out = basic.matmul(tensor(x1), tensor(x2))
    return out if dtype is None else create.cast(out, to_dtype(dtype))


@faces("numpy")
def multi_dot(arrays):
    """The product of several matrices; the first and the last may be vectors."""
    xs = [tensor(x) for x in arrays]
    if len(xs) < 2:
        raise ValueError(f"For 'numpy.multi_dot', there must be at least 2 arrays, but got {len(xs)}.")
    ends = (0, len(xs) - 1)
    if any(len(x.shape) != 2 and not (at in ends and len(x.shape) == 1) for at, x in enumerate(xs)):
        raise ValueError(f"For 'numpy.multi_dot', the arrays must be matrices, but got {[x.shape for x in xs]}.")
    out = xs[0]
    for other in xs[1:]:
        _aligned("multi_dot", out, other, 0)
        out = basic.matmul(out, other)
    return out


@faces("numpy")
def tensordot(a, b, axes=2):
    """The sums of products over several axes.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.tensordot(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]]), 1))
    [[11.]]
    """
    a, b = tensor(a), tensor(b)
    if isinstance(axes, int) and 0 < axes <= min(len(a.shape), len(b.shape)) and a.shape[-axes:] != b.shape[:axes]:
        raise ValueError(f"For 'numpy.tensordot', the shapes {a.shape} and {b.shape} do not fit over {axes} axes.")
    return basic.tensor_dot(a, b, axes)


@faces("numpy")
def outer(a, b):
    """All products of two elements."""
    return basic.outer(views.ravel(tensor(a)), views.ravel(tensor(b)))


@op(static=("axisa", "axisb", "axisc"))
def _cross(a, b, axisa, axisb, axisc):
    a, b = promote_args("cross", a, b)
    a, b = jnp.moveaxis(a, axisa, -1), jnp.moveaxis(b, axisb, -1)
    flat = a.shape[-1] == b.shape[-1] == 2
    ax, ay = a[..., 0], a[..., 1]
    bx, by = b[..., 0], b[..., 1]
    z = ax * by - ay * bx
    if flat:
        return z
    az = a[..., 2] if a.shape[-1] == 3 else jnp.zeros_like(ax)
    bz = b[..., 2] if b.shape[-1] == 3 else jnp.zeros_like(bx)
    return jnp.moveaxis(jnp.stack(jnp.broadcast_arrays(ay * bz - az * by, az * bx - ax * bz, z), -1), -1, axisc)


@faces("numpy")
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """The vector product of vectors with 2 or 3 elements; for two vectors with 2, its last component alone.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.cross(Tensor([1.0, 0.0, 0.0]), Tensor([0.0, 1.0, 0.0])))
    [0. 0. 1.]
    """
    a, b = tensor(a), tensor(b)
    if axis is not None:
        axisa = axisb = axisc = axis
    sizes = []
    for name, x, at in (("axisa", a, axisa), ("axisb", b, axisb)):
        check_within("numpy.cross", name, at, -len(x.shape), len(x.shape), "[)")
        sizes.append(x.shape[at])
    if not set(sizes) <= {2, 3}:
        raise ValueError(f"For 'numpy.cross', the vectors must have 2 or 3 elements, but got {sizes}.")
    return _cross(a, b, axisa, axisb, axisc)


def _euclid(a: Any, b: Any) -> Any:
    """Euclid's algorithm, which ends for fractions too; MindSpore's TruncateMod gives the remainder."""

    def step(pair):
        a, b = pair
        safe = jnp.where(b == 0, 1, b)
        rest = a % safe if a.dtype.kind in "iu" else a - jnp.trunc(a / safe) * safe
        return jnp.where(b == 0, a, b), jnp.where(b == 0, 0, rest).astype(a.dtype)

    a, b = jnp.broadcast_arrays(jnp.abs(a), jnp.abs(b))
    return jax.lax.while_loop(lambda pair: jnp.any(pair[1] != 0), step, (a, b))[0]


def _numbers(api: str, x1: Any, x2: Any) -> tuple:
    a, b = promote_args(api, x1, x2)
    return (a.astype(np.int32), b.astype(np.int32), a.dtype) if a.dtype == bool else (a, b, a.dtype)


@op(name="gcd")
def _gcd(x1, x2):
    a, b, kind = _numbers("gcd", x1, x2)
    return _euclid(a, b).astype(kind)


@op(name="lcm")
def _lcm(x1, x2):
    a, b, kind = _numbers("lcm", x1, x2)
    common = _euclid(a, b)
    common = jnp.where(common == 0, 1, common).astype(a.dtype)
    share = a // common if a.dtype.kind in "iu" else a / common
    return jnp.abs(share * b).astype(kind)


gcd, lcm = binary(_gcd), binary(_lcm)
table_faces(__name__, "gcd lcm", "numpy")
gcd.__doc__ = "The greatest common divisor; of floats by Euclid's algorithm as well."
lcm.__doc__ = "The least common multiple; of floats as well."
