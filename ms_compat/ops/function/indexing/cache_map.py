"""`MapCacheIdx`: which rows of a cache hold which rows of a larger table, kept in a hash map with open addressing.

A row of the map is (key, cached row, step, tag). A tag of 0 marks a free place; otherwise it is how many places from
the key's own one the entry is, counted from 1. Keys are spread by the golden ratio (Knuth, "The Art of Computer
Programming", volume 3, 6.4). An entry that was not used in this step or the one before gives its cached row away.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core.dispatch import shared_storage
from ms_compat._core.errors import check_type, type_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.shape.packing import on_host

_RATIO = 0.6180339
_KEY, _ROW, _STEP, _TAG = range(4)
_FULL = "For 'MapCacheIdx', the hash map is full: make the cache larger."


def _place(key: int, size: int) -> int:
    return int((_RATIO * key - np.floor(_RATIO * key)) * size)


def _find(entries: Any, key: int | None, start: int) -> tuple[int, int]:
    """The first place from `start` on that is free or has the key, and how many places were looked at.

    Raises:
        RuntimeError: there is none.
    """
    at, count = start, 1
    while entries[at, _TAG] and entries[at, _KEY] != key:
        at, count = (at + 1) % len(entries), count + 1
        if count > len(entries) + 1:
            raise RuntimeError(_FULL)
    return at, count


def _oldest(entries: Any, start: int, step: int) -> int:
    """The first entry from `start` on that this step and the one before did not use.

    Raises:
        RuntimeError: there is none.
    """
    at = start
    for _ in range(len(entries) + 1):
        if entries[at, _TAG] and entries[at, _STEP] < step - 1:
            return at
        at = (at + 1) % len(entries)
    raise RuntimeError(_FULL)


def _close_gap(entries: Any, gap: int) -> None:
    """Move entries behind a free place forward, so that a search still finds them."""
    at, off = (gap + 1) % len(entries), 1
    while entries[at, _TAG]:
        if entries[at, _TAG] > off:
            entries[gap] = entries[at]
            entries[gap, _TAG] -= off
            entries[at, _TAG] = 0
            gap, off = at, 0
        at, off = (at + 1) % len(entries), off + 1


@faces(primitive="MapCacheIdx()(hashmap, indices, step, emb_max_num, cache_max_num)")
def map_cache_idx(hashmap, indices, step, emb_max_num, cache_max_num):
    """The cached rows of a table's rows; rows that are not in the cache take the place of those that are not in use.

    Args:
        hashmap (Tensor): [M, 4], Int32 or Int64: key, cached row, step and tag of each entry. It is changed in place.
        indices (Tensor): rows of the table, of this dtype.
        step (int, Tensor): the number of the training step.
        emb_max_num (int, Tensor): how many rows of the table this process has.
        cache_max_num (int, Tensor): the first of them: it is subtracted from the indices.

    Returns:
        The cached rows, shaped like `indices`, -1 where an index is another process's; and for the rows that the
        cache lacked, the table's rows that go out, the ones that come in, and the cached rows that they take.

    Raises:
        TypeError: a dtype that is not an integer's, or unequal dtypes.
        ValueError: a `hashmap` without two dimensions.
        RuntimeError: all cached rows are in use.
        UnsupportedError: in compiled code.

    >>> import ms_compat as ms
    >>> entries = ms.Tensor([[-1, 0, -5, 1], [-1, 1, -5, 1], [0, 0, 0, 0], [0, 0, 0, 0]])
    >>> cached, gone, come, rows = ms.ops.MapCacheIdx()(entries, ms.Tensor([7, 3]), 0, 10, 0)
    >>> print(cached, gone, come, rows)
    [0 1] [-1 -1] [7 3] [0 1]
    """
    for name, value in (("hashmap", hashmap), ("indices", indices)):
        check_type("MapCacheIdx", name, value, Tensor)
        if value.dtype._label not in ("Int32", "Int64") or value.dtype is not hashmap.dtype:
            raise type_error("MapCacheIdx", name, "a Tensor of Int32 or Int64, as 'hashmap'", value)
    if hashmap.ndim != 2:
        raise ValueError(f"For 'MapCacheIdx', 'hashmap' must have 2 dimensions, but got {hashmap.shape}.")
    entries, wanted, *numbers = on_host("MapCacheIdx", hashmap, indices, step, emb_max_num, cache_max_num)
    step, count, offset = (int(np.reshape(number, ())) for number in numbers)
    entries, size = entries.copy(), len(entries)
    cached, missing = np.full(wanted.size, -1, entries.dtype), []
    for i, key in enumerate(int(index) - offset for index in wanted.reshape(-1)):
        if not 0 <= key < count:
            continue
        at, _ = _find(entries, key, _place(key, size))
        if entries[at, _TAG]:
            cached[i], entries[at, _STEP] = entries[at, _ROW], step
        else:
            missing.append((i, key))
    gone, rows = [], []
    for i, key in missing:
        at, tag = _find(entries, None, _place(key, size))
        entries[at] = (key, 0, step, tag)
        old = _oldest(entries, (at + 1) % size, step)
        gone.append(entries[old, _KEY])
        rows.append(entries[old, _ROW])
        entries[at, _ROW] = cached[i] = entries[old, _ROW]
        entries[old, _TAG] = 0
        _close_gap(entries, old)
    shared_storage.write(hashmap, Tensor(entries))
    out = (cached.reshape(wanted.shape), gone, [key for _, key in missing], rows)
    return tuple([Tensor(np.asarray(part, entries.dtype)) for part in out])
