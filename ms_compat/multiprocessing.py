"""`mindspore.multiprocessing`: Python's, in which Tensors can be sent, because they pickle.

A Tensor is copied; MindSpore moves it through shared memory. JAX has threads of its own, so that processes should be
started by "spawn" or "forkserver" (`set_start_method`), not by "fork", once something was computed: a process that is
forked later can read values and use numpy, but computing raises `RuntimeError` in it. What `install()` does holds in
spawned processes, too.

>>> from ms_compat import multiprocessing
>>> multiprocessing.get_context("spawn").get_start_method()
'spawn'
"""

import multiprocessing as _multiprocessing
from multiprocessing import *  # noqa: F403  (its names are public ones)

from ms_compat._names.resolve import unsupported_getattr

__all__ = list(_multiprocessing.__all__)
__getattr__ = unsupported_getattr(__name__)
