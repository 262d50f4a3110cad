"""The preconditioners of the optimizer THOR: inverses of Kronecker factors, in blocks along the diagonal.

A layer's Fisher information is taken as A x G, for the second moments A of its inputs and G of its outputs' gradients.
The gradient W [out, in] becomes G^-1 W A^-1. As in MindSpore's GPU kernels only the blocks of 128 rows and columns
along the diagonals are inverted, as if the rest of A and G was zero, where a size is above 128.

Source: Chen et al., "THOR, Trace-based Hardware-driven Layer-Oriented Natural Gradient Descent Computation", 2021; the
steps have MindSpore 2.10's order.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

BLOCK = 128
_EXACT = lax.Precision.HIGHEST


def block_size(size: int) -> tuple[int, int]:
    """How many blocks there are along a diagonal of this length, and their size.

    >>> block_size(12), block_size(140)
    ((1, 12), (2, 128))
    """
    return (1, size) if size < BLOCK else (-(-size // BLOCK), BLOCK)


def inverses(matrices: Sequence[Any], whole: Sequence[bool]) -> list[Any]:
    """The inverses of diagonal blocks in positive definite matrices, by Cholesky's factorization.

    Blocks of one size are inverted together: a factorization costs 0.2 s to compile, and a network has two per layer.

    Args:
        matrices: each [n, n].
        whole: whether a matrix is one block, whatever its size.

    Returns:
        [blocks, size, size] for each; where the last block is not full, its rest is the identity.
    """
    stacks = [_blocks(m, len(m) if one else block_size(len(m))[1]) for m, one in zip(matrices, whole, strict=True)]
    found: list[Any] = [None] * len(stacks)
    for size in sorted({stack.shape[1] for stack in stacks}):
        at = [i for i, stack in enumerate(stacks) if stack.shape[1] == size]
        ends = list(itertools.accumulate(len(stacks[i]) for i in at))
        parts = jnp.split(_inverse(jnp.concatenate([stacks[i] for i in at])), ends[:-1])
        for i, part in zip(at, parts, strict=True):
            found[i] = part
    return found


def _blocks(matrix: Any, size: int) -> Any:
    parts = [matrix[i : i + size, i : i + size] for i in range(0, len(matrix), size)]
    missing = size - len(parts[-1])
    if missing:
        rest = np.diag([0.0] * len(parts[-1]) + [1.0] * missing).astype(matrix.dtype)
        parts[-1] = jnp.pad(parts[-1], (0, missing)) + rest
    return jnp.stack(parts)


def _inverse(blocks: Any) -> Any:
    factor = jnp.linalg.cholesky(blocks)
    identity = jnp.broadcast_to(jnp.eye(blocks.shape[1], dtype=blocks.dtype), blocks.shape)
    below = lax.linalg.triangular_solve(factor, identity, left_side=True, lower=True)
    return jnp.einsum("bki,bkj->bij", below, below, precision=_EXACT)


def damped(matrix: Any, damping: Any) -> Any:
    """matrix + damping I, for a damping of shape ()."""
    return matrix + damping * jnp.eye(matrix.shape[0], dtype=matrix.dtype)


def precondition(gradient: Any, g_inverse: Any, a_inverse: Any) -> Any:
    """G^-1 W A^-1 block by block, with the first axis of W against all others.

    Args:
        gradient: W, [out, ...].
        g_inverse: the blocks of G^-1.
        a_inverse: the blocks of A^-1.
    """
    flat = gradient.reshape(gradient.shape[0], -1).astype(jnp.float32)
    (rows, high, _), (columns, wide, _) = g_inverse.shape, a_inverse.shape
    padded = jnp.pad(flat, ((0, rows * high - flat.shape[0]), (0, columns * wide - flat.shape[1])))
    blocks = padded.reshape(rows, high, columns, wide)
    found = jnp.einsum("aij,ajbk,bkl->aibl", g_inverse, blocks, a_inverse, precision=_EXACT)
    found = found.reshape(padded.shape)[: flat.shape[0], : flat.shape[1]]
    return found.reshape(gradient.shape).astype(gradient.dtype)


def precondition_rows(gradient: Any, g_inverse: Any, a_inverse: Any) -> Any:
    """The gradient of a table: each row times its number of `a_inverse` [rows], and times G^-1."""
    found = jnp.matmul(a_inverse[:, None] * gradient.astype(jnp.float32), g_inverse, precision=_EXACT)
    return found.astype(gradient.dtype)


def precondition_diagonal(gradient: Any, damping: Any, batch_size: float) -> Any:
    """g / (g^2 / batch_size + sqrt(damping)), for the scales and shifts of layer normalisation."""
    squares = jnp.square(gradient.astype(jnp.float32)) / batch_size
    return (gradient.astype(jnp.float32) / (squares + jnp.sqrt(damping))).astype(gradient.dtype)
