"""The recorded cases of `mindspore.dataset`: values, dtypes, shapes and exception classes.

The names that the expressions see are made by `conformance/dataset_names.py`. Where ms_compat answers otherwise on
purpose, the case stands in `departures.DATASET` or `departures.AUDIO`, and `check` makes sure that it still departs.
"""

import ast
import re

import numpy as np
import pytest

import ms_compat as ms
import ms_compat.dataset.audio
import ms_compat.mindrecord
from ms_compat._core import faces
from tests.conformance import dataset_names, departures, owners, replay

TOPICS = (
    "source schema map batch order sampler shuffled classes joined setting files streams mindrecord mindwriter "
    "dataloader text jieba transforms vision vision_errors vision_exact vision_kinds archives pictures corpora boxes "
    "written video audio audio_errors"
).split()
ALIASES = {
    "ms": "",
    "ds": "dataset",
    "A": "dataset.audio",
    "T": "dataset.transforms",
    "V": "dataset.vision",
    "X": "dataset.text",
}
# The modules of methods of pipelines, and of the helpers in `dataset_names.py` that make one kind of thing.
METHODS = {
    "_nodes/batching": "batch",
    "_nodes/joining": "zip concat project rename",
    "_nodes/mapping": "map filter",
    "_nodes/ordering": "shuffle repeat take skip",
    "_nodes/padding": "padded_batch bucket_batch_by_length",
    "_nodes/saving": "save",
    "_nodes/split": "split",
    "_nodes/sync": "sync_wait sync_update disable_sync",
    "_nodes/transfer": "device_que",
    "_base/iterators": "create_tuple_iterator create_dict_iterator",
    "_base/serialization": "to_json",
    "_base/dataset": "get_batch_size get_class_indexing get_col_names get_dataset_size get_repeat_count reset "
    "num_classes output_shapes output_types set_init_step get_init_step",
    "_base/mappable": "add_sampler use_sampler",
}
HELPERS = {
    "_nodes/mapping": "failing_rows",
    "sources/generator": "G",
    "sources/arrays": "N",
    "sources/mindrecord": "packed",
    "text/subwords": "pieces",
    "text/jieba": "jieba",
    "vision/files": "written",
    "samplers": "sampled size child seeded",
    "../mindrecord/writer": "unpacked writer",
}
_METHODS = {name: f"dataset/{module}" for module, found in METHODS.items() for name in found.split()}
_HELPERS = {name: f"dataset/{module}" for module, found in HELPERS.items() for name in found.split()}


def owner(case: dict) -> str | None:
    """The module that a case tests: of the outermost public name or method, or else of the outermost helper."""
    for space, name in owners.names(case["expr"], ALIASES):
        if space.startswith("dataset.config"):
            return "dataset/config"
        if space == "Tensor":  # a method of some object
            if name in _METHODS:
                return _METHODS[name]
        elif face := faces.find(space).get(name):
            return face.module.removeprefix("ms_compat.").replace(".", "/")
    for node in ast.walk(ast.parse(case["expr"])):
        if isinstance(node, ast.Name) and node.id in _HELPERS:
            return _HELPERS[node.id].replace("dataset/../", "")
    return None


# -- comparison --------------------------------------------------------------------------------------------------------
# MindSpore keeps the settings of a filter (and so its coefficients) in float32, whatever the waveform is.
_AUDIO = {"float64": 5e-6, "float32": 1e-5, "float16": 5e-3}
# {start of an expression: (factor on the tolerance, reason)}
_WIDER_AUDIO: dict[str, tuple[float, str]] = {
    "A.RiaaBiquad(96000)": (4, "poles next to 1 amplify the float32 coefficients"),
    "A.TimeStretch(None, 9, 0.7)": (4, "phases are summed in float32 there"),
}


def _off(wanted: dict, got: dict, scale: float) -> list[str]:
    """Where two outcomes differ; floats may differ by their tolerance times the array's largest value.

    A filter or a Fourier transform spreads its rounding over all values.
    """
    if "items" in wanted and "items" in got and len(wanted["items"]) == len(got["items"]):
        pairs = zip(wanted["items"], got["items"], strict=True)
        return [line for one, other in pairs for line in _off(one, other, scale)]
    if wanted.get("dtype") in _AUDIO and "value" in wanted:
        head = [f"{key}: {wanted[key]} != {got.get(key)}" for key in ("dtype", "shape") if wanted[key] != got.get(key)]
        if head:
            return head
        a, b = (np.array(outcome["value"], np.float64) for outcome in (wanted, got))
        size = max(float(np.abs(a[np.isfinite(a)]).max(initial=0.0)), 1e-30)
        worst = float(np.nanmax(np.abs(a - b), initial=0.0))
        if worst <= scale * _AUDIO[wanted["dtype"]] * size and (np.isnan(a) == np.isnan(b)).all():
            return []
        return [f"off by {worst:.3g} at size {size:.3g}: {a.ravel()[:6]} {b.ravel()[:6]}"]
    return [] if wanted == got else [f"{str(wanted)[:200]} != {str(got)[:200]}"]


def check(case: dict) -> None:
    """Fail where ms_compat answers otherwise than recorded, and where a stated departure is none."""
    expression, outcome = case["expr"], dataset_names.evaluate(case, ms)
    if re.search(r"\bA\.", expression) and "result" in case and "result" in outcome:
        scale = next((factor for start, (factor, _) in _WIDER_AUDIO.items() if expression.startswith(start)), 1.0)
        departures.judge(expression, _off(case["result"], outcome["result"], scale), departures.AUDIO)
    else:
        departures.judge(expression, replay.differences(case, outcome), departures.DATASET)


def _params() -> list:
    return [
        pytest.param(case, id=f"{topic}: {replay.case_id(case)}")
        for topic in TOPICS
        for case in replay.load(f"dataset_{topic}.json")
    ]


_CASES = owners.Cases("recorded.cases(", _params, owner)
cases = _CASES.of
rest = _CASES.rest
by_file = _CASES.by_file
