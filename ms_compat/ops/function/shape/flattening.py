"""Several dimensions as one."""

from __future__ import annotations

import math

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat.ops.function.axes import axis_of, tensor
from ms_compat.ops.function.shape.views import reshape


@faces("ops")
def flatten(input, order="C", start_dim=1, end_dim=-1):
    """The dimensions from `start_dim` to `end_dim` as one; a view in PYNATIVE_MODE of less than two dimensions.

    Args:
        input: a Tensor; a 0-d one becomes 1-d.
        order: "C" for row-major, "F" for column-major.
        start_dim: an int; by default the batch dimension is kept.
        end_dim: an int.

    Raises:
        ValueError: another order, or `start_dim` comes after `end_dim`.
    """
    out = flat(input, order, start_dim, end_dim)
    return reshape(input, (-1,)) if len(input.shape) < 2 else out


@op(static=("order", "start_dim", "end_dim"), name="flatten")
def flat(input, order="C", start_dim=1, end_dim=-1):
    """As `flatten`, in a new Tensor."""
    x = tensor("flatten", input)
    check_type("flatten", "order", order, str)
    check_choice("flatten", "order", order, ("C", "F"))
    if order == "F":
        x = x.transpose()
    if x.ndim < 2:
        return x.reshape(-1)
    first = axis_of("flatten", start_dim, x.ndim, "start_dim")
    last = axis_of("flatten", end_dim, x.ndim, "end_dim")
    if first > last:
        raise ValueError(
            f"For 'flatten', 'start_dim' must not come after 'end_dim', but got {start_dim} and {end_dim}."
        )
    middle = int(np.prod(x.shape[first : last + 1], dtype=np.int64))
    return x.reshape((*x.shape[:first], middle, *x.shape[last + 1 :]))


@faces(primitive="Flatten()(x)")
@op(tensors="x")
def flatten_rows(x):
    """The dimensions after the first as one, the primitive `Flatten`; a 0-d tensor becomes 1-d."""
    if x.ndim == 0:
        return x.reshape(1)
    return x.reshape((x.shape[0], math.prod(x.shape[1:])))
