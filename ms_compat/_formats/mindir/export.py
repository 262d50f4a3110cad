"""The files of a MindIR model."""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ms_compat._formats.atomic import READ_ONLY, replaced
from ms_compat._formats.checkpoint.arrays import as_bytes
from ms_compat._formats.mindir.files import SUFFIX, make_directory, write
from ms_compat._formats.mindir.schema import ModelProto

TOGETHER_BYTES = 1 << 30  # Parameters with more bytes go into separate files
DATA_FILE_BYTES = 1 << 40
_ALIGNED = 64
logger = logging.getLogger("ms_compat")


def write_model(
    model: ModelProto, arrays: dict[str, np.ndarray], path: str, encrypt: Callable[[bytes], bytes] | None
) -> None:
    """Write a model and the arrays of its Parameters, next to the graph where they are large.

    Args:
        model: the message.
        arrays: the Parameters by name.
        path: the file, with or without its suffix.
        encrypt: what encrypts the content of a file, or None.
    """
    base = path.removesuffix(SUFFIX)
    make_directory(path)
    named = [(proto.name.partition(":")[2], proto) for proto in model.graph.parameter]
    if sum(array.nbytes for array in arrays.values()) <= TOGETHER_BYTES:
        for name, proto in named:
            proto.raw_data = bytes(as_bytes(arrays[name]))
        _put_graph(base + SUFFIX, model, encrypt)
        return
    logger.warning("export: the Parameters have more than 1 GiB and are written next to the graph.")
    folder = base + "_variables"
    if os.path.exists(folder):
        shutil.rmtree(folder)
    os.makedirs(folder, mode=0o700)
    for number, group in enumerate(_data_files(sorted(named, key=lambda pair: pair[0]), arrays)):
        location = os.path.join(os.path.basename(folder), f"data_{number}")
        _put_data(os.path.join(folder, f"data_{number}"), location, group, arrays, encrypt)
    _put_graph(f"{base}_graph{SUFFIX}", model, encrypt)


def _put_graph(path: str, model: ModelProto, encrypt: Callable[[bytes], bytes] | None) -> None:
    data = model.SerializeToString()
    write(path, encrypt(data) if encrypt else data)


def _data_files(named: list[tuple[str, Any]], arrays: dict[str, np.ndarray]) -> Iterator[list[tuple[str, Any]]]:
    """Parameters by the file they go into."""
    group: list[tuple[str, Any]] = []
    size = _ALIGNED
    for name, proto in named:
        more = _padded(arrays[name].nbytes)
        if group and size + more > DATA_FILE_BYTES:
            yield group
            group, size = [], _ALIGNED
        group.append((name, proto))
        size += more
    yield group


def _padded(count: int) -> int:
    return -(-count // _ALIGNED) * _ALIGNED


def _put_data(
    path: str, location: str, group: list, arrays: dict[str, np.ndarray], encrypt: Callable[[bytes], bytes] | None
) -> None:
    """A file of Parameters: 64 bytes, the first of which says that numbers are little-endian, then each one's bytes,
    filled up to a multiple of 64 and encrypted on its own."""
    offset = _ALIGNED
    with replaced(path, READ_ONLY) as temporary, open(temporary, "wb") as file:
        head = b"\1" + bytes(_ALIGNED - 1)
        file.write(encrypt(head) if encrypt else head)
        for name, proto in group:
            raw = bytes(as_bytes(arrays[name]))
            proto.external_data.location = location
            proto.external_data.length = len(raw)
            proto.external_data.offset = offset
            raw += bytes(_padded(len(raw)) - len(raw))
            offset += len(raw)
            file.write(encrypt(raw) if encrypt else raw)
