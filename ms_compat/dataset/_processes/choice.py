"""Which nodes run in processes, and the pools that one iterator's nodes use."""

import logging
import os
from typing import Any

from ms_compat.dataset._processes.sending import CannotSend

_MIB = 1 << 20
_OWN = ("ms_compat.dataset.", "mindspore.dataset.")  # the second in programs that import mindspore
_logger = logging.getLogger("ms_compat")


def count(num_parallel_workers: int | None) -> int:
    """How many processes a node starts: its own number, or the pipeline's setting, at most the processors.

    With autotuning it starts as many as there are processors, and the pool chooses how many work.
    """
    from ms_compat.dataset import config

    most = max(os.cpu_count() or 1, 1)
    if config.get_enable_autotune():
        return most
    return min(num_parallel_workers or config.get_num_parallel_workers(), most)  # type: ignore[attr-defined]


def is_own(operation: Any) -> bool:
    """Whether an operation is this package's, and calls nothing of the user's: where it runs makes no difference.

    >>> from ms_compat.dataset import transforms, vision
    >>> is_own(vision.Decode()), is_own(transforms.Compose([vision.Decode(), abs])), is_own(abs)
    (True, False, False)
    """
    if isinstance(operation, type):  # a dtype
        return True
    if isinstance(operation, list | tuple):
        return all(map(is_own, operation))
    if not callable(operation):
        return True
    return type(operation).__module__.startswith(_OWN) and all(map(is_own, vars(operation).values()))


def pool_for(
    streams: Any, node: Any, program: Any, api: str, workers: int, max_rowsize: int | None, asked: bool = True
) -> Any:
    """The node's pool in an iterator, started at the first call; None, after a warning, if none can be started.

    Args:
        streams: the iterator's `Streams`, which holds the pools.
        node: the node.
        program: what the workers run.
        api: names the node in messages.
        workers: how many processes.
        max_rowsize: in MB: larger rows go through a pipe; None and -1 for no limit.
        asked: whether the user wants processes; otherwise a debug line takes the place of the warning.
    """
    if id(node) in streams.pools:
        return streams.pools[id(node)]
    from ms_compat.dataset import config
    from ms_compat.dataset._processes.pool import Pool

    try:
        pool = Pool(
            api,
            program,
            workers,
            config.get_prefetch_size(),  # type: ignore[attr-defined]
            None if max_rowsize is None or max_rowsize < 0 else max_rowsize * _MIB,
            config.get_multiprocessing_timeout_interval()  # type: ignore[attr-defined]
            if config.get_enable_watchdog()  # type: ignore[attr-defined]
            else None,
            config.get_enable_autotune(),
        )
    except CannotSend as error:
        _logger.log(
            logging.WARNING if asked else logging.DEBUG,
            "%s: 'python_multiprocessing' has no effect, the functions run in threads of this process: they cannot be "
            "sent to a worker process (%s).",
            api,
            error,
        )
        pool = None
    streams.pools[id(node)] = pool
    return pool
