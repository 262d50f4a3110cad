"""What files of parameters hold, whatever their format: names, shapes, dtypes, bytes, and the values on demand.

The first bytes determine the format where they are clear (PyTorch's zip files are often called `.ckpt`, too), otherwise
the suffix does.
"""

from __future__ import annotations

import collections
import contextlib
import functools
import json
import math
import os
import subprocess
import sys
import tokenize
import zipfile
from collections.abc import Callable, Iterator
from typing import IO, Any, NamedTuple

import numpy as np

from ms_compat._core.diagnostics.extras import needed
from ms_compat._core.errors import UnsupportedError
from ms_compat._formats.archive import damage_as_value_error
from ms_compat._formats.checkpoint.codec import CkptReader
from ms_compat._formats.checkpoint.safetensors_file import SafetensorsReader
from ms_compat._formats.checkpoint.torch_zip import TorchReader
from ms_compat._formats.downloads import check_download
from ms_compat._formats.protobuf import wire

_MOST_UNPACKED = 8  # how many bytes a byte of a packed file may expand to, if the values are to be read
_FREE_BYTES = 1 << 24


_KNOWN = ".ckpt, .safetensors, .mindir, .onnx, .stablehlo, .npz, .npy"


class StoredArray(NamedTuple):
    """One parameter.

    Attributes:
        name: as the file has it.
        dtype: such as "float32"; "str" for a text.
        shape: empty for a number.
        read: gives the values; None where they cannot be read, for which `note` says why.
        note: what else is to be said.
        is_constant: whether it belongs to the graph, as a mask does, and not to the weights.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    nbytes: int
    read: Callable[[], np.ndarray] | None = None
    note: str = ""
    is_constant: bool = False


class Contents(NamedTuple):
    """A file: its format, its parameters, and what it says beside them."""

    format: str
    entries: list[StoredArray]
    more: dict[str, Any]


@contextlib.contextmanager
def opened(path: str) -> Iterator[Contents]:
    """Opens a checkpoint, a graph, or a file of arrays, whose values are read while it is open.

    Raises:
        ValueError, RuntimeError, OSError: it is empty, damaged, encrypted, or of another kind.
    """
    with open(path, "rb") as file:
        head = file.read(6)
    if not head:
        raise ValueError(f"'{path}' is empty")
    check_download(path)
    with contextlib.ExitStack() as stack:
        yield _kind(path, head)(path, stack)


def _kind(path: str, head: bytes) -> Callable[[str, contextlib.ExitStack], Contents]:
    suffix = os.path.splitext(path)[1].lower()
    if head.startswith(b"PK\3\4") or head.startswith(b"PK\5\6"):
        with damage_as_value_error(), zipfile.ZipFile(path) as opened_zip:
            torch = any(name.endswith("/data.pkl") for name in opened_zip.namelist())
        return _torch if torch else _npz
    if head == b"\x93NUMPY":
        return _npy
    found = {".safetensors": _safetensors, ".ckpt": _ckpt, ".mindir": _mindir, ".onnx": _onnx,
             ".stablehlo": _stablehlo}.get(suffix)  # fmt: skip
    if found is not None:
        return found
    if head[:1] == b"\x80":
        raise ValueError(f"'{path}' is a pickle, which can hold programs: save it anew with PyTorch 1.6 or newer")
    raise ValueError(f"'{path}' is none of {_KNOWN} and PyTorch's zip files")


def _of_reader(reader: Any, name: str, shape: tuple[int, ...], dtype: np.dtype) -> StoredArray:
    return StoredArray(name, str(dtype), shape, math.prod(shape) * dtype.itemsize, lambda: reader.read(name))


def _ckpt(path: str, stack: contextlib.ExitStack) -> Contents:
    reader = stack.enter_context(CkptReader(path, api="inspect"))
    entries = []
    for name, record in reader.records.items():
        size = sum(length for _, length in record.pieces)
        if record.is_map:
            entries.append(StoredArray(name, "map", (), size, None, "a hash table"))
        elif record.tensor_type == wire.STRING:
            entries.append(StoredArray(name, "str", (), size, None, repr(reader.read(name))[:60]))
        else:
            entries.append(_of_reader(reader, name, record.dims, np.dtype(wire.TYPES[record.tensor_type])))
    return Contents("MindSpore checkpoint", entries, {})


def _safetensors(path: str, stack: contextlib.ExitStack) -> Contents:
    reader = stack.enter_context(SafetensorsReader(path, api="inspect"))
    entries = []
    for name in reader.names:
        try:
            entries.append(_of_reader(reader, name, reader.shape(name), reader.dtype(name)))
        except UnsupportedError:
            kind, shape, (_, size) = reader._entries[name]
            entries.append(StoredArray(name, kind, shape, size, None, "a type that MindSpore does not have"))
    return Contents("safetensors", entries, {"metadata": reader.metadata} if reader.metadata else {})


def _torch(path: str, stack: contextlib.ExitStack) -> Contents:
    reader = stack.enter_context(TorchReader(path))
    entries = [_of_reader(reader, name, reader.shape(name), reader.dtype(name)) for name in reader.names]
    more = {"left out, as they are objects": ", ".join(reader.others)[:200]} if reader.others else {}
    return Contents("PyTorch zip file", entries, more)


def _mindir(path: str, stack: contextlib.ExitStack) -> Contents:
    from ms_compat._formats.mindir.reading import load

    graph = load(path)
    entries = []
    for stored in graph._parameters.values():
        value = stored.value
        read = functools.partial(np.asarray, value)
        entries.append(StoredArray(stored.name, str(value.dtype), value.shape, value.nbytes, read))
    counts = collections.Counter(
        node.operation.name for held in graph._graphs.values() for node in held.nodes if node.operation is not None
    )
    more = {"graphs": len(graph._graphs), "operations": dict(counts.most_common())}
    return Contents("MindIR", entries, more)


def _onnx(path: str, stack: contextlib.ExitStack) -> Contents:
    onnx = _needed_to_read("onnx", "onnx")
    try:
        return _of_onnx(onnx, onnx.load(path))
    except (OSError, onnx.checker.ValidationError):
        raise
    except Exception as error:  # protobuf's own classes, which differ by version, and what damaged tensors raise
        raise ValueError(f"'{path}' must be an ONNX file, but it cannot be read: {error}") from error


def _of_onnx(onnx: Any, model: Any) -> Contents:
    entries = []

    def enter(held: Any, name: str, is_constant: bool) -> None:
        value = onnx.numpy_helper.to_array(held)
        read, note = functools.partial(np.asarray, value), "constant" if is_constant else ""
        entries.append(StoredArray(name, str(value.dtype), value.shape, value.nbytes, read, note, is_constant))

    counts: collections.Counter[str] = collections.Counter()
    graphs = [model.graph]
    while graphs:
        graph = graphs.pop()
        for held in graph.initializer:
            enter(held, held.name, held.name.startswith("/"))  # names of weights have no slash before them
        for node in graph.node:
            counts[node.op_type] += 1
            for attribute in node.attribute:
                graphs += [attribute.g] if attribute.HasField("g") else []
                if node.op_type == "Constant" and attribute.HasField("t"):
                    enter(attribute.t, node.output[0], True)
    stored = {entry.name for entry in entries}
    more = {
        "inputs": {value.name: _type_of(onnx, value) for value in model.graph.input if value.name not in stored},
        "outputs": {value.name: _type_of(onnx, value) for value in model.graph.output},
        "operators": {entry.domain or "ai.onnx": entry.version for entry in model.opset_import},
        "operations": dict(counts.most_common()),
    }
    return Contents("ONNX", entries, more)


def _type_of(onnx: Any, value: Any) -> str:
    """The type and shape of an input or output, with the names of its open sizes."""
    tensor = value.type.tensor_type
    sizes = [dim.dim_param or (str(dim.dim_value) if dim.HasField("dim_value") else "?") for dim in tensor.shape.dim]
    return f"{onnx.TensorProto.DataType.Name(tensor.elem_type).lower()}[{', '.join(sizes)}]"


def _stablehlo(path: str, stack: contextlib.ExitStack) -> Contents:
    _needed_to_read("flatbuffers", "stablehlo")
    from jax import export

    with open(path, "rb") as file:
        data = file.read()
    try:
        return _of_artifact(export.deserialize(bytearray(data)), data)
    except Exception as error:  # flatbuffers reads places out of the file, and XLA its operations: many classes
        raise ValueError(f"'{path}' must be an artifact of jax.export, but it cannot be read: {error}") from error


# Runs in a process of its own: XLA's reader of operations ends its process on some damaged files.
_COUNT_OPERATIONS = r"""
import collections, json, re, sys
from jax import export
text = export.deserialize(bytearray(sys.stdin.buffer.read())).mlir_module()
operations = re.findall(r"(?<![#!\w])(?:stablehlo|chlo)\.[a-z_]+", text)
print(json.dumps(dict(collections.Counter(operations).most_common())))
"""


def _operations_of(data: bytes) -> dict[str, int]:
    """How often an artifact of jax.export has each operation."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", _COUNT_OPERATIONS],
        input=data,
        capture_output=True,
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
    )
    if done.returncode:
        raise ValueError("XLA cannot read its operations")
    return json.loads(done.stdout)


def _of_artifact(exported: Any, data: bytes) -> Contents:
    import jax

    inputs = jax.tree.unflatten(exported.in_tree, exported.in_avals)[0]
    weights = inputs[0] if inputs and isinstance(inputs[0], dict) else {}
    entries = []
    for name, aval in weights.items():
        dtype = np.dtype(aval.dtype)
        size = math.prod(aval.shape) * dtype.itemsize
        entries.append(StoredArray(name, str(dtype), aval.shape, size, None, "in the safetensors file beside it"))
    others = jax.tree.leaves(inputs[1:] if weights else inputs)
    more = {
        "inputs": {str(index): aval.str_short() for index, aval in enumerate(others)},
        "outputs": {str(index): aval.str_short() for index, aval in enumerate(exported.out_avals)},
        "platforms": ", ".join(exported.platforms),
        "derivatives": exported.has_vjp(),
        "operations": _operations_of(data),
    }
    return Contents("StableHLO", entries, more)


def _needed_to_read(module: str, extra: str) -> Any:
    try:
        return needed(module, extra, "reading it")
    except ImportError as error:  # as a fault of the file, so that commands show one line
        raise ValueError(str(error).removesuffix(".")) from error


def _npz(path: str, stack: contextlib.ExitStack) -> Contents:
    with damage_as_value_error():
        held = stack.enter_context(zipfile.ZipFile(path))
    left = _FREE_BYTES + _MOST_UNPACKED * os.path.getsize(path)
    entries = []
    for info in held.infolist():
        if not info.filename.endswith(".npy"):
            raise ValueError(f"'{path}' must hold arrays alone, but holds '{info.filename:.60}'")
        with damage_as_value_error(), held.open(info) as file:
            entry = _array(file, info.filename[:-4], info.file_size, functools.partial(held.open, info))
        left -= entry.nbytes
        if left < 0:  # a few bytes of a packed file may expand to any number of zeros
            entry = entry._replace(read=None, note="too large for statistics of a packed file")
        entries.append(entry)
    return Contents("NumPy arrays", entries, {})


def _npy(path: str, stack: contextlib.ExitStack) -> Contents:
    with open(path, "rb") as file:
        return Contents("NumPy array", [_array(file, "", os.path.getsize(path), lambda: open(path, "rb"))], {})


def _array(file: IO[bytes], name: str, size: int, again: Callable[[], IO[bytes]]) -> StoredArray:
    try:
        version = np.lib.format.read_magic(file)
        header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, dtype = header(file)
    except (SyntaxError, tokenize.TokenError, EOFError, MemoryError, RecursionError, TypeError) as error:
        raise ValueError(f"the array '{name}' cannot be read: {error}") from error
    if dtype.hasobject:
        return StoredArray(name, "object", shape, size, None, "Python objects, which are not read")
    nbytes = math.prod(shape) * dtype.itemsize
    if file.tell() + nbytes > size:
        raise ValueError(f"the array '{name}' of shape {shape} has only {size} bytes")

    def read() -> np.ndarray:
        with damage_as_value_error(), again() as opened_again:
            return np.lib.format.read_array(opened_again, allow_pickle=False)

    numeric = dtype.kind in "biufc"
    return StoredArray(name, str(dtype), shape, nbytes, read if numeric else None, "" if numeric else "no numbers")
