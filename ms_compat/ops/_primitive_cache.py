"""Primitives kept between calls, under MindSpore's inner path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_kept: dict[tuple, Any] = {}


def _get_cache_prim(cls: type) -> Callable[..., Any]:
    """Returns a function that makes primitives of a class, one for each set of arguments."""

    def cached(*args: Any, **kwargs: Any) -> Any:
        key = (cls, args, tuple(sorted(kwargs.items())))
        try:
            found = _kept.get(key)
        except TypeError:  # an unhashable argument: MindSpore makes a new one then, too
            return cls(*args, **kwargs)
        if found is None:
            found = _kept[key] = cls(*args, **kwargs)
        return found

    return cached
