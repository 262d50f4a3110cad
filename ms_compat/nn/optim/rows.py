"""Gradients of some rows only: a RowTensor in place of a parameter's gradient.

The update itself is dense. Rows that a RowTensor lacks have a gradient of 0 and are not decayed; an optimizer that
updates by rows (`LazyAdam`, `FTRL`, `ProximalAdagrad`) leaves them and their state as they are, others let the state
of such rows decay. A row that occurs twice counts with the sum.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.sparse import RowTensorInner


def dense(gradients: tuple) -> tuple[tuple, list[Any] | None]:
    """The gradients as Tensors, and for each whether its rows have a gradient (None for all rows).

    Returns:
        The gradients, and None if there is no RowTensor among them.
    """
    if not any(isinstance(g, RowTensorInner) for g in gradients):
        return gradients, None
    out: list[Tensor] = []
    touched: list[Any] = []
    for g in gradients:
        if not isinstance(g, RowTensorInner):
            out.append(g)
            touched.append(None)
            continue
        at, values = g.indices._v, g.values._v
        shape = tuple(g.dense_shape)
        if values.shape[1:] != shape[1:] or at.shape != values.shape[:1]:
            raise RuntimeError(
                f"A RowTensor of the dense shape {shape} must have one index for each row of its values, but got "
                f"indices of shape {at.shape} and values of shape {values.shape}."
            )
        out.append(wrap(jnp.zeros(shape, values.dtype).at[at].add(values, mode="drop")))
        rows = jnp.zeros(shape[:1], bool).at[at].set(True, mode="drop")
        touched.append(rows.reshape((-1,) + (1,) * (len(shape) - 1)))
    return tuple(out), touched


def without_others(gradients: tuple[Tensor, ...], touched: list[Any]) -> tuple[Tensor, ...]:
    """The gradients with 0 in the rows that have none."""
    return tuple(
        [g if rows is None else wrap(jnp.where(rows, g._v, 0)) for g, rows in zip(gradients, touched, strict=True)]
    )


def kept(new: Any, old: Any, rows: Any) -> Any:
    """The new array where a row has a gradient, the old one elsewhere."""
    return new if rows is None else jnp.where(rows, new, old)
