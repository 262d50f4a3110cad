"""Which nodes run in processes, and the pools that one iterator's nodes use."""

import logging
import os
from typing import Any

from ms_compat.dataset._processes.sending import CannotSend

_MIB = 1 << 20
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


def pool_for(streams: Any, node: Any, program: Any, api: str, workers: int, max_rowsize: int | None) -> Any:
    """The node's pool in an iterator, started at the first call; None, after a warning, if none can be started.

    Args:
        streams: the iterator's `Streams`, which holds the pools.
        node: the node.
        program: what the workers run.
        api: names the node in messages.
        workers: how many processes.
        max_rowsize: in MB: larger rows go through a pipe; None and -1 for no limit.
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
        _logger.warning(
            "%s: 'python_multiprocessing' has no effect, the functions run in threads of this process: they cannot be "
            "sent to a worker process (%s).",
            api,
            error,
        )
        pool = None
    streams.pools[id(node)] = pool
    return pool
