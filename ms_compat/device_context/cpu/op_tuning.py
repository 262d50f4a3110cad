"""`mindspore.device_context.cpu.op_tuning`."""

from ms_compat._core.errors import check_positive_int
from ms_compat.device_context import _settings


def threads_num(num: int) -> None:
    """The number of threads that compute; kept, and without effect: XLA takes all cores (see `taskset`).

    Raises:
        TypeError: it is not an int.
        ValueError: it is not positive.
        RuntimeError: it was set before.
    """
    check_positive_int("threads_num", "num", num)
    if "threads_num" in _settings.values:
        raise RuntimeError("The 'threads_num' can not be set repeatedly.")
    _settings.values["threads_num"] = num
    _settings.logger.debug("cpu.op_tuning.threads_num(%d) has no effect: XLA takes all cores", num)
