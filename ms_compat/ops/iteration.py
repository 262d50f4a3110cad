"""`ops.iter_converter`, `ops.ms_hasnext` and `ops.ms_next`: what MindSpore's compiler makes of a `for` loop."""

from __future__ import annotations

from typing import Any

from ms_compat._core.faces import faces


@faces("ops")
def iter_converter(xs: Any) -> Any:
    """Return what `ms_hasnext` and `ms_next` go over: the Tensor, tuple, list or dict itself; of a dict its keys.

    >>> from ms_compat import ops
    >>> ops.ms_next(ops.iter_converter((1, 2, 3)))
    (1, (2, 3))
    """
    return tuple(xs) if isinstance(xs, dict) else xs


@faces("ops")
def ms_hasnext(xs: Any) -> bool:
    """Whether anything is left of what `iter_converter` returned."""
    return len(xs) > 0


@faces("ops")
def ms_next(xs: Any) -> tuple[Any, Any]:
    """Return the first element and the rest of what `iter_converter` returned.

    Raises:
        IndexError: nothing is left.
    """
    return xs[0], xs[1:]
