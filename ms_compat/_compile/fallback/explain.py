"""Why a compiled function was traced again: which argument changed, and how.

With `MS_COMPAT_EXPLAIN_RECOMPILES=1` each new trace after the first logs one line at warning level; `explanations`
keeps them for tests and notebooks.
"""

from __future__ import annotations

import logging
import os
from typing import Any

from ms_compat._core.tensor import tree

logger = logging.getLogger("ms_compat")
explanations: list[str] = []
_seen: dict[int, list[tuple[Any, Any]]] = {}


def enabled() -> bool:
    """Whether explanations were asked for."""
    return os.environ.get("MS_COMPAT_EXPLAIN_RECOMPILES", "") not in ("", "0")


def _describe(spec: Any, path: str, leaves: Any) -> dict[str, str]:
    """Each leaf of the arguments with a text of what the key holds of it."""
    match spec:
        case tree.Leaf():
            value = next(leaves)
            shape = getattr(value, "shape", ())
            return {path: f"Tensor{list(shape)} {getattr(value, 'dtype', type(value).__name__)}"}
        case tree.Constant(kind, value):
            return {path: f"{kind.__name__} {value if kind is float else repr(value):.60}"}
        case tree.Mapping(kind, pairs):
            named = [(repr(key), part) for key, part in pairs]
        case tree.Slice(items):
            kind, named = slice, [(str(i), part) for i, part in enumerate(items)]
        case _:
            kind, named = spec.kind, [(str(i), part) for i, part in enumerate(spec.items)]
    out = {path: f"{kind.__name__} of length {len(named)}"}
    for key, part in named:
        out.update(_describe(part, f"{path}[{key}]", leaves))
    return out


def _arguments(spec: Any, leaves: list[Any]) -> dict[str, str]:
    values = iter(leaves)
    out: dict[str, str] = {}
    positional, named = spec.items
    for i, part in enumerate(positional.items):
        out.update(_describe(part, f"argument {i}", values))
    for key, part in named.pairs:
        out.update(_describe(part, f"argument '{key}'", values))
    return out


def report(function: Any, key: Any, leaves: list[Any]) -> None:
    """Log how this call differs from the nearest traced one."""
    static, spec = key
    now = (static, _arguments(spec, leaves))
    history = _seen.setdefault(id(function), [])
    if history:
        best = min((_difference(before, now) for before in history), key=len)
        text = f"{function.name}: traced again because " + ("; ".join(best) or "its Parameters changed shape or dtype")
        explanations.append(text)
        logger.warning(text)
    history.append(now)


def _difference(before: Any, now: Any) -> list[str]:
    out = []
    if before[0] != now[0]:
        out.append("flags of a Cell changed (train mode, mixed precision, requires_grad or its structure)")
    for path in sorted(set(before[1]) | set(now[1])):
        a, b = before[1].get(path, "not there"), now[1].get(path, "not there")
        if a != b:
            out.append(f"{path} was {a}, is {b}")
    return out
