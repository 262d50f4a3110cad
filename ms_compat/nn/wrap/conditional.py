"""Updates of Parameters that take place under a condition, in both modes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import scopes, write_barrier


def update_where(condition: Tensor, update: Callable[[], Any], parameters: Iterable[Parameter]) -> None:
    """Call `update` if a condition holds.

    A compiled program calls it in any case and then chooses between the old and the new values, Parameter by Parameter,
    so that the host reads nothing.

    Args:
        condition: a bool Tensor of one element.
        update: the function.
        parameters: the Parameters that it may change; one may occur twice.
    """
    if not (scopes.tracing and scopes.current_scope() is not None):
        if bool(np.all(condition.asnumpy())):
            update()
        return
    changed = list({id(p): p for p in parameters}.values())
    before = [p._v for p in changed]
    update()
    holds = condition._v.reshape(())
    for parameter, old in zip(changed, before, strict=True):
        if parameter._v is not old:
            write_barrier.assign(parameter, jnp.where(holds, parameter._v, old))
