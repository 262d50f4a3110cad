"""Bars for long work, where a terminal or a notebook shows them; logs and pipes get none.

A bar appears on the standard error when the work has taken two seconds, and disappears when the work ends, however it
ends. Nested work (an evaluation or a checkpoint in a training) shows no second bar. `MS_COMPAT_PROGRESS=0` shows no
bars, `MS_COMPAT_PROGRESS=1` shows them without a terminal, too.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any

_AFTER = 2.0  # seconds
_EVERY = 0.2


def _notebook() -> Any:
    """The shell of a notebook, which displays; None elsewhere."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    return shell if hasattr(shell, "kernel") else None


def wanted() -> bool:
    """Whether there is somebody to look at a bar."""
    asked = os.environ.get("MS_COMPAT_PROGRESS", "")
    if asked in ("0", "1"):
        return asked == "1"
    return _notebook() is not None or sys.stderr is not None and sys.stderr.isatty()


class Progress:
    """How far some work is; a context manager.

    One bar is shown at a time, for the work that first took long.

    Args:
        label: what is done.
        total: how many units there are, None if that is not known.
        unit: what they are called; "B" for bytes.
        done: how many units were done before, as of a training that continues.

    >>> with Progress("reading", 3, "files") as progress:
    ...     for file in "abc":
    ...         progress.advance()
    """

    _shown = False  # whether any is

    def __init__(self, label: str, total: int | None, unit: str, done: int = 0):
        self.label, self.total, self.unit = label, total, unit
        self.done = done
        self._next = time.monotonic() + _AFTER if wanted() else float("inf")
        self._start, self._done_at_start, self._first = time.monotonic(), done, True
        self._bar: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """The work has ended."""
        bar, self._bar, self._next = self._bar, None, float("inf")
        if bar is not None:
            Progress._shown = False
            bar.close()

    def advance(self, count: int = 1, label: str | None = None) -> None:
        """So many units more are done."""
        now, first = time.monotonic(), self._first
        self.done, self._first = self.done + count, False
        if first:  # it took as long as compiling does: later units set the pace
            self._start, self._done_at_start = now, self.done
        if label is not None:
            self.label = label
        if now < self._next:
            return
        self._next = now + _EVERY
        if self._bar is None:
            if Progress._shown:
                return
            Progress._shown = True
            self._bar = _InNotebook() if _notebook() is not None else _OnTerminal()
        self._bar.show(self, self._text(now - self._start))

    def _text(self, seconds: float) -> str:
        done, total = (f"{n:,}" if n is not None else None for n in (self.done, self.total))
        unit = self.unit
        if unit == "B":
            done, total = (f"{n / 2**20:,.0f}" if n is not None else None for n in (self.done, self.total))
            unit = "MiB"
        text = f"{done}/{total} {unit}" if total else f"{done} {unit}"
        if self.total and self._done_at_start < self.done <= self.total:
            left = round(seconds * (self.total - self.done) / (self.done - self._done_at_start))
            text += f", {left // 60}:{left % 60:02d} left"
        return text


_SMALL = 64 << 20  # bytes; a shorter read or write needs no bar


def of_bytes(label: str, items: Iterable[tuple[str, Any]], total: int) -> Iterator[tuple[str, Any]]:
    """Names and values as they come, behind a bar of the values' bytes where those are many."""
    if total < _SMALL:
        yield from items
        return
    with Progress(label, total, "B") as progress:
        for name, value in items:
            yield name, value
            progress.advance(getattr(value, "nbytes", 0))


class _OnTerminal:
    """A rich line, above which the program's own output continues."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bars

        self._bars = Bars(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[text]}"),
            console=Console(stderr=True, force_terminal=os.environ.get("MS_COMPAT_PROGRESS") == "1" or None),
            transient=True,
            auto_refresh=False,
            redirect_stdout=sys.stdout is not None and sys.stdout.isatty(),  # into a file nothing of the bar goes
        )
        self._task: Any = None

    def show(self, progress: Progress, text: str) -> None:
        if self._task is None:
            self._bars.start()
            self._task = self._bars.add_task(progress.label, total=progress.total, text=text)
        self._bars.update(
            self._task, description=progress.label, completed=progress.done, text=text, total=progress.total
        )
        self._bars.refresh()

    def close(self) -> None:
        self._bars.stop()


class _InNotebook:
    """An HTML element that is replaced."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, progress: Progress, text: str) -> None:
        from IPython.display import HTML, display

        from ms_compat._core.diagnostics.html import escape

        amount = f' value="{progress.done}" max="{progress.total}"' if progress.total else ""
        made = HTML(f"<div>{escape(progress.label)} <progress{amount}></progress> {escape(text)}</div>")
        if self._handle is None:
            self._handle = display(made, display_id=True)
        else:
            self._handle.update(made)

    def close(self) -> None:
        from IPython.display import HTML

        if self._handle is not None:
            self._handle.update(HTML(""))
