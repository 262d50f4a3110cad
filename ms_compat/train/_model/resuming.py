"""Training that goes on where a checkpoint was written, with the numbers that it would have had without the break.

`CheckpointConfig(resumable=True)` adds one entry to a checkpoint, `training_state`: JSON as a Tensor of bytes, which
both formats and MindSpore hold. It has what the Parameters of the training network (weights, optimizer, loss scale,
step) do not: how many epochs and batches are done, the random streams of operations, NumPy and Python, the seed of the
data pipeline, the loss scale manager, and the state of callbacks that declare one (`Callback.kept_state`). Batches
that are done are made again and dropped, so that the rest of an epoch is what it would have been.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import logging
import os
import random as python_random
import shlex
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch import random
from ms_compat._core.errors import UnsupportedError, check_type
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._formats.checkpoint.codec import CkptReader
from ms_compat._formats.checkpoint.into_net import load_param_into_net
from ms_compat._formats.checkpoint.load import load_checkpoint
from ms_compat._formats.checkpoint.safetensors_file import SafetensorsReader
from ms_compat._formats.checkpoint.save import wait_for_saving

ENTRY = "training_state"
logger = logging.getLogger("ms_compat")
_VERSION = 1
_FORMATS = ("ckpt", "safetensors")


class Progress:
    """How far a training is. The loop keeps it; what writes checkpoints finds it as `run_context._progress`.

    Args:
        model: the Model.
        callbacks: its callbacks, in their order.
        batches: how many an epoch has.
        start: what an earlier training left, or None.
    """

    def __init__(self, model: Any, callbacks: list[Any], batches: int, start: Start | None):
        self._batches = batches
        self.source = start.path if start else None
        self.damaged = start.damaged if start else []
        self._manager = model._loss_scale_manager
        self._callbacks = callbacks
        self.epoch = start.epoch if start else 0
        self.steps = start.steps if start else 0
        self.total = start.total if start else 0
        self.feed: Any = None
        self.overflow: Any = None
        self._outputs = start.outputs if start else None
        self._draws = _draws()

    def begin_epoch(self, epoch: int, steps: int) -> None:
        """An epoch begins, counted from 0; `steps` of its batches are done already."""
        self.epoch, self.steps = epoch, steps

    def end_step(self, outputs: Any) -> None:
        """A step was dispatched and its results are in the Parameters."""
        self._outputs = outputs
        self.steps += 1
        self.total += 1
        self._draws = _draws()

    def entries(self, checksum: bool) -> dict[str, Any]:
        """What a checkpoint holds beside the Parameters of the training network.

        Args:
            checksum: whether the file will have a checksum; one without is damaged then.
        """
        arrays: dict[str, Any] = {}
        told = {
            "version": _VERSION,
            "checksum": checksum,
            "epoch": self.epoch,
            "steps": self.steps,
            "total": self.total,
            "batches": self._batches,
            "draws": self._draws,
            "numpy": _numpy_state(),
            "python": _python_state(),
            "data_seed": self.feed.seed,
            "overflow": self.overflow.pending(),
            "outputs": _told_outputs(self._outputs),
            "loss_scale": _numbers(self._manager),
            "callbacks": [
                [type(callback).__name__, {name: _packed(getattr(callback, name), f"{at}.{name}", arrays)
                                           for name in callback.kept_state}]
                for at, callback in enumerate(self._callbacks)
                if callback.kept_state
            ],
        }  # fmt: skip
        raw = np.frombuffer(json.dumps(told).encode(), np.uint8)
        return {ENTRY: Parameter(Tensor(raw.copy()), name=ENTRY), **arrays}


class Start:
    """What a checkpoint says of the training that wrote it.

    Args:
        values: the dict of `load_checkpoint`.
        source: the file, for errors.
        path: the file, if it is one.
        checked: whether the file's checksum was compared.

    Attributes:
        damaged: newer files that could not be read.

    Raises:
        ValueError: the checkpoint was not written with `resumable`, its state is damaged, or its checksum is missing.
    """

    def __init__(self, values: dict[str, Any], source: str, path: str | None = None, checked: bool = False):
        self.path = path
        self.damaged: list[str] = []
        if ENTRY not in values:
            raise ValueError(
                f"For 'Model.train', {source} does not say where its training was. Write checkpoints with "
                "CheckpointConfig(resumable=True), or pass 'initial_epoch' after load_param_into_net."
            )
        self._source = source
        self._arrays = {name: value for name, value in values.items() if name.startswith(f"{ENTRY}.")}
        self._values = {name: v for name, v in values.items() if name != ENTRY and name not in self._arrays}
        try:
            told = json.loads(values[ENTRY].asnumpy().tobytes())
            self.epoch, self.steps, self.total, self._batches = (
                _count(told[name]) for name in ("epoch", "steps", "total", "batches")
            )
            self.data_seed = None if told["data_seed"] is None else _count(told["data_seed"])
            self.overflow = None if told["overflow"] is None else bool(told["overflow"])
            self.outputs = _outputs(told["outputs"])
            self._draws = _read_draws(*told["draws"])
            self._numpy = _read_numpy(told["numpy"])
            self._python = _read_python(told["python"])
            self._loss_scale = {
                name: value for name, value in told["loss_scale"].items() if type(value) in (int, float)
            }
            self._callbacks = [
                (name, {key: _unpacked(value, self._arrays) for key, value in state.items()})
                for name, state in told["callbacks"]
            ]
            if told["version"] != _VERSION:
                raise ValueError(f"version {told['version']}")
            if path is not None and told.get("checksum") and not checked:
                raise ValueError("it was written with a checksum, but has none")
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise ValueError(f"For 'Model.train', the training state in {source} cannot be read: {error!r}.") from None

    def check(self, epochs: int, batches: int) -> None:
        """Raise ValueError if there is nothing left to do, or if the dataset is of another size."""
        if self.epoch >= epochs:
            raise ValueError(
                f"For 'Model.train', {self._source} was written in epoch {self.epoch + 1}, but 'epoch' is {epochs}."
            )
        if batches != self._batches:
            raise ValueError(
                f"For 'Model.train', {self._source} was written with {self._batches} batches in an epoch, but "
                f"'train_dataset' has {batches}."
            )

    def load(self, network: Any, manager: Any) -> None:
        """Set the Parameters of the training network, and the loss scale manager's numbers.

        Raises:
            ValueError: the checkpoint lacks Parameters.
            RuntimeError: shapes or dtypes differ. The network is as before in both cases.
        """
        missing = [parameter.name for parameter in network.get_parameters() if parameter.name not in self._values]
        if missing:
            raise ValueError(f"For 'Model.train', {self._source} lacks Parameters of the training network: {missing}.")
        load_param_into_net(network, self._values, strict_load=True)
        known = _numbers(manager)
        for name, value in self._loss_scale.items():
            if name in known:
                setattr(manager, name, value)

    def load_streams(self) -> None:
        """Continue the random streams. What was done since the process began may have drawn from them."""
        with random.default_generator.lock:
            stream = random.default_generator
            stream.seed, stream.counter, stream.user_seed = self._draws
        np.random.set_state(self._numpy)
        python_random.setstate(self._python)

    def load_callbacks(self, callbacks: list[Any]) -> None:
        """Restore the callbacks that declare a state, each by its class and its number within that class."""
        left = list(self._callbacks)
        for callback in callbacks:
            at = next((i for i, (name, _) in enumerate(left) if name == type(callback).__name__), None)
            if at is None or not callback.kept_state:
                continue
            for name, value in left.pop(at)[1].items():
                if name in callback.kept_state:
                    setattr(callback, name, value)


def find(resume: Any) -> Start | None:
    """What `resume` means: a checkpoint, the newest resumable one of a directory, or a loaded dict.

    A file with a checksum is compared with it. In a directory, damaged files are passed over with a warning.

    Raises:
        TypeError: it is something else.
        ValueError: a file that does not say where its training was, or cannot be read; a directory in which there are
            damaged files, and none that is whole.
    """
    if resume is None:
        return None
    if isinstance(resume, dict):
        return Start(resume, "the dict that was given")
    check_type("Model.train", "resume", resume, (str, os.PathLike))
    path = os.fspath(resume)
    if not os.path.isdir(path):
        return _read(path)
    damaged: dict[str, Exception] = {}
    for found in _newest_first(path):
        try:
            start = _read(found, or_none=True)
        except (ValueError, UnsupportedError) as error:
            damaged[found] = error
            continue
        if start is not None:
            if damaged:
                logger.warning(
                    "The training continues from %s, since newer files cannot be read: %s",
                    found,
                    "; ".join(f"{name}: {error}" for name, error in damaged.items()),
                )
            start.damaged = list(damaged)
            return start
    if damaged:
        raise ValueError(
            f"For 'Model.train', the directory 'resume' must hold a checkpoint that can be read, but in '{path}' "
            f"there is none: {next(iter(damaged.values()))}"
        )
    return None


def _read(path: str, or_none: bool = False) -> Start | None:
    """The training's state in a file; None, if `or_none`, for a checkpoint without one."""
    kind = os.path.splitext(path)[1][1:]
    kind = kind if kind in _FORMATS else "ckpt"
    wait_for_saving()
    try:
        with (SafetensorsReader if kind == "safetensors" else CkptReader)(path, api="Model.train") as reader:
            checked = reader.has_crc
    except OSError as error:
        raise ValueError(f"For 'Model.train', '{path}' cannot be read: {error.strerror or error}.") from error
    values = load_checkpoint(path, format=kind, crc_check=checked)
    return None if or_none and ENTRY not in values else Start(values, path, path, checked)


def _newest_first(directory: str) -> Iterator[str]:
    endings = tuple(f".{kind}" for kind in _FORMATS)
    files = [entry for entry in os.scandir(directory) if entry.name.endswith(endings) and entry.is_file()]
    return (entry.path for entry in sorted(files, key=lambda entry: (entry.stat().st_mtime_ns, entry.name))[::-1])


def how_to_continue(checkpoint: str, resumed: bool) -> str:
    """What to say after Ctrl-C about a training whose checkpoints are resumable.

    Args:
        checkpoint: the newest one.
        resumed: whether this training was itself continued from a checkpoint, so that the same command continues it.
    """
    shown = checkpoint
    with contextlib.suppress(ValueError):  # on Windows: it is on another drive than the current folder
        shown = min(os.path.relpath(checkpoint), checkpoint, key=len)
    command = _command()
    if command is None:
        return f'Interrupted. Model.train(..., resume="{shown}") continues the training.'
    before = "" if resumed else f'pass resume="{os.path.dirname(shown) or "."}" to Model.train, and '
    return f"Interrupted; the newest checkpoint is {shown}. To continue, {before}run:\n  {command}"


def _command() -> str | None:
    """The command line that started this process; None for interactive ones and notebooks."""
    program, *words = sys.orig_argv or [""]
    script = words[0] if words else ""
    if not words or hasattr(sys, "ps1") or "ipykernel_launcher" in " ".join(words):
        return None
    if os.path.basename(script).partition(".")[0] in ("ms-compat", "ipython", "jupyter"):
        program, *words = words
        if os.path.basename(program) != "ms-compat":
            return None
    words = [os.path.basename(program), *words]
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def skipped(batches: Any, done: int) -> Any:
    """The rest of an epoch's batches."""
    return itertools.islice(batches, done, None) if done else batches


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{value!r} where a number of 0 or more was expected")
    return value


def _draws() -> tuple[int, int, int | None]:
    stream = random.default_generator
    return stream.seed, stream.counter, stream.user_seed


def _read_draws(seed: Any, counter: Any, user_seed: Any) -> tuple[int, int, int | None]:
    return _count(seed), _count(counter), None if user_seed is None else _count(user_seed)


def _words(text: str, count: int) -> np.ndarray:
    words = np.frombuffer(base64.b64decode(text, validate=True), np.uint32)
    if len(words) != count:
        raise ValueError(f"{len(words)} words where {count} were expected")
    return words


def _read_numpy(told: dict[str, Any]) -> tuple[Any, ...]:
    gauss = float(told["gauss"])
    return "MT19937", _words(told["key"], 624), min(_count(told["pos"]), 624), _count(told["has_gauss"]), gauss


def _read_python(told: dict[str, Any]) -> tuple[Any, ...]:
    *words, at = _words(told["words"], 625).tolist()
    return 3, (*words, min(at, 624)), None if told["gauss"] is None else float(told["gauss"])


def _told_outputs(outputs: Any) -> Any:
    """The outputs of a step as JSON, if they are a loss or similar; others are too large to keep."""
    parts = outputs if isinstance(outputs, tuple) else (outputs,)
    if not all(isinstance(part, Tensor) and part.size == 1 for part in parts):
        return None
    told = [{"dtype": part.dtype._label, "value": part.asnumpy().tolist()} for part in parts]
    return told if isinstance(outputs, tuple) else told[0]


def _outputs(told: Any) -> Any:
    if told is None:
        return None
    if isinstance(told, list):
        return tuple([_outputs(part) for part in told])
    return Tensor(told["value"], mstype._by_label(told["dtype"]))


def _numpy_state() -> dict[str, Any]:
    state: Any = np.random.get_state()  # always the tuple without an argument
    _, key, pos, has_gauss, gauss = state
    return {"key": base64.b64encode(key.tobytes()).decode(), "pos": pos, "has_gauss": has_gauss, "gauss": gauss}


def _python_state() -> dict[str, Any]:
    _, words, gauss = python_random.getstate()
    return {"words": base64.b64encode(np.array(words, np.uint32).tobytes()).decode(), "gauss": gauss}


def _numbers(manager: Any) -> dict[str, Any]:
    """The numbers that an object holds: all that a loss scale manager changes are."""
    return {name: v for name, v in vars(manager).items() if type(v) in (int, float)} if manager is not None else {}


def _packed(value: Any, name: str, arrays: dict[str, Any]) -> Any:
    """A state as JSON; dicts of Tensors become separate entries in the checkpoint."""
    if isinstance(value, dict):
        for key, item in value.items():
            entry = f"{ENTRY}.{name}.{key}"
            arrays[entry] = Parameter(Tensor(item), name=entry)
        return {"arrays": f"{ENTRY}.{name}.", "names": list(value)}
    if isinstance(value, (np.ndarray, np.generic)):
        return {"dtype": str(value.dtype), "value": value.tolist()}
    return value


def _unpacked(value: Any, arrays: dict[str, Any]) -> Any:
    if isinstance(value, dict) and "arrays" in value:
        return {name: arrays[value["arrays"] + name] for name in value["names"]}
    if isinstance(value, dict):
        return np.array(value["value"], value["dtype"])
    return value
