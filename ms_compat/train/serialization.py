"""`mindspore.train.serialization`: saving and loading, put together from `_checkpoint`, `_mindir` and `_sliced`."""

from __future__ import annotations

import logging
import os
from typing import NoReturn

from ms_compat._core import faces as _faces
from ms_compat._core.errors import UnsupportedError
from ms_compat._names.resolve import unsupported_getattr as _unsupported_getattr

logger = logging.getLogger("ms_compat")


def export_split_mindir(file_name, device_num=8, rank_id=0, dynamic=True, sapp=True) -> NoReturn:
    """Refused after MindSpore's checks: Ascend's runtime alone runs a part of a graph that was cut for devices.

    MindSpore fails on a CPU, too. Cut a Cell with 'Cell.shard', or load the whole file with 'mindspore.load'.

    Args:
        file_name (str): a MindIR file.
        device_num (int): the number of parts.
        rank_id (int): the number of the part.
        dynamic, sapp (bool): how MindSpore would cut it.

    Raises:
        ValueError: `file_name` is not a str, does not end with ".mindir", or does not exist.
        UnsupportedError: there is such a file.
    """
    api = "export_split_mindir"
    if not isinstance(file_name, str) or not file_name.endswith(".mindir"):
        raise ValueError(f"For '{api}', 'file_name' must be a str that ends with '.mindir', but got {file_name!r:.80}.")
    if not os.path.exists(file_name):
        raise ValueError(f"For '{api}', the file {file_name!r} does not exist.")
    logger.debug("%s: device_num=%s, rank_id=%s, dynamic=%s, sapp=%s", api, device_num, rank_id, dynamic, sapp)
    raise UnsupportedError(
        f"mindspore.{api}", "Cut a Cell with 'Cell.shard', or load the whole file with 'mindspore.load'."
    )


__getattr__, __dir__ = _faces.lazy_names(globals(), _unsupported_getattr(__name__))
