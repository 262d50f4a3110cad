"""What scripts import from MindSpore's C++ module and from the file around it (`_c_expression`, `common.api`).

Questions about the build and the state are answered; the switches of MindSpore's executor that have no meaning on JAX
leave a line in the log. Everything else of those modules is absent, and the import says so.
"""

from __future__ import annotations

import functools
import gc
import logging
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from ms_compat._core.settings import context
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter_info import ParamInfo
from ms_compat._inner.executor import _pynative_executor as _pynative_executor
from ms_compat._names.resolve import placeholder_for
from ms_compat.nn._cell.metadata import MixedPrecisionType
from ms_compat.nn.cell import Cell
from ms_compat.ops import GradOperation

__all__ = [
    "Cell_", "GradOperation_", "MSContext", "MixedPrecisionType", "ParamInfo", "StubTensor", "TensorPy",
    "_empty_instance",
    "_framework_profiler_step_end",
    "_framework_profiler_step_start", "_function_forbid_reuse", "_ms_memory_recycle", "_pynative_executor",
    "_random_normal",
    "_random_uniform", "_truncated_normal", "disable_multi_thread", "is_reboot_node", "ms_memory_recycle",
]  # fmt: skip


def module_attribute(name: str) -> Any:
    """Placeholders of what moves Ascend device memory, which is imported where it may never be called, and the C++
    functions below generated primitives.

    >>> module_attribute("swap_cache")
    <mindspore._c_expression.swap_cache: not supported by ms_compat>
    """
    if name.startswith("pyboost_"):
        return _pyboost(name.removeprefix("pyboost_"))
    return placeholder_for(f"mindspore._c_expression.{name}") if name == "swap_cache" else None


@functools.cache
def _pyboost(name: str) -> Callable | None:
    """The C++ function of a primitive: `pyboost_dense(primitive, [input, weight, bias])`; MindSpore 2.5 and earlier
    call some with the inputs alone."""
    from ms_compat._inner.generated.primitives import function_of

    function = function_of(name)
    if function is None:
        return None

    def call(*given: Any) -> Any:
        if not given or len(given) > 2 or not isinstance(given[-1], (list, tuple)):
            raise RuntimeError(
                f"For 'pyboost_{name}', give the primitive and the list of its inputs; got {len(given)} arguments."
            )
        return (given[0] if len(given) == 2 else function)(*given[-1])

    return call


logger = logging.getLogger("ms_compat")

TensorPy = Tensor
Cell_ = Cell
GradOperation_ = GradOperation


class MSContext:
    """Answers about the build, in place of MindSpore's context object; `get_instance` returns the only one."""

    _only: MSContext | None = None

    @classmethod
    def get_instance(cls) -> MSContext:
        """Returns the object."""
        cls._only = cls._only or cls()
        return cls._only

    def get_param(self, name: Any) -> Any:
        """Returns a value of `mindspore.get_context`."""
        return context.get_context(getattr(name, "name", name))

    def set_param(self, name: Any, value: Any) -> None:
        """Set a value as `mindspore.set_context` does."""
        context.set_context(**{getattr(name, "name", name): value})

    def get_ascend_soc_version(self) -> str:
        """Returns the name of the Ascend chip: empty, there is none."""
        return ""

    def is_ascend_plugin_loaded(self) -> bool:
        """Whether Ascend's libraries are loaded."""
        return False

    def is_pkg_support_device(self, device: str) -> bool:
        """Whether this installation computes on a kind of device."""
        kinds = {"cpu": "CPU", "gpu": "GPU", "cuda": "GPU", "rocm": "GPU", "tpu": "TPU"}
        return device == "CPU" or device in {kinds.get(d.platform, d.platform) for d in jax.devices()}


def _empty_instance(size: Any, *, dtype: Any = None, device: str | None = None) -> Tensor:
    """`mint.empty`."""
    from ms_compat import mint

    return mint.empty(size, dtype=dtype, device=device)


def _function_forbid_reuse(fn: Callable) -> Callable:
    """A mark for MindSpore's compiler; returns the function."""
    return fn


def ms_memory_recycle() -> None:
    """Free compiled code that can be made again, and whatever is no longer referenced.

    >>> import ms_compat as ms
    >>> ms.ms_memory_recycle()
    """
    gc.collect()
    jax.clear_caches()


_ms_memory_recycle = ms_memory_recycle


def _framework_profiler_step_start() -> None:
    """A mark for the Ascend profiler; `mindspore.profiler` marks steps by itself."""
    logger.debug("_framework_profiler_step_start has no effect")


def _framework_profiler_step_end() -> None:
    """A mark for the Ascend profiler; `mindspore.profiler` marks steps by itself."""
    logger.debug("_framework_profiler_step_end has no effect")


def disable_multi_thread() -> None:
    """Concerns the threads of MindSpore's executor."""
    logger.debug("disable_multi_thread has no effect: JAX dispatches from the calling thread")


def is_reboot_node() -> bool:
    """Whether this process was started again after a fault; nothing does that here."""
    return False


def _random_normal(seed: int, data: np.ndarray, mean: float, sigma: float) -> None:
    """Fill an array with normally distributed numbers, which depend on the seed alone."""
    data[...] = np.random.default_rng(seed).normal(mean, sigma, data.shape)


def _random_uniform(seed: int, data: np.ndarray, low: float, high: float) -> None:
    """Fill an array with numbers between `low` and `high`, which depend on the seed alone."""
    data[...] = np.random.default_rng(seed).uniform(low, high, data.shape)


def _truncated_normal(seed: int, data: np.ndarray, low: float, high: float, mean: float, sigma: float) -> None:
    """Fill an array with normally distributed numbers that are redrawn until they are between `low` and `high`."""
    rng = np.random.default_rng(seed)
    drawn = rng.normal(mean, sigma, data.shape)
    while (outside := (drawn < low) | (drawn > high)).any():
        drawn[outside] = rng.normal(mean, sigma, int(outside.sum()))
    data[...] = drawn


class StubTensor(Tensor):
    """The type of pending results on earlier MindSpore; no value has it."""
