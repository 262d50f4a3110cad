"""Loss landscapes: the loss on a plane through the weights of a training, after Li et al., arXiv:1712.09913.

`SummaryCollector` keeps the weights at some steps. The plane of a training is spanned by the two principal components
of their differences from the last weights; the plane of its result, by two random directions. Both are scaled to the
norm of each Parameter.
"""

from __future__ import annotations

import json
import logging
import math
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.errors import check_bool, check_int, check_type, value_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.train.metrics import get_metrics
from ms_compat.train.serialization import load_checkpoint, save_checkpoint
from ms_compat.train.summary.record import SummaryRecord

logger = logging.getLogger("ms_compat")

_FILE = "train_metadata.json"
_MARGIN = 0.2  # of the trajectory's extent, on each side
DEFAULTS = {
    "landscape_size": 40, "unit": "step", "num_samples": 2048, "create_landscape": {"train": True, "result": True},
}  # fmt: skip
_KEYS = (*DEFAULTS, "intervals")


def check_settings(api: str, given: dict[str, Any]) -> dict[str, Any]:
    """Settings of a landscape, checked.

    Raises:
        TypeError: a value of another type.
        ValueError: an unknown key, or a value out of range.
    """
    # One test for each kind of wrong setting, with its own message.
    for key, value in given.items():
        check_choice(api, "key of collect_landscape", key, _KEYS)
        if key == "landscape_size" and not 3 <= check_int(api, key, value) <= 256:
            raise value_error(api, key, "between 3 and 256", value)
        if key == "num_samples":
            check_int(api, key, value)
        if key == "unit":
            check_choice(api, key, check_type(api, key, value, str), ("step", "epoch"))
        if key == "create_landscape":
            check_type(api, key, value, dict)
            if value.keys() != {"train", "result"}:
                raise value_error(api, key, "a dict with the keys 'train' and 'result'", value)
            for name, flag in value.items():
                check_bool(api, name, flag)
        if key == "intervals":
            for interval in check_type(api, key, value, list):
                if len(check_type(api, "each of intervals", interval, list)) < 3:
                    raise value_error(api, key, "lists of at least three numbers", value)
                for number in interval:
                    check_int(api, "number in intervals", number)
    return given


class WeightKeeper:
    """Keeps the weights of a training for a landscape: checkpoints, and a file that names them.

    Args:
        folder: the folder of the summary.
        given: the settings; "intervals" must be among them.
    """

    def __init__(self, folder: str, given: dict[str, Any]) -> None:
        check_settings("SummaryCollector", given)
        if "intervals" not in given:
            raise value_error("SummaryCollector", "collect_landscape", "a dict with the key 'intervals'", given)
        self._settings = {**DEFAULTS, **given}
        self._folder = os.path.join(folder, "ckpt_dir")
        self._files: dict[str, str] = {}
        os.makedirs(self._folder, exist_ok=True)

    def note(self, unit: str, number: int, network: Any) -> None:
        """Keep the weights after a step or an epoch, if an interval has it."""
        if unit != self._settings["unit"] or not any(number in one for one in self._settings["intervals"]):
            return
        while "network" in network.name_cells():  # what trains it, with an optimizer's states
            network = network.network
        path = os.path.join(self._folder, f"{type(network).__name__}_{number}.ckpt")
        save_checkpoint(network, path)
        self._files[str(number)] = path

    def finish(self, steps: int) -> None:
        """Write the file; `steps` make an epoch."""
        settings = dict(self._settings)
        groups = {str(i): interval for i, interval in enumerate(settings.pop("intervals"))}
        found = {"epoch_group": groups, "model_params_file_map": self._files, "step_per_epoch": steps, **settings}
        Path(self._folder, _FILE).write_text(json.dumps(found), "utf-8")


class Plane(NamedTuple):
    """A plane of weights: the point in its middle, and two directions, each by Parameter."""

    final: dict[str, np.ndarray]
    v: dict[str, np.ndarray]
    w: dict[str, np.ndarray]

    def at(self, alpha: float, beta: float) -> dict[str, np.ndarray]:
        """The weights at a point."""
        return {
            name: (value + alpha * self.v[name] + beta * self.w[name]).astype(value.dtype) if name in self.v else value
            for name, value in self.final.items()
        }


class Landscape(NamedTuple):
    """Losses on a plane.

    Attributes:
        x, y: the coordinates of the columns and the rows.
        z: the loss at each.
        path: None, or the trajectory's coordinates and losses, in three rows.
        center: the coordinates and the loss of the last weights.
    """

    x: np.ndarray
    y: np.ndarray
    z: np.ndarray
    path: np.ndarray | None
    center: np.ndarray

    def picture(self, scale: int = 8) -> np.ndarray:
        """The losses in colours, from blue to yellow on a logarithmic scale, and the trajectory in red.

        Returns:
            An array of shape (1, 3, height, width) with values from 0 to 1.
        """
        low, high = np.nanmin(self.z), np.nanmax(self.z)
        height = np.log1p((self.z - low) / (high - low or 1.0) * 99) / math.log(100)
        red, green, blue = height, height, 0.6 * (1 - height)
        picture = np.nan_to_num(np.stack([red, green, blue]))[:, ::-1].repeat(scale, 1).repeat(scale, 2)
        points = self.center[:2, None] if self.path is None else self.path[:2]
        last = np.array([len(self.x), len(self.y)]) - 1
        first = np.array([self.x[0], self.y[0]])
        extent = np.array([self.x[-1], self.y[-1]]) - first
        edge = scale // 4
        for column, row in np.rint((points.T - first) / np.where(extent, extent, 1) * last).astype(int):
            top, left = (last[1] - row) * scale, column * scale
            mark = picture[:, top + edge : top + scale - edge, left + edge : left + scale - edge]
            mark[:] = np.array([1.0, 0.0, 0.0])[:, None, None]
        return picture[None].astype(np.float32)


def _moves(name: str) -> bool:
    """Whether a landscape moves a Parameter of this name, as MindSpore's does; optimizers' states stay."""
    return ("weight" in name or "bias" in name) and "moment" not in name


def _flat(weights: dict[str, np.ndarray], names: list[str]) -> np.ndarray:
    return np.concatenate([weights[name].ravel() for name in names])


def _scaled(direction: np.ndarray, final: dict[str, np.ndarray], names: list[str]) -> dict[str, np.ndarray]:
    """A direction by Parameter, each part with the norm of the Parameter."""
    parts, start = {}, 0
    for name in names:
        value = final[name]
        part = direction[start : start + value.size].reshape(value.shape).astype(np.float32)
        start += value.size
        norm = np.linalg.norm(part)
        parts[name] = part * (np.linalg.norm(value) / norm) if norm else part
    return parts


def _principal_plane(weights: list[dict[str, np.ndarray]]) -> tuple[Plane, np.ndarray]:
    """The plane of a trajectory, and the coordinates of its points."""
    final = weights[-1]
    names = [name for name in final if _moves(name)]
    points = np.stack([_flat(one, names) for one in weights]).astype(np.float64)
    differences = (points[:-1] - points[-1]).T
    u, s, _ = np.linalg.svd(differences - differences.mean(0), full_matrices=False)
    u = u[:, :2] * np.sign(u[np.abs(u[:, :2]).argmax(0), [0, 1]])  # signs that do not depend on the method
    v, w = (_scaled(component, final, names) for component in (u * s[:2]).T)
    directions = np.stack([_flat(v, names), _flat(w, names)]).T
    coordinates = np.linalg.lstsq(directions, (points - points[-1]).T, rcond=None)[0]
    return Plane(final, v, w), coordinates


def _random_plane(final: dict[str, np.ndarray]) -> Plane:
    names = [name for name in final if _moves(name)]
    size = sum(final[name].size for name in names)
    v, w = (_scaled(np.random.normal(size=size), final, names) for _ in range(2))
    return Plane(final, v, w)


class _Losses:
    """The loss of a network at weights, over the first samples of a dataset."""

    def __init__(self, callback_fn: Callable, samples: int) -> None:
        model, self._network, dataset, metrics = callback_fn()
        batches = samples // dataset.get_batch_size()
        self._batches = [list(batch) for batch in dataset.take(batches).create_tuple_iterator(num_epochs=1)]
        self._train = model.train_network
        self._train.set_train(True)
        self._metrics = get_metrics(metrics)
        if "Loss" not in self._metrics:
            raise value_error("SummaryLandscape", "metrics", "a dict with the key 'Loss'", sorted(self._metrics))

    def at(self, weights: dict[str, np.ndarray]) -> float:
        for name, parameter in self._network.parameters_and_names():
            if name in weights:
                parameter.set_data(Tensor(weights[name]))
        for metric in self._metrics.values():
            metric.clear()
        for batch in self._batches:
            outputs = self._train(*batch)
            for metric in self._metrics.values():
                metric.update(outputs[0] if isinstance(outputs, tuple) else outputs)
        return float(self._metrics["Loss"].eval())


def _axis(values: np.ndarray, size: int) -> np.ndarray:
    margin = _MARGIN * (values.max() - values.min())
    return np.linspace(values.min() - margin, values.max() + margin, size)


@faces("train")
class SummaryLandscape:
    """Computes the loss around the weights that `SummaryCollector` kept, into a summary that TensorBoard shows.

    The collector keeps them with `collect_specified_data={"collect_landscape": {"intervals": [[1, 2, 3]], ...}}`.
    MindSpore writes a message for MindInsight. Here each landscape is the tensors "landscape_[1, 3]/x", "/y", "/z",
    "/path" (coordinates and losses) and "/center", and an image of the same name.

    Args:
        summary_dir (str): the folder of the collector's summary.

    Raises:
        TypeError: `summary_dir` is not a str.

    >>> import tempfile
    >>> from ms_compat.train import SummaryLandscape
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     SummaryLandscape(folder).gen_landscapes_with_multi_process(lambda: None, device_ids=[0])
    Traceback (most recent call last):
    FileNotFoundError: For 'SummaryLandscape', there is no 'train_metadata.json': collect with SummaryCollector first.
    """

    def __init__(self, summary_dir: str) -> None:
        self._folder = os.path.realpath(check_type("SummaryLandscape", "summary_dir", summary_dir, str))
        self._kept = os.path.join(self._folder, "ckpt_dir")
        os.makedirs(self._kept, exist_ok=True)

    def clean_ckpt(self) -> None:
        """Remove the weights that were kept."""
        shutil.rmtree(self._kept, ignore_errors=True)

    def gen_landscapes_with_multi_process(
        self,
        callback_fn: Callable,
        collect_landscape: dict[str, Any] | None = None,
        device_ids: list[int] | None = None,
        output: str | None = None,
    ) -> None:
        """Compute the landscapes and write them. This process computes them all.

        Args:
            callback_fn (Callable): without arguments; returns the Model, its network, the dataset, and the metrics,
                with "Loss" among them.
            collect_landscape (dict): settings in place of the collector's: "landscape_size" (3 to 256),
                "create_landscape" ({"train": bool, "result": bool}), "num_samples", "unit" and "intervals".
            device_ids (list[int]): numbers from 0 to 7. MindSpore divides the work between these devices.
            output (str): the folder of the summary, by default the collector's.

        Raises:
            TypeError: an argument of another type.
            ValueError: a setting that is not valid, or weights of an interval that were not kept.
            FileNotFoundError: nothing was collected.
        """
        api = "SummaryLandscape"
        for number in check_type(api, "device_ids", device_ids if device_ids is not None else [0], list):
            if not 0 <= check_int(api, "device_ids", number) <= 7:
                raise value_error(api, "device_ids", "a list of numbers from 0 to 7", device_ids)
        given = check_settings(api, check_type(api, "collect_landscape", collect_landscape or {}, dict))
        path = Path(self._kept, _FILE)
        if not path.exists():
            raise FileNotFoundError(f"For '{api}', there is no '{_FILE}': collect with SummaryCollector first.")
        settings = json.loads(path.read_text("utf-8"))
        settings.update(given)
        if "intervals" in settings:
            settings["epoch_group"] = {str(i): one for i, one in enumerate(settings.pop("intervals"))}
            path.write_text(json.dumps(settings), "utf-8")
        missing = [n for one in settings["epoch_group"].values() for n in one
                   if str(n) not in settings["model_params_file_map"]]  # fmt: skip
        if missing:
            raise value_error(api, "intervals", "numbers whose weights were kept", missing)
        with SummaryRecord(os.path.realpath(output) if output is not None else self._folder) as record:
            for step, (numbers, found) in enumerate(self._landscapes(callback_fn, settings)):
                self._write(record, f"landscape_{numbers}", found, step)

    def _weights(self, settings: dict[str, Any], number: int) -> dict[str, np.ndarray]:
        loaded = load_checkpoint(settings["model_params_file_map"][str(number)])
        return {name: parameter.asnumpy() for name, parameter in loaded.items()}

    def _landscapes(self, callback_fn: Callable, settings: dict[str, Any]) -> Iterator[tuple[list[int], Landscape]]:
        """The landscapes, each with the numbers of its first and last weights."""
        losses = _Losses(callback_fn, settings["num_samples"])
        size, groups = settings["landscape_size"], list(settings["epoch_group"].values())
        for numbers in groups if settings["create_landscape"]["train"] else []:
            plane, points = _principal_plane([self._weights(settings, number) for number in numbers])
            path = np.array([losses.at(plane.at(*point)) for point in points.T])
            yield (
                [numbers[0], numbers[-1]],
                _computed(plane, losses, _axis(points[0], size), _axis(points[1], size), np.stack([*points, path])),
            )
        if settings["create_landscape"]["result"]:
            last = groups[-1][-1]
            axis = np.linspace(-5 * _MARGIN, 5 * _MARGIN, size)
            yield [last], _computed(_random_plane(self._weights(settings, last)), losses, axis, axis, None)

    def _write(self, record: SummaryRecord, name: str, found: Landscape, step: int) -> None:
        for part, values in found._asdict().items():
            if values is not None:
                record.add_value("tensor", f"{name}/{part}", Tensor(np.asarray(values, np.float64)))
        record.add_value("image", name, Tensor(found.picture()))
        record.record(step)
        record.flush()


def _computed(plane: Plane, losses: _Losses, x: np.ndarray, y: np.ndarray, path: np.ndarray | None) -> Landscape:
    z = np.empty((len(y), len(x)))
    for row, beta in enumerate(y):
        z[row] = [losses.at(plane.at(alpha, beta)) for alpha in x]
        logger.info("SummaryLandscape: %s of %s rows are computed", row + 1, len(y))
    return Landscape(x, y, z, path, np.array([0.0, 0.0, losses.at(plane.final)]))
