"""Functions about the distribution that training scripts import from MindSpore's inner module."""

from __future__ import annotations

from ms_compat._core.settings.parallel_context import get_auto_parallel_context
from ms_compat.communication import get_group_size, get_rank


def _get_parallel_mode() -> str:
    return get_auto_parallel_context("parallel_mode")


def _get_gradients_mean() -> bool:
    return get_auto_parallel_context("gradients_mean")


def _get_device_num() -> int:
    return get_group_size()


def _get_global_rank() -> int:
    return get_rank()


def _get_enable_parallel_optimizer() -> bool:
    return get_auto_parallel_context("enable_parallel_optimizer")


def _get_full_batch() -> bool:
    return get_auto_parallel_context("full_batch")


def _get_pipeline_stages() -> int:
    return get_auto_parallel_context("pipeline_stages")


def _get_stage_device_num() -> int:
    return _get_device_num() // _get_pipeline_stages()


def _is_in_auto_parallel_mode() -> bool:
    return _get_parallel_mode() in ("semi_auto_parallel", "auto_parallel")


def _is_sharding_propagation() -> bool:
    return get_auto_parallel_context("search_mode") == "sharding_propagation"


def _need_to_full() -> bool:
    return False
