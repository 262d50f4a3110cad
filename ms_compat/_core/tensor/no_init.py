"""Tensors and Parameters without initialisation: their values come from a checkpoint, or later.

Inside `no_init_parameters` an initializer makes a Parameter of zeros and draws no random number. MindSpore leaves it
without memory until a checkpoint is loaded; a Parameter here has its array from the start.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import jax.numpy as jnp

from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import eval_context
from ms_compat._core.tensor import abstract
from ms_compat._core.trace import scopes


class _Local(threading.local):
    depth = 0


_local = _Local()


@faces("nn")
@contextlib.contextmanager
def no_init_parameters() -> Iterator[None]:
    """A region in which Parameters are not initialised.

    >>> from ms_compat import nn
    >>> with nn.utils.no_init_parameters():
    ...     net = nn.Dense(2, 1)
    >>> print(net.weight.asnumpy())
    [[0. 0.]]
    """
    _local.depth += 1
    try:
        yield
    finally:
        _local.depth -= 1


def filled(tensor: Any) -> Any:
    """A tensor that waits for its initializer, filled by it, or by zeros inside `no_init_parameters`."""
    if not _local.depth:
        return filled_now(tensor)
    tensor._v = jnp.zeros(tensor.shape, tensor.dtype.np_dtype)
    tensor.init = None
    return tensor


def filled_now(tensor: Any) -> Any:
    """A tensor that waits for its initializer, filled by it; abstract where a program is only planned."""
    value = abstract.placeholder_for_init(tensor.shape, tensor.dtype.np_dtype)
    if value is None:
        return tensor.init_data()
    tensor._v = value
    tensor.init = None
    return tensor


def require(tensor: Any, api: str) -> None:
    """Fill a tensor without data that compiled code uses; elsewhere, as in MindSpore, its program must have done so.

    Raises:
        RuntimeError: the tensor has no data, and no compiled function is traced or it has no initializer.
    """
    if tensor.init is None:  # filled meanwhile, where it is given twice
        return
    if not (scopes.compiling() and tensor.has_init):
        raise RuntimeError(f"For '{api}', a tensor has no data yet; call its init_data() first.")
    with eval_context():
        tensor.init_data()
