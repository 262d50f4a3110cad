"""`ModelCheckpoint` and `CheckpointConfig`: write checkpoints while training.

Files are named `{prefix}-{epoch}_{step in the epoch}.ckpt`; a prefix that is taken in the directory gets `_1`, `_2`.
Where the step is compiled, `{prefix}-graph.meta` is its program: the text of a jaxpr, where MindSpore writes its graph.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import time
from typing import Any

from ms_compat._core.errors import check_bool, check_non_negative_int, check_type, type_error, value_error
from ms_compat._core.faces import faces
from ms_compat._formats.atomic import READ_WRITE, remove, replaced
from ms_compat._formats.checkpoint.save import save_checkpoint, saved_or_raise
from ms_compat.nn.cell import Cell
from ms_compat.train.callback._callback import Callback

logger = logging.getLogger("ms_compat")

_API = "CheckpointConfig"
_INFO = ("epoch_num", "step_num")


@faces("train train.callback")
class CheckpointConfig:
    """When `ModelCheckpoint` saves, and what it keeps.

    Args:
        save_checkpoint_steps: steps between two checkpoints; 0 or None leaves it to `save_checkpoint_seconds`.
        save_checkpoint_seconds: seconds between two checkpoints; counts only without `save_checkpoint_steps`.
        keep_checkpoint_max: files to keep; the oldest goes.
        keep_checkpoint_per_n_minutes: keep one file of so many minutes; counts only without `keep_checkpoint_max`.
        integrated_save: join the slices of parallel parameters; here they are always whole.
        async_save: write in a thread: a bool, "thread" or "process".
        saved_network: the Cell to save in place of the training step.
        append_info: list of "epoch_num", "step_num" and at most one dict, stored next to the Parameters.
        enc_key: key of the encryption, bytes.
        enc_mode: "AES-GCM", "AES-CBC" or "SM4-CBC".
        exception_save: save `..._breakpoint.ckpt` when the training ends with an exception.
        crc_check: store a checksum; `resumable` does so, too, unless the file is encrypted.
        remove_redundancy: of parallel parameters; noted in safetensors files.
        format: "ckpt" or "safetensors".
        resumable: store where the training is, so that `Model.train(..., resume=path)` goes on with the same numbers:
            epoch, batch, random streams, loss scale, callbacks. An addition to MindSpore's arguments. Each file has a
            checksum, and a damaged one is passed over; of encrypted files only AES-GCM notices damage.
        kwargs: `incremental` of MindSpore's MapParameter.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a wrong value, or nothing says when to save.

    >>> from ms_compat.train import CheckpointConfig
    >>> CheckpointConfig(save_checkpoint_steps=32, keep_checkpoint_max=10).keep_checkpoint_max
    10
    """

    def __init__(
        self,
        save_checkpoint_steps=1,
        save_checkpoint_seconds=0,
        keep_checkpoint_max=5,
        keep_checkpoint_per_n_minutes=0,
        integrated_save=True,
        async_save=False,
        saved_network=None,
        append_info=None,
        enc_key=None,
        enc_mode="AES-GCM",
        exception_save=False,
        crc_check=False,
        remove_redundancy=False,
        format="ckpt",
        *,
        resumable=False,
        **kwargs,
    ):
        self._set_times(
            save_checkpoint_steps=save_checkpoint_steps,
            save_checkpoint_seconds=save_checkpoint_seconds,
            keep_checkpoint_max=keep_checkpoint_max,
            keep_checkpoint_per_n_minutes=keep_checkpoint_per_n_minutes,
        )
        self._integrated_save = check_bool(_API, "integrated_save", integrated_save)
        check_type(_API, "async_save", async_save, (bool, str))
        if isinstance(async_save, str) and async_save not in ("process", "thread"):
            raise value_error(_API, "async_save", "'process' or 'thread'", async_save)
        self._async_save = async_save
        check_type(_API, "saved_network", saved_network, (Cell, type(None)))
        self._saved_network = saved_network
        self._append_dict = _append_dict(append_info)
        for name, value, kind, expected in (
            ("enc_key", enc_key, (bytes, type(None)), "bytes or None"),
            ("enc_mode", enc_mode, str, "str"),
            ("crc_check", crc_check, bool, "bool"),
            ("remove_redundancy", remove_redundancy, bool, "bool"),
        ):
            if not isinstance(value, kind):
                raise value_error(_API, name, expected, value)
        self._enc_key = enc_key
        self._enc_mode = enc_mode
        self._exception_save = check_bool(_API, "exception_save", exception_save)
        self._crc_check = crc_check
        self._remove_redundancy = remove_redundancy
        if format == "safetensors" and (enc_key is not None or enc_mode != "AES-GCM"):
            raise ValueError(
                f"For '{_API}', with format='safetensors' there is no encryption, but 'enc_key' was given."
            )
        self._format = format
        self._resumable = check_bool(_API, "resumable", resumable)
        if resumable and saved_network is not None:
            raise ValueError(f"For '{_API}', 'resumable' stores the training network; leave 'saved_network' out.")
        for name in kwargs:
            logger.debug("For '%s', the argument '%s' has no effect.", _API, name)
        self._map_param_inc = kwargs.get("incremental", False)

    def _set_times(self, **when: int | None) -> None:
        for name, value in when.items():
            if value is not None:
                check_non_negative_int(_API, name, value)
        if not any(when.values()):
            raise ValueError(f"For '{_API}', at least one of {', '.join(when)} must be a positive int.")
        if when["save_checkpoint_steps"]:
            when["save_checkpoint_seconds"] = None
        if when["keep_checkpoint_max"]:
            when["keep_checkpoint_per_n_minutes"] = None
        elif not when["keep_checkpoint_per_n_minutes"]:
            when["keep_checkpoint_max"] = 1
        self._save_checkpoint_steps = when["save_checkpoint_steps"]
        self._save_checkpoint_seconds = when["save_checkpoint_seconds"]
        self._keep_checkpoint_max = when["keep_checkpoint_max"]
        self._keep_checkpoint_per_n_minutes = when["keep_checkpoint_per_n_minutes"]

    save_checkpoint_steps = property(lambda self: self._save_checkpoint_steps, doc="Steps between two checkpoints.")
    save_checkpoint_seconds = property(lambda self: self._save_checkpoint_seconds, doc="Seconds between two.")
    keep_checkpoint_max = property(lambda self: self._keep_checkpoint_max, doc="Files to keep.")
    keep_checkpoint_per_n_minutes = property(
        lambda self: self._keep_checkpoint_per_n_minutes, doc="Keep one file of every so many minutes."
    )
    integrated_save = property(lambda self: self._integrated_save, doc="Whether parallel slices are joined.")
    async_save = property(lambda self: self._async_save, doc="Whether files are written in a thread.")
    saved_network = property(lambda self: self._saved_network, doc="The Cell that is saved, or None.")
    append_dict = property(lambda self: self._append_dict, doc="What is stored next to the Parameters.")
    enc_key = property(lambda self: self._enc_key, doc="Key of the encryption.")
    enc_mode = property(lambda self: self._enc_mode, doc="Kind of encryption.")
    exception_save = property(lambda self: self._exception_save, doc="Whether to save on an exception.")
    crc_check = property(lambda self: self._crc_check, doc="Whether a checksum is stored.")
    remove_redundancy = property(lambda self: self._remove_redundancy, doc="Whether redundancy is removed.")
    format = property(lambda self: self._format, doc="'ckpt' or 'safetensors'.")
    resumable = property(lambda self: self._resumable, doc="Whether where the training is is stored, too.")
    map_param_inc = property(lambda self: self._map_param_inc, doc="Whether MapParameters are saved by difference.")

    def get_checkpoint_policy(self):
        """When to save and what to keep, as a dict."""
        return {
            "save_checkpoint_steps": self._save_checkpoint_steps,
            "save_checkpoint_seconds": self._save_checkpoint_seconds,
            "keep_checkpoint_max": self._keep_checkpoint_max,
            "keep_checkpoint_per_n_minutes": self._keep_checkpoint_per_n_minutes,
            "saved_network": self._saved_network,
        }


def _append_dict(append_info: Any) -> dict[str, Any] | None:
    if append_info is None:
        return None
    check_type(_API, "append_info", append_info, list)
    found: dict[str, Any] = {}
    dicts = 0
    for item in append_info:
        if isinstance(item, dict):
            dicts += 1
            if dicts > 1:
                raise TypeError(f"For '{_API}', the 'append_info' must hold at most one dict, but got {dicts}.")
            found.update(item)
        elif not isinstance(item, str):
            raise type_error(_API, "append_info", "a list of str and dict", item)
        elif item not in _INFO:
            raise value_error(_API, "append_info", f"a list of {list(_INFO)} and a dict", item)
        else:
            found[item] = 0
    return found


@faces("train train.callback")
class ModelCheckpoint(Callback):
    """Saves checkpoints while training, and one at its end.

    Args:
        prefix: start of the file names, or a function of the callback parameters that gives the whole name.
        directory: where to, or a function of the callback parameters; by default the working directory.
        config: a `CheckpointConfig`.

    Raises:
        TypeError: `config` or `directory` has the wrong type.
        ValueError: `prefix` is not a str without "/" or a function.

    >>> import os
    >>> import numpy as np
    >>> from ms_compat import dataset, nn
    >>> from ms_compat.train import Model, ModelCheckpoint
    >>> data = dataset.NumpySlicesDataset((np.ones((2, 2), np.float32), np.ones((2, 1), np.float32)))
    >>> net = nn.Dense(2, 1)
    >>> model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()))
    >>> model.train(1, data.batch(2), callbacks=ModelCheckpoint(prefix="net", directory="saved"))
    >>> [name for name in os.listdir("saved") if name.endswith(".ckpt")]
    ['net-1_1.ckpt']
    """

    def __init__(self, prefix="CKP", directory=None, config=None):
        super().__init__()
        if not callable(prefix) and (not isinstance(prefix, str) or "/" in prefix):
            raise value_error("ModelCheckpoint", "prefix", "a function or a str without '/'", prefix)
        if directory is not None and not callable(directory):
            check_type("ModelCheckpoint", "directory", directory, str)
            directory = os.path.realpath(directory)
            os.makedirs(directory, exist_ok=True)
        if config is not None:
            check_type("ModelCheckpoint", "config", config, CheckpointConfig)
        self._config = CheckpointConfig() if config is None else config
        self._prefix_func = prefix if callable(prefix) else None
        self._directory_func = directory if callable(directory) else None
        self._directory = os.path.realpath(os.curdir) if directory is None or callable(directory) else directory
        self._prefix = self._given_prefix = "" if callable(prefix) else prefix
        if not callable(prefix) and not callable(directory):
            self._prefix = _free_prefix(self._directory, prefix)
        self._graph_saved = False
        self._manager = CheckpointManager(self._config.format)
        self._append_dict = dict(self._config.append_dict or {})  # a user's dict may say how many were done before
        self._append_epoch_num = self._append_dict.get("epoch_num", 0)
        self._append_step_num = self._append_dict.get("step_num", 0)
        self._need_flush_from_cache = False
        self._last_triggered_step = 0
        self._last_time = self._last_time_for_keep = time.time()
        self._latest_ckpt_file_name = ""
        self._earlier_names: Any = None
        self._unsettled: str | None = None  # written in a thread, perhaps not yet to its end
        self._cb_params: Any = None
        self._progress: Any = None

    # A resumable checkpoint names the files before it, so that a training that continues from it counts them, too.
    kept_state = ("_file_names",)

    @property
    def _file_names(self) -> list[str]:
        return [os.path.basename(path) for path in self._manager.ckpoint_filelist]

    @_file_names.setter
    def _file_names(self, names: list[str]) -> None:
        self._earlier_names = names

    @property
    def latest_ckpt_file_name(self):
        """Path of the last file that was written to its end and is still there; empty if there is none."""
        for path in (self._unsettled, self._latest_ckpt_file_name):
            if path and os.path.isfile(path):
                return path
        return ""

    def begin(self, run_context):
        """Start counting steps and seconds."""
        self._progress = run_context._progress
        self._last_triggered_step = 0 if self._progress is None else self._progress.total  # more than 0 if resumed
        self._last_time = self._last_time_for_keep = time.time()
        self._earlier_names = None

    def step_end(self, run_context):
        """Save if it is time, and after the first step its program."""
        cb_params = self._cb_params = run_context.original_args()
        self._find_place(cb_params)
        if not self._graph_saved:
            self._graph_saved = True
            self._save_graph(cb_params)
        self._save_ckpt(cb_params)

    def end(self, run_context):
        """Save the last step if it is not saved yet, and wait for a file that is still being written."""
        cb_params = run_context.original_args()
        self._save_ckpt(cb_params, True)
        self._settle()
        self._cb_params = self._progress = None

    def on_eval_begin(self, run_context):
        """Nothing is saved while evaluating."""

    on_eval_step_end = on_eval_end = on_eval_begin

    def __exit__(self, *err):
        cb_params, self._cb_params = self._cb_params, None
        if err and err[0] is not None:
            with contextlib.suppress(Exception):  # it was logged; the training's own error is raised
                self._settle()
            if self._config.exception_save and cb_params is not None:
                self._save(cb_params, "_breakpoint")
        return None

    # -- what a subclass may replace or call, as in MindSpore ---------------------------------------------------------
    def _check_save_ckpt(self, cb_params: Any, force_to_save: bool) -> bool:
        """Whether it is time to save."""
        steps, seconds = self._config.save_checkpoint_steps, self._config.save_checkpoint_seconds
        if steps:
            return force_to_save or cb_params.cur_step_num - self._last_triggered_step >= steps
        return bool(seconds) and (force_to_save or time.time() - self._last_time > seconds)

    def _save_ckpt(self, cb_params: Any, force_to_save: bool = False) -> None:
        """Save the step, once, if it is time or if it must be."""
        if cb_params.cur_step_num != self._last_triggered_step and self._check_save_ckpt(cb_params, force_to_save):
            self._save(cb_params)

    def _append_dict_content(self, epoch_num: int, step_num: int) -> None:
        """Count the epochs and steps among what is stored next to the Parameters."""
        if "epoch_num" in self._append_dict:
            self._append_dict["epoch_num"] = self._append_epoch_num + epoch_num
        if "step_num" in self._append_dict:
            self._append_dict["step_num"] = self._append_step_num + step_num

    def _flush_from_cache(self, cb_params: Any) -> None:
        """MindSpore fetches embeddings from a cache; nothing is kept in one here."""

    # -- places ------------------------------------------------------------------------------------------------------
    def _find_place(self, cb_params: Any) -> None:
        """The directory of the files, which is made, and the begin of their names."""
        if self._directory_func is not None:
            self._directory = self._directory_func(cb_params)
        os.makedirs(self._directory, exist_ok=True)
        if self._prefix_func is not None:
            self._prefix = self._prefix_func(cb_params)
            if not isinstance(self._prefix, str) or "/" in self._prefix:
                raise ValueError(
                    "For 'ModelCheckpoint', the function 'prefix' must return a str without '/', but got "
                    f"{self._prefix!r}."
                )

    def _save_graph(self, cb_params: Any) -> None:
        program = cb_params.train_network.get_func_graph_proto()
        if program is None:
            return
        with replaced(os.path.join(self._directory, f"{self._prefix}-graph.meta"), READ_WRITE) as path:
            with open(path, "w", encoding="utf-8") as file:
                file.write(program)

    def _path(self, cb_params: Any, suffix: str) -> str:
        name = self._prefix
        if self._prefix_func is None:
            step = (cb_params.cur_step_num - 1) % cb_params.batch_num + 1
            name = f"{name}-{cb_params.cur_epoch_num}_{step}"
        return os.path.join(self._directory, f"{name}{suffix}.{self._config.format}")

    def _save(self, cb_params: Any, suffix: str = "") -> None:
        config = self._config
        self._find_place(cb_params)
        path = self._path(cb_params, suffix)
        self._count_earlier_files()
        self._settle()
        self._append_dict_content(cb_params.cur_epoch_num, cb_params.cur_step_num)
        appended = dict(self._append_dict) if config.append_dict is not None else None
        checksum = config.crc_check or config.resumable and config.enc_key is None
        if config.resumable:
            if self._progress is None:
                raise RuntimeError("For 'ModelCheckpoint', 'resumable' needs a training by Model.train or Model.fit.")
            appended = {**(appended or {}), **self._progress.entries(checksum)}
        save_checkpoint(
            config.saved_network if config.saved_network is not None else cb_params.train_network,
            path,
            config.integrated_save,
            config.async_save,
            appended,
            config.enc_key,
            config.enc_mode,
            crc_check=checksum,
            format=config.format,
            **({"remove_redundancy": True} if config.remove_redundancy else {}),
        )
        self._last_triggered_step = cb_params.cur_step_num
        self._last_time = time.time()
        self._unsettled = path
        if not config.async_save:
            self._settle()
        cb_params.last_save_ckpt_step = self._last_triggered_step
        cb_params.latest_ckpt_file = path

    def _count_earlier_files(self) -> None:
        """Count the files of the resumed training, which are deleted like this one's.

        Their names come from an untrusted file, so only names with this prefix are taken, in
        this directory.
        """
        names, self._earlier_names = self._earlier_names, None
        if not isinstance(names, list) or self._prefix_func is not None:
            return
        source = self._progress.source
        if source is not None and os.path.realpath(os.path.dirname(source)) == os.path.realpath(self._directory):
            damaged = [os.path.basename(path) for path in self._progress.damaged]
            names = [*damaged, *names, os.path.basename(source)]
        own = re.compile(rf"{re.escape(self._given_prefix)}(?:_\d+)?-\d+_\d+(?:_breakpoint)?\.(?:ckpt|safetensors)")
        paths = [os.path.join(self._directory, n) for n in names if isinstance(n, str) and own.fullmatch(n)]
        self._manager.begin_with([path for path in dict.fromkeys(paths) if os.path.isfile(path)])

    def _settle(self) -> None:
        """Wait for the last file, and only when it is whole remove those that it replaces."""
        path, self._unsettled = self._unsettled, None
        saved_or_raise()
        if path is not None:
            self._latest_ckpt_file_name = path
            self._manager.note(path)
            if self._config.keep_checkpoint_max:
                self._manager.keep_newest(self._config.keep_checkpoint_max)
            elif self._config.keep_checkpoint_per_n_minutes:
                self._keep_some(path, self._config.keep_checkpoint_per_n_minutes)

    def _keep_some(self, newest: str, minutes: int) -> None:
        """Keep the first and the newest file of the last minutes; the newest is the first of the next minutes."""
        self._manager.keep_first(newest)
        now = time.time()
        if now - self._last_time_for_keep >= minutes * 60:
            self._last_time_for_keep = now
            self._manager.forget()
            self._manager.note(newest)


class CheckpointManager:
    """The checkpoint files of one training, oldest first; a subclass of `ModelCheckpoint` finds it as `_manager`.

    Args:
        format: their ending.
    """

    def __init__(self, format="ckpt"):
        self._format = format
        self._files: list[str] = []

    @property
    def ckpoint_filelist(self) -> list[str]:
        """The files."""
        return self._files

    @property
    def ckpoint_num(self) -> int:
        """How many they are."""
        return len(self._files)

    def update_ckpoint_filelist(self, directory: str, prefix: str) -> None:
        """Take the files of a directory that have this prefix and otherwise numbers in their names."""
        pattern = re.compile(re.escape(prefix) + r"-[^A-Za-z]*\." + re.escape(self._format), re.DOTALL)
        self._files = [os.path.join(directory, name) for name in os.listdir(directory) if pattern.fullmatch(name)]

    def remove_ckpoint_file(self, file_name: str) -> None:
        """Delete a file."""
        _remove(file_name)
        if file_name in self._files:
            self._files.remove(file_name)

    def remove_oldest_ckpoint_file(self) -> None:
        """Delete the file that was written first."""
        self.remove_ckpoint_file(min(self._files, key=os.path.getmtime))

    def keep_one_ckpoint_per_minutes(self, minutes: int, cur_time: float) -> None:
        """Delete all files but the first from the last `minutes` before `cur_time`."""
        written = {path: os.path.getmtime(path) for path in self._files}
        recent = [path for path in self._files if cur_time - written[path] < 60 * minutes]
        recent.sort(key=lambda path: written[path])
        for path in recent[1:]:
            self.remove_ckpoint_file(path)

    def begin_with(self, paths: list[str]) -> None:
        """Put files that were there before in front of the others."""
        self._files = [*paths, *(known for known in self._files if known not in paths)]

    def note(self, path: str) -> None:
        """Put a file that was just written at the end."""
        self._files = [known for known in self._files if known != path] + [path]

    def keep_newest(self, most: int) -> None:
        """Delete all but the last `most` files."""
        for path in self._files[:-most]:
            self.remove_ckpoint_file(path)

    def keep_first(self, newest: str) -> None:
        """Delete all but the first file and the newest."""
        for path in self._files[1:]:
            if path != newest:
                self.remove_ckpoint_file(path)

    def forget(self) -> None:
        """Stop deleting files from now on."""
        self._files = []


def _remove(path: str) -> None:
    try:
        remove(path)
    except FileNotFoundError:
        logger.debug("ModelCheckpoint: %s was removed by somebody else.", path)
    except OSError as error:
        logger.warning("ModelCheckpoint: %s cannot be removed: %s", path, error)


def _free_prefix(directory: str, prefix: str) -> str:
    """`prefix`, or with the next number behind it if the directory has such files."""
    pattern = re.compile(re.escape(prefix) + r"(?:_(\d+))?-.*\.(?:ckpt|safetensors)", re.DOTALL)
    numbers = [int(found.group(1) or 0) for name in os.listdir(directory) if (found := pattern.fullmatch(name))]
    return f"{prefix}_{max(numbers) + 1}" if numbers else prefix
