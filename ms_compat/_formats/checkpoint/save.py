"""`save_checkpoint`: from a Cell, a list or a dict to a file, at once or in a thread.

Everything that can be wrong with the arguments is found before the file is touched, and the file is replaced only
when it is whole. On a CPU, the synchronous way writes from the arrays' own memory, which the next training step
cannot give away while it is held here. The thread gets copies.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from ms_compat._core.diagnostics.progress import of_bytes
from ms_compat._core.errors import check_bool, check_type, type_error, unsupported_argument, value_and_type, value_error
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import ArrayImpl
from ms_compat._core.settings.memory_limits import values_of
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import concurrency
from ms_compat._formats import crypto
from ms_compat._formats.checkpoint import arguments, codec, safetensors_file
from ms_compat.nn.cell import Cell

_API = "save_checkpoint"
_THREAD_NAME = "asyn_save_ckpt"
_KNOWN_OPTIONS = ("remove_redundancy", "incremental", "global_step_num")

logger = logging.getLogger("ms_compat")


@faces("train train.serialization")
def save_checkpoint(
    save_obj,
    ckpt_file_name,
    integrated_save=True,
    async_save=False,
    append_dict=None,
    enc_key=None,
    enc_mode="AES-GCM",
    choice_func=None,
    crc_check=False,
    format="ckpt",
    **kwargs,
):
    """Save parameters to a file that MindSpore reads as well.

    The file appears complete, with mode 0400, or not at all. Unlike MindSpore, arrays with a dimension of 0 are kept.

    Args:
        save_obj: a Cell (an optimizer is one), a list of Parameters or `{"name": str, "data": Tensor}`, or a dict
            of name to Parameter, Tensor, numpy array or str.
        ckpt_file_name: the file; the suffix of `format` is added if it is not there. Its directory must exist.
        integrated_save: accepted; JAX's arrays are global, so what is saved is always whole.
        async_save: True, "thread" or "process" to write in a thread ("process" too: forking a process that runs JAX is
            not safe). The values at the time of the call are saved. If that fails, the next `save_checkpoint` or the
            end of `Model.train` raises its error.
        append_dict: dict of name to int, float, bool, str, Tensor, Parameter or Generator to save with the parameters;
            float is stored as Float32.
        enc_key: 16, 24 or 32 bytes to encrypt with, or None. Needs the package `cryptography`.
        enc_mode: "AES-GCM", "AES-CBC" or "SM4-CBC" (16-byte key).
        choice_func: function of a name that says whether to save that parameter.
        crc_check: store a CRC-32, which `load_checkpoint(crc_check=True)` compares. Excludes `enc_key`.
        format: "ckpt" or "safetensors" (no strings, no encryption).
        kwargs: `remove_redundancy` (bool) is noted in a safetensors file; `global_step_num` is accepted.

    Raises:
        TypeError: wrong type of `save_obj`, of something in it, or of an argument.
        OSError: the file cannot be written, or an earlier save in a thread failed to write its file.
        ValueError: wrong `format`, `enc_key`, `enc_mode`, `async_save`, or `crc_check` with `enc_key`.
        FileNotFoundError: the directory does not exist.
        IsADirectoryError: `ckpt_file_name` is a directory.

    >>> import os, tempfile
    >>> from ms_compat import Tensor, load_checkpoint, save_checkpoint
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "a.ckpt")
    ...     save_checkpoint([{"name": "w", "data": Tensor([1.0, 2.0])}], path, append_dict={"epoch": 3})
    ...     load_checkpoint(path)
    {'w': Parameter (name=w, shape=(2,), dtype=Float32, requires_grad=True),
     'epoch': Parameter (name=epoch, shape=(), dtype=Int64, requires_grad=True)}
    """
    check_type(_API, "save_obj", save_obj, (Cell, list, dict))
    arguments.checked_format(_API, format)
    path = arguments.file_to_write(_API, ckpt_file_name, format)
    check_bool(_API, "integrated_save", integrated_save)
    threaded = _threaded(async_save)
    arguments.instance(_API, "enc_key", enc_key, type(None), bytes)
    arguments.instance(_API, "enc_mode", enc_mode, str)
    arguments.instance(_API, "crc_check", crc_check, bool)
    if choice_func is not None and not callable(choice_func):
        raise type_error(_API, "choice_func", "a function or None", choice_func)
    redundancy = _options(kwargs)
    if format == "safetensors":
        arguments.no_encryption(_API, "enc_key", enc_key, "enc_mode", enc_mode)
        write = partial(safetensors_file.write, path, crc_check=crc_check, remove_redundancy=redundancy)
    else:
        if enc_key is not None:
            crypto.check_key(enc_key, enc_mode, api=_API, key_argument="enc_key", mode_argument="enc_mode")
        write = partial(codec.write, path, crc_check=crc_check, enc_key=enc_key, enc_mode=enc_mode)
    saved_or_raise()
    values = _of_one_step({**_chosen(save_obj, choice_func), **_appended(append_dict)})
    if threaded:
        _start(path, write, {name: _to_host(value, copy=True) for name, value in values.items()})
    else:
        total = sum(getattr(value, "nbytes", 0) for value in values.values())
        arrays = ((name, _to_host(value)) for name, value in values.items())
        write(of_bytes(f"saving {os.path.basename(path)}", arrays, total))


def _of_one_step(values: dict[str, Any]) -> dict[str, Any]:
    """The values with the Tensors' current arrays, all taken between two steps of another thread's training.

    That copies nothing: a step that begins later finds that its arrays are held, and gets others for its results.
    """
    with concurrency.holding():
        return {
            name: wrap(value._v) if isinstance(value, Tensor) and value._v.__class__ is ArrayImpl else value
            for name, value in values.items()
        }


def _threaded(async_save: Any) -> bool:
    check_type(_API, "async_save", async_save, (bool, str))
    if isinstance(async_save, str) and async_save not in ("process", "thread"):
        raise value_error(_API, "async_save", "'process' or 'thread'", async_save)
    if async_save == "process":
        logger.debug("For '%s', async_save='process' saves in a thread of this process.", _API)
    return bool(async_save)


def _options(options: dict[str, Any]) -> bool | None:
    """Check the keyword arguments that MindSpore takes without naming them; returns `remove_redundancy`."""
    for name in options:
        if name not in _KNOWN_OPTIONS:
            logger.warning("For '%s', the argument '%s' is not known and has no effect.", _API, name)
    if options.get("incremental"):
        unsupported_argument(
            _API, "incremental", options["incremental"], "It is for MapParameter, which is not served."
        )
    if "global_step_num" in options:
        logger.debug("For '%s', 'global_step_num' has no effect.", _API)
    return arguments.instance(_API, "remove_redundancy", options.get("remove_redundancy"), type(None), bool)


def _chosen(save_obj: Cell | list | dict, choice_func: Callable[[str], bool] | None) -> dict[str, Any]:
    """Name -> Tensor, array or str of what is to be saved, in order; of equal names the last value counts."""
    found = {}
    for name, value in _named(save_obj):
        if choice_func is None or choice_func(name):
            found[name] = value
    return found


def _named(save_obj: Cell | list | dict) -> Iterator[tuple[str, Any]]:
    if isinstance(save_obj, Cell):
        for _, parameter in save_obj.parameters_and_names():
            yield parameter.name, parameter
    elif isinstance(save_obj, dict):
        for name, value in save_obj.items():
            if not isinstance(name, str):
                raise TypeError(f"For '{_API}', each key of 'save_obj' must be str, but got {value_and_type(name)}.")
            check_type(_API, f"save_obj[{name}]", value, (Tensor, np.ndarray, str))
            yield name, value
    else:
        for index, item in enumerate(save_obj):
            yield _of_list(index, item)


def _of_list(index: int, item: Any) -> tuple[str, Tensor]:
    if isinstance(item, Parameter):
        return item.name, item
    if not isinstance(item, dict) or not {"name", "data"} <= item.keys():
        raise TypeError(
            f"For '{_API}', 'save_obj[{index}]' must be a Parameter or a dict with the keys 'name' and 'data', but got "
            f"{value_and_type(item)}."
        )
    name, value = item["name"], item["data"]
    if not isinstance(name, str):
        raise TypeError(f"For '{_API}', 'save_obj[{index}][\"name\"]' must be str, but got {value_and_type(name)}.")
    if not isinstance(value, Tensor):
        raise TypeError(
            f"For '{_API}', 'save_obj[{index}][\"data\"]' of '{name}' must be a Parameter or Tensor, but got "
            f"{value_and_type(value)}."
        )
    return name, value


def _appended(append_dict: Any) -> dict[str, Any]:
    if append_dict is None:
        return {}
    if not isinstance(append_dict, dict):
        raise type_error(_API, "append_dict", "dict or None", append_dict)
    found = {}
    for name, value in append_dict.items():
        if not isinstance(name, str):
            raise TypeError(f"For '{_API}', each key of 'append_dict' must be str, but got {value_and_type(name)}.")
        if isinstance(value, (int, float)):
            value = Tensor(value)
        elif callable(getattr(value, "get_state", None)):  # a Generator
            value = value.get_state()
        if not isinstance(value, (str, Tensor)):
            raise TypeError(
                f"For '{_API}', 'append_dict[{name!r}]' must be int, float, bool, str, Tensor, Parameter or Generator, "
                f"but got {value_and_type(value)}."
            )
        found[name] = value
    return found


def _to_host(value: Any, copy: bool = False) -> np.ndarray | str:
    """The value in the host's memory; without `copy`, the array of a CPU itself."""
    if isinstance(value, Tensor):
        value = value.asnumpy() if value.init is not None else values_of(value)  # `asnumpy` fills the tensor
    return np.array(value) if copy and not isinstance(value, str) else value


_failed: list[Exception] = []  # errors of saves in threads, until they are raised


def _start(path: str, write: Callable, values: dict[str, np.ndarray | str]) -> None:
    def run() -> None:
        try:
            write(values.items())
        except Exception as error:
            error.add_note(f"A thread was saving {path!r} when this happened; the file is as it was before.")
            logger.error("For '%s', %r could not be saved in a thread: %s", _API, path, error)
            _failed.append(error)

    threading.Thread(target=run, name=_THREAD_NAME).start()


def _running() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == _THREAD_NAME]


def wait_for_saving() -> None:
    """Wait until a save in a thread, if there is one, has ended: one file at a time, and no caller reads an old one."""
    for thread in _running():
        if thread is not threading.current_thread():
            thread.join()


def saved_or_raise() -> None:
    """Wait as `wait_for_saving`, and raise the error of a save in a thread since the last call."""
    wait_for_saving()
    if _failed:
        error = _failed[-1]
        _failed.clear()
        raise error


@faces("train train.serialization")
def async_ckpt_thread_status():
    """Whether a `save_checkpoint(async_save=True)` is still writing.

    Returns:
        bool, True while the thread runs.

    >>> from ms_compat.train.serialization import async_ckpt_thread_status
    >>> async_ckpt_thread_status()
    False
    """
    return bool(_running())
