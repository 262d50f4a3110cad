"""The table of rules: for each JAX primitive the function that turns an equation into one step of a NumPy program.

A rule is called once, when a jaxpr is prepared, with the equation's avals and parameters (`Equation`), and gives a
function of NumPy arrays; or None where this equation is left to XLA.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np


class Left(Exception):
    """Raised by a step that finds values with which NumPy would differ from XLA: the program is compiled."""


Step = Callable[..., Any]
Rule = Callable[["Equation"], Step | None]
RULES: dict[str, Rule] = {}
NANOSECONDS_AN_ELEMENT = 0.7  # for 32 bits, beside the call

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
HALVES = frozenset((np.dtype(np.float16), BFLOAT16))
# the dtypes that are interpreted; others (int4, float8) are left to XLA. Keys of random numbers are pairs of uint32.
DTYPES = (
    HALVES
    | frozenset(np.dtype(t) for t in "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64".split())
    | frozenset(np.dtype(t) for t in "float32 float64 complex64 complex128".split())
)


class Aval:
    """Shape and dtype of one operand or result."""

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: tuple[int, ...], dtype: Any):
        self.shape = shape
        self.dtype = np.dtype(dtype)

    @property
    def size(self) -> int:
        """The number of elements."""
        size = 1
        for length in self.shape:
            size *= length
        return size


class Equation:
    """One equation as a rule sees it: all sizes are numbers.

    `cost` is an estimate of its nanoseconds besides NumPy's call overhead, for a rule to change, and `product` how
    often a product by BLAS multiplies.
    """

    __slots__ = ("cost", "ins", "name", "outs", "params", "product")

    def __init__(self, name: str, params: dict[str, Any], ins: Sequence[Aval], outs: Sequence[Aval]):
        self.name = name
        self.params = params
        self.ins = ins
        self.outs = outs
        self.product = 0
        self.cost = NANOSECONDS_AN_ELEMENT * sum(out.size for out in outs)

    @property
    def dtype(self) -> np.dtype:
        """The dtype of the first operand."""
        return self.ins[0].dtype


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Enter a rule for some primitives."""

    def enter(made: Rule) -> Rule:
        for name in names:
            RULES[name] = made
        return made

    return enter


def is_inexact(dtype: np.dtype) -> bool:
    """Whether a dtype is a float or complex one (to NumPy, bfloat16 is of kind V)."""
    return dtype.kind in "fc" or dtype == BFLOAT16


def wide(step: Step) -> Step:
    """A step that computes 16-bit floats in Float32, as XLA does on CPU. Other dtypes are not cast."""

    def widened(*values: Any) -> Any:
        out = step(*[v.astype(np.float32) if v.dtype in HALVES else v for v in values])
        return out.astype(values[0].dtype)

    return widened
