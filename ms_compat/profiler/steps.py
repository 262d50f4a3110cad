"""Recordings of chosen steps: `profile` with a `schedule`, written by `jax.profiler`.

`jax.profiler` needs the folder when it starts, so a handler made by `tensorboard_trace_handler` provides it beforehand;
the handler has nothing to analyse afterwards.
"""

from __future__ import annotations

import enum
import itertools
import logging
from collections.abc import Callable, Iterable
from typing import Any

import jax

from ms_compat._core.errors import check_bool, check_int, check_type
from ms_compat.profiler import recording
from ms_compat.profiler.profiling import AicoreMetrics, ProfilerActivity, ProfilerLevel

logger = logging.getLogger("ms_compat")


class ProfilerAction(enum.Enum):
    """What happens in a step."""

    NONE = 0
    WARM_UP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


class schedule:  # MindSpore's name
    """Which steps are recorded: some are skipped, then cycles of waiting, warming up and recording.

    An invalid number is replaced by its default, with a warning, as in MindSpore.

    Args:
        wait (int): steps at the beginning of a cycle.
        active (int): steps that are recorded, at least 1.
        warmup (int): steps between the two.
        repeat (int): the number of cycles; 0 for no end.
        skip_first (int): steps before the first cycle.

    >>> from ms_compat.profiler import schedule
    >>> [schedule(wait=1, active=1)(step).name for step in range(3)]
    ['NONE', 'RECORD_AND_SAVE', 'NONE']
    """

    def __init__(self, *, wait: int, active: int, warmup: int = 0, repeat: int = 0, skip_first: int = 0) -> None:
        self.wait = self._number("wait", wait, 0)
        self.active = self._number("active", active, 1)
        self.warmup = self._number("warmup", warmup, 0)
        self.repeat = self._number("repeat", repeat, 0)
        self.skip_first = self._number("skip_first", skip_first, 0)

    @staticmethod
    def _number(name: str, value: Any, least: int) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and value >= least:
            return value
        logger.warning(
            "For 'schedule', the '%s' must be an int >= %d, but got %r: %d is used", name, least, value, least
        )
        return least

    def __call__(self, step: int) -> ProfilerAction:
        """What happens in a step.

        Raises:
            ValueError: `step` is negative.
        """
        if step < 0:
            raise ValueError(f"For 'schedule', the step must be not less than 0, but got {step}.")
        step -= self.skip_first
        length = self.wait + self.warmup + self.active
        if step < 0 or self.repeat and step >= self.repeat * length:
            return ProfilerAction.NONE
        at = step % length
        if at < self.wait:
            return ProfilerAction.NONE
        if at < self.wait + self.warmup:
            return ProfilerAction.WARM_UP
        return ProfilerAction.RECORD_AND_SAVE if at == length - 1 else ProfilerAction.RECORD

    def to_dict(self) -> dict[str, int]:
        """The numbers by name."""
        names = ("wait", "active", "warmup", "repeat", "skip_first")
        return {name: getattr(self, name) for name in names}


def tensorboard_trace_handler(
    dir_name: str | None = None, worker_name: str | None = None, analyse_flag: bool = True, async_mode: bool = False
) -> Callable[[Any], None]:
    """What `profile(on_trace_ready=...)` takes to write recordings into a folder for TensorBoard.

    Args:
        dir_name: the folder; "./data" by default.
        worker_name, analyse_flag, async_mode: of MindSpore's analysis; without effect.

    Raises:
        TypeError: an argument of a wrong type.
    """
    api = "tensorboard_trace_handler"
    check_type(api, "dir_name", dir_name, (str, type(None)))
    check_type(api, "worker_name", worker_name, (str, type(None)))
    check_bool(api, "analyse_flag", analyse_flag)
    check_bool(api, "async_mode", async_mode)

    def handler(recording: Any) -> None:
        logger.info("The recording is in %s", handler.directory)  # type: ignore[attr-defined]

    handler.directory = dir_name or "./data"  # type: ignore[attr-defined]
    return handler


class _ExperimentalConfig:
    """MindSpore's Ascend counters; kept, and without effect: XLA's profiler has its own.

    Args:
        profiler_level, aic_metrics, l2_cache, mstx, data_simplification, export_type, mstx_domain_include,
        mstx_domain_exclude, sys_io, sys_interconnection, host_sys: MindSpore's.
    """

    def __init__(
        self, profiler_level=ProfilerLevel.Level0, aic_metrics=AicoreMetrics.AiCoreNone, l2_cache=False, mstx=False,
        data_simplification=True, export_type=None, mstx_domain_include=None, mstx_domain_exclude=None, sys_io=False,
        sys_interconnection=False, host_sys=None,
    ):  # fmt: skip
        given = {name: value for name, value in locals().items() if name != "self"}
        self.__dict__.update(given)
        logger.debug("_ExperimentalConfig: %s have no effect", sorted(given))


class profile:  # MindSpore's name
    """Records from `start` to `stop`, or the steps of a schedule; for `with`, too.

    Args:
        activities, with_stack, profile_memory, data_process, parallel_strategy, hbm_ddr, pcie, sync_enable,
            record_shapes, experimental_config: what MindSpore's profiler would note; without effect.
        start_profile (bool): whether to start at once.
        schedule (Callable): from the number of the step to a `ProfilerAction`; None records all.
        on_trace_ready (Callable): called with this object when a recording is written.

    Raises:
        TypeError: an argument of a wrong type.
        RuntimeError: started twice, or stopped before.
    """

    def __init__(
        self,
        activities: Iterable[ProfilerActivity] | None = None,
        with_stack: bool = False,
        profile_memory: bool = False,
        data_process: bool = False,
        parallel_strategy: bool = False,
        start_profile: bool = True,
        hbm_ddr: bool = False,
        pcie: bool = False,
        sync_enable: bool = True,
        record_shapes: bool = False,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[..., Any] | None = None,
        experimental_config: _ExperimentalConfig | None = None,
    ) -> None:
        logger.debug(
            "profile: activities=%s with_stack=%s profile_memory=%s data_process=%s parallel_strategy=%s hbm_ddr=%s "
            "pcie=%s sync_enable=%s record_shapes=%s experimental_config=%s have no effect",
            activities, with_stack, profile_memory, data_process, parallel_strategy, hbm_ddr, pcie, sync_enable,
            record_shapes, experimental_config,
        )  # fmt: skip
        for name, value in (("schedule", schedule), ("on_trace_ready", on_trace_ready)):
            if value is not None and not callable(value):
                raise TypeError(f"For 'profile', the '{name}' must be callable, but got {type(value).__name__}.")
        self._schedule = schedule
        self._ready = on_trace_ready
        self._directory = getattr(on_trace_ready, "directory", "./data")
        self._step = 0
        self._started = self._recording = False
        if check_bool("profile", "start_profile", start_profile):
            self.start()

    def _action(self) -> ProfilerAction:
        return ProfilerAction.RECORD if self._schedule is None else self._schedule(self._step)

    def _begin(self) -> None:
        if not self._recording and self._action() in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE):
            recording.start(self._directory)
            self._recording = True

    def _end(self) -> None:
        if self._recording:
            self._recording = False
            recording.stop()
            if self._ready is not None:
                self._ready(self)

    def start(self) -> None:
        """Starts with the first step."""
        if self._started:
            raise RuntimeError("For 'profile.start', the profiler has already started. Do not turn it on again.")
        self._started = True
        self._begin()

    def step(self) -> None:
        """Marks the end of a step."""
        if not self._started:
            raise RuntimeError("For 'profile.step', the profiler has not started. Call 'start' first.")
        save = self._action() is ProfilerAction.RECORD_AND_SAVE
        self._step += 1
        if save:
            self._end()
        self._begin()

    def stop(self) -> None:
        """Stops recording and writes the files."""
        if not self._started:
            raise RuntimeError("For 'profile.stop', the profiler has not started. Call 'start' first.")
        self._started = False
        self._end()

    def add_metadata(self, key: str, value: str) -> None:
        """Notes a remark about the recording in the log."""
        logger.debug("profile metadata: %s=%s", key, value)

    add_metadata_json = add_metadata

    def __enter__(self) -> profile:
        if not self._started:
            self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._started:
            self.stop()


class mstx:  # MindSpore's name
    """Marks in a recording.

    >>> from ms_compat.profiler import mstx
    >>> mstx.range_end(mstx.range_start("training"))
    """

    _numbers = itertools.count(1)
    _open: dict[int, Any] = {}

    @staticmethod
    def mark(message: str, stream: Any = None, domain: str = "default") -> None:
        """Marks a moment.

        Args:
            message: its name.
            stream: any; there is one queue.
            domain: put before the name, if it is not "default".
        """
        with mstx._annotation("mark", message, domain):
            logger.debug("mstx.mark(%r, stream=%s)", message, stream)

    @staticmethod
    def _annotation(api: str, message: str, domain: str) -> Any:
        check_type(f"mstx.{api}", "message", message, str)
        check_type(f"mstx.{api}", "domain", domain, str)
        return jax.profiler.TraceAnnotation(message if domain == "default" else f"{domain}: {message}")

    @staticmethod
    def range_start(message: str, stream: Any = None, domain: str = "default") -> int:
        """Opens a range; returns its number. Arguments as of `mark`."""
        annotation = mstx._annotation("range_start", message, domain)
        annotation.__enter__()
        logger.debug("mstx.range_start(%r, stream=%s)", message, stream)
        number = next(mstx._numbers)
        mstx._open[number] = annotation
        return number

    @staticmethod
    def range_end(range_id: int, domain: str = "default") -> None:
        """Closes a range.

        Raises:
            TypeError: the number is not an int.
            ValueError: there is no such open range.
        """
        check_type("mstx.range_end", "domain", domain, str)
        annotation = mstx._open.pop(check_int("mstx.range_end", "range_id", range_id), None)
        if annotation is None:
            raise ValueError(f"For 'mstx.range_end', there is no open range {range_id}.")
        annotation.__exit__(None, None, None)
