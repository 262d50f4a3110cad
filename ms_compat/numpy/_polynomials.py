"""`mindspore.numpy`'s polynomials with falling coefficients, and the convolutions behind their products."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_choice
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_one_of
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.numpy._array import tensor
from ms_compat.ops.function.elementwise import arithmetic
from ms_compat.ops.function.shape import create, join, views


def _vector(x) -> Tensor:
    x = tensor(x)
    if len(x.shape) > 1:
        raise ValueError(f"The coefficients of a polynomial must be a number or 1-d, but got shape {x.shape}.")
    return x if x.shape else views.reshape(x, (1,))


@op(static=("mode", "flipped"))
def _convolved(a, v, mode, flipped):
    kind = jnp.promote_types(a.dtype, v.dtype)
    wide = jnp.promote_types(kind, np.float64) if kind.kind in "iu" else kind
    a, v = a.astype(wide), v.astype(wide)
    if flipped:
        return jnp.correlate(a, v, mode, precision="highest").astype(kind)
    return jnp.convolve(a, v, mode, precision="highest").astype(kind)


def _pair(api: str, a, v, mode: str) -> list[Tensor]:
    if any(not isinstance(x, Tensor) and not np.size(x) for x in (a, v)):  # before `tensor`, which refuses []
        raise ValueError(f"For 'numpy.{api}', the inputs must not be empty.")
    found: list[Tensor] = [x if isinstance(x, Tensor) else tensor(x) for x in (a, v)]
    if api == "convolve":  # numbers count as vectors of one element
        found = [x if x.shape else views.reshape(x, (1,)) for x in found]
    if any(not x.size for x in found):
        raise ValueError(f"For 'numpy.{api}', the inputs must not be empty.")
    if any(len(x.shape) != 1 for x in found):
        raise ValueError(f"For 'numpy.{api}', the inputs must be 1-d, but got {[x.shape for x in found]}.")
    check = check_one_of if api == "correlate" else check_choice  # MindSpore's classes for what is not a str
    check(f"numpy.{api}", "mode", mode, ("full", "same", "valid"))
    return found


@faces("numpy")
def convolve(a, v, mode="full"):
    """The convolution of two 1-d tensors; modes "full", "same" and "valid"."""
    return _convolved(*_pair("convolve", a, v, mode), mode, False)


@faces("numpy")
def correlate(a, v, mode="valid"):
    """The cross-correlation of two 1-d tensors, of integers in Float32; modes as of `convolve`."""
    out = _convolved(*_pair("correlate", a, v, mode), mode, True)
    return create.cast(out, mstype.float32) if out.dtype in mstype.int_type else out


def _summed(a1, a2, fn):
    a1, a2 = _vector(a1), _vector(a2)
    size = max(a1.size, a2.size)
    return fn(*[join.pad(a, (size - a.size, 0)) for a in (a1, a2)])


@faces("numpy")
def polyadd(a1, a2):
    """The sum of two polynomials."""
    return _summed(a1, a2, arithmetic.add)


@faces("numpy")
def polysub(a1, a2):
    """The difference of two polynomials."""
    return _summed(a1, a2, arithmetic.sub)


@faces("numpy")
def polymul(a1, a2):
    """The product of two polynomials."""
    return convolve(_vector(a1), _vector(a2))


def _order(m: int) -> None:
    if m < 0:
        raise ValueError(f"The order of a derivative or an integral must not be negative, but got {m}.")


@faces("numpy")
def polyval(p, x):
    """The value of a polynomial with falling coefficients, in Float32 at least."""
    p, x = _vector(p), tensor(x)
    x = x if x.dtype in mstype.float_type else create.cast(x, mstype.float32)
    out = None
    for coefficient in p:
        out = arithmetic.add(arithmetic.mul(x, 0), coefficient) if out is None else out * x + coefficient
    return out


@faces("numpy")
def polyder(p, m=1):
    """The m-th derivative of a polynomial."""
    p = _vector(p)
    _order(m)
    if m == 0:
        return create.whole_view(p)
    if m >= p.size:
        return create.zeros((0,), mstype.float32)
    for _ in range(m):
        factors = Tensor(np.arange(p.size - 1, 0, -1).astype(p.dtype.np_dtype))
        p = arithmetic.mul(p[:-1], factors)
    return p


def _constants(k, m: int) -> list[float]:
    given = np.asarray(k, np.float64).ravel()
    return np.broadcast_to(given[:m], (m,)).tolist()


@faces("numpy")
def polyint(p, m=1, k=None):
    """The m-th integral of a polynomial, with constants `k` (a number or one a step)."""
    p = _vector(p)
    _order(m)
    if m == 0:
        return create.whole_view(p)
    p = p if p.dtype in mstype.float_type else create.cast(p, mstype.float32)
    constants = [0.0] * m if k is None else _constants(k, m)
    for constant in constants:
        divisors = Tensor(np.arange(p.size, 0, -1).astype(p.dtype.np_dtype))
        p = join.concat((arithmetic.div(p, divisors), create.full((1,), constant, dtype=p.dtype)), 0)
    return p
