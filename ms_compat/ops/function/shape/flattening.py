"""Several dimensions as one."""

from __future__ import annotations

import math

from ms_compat._core.checks import check_choice
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.axes import axis_of, tensor
from ms_compat.ops.function.shape.views import reshape


@faces("ops")
def flatten(input, order="C", start_dim=1, end_dim=-1):
    """The dimensions from `start_dim` to `end_dim` as one.

    In PYNATIVE_MODE a view, and `input` itself where only one dimension is chosen; but a copy where all dimensions
    after the first are chosen.

    Args:
        input: a Tensor; a 0-d one becomes 1-d.
        order: "C" for row-major, "F" for column-major.
        start_dim: an int; by default the batch dimension is kept.
        end_dim: an int.

    Raises:
        ValueError: another order, or `start_dim` comes after `end_dim`.

    >>> from ms_compat import ops
    >>> print(ops.flatten(ops.ones((2, 3, 4))).shape)
    (2, 12)
    """
    check_type("flatten", "input", input, Tensor)
    rank = len(input.shape)
    if rank > 1 and (order == "F" or (start_dim, end_dim) == (1, -1)):
        return flat(input, order, start_dim, end_dim)
    size = flat_shape(input.shape, order, start_dim, end_dim)
    return input if rank > 1 and size == input.shape else reshape(input, size)


@op(static=("order", "start_dim", "end_dim"), name="flatten")
def flat(input, order="C", start_dim=1, end_dim=-1):
    """As `flatten`, in a new Tensor."""
    x = tensor("flatten", input)
    size = flat_shape(x.shape[::-1] if order == "F" else x.shape, order, start_dim, end_dim)
    return (x.transpose() if order == "F" else x).reshape(size)


def flat_shape(shape, order="C", start_dim=1, end_dim=-1):
    """The shape with the chosen dimensions as one; arguments as for `flatten`."""
    check_type("flatten", "order", order, str)
    check_choice("flatten", "order", order, ("C", "F"))
    if len(shape) < 2:
        return (math.prod(shape),)
    first = axis_of("flatten", start_dim, len(shape), "start_dim")
    last = axis_of("flatten", end_dim, len(shape), "end_dim")
    if first > last:
        raise ValueError(
            f"For 'flatten', 'start_dim' must not come after 'end_dim', but got {start_dim} and {end_dim}."
        )
    return (*shape[:first], math.prod(shape[first : last + 1]), *shape[last + 1 :])


@faces(primitive="Flatten()(x)")
@op(tensors="x")
def flatten_rows(x):
    """The dimensions after the first as one, the primitive `Flatten`; a 0-d tensor becomes 1-d."""
    if x.ndim == 0:
        return x.reshape(1)
    return x.reshape((x.shape[0], math.prod(x.shape[1:])))
