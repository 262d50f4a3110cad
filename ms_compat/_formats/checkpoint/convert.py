"""From one file format to the other, file by file, without Parameters or a net in between.

Of a `.ckpt` that is written, one array is in memory at a time.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ms_compat._core.diagnostics.progress import of_bytes
from ms_compat._core.errors import check_int, check_type, value_and_type
from ms_compat._core.faces import faces
from ms_compat._formats.checkpoint import codec, safetensors_file
from ms_compat._formats.checkpoint.codec import CkptReader
from ms_compat._formats.checkpoint.safetensors_file import SafetensorsReader
from ms_compat._formats.checkpoint.torch_zip import TorchReader

TORCH_SUFFIXES = (".pt", ".pth", ".bin")


def open_checkpoint(path: str, *, api: str) -> CkptReader | SafetensorsReader | TorchReader:
    """A reader for `path`, by its suffix."""
    if path.endswith(TORCH_SUFFIXES):
        return TorchReader(path)
    return (SafetensorsReader if path.endswith(".safetensors") else CkptReader)(path, api=api)


def convert_file(
    source: str,
    target: str,
    rename: Callable[[CkptReader | SafetensorsReader | TorchReader], Mapping[str, str | None]] | None = None,
    *,
    api: str,
    crc_check: bool = False,
    axes: Mapping[str, tuple[int, ...]] | None = None,
) -> Mapping[str, str | None]:
    """Write the content of one checkpoint as another; the suffixes say the formats.

    Args:
        source: the file to read.
        target: the file to write.
        rename: function of the opened source that gives old name -> new name, or None for one to leave out.
        api: the API to name in errors.
        crc_check: whether to store a CRC-32.
        axes: old name -> order of the axes, for those that change; `rename` may fill it.

    Returns:
        what `rename` gave.

    Raises:
        ValueError: a damaged source, one without parameters, or two parameters that would get one name.
        TypeError: a value that the other format cannot hold.
    """
    with open_checkpoint(source, api=api) as reader:
        renamed = rename(reader) if rename is not None else {name: name for name in reader.names}
        kept = {old: new for old, new in renamed.items() if new is not None}
        if not kept:
            why = "all of its parameters are left out" if reader.names else "it holds no parameters"
            raise ValueError(f"For '{api}', there is nothing to convert in '{source}': {why}.")
        seen: dict[str, str] = {}
        for old, new in kept.items():
            if seen.setdefault(new, old) != old:
                raise ValueError(
                    f"For '{api}', two parameters of '{source}' would get one name: expected different names, received "
                    f"'{new}' for '{seen[new]}' and for '{old}'."
                )
        write = safetensors_file.write if target.endswith(".safetensors") else codec.write
        values = ((new, _turned(reader.read(old), (axes or {}).get(old))) for old, new in kept.items())
        write(
            target,
            of_bytes(f"writing {os.path.basename(target)}", values, os.path.getsize(source)),
            api=api,
            crc_check=crc_check,
        )
    return renamed


def _turned(value: Any, order: tuple[int, ...] | None) -> Any:
    return value if order is None else np.ascontiguousarray(value.transpose(order))


@faces("train train.serialization")
def ckpt_to_safetensors(file_path, save_path=None, name_map=None, file_name_regex=None, processes_num=1):
    """Convert `.ckpt` files to safetensors.

    Args:
        file_path: a file, or a directory with subdirectories `rank...` that hold the files.
        save_path: the directory to write to, made if need be; by default each file's own.
        name_map: dict of parameter name to new name; other names stay.
        file_name_regex: convert only files whose name this pattern is found in.
        processes_num: how many files of a directory to convert at a time (in threads).

    Raises:
        ValueError: wrong path, suffix, `save_path` or `name_map`; a damaged file; nothing to convert.
        TypeError: the file holds a string, which safetensors cannot.

    >>> import os, tempfile
    >>> from ms_compat import Tensor, ckpt_to_safetensors, save_checkpoint
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_checkpoint({"w": Tensor([1.0])}, os.path.join(folder, "a.ckpt"))
    ...     ckpt_to_safetensors(os.path.join(folder, "a.ckpt"))
    ...     sorted(os.listdir(folder))
    ['a.ckpt', 'a.safetensors']
    """
    _convert(
        "ckpt_to_safetensors", (".ckpt", ".safetensors"), file_path, save_path, name_map, file_name_regex, processes_num
    )


@faces("train train.serialization")
def safetensors_to_ckpt(file_path, save_path=None, name_map=None, file_name_regex=None, processes_num=1):
    """Convert safetensors files to `.ckpt`.

    Args:
        file_path: a file, or a directory with subdirectories `rank...` that hold the files.
        save_path: the directory to write to, made if need be; by default each file's own.
        name_map: dict of parameter name to new name; other names stay.
        file_name_regex: convert only files whose name this pattern is found in.
        processes_num: how many files of a directory to convert at a time (in threads).

    Raises:
        ValueError: wrong path, suffix, `save_path` or `name_map`; a damaged file; nothing to convert.

    >>> import os, tempfile
    >>> from ms_compat import Tensor, safetensors_to_ckpt, save_checkpoint
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_checkpoint({"w": Tensor([1.0])}, os.path.join(folder, "a.safetensors"), format="safetensors")
    ...     safetensors_to_ckpt(os.path.join(folder, "a.safetensors"))
    ...     sorted(os.listdir(folder))
    ['a.ckpt', 'a.safetensors']
    """
    _convert(
        "safetensors_to_ckpt", (".safetensors", ".ckpt"), file_path, save_path, name_map, file_name_regex, processes_num
    )


def _convert(
    api: str, suffixes: tuple[str, str], path: Any, save_path: Any, name_map: Any, regex: Any, count: Any
) -> None:
    if not isinstance(path, (str, os.PathLike)) or not os.path.exists(path):
        raise ValueError(
            f"For '{api}', the 'file_path' must be an existing file or directory, but got {value_and_type(path)}."
        )
    check_type(api, "save_path", save_path, (str, os.PathLike, type(None)))
    if save_path is not None and os.path.splitext(save_path)[1]:
        raise ValueError(f"For '{api}', the 'save_path' must be a directory, but got {value_and_type(save_path)}.")
    if name_map is not None and not isinstance(name_map, dict):
        raise ValueError(
            f"For '{api}', the 'name_map' must be a dict of str to str, but got {value_and_type(name_map)}."
        )
    check_int(api, "processes_num", count)
    path = os.fspath(path)
    tasks = _of_directory if os.path.isdir(path) else _of_file
    jobs = tasks(api, path, save_path, suffixes, None if regex is None else re.compile(regex))

    def rename(reader: CkptReader | SafetensorsReader | TorchReader) -> dict[str, str | None]:
        return {name: (name_map or {}).get(name, name) for name in reader.names}

    for _, target in jobs:
        os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
    with ThreadPoolExecutor(max(count, 1)) as pool:
        for done in [pool.submit(convert_file, source, target, rename, api=api) for source, target in jobs]:
            done.result()


def _of_file(api: str, path: str, save_path: str | None, suffixes: tuple[str, str], regex: re.Pattern | None) -> list:
    if not path.endswith(suffixes[0]):
        raise ValueError(f"For '{api}', the 'file_path' must end in '{suffixes[0]}', but got {value_and_type(path)}.")
    if regex is not None and not regex.search(path):
        raise ValueError(f"For '{api}', the 'file_name_regex' {regex.pattern!r} must match the file name '{path}'.")
    return [(path, os.path.join(save_path or os.path.dirname(path), _renamed(os.path.basename(path), suffixes)))]


def _of_directory(
    api: str, path: str, save_path: str | None, suffixes: tuple[str, str], regex: re.Pattern | None
) -> list:
    ranks = sorted(entry.name for entry in os.scandir(path) if entry.is_dir() and entry.name.startswith("rank"))
    if not ranks:
        raise ValueError(
            f"For '{api}', the directory 'file_path' must hold directories whose names begin with 'rank', but '{path}' "
            "holds none. Give the path of a file to convert one file."
        )
    jobs = []
    for rank in ranks:
        for name in sorted(os.listdir(os.path.join(path, rank))):
            if name.endswith(suffixes[0]) and (regex is None or regex.search(name)):
                target = os.path.join(save_path or path, rank, _renamed(name, suffixes))
                jobs.append((os.path.join(path, rank, name), target))
    return jobs


def _renamed(name: str, suffixes: tuple[str, str]) -> str:
    return name.removesuffix(suffixes[0]) + suffixes[1]
