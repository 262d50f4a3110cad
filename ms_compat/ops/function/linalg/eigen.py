"""Eigenvalues, eigenvectors and singular values and vectors, with derivatives of every order."""

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
    return _one_by(values[..., None, :] - values[..., :, None])


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
    known = jnp.all(jnp.isfinite(x), (-2, -1))  # LAPACK finds numbers even where an element is NaN
    return jnp.where(known[..., None], values, jnp.nan), jnp.where(known[..., None, None], vectors, jnp.nan)


@eigen_hermitian.defjvp
def _hermitian_derivative(primals, tangents):
    [x], [change] = primals, tangents
    values, vectors = eigen_hermitian(x)
    turned = _product(_adjoint(vectors), _product(change, vectors))
    along = jnp.diagonal(turned, axis1=-2, axis2=-1).real
    return (values, vectors), (along, _product(vectors, turned * _one_by_gap(values)))


@jax.custom_jvp
def singular(x: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """U [..., M, K], the singular values [..., K] and V [..., N, K] of matrices [..., M, N], with K = min(M, N).

    JAX's derivative is NaN where singular values are equal. Here the part of a change that separates equal singular
    values does not contribute to their vectors' derivatives, which MindSpore leaves out, too. The part that turns U
    against V does, so that the derivative of `U V^H` is right.

    >>> jax.grad(lambda x: jnp.matmul(singular(x)[0], singular(x)[2].T)[0, 1])(jnp.eye(2)).tolist()
    [[0.0, 0.5], [-0.5, 0.0]]
    """
    u, values, vh = jnp.linalg.svd(x, full_matrices=False)
    return u, values, _adjoint(vh)


@jax.custom_jvp
def singular_values(x: jax.Array) -> jax.Array:
    """The singular values [..., K] of matrices [..., M, N], with K = min(M, N)."""
    return jnp.linalg.svd(x, compute_uv=False)


@singular.defjvp
def _singular_derivative(primals, tangents):
    [x], [change] = primals, tangents
    u, values, v = singular(x)
    turned = _product(_adjoint(u), _product(change, v))
    common = (turned + _adjoint(turned)) / 2 * _one_by_gap(values)
    apart = (turned - _adjoint(turned)) / 2 * _one_by(values[..., None, :] + values[..., :, None])
    inverse = _one_by(values)[..., None, :]
    du, dv = _product(u, common + apart), _product(v, common - apart)
    if x.shape[-2] > x.shape[-1]:
        across = _product(change, v)
        du += (across - _product(u, turned)) * inverse
    elif x.shape[-2] < x.shape[-1]:
        across = _product(_adjoint(change), u)
        dv += (across - _product(v, _adjoint(turned))) * inverse
    return (u, values, v), (du, jnp.diagonal(turned, axis1=-2, axis2=-1).real, dv)


@singular_values.defjvp
def _singular_values_derivative(primals, tangents):
    (_, values, _), (_, moved, _) = jax.jvp(singular, primals, tangents)
    return values, moved


def _adjoint(x: jax.Array) -> jax.Array:
    return jnp.conj(jnp.swapaxes(x, -1, -2))


def _one_by(values: jax.Array) -> jax.Array:
    """1 / values, and 0 where they are 0."""
    return jnp.where(values == 0, 0, 1 / jnp.where(values == 0, 1, values))
