"""Records what the devices do with `jax.profiler`, for TensorBoard and Perfetto.

MindSpore's settings choose Ascend counters; XLA's profiler has its own, so this module accepts and logs the settings.
"""

from __future__ import annotations

import enum
import json
import logging
from typing import Any

from ms_compat._core.errors import check_bool, check_type, type_error
from ms_compat._core.settings import device
from ms_compat.profiler import recording
from ms_compat.profiler.operations import Operations

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
            once; `sync_enable` (bool), whether each operation is waited for while its time is measured, True by
            default; MindSpore's further settings are accepted and have no effect.

    Raises:
        TypeError: an argument of a wrong type.
        RuntimeError: started twice, or stopped before.

    >>> import ms_compat as ms
    >>> profiler = ms.Profiler(start_profile=False, output_path="profile")
    >>> type(profiler).__name__
    'Profiler'
    """

    def __init__(self, **kwargs: Any) -> None:
        self._path = check_type("Profiler", "output_path", kwargs.pop("output_path", "./data"), str)
        start = check_bool("Profiler", "start_profile", kwargs.pop("start_profile", True))
        self._operations = Operations(check_bool("Profiler", "sync_enable", kwargs.pop("sync_enable", True)))
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
        self._operations.start()
        self._running = True

    def stop(self) -> None:
        """Stops recording and writes the files."""
        if not self._running:
            raise RuntimeError("For 'Profiler.stop', the profiler has not started. Call 'start' first.")
        self._running = False
        self._operations.stop()
        recording.stop()

    def analyse(self, **kwargs: Any) -> None:
        """Stops recording, if it has not stopped; the files need no analysis."""
        if kwargs:
            logger.debug("Profiler.analyse: %s have no effect", sorted(kwargs))
        if self._running:
            self.stop()

    def op_analyse(self, op_name: str | list[str], device_id: int | None = None) -> str | None:
        """Tells how often primitives were called while this profiler recorded, and how long they took.

        Calls in `PYNATIVE_MODE` are counted, of the thread that started the profiler. Compiled functions and backward
        passes are not: XLA fuses their operations. A time includes the compilation that a first call needs.

        Args:
            op_name: a primitive's name, or several, such as "ReLU" or "Conv2D". A layer that MindSpore computes with
                two, such as Conv2D and BiasAdd, is one operation here and has the first one's name.
            device_id: the only device, 0.

        Returns:
            JSON text. It has a list for each name, with a dict for each combination of input shapes: "op_side"
            ("cpu" or "gpu"), "input_shape", "op_occurrences", "op_total_time(us)" and "op_avg_time(us)". As in
            MindSpore, None after a logged error if there is nothing about a name or a device.

        Raises:
            TypeError: an argument of a wrong type, or no name.

        >>> import tempfile, json
        >>> from ms_compat import Profiler, Tensor, ops
        >>> with Profiler(output_path=tempfile.mkdtemp()) as profiler:
        ...     for _ in range(3):
        ...         x = ops.relu(Tensor([1.0, -2.0]))
        >>> [entry] = json.loads(profiler.op_analyse("ReLU"))["ReLU"]
        >>> entry["input_shape"], entry["op_occurrences"], entry["op_total_time(us)"] > 0
        ('input_1:[2];', 3, True)
        """
        api = "Profiler.op_analyse"
        check_type(api, "op_name", op_name, (str, list))
        check_type(api, "device_id", device_id, (int, type(None)))
        if not op_name:
            raise type_error(api, "op_name", "a name or a list of names", op_name)
        if device_id:
            logger.error("%s: only device 0 was recorded, not device %s", api, device_id)
            return None
        names = [op_name] if isinstance(op_name, str) else op_name
        side = "cpu" if device.current().platform == "cpu" else "gpu"
        found: dict[str, Any] = {name: self._operations.entries(name, side) for name in names}
        if missing := [name for name, entries in found.items() if not entries]:
            logger.error(
                "%s: nothing was recorded about %s, only about %s. Calls in compiled functions are not: record in "
                "PYNATIVE_MODE.", api, missing, self._operations.names(),
            )  # fmt: skip
            return None
        return json.dumps({**found, "device_id": "0" if device_id is None else device_id})

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
