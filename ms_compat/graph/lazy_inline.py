"""`lazy_inline`: the mark on `__init__` by which MindSpore keeps equal Cells as one subgraph, for shorter compiles.

XLA inlines every call and finds equal parts by itself, so the mark changes nothing; `Cell.recompute` and
`Cell.offload`, which need it in MindSpore, keep a Cell's graph apart with `jax.checkpoint`.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import Any

logger = logging.getLogger("ms_compat")


def lazy_inline(fn: Callable | None = None, attrs: Any = None, policy: str | None = None) -> Callable:
    """Mark the `__init__` of a Cell whose equal instances MindSpore compiles once.

    Args:
        fn: the `__init__`; None to use it as a decorator with options.
        attrs, policy: which Cells count as equal and when MindSpore inlines them; without effect.

    Returns:
        An `__init__` that does the same.

    Raises:
        ValueError: `fn` is another function.

    >>> from ms_compat import lazy_inline, nn
    >>> class Block(nn.Cell):
    ...     @lazy_inline
    ...     def __init__(self):
    ...         super().__init__()
    >>> Block()
    Block()
    """

    def wrap(init: Callable) -> Callable:
        if init.__name__ != "__init__":
            raise ValueError(
                f"The lazy_inline should decorate the __init__ function, not the function: {init.__name__}."
            )
        logger.debug("lazy_inline(attrs=%r, policy=%r) has no effect: XLA inlines", attrs, policy)

        @functools.wraps(init)
        def marked(self, *args, **kwargs):
            init(self, *args, **kwargs)

        return marked

    return wrap if fn is None else wrap(fn)
