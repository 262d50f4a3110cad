"""Argument checks that saving and loading share: MindSpore's exception classes, each rule in one place."""

from __future__ import annotations

import os
from typing import Any

from ms_compat._core.checks import check_choice
from ms_compat._core.errors import check_type, type_error, value_and_type, value_error

FORMATS = ("ckpt", "safetensors")


def checked_format(api: str, format: Any) -> str:
    """`format`, if it is one of FORMATS; MindSpore raises ValueError for a wrong type as well."""
    check_choice(api, "format", format, FORMATS)
    return format


def instance(api: str, argument: str, value: Any, *types: type) -> Any:
    """`value`, if it has one of the types; ValueError otherwise, which is MindSpore's class for these arguments."""
    if not isinstance(value, types):
        names = " or ".join("None" if t is type(None) else t.__name__ for t in types)
        raise value_error(api, argument, names, value)
    return value


def no_encryption(api: str, key_argument: str, key: Any, mode_argument: str, mode: str) -> None:
    """Refuse a key or a mode for the safetensors format, which has no encryption."""
    for argument, value, default in ((key_argument, key, None), (mode_argument, mode, "AES-GCM")):
        if value != default:
            shown = "a key" if argument == key_argument else repr(value)
            raise ValueError(
                f"For '{api}', format 'safetensors' has no encryption: '{argument}' must be {default!r}, but got "
                f"{shown}. Use format 'ckpt'."
            )


def file_to_read(api: str, name: Any, format: str) -> str:
    """The full path of an existing file whose suffix is the format's.

    Raises:
        TypeError: if `name` is not a string.
        ValueError: for another suffix, or if there is no such file.
    """
    check_type(api, "ckpt_file_name", name, str)
    if not name.endswith("." + format):
        other = next((f for f in FORMATS if name.endswith("." + f)), None)
        hint = f" Pass format='{other}'." if other else ""
        raise ValueError(
            f"For '{api}', the 'ckpt_file_name' must end in '.{format}', as format='{format}' says, but got "
            f"{name!r}.{hint}"
        )
    path = os.path.realpath(name)
    if not os.path.isfile(path):
        found = "a directory" if os.path.isdir(path) else "nothing"
        raise ValueError(f"For '{api}', the 'ckpt_file_name' must be an existing file, but at '{path}' is {found}.")
    return path


def file_to_write(api: str, name: Any, format: str) -> str:
    """The full path of a file to write, with the format's suffix, in an existing directory.

    Raises:
        TypeError: if `name` is not a string.
        IsADirectoryError: if it names a directory.
        FileNotFoundError: if its directory does not exist.
    """
    check_type(api, "ckpt_file_name", name, str)
    path = os.path.realpath(name)
    if not os.path.isdir(path) and not path.endswith("." + format):
        path = f"{path}.{format}"
    if os.path.isdir(path):
        raise IsADirectoryError(f"For '{api}', the 'ckpt_file_name' must name a file, but '{path}' is a directory.")
    if not os.path.isdir(os.path.dirname(path)):
        raise FileNotFoundError(
            f"For '{api}', the directory of 'ckpt_file_name' must exist, but there is no '{os.path.dirname(path)}'."
        )
    return path


def prefixes(api: str, argument: str, value: Any) -> tuple[str, ...]:
    """`filter_prefix` or `specify_prefix` as a tuple, empty for None."""
    if value is None:
        return ()
    if not isinstance(value, (str, list, tuple)):
        raise type_error(api, argument, "str, list of str or tuple of str", value)
    found = (value,) if isinstance(value, str) else tuple(value)
    if not found:
        raise ValueError(f"For '{api}', the '{argument}' must not be an empty {type(value).__name__}.")
    for index, prefix in enumerate(found):
        if not isinstance(prefix, str):
            raise TypeError(
                f"For '{api}', the '{argument}' at index {index} must be str, but got {value_and_type(prefix)}."
            )
        if not prefix:
            raise ValueError(f"For '{api}', the '{argument}' must not hold an empty string.")
    return found
