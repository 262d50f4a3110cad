"""`mindspore.device_context.ascend.op_tuning`."""

from ms_compat._core.errors import check_bool, check_int
from ms_compat.device_context import _settings
from ms_compat.device_context._settings import setting

_MODULE = "ascend.op_tuning"
op_compile = setting(_MODULE, "op_compile", "Whether kernels are compiled for each shape", "value", bool)
aoe_tune_mode = setting(_MODULE, "aoe_tune_mode", "How Ascend's tuner runs", "tune_mode", str, ("online", "offline"))
aoe_job_type = setting(_MODULE, "aoe_job_type", "What Ascend's tuner tunes", "config", str, ("1", "2"))


def aclnn_cache(enable_global_cache: bool = False, cache_queue_length: int = 10000) -> None:
    """How many kernels Ascend keeps; checked, and without effect: XLA keeps all."""
    check_bool("aclnn_cache", "enable_global_cache", enable_global_cache)
    check_int("aclnn_cache", "cache_queue_length", cache_queue_length)
    _settings.logger.debug("aclnn_cache(%s, %s) has no effect", enable_global_cache, cache_queue_length)
