"""The parallel context as an object, under MindSpore's inner path."""

from __future__ import annotations

from functools import partial
from typing import Any

from ms_compat._core.settings.parallel_context import get_auto_parallel_context, set_auto_parallel_context


class _Context:
    """`get_x()` and `set_x(value)` for the keys of `set_auto_parallel_context`."""

    def __getattr__(self, name: str) -> Any:
        verb, _, key = name.partition("_")
        if verb == "get" and key:
            return partial(get_auto_parallel_context, key)
        if verb == "set" and key:
            return lambda value, *_: set_auto_parallel_context(**{key: value})
        raise AttributeError(f"the parallel context has no attribute '{name}'")

    def get_device_num_is_set(self) -> bool:
        """Whether the script set the number of devices; it never has to."""
        return False


_found = _Context()


def auto_parallel_context() -> _Context:
    """Returns the parallel context."""
    return _found
