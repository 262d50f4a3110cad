"""What an operation returns that has written into a Parameter or Tensor.

The Parameter stays a variable of differentiation, so that what is written has no gradient through it. Through the
result it has: by the derivative of the operation, or by none, which raises an error where MindSpore has no rule.
"""

from __future__ import annotations

import functools

import jax

from ms_compat._core import tape
from ms_compat._core.dispatch import shared_storage
from ms_compat._core.dispatch.op import op
from ms_compat._core.promotion import promote
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import scopes, write_barrier
from ms_compat.ops.function.shape.create import shared


def written(target: Tensor, new: Tensor) -> Tensor:
    """Write a value in place; returns a Tensor of the same storage, which has the value's own record."""
    out = shared_storage.write(target, new)
    return shared(target) if out is target else out


def replace_as_variable(target: Tensor, new: Tensor) -> None:
    """Give a Tensor a value that has no gradient; what is computed from it has the gradient of the value before.

    So it is of a Parameter, and of the statistics and tables that MindSpore's kernels write into.
    """
    value = new._v if scopes.current_scope() is None else write_barrier.rebound(target._v, new._v)
    write_barrier.assign(target, value, target._node)


def written_without_gradient(name: str, target: Tensor, new: Tensor) -> Tensor:
    """As `written`, for an operation without a derivative: a gradient through the result is a RuntimeError."""
    out = written(target, new)
    if scopes.tracing:
        return without_gradient(out, name)
    out._node = None if tape.live_node(new) is None else without_gradient(new, name)._node
    return out


@op(static=("name",))
def without_gradient(x, name):
    """The value; a gradient through it is a RuntimeError that names an operation."""
    return _identity(name, x)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def _identity(name, x):
    return x


def _refuse(name, _, cotangent):
    raise RuntimeError(
        f"For '{name}', there is no gradient, as in MindSpore. Compute the new value with an operation that returns "
        "it, such as 'mindspore.ops.tensor_scatter_add', and assign it, or read the Parameter after the update."
    )


_identity.defvjp(lambda name, x: (_identity(name, x), None), _refuse)


def check_convertible(api: str, variable: Tensor, value: Tensor) -> None:
    """Raise TypeError if a Parameter's dtype does not hold what is assigned, or added: it is never converted."""
    want, have = variable.dtype.np_dtype, value.dtype.np_dtype
    try:
        fits = want == have or promote(want, have) == want
    except TypeError:
        fits = False
    if not fits:
        raise TypeError(
            f"For '{api}', a value of {value.dtype} cannot be converted to the Parameter's {variable.dtype}."
        )
