"""Graph breaks: what becomes of a function whose Python cannot be traced.

Data-dependent shapes, `asnumpy()` with numpy, branches of different kinds, texts of tensors: what MindSpore's compiled
functions take and XLA cannot. The call does not fail. The function itself runs in Python, operation by operation, and
the Cells and compiled functions that it calls are compiled each for itself, as in GRAPH_MODE; only where gradients of
integers are asked for, these run operation by operation, too. That is decided once: the
compiled function remembers it per static key, and after a few keys for all. One line of the log says which line of the
program it was and why; `reports` keeps them.

`jit(fullgraph=True)` and `MS_COMPAT_FULLGRAPH=1` refuse instead, with the error of the trace.
"""

from __future__ import annotations

import contextlib
import logging
import os
from typing import Any

from ms_compat._compile import side_effects
from ms_compat._compile.control_flow.convert import users_line
from ms_compat._core import context
from ms_compat._core.errors import IntegerGradientError, NotTraceableError, UnsupportedError
from ms_compat._core.jax_compat import TRACING_ERRORS
from ms_compat._core.shared_switch import SharedSwitch
from ms_compat._core.tensor import Tensor, wrap

logger = logging.getLogger("ms_compat")
reports: list[str] = []

# What says that a trace cannot go on. An API that is not served at all raises again in Python.
BREAKS = (NotTraceableError, UnsupportedError, *TRACING_ERRORS)
# Static keys of one function that broke before it is given up for all others, too.
PATIENCE = 3


class Broken:
    """Stands where a function's compiled form for a static key would; calls with that key run in Python.

    Args:
        whole: whether nothing below is compiled either, because the tape has to see each operation.
    """

    broken = True

    def __init__(self, whole: bool = False):
        self.whole = whole


BROKEN = Broken()
BY_OPERATIONS = Broken(whole=True)


def broken_by(error: BaseException) -> Broken:
    """What stands for a function that broke with an error."""
    return BY_OPERATIONS if isinstance(error, IntegerGradientError) else BROKEN


def refused() -> bool:
    """Whether the user asked that what cannot be compiled is an error."""
    return os.environ.get("MS_COMPAT_FULLGRAPH", "") not in ("", "0")


def report(name: str, error: BaseException) -> None:
    """Log which function runs in Python from now on, where it broke and why."""
    place = users_line(error)
    reason = str(error).partition("\n")[0]
    text = f"{name} runs in Python, not compiled: {reason}" + (f" At {place}" if place else "")
    reports.append(text)
    logger.warning("%s (MS_COMPAT_FULLGRAPH=1 makes this an error.)", text)


class OwnArguments:
    """The arguments of a call, with Tensors and containers of the function's own.

    As in compiled code, what the function writes into a Tensor or appends to a list is seen inside of the call alone.
    Other changes of a list reach the caller, who also gets an unchanged list back as the object that it is.
    """

    def __init__(self, args: tuple, kwargs: dict):
        self._lists: list[tuple[list, list, list]] = []  # the function's, the caller's, and the former's beginning
        self.args = self._own(args)
        self.kwargs = self._own(kwargs)

    def _own(self, value: Any) -> Any:
        kind = type(value)
        if kind is Tensor:
            copy = wrap(value._v)
            copy._node = value._node
            copy._mutable = value._mutable
            return copy
        if isinstance(value, dict):
            return kind((key, self._own(item)) for key, item in value.items())
        if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
            copied: Any = kind(self._own(item) for item in value)
            if isinstance(value, list) and kind is list:
                self._lists.append((copied, value, list(copied)))
            return copied
        return value

    def presented(self, out: Any) -> Any:
        """Hand changes of lists on to the caller; gives the output with the caller's lists in it."""
        callers = {}
        for own, callers_list, before in self._lists:
            if not side_effects.is_same(own, before):
                if side_effects.is_appended(own, before):
                    continue
                callers_list[:] = own
            callers[id(own)] = callers_list
        return _replaced(out, callers) if callers else out


def _replaced(value: Any, objects: dict[int, Any]) -> Any:
    if id(value) in objects:
        return objects[id(value)]
    if type(value) not in (tuple, list, dict):
        return value
    items = list(value.values()) if type(value) is dict else list(value)
    found = [_replaced(item, objects) for item in items]
    if all(a is b for a, b in zip(items, found, strict=True)):
        return value
    return dict(zip(value, found, strict=True)) if type(value) is dict else type(value)(found)


_graph_mode = SharedSwitch(context.state, "mode", context.GRAPH_MODE)


def compiling_below() -> contextlib.AbstractContextManager[None]:
    """For the time of a function that broke, GRAPH_MODE: the Cells and gradients that it calls are compiled.

    The mode belongs to the process; threads that run such functions at once share one switch of it.
    """
    return _graph_mode.on()
