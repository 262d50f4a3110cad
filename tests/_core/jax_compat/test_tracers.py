"""Weakly typed numbers of a trace, by JAX's function and by its primitive."""

import jax
import jax.numpy as jnp
import pytest

from ms_compat._core.jax_compat import tracers


@pytest.mark.parametrize("by_jax", [True, False])
@pytest.mark.parametrize("dtype", ["float64", "int64", "complex128", "bool"])
def test_numbers_become_weak(by_jax, dtype, monkeypatch):
    monkeypatch.setattr(tracers, "HAS_WEAK_CONVERSION", by_jax)
    value = jnp.ones((), "bool")
    for convert in (tracers.as_weak, jax.jit(tracers.as_weak, static_argnums=1)):
        once = convert(value, jnp.dtype(dtype))
        again = tracers.as_weak(once, jnp.dtype(dtype))
        assert (once.dtype, once.weak_type, once.shape) == (dtype, True, ())
        assert (again.dtype, again.weak_type) == (once.dtype, once.weak_type)
        assert once == 1
