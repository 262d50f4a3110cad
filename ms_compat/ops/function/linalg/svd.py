"""Singular values and vectors, with the sign of the vectors settled."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from ms_compat._core.checks import check_rank_at_least
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.operands import is_complex, is_integral, to_float
from ms_compat._core.faces import faces
from ms_compat.ops.function.axes import tensor


@faces("ops Tensor")
@op(static=("full_matrices", "compute_uv"))
def svd(input, full_matrices=False, compute_uv=True):
    """Singular value decomposition.

    Args:
        input: a Tensor of matrices.
        full_matrices: whether U and V are square.
        compute_uv: False returns the singular values alone.

    Returns:
        (S, U, V) with input = U S V^H, all of the input's dtype. Each pair of singular vectors has a free sign; the
        largest element of each real V is made positive, so that all devices agree (and MindSpore for tall matrices
        mostly).

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[3.0, 0.0], [0.0, 4.0]])
    >>> print(ops.svd(x, compute_uv=False), x.svd()[1].shape)
    [4. 3.] (2, 2)
    """
    from ms_compat.ops.function.linalg.eigen import singular, singular_values  # `import ms_compat` does without it

    check_rank_at_least("Svd", "input", tensor("svd", input), 2)
    if input.dtype.itemsize < 4 and not is_integral(input.dtype):
        raise TypeError(f"For 'Svd', the input must be of Float32 or wider, but got {input.dtype.name}.")
    x = to_float(input)
    if not compute_uv:
        return singular_values(x).astype(x.dtype)
    if full_matrices and x.shape[-1] != x.shape[-2]:
        u, s, vh = jnp.linalg.svd(x)
        v = jnp.conj(jnp.swapaxes(vh, -1, -2))
    else:
        u, s, v = singular(x)
    if is_complex(x.dtype):
        return s.astype(x.dtype), u, v
    count = s.shape[-1]
    largest = jnp.argmax(jnp.abs(v), -2, keepdims=True)
    sign = jnp.where(jnp.take_along_axis(v, largest, -2) < 0, -1, 1).astype(x.dtype)[..., :count]
    both = [jnp.concatenate([m[..., :count] * jax.lax.stop_gradient(sign), m[..., count:]], -1) for m in (u, v)]
    return s, *both
