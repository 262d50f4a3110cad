"""Where `ops.ScalarSummary` and similar operations leave their values for the open `SummaryRecord`, if there is one.

Operations stand below training, so the meeting place is here. Inside of a compiled function a value is handed over
by a callback that the trace holds only if a record was open when it was traced: without one a summary costs nothing.
"""

from typing import Any

import jax
import numpy as np

from ms_compat._core.jax_compat import Tracer

_open: list[dict[tuple[str, str], np.ndarray]] = []


def collect() -> dict[tuple[str, str], np.ndarray]:
    """Opens a collection, (kind, name) to the latest value; `stop` closes it."""
    held: dict[tuple[str, str], np.ndarray] = {}
    _open.append(held)
    return held


def stop(held: dict[tuple[str, str], np.ndarray]) -> None:
    """Closes a collection."""
    _open[:] = [one for one in _open if one is not held]


def note(kind: str, name: str, array: Any) -> None:
    """Leaves a value in the open collections.

    Args:
        kind: "scalar", "tensor", "image" or "histogram".
        name: the name of the value.
        array: a jax array or a tracer.
    """
    if not _open:
        return
    if isinstance(array, Tracer):
        jax.debug.callback(lambda value: _keep(kind, name, value), array)
    else:
        _keep(kind, name, array)


def _keep(kind: str, name: str, array: Any) -> None:
    for held in _open:
        held[kind, name] = np.asarray(array)
