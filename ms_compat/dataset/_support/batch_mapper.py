"""What `batch(per_batch_map=...)` does to a batch, apart from its node: worker processes get it alone."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ms_compat._core.errors import value_and_type
from ms_compat._core.faces import faces
from ms_compat.dataset._support import rows


@faces("dataset")
class BatchInfo:
    """Which batch is being made; given to `per_batch_map` and to a callable `batch_size`."""

    def __init__(self, epoch: int = 0, batch: int = 0) -> None:
        self._epoch, self._batch = epoch, batch

    def get_epoch_num(self) -> int:
        """The epoch, from 0."""
        return self._epoch

    def get_batch_num(self) -> int:
        """The batch in the epoch, from 0."""
        return self._batch


class BatchMapper:
    """Calls a `per_batch_map`.

    Args:
        function: takes a list of arrays for each column, and the `BatchInfo`.
        names: the columns that it must return.
    """

    def __init__(self, function: Callable[..., Any], names: list[str]) -> None:
        self.function, self.names = function, names

    def prepare(self) -> Callable[[tuple[Sequence[Any], BatchInfo]], list[Any]]:
        """Makes the function from the columns and the `BatchInfo` of a batch to the new columns."""
        return self._call

    def _call(self, batch: tuple[Sequence[Any], BatchInfo]) -> list[Any]:
        columns, info = batch
        returned = rows.call(self.function, [*columns, info], "per_batch_map")
        parts = returned if isinstance(returned, tuple) else (returned,)
        if len(parts) != len(self.names):
            raise RuntimeError(
                f"For 'batch', the 'per_batch_map' must return {len(self.names)} columns, but got {len(parts)}."
            )
        count = len(columns[0]) if columns else 0
        return [_whole(part, name, count) for part, name in zip(parts, self.names, strict=True)]


def _whole(items: Any, name: str, count: int) -> Any:
    """The batch of a column that `per_batch_map` returned: whole, as an array or a dict, or one item a row."""
    if isinstance(items, (np.ndarray, dict)):
        return rows.result_column(items, "per_batch_map", 0)
    if not hasattr(items, "__len__") or isinstance(items, str):
        raise RuntimeError(
            f"For 'batch', the 'per_batch_map' must return lists or arrays, but column '{name}' is "
            f"{value_and_type(items)}."
        )
    if len(items) != count:
        raise RuntimeError(
            f"For 'batch', the 'per_batch_map' must return {count} rows for column '{name}', but got {len(items)}."
        )
    return rows.stack([rows.result_column(item, "per_batch_map", 0) for item in items], name)
