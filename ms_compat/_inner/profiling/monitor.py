"""`DynamicProfilerMonitor`: recordings of steps that a file names while a training runs."""

from __future__ import annotations

import json
import logging
import os
import time
from pathlib import Path
from typing import Any

from ms_compat._core.errors import check_type
from ms_compat.communication import get_rank
from ms_compat.profiler.steps import profile, tensorboard_trace_handler
from ms_compat.train.callback._callback import Callback

logger = logging.getLogger("ms_compat")

_FILE = "profiler_config.json"
# What a new file says: no recording. All but the first two and the path is for MindSpore's own profiler.
_SETTINGS = {
    "start_step": -1, "stop_step": -1, "aic_metrics": "AiCoreNone", "profiler_level": "Level0", "analyse_mode": -1,
    "activities": ["CPU", "NPU"], "export_type": ["text"], "profile_memory": False, "mstx": False,
    "parallel_strategy": False, "with_stack": False, "data_simplification": True, "l2_cache": False, "analyse": False,
    "record_shapes": False, "prof_path": "./", "mstx_domain_include": [], "mstx_domain_exclude": [], "host_sys": [],
    "sys_io": False, "sys_interconnection": False,
}  # fmt: skip


class DynamicProfilerMonitor(Callback):
    """Records the steps that a JSON file names, which may be written while the training runs.

    The file is `profiler_config.json` in a folder, and is made if it is missing. "start_step" and "stop_step" are the
    first and the last step to record, from 1; after a recording, a later "start_step" names another one. "prof_path"
    is the folder to write to, unless it is "./". The other settings concern MindSpore's own profiler.

    Args:
        cfg_path (str): the folder of the file.
        output_path (str): the folder for recordings, each in a folder of its own.
        poll_interval (int): how many seconds pass at least between two looks at the file; 2 for a wrong value.
        **kwargs: accepted, as in MindSpore.

    Raises:
        TypeError: `cfg_path` is not a str.

    >>> import tempfile
    >>> from ms_compat.profiler import DynamicProfilerMonitor
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     monitor = DynamicProfilerMonitor(folder)
    ...     os.listdir(folder)
    ['profiler_config.json']
    """

    def __init__(
        self,
        cfg_path: str | None = None,
        output_path: str = "./dyn_profile_data",
        poll_interval: int = 2,
        **kwargs: Any,
    ) -> None:
        super().__init__()
        api = "DynamicProfilerMonitor"
        self._file = Path(check_type(api, "cfg_path", cfg_path, (str, os.PathLike)), _FILE)
        self._output = "dyn_profile_data" if output_path is None else output_path
        if not isinstance(poll_interval, int) or poll_interval < 1:
            logger.error("%s: the 'poll_interval' must be an int from 1, but got %r: it is 2", api, poll_interval)
            poll_interval = 2
        self._interval = poll_interval
        if kwargs:
            logger.debug("%s: %s have no effect", api, sorted(kwargs))
        self._settings: dict[str, Any] = _SETTINGS
        self._looked = -float("inf")
        self._last: tuple[int, int] = (-1, -1)  # the steps of the last recording
        self._profile: profile | None = None
        self._missed = -1  # a first step that the file named too late
        self._steps = 0  # of `step`
        if get_rank() == 0 and not self._file.exists():
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(json.dumps(_SETTINGS, indent=4), "utf-8")

    def _look(self) -> None:
        """Read the file, if the last look is long ago."""
        now = time.monotonic()
        if now - self._looked < self._interval:
            return
        self._looked = now
        try:
            found = json.loads(self._file.read_text("utf-8"))
            if not isinstance(found, dict):
                raise ValueError(f"it must be an object, but is {type(found).__name__}")
            for name in ("start_step", "stop_step"):
                value = found.get(name)
                if isinstance(value, bool) or not isinstance(value, int):
                    raise ValueError(f"'{name}' must be an int, but is {value!r}")
            check_type("DynamicProfilerMonitor", "prof_path", found.get("prof_path", "./"), str)
        except (OSError, ValueError, TypeError) as error:  # someone may be writing it; training goes on
            logger.error("DynamicProfilerMonitor: '%s' is not valid: %s", self._file, error)
            return
        self._settings = found

    def _begin(self, step: int) -> None:
        self._look()
        start, stop = self._settings["start_step"], self._settings["stop_step"]
        if 0 < start < step and start not in (self._last[0], self._missed):
            logger.error("DynamicProfilerMonitor: 'start_step' %s is before the step that begins, %s", start, step)
            self._missed = start
        if start != step or start == self._last[0] or self._profile is not None:
            return
        if stop < start:
            logger.error("DynamicProfilerMonitor: 'stop_step' %s is before 'start_step' %s", stop, start)
            return
        path = self._settings.get("prof_path", "./")
        folder = os.path.join(self._output if path == "./" else path, f"rank{get_rank()}_start{start}_stop{stop}")
        self._last = start, stop
        self._profile = profile(on_trace_ready=tensorboard_trace_handler(folder))
        print(f"[Dynamic Profiler] Rank {get_rank()} records steps {start} to {stop} into {folder}")

    def _end(self, step: int) -> None:
        if self._profile is not None and step >= self._last[1]:
            self._finish()

    def _finish(self) -> None:
        recording, self._profile = self._profile, None
        if recording is not None:
            recording.stop()
            print(f"[Dynamic Profiler] Rank {get_rank()} has recorded steps {self._last[0]} to {self._last[1]}")

    def step_begin(self, run_context: Any) -> None:
        """Begin a recording, if the file says so."""
        self._begin(run_context.original_args().cur_step_num)

    def step_end(self, run_context: Any) -> None:
        """End the recording after its last step."""
        self._end(run_context.original_args().cur_step_num)

    def on_train_end(self, run_context: Any) -> None:
        """End a recording whose last step did not come."""
        self._finish()

    def step(self) -> None:
        """Count a step of a loop that the program writes itself: the one before it ends, and the next one begins."""
        self._end(self._steps)
        self._steps += 1
        self._begin(self._steps)
