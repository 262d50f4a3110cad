"""Similarities and distances between pairs of vectors."""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax

from ms_compat._core.dispatch.op import op
from ms_compat._core.faces import faces
from ms_compat.ops.function.elementwise.slopes import at_least, magnitude, root
from ms_compat.ops.function.nn.checks import axis_of, combined, floating, wide


@faces("ops")
@op(static=("dim", "eps"))
def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """x1 . x2 / max(|x1| |x2|, eps) along one axis.

    Args:
        x1 (Tensor): floating type.
        x2 (Tensor): of a shape that broadcasts with it.
        dim (int): the axis.
        eps (float): lower bound of each norm's product.

    Raises:
        TypeError: data that is not floating.
        ValueError: `dim` is out of range.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.cosine_similarity(Tensor([[1.0, 0.0]]), Tensor([[0.0, 1.0]])))
    [0.]
    """
    a, b = wide(floating("cosine_similarity", "x1", x1)), wide(floating("cosine_similarity", "x2", x2))
    axis = axis_of("cosine_similarity", "dim", dim, max(a.ndim, b.ndim))
    dot = jnp.sum(a * b, axis)
    squares = jnp.sum(lax.square(a), axis) * jnp.sum(lax.square(b), axis)
    return (dot * lax.rsqrt(at_least(squares, eps * eps))).astype(combined(x1, x2))


@faces("ops")
@op(static=("p", "eps", "keepdim"))
def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """The p-norm of x1 - x2 + eps along the last axis."""
    a, b = wide(floating("pairwise_distance", "x1", x1)), wide(floating("pairwise_distance", "x2", x2))
    out = _norm(a - b + eps, p, -1).astype(x1.dtype)
    return out[..., None] if keepdim else out


def _norm(d, p, axis):
    size = magnitude(d)
    if p == float("inf"):
        return jnp.max(size, axis)
    return root(jnp.sum(size**p, axis), p)
