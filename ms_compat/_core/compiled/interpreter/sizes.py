"""Symbols for the sizes of axes, so that one trace serves many shapes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from ms_compat._core.jax_compat import AnswersForNumbers, Decisions, decided_by, is_symbolic_size, size_at


class SymbolicSizes:
    """Sizes of axes as symbols, for one trace that serves many shapes.

    JAX cannot decide most comparisons of symbols, and takes some for unequal that may be equal. Here every comparison
    within `deciding` is answered for the numbers at hand and recorded; the trace serves other numbers only where
    all answers are the same (`holds`).

    Args:
        numbers: the sizes at hand, which the symbols represent.
    """

    def __init__(self, numbers: Sequence[int]):
        from jax import export

        names = [f"n{i}" for i in range(len(numbers))]
        self.symbols = export.symbolic_shape(",".join(names)) if names else ()
        self._names = names
        self._decisions = Decisions()
        self._numbers = self.evaluator(numbers)

    def deciding(self) -> AbstractContextManager[None]:
        """A region, of this thread, in which comparisons are answered for the numbers at hand."""
        return decided_by(AnswersForNumbers(self._answer))

    def evaluator(self, numbers: Sequence[int]) -> Callable[[Any], int]:
        """The function that gives the number of a size, where the symbols are these numbers."""
        at = dict(zip(self._names, numbers, strict=True))
        known: dict[int, tuple[Any, int]] = {}

        def number(size: Any) -> int:
            if type(size) is int:
                return size
            found = known.get(id(size))
            if found is None:
                value = size_at(size, at) if is_symbolic_size(size) else size
                found = known[id(size)] = size, operator.index(value)  # `size` is kept, so that its id is its own
            return found[1]

        return number

    def _answer(self, difference: Any, of_order: bool) -> bool:
        """Whether a difference of sizes is 0, or not negative (`of_order`); noted."""
        value = self._numbers(difference)
        return self._decisions.note(difference, of_order, value >= 0 if of_order else value == 0)

    def holds(self, number: Callable[[Any], int]) -> bool:
        """Whether the comparisons have the same answers for other numbers, given their `evaluator`."""
        return self._decisions.hold(number)
