"""MindIR files as messages: the rule for their names, and `load_mindir` and `save_mindir`."""

from __future__ import annotations

import errno
import os
import re
from typing import Any

from ms_compat._core.errors import check_type, value_error
from ms_compat._core.faces import faces
from ms_compat._formats.atomic import READ_ONLY, replaced
from ms_compat._formats.mindir.schema import ModelProto

SUFFIX = ".mindir"
_NAME = re.compile(r"^[0-9a-zA-Z@\_\-\.\:\/\\]+$")


def checked_path(api: str, name: Any) -> str:
    """The full path of a file name.

    Raises:
        TypeError: it is not a string.
        ValueError: it names a directory, or has other characters than MindSpore takes.
    """
    check_type(api, "file_name", name, str)
    if name.endswith(("\\", "/")):
        raise ValueError(f"For '{api}', the 'file_name' must name a file, but got the directory {name!r}.")
    if not _NAME.match(name):
        raise value_error(api, "file_name", "a path of letters, digits and @ _ - . : / \\", name)
    return os.path.realpath(name)


def make_directory(path: str) -> None:
    """Make the directory of a file, for its owner only, if it is missing."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)


def write(path: str, data: bytes) -> None:
    """Put a file into its place whole, readable by its owner only."""
    if os.path.islink(os.path.realpath(path)):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
    with replaced(path, READ_ONLY) as temporary, open(temporary, "wb") as file:
        file.write(data)


@faces("train.serialization")
def load_mindir(file_name):
    """Read a MindIR file as a message, whose fields can be looked at and changed; `mindspore.load` runs it instead.

    Args:
        file_name (str): the file.

    Returns:
        ModelProto.

    Raises:
        TypeError: `file_name` is not a string.
        ValueError: there is no such file, or it is not a MindIR file.

    >>> import tempfile
    >>> import ms_compat as ms
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ms.export(ms.nn.ReLU(), ms.Tensor([1.0]), file_name=f"{folder}/a", file_format="MINDIR")
    ...     model = ms.load_mindir(f"{folder}/a.mindir")
    ...     model.user_info["version"] = "2"
    ...     ms.save_mindir(model, f"{folder}/b")
    ...     ms.load_mindir(f"{folder}/b.mindir").user_info["version"]
    '2'
    """
    path = checked_path("load_mindir", file_name)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise ValueError(f"For 'load_mindir', the 'file_name' must be a file that can be read: {error}.") from error
    model = ModelProto()
    model.parse(data, api="load_mindir", path=path)
    return model


@faces("train.serialization")
def save_mindir(model, file_name):
    """Write a message as a MindIR file; see `load_mindir`.

    Args:
        model (ModelProto): the message.
        file_name (str): the file; ".mindir" is appended if it is missing.

    Raises:
        TypeError: `model` is not a ModelProto, or `file_name` not a string.
        ValueError: `file_name` is not a name for a file.
    """
    path = checked_path("save_mindir", file_name)
    check_type("save_mindir", "model", model, ModelProto)
    path = path.removesuffix(SUFFIX) + SUFFIX
    make_directory(path)
    write(path, model.SerializeToString())
