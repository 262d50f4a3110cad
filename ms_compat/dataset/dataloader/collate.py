"""How rows become a batch for `DataLoader`: `default_collate` and `default_convert`."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ms_compat._core.faces import faces


def _tensor(array: Any) -> Any:
    from ms_compat._core.tensor import Tensor

    return Tensor(array)


def _is_tensor(value: Any) -> bool:
    return hasattr(value, "asnumpy")


@faces("dataset.dataloader")
def default_convert(data: Any) -> Any:
    """Turns arrays into Tensors, also inside lists, tuples and dicts; everything else stays unchanged.

    Args:
        data: a row.

    Returns:
        The row with Tensors.
    """
    if isinstance(data, (np.ndarray, np.generic)) and data.dtype.kind not in "SUO":
        return _tensor(np.asarray(data))
    if isinstance(data, Mapping):
        made: Any = type(data)
        return made({key: default_convert(value) for key, value in data.items()})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(default_convert(value) for value in data))
    if isinstance(data, (list, tuple)):
        return [default_convert(value) for value in data]
    return data


@faces("dataset.dataloader")
def default_collate(batch: list[Any]) -> Any:
    """Stacks the rows of a batch, column by column, into Tensors; strings and bytes stay lists.

    Args:
        batch: a list of rows: arrays, Tensors, numbers, strings, or lists, tuples and dicts of them.

    Returns:
        A Tensor, or a list or dict of them.

    Raises:
        TypeError: for rows of another type.
        RuntimeError: if rows differ in length.

    >>> [column.tolist() for column in default_collate([(1, 2.0), (3, 4.0)])]
    [[1, 3], [2.0, 4.0]]
    """
    first = batch[0]
    if _is_tensor(first):
        return _tensor(np.stack([item.asnumpy() for item in batch]))
    if isinstance(first, (np.ndarray, np.generic)) and first.dtype.kind not in "SUO":
        return _tensor(np.stack(batch))
    if isinstance(first, (bool, int, float)):
        return _tensor(np.array(batch, dtype={bool: np.bool_, int: np.int64}.get(type(first), np.float64)))
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        made: Any = type(first)
        return made({key: default_collate([item[key] for item in batch]) for key in first})
    if isinstance(first, (list, tuple)):
        if any(len(item) != len(first) for item in batch):
            raise RuntimeError(
                f"For 'default_collate', all rows must have one length, but got {[len(item) for item in batch]}."
            )
        columns = [default_collate(list(column)) for column in zip(*batch, strict=True)]
        return type(first)(*columns) if hasattr(first, "_fields") else columns
    raise TypeError(
        "For 'default_collate', rows must hold arrays, Tensors, numbers, strings, lists, tuples or "
        f"dicts, but got {type(first).__name__}."
    )
