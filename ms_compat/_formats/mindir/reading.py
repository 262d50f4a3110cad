"""`mindspore.load`: a `.mindir` file becomes a `FuncGraph`.

A file is one `ModelProto`. Its nodes come in the order of their execution, and name what they take: inputs of their
graph, nodes before them, constants, Parameters, graphs. Parameters' bytes are in the message, or, for large
nets, in files of the folder `<name>_variables` beside it. All that is checked here, so that a graph that was loaded
can be run. Like MindSpore, this raises RuntimeError for all errors in a file's content.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.errors import UnsupportedError, value_and_type
from ms_compat._core.faces import faces
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._formats import crypto
from ms_compat._formats.mindir import cost, values
from ms_compat._formats.mindir.files import SUFFIX
from ms_compat._formats.mindir.graphs import FuncGraph, Graph, Node, Operation, StoredParameter
from ms_compat._formats.mindir.schema import GraphProto, ModelProto, NodeProto, PrimitiveProto, TensorProto

MAX_FILE_BYTES = 1 << 31  # protobuf's own bound of a message
_REFERENCE = "REF::"
_CONSTANT = "Constant"
_LITTLE_ENDIAN = b"\x01"


@faces("train train.serialization")
def load(file_name: str, **kwargs: Any) -> FuncGraph:
    """Read a `.mindir` file, for `mindspore.nn.GraphCell`.

    Args:
        file_name: the file; its name ends in ".mindir".
        kwargs: `dec_key`, the bytes that an encrypted file was written with (16, 24 or 32), and `dec_mode`, "AES-GCM"
            (the default), "AES-CBC", "SM4-CBC", or a function of the file's name and the key that returns the
            decrypted bytes. Other options have no effect.

    Returns:
        FuncGraph, the graph with its Parameters.

    Raises:
        ValueError: a name that is not a string or does not name such a file; a `dec_key` or `dec_mode` of a wrong type.
        RuntimeError: the file is damaged, or encrypted with another key or mode.
        NotImplementedError: `obf_func` is given; MindSpore has given up obfuscation.

    >>> import ms_compat as ms
    >>> ms.load("net.txt")
    Traceback (most recent call last):
    ValueError: For 'load', the 'file_name' must be a str that ends in '.mindir', but got 'net.txt' of type 'str'.
    """
    if "obf_func" in kwargs:
        raise NotImplementedError("For 'load', 'obf_func' is given, but graphs are not obfuscated any more.")
    if not isinstance(file_name, str) or not file_name.endswith(SUFFIX):
        raise ValueError(
            f"For 'load', the 'file_name' must be a str that ends in '{SUFFIX}', but got {value_and_type(file_name)}."
        )
    if not os.path.exists(file_name):
        raise ValueError(f"For 'load', there is no file '{file_name}'.")
    others = {name: value for name, value in kwargs.items() if name not in ("dec_key", "dec_mode")}
    no_effect("load", "MindSpore knows no such option and reads the file without it", **others)
    path = os.path.realpath(file_name)
    files = _Files(path, kwargs)
    try:
        model = ModelProto()
        model.parse(files.read(path), api="load", path=path)
        return _Reader(model, files).read()
    except (ValueError, RecursionError, OverflowError, LookupError, TypeError, AttributeError) as error:
        raise RuntimeError(f"For 'load', the MindIR file '{path}' cannot be read: {error}") from error


class _Files:
    """The bytes of the file, and of those beside it, decrypted if a key is given."""

    def __init__(self, path: str, options: dict[str, Any]):
        self.folder = os.path.dirname(path)
        self.has_key = "dec_key" in options
        self.key = options.get("dec_key")
        self.mode = options.get("dec_mode", "AES-GCM")
        self.parts: dict[str, bytes] = {}
        self.left: dict[str, int] = {}  # bytes of each part that no Parameter has yet
        if self.has_key and not isinstance(self.key, bytes):
            raise ValueError(f"For 'load', the 'dec_key' must be bytes, but got {type(self.key).__name__}.")
        if self.has_key and not (callable(self.mode) or isinstance(self.mode, str)):
            raise ValueError(
                f"For 'load', the 'dec_mode' must be a str or a function, but got {value_and_type(self.mode)}."
            )

    def read(self, path: str) -> bytes:
        """The plain bytes of one file."""
        if os.path.getsize(path) > MAX_FILE_BYTES:
            raise ValueError(f"'{path}' has more than {MAX_FILE_BYTES} bytes")
        with open(path, "rb") as file:
            found = crypto.detect(file.read(4))
            if self.has_key and not callable(self.mode):
                return crypto.decrypt_file(file, found, self.key, self.mode, api="load", path=path).getvalue()
            file.seek(0)
            data = file.read()
        if self.has_key:
            data = self.mode(path, self.key)
            if not isinstance(data, bytes):
                raise ValueError(f"the 'dec_mode' must return bytes, but returned {type(data).__name__}")
        elif found is not None:
            raise ValueError(f"'{path}' is encrypted with {found}: pass its 'dec_key' and 'dec_mode'")
        return data

    def beside(self, location: str) -> bytes:
        """A file with values of Parameters, in the folder of the graph or below; it is read once."""
        data = self.parts.get(location)
        if data is None:
            path = os.path.realpath(os.path.join(self.folder, location))
            if not path.startswith(os.path.join(self.folder, "")):
                raise ValueError(f"it places Parameters outside its folder, at '{location}'")
            if not os.path.isfile(path):
                raise ValueError(f"the file '{location}' with its Parameters is not there")
            data = self.parts[location] = self.read(path)
            self.left[location] = len(data)
            if data[:1] != _LITTLE_ENDIAN:
                raise ValueError(f"the Parameters in '{location}' are not little-endian")
        return data


class _Reader:
    """Decodes one model; every complaint is a ValueError."""

    def __init__(self, model: ModelProto, files: _Files):
        self.model = model
        self.files = files
        self.operations = {proto.name: self.operation(proto) for proto in model.primitives}

    def read(self) -> FuncGraph:
        if not self.model.HasField("graph") or not self.model.graph.output:
            raise ValueError("it holds no graph")
        if not self.model.little_endian:
            raise ValueError("its numbers are not little-endian")
        protos = [self.model.graph, *self.model.functions]
        names = [proto.name for proto in protos]
        if len(set(names)) != len(names):
            raise ValueError("two of its graphs have one name")
        if self.model.preprocessor.op:
            raise UnsupportedError("For 'load', the file holds operations of a dataset before the graph.")
        parameters: dict[str, StoredParameter] = {}
        for proto in protos:
            if proto.map_parameter:
                raise UnsupportedError("For 'load', the file holds hash tables (MapParameter), which are not served.")
            for tensor in proto.parameter:
                if tensor.name in parameters:
                    raise ValueError(f"two Parameters have the name '{tensor.name}'")
                parameters[tensor.name] = StoredParameter(self.plain_name(tensor), self.value(tensor))
        if len({stored.name for stored in parameters.values()}) != len(parameters):
            raise ValueError("two of its Parameters have one name")
        shared = {  # a graph may name constants of another
            node.output[0]: self.constant(node)
            for proto in protos
            for node in proto.node
            if node.op_type == _CONSTANT and node.output
        }
        known = {*names, *parameters, *shared}
        graphs = {proto.name: self.graph(proto, known, shared) for proto in protos}
        cost.check(names[0], graphs)
        return FuncGraph(graphs[names[0]], graphs, parameters)

    def operation(self, proto: PrimitiveProto) -> Operation:
        where = f"attribute '{{}}' of the primitive '{proto.op_type}'"
        return Operation(proto.op_type, {a.name: values.value_of(a, where.format(a.name)) for a in proto.attribute})

    @staticmethod
    def plain_name(tensor: TensorProto) -> str:
        """A Parameter's name in the program: "conv.weight" of the node name "12_3_Net_construct_4:conv.weight"."""
        return tensor.ref_key if tensor.HasField("ref_key") else tensor.name.rpartition(":")[2]

    def value(self, tensor: TensorProto) -> np.ndarray:
        what = f"the Parameter '{tensor.name}'"
        if not tensor.HasField("external_data"):
            return values.array_of(tensor, what)
        place = tensor.external_data
        data = self.files.beside(place.location)
        stop = place.offset + place.length
        if place.offset < 0 or place.length < 0 or stop > len(data):
            raise ValueError(f"{what} exceeds the {len(data)} bytes of '{place.location}'")
        self.files.left[place.location] -= place.length
        if self.files.left[place.location] < 0:  # many that share their bytes would make a small file large
            raise ValueError(f"its Parameters have more than the {len(data)} bytes of '{place.location}'")
        return values.array_of(tensor, what, data[place.offset : stop])

    def graph(self, proto: GraphProto, known: set[str], shared: dict[str, Any]) -> Graph:
        inputs = tuple([info.name for info in proto.input])
        constants: dict[str, Any] = {}
        nodes: list[Node] = []
        own = set(inputs)

        def is_there(name: str) -> bool:
            return name in own or name in known

        for node in proto.node:
            if len(node.output) != 1:
                raise ValueError(f"the node '{node.name}' must have one output, but has {len(node.output)}")
            if node.op_type == _CONSTANT:
                constants[node.output[0]] = self.constant(node)
            else:
                constants |= {name: shared[name] for name in node.input if name in shared and name not in constants}
                missing = [name for name in node.input if not is_there(name)]
                if missing:
                    raise ValueError(f"the node '{node.name}' takes '{missing[0]}', which no node before it gives")
                nodes.append(self.node(node, is_there))
            own.add(node.output[0])
        outputs = tuple([info.name for info in proto.output])
        for name in outputs:
            if name in shared:
                constants.setdefault(name, shared[name])
            elif not is_there(name):
                raise ValueError(f"the graph '{proto.name}' returns '{name}', which no node gives")
        return Graph(proto.name, inputs, tuple(nodes), outputs, constants)

    def constant(self, node: NodeProto) -> Any:
        if len(node.attribute) != 1:
            raise ValueError(f"the constant '{node.name}' has {len(node.attribute)} values")
        return values.value_of(node.attribute[0], f"the constant '{node.name}'")

    def node(self, node: NodeProto, is_there: Callable[[str], bool]) -> Node:
        if not node.op_type.startswith(_REFERENCE):
            if not self.model.mind_ir_version:
                raise UnsupportedError(
                    "The MindIR file is of a version before 1, whose nodes hold their attributes: load and export it "
                    "again with MindSpore 2."
                )
            raise ValueError(f"the node '{node.name}' has the unknown kind '{node.op_type}'")
        target = node.op_type[len(_REFERENCE) :]
        operation = self.operations.get(target)
        if operation is None and not is_there(target):
            raise ValueError(f"the node '{node.name}' calls '{target}', which is not there")
        return Node(node.output[0], tuple(node.input), operation, None if operation is not None else target)
