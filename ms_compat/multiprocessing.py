"""`mindspore.multiprocessing`: Python's module, which can send Tensors because they pickle.

Sending copies a Tensor; MindSpore moves it through shared memory. JAX has its own threads, so start processes by
"spawn" or "forkserver" (`set_start_method`), not by "fork", after the first computation: a process that is forked later
can read values and use numpy, but computing raises `RuntimeError` in it. `install()` also takes effect in spawned
processes.

>>> from ms_compat import multiprocessing
>>> multiprocessing.get_context("spawn").get_start_method()
'spawn'
"""

import multiprocessing as _multiprocessing
from multiprocessing import *  # noqa: F403  (its names are public ones)

from ms_compat._names.resolve import unsupported_getattr

__all__ = list(_multiprocessing.__all__)
__getattr__ = unsupported_getattr(__name__)
