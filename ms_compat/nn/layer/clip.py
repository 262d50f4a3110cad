"""Clipping of a norm, as a layer."""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax

from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat.nn.cell import Cell


@op(static=("axis",), name="ClipByNorm")
def _clip(x, clip_norm, axis):
    data = x.astype(jnp.float32) if x.dtype.itemsize < 4 else x
    squares = jnp.sum(lax.square(data), axis=axis, keepdims=True)
    positive = squares > 0
    norm = jnp.where(positive, jnp.sqrt(jnp.where(positive, squares, 1)), squares)
    limit = jnp.asarray(clip_norm).astype(data.dtype)
    return data * limit / jnp.maximum(norm, limit)


@faces("nn nn.layer")
class ClipByNorm(Cell):
    """x * clip_norm / max(norm of x, clip_norm); half precision gives Float32.

    Args:
        axis (Union[None, int, tuple]): the axes of the norm; all by default.

    Inputs:
        x (Tensor): floating type.
        clip_norm (Tensor): the largest norm left, of a shape that broadcasts with `x`.

    Raises:
        TypeError: an `axis` of a wrong type.

    >>> import ms_compat as ms
    >>> print(ms.nn.ClipByNorm()(ms.Tensor([3.0, 4.0]), ms.Tensor(1.0)))
    [0.6 0.8]
    """

    def __init__(self, axis=None):
        super().__init__()
        check_type("ClipByNorm", "axis", axis, (int, tuple, list, type(None)))
        self.axis = tuple(axis) if isinstance(axis, list) else axis

    def construct(self, x, clip_norm):
        return _clip(x, clip_norm, self.axis)
