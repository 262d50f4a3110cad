"""Questions about the devices. "GPU" and "Ascend" both mean JAX's accelerator, whichever it is."""

from __future__ import annotations

from typing import NamedTuple

import jax

from ms_compat._core import jax_compat
from ms_compat._core.errors import check_non_negative_int, check_one_of, check_type
from ms_compat._core.settings.context import get_context

_TARGETS = ("CPU", "GPU", "Ascend")


def _devices(api: str, target: str | None) -> list[jax.Device]:
    target = get_context("device_target") if target is None else check_type(api, "device_target", target, str)
    check_one_of(api, "device_target", target, _TARGETS)
    found = jax.local_devices()
    if target == "CPU":
        return jax.local_devices(backend="cpu")
    return [device for device in found if device.platform != "cpu"]


def device_count(device_target: str | None = None) -> int:
    """Returns how many devices of a kind this process has.

    Args:
        device_target: "CPU", "GPU" or "Ascend"; the context's target if `None`.

    Raises:
        ValueError: another kind.

    >>> device_count("CPU") >= 1
    True
    """
    return len(_devices("device_count", device_target))


def is_available(device_target: str) -> bool:
    """Whether there is a device of a kind; argument as of `device_count`."""
    return bool(_devices("is_available", device_target))


def is_initialized(device_target: str) -> bool:
    """Whether JAX has looked for its devices already; argument as of `device_count`."""
    check_one_of("is_initialized", "device_target", device_target, _TARGETS)
    return jax_compat.backends_are_initialized()


def get_device_name(device_id: int, device_target: str | None = None) -> str:
    """Returns a device's own name.

    Args:
        device_id: its number in this process.
        device_target: as of `device_count`.

    Raises:
        ValueError: there is no such device.
    """
    found = _devices("get_device_name", device_target)
    if check_non_negative_int("get_device_name", "device_id", device_id) >= len(found):
        raise ValueError(f"For 'get_device_name', the 'device_id' must be < {len(found)}, but got {device_id}.")
    return "CPU" if found[device_id].platform == "cpu" else found[device_id].device_kind


def _device(api: str, device_id: int, device_target: str | None) -> jax.Device:
    found = _devices(api, device_target)
    if not found:
        raise ValueError(f"For '{api}', there is no device of the kind {device_target!r}.")
    if check_non_negative_int(api, "device_id", device_id) >= len(found):
        raise ValueError(f"For '{api}', the 'device_id' must be < {len(found)}, but got {device_id}.")
    return found[device_id]


def get_device_capability(device_id: int, device_target: str | None = None) -> tuple[int, int] | None:
    """Returns the CUDA capability (major, minor) of a GPU; None for other devices.

    Args:
        device_id: its number in this process.
        device_target: as of `device_count`.

    Raises:
        ValueError: there is no such device.
    """
    text = getattr(_device("get_device_capability", device_id, device_target), "compute_capability", None)
    if text is None:
        return None
    major, _, minor = text.partition(".")
    return int(major), int(minor)


class DeviceProperties(NamedTuple):
    """What `get_device_properties` returns for an accelerator.

    Attributes:
        name: the device's own name.
        major, minor: the CUDA capability; 0 where there is none.
        multi_processor_count: the number of cores, as JAX counts them; 0 where it does not.
        total_memory: bytes that JAX may take.
        free_memory: bytes of them that are not in use.
    """

    name: str
    major: int
    minor: int
    multi_processor_count: int
    total_memory: int
    free_memory: int


def get_device_properties(device_id: int, device_target: str | None = None) -> DeviceProperties | None:
    """Returns facts about an accelerator; None for a CPU. Arguments and errors as of `get_device_capability`."""
    found = _device("get_device_properties", device_id, device_target)
    if found.platform == "cpu":
        return None
    major, minor = get_device_capability(device_id, device_target) or (0, 0)
    memory = found.memory_stats() or {}
    total, used = memory.get("bytes_limit", 0), memory.get("bytes_in_use", 0)
    return DeviceProperties(
        found.device_kind, major, minor, getattr(found, "core_count", 0) or 0, total, max(total - used, 0)
    )


def get_arch_list(device_target: str | None = None) -> None:
    """Returns None: JAX compiles for the device that is there."""
    _devices("get_arch_list", device_target)
