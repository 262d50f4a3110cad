"""The files of ranks: where they are, and where they go."""

from __future__ import annotations

import glob
import logging
import os
import re

from ms_compat._core.errors import check_type
from ms_compat._core.untrusted import is_whole
from ms_compat._formats.checkpoint import arguments, codec, safetensors_file
from ms_compat._formats.checkpoint.convert import open_checkpoint
from ms_compat._formats.checkpoint.save import wait_for_saving

_LONGEST_PATH = 1024
_UNSAFE = (r"\.\.", r"//+", r"~", r"^\s*$", r"\./\.")
# How a file's name ends, by MindSpore's rules: what `file_suffix` may be -> the text before it.
_SUFFIXES = (
    (r"_\d+-\d+_\d+", ""),
    (r"\d+-\d+_\d+", "_"),
    (r"-\d+_\d+", ""),
    (r"\d+_\d+", "-"),
    (r"_\d+", ""),
    (r"\d+", "_"),
)

logger = logging.getLogger("ms_compat")


def directory(api: str, argument: str, path: str) -> str:
    """The full path of a directory, which is made if it is not there.

    Raises:
        TypeError: it is not a str.
        ValueError: it is blank or too long.
        NotADirectoryError: there is a file of that name.
    """
    check_type(api, argument, path, str)
    if not path.strip():
        raise ValueError(f"For '{api}', the '{argument}' must not be blank.")
    found = os.path.realpath(path)
    if len(found) > _LONGEST_PATH:
        raise ValueError(f"For '{api}', the '{argument}' must have at most {_LONGEST_PATH} characters.")
    if os.path.exists(found) and not os.path.isdir(found):
        raise NotADirectoryError(f"For '{api}', the '{argument}' {found} is a file, not a directory.")
    os.makedirs(found, mode=0o700, exist_ok=True)
    return found


def check_safe(api: str, argument: str, path: str) -> None:
    """Raise ValueError for a blank path, and for one with "..", "//" or "~" in it."""
    for pattern in _UNSAFE:
        if re.search(pattern, path):
            raise ValueError(f"For '{api}', the '{argument}' must be a plain path without '..', '//' or '~': {path!r}.")


def check_strategy_directory(api: str, argument: str, path: str | None) -> None:
    """Raise ValueError if the directory of a strategy file is not there."""
    if path and os.path.dirname(path) and not os.path.exists(os.path.dirname(path)):
        raise ValueError(f"For '{api}', there is no directory '{os.path.dirname(path)}' of the '{argument}'.")


def rank_files(api: str, folder: str, format: str, file_suffix: str | None = None) -> dict[int, str]:
    """The checkpoint of each rank, from the directories `rank_0`, `rank_1` and so on.

    If one has several files, the last counts, by the two last numbers in its name (epoch and step, as a rule), or the
    one that `file_suffix` names.

    Args:
        api: the API to name in errors.
        folder: the directory; a single safetensors file belongs to rank 0.
        format: "ckpt" or "safetensors".
        file_suffix: what the names end in before the dot, or None.

    Returns:
        dict of rank to path, in the order of ranks.

    Raises:
        ValueError: no file, or several, by that suffix.
    """
    if format == "safetensors" and os.path.isfile(folder) and folder.endswith("safetensors"):
        return {0: folder}
    found: dict[int, str] = {}
    for rank, path in rank_directories(folder):
        names = sorted(glob.glob(os.path.join(glob.escape(path), f"*{glob.escape(file_suffix or '')}.{format}")))
        if len(names) > 1:
            found[rank] = _chosen(api, names, file_suffix, format)
        elif names:
            found[rank] = names[0]
        elif file_suffix is not None:
            raise ValueError(f"For '{api}', there is no file '*{file_suffix}.{format}' in '{path}'.")
    return found


def rank_directories(folder: str) -> list[tuple[int, str]]:
    """(rank, path) of the directories `rank_<number>`, in the order of ranks."""
    found = []
    for path in glob.glob(os.path.join(glob.escape(folder), "rank_[0-9]*")):
        number = path.rpartition("rank_")[2]
        if os.path.isdir(path) and is_whole(number):
            found.append((int(number), path))
        else:
            logger.warning("'%s' is not the directory of a rank and is left out.", path)
    return sorted(found)


def last_file(folder: str, rank: int) -> str | None:
    """The last `.ckpt` of one rank by its name, None if there is none."""
    pattern = os.path.join(glob.escape(folder), f"rank_{rank}", "*.ckpt")
    names = [name for name in sorted(glob.glob(pattern)) if os.path.isfile(name)]
    return names[-1] if names else None


def _chosen(api: str, names: list[str], file_suffix: str | None, format: str) -> str:
    if file_suffix is None:
        return max(names, key=lambda name: [int(number) for number in re.findall(r"\d+", name)][-2:])
    for pattern, before in _SUFFIXES:
        if re.fullmatch(pattern, file_suffix):
            ending = f"{before}{file_suffix}.{format}"
            names = [name for name in names if name.endswith(ending)]
            if re.fullmatch(_SUFFIXES[0][0], before + file_suffix):
                names = [name for name in names if not name.endswith("rank" + ending)]
            shortest = min(map(len, map(os.path.basename, names)), default=0)
            found = [name for name in names if len(os.path.basename(name)) == shortest]
            if len(found) == 1:
                logger.warning("Several files end in '%s.%s'; '%s' is taken.", file_suffix, format, found[0])
                return found[0]
            names = found
            break
    raise ValueError(
        f"For '{api}', the 'file_suffix' {file_suffix!r} must name one file of each rank, but is found in {names}. "
        "Give the longest ending that the files of all ranks have in common."
    )


def read_all(path: str, *, api: str) -> dict:
    """Every value of a checkpoint, by its name: arrays, and str in a `.ckpt`."""
    wait_for_saving()
    with open_checkpoint(path, api=api) as reader:
        return {name: reader.read(name) for name in reader.names}


def write(path: str, values: dict, format: str, *, api: str, metadata: dict[str, str] | None = None) -> None:
    """Write a checkpoint of arrays by names; `metadata` are further entries of a safetensors file."""
    wait_for_saving()
    path = arguments.file_to_write(api, path, format)
    if format == "ckpt":
        codec.write(path, values.items(), api=api)
    else:
        safetensors_file.write(path, values.items(), api=api, metadata=metadata)
