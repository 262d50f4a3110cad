"""`mindspore.Symbol`: constraints on an unknown size."""

from __future__ import annotations

import logging
from typing import Any

from ms_compat._core.checks import check_within
from ms_compat._core.errors import check_bool, check_int

logger = logging.getLogger("ms_compat")


class Symbol:
    """Facts about an unknown size of a Tensor that describes an input, which `Cell.set_inputs` checks in GRAPH_MODE.

    Args:
        max (int): the largest; a value below `min` says nothing.
        min (int): the least.
        divisor (int): what the size is a multiple of, with
        remainder (int): left over.
        unique (bool): whether all sizes of this Symbol are the same.
        kwargs: not looked at.

    Raises:
        TypeError: a value is not an int, or `unique` is not a bool.
        ValueError: `min` or `divisor` is not positive, or `remainder` not below `divisor`.

    >>> import ms_compat as ms
    >>> print(ms.Symbol(max=10, divisor=2))
    {'max': 10, 'divisor': 2}
    >>> ms.Tensor(shape=(None, ms.Symbol(divisor=2)), dtype=ms.float32).shape
    (-1, -1)
    """

    def __init__(self, max: int = 0, min: int = 1, divisor: int = 1, remainder: int = 0, unique: bool = False,
                 **kwargs: Any):  # fmt: skip
        for name, value in {"max": max, "min": min, "divisor": divisor, "remainder": remainder}.items():
            check_int("Symbol", name, value)
            if name in ("min", "divisor") and value <= 0:
                raise ValueError(f"For 'Symbol', the '{name}' value should be positive, but got {value}.")
        check_bool("Symbol", "unique", unique)
        check_within("Symbol", "remainder", remainder, 0, divisor, "[)")
        if kwargs:
            logger.debug("Symbol: %s say nothing about a size", sorted(kwargs))
        self.max, self.min, self.divisor, self.remainder, self.unique = max, min, divisor, remainder, unique
        self.id = id(self)

    def to_dict(self) -> dict[str, int]:
        """The constraints, except those that hold for every size."""
        out = {}
        if self.max > self.min:
            out["max"] = self.max
        if self.min > self.divisor + self.remainder:  # the least size that leaves `remainder`
            out["min"] = self.min
        if self.divisor > 1:
            out["divisor"] = self.divisor
        if self.remainder > 0:
            out["remainder"] = self.remainder
        if self.unique:
            out["id"] = self.id
        return out

    def accepts(self, size: int, seen: dict[int, int]) -> bool:
        """Whether a size meets the constraints; `seen` holds the sizes of the call's unique Symbols."""
        if size < self.min or self.max > self.min and size > self.max:
            return False
        times, left = divmod(size, self.divisor)
        if times < 1 or left != self.remainder:
            return False
        return not self.unique or seen.setdefault(self.id, size) == size

    def __int__(self) -> int:
        return -1

    def __str__(self) -> str:
        return str(self.to_dict())
