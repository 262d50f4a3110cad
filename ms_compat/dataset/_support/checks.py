"""Argument checks that several dataset classes share: column names, worker counts, shards.

They raise what MindSpore raises (`TypeError` for another type, `ValueError` for another value, `RuntimeError` for what
MindSpore only notices while the pipeline runs) and name the API, the argument and, for a column, the nearest column
there is.
"""

import difflib
import os
from collections.abc import Sequence
from typing import Any

from ms_compat._core.errors import type_error, value_and_type, value_error
from ms_compat.dataset._support.arguments import (
    INT32_MAX,
    INT64_MAX,
    argument_error,
    check_int,
    check_int_range,
    check_type,
    interval_error,
)


def check_count(api: str, argument: str, value: Any, most: int = INT32_MAX) -> int:
    """Returns the value if it is an `int` > 0 that fits; raises `TypeError` for another type, else `ValueError`."""
    if not 1 <= check_type(api, argument, value, int) <= most:
        raise interval_error(api, argument, 1, most, value)
    return value


def column_list(api: str, argument: str, value: Any, none: bool = False, distinct: bool = True) -> Any:
    """Returns column names as a list: a `str` is one column. None is None, with `none`.

    Raises:
        TypeError: if the value is neither `str` nor list of `str`.
        ValueError: if it is empty, holds an empty name or, with `distinct`, one name twice.
    """
    if value is None and none:
        return None
    names = [value] if isinstance(value, str) else check_type(api, argument, value, (list, str))
    if not names:
        raise value_error(api, argument, "at least one column name", value)
    for k, name in enumerate(names):
        if check_type(api, f"{argument}[{k}]", name, str) == "":
            raise value_error(api, f"{argument}[{k}]", "a name that is not empty", name)
    if distinct and len(set(names)) != len(names):
        raise value_error(api, argument, "names that differ from each other", value)
    return list(names)


def positions(api: str, argument: str, names: Sequence[str], columns: Sequence[str]) -> list[int]:
    """Finds columns by name; `RuntimeError`, as in MindSpore, for a missing one."""
    found = []
    for name in names:
        if name not in columns:
            near = difflib.get_close_matches(name, columns, 1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            raise RuntimeError(
                f"For '{api}', the '{argument}' names column '{name}', but there are {list(columns)}.{hint}"
            )
        found.append(list(columns).index(name))
    return found


def workers(api: str, value: Any) -> int | None:
    """Checks `num_parallel_workers`: None or an int >= 1.

    MindSpore refuses more workers than the machine has cores. A script from a larger machine should run on a smaller
    one, so this function accepts more and cuts them to the cores.
    """
    if value is None:
        return None
    if check_int(api, "num_parallel_workers", value) < 1:
        cores = os.cpu_count()
        raise argument_error(
            ValueError, api, f"num_parallel_workers exceeds the boundary between 1 and {cores}!", value
        )
    return min(value, max(os.cpu_count() or 1, 1))


def row_size(api: str, value: Any, pair: bool = True) -> int | None:
    """Checks `max_rowsize`; returns it, the larger part of a pair for input and output, or None for no limit."""
    if value is None:
        return None
    check_type(api, "max_rowsize", value, (int, list) if pair else int)
    parts = value if isinstance(value, list) else [value]
    if isinstance(value, list) and len(value) != 2:
        raise type_error(api, "max_rowsize", "int or a list of two int, for a worker's input and output", value)
    for part in parts:
        if check_int(api, "max_rowsize", part) < -1:
            raise value_error(api, "max_rowsize", "int and >= -1", value)
    return None if -1 in parts else max(parts)


def sample_count(api: str, value: Any) -> int | None:
    """Checks `num_samples`: None or an int >= 0, where 0 means all, as None does."""
    if value is None:
        return None
    if not 0 <= check_int(api, "num_samples", value) <= INT64_MAX:
        raise argument_error(
            ValueError, api, f"num_samples exceeds the boundary between 0 and {INT64_MAX}(INT64_MAX)!", value
        )
    return value or None


def is_over_python_data(api: str) -> bool:
    """Whether a source is one of those whose conflicting arguments are ValueErrors in MindSpore, not RuntimeErrors."""
    return api in ("GeneratorDataset", "NumpySlicesDataset")


def shard(api: str, num_shards: Any, shard_id: Any) -> None:
    """Checks `num_shards` and `shard_id`, which go together."""
    if (num_shards is None) != (shard_id is None):
        kind = ValueError if is_over_python_data(api) else RuntimeError
        raise kind(
            f"For '{api}', 'num_shards' and 'shard_id' must be given together, but got "
            f"{value_and_type(num_shards)} and {value_and_type(shard_id)}."
        )
    if num_shards is None:
        return
    check_int_range(api, "num_shards", num_shards, 1, INT32_MAX)
    check_int_range(api, "shard_id", shard_id, 0, num_shards - 1)


def iterable(value: Any) -> bool:
    """Whether `iter` accepts the value. A class with iterable instances does not count, despite its attributes.

    >>> iterable([1]), iterable(list), iterable(3)
    (True, False, False)
    """
    try:
        iter(value)
    except TypeError:
        return False
    return True


def refuse_classes(api: str, argument: str, operations: Sequence[Any]) -> None:
    """Refuses a class among operations: a script that forgot the parentheses would make one instance a row.

    Raises:
        ValueError: for a class, as MindSpore does.
    """
    for k, operation in enumerate(operations):
        if isinstance(operation, type):
            name = operation.__name__
            raise ValueError(
                f"For '{api}', the '{argument}[{k}]' must be an instance of an operation, but got the class "
                f"'{name}'. Write '{name}(...)', or a lambda if you want to call the class."
            )


def listed(value: Any) -> list[Any]:
    """The elements of an argument that may be None, one thing, or a list or tuple of them.

    >>> listed(None), listed(3), listed((3, 4))
    ([], [3], [3, 4])
    """
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]
