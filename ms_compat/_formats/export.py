"""`mindspore.export`: its arguments, and the choice of the format."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.errors import UnsupportedError, check_type, value_error
from ms_compat._core.faces import faces
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._formats import crypto
from ms_compat._formats.mindir.files import checked_path

_API = "export"
_FORMATS = ["AIR", "ONNX", "MINDIR"]


@faces("train train.serialization")
def export(net, *inputs, file_name, file_format, **kwargs):
    """Write a net as a MindIR or ONNX file, which runs without its Python.

    MindSpore, MindSpore Lite and `mindspore.load` run MindIR files. `mindspore.onnx.export` says what an ONNX file
    holds, and has more options. The rest is about MindIR.

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
        file_name (str): the file; ".mindir" or ".onnx" is appended if it is missing. It is left readable by its owner
            only.
        file_format (str): "MINDIR" or "ONNX".
        kwargs: `enc_key` (bytes of 16, 24 or 32) and `enc_mode` ("AES-GCM", the default, "AES-CBC", "SM4-CBC", or a
            function of the bytes and the key) encrypt the files; `dataset` (Dataset) must have no operations, whose
            form in the file is MindSpore's own; `custom_func` is called with the message (`mind_ir_pb2.ModelProto`)
            before it is written; `incremental` is for hash tables, which do not exist here.

    Raises:
        ValueError: `file_format`, `file_name`, `enc_key` or `enc_mode` is not one of those.
        TypeError: `file_name` is not a string.
        RuntimeError: `net` is neither a Cell nor a function, or an input is a numpy array.
        NotImplementedError: `obf_func`, which MindSpore no longer has.
        ImportError: ONNX, and the package `onnx` is not installed.
        UnsupportedError: AIR; an operation without counterpart among MindSpore's primitives, a loop whose
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
    if file_format != "MINDIR" and custom is not None:
        raise ValueError(f"For 'export', 'custom_func' is for the format MINDIR only, but got {file_format}.")
    if file_format == "AIR":
        raise UnsupportedError(
            "mindspore.export(file_format='AIR')",
            "Export file_format='MINDIR', and convert that file where MindSpore runs on Ascend.",
        )
    if file_format == "ONNX":
        from ms_compat._formats.onnx.export import export_readable_by_owner

        export_readable_by_owner(net, inputs, path, encrypt)
        return
    known = ("enc_key", "enc_mode", "dataset", "custom_func")
    no_effect("export", "MindSpore 2.10 does not read it", **{k: v for k, v in kwargs.items() if k not in known})
    from ms_compat._formats.mindir.export import write_model
    from ms_compat._formats.mindir.tracing import graph_of

    model, arrays = graph_of(net, inputs)
    if custom is not None:
        custom(model)
    write_model(model, arrays, path, encrypt)


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
