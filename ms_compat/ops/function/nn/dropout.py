"""Dropout: elements, or whole channels, are zeroed with probability p and the others scaled by 1 / (1 - p).

The mask compares 32 random bits with a constant (no conversion to floats) and is drawn inside the one operation
that applies it, so XLA fuses both.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.dispatch.random import random_op
from ms_compat._core.errors import check_bool, value_error
from ms_compat._core.faces import faces, table_faces
from ms_compat.ops.function.nn.checks import floating, real
from ms_compat.ops.function.random.draws import draw


def _kept(key: Any, shape: tuple, keep: float) -> Any:
    return jax.random.bits(key, shape, np.uint32) < np.uint32(min(round(keep * 2**32), 2**32 - 1))


def _droppable(api: str, argument: str, x: Any, axes: int) -> None:
    """TypeError for an array that cannot be dropped: whole channels may be of signed integers, too."""
    if not (axes and x.dtype.kind == "i"):
        floating(api, argument, x)


@random_op(static=("keep", "axes"))
def _drop(key, x, keep, axes):
    """`axes`: how many leading axes have a mask of their own; 0 for every element."""
    _droppable("dropout", "input", x, axes)
    if keep >= 1:
        return x
    if keep <= 0:
        return jnp.zeros_like(x)
    shape = x.shape if not axes else x.shape[:axes] + (1,) * (x.ndim - axes)
    return jnp.where(_kept(key, shape, keep), x / keep, 0).astype(x.dtype)


@random_op(static=("keep", "axes"))
def drop_with_mask(key, x, keep, axes):
    """The primitives' form: output and mask (with `x`'s type, or Bool for whole channels)."""
    _droppable("Dropout", "x", x, axes)
    if not 0 <= keep <= 1:
        raise RuntimeError(f"For 'Dropout', the 'keep_prob' must be in [0, 1], but got {keep}.")
    shape = x.shape if not axes else x.shape[:axes] + (1,) * (x.ndim - axes)
    mask = jnp.broadcast_to(_kept(key, shape, keep) if keep < 1 else jnp.ones(shape, bool), x.shape)
    out = jnp.where(mask, x / keep if keep else 0, 0).astype(x.dtype)
    return out, mask if axes else mask.astype(x.dtype)


@faces("ops")
def dropout(input, p=0.5, training=True, seed=None):
    """Zeroes elements with probability `p` and scales the others by 1 / (1 - p).

    Args:
        input (Tensor): floating type.
        p (float): probability, in [0, 1).
        training (bool): False returns the input.
        seed (int): operation-level seed.

    Returns:
        Tensor of the shape and type of `input`.

    Raises:
        TypeError: an argument of a wrong type.
        RuntimeError: `p` is out of range.

    >>> from ms_compat import Tensor
    >>> from ms_compat.ops.function.nn.dropout import dropout
    >>> print(dropout(Tensor([1.0, 2.0]), training=False))
    [1. 2.]
    """
    check_bool("dropout", "training", training)
    if not training:
        return input
    if not 0 <= real("dropout", "p", p) < 1:
        raise RuntimeError(f"For 'dropout', the 'p' must be in [0, 1), but got {p}.")
    return draw(_drop, "dropout", seed, input, 1 - p, 0)


def _channels(count: int):
    name = f"dropout{count}d"

    def drop_channels(input, p=0.5, training=True):
        check_bool(name, "training", training)
        if not training:
            return input
        if not 0 <= real(name, "p", p) <= 1:
            raise value_error(name, "p", "in [0, 1]", p)
        ranks = (2, 3) if count == 1 else (count + 2,)
        if input.ndim not in ranks:
            raise ValueError(f"For '{name}', the input must have {count + 2} dimensions, but got shape {input.shape}.")
        return _drop(input, 1 - p, input.ndim - count)

    drop_channels.__name__ = drop_channels.__qualname__ = name
    drop_channels.__doc__ = f"""Zeroes whole channels of [N, C, *] ({count} spatial axes) with probability `p`.

    Args:
        input (Tensor): floating type, or signed integers, which are rounded towards 0.
        p (float): probability, in [0, 1].
        training (bool): False returns the input.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: in training, `p` is out of range, or the input has another rank.
    """
    return drop_channels


dropout1d, dropout2d, dropout3d = (_channels(count) for count in (1, 2, 3))
table_faces(__name__, "dropout1d dropout2d dropout3d", "ops")
