"""`mindspore.log`: the logger named "MindSpore", with Python's own `logging`."""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

from ms_compat._compile.analysis.refusals import forbid as _forbid
from ms_compat._names.resolve import unsupported_getattr

_logger = logging.getLogger("MindSpore")
_LEVELS = {
    "0": logging.DEBUG,
    "1": logging.INFO,
    "2": logging.WARNING,
    "3": logging.ERROR,
    "4": logging.CRITICAL,
}
if _logger.level == logging.NOTSET:
    _logger.setLevel(_LEVELS.get(os.environ.get("GLOG_v", "2"), logging.WARNING))

debug, info, warning, error, critical = (
    _logger.debug,
    _logger.info,
    _logger.warning,
    _logger.error,
    _logger.critical,
)


def _get_logger() -> logging.Logger:
    return _logger


def get_level() -> str:
    """Returns the level that `GLOG_v` sets: "0" (debug) to "4" (critical).

    >>> get_level() in "01234"
    True
    """
    return os.environ.get("GLOG_v", "2")


def get_log_config() -> dict[str, Any]:
    """Returns the settings of the log, as environment variables would set them."""
    found = {"GLOG_v": get_level(), "GLOG_logtostderr": os.environ.get("GLOG_logtostderr", "1")}
    for name in ("GLOG_log_dir", "logger_maxBytes", "logger_backupCount", "GLOG_stderrthreshold"):
        if name in os.environ:
            found[name] = os.environ[name]
    return found


__all__ = ["get_level", "get_log_config", "debug", "info", "warning", "error", "critical"]

__getattr__ = unsupported_getattr(__name__)


_forbid(sys.modules[__name__], "log")
