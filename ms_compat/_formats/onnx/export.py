"""`mindspore.onnx.export`: its arguments, and the files it writes."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ms_compat._core.diagnostics.extras import needed
from ms_compat._core.errors import UnsupportedError, type_error, value_error
from ms_compat._core.tensor import Tensor
from ms_compat._formats.atomic import READ_ONLY, replaced
from ms_compat._formats.checkpoint.arrays import as_bytes
from ms_compat._formats.mindir.files import checked_path, make_directory
from ms_compat._formats.mindir.sizes import Place, free_sizes, opened, tensors_in
from ms_compat._formats.mindir.tracing import TracedNet, checked_inputs, with_free_sizes
from ms_compat._formats.onnx.rules import OnnxLowering
from ms_compat._formats.onnx.types import NoCounterpartError
from ms_compat._formats.onnx.writing import OnnxWriter
from ms_compat.nn.cell import Cell

SUFFIX = ".onnx"
MOST_TOGETHER = (1 << 31) - (1 << 24)  # bytes of initializers in one file: a message of protobuf has less than 2 GiB
_LEAST_APART = 1024  # bytes: smaller ones stay in the model, whose readers look at shapes before they read other files
_ALIGNED = 4096  # where arrays of another file begin, so that they can be mapped
_API = "mindspore.onnx.export"
logger = logging.getLogger("ms_compat")


def export(
    net,
    *inputs,
    file_name,
    input_names=None,
    output_names=None,
    export_params=True,
    keep_initializers_as_inputs=False,
    dynamic_axes=None,
):
    """Write a Cell as an ONNX file, which ONNX Runtime, TensorRT, OpenVINO and others run without Python.

    The Cell is traced as GRAPH_MODE does, in evaluation mode, which it leaves as it was. The file holds operators of
    `ai.onnx` 18 only. Parameters are initializers under their own names, and inputs have the names of `construct`'s
    arguments. Inputs have the sizes that the Tensors have, except where `dynamic_axes`, `net.set_inputs` or an input
    `Tensor(shape=[None, 3], dtype=...)` leaves them open; open first axes are one size, the batch, unless
    `dynamic_axes` names them differently. Loops become `Loop` or `Scan`, and conditions on Tensors `If`. Float16 is
    computed as such; each operation on BFloat16 is computed in Float32 and rounded, as JAX does on CPUs, since few
    runtimes have kernels for it. Initializers of 2 GB and more are written next to the file, as `<file_name>.data`.

    Departures: MindSpore writes one operator for a layer such as BatchNorm, this package the elementary ones that it
    computes with; the results are the same. The numbers that come from casting NaN, or what is out of a type's range,
    depend on the runtime. Prints are left out, with a warning.

    Needs the package `onnx` (`pip install ms-compat[onnx]`).

    Args:
        net (Cell): what to write.
        inputs (Union[Tensor, tuple, list, None, number]): what `net` is called with, by position. Tensors, and those in
            tuples and lists, are the graph's inputs, everything else is a constant.
        file_name (str): the file; ".onnx" is appended if it is missing.
        input_names (list): the names of the graph's inputs, in order. Default: None, the arguments' names.
        output_names (list): the names of its outputs. Default: None, "output", or "output_0", "output_1", ...
        export_params (bool): whether the file holds the Parameters; if not, they are inputs. Default: True.
        keep_initializers_as_inputs (bool): whether Parameters are inputs as well, whose defaults are in the file.
            Default: False.
        dynamic_axes (dict): the open sizes, `{input: {axis: name}}`; axes of one name have the same size. An output's
            axis is open if it comes from an open one, and may get a name here. Default: None.

    Raises:
        TypeError: `export_params` or `keep_initializers_as_inputs` is not a bool; more `inputs` than `net` takes.
        ValueError: `net` is not a Cell; `input_names` or `output_names` is not a list of as many names as there are,
            or has a name twice, or a Parameter's name; `dynamic_axes` is not such a dict.
        ImportError: the package `onnx` is not installed.
        UnsupportedError: an operation that ONNX does not have; random numbers; a net that changes Parameters, or
            compares an open size with another.

    >>> import tempfile
    >>> import ms_compat as ms
    >>> net = ms.nn.Dense(3, 2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ms.onnx.export(net, ms.ops.ones((4, 3)), file_name=f"{folder}/dense", dynamic_axes={"x": {0: "batch"}})
    ...     os.listdir(folder)
    ['dense.onnx']
    """
    _check_arguments(net, input_names, output_names, dynamic_axes)
    export_params = _flag("export_params", export_params)
    keep_initializers_as_inputs = _flag("keep_initializers_as_inputs", keep_initializers_as_inputs)
    path = checked_path("export", file_name).removesuffix(SUFFIX) + SUFFIX
    model, initializers = model_of(
        net, inputs, input_names, output_names, dynamic_axes, export_params, keep_initializers_as_inputs
    )
    write(model, initializers, path)


def _check_arguments(net: Any, input_names: Any, output_names: Any, dynamic_axes: Any) -> None:
    if not isinstance(net, Cell):
        raise value_error("export", "net", "a Cell", net)
    for argument, names in (("input_names", input_names), ("output_names", output_names)):
        if names is None:
            continue
        if not (isinstance(names, list) and all(isinstance(name, str) and name for name in names)):
            raise value_error("export", argument, "a list of str that are not empty", names)
        if len(set(names)) != len(names):
            raise value_error("export", argument, "a list of different names", names)
    axes = {} if dynamic_axes is None else dynamic_axes
    named = isinstance(axes, dict) and all(isinstance(of_input, dict) for of_input in axes.values())
    pairs = [pair for of_input in axes.values() for pair in of_input.items()] if named else []
    if not named or not all(
        isinstance(axis, int) and not isinstance(axis, bool) and isinstance(name, str) and name for axis, name in pairs
    ):
        raise value_error("export", "dynamic_axes", "as {input: {axis: name}}", dynamic_axes)


def _flag(argument: str, value: Any) -> bool:
    """A bool, for which MindSpore takes ints and None, too."""
    if value is not None and not isinstance(value, (int, np.bool_)):
        raise type_error("export", argument, "bool", value)
    return bool(value)


def model_of(
    net: Cell,
    inputs: tuple[Any, ...],
    input_names: list[str] | None = None,
    output_names: list[str] | None = None,
    dynamic_axes: dict[str, dict[int, str]] | None = None,
    export_params: bool = True,
    keep_initializers_as_inputs: bool = False,
) -> tuple[Any, dict[str, np.ndarray]]:
    """The model's message without the bytes of its initializers, and those as arrays; see `export`."""
    needed("onnx", "onnx", "Writing ONNX files")
    inputs = checked_inputs(net, inputs)
    names = _leaf_names(net, inputs)
    given = list(input_names or [])
    if given and len(given) != len(names):
        raise ValueError(f"For 'export', 'input_names' has {len(given)} names, but the graph has {len(names)} inputs.")
    names, dynamic_axes = given or names, dynamic_axes or {}
    open_axes = _open_axes(inputs, names, dynamic_axes)
    inputs, examples = opened(inputs, open_axes)
    of_outputs = {name: axes for name, axes in dynamic_axes.items() if name not in names}
    free = free_sizes(inputs, open_axes, open_batch=False, examples=examples)

    def built(traced: TracedNet) -> tuple[Any, dict[str, np.ndarray]]:
        return _model(traced, given, output_names, export_params, keep_initializers_as_inputs)

    with _evaluating(net):
        model, initializers = with_free_sizes(net, inputs, free, built)
    _name_sizes(model.graph.output, of_outputs, names)
    return model, initializers


@contextlib.contextmanager
def _evaluating(net: Cell) -> Iterator[None]:
    """Evaluation mode for a while, in every Cell of a net."""
    before = [(cell, cell.training) for _, cell in net.cells_and_names()]
    net.set_train(False)
    try:
        yield
    finally:
        for cell, training in before:
            cell.training = training


def _name_sizes(outputs: Any, axes: dict[str, dict[int, str]], inputs: list[str]) -> None:
    """Give open sizes of outputs their names."""
    by_name = {value.name: value.type.tensor_type.shape.dim for value in outputs}
    unknown = sorted(set(axes) - set(by_name))
    if unknown:
        raise ValueError(
            f"For 'export', 'dynamic_axes' names {unknown}, but the graph's inputs are {inputs} and its outputs "
            f"{list(by_name)}."
        )
    for output, named in axes.items():
        sizes = by_name[output]
        for axis, name in named.items():
            if not -len(sizes) <= axis < len(sizes) or not sizes[axis].dim_param:
                raise ValueError(
                    f"For 'export', 'dynamic_axes' names axis {axis} of the output '{output}', whose open axes are "
                    f"{[at for at, size in enumerate(sizes) if size.dim_param]}."
                )
            sizes[axis].dim_param = name


def _leaf_names(net: Cell, inputs: tuple[Any, ...]) -> list[str]:
    """The names of the graph's inputs, as `_model` gives them."""
    from ms_compat._formats.mindir.tracing import input_names

    found: list[str] = []

    def collect(name: str, value: Any) -> None:
        if isinstance(value, Tensor):
            found.append(name)
        elif isinstance(value, (tuple, list)):
            for index, item in enumerate(value):
                collect(f"{name}_{index}", item)

    named = input_names(net.construct, len(inputs))
    if len(named) != len(inputs):
        raise TypeError(f"For 'export', 'net' takes {len(named)} inputs, but got {len(inputs)}.")
    for name, value in zip(named, inputs, strict=True):
        collect(name, value)
    return found


def _open_axes(inputs: tuple[Any, ...], names: list[str], dynamic_axes: dict[str, dict[int, str]]) -> dict[Place, str]:
    """What `dynamic_axes` calls the inputs' sizes."""
    found: dict[Place, str] = {}
    for index, (name, tensor) in enumerate(zip(names, tensors_in(inputs), strict=True)):
        for axis, called in dynamic_axes.get(name, {}).items():
            if not -tensor.ndim <= axis < tensor.ndim:
                raise ValueError(f"For 'export', 'dynamic_axes' names axis {axis} of an input with {tensor.ndim} axes.")
            found[index, axis % tensor.ndim] = called
    return found


def _model(
    net: TracedNet, input_names: list[str], output_names: list[str] | None, export_params: bool, keep: bool
) -> tuple[Any, dict[str, np.ndarray]]:
    # The parts of a file in their order: inputs and their names, Parameters, operations, outputs, initializers.
    traced = net.traced
    if traced.changed:
        changed = ", ".join(net.candidates[index].name for index in traced.changed)
        raise UnsupportedError(
            f"{_API} of a net that changes Parameters ({changed})", "ONNX has no state: pass it in, and return it."
        )
    writer = OnnxWriter(names=dict(net.free.names) if net.free else None)
    values = net.input_values(writer)
    graph_inputs = list(values)
    if input_names:
        for ref, name in zip(values, input_names, strict=True):
            ref.name = name
    of_parameters = {t.name for t in net.used}
    for argument, given in (("input_names", input_names), ("output_names", output_names or [])):
        taken = sorted(of_parameters.intersection(given))
        if taken:
            raise ValueError(f"For 'export', '{argument}' has {taken}, which Parameters of the net are called.")
    if len({ref.name for ref in graph_inputs}.intersection(output_names or [])):
        raise value_error("export", "output_names", "other names than the inputs'", output_names)
    known = {id(t): writer.parameter(t.name, t.shape, t._v.dtype) for t in net.used}
    values += net.state_values(known)
    low = OnnxLowering(writer)
    outputs = [low.tensor(v) for v in low.run_closed(traced.closed, values)[: traced.output_count]]
    names = _output_names(output_names, len(outputs), {ref.name for ref in (*graph_inputs, *known.values())})
    arrays = {t.name: np.asarray(t._v) for t in net.used}
    try:
        model, initializers = writer.model(net.name, graph_inputs, outputs, names, arrays)
    except NoCounterpartError as error:
        raise UnsupportedError(f"{_API}: the net {error}", "Cast to a type that ONNX has.") from error
    for ref in known.values():
        if ref.name in initializers and (keep or not export_params):
            model.graph.input.append(writer.info(ref))
    if not export_params:
        kept = [proto for proto in model.graph.initializer if proto.name not in arrays]
        del model.graph.initializer[:]
        model.graph.initializer.extend(kept)
        initializers = {name: value for name, value in initializers.items() if name not in arrays}
    return model, initializers


def _output_names(given: list[str] | None, count: int, taken: set[str]) -> list[str]:
    if given:
        if len(given) != count:
            raise ValueError(f"For 'export', 'output_names' has {len(given)} names, but the graph has {count} outputs.")
        return given
    names = ["output"] if count == 1 else [f"output_{index}" for index in range(count)]
    return [name + "_of_graph" if name in taken else name for name in names]


def write(
    model: Any,
    initializers: dict[str, np.ndarray],
    path: str,
    encrypt: Callable[[bytes], bytes] | None = None,
    mode: int = 0o644,
) -> None:
    """Write a model; its initializers go into `<path>.data` where they are too large for one message.

    That file is removed where a model replaces another whose initializers it has.

    Args:
        model: the message.
        initializers: the arrays of its initializers, by name.
        path: the file.
        encrypt: what encrypts the file.
        mode: the mode of the files.

    Raises:
        UnsupportedError: an encrypted file of 2 GB or more.
    """
    make_directory(path)
    together = sum(array.nbytes for array in initializers.values()) <= MOST_TOGETHER
    for proto in model.graph.initializer:
        if together or initializers[proto.name].nbytes < _LEAST_APART:
            proto.raw_data = bytes(as_bytes(initializers[proto.name]))
    if not together and encrypt is not None:
        raise UnsupportedError("mindspore.export of an encrypted ONNX file of 2 GB or more", "Encrypt the files after.")
    if not together:
        logger.warning("export: the Parameters have 2 GB or more and are written to %s.data.", os.path.basename(path))
        apart = [proto for proto in model.graph.initializer if not proto.HasField("raw_data")]
        with replaced(path + ".data", mode) as temporary, open(temporary, "wb") as file:
            for proto in apart:
                _put_apart(proto, initializers[proto.name], file, os.path.basename(path) + ".data")
    data = model.SerializeToString()
    unread = together and _has_weights_apart(path)
    with replaced(path, mode) as temporary, open(temporary, "wb") as file:
        file.write(encrypt(data) if encrypt else data)
    if unread:
        os.remove(path + ".data")


def _has_weights_apart(path: str) -> bool:
    """Whether there is a model already whose weights are in the file beside it."""
    if not (os.path.isfile(path) and os.path.isfile(path + ".data")):
        return False
    with open(path, "rb") as file:
        return os.path.basename(path).encode() + b".data" in file.read()


def _put_apart(proto: Any, array: np.ndarray, file: Any, location: str) -> None:
    """Write an initializer into the file beside the model's, and say in its message where it is."""
    from onnx import TensorProto

    if array.nbytes >= _ALIGNED:
        file.write(bytes(-file.tell() % _ALIGNED))
    offset = file.tell()
    file.write(as_bytes(array))
    proto.data_location = TensorProto.EXTERNAL
    for key, value in (("location", location), ("offset", offset), ("length", array.nbytes)):
        proto.external_data.add(key=key, value=str(value))


def export_readable_by_owner(net: Any, inputs: tuple[Any, ...], path: str, encrypt: Any) -> None:
    """`mindspore.export(file_format="ONNX")`, which leaves the file readable by its owner only."""
    _check_arguments(net, None, None, None)
    model, initializers = model_of(net, inputs)
    write(model, initializers, path.removesuffix(SUFFIX) + SUFFIX, encrypt, READ_ONLY)
