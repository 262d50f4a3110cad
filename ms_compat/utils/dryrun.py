"""`mindspore.utils.dryrun`: values in place of results that a simulated run does not have."""

from __future__ import annotations

import logging
import os
from typing import Any

from ms_compat._names.resolve import unsupported_getattr

logger = logging.getLogger("ms_compat")

_LEVEL = "MS_SIMULATION_LEVEL"


def set_simulation() -> None:
    """Set the environment variable `MS_SIMULATION_LEVEL` to "1", so that `mock` returns its first argument.

    MindSpore computes nothing in such a run. Here everything else is computed as usual.
    """
    os.environ[_LEVEL] = "1"
    logger.debug("dryrun.set_simulation: operations are computed as usual; 'dryrun.mock' returns the given values")


def mock(mock_val: Any, *args: Any) -> Any:
    """Return `mock_val` in a simulated run, and the real value in another one.

    Args:
        mock_val: the value in a simulated run.
        *args: the real value, or a function and its arguments.

    Raises:
        IndexError: there is no real value, in a run that is not simulated.

    >>> from ms_compat.utils import dryrun
    >>> dryrun.mock(0, 3), dryrun.mock(0, lambda: 4), dryrun.mock(0, max, 3, 5)
    (3, 4, 5)
    """
    if os.environ.get(_LEVEL):
        return mock_val
    if len(args) == 1 and not callable(args[0]):
        return args[0]
    return args[0](*args[1:])


__getattr__ = unsupported_getattr(__name__)
