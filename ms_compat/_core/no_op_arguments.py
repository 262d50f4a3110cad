"""Arguments that are accepted and change nothing: they configure MindSpore's compiler, memory pools or Ascend cards,
which have no counterpart under JAX. Each use writes one line to the debug log; none is ignored silently."""

from __future__ import annotations

import logging
from typing import Any

_logger = logging.getLogger("ms_compat")


def no_effect(api: str, reason: str, **given: Any) -> None:
    """Write one debug line for the arguments that were given, if any was.

    Args:
        api: whose arguments they are, such as "Tensor.to".
        reason: why they change nothing.
        given: the arguments; those that are None or False count as not given.

    >>> no_effect("Tensor.to", "JAX copies when it must", non_blocking=True)
    """
    said = [f"{name}={value!r:.60}" for name, value in given.items() if value is not None and value is not False]
    if said:
        _logger.debug("%s: %s has no effect: %s", api, ", ".join(said), reason)
