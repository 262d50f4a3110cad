"""Records what the devices do with `jax.profiler`, for TensorBoard and Perfetto.

MindSpore's settings choose Ascend counters; XLA's profiler has its own, so this module accepts and logs the settings.
"""

from __future__ import annotations

import enum
import logging
from typing import Any

from ms_compat._core.errors import check_bool, check_type
from ms_compat.profiler import recording

logger = logging.getLogger("ms_compat")


class ProfilerLevel(enum.Enum):
    """How much is recorded; MindSpore's names."""

    LevelNone = "LevelNone"
    Level0 = "Level0"
    Level1 = "Level1"
    Level2 = "Level2"


class HostSystem(enum.Enum):
    """What of the host is recorded."""

    CPU = "cpu"
    MEM = "mem"
    DISK = "disk"
    NETWORK = "network"
    OSRT = "osrt"


class ProfilerActivity(enum.Enum):
    """What is recorded."""

    CPU = "CPU"
    NPU = "NPU"
    GPU = "GPU"


class ExportType(enum.Enum):
    """How records are kept."""

    Db = "db"
    Text = "text"


class AicoreMetrics(enum.Enum):
    """What Ascend's cores count."""

    AiCoreNone = "AiCoreNone"
    ArithmeticUtilization = "ArithmeticUtilization"
    PipeUtilization = "PipeUtilization"
    Memory = "Memory"
    MemoryL0 = "MemoryL0"
    ResourceConflictRatio = "ResourceConflictRatio"
    MemoryUB = "MemoryUB"
    L2Cache = "L2Cache"
    MemoryAccess = "MemoryAccess"


class Profiler:
    """Records from `start` (or its making) to `stop` or `analyse`.

    Args:
        **kwargs: `output_path` (str), the folder, "./data" by default; `start_profile` (bool), whether to start at
            once; MindSpore's further settings are accepted and have no effect.

    Raises:
        RuntimeError: started twice, or stopped before.
    """

    def __init__(self, **kwargs: Any) -> None:
        self._path = check_type("Profiler", "output_path", kwargs.pop("output_path", "./data"), str)
        start = check_bool("Profiler", "start_profile", kwargs.pop("start_profile", True))
        self._running = False
        if kwargs:
            logger.debug("Profiler: %s have no effect", sorted(kwargs))
        if start:
            self.start()

    def start(self) -> None:
        """Starts to record."""
        if self._running:
            raise RuntimeError("For 'Profiler.start', the profiler has already started. Do not turn it on again.")
        recording.start(self._path)
        self._running = True

    def stop(self) -> None:
        """Stops recording and writes the files."""
        if not self._running:
            raise RuntimeError("For 'Profiler.stop', the profiler has not started. Call 'start' first.")
        self._running = False
        recording.stop()

    def analyse(self, **kwargs: Any) -> None:
        """Stops recording, if it has not stopped; the files need no analysis."""
        if kwargs:
            logger.debug("Profiler.analyse: %s have no effect", sorted(kwargs))
        if self._running:
            self.stop()

    @classmethod
    def offline_analyse(
        cls, path: str, pretty: bool = False, step_list: list[int] | None = None, data_simplification: bool = True
    ) -> None:
        """Looks for recordings in a folder; JAX writes them whole, so that nothing is left to analyse.

        Args:
            path (str): the folder. If it holds no recording, an error is logged.
            pretty, step_list, data_simplification: as in MindSpore, and without an effect.

        Raises:
            TypeError: the path is not a str.
        """
        check_type("Profiler.offline_analyse", "path", path, str)
        if not recording.folders_in(path):
            logger.error("Profiler.offline_analyse: there is no recording in '%s'", path)
        elif pretty or step_list is not None or not data_simplification:
            logger.debug("Profiler.offline_analyse: the options have no effect")

    def step(self) -> None:
        """Marks the end of a step; a recording holds all of them."""

    def add_metadata(self, key: str, value: str) -> None:
        """Notes a remark about the recording in the log."""
        logger.debug("Profiler metadata: %s=%s", key, value)

    add_metadata_json = add_metadata

    def __enter__(self) -> Profiler:
        if not self._running:
            self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.analyse()
