"""Questions about the devices. "GPU" and "Ascend" both mean JAX's accelerator, whichever it is."""

from __future__ import annotations

import jax

from ms_compat._core import jax_compat
from ms_compat._core.context import get_context
from ms_compat._core.errors import check_non_negative_int, check_one_of, check_type

_TARGETS = ("CPU", "GPU", "Ascend")


def _devices(api: str, target: str | None) -> list[jax.Device]:
    target = get_context("device_target") if target is None else check_type(api, "device_target", target, str)
    check_one_of(api, "device_target", target, _TARGETS)
    found = jax.local_devices()
    if target == "CPU":
        return jax.local_devices(backend="cpu")
    return [device for device in found if device.platform != "cpu"]


def device_count(device_target: str | None = None) -> int:
    """Returns the number of this process's devices of a kind.

    Args:
        device_target: "CPU", "GPU" or "Ascend"; that of the context if `None`.

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
    """Returns what a device calls itself.

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


def get_arch_list(device_target: str | None = None) -> None:
    """Returns None: JAX compiles for the device that is there."""
    _devices("get_arch_list", device_target)
