"""A process-wide setting that several threads may change at the same time."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any


class RefcountedOverride:
    """An attribute that has another value as long as anyone needs it.

    The first to come changes it and the last to go puts back what stood there (`former`).

    Args:
        owner: the module or object.
        name: its attribute.
        value: what the attribute is meanwhile.
    """

    def __init__(self, owner: Any, name: str, value: Any):
        self.owner, self.name, self.value = owner, name, value
        self.former = getattr(owner, name)
        self._lock = threading.Lock()
        self._users = 0

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        """Keep the attribute at `value` for the time of the block."""
        with self._lock:
            if not self._users:
                self.former = getattr(self.owner, self.name)
                setattr(self.owner, self.name, self.value)
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if not self._users:
                    setattr(self.owner, self.name, self.former)
