"""Variables of MATLAB's files of version 5: SciPy reads them, after their structure was checked here.

SciPy trusts what a file says of itself: a field of a wrong type ends the process, and the positions in a sparse matrix
are written to without a check. So each element's type, size and counts are compared with the bytes that are there.
The format is in MathWorks' "MAT-File Format", chapter 1.
"""

from __future__ import annotations

import inspect
import math
import os
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ms_compat._core.untrusted import damaged, reading

_FREE_BYTES = 1 << 24
_MOST_UNPACKED = 3  # bytes for each byte of a packed file; photographs have less than two
_CHUNK = 1 << 16
_HEADER = 128
_DEEPEST = 20
# types of elements
_INT8, _INT32, _UINT32, _MATRIX, _PACKED = 1, 5, 6, 14, 15
_DTYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
_TEXT = {1, 2, 3, 4, 16, 17, 18}  # of characters: bytes, UTF-8, UTF-16, UTF-32
# classes of arrays
_CELL, _STRUCT, _CHAR, _SPARSE = 1, 2, 4, 5
_NUMERIC = range(6, 16)
_COMPLEX = 0x0800


def read_variables(api: str, path: str, names: Sequence[str]) -> dict[str, Any]:
    """Read variables of a MATLAB file, as `scipy.io.loadmat` gives them.

    Raises:
        RuntimeError: if the file is damaged, has another version or no such variable.
    """
    from scipy.io import loadmat, matlab

    try:
        with reading(api, path):
            _check(path)
            found = loadmat(path, variable_names=list(names), **_options(loadmat))
            return {name: found[name] for name in names}
    except (OSError, NameError, MemoryError, NotImplementedError, matlab.MatReadError) as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise  # the system's own
        raise damaged(api, path, f"it must be a MATLAB file: {error}") from error


def _options(loadmat: Callable) -> dict[str, Any]:
    """Choose sparse arrays, by an argument without which newer SciPy warns, and which older SciPy lacks."""
    return {"spmatrix": False} if "spmatrix" in inspect.signature(loadmat).parameters else {}


def _check(path: str) -> None:
    """Raise ValueError if an element of the file is not what it says, or unpacks to much more than its size."""
    size = os.path.getsize(path)
    left = most = _FREE_BYTES + _MOST_UNPACKED * size
    with open(path, "rb") as file:
        header = file.read(_HEADER)
        order: Any = {b"\1\0MI": "big", b"\0\1IM": "little"}.get(header[124:])
        if order is None:
            raise ValueError("it must be a MATLAB file of version 5")
        while len(tag := file.read(8)) == 8:
            kind, length = (int.from_bytes(part, order) for part in (tag[:4], tag[4:]))
            end = file.tell() + length
            if end > size:
                raise ValueError("it ends within an element")
            if kind == _PACKED:
                head, whole = _unpacked(file, end, left, order)
                left -= whole
                if left < 0:
                    raise ValueError(f"it unpacks to more than {most} bytes")
            else:
                head, whole = tag + file.read(_CHUNK if kind == _MATRIX else 0), 8 + length
                if kind == _MATRIX and not _is_plain(head, order):
                    head += file.read(max(end - file.tell(), 0))
            if kind in (_PACKED, _MATRIX):
                _Elements(head, whole, order).top()
            file.seek(end)


def _unpacked(file: Any, end: int, left: int, order: Any) -> tuple[bytes, int]:
    """The unpacked bytes of an element, the first of them if it is an array of numbers, and their number."""
    unpack, whole = zlib.decompressobj(), 0
    parts: list[bytes] = []
    while not unpack.eof and whole <= left:
        packed = unpack.unconsumed_tail or file.read(min(_CHUNK, max(end - file.tell(), 0)))
        part = unpack.decompress(packed, _CHUNK)
        if not packed and not part:
            raise ValueError("it ends within a packed element")
        whole += len(part)
        if not parts or not _is_plain(parts[0], order):
            parts.append(part)
    return b"".join(parts), whole


def _is_plain(head: bytes, order: Any) -> bool:
    """Whether an element is an array of real numbers, whose first bytes tell its structure."""
    flags = int.from_bytes(head[16:20], order)
    return flags & 0xFF in _NUMERIC and not flags & _COMPLEX


class _Elements:
    """The elements of a MATLAB file's variable.

    Args:
        data: its bytes, or the first of them.
        whole: how many bytes it has.
        order: "little" or "big".
    """

    def __init__(self, data: bytes, whole: int, order: Any) -> None:
        self.data, self.whole, self.order = data, whole, order

    def number(self, at: int) -> int:
        if at + 4 > len(self.data):
            raise ValueError("it ends within an element")
        return int.from_bytes(self.data[at : at + 4], self.order)

    def tag(self, at: int, end: int) -> tuple[int, int, int, int]:
        """An element's type, the place and the number of its bytes, and the place of the next one."""
        kind, size = self.number(at), 0
        if kind >> 16:  # the short form: four bytes or less beside the type
            kind, size, start, following = kind & 0xFFFF, kind >> 16, at + 4, at + 8
            if size > 4:
                raise ValueError(f"it has a short element of {size} bytes")
        else:
            size, start = self.number(at + 4), at + 8
            following = start + size + -size % 8
        if start + size > end:
            raise ValueError("an element is longer than what holds it")
        return kind, start, size, following

    def numbers(self, at: int, end: int, kinds: Sequence[int]) -> tuple[np.ndarray, int]:
        """Numbers whose type must be one of these, and where the next element begins."""
        kind, start, size, following = self.tag(at, end)
        if kind not in kinds or size % np.dtype(_DTYPES[kind]).itemsize or start + size > len(self.data):
            raise ValueError(f"it has numbers of type {kind} in {size} bytes")
        dtype = np.dtype(_DTYPES[kind]).newbyteorder("<" if self.order == "little" else ">")
        return np.frombuffer(self.data, dtype, size // dtype.itemsize, start), following

    def count(self, at: int, end: int) -> tuple[int, int]:
        """How many numbers an element has, which may be behind `data`, and the place of the next one."""
        kind, _, size, following = self.tag(at, end)
        if kind not in _DTYPES or size % np.dtype(_DTYPES[kind]).itemsize:
            raise ValueError(f"it has numbers of type {kind} in {size} bytes")
        return size // np.dtype(_DTYPES[kind]).itemsize, following

    def top(self) -> None:
        """Check the variable itself."""
        kind, start, size, _ = self.tag(0, self.whole)
        if kind != _MATRIX:
            raise ValueError(f"a variable has type {kind}")
        self.array(start, start + size, 0)

    def array(self, at: int, end: int, depth: int) -> None:
        """Check an array, and what it holds."""
        if depth > _DEEPEST:
            raise ValueError(f"it is nested more than {_DEEPEST} times")
        if at == end:
            return  # an empty cell
        flags, at = self.numbers(at, end, (_UINT32,))
        shape, at = self.numbers(at, end, (_INT32,))
        if len(flags) != 2 or not 2 <= len(shape) <= 32 or min(shape) < 0:
            raise ValueError(f"an array has {len(flags)} flags and shape {shape.tolist()}")
        _, at = self.numbers(at, end, (_INT8,))
        count, kind = math.prod(shape.tolist()), int(flags[0]) & 0xFF
        parts = 2 if flags[0] & _COMPLEX else 1
        if kind in _NUMERIC:
            self.values(at, end, count, parts)
        elif kind == _CHAR:
            self.text(at, end, count)
        elif kind == _SPARSE:
            self.sparse(at, end, shape.tolist(), parts)
        elif kind == _CELL:
            self.arrays(at, end, count, depth)
        elif kind == _STRUCT:
            names, at = self.names(at, end)
            self.arrays(at, end, count * names, depth)
        else:
            raise ValueError(f"an array of class {kind} is not read")

    def values(self, at: int, end: int, count: int, parts: int) -> None:
        """Check an array's numbers: the real parts, and the imaginary ones if there are two parts."""
        for _ in range(parts):
            held, at = self.count(at, end)
            if held != count:
                raise ValueError(f"an array of {count} numbers has {held}")

    def text(self, at: int, end: int, count: int) -> None:
        """Check a text."""
        kind, _, size, _ = self.tag(at, end)
        if kind not in _TEXT or count > max(size, 1):
            raise ValueError(f"a text of {count} characters has {size} bytes")

    def names(self, at: int, end: int) -> tuple[int, int]:
        """How many fields a structure has, and where they begin."""
        length, at = self.numbers(at, end, (_INT32,))
        names, at = self.numbers(at, end, (_INT8,))
        if len(length) != 1 or length[0] < 1 or len(names) % length[0]:
            raise ValueError("the names of a structure's fields have no length")
        return len(names) // int(length[0]), at

    def arrays(self, at: int, end: int, count: int, depth: int) -> None:
        """Check the arrays that a cell or a structure holds."""
        if count * 8 > end - at:
            raise ValueError(f"{count} arrays cannot be in {end - at} bytes")
        for _ in range(count):
            kind, start, size, at = self.tag(at, end)
            if kind != _MATRIX:
                raise ValueError(f"a cell has type {kind}")
            self.array(start, start + size, depth + 1)

    def sparse(self, at: int, end: int, shape: list[int], parts: int) -> None:
        """Check a sparse matrix: its rows, where its columns begin, its values."""
        places, at = self.numbers(at, end, (_INT32, _UINT32))
        starts, at = self.numbers(at, end, (_INT32, _UINT32))
        values = [self.count(at, end)]
        for _ in range(1, parts):
            values.append(self.count(values[-1][1], end))
        wrong = (
            len(shape) != 2
            or math.prod(shape) > _FREE_BYTES
            or len(starts) < shape[1] + 1
            or starts[0] != 0
            or (np.diff(starts.astype(np.int64)) < 0).any()
            or starts[shape[1]] > min(len(places), *(held for held, _ in values))
            or (places < 0).any()
            or (places >= shape[0]).any()
        )
        if wrong:
            raise ValueError(f"a sparse matrix of shape {shape} has places outside")
