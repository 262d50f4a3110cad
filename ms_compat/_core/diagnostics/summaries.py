"""Where `ops.ScalarSummary` and similar operations leave their values for the open `SummaryRecord`, if there is one.

Operations may not import training modules, so both use this module. Inside a compiled function a callback passes the
value; the trace holds it only if a record was open when it was traced, so a summary without a record costs nothing.
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
