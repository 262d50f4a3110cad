"""Which program computes a convolution on a processor: oneDNN's kernel, one of ours for groups, or XLA's own.

JAX derives gradients, batches and tangents of a convolution as further convolutions, so only its lowering is replaced,
for the CPU and in this process; every transformation stays JAX's own.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from jax import lax

from ms_compat._core.convolution import grouped, onednn
from ms_compat._core.jax_compat.capabilities import HAS_LOWERINGS
from ms_compat._core.jax_compat.lowering import offer_on_cpu


@functools.cache
def use() -> None:
    """Let JAX compute convolutions by these programs from now on."""
    if HAS_LOWERINGS:
        by_onednn = onednn.why_not() is None
        offer_on_cpu(lax.conv_general_dilated_p, functools.partial(_function_for, by_onednn))


def _function_for(by_onednn: bool, avals: Sequence[Any], out: Any, given: dict[str, Any]) -> Callable | None:
    found = onednn.function_for(avals, out, given) if by_onednn else None
    return found or grouped.function_for(avals, out, given)
