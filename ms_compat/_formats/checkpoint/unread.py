"""Parameters of a large checkpoint file whose values are read when they are first used.

`load_checkpoint` keeps such a file open. A memory map would need no copy only where the contents are aligned to 64
bytes, which other programs' files are not, and it would end the process if the file became shorter. So a value is read
from the open file into its own array: a write to it cannot reach the file, and a file that was replaced or deleted
meanwhile can still be read. A file that was changed in place raises an error.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterable
from typing import Any, NamedTuple

import jax
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.jax_compat import adopted, eval_context
from ms_compat._core.tensor import _new
from ms_compat._core.tensor.parameter import Parameter, _unflatten
from ms_compat._core.trace import concurrency
from ms_compat._formats.checkpoint import arrays, reading

# Smaller files are read at once: they take little time, and each file that is kept open takes a descriptor.
MIN_BYTES = 64 << 20
# Windows cannot replace or delete a file that is open.
_SUPPORTED = os.name != "nt" and hasattr(os, "preadv")


class Contents(NamedTuple):
    """Where a parameter's value is in a file, and what it is."""

    dtype: np.dtype
    shape: tuple[int, ...]
    pieces: tuple[tuple[int, int], ...]


class KeptFile:
    """A file that stays open as long as a value of it may be read.

    Args:
        handle: a descriptor of the file; this object uses a duplicate.
        path: the file's name, for errors.
        api: the API to name in errors.
    """

    def __init__(self, handle: int, *, path: str, api: str):
        self.path, self.api = path, api
        self._handle = os.dup(handle)
        weakref.finalize(self, os.close, self._handle).atexit = False
        self._state = self._now()

    def _now(self) -> tuple[int, int]:
        found = os.fstat(self._handle)
        return found.st_size, found.st_mtime_ns

    def read(self, wanted: list[tuple[str, Contents]]) -> list[np.ndarray]:
        """The values of some parameters; ValueError if the file was changed since it was opened."""
        pieces = [contents.pieces for _, contents in wanted]
        found = reading.read_all(self._handle, pieces, api=self.api, path=self.path)
        if self._now() != self._state:
            raise ValueError(
                f"For '{self.api}', the file '{self.path}' was changed after it was loaded, and before the value of "
                f"'{wanted[0][0]}' was first used. Load it again, and replace files by renaming, as 'save_checkpoint' "
                "does."
            )
        return [
            arrays.as_type(raw, contents.dtype, contents.shape, name, api=self.api, path=self.path)
            for (name, contents), raw in zip(wanted, found, strict=True)
        ]


class UnreadParameter(Parameter):
    """A Parameter whose value is still in a file. It becomes a plain Parameter when the value is read or replaced."""

    @property
    def _v(self) -> Any:
        with concurrency.holding():  # two threads may come here; both must get one array
            waiting = self.__dict__.get("_waiting")
            if waiting is not None:
                file, contents = waiting
                _read([self], file)
            return self.__dict__["_v"]

    @_v.setter
    def _v(self, value: Any) -> None:
        attributes = self.__dict__
        attributes["_v"] = value
        attributes.pop("_waiting", None)
        self.__class__ = Parameter  # type: ignore[assignment]

    @property
    def shape(self) -> tuple[int, ...]:
        waiting = self.__dict__.get("_waiting")
        return self._v.shape if waiting is None else waiting[1].shape

    @property
    def dtype(self) -> mstype.Type:
        waiting = self.__dict__.get("_waiting")
        return mstype._FROM_NUMPY[self._v.dtype if waiting is None else waiting[1].dtype]


jax.tree_util.register_pytree_node(UnreadParameter, lambda p: ((p._v,), None), _unflatten)


def _read(parameters: list[UnreadParameter], file: KeptFile) -> None:
    found = file.read([(parameter.name, parameter.__dict__["_waiting"][1]) for parameter in parameters])
    with eval_context():  # the first use may be inside a trace
        for parameter, value in zip(parameters, found, strict=True):
            parameter._v = adopted(value)


def _unread(parameters: Iterable[Parameter]) -> list[UnreadParameter]:
    return [parameter for parameter in parameters if isinstance(parameter, UnreadParameter)]


def read_now(parameters: Iterable[Parameter]) -> None:
    """Read the values that are still in files, in several threads, as the caller needs them all.

    Raises:
        ValueError: if a file was changed after it was loaded.
    """
    waiting: dict[KeptFile, dict[UnreadParameter, reading.Pieces]] = {}
    for parameter in parameters:
        with concurrency.holding():
            if isinstance(parameter, UnreadParameter):
                file, contents = parameter.__dict__["_waiting"]
                waiting.setdefault(file, {})[parameter] = contents.pieces
    for file, found in waiting.items():
        for window in reading.windows(found.items()):
            with concurrency.holding():  # another thread may have read some, or replaced them
                left = _unread(parameter for parameter, _ in window)
                if left:
                    _read(left, file)


def parameter(name: str, file: KeptFile, contents: Contents) -> Parameter:
    """A Parameter whose value is read at its first use."""
    made = _new(UnreadParameter)
    made.__dict__["_waiting"] = (file, contents)
    made.name = name
    return made


def kept(file: Any, *, path: str, api: str) -> KeptFile | None:
    """The open file for later reads; None if all of it should be read now."""
    if not _SUPPORTED or not hasattr(file, "fileno") or os.path.getsize(path) < MIN_BYTES:
        return None
    try:
        handle = file.fileno()
    except OSError:  # a decrypted file in memory
        return None
    return KeptFile(handle, path=path, api=api)
