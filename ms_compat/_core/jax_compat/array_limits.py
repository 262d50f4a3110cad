"""Arrays that XLA cannot represent: it ends the process where it meets one in a program."""

from __future__ import annotations

import math
from typing import Any

from ms_compat._core.jax_compat.capabilities import HAS_IR_TYPE_HANDLERS, ShapedArray, ir_type_handlers
from ms_compat._core.jax_compat.symbolic_sizes import has_symbolic_size


def bytes_of(shape: Any, dtype: Any) -> int:
    """The bytes of an array, with size 1 for axes of size 0: NumPy and XLA count strides by them."""
    return math.prod([size or 1 for size in shape]) * getattr(dtype, "itemsize", 1)


def check_countable(shape: Any, dtype: Any, what: str) -> None:
    """Raises ValueError for a shape that XLA would end the process for: one of 2**63 bytes or more."""
    if not has_symbolic_size(shape) and bytes_of(shape, dtype) >= 1 << 63:
        raise ValueError(
            f"{what} has the shape {tuple(shape)} of {dtype}: {bytes_of(shape, dtype)} bytes, and no array can have "
            f"{1 << 63} or more."
        )


def check_arrays_of_programs() -> None:
    """Let JAX check each array in a program that it compiles from now on; called before this package's first program.

    The check costs one call for each array in a new program. It stays for the rest of the process and also serves
    programs that do not come from this package: instead of ending, the process raises ValueError.
    """
    if not HAS_IR_TYPE_HANDLERS:
        return
    array_type = ir_type_handlers[ShapedArray]
    if getattr(array_type, "checks", False):
        return

    def checked_array_type(aval: Any) -> Any:
        if all(type(size) is int for size in aval.shape):
            check_countable(aval.shape, aval.dtype, "An array of this program")
        return array_type(aval)

    checked_array_type.checks = True  # type: ignore[attr-defined]
    ir_type_handlers[ShapedArray] = checked_array_type
