"""How many floating-point operations a compiled network has, by the phase in which it was compiled."""

from __future__ import annotations

import weakref
from typing import Any

from ms_compat._compile.analysis.flops import flops
from ms_compat._core.errors import check_type

# The Cells whose `current_phase` was read.
networks: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()


def flops_collection(phase: str = "train") -> tuple[float, float, float, float, bool]:
    """Count the floating-point operations in one call of a compiled network.

    Args:
        phase (str): the `current_phase` of the network.

    Returns:
        The model's operations and the hardware's, which computes some again, for all devices; the same for one device;
        and whether shapes are dynamic, which they are not.

    Raises:
        TypeError: `phase` is not a str.
        RuntimeError: no network was compiled in this phase.

    >>> import ms_compat as ms
    >>> from ms_compat import nn, ops
    >>> ms.set_context(mode=ms.GRAPH_MODE)
    >>> net = nn.Dense(3, 4)
    >>> net(ops.ones((2, 3))).shape
    (2, 4)
    >>> ms.flops_collection(net.current_phase)
    (48.0, 48.0, 48.0, 48.0, False)
    >>> ms.set_context(mode=ms.PYNATIVE_MODE)
    """
    from ms_compat.communication import get_group_size

    network = networks.get(check_type("flops_collection", "phase", phase, str))
    program = None if network is None else network._program()
    if program is None:
        raise RuntimeError(
            f"For 'flops_collection', no network was compiled in the phase '{phase}': give a network's "
            "'current_phase' after its first call in GRAPH_MODE."
        )
    model, hardware = map(float, flops(program.jaxpr))
    devices = get_group_size()
    return model * devices, hardware * devices, model, hardware, False
