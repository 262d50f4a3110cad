"""How `GeneratorDataset` reads a random-access source, apart from its node: worker processes get it alone."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ms_compat.dataset._support import rows

WHERE = "GeneratorDataset"


class RowReader:
    """Reads rows by their number, and checks their dtypes.

    Args:
        source: has `__getitem__`; None if only `convert` is used.
        names: the columns.
        types: the dtype of each column; None takes any.
    """

    def __init__(self, source: Any, names: list[str], types: list[np.dtype] | None) -> None:
        self.source, self.names, self.types = source, names, types

    def prepare(self) -> Callable[[int], rows.Row]:
        """Makes the function that reads one row."""
        return lambda k: self.convert(self.fetch(k))

    def fetch(self, k: int) -> Any:
        """What the source returns for a number."""
        try:
            return self.source[k]
        except Exception as error:
            raise rows.user_error(WHERE, error) from error

    def convert(self, value: Any) -> rows.Row:
        """The row that the source's value stands for."""
        made = rows.row(value, len(self.names), WHERE)
        return made if self.types is None else self._typed(made, self.types)

    def _typed(self, made: rows.Row, types: list[np.dtype]) -> rows.Row:
        for k, item in enumerate(made):
            wanted = types[k] if k < len(types) else None
            found = None if isinstance(item, dict) else item.dtype
            if found is not None and (wanted is None or found != wanted and not found.kind == wanted.kind in "SU"):
                raise RuntimeError(
                    f"GeneratorDataset: column '{self.names[k]}' must be "
                    f"{wanted or 'named in column_types'}, but the source gave {found}."
                )
        return made


class BatchReader:
    """Reads the rows of some numbers and makes a batch of them.

    Args:
        reader: reads one row.
        collate: makes a batch of its columns, called with one list a column; None stacks them.
    """

    def __init__(self, reader: RowReader, collate: Callable[..., Any] | None) -> None:
        self.reader, self.collate = reader, collate

    def prepare(self) -> Callable[[Sequence[int]], rows.Row]:
        """Makes the function that reads one batch."""
        return self._batch

    def _batch(self, numbers: Sequence[int]) -> rows.Row:
        reader, names = self.reader, self.reader.names
        if self.collate is None:
            read = [reader.convert(reader.fetch(k)) for k in numbers]
            return tuple(
                [rows.stack(column, name) for column, name in zip(zip(*read, strict=True), names, strict=True)]
            )
        read = [rows.row(reader.fetch(k), len(names), WHERE) for k in numbers]
        columns = [list(column) for column in zip(*read, strict=True)]
        return reader.convert(rows.call(self.collate, columns, "collate_fn"))
