"""Graph breaks: what becomes of a function whose Python cannot be traced.

MindSpore's compiled functions take data-dependent shapes, `asnumpy()` with numpy, branches of different kinds and texts
of tensors; XLA cannot. The call does not fail. The function itself runs in Python, operation by operation, and the
Cells and compiled functions that it calls are compiled separately, as in GRAPH_MODE. For gradients that only the tape
has (of integers, and second gradients through some loops) these run operation by operation, too. The compiled function
decides once: it remembers the decision per static key, and after a few keys for all. One log line names the program's
line and the reason; `reports` keeps these lines.

`jit(fullgraph=True)` and `MS_COMPAT_FULLGRAPH=1` raise the trace's error instead.
"""

from __future__ import annotations

import contextlib
import logging
import os
from typing import Any

from ms_compat._compile.analysis import side_effects
from ms_compat._compile.analysis.outputs import as_sequences
from ms_compat._compile.control_flow.convert import callers_line, users_line
from ms_compat._core.dispatch import written_arguments
from ms_compat._core.errors import NotTraceableError, TapeOnlyError, UnsupportedError
from ms_compat._core.jax_compat import TRACING_ERRORS
from ms_compat._core.refcounted_override import RefcountedOverride
from ms_compat._core.settings import context
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
    return BY_OPERATIONS if isinstance(error, TapeOnlyError) else BROKEN


def refused() -> bool:
    """Whether the user requests an error for what cannot be compiled."""
    return os.environ.get("MS_COMPAT_FULLGRAPH", "") not in ("", "0")


def report(name: str, error: BaseException) -> None:
    """Log which function runs in Python from now on, where it broke and why."""
    place = (isinstance(error, NotTraceableError) and error.place) or users_line(error)
    reason = str(error).partition("\n")[0].removeprefix(f"'{name}' cannot be compiled: ").removesuffix(".")
    where = f"At {place}" if place else f"It was called at {callers_line()}"  # without user code in it
    text = f"{name} runs in Python, not compiled: {reason}. {where}"
    reports.append(text)
    logger.warning("%s (MS_COMPAT_FULLGRAPH=1 makes this an error.)", text)


class OwnArguments:
    """The arguments of a call, with Tensors and containers of the function's own.

    As in compiled code, what the function assigns to items of a Tensor or appends to a list is seen inside of the call
    alone, and what operations write in place reaches the caller (`written_arguments.py`).
    Other changes of a list, and items that are set in a dict, reach the caller, who also gets an unchanged container
    back as the object that it is.

    Args:
        args, kwargs: of the call.
        names: that the function uses, which tell changes apart.
        writes: whether operations that write in place write into the caller's Tensors.
    """

    def __init__(self, args: tuple, kwargs: dict, names: frozenset[str], writes: bool = True):
        self._writes = writes
        # the function's container, the caller's, the former's contents before, and whether it is in a dict
        self._copied: list[tuple[Any, Any, Any, bool]] = []
        self._tensors: dict[int, tuple[Tensor, Tensor]] = {}  # the function's and the caller's, by the former's id
        self._names = names
        self.args = self._own(args)
        self.kwargs = {name: self._own(value) for name, value in kwargs.items()}

    def _own(self, value: Any, inside: bool = False) -> Any:
        kind = type(value)
        if kind is Tensor:
            copy = wrap(value._v)
            copy._node = value._node
            copy._mutable = value._mutable
            self._tensors[id(copy)] = copy, value
            written_arguments.follow(copy)
            return copy
        if isinstance(value, dict):
            copied: Any = kind((key, self._own(item, True)) for key, item in value.items())
        elif isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
            copied = kind(self._own(item, inside) for item in value)
        else:
            return value
        if kind in (list, dict):
            self._copied.append((copied, value, copied.copy(), inside))
        return copied

    def rebuild_outputs(self, out: Any) -> Any:
        """Hand changes on to the caller; gives the output with the caller's containers in it."""
        for copy, given in self._tensors.values() if self._writes else ():
            value = written_arguments.for_caller(copy)
            if value is not given._v:
                written_arguments.hand_back([given], [copy if value is copy._v else value])
        out = as_sequences(out)
        callers: dict[int, Any] = {}
        unseen: set[int] = set()  # the function's containers whose contents the caller is not to have
        changed = []
        for own, given, before, inside in self._copied:  # nested containers come before outer ones
            if not side_effects.is_same(own, before):
                if not (inside or side_effects.reaches_caller(own, before, self._names)):
                    unseen.add(id(own))
                    continue
                changed.append((own, given))
            elif any(id(item) in unseen for item in side_effects.containers_within(own)):
                unseen.add(id(own))
                continue
            callers[id(own)] = given
        for own, given in changed:
            side_effects.refill(given, self._for_caller(own, callers))
        return replaced(out, callers) if callers else out

    def _for_caller(self, own: Any, callers: dict[int, Any]) -> Any:
        """The contents of a container with the caller's objects where the function has copies that are unchanged."""
        same = {key: given for key, (copy, given) in self._tensors.items() if copy._v is given._v}
        items = own.items() if type(own) is dict else enumerate(own)
        found = {key: replaced(item, {**same, **callers}) for key, item in items}
        return found if type(own) is dict else list(found.values())


def replaced(value: Any, objects: dict[int, Any]) -> Any:
    """An output with other objects in place of those with these ids."""
    if id(value) in objects:
        return objects[id(value)]
    if type(value) not in (tuple, list, dict):
        return value
    items = list(value.values()) if type(value) is dict else list(value)
    found = [replaced(item, objects) for item in items]
    if all(a is b for a, b in zip(items, found, strict=True)):
        return value
    return dict(zip(value, found, strict=True)) if type(value) is dict else type(value)(found)


_graph_mode = RefcountedOverride(context.state, "mode", context.GRAPH_MODE)


def compiling_below() -> contextlib.AbstractContextManager[None]:
    """For the time of a function that broke, GRAPH_MODE: the Cells and gradients that it calls are compiled.

    The mode belongs to the process; threads that run such functions at once share one switch of it.
    """
    return _graph_mode.on()
