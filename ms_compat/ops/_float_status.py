"""Whether numbers overflowed: `FloatStatus`, and the status registers of MindSpore's NPU as programs use them.

An NPU sets a register when a computation overflows. JAX's devices have no such register. Programs order their reads
of it with `depend(status, gradients)`; so a status made here records what it depends on, and a read checks those
values: 0 if all are finite.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from ms_compat._core.dispatch.op import op
from ms_compat._core.faces import faces, table_faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import scopes, write_barrier
from ms_compat.ops.primitive import Primitive, Row, make_primitives

_SIZE = 8


@op(name="FloatStatus")
def float_status(x):
    """1 if any element is infinite or not a number, else 0, as a Float32 of shape (1,).

    Raises:
        TypeError: the dtype is not a float.
    """
    if not jnp.issubdtype(x.dtype, jnp.floating):
        raise TypeError(f"For 'FloatStatus', the dtype of 'x' must be Float16, Float32 or Float64, but got {x.dtype}.")
    return (~jnp.isfinite(x).all()).astype(jnp.float32).reshape(1)


@op(name="NPUGetFloatStatus")
def _any_overflow(flags):
    return jnp.broadcast_to(sum(flags).clip(0, 1), (_SIZE,)).astype(jnp.float32)


class StatusTensor(Tensor):
    """A status register: eight Float32, and the values it reports on."""

    __slots__ = ("watched",)
    watched: list[Tensor]

    def depending_on(self, expr: Any) -> StatusTensor:
        """Report on the Tensors of `expr`, too; returns this status."""
        pending = [expr]
        while pending:
            item = pending.pop()
            if isinstance(item, (tuple, list)):
                pending.extend(item)
            elif isinstance(item, Tensor) and not isinstance(item, StatusTensor):
                if jnp.issubdtype(item._v.dtype, jnp.floating):
                    self.watched.append(item)
        return self


@faces("ops")
class NPUAllocFloatStatus(Primitive):
    """A cleared status register: a Float32 Tensor of shape (8,)."""

    def __init__(self):
        super().__init__("NPUAllocFloatStatus")

    def __call__(self) -> StatusTensor:
        out = StatusTensor(jnp.zeros(_SIZE, jnp.float32))
        out.watched = []
        scope = scopes.current_scope()
        if scope is not None:
            scope.created[id(out)] = out
        return out


def _checked(api: str, x: Any) -> Any:
    if not isinstance(x, Tensor) or x.shape != (_SIZE,) or x.dtype._label != "Float32":
        raise TypeError(
            f"For '{api}', the input must be the Float32 Tensor of shape (8,) that NPUAllocFloatStatus made."
        )
    return x


@faces("ops")
class NPUGetFloatStatus(Primitive):
    """Read a status register into itself: ones if what it depends on has an element that is not finite.

    Returns:
        At the call, the register's values, Float32 of shape (8,).

    Raises:
        TypeError: the input is not a register.
    """

    def __init__(self):
        super().__init__("NPUGetFloatStatus")

    def __call__(self, x) -> Tensor:
        status = _checked("NPUGetFloatStatus", x)
        watched = getattr(status, "watched", [])
        if watched:
            found = _any_overflow(tuple([float_status(t) for t in watched]))
            write_barrier.assign(status, found._v)
        return status


@faces("ops")
class NPUClearFloatStatus(Primitive):
    """Clear a status register; arguments and result as for NPUGetFloatStatus."""

    def __init__(self):
        super().__init__("NPUClearFloatStatus")

    def __call__(self, x) -> Tensor:
        status = _checked("NPUClearFloatStatus", x)
        if hasattr(status, "watched"):
            status.watched.clear()
        write_barrier.assign(status, jnp.zeros(_SIZE, jnp.float32))
        return status


globals().update(make_primitives({"FloatStatus": Row(float_status, ("x",))}, __name__))
table_faces(__name__, "FloatStatus", "ops")
