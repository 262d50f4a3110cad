"""NumPy functions that a program calls with sizes that are open while it is traced.

NumPy takes numbers alone. Those functions that only make an array of a shape have a counterpart in JAX, whose result is
an array of the trace: Tensors can be made from it, and nothing else can read its values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core.jax_compat import InconclusiveDimensionOperation, is_watched
from ms_compat._core.tensor.traced_array import TracedArray


def _full(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    return jnp.full(shape, fill_value, np.asarray(fill_value).dtype if dtype is None else dtype)


_OF_SIZES: dict[Any, Callable[..., Any]] = {
    np.arange: jnp.arange,
    np.broadcast_to: lambda array, shape: jnp.broadcast_to(np.asarray(array), shape),
    np.empty: lambda shape, dtype=float: jnp.zeros(shape, dtype),
    np.eye: lambda N, M=None, k=0, dtype=float: jnp.eye(N, M, k, dtype),
    np.full: _full,
    np.identity: lambda n, dtype=float: jnp.eye(n, dtype=dtype),
    np.ones: lambda shape, dtype=float: jnp.ones(shape, dtype),
    np.tile: lambda A, reps: jnp.tile(np.asarray(A), reps),
    np.zeros: lambda shape, dtype=float: jnp.zeros(shape, dtype),
}


def of_open_sizes(f: Any, args: tuple, kwargs: dict) -> Callable | None:
    """What is called in place of a NumPy function where an argument has an open size; None where NumPy is."""
    try:
        counterpart = _OF_SIZES.get(f)
    except TypeError:  # NumPy's functions can be hashed
        return None
    if counterpart is None or not is_watched((*args, *kwargs.values())):
        return None
    return lambda *args, **kwargs: TracedArray(counterpart(*args, **kwargs))


def refuses_open_size(error: Exception) -> bool:
    """Whether NumPy, or another function that takes numbers alone, refused an open size."""
    if isinstance(error, InconclusiveDimensionOperation):
        return True
    return "_DimExpr" in str(error) or "expected a sequence of integers or a single integer" in str(error)
