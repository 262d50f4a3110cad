"""What the generated classes and modules do at run time."""

from __future__ import annotations

from typing import Any

from ms_compat.nn._cell.members import BOOKKEEPING

# What belongs to one Cell alone.
_OWN = BOOKKEEPING & frozenset("_buffers _cells _compiled _params _serial _slots _state_list _family".split())


def take_members(cell: Any, other: Any) -> None:
    """Give a Cell the attributes, Parameters, buffers and children of another one, the same objects.

    >>> from ms_compat import nn
    >>> from ms_compat.rewrite.members import take_members
    >>> old, new = nn.Dense(2, 2), nn.Cell()
    >>> take_members(new, old)
    >>> new.weight is old.weight
    True
    """
    tables = ("_params", "_cells", "_buffers")
    members = {name for table in tables for name in vars(other)[table]}
    for name, value in vars(other).items():
        if name not in _OWN and name not in members:
            vars(cell)[name] = value
    for table in tables:
        for name, value in vars(other)[table].items():
            vars(cell)[table][name] = value
    cell._refresh_plain()
