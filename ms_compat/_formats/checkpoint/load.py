"""`load_checkpoint`: from a file to a dict of Parameters, and into a Cell if one is given."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ms_compat._core.diagnostics.progress import of_bytes
from ms_compat._core.errors import check_bool, value_error
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import adopted
from ms_compat._core.tensor import wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._formats.checkpoint import arguments, unread
from ms_compat._formats.checkpoint.codec import CkptReader
from ms_compat._formats.checkpoint.into_net import check_net, load_param_into_net
from ms_compat._formats.checkpoint.safetensors_file import SafetensorsReader
from ms_compat._formats.checkpoint.save import wait_for_saving
from ms_compat._formats.downloads import check_download

_API = "load_checkpoint"

logger = logging.getLogger("ms_compat")


@faces("train train.serialization")
def load_checkpoint(
    ckpt_file_name,
    net=None,
    strict_load=False,
    filter_prefix=None,
    dec_key=None,
    dec_mode="AES-GCM",
    specify_prefix=None,
    choice_func=None,
    crc_check=False,
    remove_redundancy=False,
    format="ckpt",
):
    """Read a checkpoint of MindSpore or ms_compat.

    The file is checked as a whole before memory is taken for its content, and the content is read once: from files of
    at least 64 MiB, and without `net`, each Parameter's value when it is first used. Such a file stays open until then,
    and may be replaced or deleted, but not changed in place: a first use raises ValueError after that. Unlike
    MindSpore, Parameters from a safetensors file carry their names, and the prefixes apply to that format too.

    Args:
        ckpt_file_name: the file; it must end in the suffix of `format`.
        net: a Cell to load into, as `load_param_into_net` does; None to load into none.
        strict_load: see `load_param_into_net`.
        filter_prefix: str or list of str; parameters whose names begin so are left out. `choice_func` does the same.
        dec_key: the key of an encrypted file. Needs the package `cryptography`.
        dec_mode: "AES-GCM", "AES-CBC" or "SM4-CBC".
        specify_prefix: str or list of str; only parameters whose names begin so are loaded.
        choice_func: function of a name that says whether to load that parameter.
        crc_check: compare the CRC-32 that the file may hold; a warning if it holds none.
        remove_redundancy: whether the file was saved without the copies that other devices hold.
        format: "ckpt" or "safetensors".

    Returns:
        dict of name to Parameter (or str, for a text from `append_dict`), in the order of the file; names of a
        safetensors file are sorted.

    Raises:
        TypeError: wrong type of `ckpt_file_name`, `net`, `strict_load` or a prefix.
        ValueError: no such file, another suffix, a damaged file, a wrong key, or nothing left to load.
        UnsupportedError: a parameter of a type that ms_compat does not have (`choice_func` can leave it out).

    >>> import os, tempfile
    >>> from ms_compat import Tensor, load_checkpoint, save_checkpoint
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "a.safetensors")
    ...     save_checkpoint({"w": Tensor([1.0]), "b": Tensor([2])}, path, format="safetensors")
    ...     list(load_checkpoint(path, format="safetensors", choice_func=lambda name: name != "b"))
    ['w']
    """
    if net is not None:
        check_net(_API, net)
    check_bool(_API, "strict_load", strict_load)
    wanted = _wanted(filter_prefix, specify_prefix, choice_func)
    arguments.instance(_API, "dec_key", dec_key, type(None), bytes)
    arguments.instance(_API, "dec_mode", dec_mode, str)
    arguments.instance(_API, "crc_check", crc_check, bool)
    arguments.instance(_API, "remove_redundancy", remove_redundancy, bool)
    arguments.checked_format(_API, format)
    wait_for_saving()
    path = arguments.file_to_read(_API, ckpt_file_name, format)
    reader: SafetensorsReader | CkptReader
    try:
        _refuse_pytorch(path)
        check_download(path)
        if format == "safetensors":
            arguments.no_encryption(_API, "dec_key", dec_key, "dec_mode", dec_mode)
            reader = SafetensorsReader(path, crc_check=crc_check)
            _compare_redundancy(reader, remove_redundancy)
        else:
            reader = CkptReader(path, crc_check=crc_check, dec_key=dec_key, dec_mode=dec_mode)
    except OSError as error:
        raise ValueError(f"For '{_API}', the file '{path}' cannot be read: {error.strerror or error}.") from error
    with reader:
        try:
            names = [name for name in reader.names if wanted(name)]
        except Exception as error:
            if format != "ckpt":
                raise
            raise ValueError(f"For '{_API}', 'choice_func' failed: {error}") from error  # as MindSpore does
        if not names:
            raise ValueError(
                f"For '{_API}', 'choice_func' and the prefixes choose none of the {len(reader.names)} parameters in "
                f"'{path}'."
                if reader.names
                else f"For '{_API}', the checkpoint file '{path}' is empty. It may be an unfinished download or copy."
            )
        file = None if net is not None else reader.kept()
        found = _unread(reader, names, file) if file is not None else _read(reader, names)
    if net is not None:
        load_param_into_net(net, found, strict_load, remove_redundancy)
    return found


def _read(reader: SafetensorsReader | CkptReader, names: list[str]) -> dict[str, Parameter | str]:
    read = reader.read_all(names)
    behind_bar = of_bytes(f"loading {os.path.basename(reader.path)}", read, os.path.getsize(reader.path))
    return {name: _parameter(name, value) for name, value in behind_bar}


def _unread(
    reader: SafetensorsReader | CkptReader, names: list[str], file: unread.KeptFile
) -> dict[str, Parameter | str]:
    found = {}
    for name in names:
        contents = reader.contents(name)
        found[name] = (
            _parameter(name, reader.read(name)) if contents is None else unread.parameter(name, file, contents)
        )
    return found


def _refuse_pytorch(path: str) -> None:
    with open(path, "rb") as file:
        start = file.read(4)
    if start == b"PK\x03\x04":
        raise ValueError(
            f"For '{_API}', the file '{path}' is an archive, as PyTorch writes: 'ms-compat convert {path} net.ckpt "
            "--from torch' makes a checkpoint of it."
        )


def _wanted(filter_prefix: Any, specify_prefix: Any, choice_func: Any) -> Callable[[str], bool]:
    leave = arguments.prefixes(_API, "filter_prefix", filter_prefix)
    take = arguments.prefixes(_API, "specify_prefix", specify_prefix)
    if choice_func is not None and not callable(choice_func):
        raise value_error(_API, "choice_func", "a function or None", choice_func)

    def wanted(name: str) -> bool:
        if choice_func is not None and not choice_func(name):
            return False
        return (not take or name.startswith(take)) and not (leave and name.startswith(leave))

    return wanted


def _compare_redundancy(reader: SafetensorsReader, asked: bool) -> None:
    noted = reader.metadata.get("remove_redundancy")
    if noted is not None and noted != str(asked):
        message = "For '%s', remove_redundancy=%s, but '%s' was saved with remove_redundancy=%s."
        logger.warning(message, _API, asked, reader.path, noted)


def _parameter(name: str, value: Any) -> Parameter | str:
    if isinstance(value, str):
        return value
    return Parameter(wrap(adopted(value)), name=name)


@faces("train.serialization")
class ParamDictFuture:
    """What `load_checkpoint_async` returns at once; `result()` waits for the dict."""

    def __init__(self, future: Any):
        self._future = future

    def result(self) -> dict[str, Parameter | str]:
        """The dict of `load_checkpoint`; raises what that raised."""
        return self._future.result()


@faces("train train.serialization")
def load_checkpoint_async(
    ckpt_file_name,
    net=None,
    strict_load=False,
    filter_prefix=None,
    dec_key=None,
    dec_mode="AES-GCM",
    specify_prefix=None,
    choice_func=None,
):
    """Start `load_checkpoint` in a thread.

    Args:
        ckpt_file_name, net, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func: as for
            `load_checkpoint`; a `net` must not be used before `result()` has returned.

    Returns:
        ParamDictFuture; its `result()` gives the dict or raises the error.

    >>> import os, tempfile
    >>> from ms_compat import Tensor, load_checkpoint_async, save_checkpoint
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_checkpoint({"w": Tensor([1.0])}, os.path.join(folder, "a.ckpt"))
    ...     list(load_checkpoint_async(os.path.join(folder, "a.ckpt")).result())
    ['w']
    """
    executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="asyn_load_ckpt")
    options = (net, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func)
    future = executor.submit(load_checkpoint, ckpt_file_name, *options)
    executor.shutdown(wait=False)
    return ParamDictFuture(future)
