"""What scripts import from `mindspore.common.file_system`: loading files ahead by MindIO, as without its server."""

from __future__ import annotations

import logging

from ms_compat import _checkparam

_log = logging.getLogger("ms_compat")


def set_mindio_server_info(data_block_pool_capacity_in_gb: int = 100) -> None:
    """Check the size of MindIO's pool. It has no effect, because there is no MindIO server here."""
    _checkparam.check_positive_int(data_block_pool_capacity_in_gb, "data_block_pool_capacity_in_gb")
    _log.debug("set_mindio_server_info(%d) has no effect: there is no MindIO", data_block_pool_capacity_in_gb)


def mindio_preload(ckpt_file_name: str) -> bool:
    """Whether MindIO loaded a file ahead: without its server, False; it is read where it is loaded.

    >>> mindio_preload("net.ckpt")
    False
    """
    _checkparam.check_value_type("ckpt_file_name", ckpt_file_name, str, "mindio_preload")
    return False
