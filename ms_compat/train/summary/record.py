"""`SummaryRecord`: values of a training, written as TensorBoard's event files."""

import atexit
import logging
import os
import platform
import re
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.diagnostics import summaries
from ms_compat._core.errors import check_bool, check_int, check_type, value_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.nn.cell import Cell
from ms_compat.train.summary.events import FIELDS, EventFile

_log = logging.getLogger("ms_compat")
_NAME = re.compile(r"\w+[0-9a-zA-Z_.]*", re.ASCII)
# What only MindInsight shows; its values consist of messages that are not here.
_MINDINSIGHT = ("graph", "train_lineage", "eval_lineage", "dataset_graph", "custom_lineage_data", "LANDSCAPE")


def folder_of(api: str, log_dir: Any) -> str:
    """Checks and makes a folder for summaries; `TypeError` for another type, `ValueError` for an empty name."""
    if not check_type(api, "log_dir", log_dir, str).strip():
        raise value_error(api, "log_dir", "a folder's name", log_dir)
    os.makedirs(log_dir, exist_ok=True)
    return os.path.realpath(log_dir)


def check_export(api: str, export_options: Any) -> bool:
    """Whether tensors are to be written as `.npy` files too."""
    check_type(api, "export_options", export_options, (dict, type(None)))
    for key, value in (export_options or {}).items():
        if key != "tensor_format" or value not in ("npy", None):
            raise value_error(api, "export_options", "{'tensor_format': 'npy'} or None", export_options)
    return bool(export_options) and export_options["tensor_format"] == "npy"


@faces("train")
class SummaryRecord:
    """Writes scalars, images, tensors and histograms that TensorBoard shows (`tensorboard --logdir log_dir`).

    MindSpore writes files for MindInsight instead; graphs, lineages and its message of a loss landscape, which only
    that shows, are refused (`SummaryLandscape` writes tensors and images). Values come from `add_value` and, in the
    mode "train", from `ops.ScalarSummary` and similar primitives. One record may be open at a time. Nothing is computed
    in other processes.

    Args:
        log_dir: the folder; it is made if need be.
        file_prefix: how the file's name begins.
        file_suffix: how it ends.
        num_process: accepted; this process writes.
        network: accepted; graphs are not written.
        max_file_size: the most bytes of the file; None for no limit.
        raise_exception: whether a failure to write is raised; otherwise it is logged.
        export_options: {"tensor_format": "npy"} writes tensors as `.npy` files too.

    Raises:
        TypeError: for an argument of another type.
        ValueError: for an invalid name or another option.
        RuntimeError: if another record is open.

    >>> import tempfile
    >>> from ms_compat import Tensor
    >>> with tempfile.TemporaryDirectory() as folder, SummaryRecord(folder) as record:
    ...     record.add_value("scalar", "loss", Tensor(0.5))
    ...     record.record(1)
    True
    """

    count = 0

    def __init__(
        self,
        log_dir: str,
        file_prefix: str = "events",
        file_suffix: str = "_MS",
        num_process: int = 32,
        network: Any = None,
        max_file_size: int | None = None,
        raise_exception: bool = False,
        export_options: dict[str, Any] | None = None,
    ) -> None:
        api = "SummaryRecord"
        if SummaryRecord.count > 0:
            raise RuntimeError(f"For '{api}', one record may be open at a time, but {SummaryRecord.count} is.")
        for name, value in (("file_prefix", file_prefix), ("file_suffix", file_suffix)):
            if not _NAME.fullmatch(check_type(api, name, value, str)):
                raise value_error(api, name, "letters, digits, '_' and '.'", value)
        check_type(api, "max_file_size", max_file_size, (int, type(None)))
        limit = max_file_size if max_file_size is None or max_file_size >= 0 else None
        self._raises = check_bool(api, "raise_exception", raise_exception)
        self._exports = check_export(api, export_options)
        check_int(api, "num_process", num_process)
        if network is not None:
            _log.debug("SummaryRecord: graphs are not written; 'jax.jit(f).lower(...)' shows one")
        self._folder = folder_of(api, log_dir)
        started = int(time.time())
        name = f"{file_prefix}.out.tfevents.{started}.{os.getpid()}.{platform.node()}{file_suffix}"
        self._npy = os.path.join(self._folder, f"export_{started}", "tensor")
        self._file = EventFile(os.path.join(self._folder, name), limit)
        self._mode, self._closed = "train", False
        self._values: dict[tuple[str, str], np.ndarray] = {}
        self._bubbled = summaries.collect()
        SummaryRecord.count += 1
        atexit.register(self.close)

    def __enter__(self) -> "SummaryRecord":
        if self._closed:
            raise ValueError("For 'SummaryRecord', the record is closed: make a new one.")
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    @property
    def log_dir(self) -> str:
        """The path of the file."""
        return self._file.path

    def set_mode(self, mode: str) -> None:
        """Sets whether values of summary operations are recorded.

        Args:
            mode: "train" records them, "eval" does not.

        Raises:
            ValueError: if it is neither.
        """
        check_choice("SummaryRecord.set_mode", "mode", mode, ("train", "eval"))
        self._mode = mode

    def add_value(self, plugin: str, name: str, value: Any) -> None:
        """Keeps a value for the next `record`.

        Args:
            plugin: "scalar", "tensor", "histogram" or "image" (N, C, H, W) of one or three channels.
            name: its name; a value of the same name is replaced.
            value: a Tensor.

        Raises:
            TypeError: if the value is not a Tensor.
            ValueError: if there is no such plugin, the name is empty or the value is not an image.
            UnsupportedError: for what only MindInsight shows.
        """
        api = "SummaryRecord.add_value"
        if plugin in _MINDINSIGHT:
            from ms_compat._core.errors import unsupported_argument

            unsupported_argument(api, "plugin", plugin, "TensorBoard shows scalars, images, tensors and histograms.")
        check_choice(api, "plugin", plugin, FIELDS)
        if not name or not isinstance(name, str):
            raise value_error(api, "name", "a str that is not empty", name)
        check_type(api, "value", value, Tensor)
        self._add(plugin, name, value.asnumpy())

    def _add(self, plugin: str, name: str, array: np.ndarray) -> None:
        if plugin == "image" and (array.ndim != 4 or array.shape[1] not in (1, 3) or not array.size):
            raise ValueError(f"For 'SummaryRecord', an image must have shape (N, 1 or 3, H, W), but got {array.shape}.")
        if plugin == "scalar" and not array.size:
            raise ValueError("For 'SummaryRecord', a scalar must hold a number, but it is empty.")
        self._values[plugin, name] = np.array(array)

    def record(self, step: int, train_network: Any = None, plugin_filter: Callable[[str], bool] | None = None) -> bool:
        """Writes the values kept since the last time.

        Args:
            step: the step they belong to.
            train_network: accepted; graphs are not written.
            plugin_filter: a function of a plugin's name; values for which it is false are dropped.

        Returns:
            Whether the record is open.

        Raises:
            TypeError: for an argument of another type.
        """
        check_int("SummaryRecord.record", "step", step)
        check_type("SummaryRecord.record", "train_network", train_network, (Cell, type(None)))
        if self._closed:
            _log.error("SummaryRecord: the record is closed, step %d is not written", step)
            return False
        if self._mode == "train":
            self._take_bubbled()
        kept, self._values = self._values, {}
        chosen = plugin_filter or (lambda plugin: True)
        values = [(plugin, name, array) for (plugin, name), array in kept.items() if chosen(plugin)]
        if values:
            try:
                self._file.write(time.time(), step, values)
                if self._exports:
                    self._export(step, values)
            except (OSError, RuntimeError) as error:
                if self._raises:
                    raise
                _log.error("SummaryRecord: step %d is not written: %s", step, error)
        return True

    def _take_bubbled(self) -> None:
        import jax

        jax.effects_barrier()  # values of compiled functions arrive late
        bubbled = dict(self._bubbled)
        self._bubbled.clear()
        for (plugin, name), array in bubbled.items():
            try:
                self._add(plugin, name, array)
            except ValueError as error:
                _log.error("%s", error)

    def _export(self, step: int, values: list[tuple[str, str, np.ndarray]]) -> None:
        for plugin, name, array in values:
            if plugin == "tensor":
                os.makedirs(self._npy, exist_ok=True)
                np.save(os.path.join(self._npy, f"{re.sub(r'[^0-9A-Za-z_.-]', '_', name)}_{step}.npy"), array)

    def flush(self) -> None:
        """Hands what was written to the disk."""
        if self._closed:
            _log.error("SummaryRecord: the record is closed")
        else:
            self._file.flush()

    def close(self) -> None:
        """Closes the file; a second time does nothing."""
        if not self._closed:
            self._closed = True
            summaries.stop(self._bubbled)
            SummaryRecord.count -= 1
            self._file.close()
            atexit.unregister(self.close)
