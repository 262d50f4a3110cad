"""How long operations take, and how often they are called: what `Profiler.op_analyse` tells.

JAX's recordings know the instructions that XLA made of a program, and not MindSpore's primitives. So the calls are
counted here, while a recording is open, in the thread that opened it and outside of compiled functions.
"""

from __future__ import annotations

import threading
import time
from typing import Any

import jax

from ms_compat._core.dispatch import interception
from ms_compat._core.tensor import Tensor

# Operations that have another name here than MindSpore's primitive, which is the larger part of the same computation.
_PRIMITIVES = {"Dense": "MatMul", "Flat": "Flatten"}


class Operations:
    """The calls of operations, by primitive and by the shapes of their inputs.

    Args:
        waits: whether an operation's time ends when its result is there, or when the device has got its program.
    """

    returns_what_it_computes = True

    def __init__(self, waits: bool) -> None:
        self._waits = waits
        self._calls: dict[str, dict[str, list[float]]] = {}
        self._modes: list[Any] | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Counts the operations of this thread from now on."""
        self._modes = interception.enter(self)

    def stop(self) -> None:
        """Ends that, from any thread."""
        modes, self._modes = self._modes, None
        interception.leave(self, modes)

    def __ms_dispatch__(self, func: interception.OpFunc, args: tuple, kwargs: dict[str, Any] | None = None) -> Any:
        start = time.perf_counter()
        out = func(*args, **(kwargs or {}))
        if self._waits:
            jax.block_until_ready([item._v for item in _tensors(out)])
        seconds = time.perf_counter() - start
        shapes = "".join(f"input_{k}:{list(item.shape)};" for k, item in enumerate(_tensors(args), 1))
        with self._lock:
            self._calls.setdefault(_name(func.name, args), {}).setdefault(shapes, []).append(seconds)
        return out

    def names(self) -> list[str]:
        """The primitives that were called."""
        return sorted(self._calls)

    def entries(self, name: str, side: str) -> list[dict[str, Any]]:
        """What is known about a primitive, one dict for each combination of input shapes; none if it was not called."""
        return [
            {
                "op_side": side,
                "input_shape": shapes,
                "op_occurrences": len(seconds),
                "op_total_time(us)": round(sum(seconds) * 1e6, 4),
                "op_avg_time(us)": round(sum(seconds) / len(seconds) * 1e6, 4),
            }
            for shapes, seconds in self._calls.get(name, {}).items()
        ]


def _name(name: str, args: tuple) -> str:
    if name == "Conv":
        return f"Conv{args[0].ndim - 2}D"
    return _PRIMITIVES.get(name, name)


def _tensors(value: Any) -> list[Tensor]:
    if isinstance(value, (tuple, list)):
        return [tensor for item in value for tensor in _tensors(item)]
    return [value] if isinstance(value, Tensor) else []
