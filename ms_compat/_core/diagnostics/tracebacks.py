"""What an uncaught error shows: the user's frames, the user's line last, and the message.

Frames of this package, JAX, the rewriter and the libraries that they call are hidden where an error is shown, and
nowhere else: the exception that a program catches has all its frames. `install()`, and with it `ms-compat run` and
the Jupyter kernel, hooks `sys.excepthook`, `threading.excepthook` and a running IPython; the previous hook still does
the printing. A plain `import ms_compat` hooks nothing, because other programs of the process would notice.

JAX cuts its own frames out of every exception that leaves one of its functions, and adds a note that would be the last
line. The hooks turn both off: cutting takes 3.9 of the 4.4 ms of a refused `ops.add`, also where code catches the
error and takes another way, as tracing does. The user's `JAX_TRACEBACK_FILTERING` has precedence.

`MS_COMPAT_TRACEBACK_FILTERING=off` (or JAX's variable, `off`) shows all frames.
"""

from __future__ import annotations

import ast
import importlib.util
import linecache
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import CodeType, TracebackType
from typing import Any

import jax

from ms_compat._core.dispatch import keywords
from ms_compat._core.jax_compat import HERE, STANDARD

# generated file -> {line: (file, line, source text)} of the user's code; rewritten functions enter themselves
source_lines: dict[str, dict[int, tuple[str, int, str]]] = {}

_VARIABLE = "MS_COMPAT_TRACEBACK_FILTERING"
_MODES = ("auto", "off")


class _Placed(Exception):  # raised and caught in `_place` alone
    """The exception that is raised to make a frame."""


def _folder(package: str) -> str:
    spec = importlib.util.find_spec(package)
    return os.path.dirname(os.path.abspath(spec.origin)) + os.sep if spec is not None and spec.origin else os.sep * 2


_HIDDEN = (HERE, *map(_folder, ("jax", "jaxlib", "malt")))
_CALLED = (*map(_folder, ("numpy", "optax")), "<frozen ")


def filtering() -> bool:
    """Whether frames are hidden.

    Raises:
        ValueError: the environment variable is neither `auto` nor `off`.
    """
    mode = os.environ.get(_VARIABLE, "auto")
    if mode not in _MODES:
        raise ValueError(f"{_VARIABLE} must be one of {list(_MODES)}, but got {mode!r}.")
    return mode != "off" and os.environ.get("JAX_TRACEBACK_FILTERING") != "off"


def is_hidden(file: str) -> bool:
    """Whether frames of a file are hidden."""
    return file.startswith(_HIDDEN) or file in source_lines


def users_frames(trace: TracebackType | None) -> tuple[TracebackType | None, int]:
    """A traceback without hidden frames, and how many those were; as it is where nothing would be left."""
    kept: list[TracebackType] = []
    hidden = 0
    inside = False
    for at in _entries(trace):
        name = at.tb_frame.f_code.co_filename
        if name in source_lines:
            written = _as_written(at)
            kept += [written] if written is not None else []
            inside, hidden = True, hidden + (written is None)
        elif is_hidden(name) or inside and _is_called(name):
            inside, hidden = True, hidden + 1
        else:
            kept.append(at)
            inside = False
    return (_chained(kept), hidden) if kept else (trace, 0)


def _entries(trace: TracebackType | None) -> Iterator[TracebackType]:
    while trace is not None:
        yield trace
        trace = trace.tb_next


def _chained(entries: list[TracebackType]) -> TracebackType | None:
    """One traceback of these entries, in their order."""
    out = None
    for entry in reversed(entries):
        out = TracebackType(out, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return out


def _is_called(name: str) -> bool:
    """Whether a file is of a library that hidden code calls; packages beside it may be the user's."""
    return name.startswith(_CALLED) or name.startswith(STANDARD) and "site-packages" not in name


def without_values(trace: TracebackType | None) -> TracebackType | None:
    """The user's frames of a traceback as places alone: a frame keeps the values of its variables, which these lack."""
    places = []
    for entry in _entries(users_frames(trace)[0]):
        code = entry.tb_frame.f_code
        if not code.co_filename.startswith(_HIDDEN):
            places.append(_place(code.co_filename, entry.tb_lineno, code.co_name))
    return _chained(places)


def _as_written(entry: TracebackType) -> TracebackType | None:
    """A rewritten function's frame as a frame in the user's file, whose line the traceback then shows."""
    code = entry.tb_frame.f_code
    place = source_lines[code.co_filename].get(entry.tb_lineno)
    if place is None:
        return None
    name = re.search(r"ag__(\w+)", code.co_qualname)  # a branch or loop body is a nested function
    return _place(place[0], place[1], name[1] if name else code.co_name)


def _place(file: str, line: int, name: str) -> TracebackType:
    """A traceback of one frame with this file, line and function, from a `raise` that is compiled to stand there."""
    shown = linecache.getline(file, line).rstrip("\n")
    raising = ast.parse("raise error")
    for node in ast.walk(raising):
        if isinstance(node, (ast.stmt, ast.expr)):  # the whole line: Python then underlines nothing
            node.lineno = node.end_lineno = line
            node.col_offset, node.end_col_offset = len(shown) - len(shown.lstrip()), len(shown)
    stub: CodeType = compile(raising, file, "exec").replace(co_name=name, co_qualname=name)
    raised: Any = None
    try:
        exec(stub, {"error": _Placed()})
    except _Placed as error:
        raised = error.__traceback__
    return raised.tb_next


@contextmanager
def shown(error: BaseException | None) -> Iterator[int]:
    """Within the block the exception, and those it comes from, have the user's frames; gives how many are hidden.

    Python's own error for an unknown keyword argument has a hint within the block, too.
    """
    kept: list[tuple[BaseException, TracebackType | None, bool, tuple[Any, ...]]] = []
    hidden = 0
    known: set[int] = set()
    waiting = [error]
    while waiting:
        error = waiting.pop()
        if error is None or id(error) in known:
            continue
        known.add(id(error))
        kept.append((error, error.__traceback__, error.__suppress_context__, error.args))
        if type(error) is TypeError and len(error.args) == 1:
            message = keywords.completed(str(error))
            error.args = error.args if message is None else (message,)
        came_of = error.__context__
        if came_of is not None and error.__cause__ is None and _caught_inside(came_of):
            error.__suppress_context__ = True
        trace, count = users_frames(error.__traceback__)
        hidden += count
        error.__traceback__ = trace
        waiting += [error.__cause__, None if error.__suppress_context__ else came_of]
        if isinstance(error, BaseExceptionGroup):
            waiting += error.exceptions
    try:
        yield hidden
    finally:
        for error, trace, suppressed, args in kept:
            error.__traceback__, error.__suppress_context__, error.args = trace, suppressed, args


def _caught_inside(error: BaseException) -> bool:
    """Whether hidden code caught the exception: its traceback begins in the frame that did."""
    trace = error.__traceback__
    return trace is not None and trace.tb_frame.f_code.co_filename.startswith(_HIDDEN)


def _report_hidden(hidden: int) -> None:
    if hidden and sys.stderr is not None:
        sys.stderr.write(f"({hidden} frames of ms_compat and JAX are hidden; {_VARIABLE}=off shows them)\n")


_undo = ExitStack()  # of what `hide_frames` has set
_hides = False


def hide_frames() -> None:
    """Hide frames in what uncaught errors of this process show, until `show_frames`.

    A later call also reaches an IPython that has started since.
    """
    global _hides
    cutting = jax.config.jax_traceback_filtering  # type: ignore[attr-defined]
    if cutting in (None, "auto"):
        jax.config.update("jax_traceback_filtering", "off")  # JAX's own cutting
        _undo.callback(jax.config.update, "jax_traceback_filtering", cutting)
    if not filtering():
        return
    _hides = True
    if not getattr(sys.excepthook, "hides_frames", False):
        sys.excepthook = _hiding(sys.excepthook)
    if not getattr(threading.excepthook, "hides_frames", False):
        threading.excepthook = _hiding_of_threads(threading.excepthook)
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    if shell is not None and not shell.custom_exceptions:  # another party's handler stays
        shell.set_custom_exc((Exception,), _show_in_ipython)
        _undo.callback(shell.set_custom_exc, (), None)


def show_frames() -> None:
    """Undo `hide_frames`. A hook that somebody has wrapped since stays, and passes everything on."""
    global _hides
    _hides = False
    _undo.close()
    for module in (sys, threading):
        if getattr(module.excepthook, "hides_frames", False):
            module.excepthook = module.excepthook.before  # type: ignore[attr-defined]


def _hiding(before: Callable[..., Any]) -> Callable[..., Any]:
    def excepthook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if not _hides:
            before(kind, error, trace)
            return
        with shown(error) as hidden:
            _report_hidden(hidden)
            before(kind, error, users_frames(trace)[0])

    excepthook.hides_frames, excepthook.before = True, before  # type: ignore[attr-defined]
    return excepthook


def _hiding_of_threads(before: Callable[..., Any]) -> Callable[..., Any]:
    def excepthook(args: Any) -> None:
        if not _hides:
            before(args)
            return
        with shown(args.exc_value):
            trace = users_frames(args.exc_traceback)[0]
            before(threading.ExceptHookArgs((args.exc_type, args.exc_value, trace, args.thread)))

    excepthook.hides_frames, excepthook.before = True, before  # type: ignore[attr-defined]
    return excepthook


def _show_in_ipython(shell: Any, kind: type[BaseException], error: BaseException, trace: Any, tb_offset: Any) -> None:
    with shown(error) as hidden:
        shell.showtraceback((kind, error, users_frames(trace)[0]), tb_offset=tb_offset)
    _report_hidden(hidden)
