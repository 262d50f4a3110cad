"""Steps that Ctrl-C must not cut in two.

A compiled function donates the arrays of the Parameters that it changes: the Parameters hold nothing until the results
are bound to them. A trace keeps tracers in them until it restores the arrays. Python runs signal handlers between any
two bytecodes of the main thread, and their exceptions (KeyboardInterrupt, a timeout by SIGALRM) would end the step
there.

`call_and_bind` is one C call: the program runs and its results are bound before Python checks for signals, or for an
exception that another thread has sent. That holds as long as all of it is C. Where Python code takes part (the first
call of a `jax.jit`, programs with host callbacks, a trace that ends) `hold_signals` defers signals: their handlers run,
and may raise, when it ends. Swapping the handlers costs some 5 us, so not every call does it.

Python 3.12 and later handle signals at some jumps backward that belong to no `with` or `try`: in a `while`, in a loop
that ends in an `if`, and in a comprehension with an `if`. An exception raised there skips `__exit__`, `finally` and
`except`. So such loops stand in functions of their own, whose calls are covered.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal.getsignal` makes an enum of each answer, at 10 times the cost
import contextlib
import itertools
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable
from types import CodeType
from typing import Any

# Whose handlers may raise. Faults and the end of child processes do not ask a program to stop.
_NAMES = "INT TERM ALRM USR1 USR2 HUP QUIT VTALRM PROF XCPU BREAK"
_AFTER_THE_CALLBACK = 0.002  # seconds
_SIGNALS = tuple(int(getattr(signal, f"SIG{name}")) for name in _NAMES.split() if hasattr(signal, f"SIG{name}"))

# Only the main thread, which handles signals, writes these.
_depth = 0
_handlers: dict[int, Any] = {}  # what the program has set for the signals that wait
_came: list[int] = []
_step_holds = False

_step = threading.Lock()  # a lock, since entering and leaving it are calls of C
in_whole_step = _step.locked


class Box:
    """Holds what a program returns besides its new state, for `call_and_bind`."""

    __slots__ = ("rest",)

    rest: Any


def call_and_bind(program: Any, arguments: tuple, targets: Iterable[Any], names: Iterable[str]) -> None:
    """Call a program and set its results, in their order, as the attributes `names` of `targets`, as one step.

    With a `jax.jit` that has compiled for such arguments, and targets that set these attributes without Python code of
    their own, no Python runs between the program's start and the last assignment.
    """
    deque(map(setattr, targets, names, itertools.chain.from_iterable(itertools.starmap(program, (arguments,)))), 0)


def _is_command() -> bool:
    """Whether the process is `ms-compat` or `python -m ms_compat`, which import this package before they run."""
    package = __name__.partition(".")[0]
    words = sys.orig_argv
    name = os.path.splitext(os.path.basename(sys.argv[0] if sys.argv else ""))[0]
    return name == "ms-compat" or (sys.argv[:1] == ["-m"] and package in words[words.index("-m") + 1 :][:1])


def end_while_starting() -> None:
    """Let Ctrl-C end a command that is still importing JAX, with one line and exit status 130.

    `started` gives SIGINT its usual handler back. Other processes, and those whose handler is not Python's own, are
    left alone.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if is_main and _is_command() and _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def _end(number: int, frame: Any) -> None:
    os.write(2, b"ms-compat: interrupted\n")
    os._exit(130)


def started() -> None:
    """The command runs: KeyboardInterrupt is raised again."""
    if _signal.getsignal(_signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def redeliver_dropped() -> None:
    """Deliver interrupts that Python drops.

    A signal handler may raise while a weak reference's callback, a `__del__` or a garbage collector callback runs. No
    caller can receive that exception: Python reports it to `sys.unraisablehook`. From there a thread raises the signal
    again, so that its handler runs after the callback.
    """
    if getattr(sys.unraisablehook, "redelivers", False):
        return
    former = sys.unraisablehook

    def hook(report: Any) -> None:
        number = _number_of(report)
        if number is None:
            former(report)
        else:
            threading.Thread(target=_raise_later, args=(number, hook.__code__), daemon=True).start()

    hook.redelivers = True  # type: ignore[attr-defined]
    sys.unraisablehook = hook


def _raise_later(number: int, hook: CodeType) -> None:
    """Raise the signal once the main thread has left the hook, in which Python would drop it for good."""
    time.sleep(_AFTER_THE_CALLBACK)
    while _runs_in_main_thread(hook):
        time.sleep(_AFTER_THE_CALLBACK)
    signal.raise_signal(number)


def _runs_in_main_thread(code: CodeType) -> bool:
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    return frame is not None


def _number_of(report: Any) -> int | None:
    """The signal whose handler raised what was dropped; None if it was something else, or is for no main thread."""
    if not _in_main_thread():
        return None
    frames, trace = set(), report.exc_traceback
    while trace is not None:
        frames.add(trace.tb_frame.f_code)
        trace = trace.tb_next
    for number in _SIGNALS:
        handler = _handlers.get(number) or _signal.getsignal(number)
        if handler is signal.default_int_handler:
            if report.exc_type is KeyboardInterrupt:
                return number
        elif getattr(handler, "__code__", None) in frames:
            return number
    return None


class hold_signals:  # reads as a statement; a context manager made of a generator can be cut itself
    """While it is open, the signals wait that the program handles in Python; in the main thread, which handles them."""

    __slots__ = ("_taken",)

    def __enter__(self) -> None:
        self._taken = _take()

    def __exit__(self, *exc: Any) -> None:
        if self._taken:
            _release()


def whole_step() -> contextlib.AbstractContextManager[Any]:
    """A block in which signals wait from the first change of a compiled function's state on, until `end_step`.

    For what must agree with the Parameters, such as the number of steps that are done. Before that, while something is
    traced and compiled, signals are handled as ever.
    """
    return contextlib.nullcontext() if not _in_main_thread() or _step.locked() else _step


def begin_change() -> None:
    """In a `whole_step`: state is about to be changed."""
    global _step_holds
    if not _step_holds and _in_main_thread():
        _take()
        _step_holds = True


def end_step() -> None:
    """In a `whole_step`: handle the signals that have waited. To be called in `finally`."""
    global _step_holds
    if _step_holds and _in_main_thread():
        _step_holds = False
        _release()


def _in_main_thread() -> bool:
    return threading.get_ident() == threading.main_thread().ident


def _take() -> bool:
    global _depth
    if not _in_main_thread():
        return False
    if not _depth:
        try:
            _take_handlers()
        except ValueError:  # a second interpreter in this process, which handles no signals
            return False
        except BaseException:
            _restore()
            raise
    _depth += 1
    return True


def _take_handlers() -> None:
    for number in _SIGNALS:
        handler = _signal.getsignal(number)
        if callable(handler) and handler is not _note:
            _handlers[number] = handler
            _signal.signal(number, _note)


def _release() -> None:
    global _depth
    _depth -= 1
    if not _depth:
        _restore()


def _restore() -> None:
    """Give the signals their handlers back, then let these handle what has come."""
    try:
        _restore_handlers()
        _raise_what_came()
    except BaseException:  # of a handler that is back already; the others must come back, too
        if _handlers or _came:
            _restore()
        raise


def _restore_handlers() -> None:
    while _handlers:
        number = next(iter(_handlers))
        if _signal.getsignal(number) is _note:  # else the program has set another one meanwhile
            _signal.signal(number, _handlers[number])
        del _handlers[number]


def _raise_what_came() -> None:
    while _came:
        signal.raise_signal(_came.pop(0))


def _note(number: int, frame: Any) -> None:
    if number not in _came:
        _came.append(number)
