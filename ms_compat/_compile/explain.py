"""Why a compiled function was traced again: which argument changed, and how.

With `MS_COMPAT_EXPLAIN_RECOMPILES=1` each new trace after the first logs one line at warning level; `explanations`
keeps them for tests and notebooks.
"""

from __future__ import annotations

import logging
import os
from typing import Any

logger = logging.getLogger("ms_compat")
explanations: list[str] = []
_seen: dict[int, list[tuple[Any, Any]]] = {}


def enabled() -> bool:
    """Whether explanations were asked for."""
    return os.environ.get("MS_COMPAT_EXPLAIN_RECOMPILES", "") not in ("", "0")


def _describe(spec: Any, path: str, leaves: Any) -> dict[str, str]:
    """Each leaf of the arguments with a text of what the key holds of it."""
    if spec in ("tensor", "scalar"):
        value = next(leaves)
        shape = getattr(value, "shape", ())
        return {path: f"Tensor{list(shape)} {getattr(value, 'dtype', type(value).__name__)}"}
    kind = spec[0]
    if kind == "const":
        return {path: f"{spec[1].__name__} {spec[2]!r:.60}"}
    if kind == "float":
        return {path: f"float {spec[1]}"}
    out = {path: f"{kind} of length {len(spec[-1])}"}
    if kind in ("dict", "mutable_dict"):
        for key, part in spec[1]:
            out.update(_describe(part, f"{path}[{key!r}]", leaves))
        return out
    for i, part in enumerate(spec[-1]):
        out.update(_describe(part, f"{path}[{i}]", leaves))
    return out


def _arguments(spec: Any, leaves: list[Any]) -> dict[str, str]:
    values = iter(leaves)
    out: dict[str, str] = {}
    for i, part in enumerate(spec[1][0][1]):
        out.update(_describe(part, f"argument {i}", values))
    for key, part in spec[1][1][1]:
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
