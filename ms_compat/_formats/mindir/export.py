"""`mindspore.export`: its arguments, and the files it writes."""

from __future__ import annotations

import io
import logging
import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.errors import UnsupportedError, check_type, value_error
from ms_compat._core.faces import faces
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._formats import crypto
from ms_compat._formats.atomic import READ_ONLY, replaced
from ms_compat._formats.checkpoint.arrays import as_bytes
from ms_compat._formats.mindir.files import SUFFIX, checked_path, make_directory, write
from ms_compat._formats.mindir.schema import ModelProto

_API = "export"
_FORMATS = ["AIR", "ONNX", "MINDIR"]
TOGETHER_BYTES = 1 << 30  # Parameters with more bytes go into separate files
DATA_FILE_BYTES = 1 << 40
_ALIGNED = 64
logger = logging.getLogger("ms_compat")


@faces("train train.serialization")
def export(net, *inputs, file_name, file_format, **kwargs):
    """Write a net as a MindIR file, which MindSpore, MindSpore Lite and `mindspore.load` run without its Python.

    The net is traced as GRAPH_MODE does, in the phase that its `set_train` says; what it computes of constants alone is
    computed once. The batch, which is the first axis of the first Tensor and of all others with as many rows, stays
    open where the net allows it: the file serves other batches, too, and `x.shape[0]` is the size that it meets, where
    MindSpore writes the number. Unknown sizes (`Tensor(shape=[None, 3], dtype=...)`) always stay open, those
    on first axes as one. Loops whose number of iterations is known are written out; of a condition on Tensors both
    branches are computed. The graph changes the Parameters that the net changes (moving means in training). If the
    bytes of the Parameters are more than 1 GiB, `<name>_graph.mindir` and the directory `<name>_variables` are written.

    Departures: where MindSpore writes its own primitives, such as BatchNorm or Softmax, the file holds the elementary
    ones that this package computes with, so its nodes differ from MindSpore's and its results do not. What
    becomes of NaN in Maximum, Minimum, ReLU, Sign and Sort, and of numbers outside the range of the type they
    are cast to, depends on the kernels that run the file. Prints are left out, with a warning.

    Args:
        net (Union[Cell, function]): what to write.
        inputs (Union[Tensor, tuple, list, Dataset, None, number]): what `net` is called with, by position. Tensors and
            tuples or lists of them are the graph's inputs, everything else is a constant. One Dataset stands for its
            column "image".
        file_name (str): the file; ".mindir" is appended if it is missing. It is left readable by its owner only.
        file_format (str): "MINDIR".
        kwargs: `enc_key` (bytes of 16, 24 or 32) and `enc_mode` ("AES-GCM", the default, "AES-CBC", "SM4-CBC", or a
            function of the bytes and the key) encrypt the files; `dataset` (Dataset) must have no operations, whose
            form in the file is MindSpore's own; `custom_func` is called with the message (`mind_ir_pb2.ModelProto`)
            before it is written; `incremental` is for hash tables, which do not exist here.

    Raises:
        ValueError: `file_format`, `file_name`, `enc_key` or `enc_mode` is not one of those.
        TypeError: `file_name` is not a string.
        RuntimeError: `net` is neither a Cell nor a function, or an input is a numpy array.
        NotImplementedError: `obf_func`, which MindSpore no longer has.
        UnsupportedError: AIR and ONNX; an operation without counterpart among MindSpore's primitives, a loop whose
            length depends on a Tensor, random numbers, and a net that compares an unknown size with another.

    >>> import tempfile, os
    >>> import ms_compat as ms
    >>> net = ms.nn.Dense(3, 2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ms.export(net, ms.ops.ones((4, 3)), file_name=f"{folder}/dense", file_format="MINDIR")
    ...     os.listdir(folder)
    ['dense.mindir']
    """
    if "obf_func" in kwargs:
        raise NotImplementedError("For 'export', 'obf_func' is no longer supported: MindSpore removed it.")
    check_choice(_API, "file_format", file_format, _FORMATS)
    path = checked_path(_API, file_name)
    inputs = _of_dataset(inputs, kwargs.get("dataset"))
    encrypt = _encryption(file_format, kwargs) if "enc_key" in kwargs else None
    custom = kwargs.get("custom_func")
    if file_format != "MINDIR":
        if custom is not None:
            raise ValueError(f"For 'export', 'custom_func' is for the format MINDIR only, but got {file_format}.")
        raise UnsupportedError(
            f"mindspore.export(file_format={file_format!r})",
            "Export file_format='MINDIR', and convert that file where MindSpore runs"
            + (" on Ascend." if file_format == "AIR" else "; or pass ms_compat.interop.jax.pure(net) to jax.export."),
        )
    known = ("enc_key", "enc_mode", "dataset", "custom_func")
    no_effect("export", "MindSpore 2.10 does not read it", **{k: v for k, v in kwargs.items() if k not in known})
    from ms_compat._formats.mindir.tracing import graph_of

    model, arrays = graph_of(net, inputs)
    if custom is not None:
        custom(model)
    _write(model, arrays, path, encrypt)


# -- data sets ---------------------------------------------------------------------------------------------------------
def _of_dataset(inputs: tuple[Any, ...], given: Any) -> tuple[Any, ...]:
    """The inputs; a Tensor of its column "image" if they are a Dataset."""
    from ms_compat.dataset._base.dataset import Dataset

    if given is not None:
        check_type(_API, "dataset", given, Dataset)
        _without_preprocessing(given)
    if not inputs or not all(isinstance(value, Dataset) for value in inputs):
        return inputs
    if len(inputs) != 1:
        raise RuntimeError(f"For 'export', one Dataset can be written, but got {len(inputs)}.")
    from ms_compat._core.tensor import Tensor

    (data,) = inputs
    _without_preprocessing(data)
    columns = list(zip(data.get_col_names(), data.output_shapes(), data.output_types(), strict=True))
    images = tuple(Tensor(np.zeros(shape, dtype)) for column, shape, dtype in columns if column == "image")
    if not images:
        names = [column for column, _, _ in columns]
        raise RuntimeError(f"For 'export', the Dataset needs a column 'image', but it has {names}.")
    return images


def _without_preprocessing(data: Any) -> None:
    """Raise UnsupportedError if a Dataset has operations, which MindSpore writes into the file in its own form."""
    nodes = [data.to_json()]
    while nodes:
        node = nodes.pop()
        if node["op_type"] == "MapDataset":
            raise UnsupportedError(
                "mindspore.export of a Dataset with operations ('map')",
                "Export with a Tensor of the shape that the net gets, and preprocess where the file is used.",
            )
        nodes.extend(node["children"])


# -- encryption --------------------------------------------------------------------------------------------------------
def _encryption(file_format: str, kwargs: dict[str, Any]) -> Callable[[bytes], bytes]:
    """What encrypts the content of a file."""
    key, mode = kwargs["enc_key"], kwargs.get("enc_mode", "AES-GCM")
    if not isinstance(key, bytes):
        raise value_error(_API, "enc_key", "bytes", key)
    if callable(mode):
        return lambda data: mode(data, key)
    if not isinstance(mode, str):
        raise value_error(_API, "enc_mode", "str or a function", mode)
    if file_format != "MINDIR":
        raise ValueError(f"For 'export', the format {file_format} takes a function as 'enc_mode', but got {mode!r}.")
    crypto.check_key(key, mode, api=_API, key_argument="enc_key", mode_argument="enc_mode")

    def encrypt(data: bytes) -> bytes:
        out = io.BytesIO()
        with crypto.Encryptor(out, key, mode, api=_API) as sink:
            sink.write(data)
        return out.getvalue()

    return encrypt


# -- files -------------------------------------------------------------------------------------------------------------
def _write(
    model: ModelProto, arrays: dict[str, np.ndarray], path: str, encrypt: Callable[[bytes], bytes] | None
) -> None:
    base = path.removesuffix(SUFFIX)
    make_directory(path)
    named = [(proto.name.partition(":")[2], proto) for proto in model.graph.parameter]
    if sum(array.nbytes for array in arrays.values()) <= TOGETHER_BYTES:
        for name, proto in named:
            proto.raw_data = bytes(as_bytes(arrays[name]))
        _put_graph(base + SUFFIX, model, encrypt)
        return
    logger.warning("export: the Parameters have more than 1 GiB and are written next to the graph.")
    folder = base + "_variables"
    if os.path.exists(folder):
        shutil.rmtree(folder)
    os.makedirs(folder, mode=0o700)
    for number, group in enumerate(_data_files(sorted(named, key=lambda pair: pair[0]), arrays)):
        location = os.path.join(os.path.basename(folder), f"data_{number}")
        _put_data(os.path.join(folder, f"data_{number}"), location, group, arrays, encrypt)
    _put_graph(f"{base}_graph{SUFFIX}", model, encrypt)


def _put_graph(path: str, model: ModelProto, encrypt: Callable[[bytes], bytes] | None) -> None:
    data = model.SerializeToString()
    write(path, encrypt(data) if encrypt else data)


def _data_files(named: list[tuple[str, Any]], arrays: dict[str, np.ndarray]) -> Iterator[list[tuple[str, Any]]]:
    """Parameters by the file they go into."""
    group: list[tuple[str, Any]] = []
    size = _ALIGNED
    for name, proto in named:
        more = _padded(arrays[name].nbytes)
        if group and size + more > DATA_FILE_BYTES:
            yield group
            group, size = [], _ALIGNED
        group.append((name, proto))
        size += more
    yield group


def _padded(count: int) -> int:
    return -(-count // _ALIGNED) * _ALIGNED


def _put_data(
    path: str, location: str, group: list, arrays: dict[str, np.ndarray], encrypt: Callable[[bytes], bytes] | None
) -> None:
    """A file of Parameters: 64 bytes, the first of which says that numbers are little-endian, then each one's bytes,
    filled up to a multiple of 64 and encrypted on its own."""
    offset = _ALIGNED
    with replaced(path, READ_ONLY) as temporary, open(temporary, "wb") as file:
        head = b"\1" + bytes(_ALIGNED - 1)
        file.write(encrypt(head) if encrypt else head)
        for name, proto in group:
            raw = bytes(as_bytes(arrays[name]))
            proto.external_data.location = location
            proto.external_data.length = len(raw)
            proto.external_data.offset = offset
            raw += bytes(_padded(len(raw)) - len(raw))
            offset += len(raw)
            file.write(encrypt(raw) if encrypt else raw)
