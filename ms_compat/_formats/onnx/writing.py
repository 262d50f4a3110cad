"""An ONNX graph under construction, with the interface that lowering rules use of MindIR's writer.

A rule calls a primitive of MindSpore by name; `operations.py` says which nodes that is in ONNX. Graphs inside nodes
(the bodies of `Loop`, `Scan` and `If`) are writers of their own, which see the values of the writers around them.
Initializers and sizes are in the outermost graph.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from ms_compat._core.jax_compat import is_symbolic_size
from ms_compat._formats.mindir.sizes import size_of_numbers
from ms_compat._formats.mindir.writing import Call, Ref
from ms_compat._formats.onnx.types import NoCounterpartError, computed_in, type_of

OPSET = 18  # the newest that ONNX Runtime 1.14, TensorRT 8.6 and OpenVINO 2023 read
IR_VERSION = 8  # of the format at that time
_SIZES = {"add": "Add", "mul": "Mul", "max": "Max", "min": "Min"}


class Sequence(NamedTuple):
    """Several tensors that one node takes."""

    items: tuple[Any, ...]


class _Node(NamedTuple):
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]  # also of the graphs in it
    proto: Any


class Asked(NamedTuple):
    """One call of a primitive: its inputs and attributes, and what it returns."""

    inputs: tuple[Any, ...]
    attributes: dict[str, Any]
    results: list[tuple[tuple[Any, ...], np.dtype]]  # the shape and dtype of each

    @property
    def shape(self) -> tuple[Any, ...]:
        """The shape of the only result."""
        return self.results[0][0]

    @property
    def dtype(self) -> np.dtype:
        """The dtype of the only result."""
        return self.results[0][1]


OPERATIONS: dict[str, Callable[[OnnxWriter, Asked], Any]] = {}


def operation(*names: str) -> Callable:
    """Enter a function into OPERATIONS."""

    def enter(fn: Callable) -> Callable:
        OPERATIONS.update(dict.fromkeys(names, fn))
        return fn

    return enter


class OnnxWriter:
    """Collects the nodes of one graph.

    Args:
        outer: the writer of the graph around this one; None for a model's own graph.
        names: what the symbols of sizes are called.

    >>> writer = OnnxWriter()
    >>> x = writer.input("x", (2,), np.float32)
    >>> model, _ = writer.model("double", [x], [writer.call("Add", (x, x), (2,), np.float32)], ["y"], {})
    >>> [node.op_type for node in model.graph.node]
    ['Add', 'Identity']
    """

    def __init__(self, outer: OnnxWriter | None = None, names: dict[str, str] | None = None):
        self._outer = outer
        self._root: OnnxWriter = self if outer is None else outer._root
        self._nodes: list[_Node] = []
        self._known: dict[Any, Any] = {}  # equal calls are written once
        self._names = names or {}
        self._count = itertools.count(1)
        self._constants: dict[str, np.ndarray] = {}
        self._sizes: dict[str, tuple[Ref, int]] = {}

    # -- what comes from outside -------------------------------------------------------------------------------------
    def input(self, name: str, shape: tuple[Any, ...], dtype: Any) -> Ref:
        """A tensor that the graph is called with."""
        return Ref(name, shape, dtype)

    def input_sequence(self, name: str, items: Any) -> list[Ref]:
        """The tensors of a tuple, as inputs of their own; `items` nests (shape, dtype) pairs in lists."""
        found: list[Ref] = []
        for index, item in enumerate(items):
            each = f"{name}_{index}"
            found += self.input_sequence(each, item) if isinstance(item, list) else [self.input(each, *item)]
        return found

    def parameter(self, name: str, shape: tuple[int, ...], dtype: Any) -> Ref:
        """A Parameter."""
        return Ref(name, shape, dtype)

    def inner(self) -> OnnxWriter:
        """A writer for a graph inside a node of this one."""
        return OnnxWriter(self)

    def fresh(self, op: str) -> str:
        """A name that no other value has."""
        return f"/{op}_{next(self._root._count)}"

    # -- values as inputs of nodes -----------------------------------------------------------------------------------
    def tensor(self, value: Any) -> Ref:
        """An array as an initializer; a Ref as it is."""
        if isinstance(value, Ref):
            return value
        value = np.ascontiguousarray(value).reshape(np.shape(value))
        digest = hashlib.sha256(value.view(np.uint8).data if value.size and value.ndim else value.tobytes()).digest()
        key = ("array", value.shape, value.dtype.name, digest)
        root = self._root
        if key not in root._known:
            name = root.fresh("Constant")
            root._constants[name] = value
            root._known[key] = Ref(name, value.shape, value.dtype)
        return root._known[key]

    def ints(self, values: Iterable[Any]) -> Ref:
        """Sizes as a tensor of one axis."""
        values = list(values)
        if not any(map(is_symbolic_size, values)):
            return self.tensor(np.asarray(values, np.int64))
        root, parts = self._root, []
        for is_open, group in itertools.groupby(values, is_symbolic_size):
            if is_open:
                parts += [root._once("Reshape", root.size(size), root.tensor(np.asarray([1]))) for size in group]
            else:
                parts.append(self.tensor(np.asarray(list(group), np.int64)))
        return parts[0] if len(parts) == 1 else root._once("Concat", *parts, axis=0)

    def size(self, size: Any) -> Ref:
        """A size as an Int64 tensor without axes."""
        if not is_symbolic_size(size):
            return self.tensor(np.asarray(size, np.int64))
        root = self._root
        symbols = {symbol: root._found(*place) for symbol, place in root._sizes.items()}
        return size_of_numbers(size, symbols, root._arithmetic)

    def find_sizes(self, places: dict[str, tuple[Ref, int]]) -> None:
        """Says where symbolic sizes are found: a tensor, and an axis of it."""
        self._sizes = places

    def _found(self, ref: Ref, axis: int) -> Ref:
        return self._once("Gather", self._once("Shape", ref), self.tensor(np.asarray(axis)), axis=0)

    def _arithmetic(self, operation: str, a: Any, b: Any) -> Ref:
        a, b = [value if isinstance(value, Ref) else self.tensor(np.asarray(value, np.int64)) for value in (a, b)]
        if operation == "mod":
            return self._once("Mod", a, b)
        if operation == "floordiv":  # ONNX's division cuts towards zero, so the rest is taken off first
            return self._once("Div", self._once("Sub", a, self._once("Mod", a, b)), b)
        return self._once(_SIZES[operation], a, b)

    def _once(self, op: str, *inputs: Ref, **attributes: Any) -> Ref:
        """An Int64 node of this graph, written at its first use."""
        key = ("size", op, tuple(ref.name for ref in inputs), repr(attributes))
        if key not in self._known:
            self._known[key] = self.node(op, inputs, np.int64, **attributes)
        return self._known[key]

    # -- nodes -------------------------------------------------------------------------------------------------------
    def node(
        self, op: str, data: Iterable[Any], dtype: Any, extra: Iterable[Any] = (), shape: Any = (), **attributes: Any
    ) -> Ref:
        """A node with one output, computed in a type that ONNX Runtime has for it.

        Args:
            op: ONNX's operator.
            data: the tensors that it computes with; arrays become initializers.
            dtype: of the output.
            extra: further inputs, which keep their types; None for one that is left out.
            shape: of the output, as far as it is needed.
            attributes: the operator's.
        """
        refs = [self.tensor(value) for value in data]
        own = next((ref.dtype for ref in refs if ref.dtype != np.bool_), refs[0].dtype if refs else np.dtype(dtype))
        wide = computed_in(op, own)
        dtype = np.dtype(dtype)
        if wide != own:
            refs = [ref if ref.dtype != own else self.cast(ref, wide) for ref in refs]
            if dtype == own:
                return self.cast(self._put(op, refs, wide, extra, shape, attributes), dtype)
        return self._put(op, refs, dtype, extra, shape, attributes)

    def cast(self, ref: Ref, dtype: Any) -> Ref:
        """Another type."""
        dtype = np.dtype(dtype)
        if ref.dtype == dtype:
            return ref
        return self._put("Cast", [ref], dtype, (), ref.shape, {"to": type_of(dtype)})

    def nodes(
        self,
        op: str,
        inputs: Iterable[Any],
        results: list[tuple[Any, Any]],
        graphs: Iterable[Any] = (),
        **attributes: Any,
    ) -> list[Ref]:
        """A node with several outputs, (shape, dtype) each; `graphs` are the values that graphs in it read."""
        refs = [Ref(self.fresh(op), *result) for result in results]
        self._append(op, [None if v is None else self.tensor(v) for v in inputs], refs, attributes, graphs)
        return refs

    def _put(self, op: str, refs: list[Ref], dtype: Any, extra: Iterable[Any], shape: Any, attributes: dict) -> Ref:
        out = Ref(self.fresh(op), shape, dtype)
        more = [None if value is None else self.tensor(value) for value in extra]
        self._append(op, [*refs, *more], [out], attributes)
        return out

    def _append(
        self, op: str, inputs: list[Ref | None], outputs: list[Ref], attributes: dict, graphs: Iterable[str] = ()
    ) -> None:
        from onnx import helper

        for ref in outputs:
            type_of(ref.dtype)  # which raises where ONNX does not have it
        names = ["" if ref is None else ref.name for ref in inputs]
        outs = [ref.name for ref in outputs]
        proto = helper.make_node(op, names, outs, name=outs[0], **attributes)
        self._nodes.append(_Node(tuple(outs), (*names, *graphs), proto))

    # -- what rules call ---------------------------------------------------------------------------------------------
    def call(self, op: str, inputs: tuple[Any, ...], shape: tuple[Any, ...], dtype: Any, **attributes: Any) -> Ref:
        """Call a primitive of MindSpore that returns one tensor."""
        return self._called(op, Asked(inputs, attributes, [(tuple(shape), np.dtype(dtype))]))

    def call_many(self, op: str, inputs: tuple[Any, ...], results: list[tuple], **attributes: Any) -> list[Ref]:
        """Call a primitive of MindSpore that returns a tuple of tensors, (shape, dtype) each."""
        return self._called(op, Asked(inputs, attributes, [(shape, np.dtype(dtype)) for shape, dtype in results]))

    def sequence(self, items: tuple[Any, ...]) -> Sequence:
        """Several tensors as one input."""
        return Sequence(items)

    def _called(self, op: str, asked: Asked) -> Any:
        key = (op, *[self._key(value) for value in asked.inputs], repr(sorted(asked.attributes.items())))
        writer: OnnxWriter | None = self
        while writer is not None:
            if key in writer._known:
                return writer._known[key]
            writer = writer._outer
        if op not in OPERATIONS:
            raise NoCounterpartError(f"needs an operation that ONNX does not have ('{op}')")
        found = OPERATIONS[op](self, asked)
        if isinstance(found, Ref):
            found = Ref(found.name, *asked.results[0], Call(op, asked.inputs))
        self._known[key] = found
        return found

    def _key(self, value: Any) -> Any:
        if isinstance(value, Sequence):
            return tuple(self._key(item) for item in value.items)
        if isinstance(value, (Ref, np.ndarray)):
            return self.tensor(value).name
        return type(value).__name__, str(value)

    # -- the message -------------------------------------------------------------------------------------------------
    def graph(self, name: str, inputs: list[Ref], outputs: list[Any], output_names: list[str] | None = None) -> Any:
        """The graph that computes these values, with the nodes that they need, and no more.

        Returns:
            `(graph, names)`: the message, and the names of the values that it reads from around it.
        """
        from onnx import helper

        made = []
        for index, value in enumerate(outputs):
            ref = self.tensor(value)
            out = Ref(output_names[index] if output_names else self.fresh("output"), ref.shape, ref.dtype)
            self._append("Identity", [ref], [out], {})
            made.append(out)
        needed = {ref.name for ref in made}
        kept = []
        for node in reversed(self._nodes):
            if needed.intersection(node.outputs):
                kept.append(node)
                needed.update(node.inputs)
        inside = {name for node in kept for name in node.outputs} | {ref.name for ref in inputs} | {""}
        graph = helper.make_graph(
            [node.proto for node in reversed(kept)], name, [self.info(r) for r in inputs], [self.info(r) for r in made]
        )
        return graph, needed - inside

    def model(
        self,
        name: str,
        inputs: list[Ref],
        outputs: list[Any],
        output_names: list[str],
        arrays: dict[str, np.ndarray],
    ) -> tuple[Any, dict[str, np.ndarray]]:
        """The model's message without the bytes of the initializers, and these as arrays by their names."""
        from onnx import TensorProto, helper

        graph, free = self.graph(name, inputs, outputs, output_names)
        initializers = {key: value for key, value in {**arrays, **self._constants}.items() if key in free}
        for key, value in initializers.items():
            graph.initializer.append(TensorProto(name=key, dims=value.shape, data_type=type_of(value.dtype)))
        opsets = [helper.make_opsetid("", OPSET)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="ms_compat")
        return model, initializers

    def info(self, ref: Ref) -> Any:
        """The name and type of an input or output of a graph."""
        from onnx import helper

        return helper.make_tensor_value_info(ref.name, type_of(ref.dtype), [self._dim(size) for size in ref.shape])

    def _dim(self, size: Any) -> Any:
        if not is_symbolic_size(size):
            return int(size)
        names = self._root._names
        return re.sub(r"\bn\d+\b", lambda found: names.get(found[0], found[0]), str(size))
