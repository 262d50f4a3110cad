"""`SummaryCollector`: loss, parameters and input images of a training, for TensorBoard."""

from __future__ import annotations

import logging
import re
from typing import Any

import numpy as np

from ms_compat._core.errors import check_bool, check_positive_int, check_type, value_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.train.callback._callback import Callback
from ms_compat.train.callback._landscape import WeightKeeper
from ms_compat.train.summary.record import SummaryRecord, check_export, folder_of

_log = logging.getLogger("ms_compat")
_TENSOR_STEPS, _PARAMETERS = 20, 5
# What may be chosen; the four before the last are for MindInsight and are not collected.
_CHOICES: dict[str, Any] = {
    "collect_metric": True,
    "collect_input_data": True,
    "histogram_regular": None,
    "collect_graph": True,
    "collect_train_lineage": True,
    "collect_eval_lineage": True,
    "collect_dataset_graph": True,
    "collect_landscape": None,
}


@faces("train train.callback")
class SummaryCollector(Callback):
    """Records the loss ("loss/auto"), parameters ("<name>/auto"), input images and summary operations of `Model.train`.

    It writes the files of `SummaryRecord`, which TensorBoard shows. Graphs and lineages, which MindSpore's collects for
    MindInsight, are not collected.

    Args:
        summary_dir: the folder; it is made if need be.
        collect_freq: steps between two records; the first step is always recorded.
        num_process: accepted; this process writes.
        collect_specified_data: {"collect_metric": bool, "collect_input_data": bool, "histogram_regular": a regular
            expression of the parameters' names, None for the first five, "collect_landscape": the settings of
            `SummaryLandscape`, whose "intervals" name the steps or epochs whose weights are kept}; the other keys of
            MindSpore are accepted.
        keep_default_action: whether what is not named there is collected too.
        custom_lineage_data: accepted.
        collect_tensor_freq: steps between two records of `ops.TensorSummary`; None records 20 at most.
        max_file_size: the most bytes of the file; None for no limit.
        export_options: {"tensor_format": "npy"} writes tensors as `.npy` files too.

    Raises:
        TypeError: for an argument of another type.
        ValueError: for a number that is not positive or an unknown key.
    """

    def __init__(
        self,
        summary_dir: str,
        collect_freq: int = 10,
        num_process: int = 32,
        collect_specified_data: dict[str, Any] | None = None,
        keep_default_action: bool = True,
        custom_lineage_data: dict[str, Any] | None = None,
        collect_tensor_freq: int | None = None,
        max_file_size: int | None = None,
        export_options: dict[str, Any] | None = None,
    ):
        super().__init__()
        api = "SummaryCollector"
        self._folder = folder_of(api, summary_dir)
        for name, value, none in (
            ("collect_freq", collect_freq, False),
            ("collect_tensor_freq", collect_tensor_freq, True),
            ("max_file_size", max_file_size, True),
        ):
            if value is None and none:
                continue
            check_positive_int(api, name, value)
        check_export(api, export_options)
        check_type(api, "num_process", num_process, int)
        check_type(api, "custom_lineage_data", custom_lineage_data, (dict, type(None)))
        self._freq, self._tensor_freq = collect_freq, collect_tensor_freq
        self._chosen = _chosen(collect_specified_data, check_bool(api, "keep_default_action", keep_default_action))
        landscape = self._chosen.get("collect_landscape")
        self._weights = WeightKeeper(self._folder, landscape) if landscape else None
        self._settings: dict[str, Any] = {"max_file_size": max_file_size, "export_options": export_options}
        self._record: Any = None  # a SummaryRecord within `with`

    def __enter__(self):
        self._record = SummaryRecord(self._folder, **self._settings)
        self._first = True
        return self

    def __exit__(self, *err):
        self._record.close()

    def begin(self, run_context):
        """Check that there is one collector, and set the mode."""
        params = run_context.original_args()
        if sum(isinstance(callback, SummaryCollector) for callback in params.list_callback) > 1:
            raise ValueError("For 'SummaryCollector', the 'callbacks' must hold one SummaryCollector, but hold more.")
        self._record.set_mode(params.mode)

    def step_end(self, run_context):
        """Record a step, if it is due."""
        params = run_context.original_args()
        if params.mode != "train":
            return
        if self._weights is not None:
            self._weights.note("step", params.cur_step_num, params.train_network)
        step, first = params.cur_step_num, self._first
        if first:
            self._first = False
            every = self._tensor_freq or self._freq
            total = params.epoch_num * params.batch_num
            if self._tensor_freq is None and total // every >= _TENSOR_STEPS:
                every = max(total // (_TENSOR_STEPS - 1), 1)
            self._tensors_every = every
        due, tensors = step % self._freq == 0, step % self._tensors_every == 0
        if not (first or due or tensors):
            return
        if first or due:
            self._collect(params)
        passes = None if first or (due and tensors) else (lambda plugin: (plugin == "tensor") is tensors)
        self._record.record(step, plugin_filter=passes)
        if first:
            self._record.flush()

    def epoch_end(self, run_context):
        """Flush the buffered records to the disk."""
        self._record.flush()
        params = run_context.original_args()
        if self._weights is not None and params.mode == "train":
            self._weights.note("epoch", params.cur_epoch_num, params.train_network)

    def end(self, run_context):
        """Write which weights were kept for a landscape."""
        params = run_context.original_args()
        if self._weights is not None and params.mode == "train":
            self._weights.finish(params.batch_num)

    def _collect(self, params):
        if self._chosen.get("collect_input_data"):
            self._input(params.get("train_dataset_element"))
        if self._chosen.get("collect_metric"):
            outputs = params.net_outputs
            loss = outputs[0] if isinstance(outputs, (list, tuple)) and outputs else outputs
            if isinstance(loss, (int, float, Tensor)):
                mean = np.mean(loss.asnumpy() if isinstance(loss, Tensor) else loss)
                self._record.add_value("scalar", "loss/auto", Tensor(np.float32(mean)))
        if "histogram_regular" in self._chosen and params.get("optimizer") is not None:
            self._histograms(params.optimizer.parameters, self._chosen["histogram_regular"])

    def _input(self, element):
        batch = element[0] if isinstance(element, (list, tuple)) and element else element
        try:
            self._record.add_value("image", "input_data/auto", batch)
        except (TypeError, ValueError):
            _log.debug("SummaryCollector: the input is not an image, so it is not collected")
            self._chosen["collect_input_data"] = False

    def _histograms(self, parameters, pattern):
        for parameter in parameters[:_PARAMETERS] if pattern is None else parameters:
            if pattern is None or re.match(pattern, parameter.name):
                self._record.add_value("histogram", f"{parameter.name}/auto", parameter)


def _chosen(data, keep):
    """What to collect, checked."""
    api = "SummaryCollector"
    check_type(api, "collect_specified_data", data, (dict, type(None)))
    for key, value in (data or {}).items():
        if key not in _CHOICES:
            raise value_error(api, "collect_specified_data", f"a dict with keys of {list(_CHOICES)}", data)
        if key == "histogram_regular":
            check_type(api, key, value, (str, type(None)))
            try:
                re.compile(value or "")
            except re.error as error:
                raise value_error(api, key, f"a regular expression ({error})", value) from error
        elif key == "collect_landscape":
            check_type(api, key, value, (dict, type(None)))
        else:
            check_bool(api, key, value)
    return {**(_CHOICES if keep else {}), **(data or {})}
