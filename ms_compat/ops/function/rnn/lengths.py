"""Sequences with many lengths in PYNATIVE_MODE: recurrent networks run for 16, 32, 64, ... steps.

XLA compiles a network again for each length, which takes about a second and some megabytes. So the first lengths of a
network have their own programs, and the sequences of all later ones are padded. The steps behind a row's length
change neither its states nor its outputs. Compiled functions do the same as a whole (`_compile/padded`).
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core.dispatch.op import op
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import scopes

FEW = 4  # lengths of a network that have their own programs
SMALLEST = 16  # the least padded number of steps; the others are powers of two

_own: dict[tuple, set[int]] = {}


@op(static=("steps", "axis"))
def longer(x: Any, steps: Any, axis: Any) -> Any:
    """The array with zeros behind along an axis.

    Args:
        x: the array.
        steps: the new size.
        axis: the axis, 0 or 1.
    """
    return jnp.pad(x, [(0, steps - size if at == axis else 0) for at, size in enumerate(x.shape)])


def steps_for(network: tuple, x: Any, axis: int) -> int | None:
    """The number of steps that a sequence is padded to; None to leave it as it is.

    Args:
        network: what its programs depend on beside the sequence.
        x: the sequence.
        axis: the axis of its steps.
    """
    if not isinstance(x, Tensor) or x.ndim != 3 or scopes.current_scope() is not None or isinstance(x._v, Tracer):
        return None
    length, own = x.shape[axis], _own.setdefault(network, set())
    if length in own or not length:
        return None
    if len(own) < FEW:
        own.add(length)
        return None
    return max(SMALLEST, 1 << (length - 1).bit_length())


def padded(x: Tensor, lengths: Any, steps: int, axis: int) -> tuple[Tensor, Tensor]:
    """A sequence with as many steps, and the lengths of its rows, none of which is longer than the sequence was."""
    length, rows = x.shape[axis], x.shape[1 - axis]
    if isinstance(lengths, Tensor) and lengths.shape == (rows,) and lengths.asnumpy().dtype in (np.int32, np.int64):
        lengths = Tensor(np.minimum(lengths.asnumpy(), length))
    elif lengths is None:
        lengths = Tensor(np.full((rows,), length, np.int32))
    return longer(x, steps, axis), lengths
