"""Decorators under MindSpore's inner path, which old scripts import."""

from __future__ import annotations

from collections.abc import Callable


def cell_attr_register(fn: Callable | None = None, attrs: object = None) -> Callable:
    """Decorates a Cell's `__init__`; MindSpore's compiler read from it which arguments matter. Cells here need none.

    Args:
        fn: the `__init__`.
        attrs: names of arguments; not needed.
    """
    return fn if fn is not None else cell_attr_register


def cell_attr_register_(fn: Callable) -> Callable:
    """As `cell_attr_register`."""
    return fn
