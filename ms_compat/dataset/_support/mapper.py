"""What `map` does to a row, apart from its node: worker processes get it without the rest of the pipeline."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ms_compat.dataset._support import rows

# Returns the array that the item with this number, shape and dtype is written to; None if it has no place.
Place = Callable[[int, Sequence[int], Any], np.ndarray | None]


class RowMapper:
    """Calls operations on columns of a row.

    Args:
        operations: each is called with what the one before returned.
        where: names the operations in errors.
        places: the numbers of the columns for the first operation.
        count: how many columns the last one must return.
        made: for each new column, whether an operation made it, and its number there (or in the old row).
    """

    def __init__(
        self,
        operations: Sequence[Callable[..., Any]],
        where: str,
        places: list[int],
        count: int,
        made: list[tuple[bool, int]],
    ) -> None:
        self.operations, self.where, self.places, self.count, self.made = operations, where, places, count, made

    def prepare(self) -> Callable[..., Sequence[Any]]:
        """Makes the function from the operations' columns, and perhaps a `Place`, to the new ones."""
        operations, where, count, result = self.operations, self.where, self.count, rows.result_column
        last = getattr(operations[-1], "call_into", None) if operations and count == 1 else None

        def call(columns: Sequence[Any], place: Place | None = None) -> Sequence[Any]:
            args: Any = columns
            try:
                for operation in operations if last is None or place is None else operations[:-1]:
                    args = operation(*args)
                    if type(args) is not tuple:
                        args = (args,)
                if last is not None and place is not None:
                    args = (last(_empty(place), *args),)
            except Exception as error:
                raise rows.user_error(where, error) from error
            if len(args) != count:
                raise RuntimeError(
                    f"For 'map', the 'output_columns' name {count} columns, but {where} returned {len(args)}; "
                    "a tuple is one item a column."
                )
            made = [result(item, where, k) for k, item in enumerate(args)]
            return made if place is None else [_put(item, k, place) for k, item in enumerate(made)]

        return call

    def taken(self, row: rows.Row) -> list[Any]:
        """The columns of a row that the operations get."""
        return [row[k] for k in self.places]

    def joined(self, row: rows.Row, fresh: Sequence[Any]) -> rows.Row:
        """The new row: columns that the operations made, and columns from the old row."""
        return tuple([fresh[k] if new else row[k] for new, k in self.made])

    def in_line(self) -> Callable[..., rows.Row]:
        """Makes the function that maps one row in this process, perhaps to a `Place`."""
        call, taken, joined = self.prepare(), self.taken, self.joined
        return lambda row, place=None: joined(row, call(taken(row), place))


def _empty(place: Place) -> Callable[..., np.ndarray]:
    """`np.empty` for the first item, in its place if it has one."""

    def empty(shape: Sequence[int], dtype: Any) -> np.ndarray:
        found = place(0, shape, dtype)
        return np.empty(shape, dtype) if found is None else found

    return empty


def _put(item: Any, k: int, place: Place) -> Any:
    """The item, in its place if it has one."""
    if type(item) is not np.ndarray:
        return item
    found = place(k, item.shape, item.dtype)
    if found is None or item.base is found.base:
        return item
    found[...] = item
    return found
