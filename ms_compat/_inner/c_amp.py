"""`mindspore._c_expression.amp`: descriptions of MindSpore's automatic casts for each operation.

Copies of MindSpore's `train/amp.py` import these names. The descriptions are served; casts begin with
`amp.auto_mixed_precision(net, "auto")`, for the calls of a Cell, and not in the middle of a program.
"""

from __future__ import annotations

import enum
from typing import Any, NamedTuple, NoReturn

from ms_compat._core.errors import UnsupportedError, check_type

_WAY_OUT = "'amp.auto_mixed_precision' and 'amp.custom_mixed_precision' set the precision of Cells."
__all__ = ["AmpLevel", "AmpStrategy", "create_amp_strategy", "pop_amp_strategy", "push_amp_strategy"]


class AmpLevel(enum.IntEnum):
    """Levels of mixed precision."""

    AmpO0 = 0
    AmpO1 = 1
    AmpO2 = 2
    AmpO3 = 3
    AmpAuto = 4


class AmpStrategy(NamedTuple):
    """A level, a dtype, and the names of the operations, with their arguments, that are cast down and up."""

    level: AmpLevel
    dtype: Any
    white_list: list
    black_list: list

    def get_amp_level(self) -> AmpLevel:
        """The level."""
        return self.level

    def get_amp_dtype(self) -> Any:
        """The dtype."""
        return self.dtype

    def get_white_list(self) -> list:
        """What computes in the dtype."""
        return self.white_list

    def get_black_list(self) -> list:
        """What stays in Float32."""
        return self.black_list


def create_amp_strategy(level: AmpLevel, dtype: Any, white_list: list, black_list: list) -> AmpStrategy:
    """Make an `AmpStrategy`.

    Raises:
        TypeError: `level` is not an `AmpLevel`, or a list is not a list.
    """
    check_type("create_amp_strategy", "level", level, AmpLevel)
    for name, names in (("white_list", white_list), ("black_list", black_list)):
        check_type("create_amp_strategy", name, names, list)
    return AmpStrategy(level, dtype, white_list, black_list)


def push_amp_strategy(level: AmpLevel, dtype: Any, white_list: list, black_list: list) -> NoReturn:
    """Begin to cast the inputs of operations.

    Raises:
        UnsupportedError: always.
    """
    raise UnsupportedError("push_amp_strategy", _WAY_OUT)


def pop_amp_strategy() -> NoReturn:
    """End the casts that `push_amp_strategy` began; raises as that does."""
    raise UnsupportedError("pop_amp_strategy", _WAY_OUT)
