"""Says after some seconds what the first call of a compiled function waits for, and what to write instead.

The trace unrolls a loop whose iterations it knows (a `for` over a range, a `while` over a Tensor that the function
makes). Tracing and compiling thousands of iterations takes minutes, and XLA reports nothing that helps a user. One
warning names the function and the user's line that makes most of the program.
"""

from __future__ import annotations

import contextlib
import linecache
import logging
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from ms_compat._compile.analysis.users import is_users_module
from ms_compat._compile.control_flow.convert import equations_place, written_at

logger = logging.getLogger("ms_compat")
PATIENCE = 5.0  # seconds until the line is logged
MANY = 1000  # operations of one line that make it the one to name
LOOKS, BETWEEN = 10, 0.05  # how many samples show whether a trace stays in one call, and the seconds between them

_told: set[str] = set()


@contextlib.contextmanager
def warn_if_slow(name: str, jaxpr: Callable[[], Any] | None = None) -> Iterator[None]:
    """A region that traces or compiles the function `name`; what takes longer than `PATIENCE` is logged, once.

    Args:
        name: of the function.
        jaxpr: gives the program that is compiled; None while it is traced.
    """
    thread = threading.get_ident()

    def tell() -> None:
        if name in _told:
            return
        _told.add(name)
        place, count = _stays_at(thread) if jaxpr is None else _most_written(jaxpr())
        is_loop = place is not None and (jaxpr is None or count >= MANY)  # large nets take their time, too
        logger.log(logging.WARNING if is_loop else logging.DEBUG, "%s", message(name, place, count))

    timer = threading.Timer(PATIENCE, tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def message(name: str, place: tuple[str, int] | None, count: int) -> str:
    """The text to log: the line at `place`, and how many of the program's operations it causes, 0 if unknown."""
    doing = "compiled" if count else "traced"
    text = f"'{name}' has been {doing} for {PATIENCE:g} s"
    if place is None:
        return text + "."
    text += f"; {count} operations come from" if count else ", and is at"
    text += f" {place[0]}:{place[1]}: {linecache.getline(*place).strip()}."
    if count and count < MANY:
        return text
    return (
        f"{text} A loop whose turns are known beforehand is written out turn by turn: hand the Tensor of its condition "
        "over as an argument, or use ops.while_loop, ops.fori_loop or ops.scan, so that it stays a loop."
    )


def _stays_at(thread: int) -> tuple[tuple[str, int] | None, int]:
    """A line of the user's call that a thread stays in for some time, as in a long loop; else None."""
    place, before = None, None
    for _ in range(LOOKS):
        place, frame = _users_call(thread)
        if before is not None and frame is not before:
            return None, 0
        before = frame
        time.sleep(BETWEEN)
    return place, 0


def _users_call(thread: int) -> tuple[tuple[str, int] | None, Any]:
    """The innermost user line that a thread executes, and its frame."""
    frame = sys._current_frames().get(thread)
    while frame is not None:
        place = written_at(frame.f_code.co_filename, frame.f_lineno)
        generated = place is not None and place[0] != frame.f_code.co_filename
        if place is not None and (generated or is_users_module(frame.f_globals.get("__name__"))):
            return place, frame
        frame = frame.f_back
    return None, None


def _most_written(closed: Any) -> tuple[tuple[str, int] | None, int]:
    """The user's line that most equations of a program come from, and how many."""
    counts: Counter[tuple[str, int]] = Counter()
    for eqn in closed.jaxpr.eqns:
        place = equations_place(eqn)
        if place is not None:
            counts[place] += 1
    return counts.most_common(1)[0] if counts else (None, len(closed.jaxpr.eqns))
