"""Accelerators as compiler targets: their memory, their speed, and their number.

XLA's compilers for TPUs and NVIDIA GPUs are wheels that run on any machine. They supply a *topology*, whose devices can
be part of shardings but hold no arrays.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import importlib.util
import math
import os
import re
from typing import Any

from ms_compat._core.errors import UnsupportedError

GIB = 1 << 30


class TargetError(ValueError):
    """A target that does not exist, or is written otherwise."""


@dataclasses.dataclass(frozen=True)
class Chip:
    """One accelerator, as its maker describes it.

    Attributes:
        name: its name in a target.
        platform: JAX's, "tpu" or "cuda".
        memory: bytes that programs can have.
        bandwidth: bytes of that memory in a second.
        half_flops: floating-point operations in a second for bfloat16 and float16 products.
        float_flops: the same for float32 products, as JAX computes them by default: in bfloat16 passes on a TPU, in
            float32 on a GPU.
    """

    name: str
    platform: str
    memory: int
    bandwidth: float
    half_flops: float
    float_flops: float

    @property
    def backend(self) -> str:
        """What `jax.default_backend()` returns on it."""
        return "gpu" if self.platform == "cuda" else self.platform


def _tpu(name: str, gibibytes: float, bandwidth: float, flops: float) -> Chip:
    return Chip(name, "tpu", int(gibibytes * GIB), bandwidth, flops, flops)


CHIPS = {
    chip.name: chip
    for chip in (
        _tpu("v4", 32, 1.228e12, 275e12),
        _tpu("v5e", 15.75, 0.819e12, 197e12),  # of 16 GiB the compiler keeps a quarter of one for itself
        _tpu("v5p", 95, 2.765e12, 459e12),
        _tpu("v6e", 31.25, 1.64e12, 918e12),
        Chip("h100", "cuda", 84978434048, 3.352e12, 989e12, 67e12),
        Chip("h200", "cuda", 150754820096, 4.8e12, 989e12, 67e12),
    )
}
# What the GPU compiler otherwise queries from the driver: the H100's figures. An H200 is that chip with other memory.
_GPU = """gpu_device_info {{ threads_per_block_limit: 1024 threads_per_warp: 32 shared_memory_per_block: 49152
shared_memory_per_core: 233472 threads_per_core_limit: 2048 core_count: 132 fpus_per_core: 128
block_dim_limit_x: 2147483647 block_dim_limit_y: 65535 block_dim_limit_z: 65535 memory_bandwidth: {bandwidth}
l2_cache_size: 52428800 clock_rate_ghz: 1.98 device_memory_size: {memory} shared_memory_per_block_optin: 232448
cuda_compute_capability {{ major: 9 minor: 0 }} registers_per_core_limit: 65536 registers_per_block_limit: 65536 }}
platform_name: "CUDA" dnn_version_info {{ major: 9 minor: 10 }} device_description_str: "NVIDIA {label}"
"""
_LABELS = {"h100": "H100 80GB HBM3", "h200": "H200"}
_LARGEST = 4096  # chips
# How a target gives the number of chips: the pattern, an example, and the default.
_FORMS: dict[str, tuple[str, str, tuple[int, ...]]] = {
    "cuda": (r"\d+", "8", (1,)),
    "v4": (r"\d+x\d+x\d+", "2x2x4", (2, 2, 1)),
    "v5p": (r"\d+x\d+x\d+", "2x2x4", (2, 2, 1)),
    "v5e": (r"\d+x\d+", "4x4", (1, 1)),
    "v6e": (r"\d+x\d+", "4x4", (1, 1)),
}


@dataclasses.dataclass(frozen=True)
class Target:
    """Some chips of one kind.

    Attributes:
        chip: the kind.
        shape: the arrangement: the sizes of a TPU's torus, or `(count,)` for GPUs in one machine.
    """

    chip: Chip
    shape: tuple[int, ...]

    @property
    def count(self) -> int:
        """The number of chips."""
        return math.prod(self.shape)

    def __str__(self) -> str:
        one = self.count == 1
        return self.chip.name if one else f"{self.chip.name}:{'x'.join(map(str, self.shape))}"

    def missing(self) -> str | None:
        """The missing module that compiling for it needs; None if it is installed."""
        needed = ("libtpu",) if self.chip.platform == "tpu" else ("jax_plugins.xla_cuda12", "jax_cuda12_plugin")
        return next((name for name in needed if not _installed(name)), None)

    def devices(self) -> list[Any]:
        """The devices, for shardings; in order of their numbers on GPUs, along the torus on TPUs.

        Raises:
            UnsupportedError: the wheel with the compiler is not installed.
            TargetError: the compiler knows no such arrangement.
        """
        return list(_devices(self))


def parse(text: str) -> Target:
    """Parses a target: "v5e", "v5e:4x4", "h100", "h100:8".

    Raises:
        TargetError: the text is not a target.

    >>> parse("v5e:4x4").count
    16
    """
    name, _, rest = text.strip().lower().partition(":")
    chip = CHIPS.get(name)
    if chip is None:
        raise TargetError(f"there is no target '{text}'; the chips are {', '.join(CHIPS)}, such as v5e:4x4 or h100:8")
    form, example, default = _FORMS["cuda" if chip.platform == "cuda" else name]
    if rest and not re.fullmatch(form, rest):
        raise TargetError(f"'{text}' must be a topology of {name} chips, such as {name}:{example}")
    shape = tuple(map(int, rest.split("x"))) if rest else default
    if not 0 < math.prod(shape) <= _LARGEST:
        raise TargetError(f"'{text}' has {math.prod(shape)} chips, but must have 1 to {_LARGEST}")
    return Target(chip, shape)


def _installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # of the package around it
        return False


@functools.cache
def _devices(target: Target) -> tuple[Any, ...]:
    from jax.experimental import topologies

    missing = target.missing()
    if missing is not None:
        raise UnsupportedError(
            f"Compiling for {target} needs the package {missing}, XLA's compiler, which runs without an accelerator: "
            "python -m pip install 'ms-compat[aot]'."
        )
    _quiet()
    try:
        if target.chip.platform == "tpu":
            name = f"{target.chip.name}:{'x'.join(map(str, target.shape))}"
            return tuple(topologies.get_topology_desc(platform="tpu", topology_name=name).devices)
        importlib.import_module("jax_plugins.xla_cuda12")  # its kernels; the compiler is found by its name
        described = _GPU.format(
            bandwidth=int(target.chip.bandwidth), memory=target.chip.memory, label=_LABELS[target.chip.name]
        )
        found = topologies.get_topology_desc(
            platform="cuda", topology_name="", target_config=described, topology=f"1x1x{target.count}"
        )
        return tuple(found.devices)
    except (RuntimeError, ValueError) as error:
        raise TargetError(f"no program can be made for {target}: {str(error).splitlines()[0]}") from error


def _quiet() -> None:
    """Stops the compilers, which look for their hardware when they are loaded, from waiting for it.

    The user's own settings take precedence.
    """
    for name, value in {
        "TPU_SKIP_MDS_QUERY": "1",
        "TPU_ACCELERATOR_TYPE": "v5litepod-1",
        "TPU_WORKER_HOSTNAMES": "localhost",
        "ALLOW_MULTIPLE_LIBTPU_LOAD": "1",  # the lock is for processes that share a chip
        "TPU_STDERR_LOG_LEVEL": "3",
        "TPU_MIN_LOG_LEVEL": "3",
        "TF_CPP_MIN_LOG_LEVEL": "3",
    }.items():
        os.environ.setdefault(name, value)
