"""Rotary position embeddings (Su et al., arXiv:2104.09864) and sums followed by a root-mean-square norm."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.checks import check_rank
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import unsupported_argument
from ms_compat._core.faces import faces
from ms_compat.ops.function.nn.checks import floating, integer, wide


def _turned(x, interleaved: bool):
    """Pairs of elements turned by a right angle; pairs are halves of the last axis, or neighbours."""
    if interleaved:
        return jnp.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
    low, high = jnp.split(x, 2, -1)
    return jnp.concatenate([-high, low], -1)


@faces("ops")
@op(static=("mode",))
def rotary_position_embedding(x, cos, sin, mode=0):
    """x * cos + turned(x) * sin.

    Args:
        x (Tensor): four dimensions, the last of an even size; floating type.
        cos, sin (Tensor): that broadcast to `x`.
        mode (int): 0: pairs are the halves of the last axis; 1: neighbours.

    Returns:
        Tensor of the shape and type of `x`.

    Raises:
        TypeError: data that is not floating, `mode` is not an int.
        ValueError: another rank, an odd size, an unknown `mode`.
    """
    api = "rotary_position_embedding"
    for name, value in (("x", x), ("cos", cos), ("sin", sin)):
        check_rank(api, name, floating(api, name, value), 4)
    if integer(api, "mode", mode) not in (0, 1):
        raise ValueError(f"For '{api}', the 'mode' must be 0 or 1, but got {mode}.")
    if x.shape[-1] % 2:
        raise ValueError(f"For '{api}', the last size must be even, but got shape {x.shape}.")
    data = wide(x)
    return (data * wide(cos) + _turned(data, mode == 1) * wide(sin)).astype(x.dtype)


@faces(primitive="ApplyRotaryPosEmb(cos_format: int = 0)(query, key, cos, sin, position_ids)")
@op(static=("cos_format",), name="ApplyRotaryPosEmb")
def apply_rotary(query, key, cos, sin, position_ids, cos_format):
    """Queries and keys [..., heads * D] turned by angles [tokens, D]; pairs are the halves of a head.

    Args:
        query, key (Tensor): [tokens, H] or [B, S, H], floating type.
        cos, sin (Tensor): [tokens, D]; or a table [positions, D], of which `position_ids` takes the rows.
        position_ids (Tensor): Int32, a row for each token; not read if there is a row for each token already.
        cos_format (int): 0 or 2.

    Returns:
        Tuple of both, of their shapes and types.

    Raises:
        TypeError: data that is not floating.
        ValueError: shapes that do not fit.
        UnsupportedError: another format.
    """
    api = "ApplyRotaryPosEmb"
    if integer(api, "cos_format", cos_format) not in (0, 2):
        unsupported_argument(api, "cos_format", cos_format, "Use ops.rotary_position_embedding.")
    size = cos.shape[-1]
    out = []
    for name, x in (("query", query), ("key", key)):
        if floating(api, name, x).shape[-1] % size or size % 2:
            raise ValueError(f"For '{api}', the last size of '{name}' must be heads of {size}, but got {x.shape}.")
        rows = x.reshape(-1, x.shape[-1] // size, size)
        angles = [a.reshape(-1, size) for a in (cos, sin)]
        if angles[0].shape[0] not in (1, rows.shape[0]):
            at = position_ids.reshape(-1)
            if at.shape[0] != rows.shape[0]:
                raise ValueError(
                    f"For '{api}', 'position_ids' must name a row for each of {rows.shape[0]} tokens, but got shape "
                    f"{position_ids.shape}."
                )
            angles = [a[at] for a in angles]
        c, s = (wide(a)[:, None] for a in angles)
        data = wide(rows)
        out.append((data * c + _turned(data, False) * s).reshape(x.shape).astype(x.dtype))
    return tuple(out)


@faces("ops")
@op(static=("epsilon",))
def add_rms_norm(x1, x2, gamma, epsilon=1e-6):
    """`rms_norm` of x1 + x2 over the last axes, which are `gamma`'s.

    Args:
        x1, x2 (Tensor): of one shape, floating type.
        gamma (Tensor): shaped like the last axes.
        epsilon (float): added to the mean of the squares, in (0, 1].

    Returns:
        Tuple of the output, the reciprocal root in Float32 and the sum.

    Raises:
        TypeError: data that is not floating.
        ValueError: `gamma` or `epsilon` do not fit.
        RuntimeError: the shapes of `x1` and `x2` differ.

    >>> from ms_compat import Tensor, ops
    >>> x, gamma = Tensor([[0.5, 1.0, 1.5]]), Tensor([1.0, 1.0, 1.0])
    >>> y, root, total = ops.add_rms_norm(x, x, gamma)
    >>> print(total)
    [[1. 2. 3.]]
    """
    api = "add_rms_norm"
    for name, value in (("x1", x1), ("x2", x2), ("gamma", gamma)):
        floating(api, name, value)
    if x1.shape != x2.shape:
        raise RuntimeError(f"For '{api}', 'x1' and 'x2' must have one shape, but got {x1.shape} and {x2.shape}.")
    if gamma.ndim > x1.ndim or x1.shape[x1.ndim - gamma.ndim :] != gamma.shape:
        raise ValueError(f"For '{api}', 'gamma' must have the last sizes of {x1.shape}, but got {gamma.shape}.")
    if not isinstance(epsilon, float) or not 0 < epsilon <= 1:
        raise ValueError(f"For '{api}', the 'epsilon' must be a float in (0, 1], but got {epsilon!r}.")
    total = wide(x1) + wide(x2)
    root = lax.rsqrt(jnp.mean(lax.square(total), tuple(range(-gamma.ndim, 0)), keepdims=True) + epsilon)
    out = (total * root * gamma.astype(total.dtype)).astype(x1.dtype)
    return out, root.astype(np.float32), total.astype(x1.dtype)
