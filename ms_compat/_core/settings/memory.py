"""A device's memory statistics, and waiting for it, for `hal` and `runtime`.

XLA's allocator counts the bytes in use and their peak on GPU and TPU; on CPU there are no such figures and all are 0,
as in MindSpore. JAX cannot reset a peak, so `reset_*` remembers it, and only values above it are later peaks.
"""

from __future__ import annotations

import gc
import logging
from typing import Any

import jax

from ms_compat._core.settings import device

logger = logging.getLogger("ms_compat")
_forgotten: dict[int, int] = {}


def _figures() -> tuple[dict[str, int], int]:
    found = device.current()
    return found.memory_stats() or {}, found.id


def _target(device_target: str | None) -> None:
    if device_target is not None:
        logger.debug("device_target=%s: the current device is meant", device_target)


def memory_allocated(device_target: str | None = None) -> int:
    """Returns the bytes in use on the current device.

    Args:
        device_target: accepted; the current device is meant.
    """
    _target(device_target)
    return _figures()[0].get("bytes_in_use", 0)


def memory_reserved(device_target: str | None = None) -> int:
    """Returns the bytes that JAX holds on the current device, used or not; see `memory_allocated`."""
    _target(device_target)
    found = _figures()[0]
    return found.get("pool_bytes") or found.get("bytes_reserved") or found.get("bytes_in_use", 0)


def max_memory_allocated(device_target: str | None = None) -> int:
    """Returns the largest number of bytes in use so far; see `memory_allocated`."""
    _target(device_target)
    found, number = _figures()
    peak = found.get("peak_bytes_in_use", 0)
    return peak if peak > _forgotten.get(number, -1) else found.get("bytes_in_use", 0)


def max_memory_reserved(device_target: str | None = None) -> int:
    """Returns the largest number of bytes held so far; see `memory_allocated`."""
    found = _figures()[0]
    return max(found.get("peak_pool_bytes", 0), memory_reserved(device_target))


def reset_peak_memory_stats(device_target: str | None = None) -> None:
    """Forgets the peak so far; see `memory_allocated`."""
    _target(device_target)
    found, number = _figures()
    _forgotten[number] = found.get("peak_bytes_in_use", -1)


def memory_stats(device_target: str | None = None) -> dict[str, Any]:
    """Returns the figures as a dict; see `memory_allocated`."""
    allocated, reserved = memory_allocated(device_target), memory_reserved(device_target)
    return {
        "total_reserved_memory": reserved,
        "total_allocated_memory": allocated,
        "total_idle_memory": max(reserved - allocated, 0),
        "total_eager_free_memory": 0,
        "max_reserved_memory": max_memory_reserved(device_target),
        "max_allocated_memory": max_memory_allocated(device_target),
        "common_mem_pool_stats": {"block_unit_size": 0, "block_counts": 0, "blocks_info": {}},
        "persistent_mem_pool_stats": {"block_counts": 0, "block_unit_size": 0, "blocks_info": {}},
    }


def memory_summary(device_target: str | None = None) -> str:
    """Returns the figures as a table; see `memory_allocated`."""
    found = memory_stats(device_target)
    rows = [f"| {'Metric':<20} | {'Data':<20} |"]
    for key, text in (
        ("total_reserved_memory", "Reserved memory"),
        ("total_allocated_memory", "Allocated memory"),
        ("total_idle_memory", "Idle memory"),
        ("total_eager_free_memory", "Eager free memory"),
        ("max_reserved_memory", "Max reserved memory"),
        ("max_allocated_memory", "Max allocated memory"),
    ):
        rows.append(f"| {text:<20} | {_readable(found[key]):<20} |")
    line = "|" + "=" * 45 + "|"
    return "\n".join([line, f"|{'Memory summary':^45}|", line, f"\n|{'-' * 45}|\n".join(rows), line, ""])


def _readable(count: int) -> str:
    size, unit = float(count), "B"
    for unit in ("B", "KB", "MB", "GB"):
        if size < 1024 or unit == "GB":
            break
        size /= 1024
    return f"{int(size):>6} {unit}"


def empty_cache() -> None:
    """Lets go of arrays that nothing refers to; JAX keeps its pool."""
    gc.collect()


def synchronize() -> None:
    """Waits until the current device has finished all submitted work.

    >>> import ms_compat as ms
    >>> x = ms.Tensor([1.0]) + 1
    >>> ms.runtime.synchronize()
    """
    jax.effects_barrier()
    jax.device_put(0, device.current()).block_until_ready()
    for array in jax.live_arrays():
        if not array.is_deleted():
            array.block_until_ready()


def launch_blocking() -> None:
    """Makes each operation wait for its result."""
    from ms_compat._core.settings.context import set_context

    set_context(pynative_synchronize=True)
