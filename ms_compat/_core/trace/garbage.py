"""Traces without collections of garbage in between.

Python looks for unreachable cycles when so many objects have been made. A trace makes thousands, most of which live on,
so that it would be stopped again and again. The first step with a small detector spent 0.4 s in collections, mostly in
those that look at all objects.
"""

from __future__ import annotations

import gc
from typing import Any


class uncollected:  # reads as a statement, like `hold_signals`
    """Pauses the automatic collection of cycles; `gc.collect()` still works. The next allocations start it again.

    It is entered as `with pause, pause` where signals are not held: Ctrl-C may end one exit before it does anything.
    """

    __slots__ = ("_resumes",)

    def __init__(self) -> None:
        self._resumes = False

    def __enter__(self) -> None:
        self._resumes = self._resumes or gc.isenabled()
        try:
            gc.disable()
        except BaseException:  # of a signal's handler, which runs after the call
            self.__exit__()
            raise

    def __exit__(self, *exc: Any) -> None:
        if self._resumes:
            gc.enable()
