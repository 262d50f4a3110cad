"""A recording that a variable of the environment sets up, and the search for recordings."""

from __future__ import annotations

import json
import logging
import os
from typing import Any

from ms_compat._core.errors import check_type
from ms_compat.profiler import recording
from ms_compat.profiler.profiling import AicoreMetrics, ProfilerActivity, ProfilerLevel
from ms_compat.profiler.steps import _ExperimentalConfig, profile, tensorboard_trace_handler

logger = logging.getLogger("ms_compat")


class EnvProfiler:
    """A recording that MS_PROFILER_OPTIONS sets up, a JSON object: {"start": true, "output_path": "./data"}.

    Further options have the names of `profile`'s arguments; "activities", "profiler_level" and "aic_metrics" are names.

    >>> from ms_compat.profiler import EnvProfiler
    >>> EnvProfiler.init_profiler()  # the variable is not set
    >>> EnvProfiler().analyse()
    """

    NOT_SUPPORTED_PARAMS = ("schedule", "on_trace_ready")
    profiler: profile | None = None

    @classmethod
    def init_profiler(cls) -> None:
        """Start to record, if the variable says so."""
        text = os.environ.get("MS_PROFILER_OPTIONS")
        if not text:
            return
        try:
            options = json.loads(text)
        except json.JSONDecodeError as error:
            logger.error("EnvProfiler: MS_PROFILER_OPTIONS is not valid JSON: %s", error)
            return
        if not isinstance(options, dict) or not options.pop("start", False):
            return
        path = options.pop("output_path", None)
        kinds: dict[str, Any] = {
            "activities": ProfilerActivity, "profiler_level": ProfilerLevel, "aic_metrics": AicoreMetrics
        }  # fmt: skip
        counters: dict[str, Any] = {}
        own: dict[str, Any] = {}
        for name, value in options.items():
            if name in cls.NOT_SUPPORTED_PARAMS:
                logger.warning("EnvProfiler: %s must be given in the program", name)
                continue
            if name in kinds:
                value = _named(kinds[name], value)
            (own if name in profile.__init__.__annotations__ else counters)[name] = value
        config = _ExperimentalConfig(**counters)
        cls.profiler = profile(on_trace_ready=tensorboard_trace_handler(path), experimental_config=config, **own)

    def analyse(self) -> None:
        """Stop the recording; JAX's files need no analysis."""
        recording, EnvProfiler.profiler = EnvProfiler.profiler, None
        if recording is not None:
            recording.stop()


def _named(kind: Any, value: Any) -> Any:
    """Members of an enumeration by their values or names."""
    if isinstance(value, list):
        return [_named(kind, one) for one in value]
    for member in kind:
        if value in (member.value, member.name):
            return member
    raise ValueError(f"For 'EnvProfiler', {kind.__name__} has no {value!r}: it has {', '.join(m.name for m in kind)}.")


def analyse(
    profiler_path: str,
    max_process_number: int = 1,
    pretty: bool = False,
    step_list: list | None = None,
    data_simplification: bool = True,
) -> None:
    """Look for recordings in a folder; JAX writes them ready for TensorBoard, so that nothing is left to analyse.

    The log says where they are, or that there are none.

    Args:
        profiler_path (str): the folder.
        max_process_number, pretty, step_list, data_simplification: of MindSpore's analysis; without effect.

    Raises:
        TypeError: `profiler_path` is not a str.

    >>> from ms_compat.profiler.environment import analyse
    >>> analyse("./no_such_folder")
    """
    check_type("analyse", "profiler_path", profiler_path, (str, os.PathLike))
    logger.debug(
        "analyse: max_process_number=%s pretty=%s step_list=%s data_simplification=%s have no effect",
        max_process_number, pretty, step_list, data_simplification,
    )  # fmt: skip
    found = recording.folders_in(profiler_path)
    if found:
        logger.info("analyse: the recordings are in %s; TensorBoard shows them", ", ".join(found))
    else:
        logger.error("analyse: '%s' holds no recordings", profiler_path)
