"""What `map` does to a row, apart from its node: worker processes get it without the rest of the pipeline."""

from collections.abc import Callable, Sequence
from typing import Any

from ms_compat.dataset._support import rows


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

    def prepare(self) -> Callable[[Sequence[Any]], Sequence[Any]]:
        """Makes the function from the operations' columns to the new ones."""
        operations, where, count, result = self.operations, self.where, self.count, rows.result_column

        def call(columns: Sequence[Any]) -> Sequence[Any]:
            args: Any = columns
            try:
                for operation in operations:
                    args = operation(*args)
                    if type(args) is not tuple:
                        args = (args,)
            except Exception as error:
                raise rows.user_error(where, error) from error
            if len(args) != count:
                raise RuntimeError(
                    f"For 'map', the 'output_columns' name {count} columns, but {where} returned {len(args)}; "
                    "a tuple is one item a column."
                )
            return [result(item, where, k) for k, item in enumerate(args)]

        return call

    def taken(self, row: rows.Row) -> list[Any]:
        """The columns of a row that the operations get."""
        return [row[k] for k in self.places]

    def joined(self, row: rows.Row, fresh: Sequence[Any]) -> rows.Row:
        """The new row: columns that the operations made, and columns from the old row."""
        return tuple([fresh[k] if new else row[k] for new, k in self.made])

    def in_line(self) -> Callable[[rows.Row], rows.Row]:
        """Makes the function that maps one row in this process."""
        call, taken, joined = self.prepare(), self.taken, self.joined
        return lambda row: joined(row, call(taken(row)))
