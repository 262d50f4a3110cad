"""The remainder of `mindspore.numpy`: 0 of an integer divided by 0, where `mindspore.ops` gives the dividend."""

from __future__ import annotations

import jax.numpy as jnp

from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.operands import is_integral
from ms_compat._core.faces import faces
from ms_compat.ops.function.elementwise import arithmetic


@faces("numpy.mod:binary numpy.remainder:binary")
@op(name="remainder")
def remainder_or_zero(input, other):
    """The remainder with the divisor's sign.

    Args:
        input: a Tensor or a number.
        other: a Tensor or a number; shapes broadcast.
    """
    out = arithmetic.remainder.fn(input, other)
    return jnp.where(other == 0, 0, out).astype(out.dtype) if is_integral(out.dtype) else out
