"""`mindspore.train.serialization`: saving and loading, put together from `_checkpoint`, `_mindir` and `_sliced`."""

from __future__ import annotations

from typing import NoReturn

from ms_compat._core import faces as _faces
from ms_compat._core.errors import UnsupportedError
from ms_compat._names.resolve import unsupported_getattr as _unsupported_getattr


def export_split_mindir(file_name, device_num=8, rank_id=0, dynamic=True, sapp=True) -> NoReturn:
    """Not served: a graph is not cut into parts for devices; raises UnsupportedError."""
    raise UnsupportedError("mindspore.export_split_mindir", "Distribute a Cell with Cell.shard instead.")


__getattr__, __dir__ = _faces.lazy_names(globals(), _unsupported_getattr(__name__))
