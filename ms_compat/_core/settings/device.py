"""From MindSpore's `device_target` and `device_id` to JAX's default device, without initialising JAX too early.

A script names its device in its first lines, often before `communication.init()`, and `jax.distributed` must start
before the first query of the devices. So a target becomes a platform *name*, which JAX resolves when it first computes.
Only a `device_id` above 0 needs the device list, and waits for `communication.init()` in a process that a launcher
started as one of many. On a machine without accelerators nothing is configured: JAX's default device is part of
every compilation's key, and changing it compiles everything again.

"GPU" and "Ascend" both mean JAX's default accelerator, whichever it is.
"""

import contextlib
import functools
import importlib.metadata
import importlib.util
import logging
import os
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import jax

from ms_compat._core import jax_compat
from ms_compat._core.settings import tensor_float

logger = logging.getLogger("ms_compat")

# What the launchers set to the number of processes: MindSpore's msrun, Ascend rank tables, Open MPI, Slurm, JAX.
_LAUNCHERS = ("MS_WORKER_NUM", "RANK_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS", "JAX_NUM_PROCESSES")
_warned: set[str] = set()


class DeviceInfo(NamedTuple):
    """What `get_current_device` returns.

    Attributes:
        device_target: "CPU", "GPU" or "Ascend".
        device_id: the index among the devices of this process.
    """

    device_target: str
    device_id: int


@functools.cache
def _plugin_installed() -> bool:
    if any(importlib.util.find_spec(name) for name in ("jax_plugins", "libtpu")):
        return True
    return bool(importlib.metadata.entry_points(group="jax_plugins"))


def accelerator_possible() -> bool:
    """Whether JAX may find an accelerator, without making it look: False is certain, True is so only after the look."""
    if jax_compat.backends_are_initialized():
        return jax.default_backend() != "cpu"
    platforms = jax.config.jax_platforms  # type: ignore[attr-defined]
    if platforms:
        return any(name.strip() != "cpu" for name in platforms.split(","))
    return _plugin_installed()


def use_tensor_float_defaults() -> None:
    """Set JAX as MindSpore's defaults for TensorFloat-32 say, where an NVIDIA GPU may compute."""
    if _may_have_tensor_float():
        tensor_float.use_defaults()


def allow_tensor_float(products: bool | None = None, convolutions: bool | None = None) -> None:
    """Allow or forbid rounding to TensorFloat-32, as `tensor_float.allow` does; only logged where no NVIDIA GPU is."""
    if _may_have_tensor_float():
        tensor_float.allow(products, convolutions)
    else:
        logger.debug("allow_tf32 has no effect on this device, which has no TensorFloat-32")


def _may_have_tensor_float() -> bool:
    return tensor_float.nvidia_is_visible() and accelerator_possible()


def one_of_many() -> bool:
    """Whether a launcher started this process as one of several."""
    return any(os.environ.get(name, "1") not in ("", "0", "1") for name in _LAUNCHERS)


def default_target() -> str:
    """The target that holds where the script names none: "CPU", or "GPU" where JAX has an accelerator."""
    if not accelerator_possible():
        return "CPU"
    if one_of_many() and not jax_compat.backends_are_initialized():
        return "GPU"
    return "CPU" if jax.default_backend() == "cpu" else "GPU"


def likely_target() -> str:
    """The same without the look for devices, which is too early while a script sets its context."""
    return "GPU" if accelerator_possible() else "CPU"


def apply(target: str | None, device_id: int) -> None:
    """Makes a target and an index JAX's default device, as late as possible.

    Args:
        target: "CPU", "GPU", "Ascend", or `None` for whatever JAX prefers.
        device_id: the index among this process's devices of that kind. MindSpore ignores it on CPU; here it picks one
            of several host devices (`--xla_force_host_platform_device_count`) and is ignored where there is one.

    Raises:
        ValueError: if an accelerator with that index does not exist; nothing is changed then.
    """
    possible = accelerator_possible()
    wanted: Any = "cpu" if target == "CPU" and possible else None
    if device_id > 0 and (jax_compat.backends_are_initialized() or not one_of_many()):
        devices = jax.local_devices(backend="cpu" if target == "CPU" else None)
        if device_id < len(devices):
            wanted = devices[device_id]
        elif devices[0].platform == "cpu":
            logger.debug("device_id=%d is ignored: this process has %d CPU device(s)", device_id, len(devices))
        else:
            raise ValueError(
                f"For 'context.set_context', the 'device_id' must be less than {len(devices)}, the number of "
                f"{devices[0].platform} devices of this process, but got {device_id}."
            )
    if jax.config.jax_default_device != wanted:  # type: ignore[attr-defined]
        jax.config.update("jax_default_device", wanted)


def warn_if_absent(target: str | None) -> None:
    """Says once per target that a script's accelerator is not there and that the CPU takes over."""
    if target in (None, "CPU") or target in _warned or accelerator_possible():
        return
    _warned.add(str(target))
    warnings.warn(
        f"device_target='{target}': JAX finds no accelerator, so the program runs on CPU. For NVIDIA GPUs install "
        "ms-compat[cuda12] or ms-compat[cuda13], for TPUs ms-compat[tpu].",
        UserWarning,
        stacklevel=5,  # past set_context, which another function wraps
    )


class _Planned(NamedTuple):
    platform: str
    devices: tuple[Any, ...]


_planned: _Planned | None = None


@contextlib.contextmanager
def planned(platform: str, devices: tuple[Any, ...]) -> Iterator[None]:
    """A region whose programs are made for other devices than those that are here (`_targets`).

    Args:
        platform: what `jax.default_backend()` says where those are.
        devices: all of them.
    """
    global _planned
    before, _planned = _planned, _Planned(platform, devices)
    try:
        with tensor_float.defaults() if platform == "gpu" else contextlib.nullcontext():
            yield
    finally:
        _planned = before


def is_planned() -> bool:
    """Whether programs are made for devices that are not here."""
    return _planned is not None


def platform() -> str:
    """The platform that programs are made for: "cpu", "gpu" or "tpu"."""
    if _planned is not None:
        return _planned.platform
    chosen = jax.config.jax_default_device  # type: ignore[attr-defined]
    return jax.default_backend() if chosen is None else current().platform


def is_ampere_or_later() -> bool:
    """Whether programs are made for NVIDIA GPUs from Ampere on."""
    return is_planned() or _is_ampere_or_later()


@functools.cache
def _is_ampere_or_later() -> bool:
    capability = str(getattr(jax.local_devices()[0], "compute_capability", "0.0"))
    return capability.replace(".", "").isdigit() and float(capability) >= 8  # AMD's are names


def everywhere() -> tuple[Any, ...]:
    """All devices that a program can be laid out over."""
    return tuple(jax.devices()) if _planned is None else _planned.devices


def several_processes() -> bool:
    """Whether all devices belong to several processes, of which each sees the arrays on its own."""
    return _planned is None and one_of_many() and jax.process_count() > 1


def current() -> jax.Device:
    """The JAX device that computes now; makes JAX look for its devices."""
    device = jax.config.jax_default_device  # type: ignore[attr-defined]
    if device is None:
        return jax.local_devices()[0]
    return jax.local_devices(backend=device)[0] if isinstance(device, str) else device
