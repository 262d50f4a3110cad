"""Where a program's time goes: `run --profile [DIR]`. The report goes to the standard error."""

import contextlib
import cProfile
import os
import pathlib
import pstats
import site
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ms_compat.cli._output import counted, print_table, relative

_STAGES = {
    "/jax/core/compile/jaxpr_trace_duration": "tracing Python",
    "/jax/core/compile/jaxpr_to_mlir_module_duration": "lowering to StableHLO",
    "/jax/core/compile/backend_compile_duration": "compiling, or reading from disk",
}
_HITS = "/jax/compilation_cache/cache_hits"
_FUNCTIONS = 15


def union(spans: Iterable[tuple[float, float]]) -> float:
    """The total length that intervals cover together: stages nest, as one compiled function calls another.

    >>> union([(0.0, 2.0), (1.0, 3.0), (5.0, 6.0)])
    4.0
    """
    total, reached = 0.0, float("-inf")
    for start, end in sorted(spans):
        total += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return total


class _Stages:
    """Records JAX's compilation events while it is registered as a listener."""

    def __init__(self) -> None:
        self.spans: dict[str, list[tuple[float, float]]] = {stage: [] for stage in _STAGES}
        self.hits = 0

    def duration(self, event: str, duration_secs: float, **_: Any) -> None:
        if event in self.spans:
            now = time.perf_counter()
            self.spans[event].append((now - duration_secs, now))

    def event(self, event: str, **_: Any) -> None:
        self.hits += event == _HITS


@contextlib.contextmanager
def watched(profile: bool, trace: pathlib.Path | None) -> Iterator[None]:
    """Measures the code in a `with` block, and reports at the end, also after an error.

    Args:
        profile: whether to print the table.
        trace: the folder for a trace of the devices, or None.
    """
    with contextlib.ExitStack() as stack:
        if trace is not None:
            from ms_compat.profiler.recording import recorded

            stack.enter_context(recorded(str(trace)))
        if profile:
            stack.enter_context(_profiled())
        yield


@contextlib.contextmanager
def _profiled() -> Iterator[None]:
    import jax.monitoring

    from ms_compat.dataset._support import timing

    stages, profiler = _Stages(), cProfile.Profile()
    data = timing.active = timing.Recorder()
    jax.monitoring.register_event_duration_secs_listener(stages.duration)
    jax.monitoring.register_event_listener(stages.event)
    start = time.perf_counter()
    profiler.enable()
    _ignore_other_threads()
    try:
        yield
    finally:
        profiler.disable()
        seconds = time.perf_counter() - start
        timing.active = None
        jax.monitoring.unregister_event_duration_listener(stages.duration)
        jax.monitoring.unregister_event_listener(stages.event)
        _report(stages, pstats.Stats(profiler), seconds)
        if data.items:
            _report_data(data)


def _ignore_other_threads() -> None:
    """Limits the profiler to this thread's calls, as its documentation says.

    From Python 3.12 on it receives all threads' calls, takes them for nested calls, and counts wrong.
    """
    if sys.version_info < (3, 12):
        return
    tool, here = sys.monitoring.PROFILER_ID, threading.get_ident()
    for event in (1 << bit for bit in range(sys.monitoring.events.C_RAISE.bit_length())):
        heard = sys.monitoring.register_callback(tool, event, None)
        if heard is not None:
            sys.monitoring.register_callback(tool, event, _only_in(here, heard))


def _only_in(thread: int, heard: Callable[..., Any]) -> Callable[..., None]:
    def hear(*args: Any) -> None:
        if threading.get_ident() == thread:
            heard(*args)

    return hear


def _report(stages: _Stages, stats: pstats.Stats, seconds: float) -> None:
    rows: list[tuple[object, ...]] = [("whole program", f"{seconds:.2f}", "100%", "")]
    for stage, label in _STAGES.items():
        spent = union(stages.spans[stage])
        count = len(stages.spans[stage])
        programs = f"{counted(count, 'program')}, {stages.hits} of them from disk"
        told = programs if "compiling" in label else counted(count, "time")
        rows.append((label, f"{spent:.2f}", f"{spent / seconds:.0%}", told))
    print_table("Time", ("stage", "seconds", "share", ""), rows, file=sys.stderr, prose=("",))
    print_table(
        "The program's functions, by the time in them and in what they call",
        ("function", "where", "calls", "own s", "with calls s"),
        _functions(stats),
        file=sys.stderr,
        optional=("calls", "own s"),
    )


def _report_data(data: Any) -> None:
    """Prints how long the program waited for its data pipelines, and what each of their nodes took."""
    loop = data.loop_seconds()
    slowest = data.slowest()
    rows: list[tuple[object, ...]] = [
        (
            type(times.node).__name__ + (" (slowest)" if times is slowest else ""),
            times.rows,
            f"{times.seconds:.3f}",
            "" if times.rate() == float("inf") else f"{times.rate():,.0f}",
        )
        for times in sorted(data.nodes.values(), key=lambda times: -times.seconds)
    ]
    share = f"{data.waited / loop:.0%}" if loop else "0%"
    waited = f"The program waited {data.waited:.2f} s for {counted(data.items, 'item')}, {share} of its loops' time."
    print_table(
        "Data pipeline",
        ("node", "rows", "own s", "rows per s"),
        rows,
        file=sys.stderr,
        prose=("node",),
    )
    print(waited, data.advice(), file=sys.stderr)


def _functions(stats: pstats.Stats) -> list[tuple[object, ...]]:
    found: dict[tuple[str, int, str], tuple[int, int, float, float, dict]] = stats.stats  # type: ignore[attr-defined]
    own = [(place, times) for place, times in found.items() if _is_own(place[0])]
    own.sort(key=lambda item: -item[1][3])
    return [
        (name, f"{relative(file)}:{line}", calls, f"{alone:.3f}", f"{all_in:.3f}")
        for (file, line, name), (_, calls, alone, all_in, _) in own[:_FUNCTIONS]
    ]


def _is_own(file: str) -> bool:
    """Whether a file is the program's, and not Python's, a library's or ours."""
    if file.startswith(("<", "~")):
        return False
    path = os.path.abspath(file)
    ours = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folders = [ours, *sysconfig.get_paths().values(), *site.getsitepackages(), site.getusersitepackages()]
    inside = [folder for folder in folders if folder not in (sys.prefix, sys.base_prefix, os.path.sep)]
    return not any(path.startswith(os.path.join(folder, "")) for folder in inside)
