"""Eigenvalues and eigenvectors of square matrices, with derivatives of every order."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp

_product = functools.partial(jnp.matmul, precision=jax.lax.Precision.HIGHEST)


@jax.custom_jvp
def eigen(x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Eigenvalues [..., N] and eigenvectors (as columns) [..., N, N] of matrices [..., N, N], complex.

    JAX refuses the derivative of the vectors, and with it the second derivative of the values. An eigenvector is fixed
    by its length of 1 and by its largest element, which is real, so it has a derivative where all eigenvalues differ.
    Equal eigenvalues do not contribute to the derivatives of each other's vectors.

    >>> values, _ = eigen(jnp.array([[2.0, 0.0], [0.0, 3.0]]))
    >>> values.real.tolist()
    [2.0, 3.0]
    """
    values, vectors = jnp.linalg.eig(x)
    return values, vectors


def _one_by_gap(values: jax.Array) -> jax.Array:
    """1 / (values[j] - values[i]) at [..., i, j], and 0 where the two are equal."""
    gaps = values[..., None, :] - values[..., :, None]
    return jnp.where(gaps == 0, 0, 1 / jnp.where(gaps == 0, 1, gaps))


@eigen.defjvp
def _derivative(primals, tangents):
    [x], [change] = primals, tangents
    values, vectors = eigen(x)
    turned = jnp.linalg.solve(vectors, _product(change.astype(vectors.dtype), vectors))
    across = _product(vectors, turned * _one_by_gap(values))
    # the part along the vector itself keeps its length 1 and its largest element real
    largest = jnp.argmax(jnp.abs(vectors), -2, keepdims=True)
    longer = jnp.sum(vectors.conj() * across, -2, keepdims=True).real
    phase = jnp.take_along_axis(across, largest, -2).imag / jnp.take_along_axis(vectors, largest, -2).real
    along = jax.lax.complex(-longer, -phase)
    return (values, vectors), (jnp.diagonal(turned, axis1=-2, axis2=-1), across + vectors * along)


@jax.custom_jvp
def eigen_hermitian(x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """As `eigen`, of Hermitian matrices: the eigenvalues are real and in rising order.

    MindSpore's derivative is finite where eigenvalues are equal, too, which JAX's is not.

    >>> values, _ = eigen_hermitian(jnp.array([[3.0, 0.0], [0.0, 2.0]]))
    >>> values.tolist()
    [2.0, 3.0]
    """
    values, vectors = jnp.linalg.eigh(x, symmetrize_input=False)
    return values, vectors


@eigen_hermitian.defjvp
def _hermitian_derivative(primals, tangents):
    [x], [change] = primals, tangents
    values, vectors = eigen_hermitian(x)
    turned = _product(jnp.conj(jnp.swapaxes(vectors, -1, -2)), _product(change, vectors))
    along = jnp.diagonal(turned, axis1=-2, axis2=-1).real
    return (values, vectors), (along, _product(vectors, turned * _one_by_gap(values)))
