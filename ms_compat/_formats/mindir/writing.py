"""A MindIR model under construction: nodes, constants and primitives by name, as MindSpore's loader expects them.

Every node is one call of a primitive. MindSpore declares a primitive in one of two ways, and the file says which: as a
function, whose arguments (constants too) are all inputs of the node, or as an object with attributes. `OBJECTS` lists
the second kind with the names of inputs and outputs that its kernels look up.
"""

from __future__ import annotations

import hashlib
import itertools
from typing import Any, NamedTuple

import numpy as np

from ms_compat._core.jax_compat import is_symbolic_size, size_at
from ms_compat._formats.mindir.schema import (
    IR_VERSION_WITH_SCALAR_GRAPH_HOLDER,
    AttributeProto,
    GraphProto,
    ModelProto,
    NodeProto,
    PrimitiveProto,
    SeqInfoProto,
    TensorProto,
    ValueInfoProto,
)
from ms_compat._formats.mindir.sizes import PRIMITIVES, size_of_numbers, whole
from ms_compat._formats.mindir.values import NUMBERS_OF_NUMPY, Monad, attribute_of

MODEL_VERSION = "2.10.0"  # of the MindSpore that defines the primitives used here

# primitive -> (names of its inputs, names of its outputs); all others are functions
OBJECTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "MakeTuple": ((), ()),
    "make_list": ((), ()),
    "TupleGetItem": ((), ()),
    "Depend": ((), ()),
    "Load": ((), ()),
    "TensorMove": ((), ()),
    "UpdateState": ((), ()),
    "AvgPool3D": (("input",), ("output",)),
    "BitwiseAnd": (("x1", "x2"), ("y",)),
    "BitwiseOr": (("x1", "x2"), ("y",)),
    "BitwiseXor": (("x1", "x2"), ("y",)),
    "Conv2D": (("x", "w"), ("output",)),
    "Conv2DTranspose": (("out_backprop", "filter", "input_sizes"), ("output",)),
    "Conv3D": (("x", "w"), ("output",)),
    "Conv3DTranspose": (("x", "filter"), ("output",)),
    "Digamma": (("input",), ("output",)),
    "Imag": (("input",), ("output",)),
    "Invert": (("x",), ("y",)),
    "Lgamma": (("x",), ("y",)),
    "MaxPool": (("x",), ("output",)),
    "MaxPool3D": (("x",), ("output",)),
    "MaxPoolGrad": (("x_origin", "out_origin", "grad"), ("output",)),
    "PadV3": (("x", "paddings", "constant_value"), ("y",)),
    "Rint": (("x",), ("output",)),
    "Sort": (("x",), ("y1", "y2")),
    "TensorScatterMax": (("input_x", "indices", "updates"), ("y",)),
    "TensorScatterMin": (("input_x", "indices", "updates"), ("y",)),
    "TensorScatterMul": (("input_x", "indices", "updates"), ("y",)),
    "TensorScatterUpdate": (("input_x", "indices", "updates"), ("y",)),
    "TruncateDiv": (("x", "y"), ("output",)),
    "TruncateMod": (("x", "y"), ("output",)),
}


class Call(NamedTuple):
    """How a result came to be: the primitive and what it was given."""

    op: str
    inputs: tuple[Any, ...]


class Ref:
    """A tensor of the graph: a Parameter, an input, or an output of a node."""

    __slots__ = ("call", "dtype", "name", "shape")

    def __init__(self, name: str, shape: tuple[int, ...], dtype: Any, call: Call | None = None):
        self.name, self.shape, self.dtype, self.call = name, tuple(whole(d) for d in shape), np.dtype(dtype), call

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __repr__(self) -> str:
        return f"Ref({self.name}, {self.shape}, {self.dtype})"


class Sequence:
    """A tuple or list of the graph, made of tensors, constants and further sequences."""

    def __init__(self, name: str, items: tuple[Any, ...], kind: str = "MakeTuple"):
        self.name, self.items, self.kind = name, items, kind


class Number:
    """An int that is known when the graph runs."""

    def __init__(self, name: str):
        self.name = name


class Token:
    """A point in the order of effects on memory."""

    def __init__(self, name: str):
        self.name = name


class Closure:
    """A graph with its first arguments, or one of several such (`graphs`), to be called."""

    def __init__(self, name: str, graphs: tuple[str, ...]):
        self.name, self.graphs = name, graphs


class _Node(NamedTuple):
    name: str
    op_type: str  # of the primitive; "" for a constant
    inputs: tuple[str, ...]
    attribute: AttributeProto  # the abstract of a call ("shape"), or the value of a constant
    primitive: str  # or the graph, or the node that gives a graph, which is called


class GraphWriter:
    """Collects a graph; `model` gives the finished message with what the outputs need, and no more.

    Args:
        name: of the graph.
        numbers: what the types of tensors say for symbolic sizes; -1, unknown, where it says nothing.
        around: the writer of the graph that calls this one.

    >>> writer = GraphWriter("double")
    >>> x = writer.input("x", (2,), np.float32)
    >>> y = writer.call("Add", (x, x), (2,), np.float32)
    >>> model = writer.model(y)
    >>> [node.op_type for node in model.graph.node], model.primitives[0].op_type
    (['REF::Add:1'], 'Add')
    """

    def __init__(self, name: str, numbers: dict[str, int] | None = None, around: GraphWriter | None = None):
        self.name = name
        self._numbers = numbers or {}
        self._sizes: dict[str, tuple[Ref, int]] = {}
        self._inputs: list[ValueInfoProto] = []
        self._parameters: dict[str, tuple[str, Ref]] = {}
        self._nodes: dict[str, _Node] = {}
        self._primitives: dict[Any, PrimitiveProto] = {}
        self._count = itertools.count(1)
        self._known: dict[Any, Any] = {}  # equal calls and constants are written once
        self._functions: dict[str, tuple[GraphProto, set[str]]] = {}  # the graphs that are called, and what they need
        self._around = around
        self.taken: dict[Ref, Ref] = {}  # tensors of the graph around -> the inputs that take them
        if around is not None:
            self._parameters, self._primitives, self._count = around._parameters, around._primitives, around._count
            self._functions, self._sizes = around._functions, around._sizes

    # -- what comes from outside -------------------------------------------------------------------------------------
    def input(self, name: str, shape: tuple[int, ...], dtype: Any) -> Ref:
        """A Tensor that the graph is called with."""
        ref = Ref(f"{self.name}:{name}", shape, dtype)
        self._inputs.append(ValueInfoProto(name=ref.name, tensor=[self._tensor_type(ref)]))
        return ref

    def input_sequence(self, name: str, items: Any) -> list[Ref]:
        """A tuple of Tensors that the graph is called with; `items` nests (shape, dtype) pairs in lists.

        Returns:
            The Tensors in their order.
        """
        info = ValueInfoProto(name=f"{self.name}:{name}", denotation="Tuple")
        leaves: list[Ref] = []
        whole = self._named(info.name, items)
        info.attr_info = self._abstract(whole)
        self._inputs.append(info)
        self._unpack(whole, leaves)
        return leaves

    def _named(self, name: str, item: Any) -> Any:
        if isinstance(item, list):
            return Sequence(name, tuple(self._named(self._next("TupleGetItem"), part) for part in item))
        return Ref(name, *item)

    def _unpack(self, whole: Sequence, leaves: list[Ref]) -> None:
        for index, item in enumerate(whole.items):
            self._add(item.name, "TupleGetItem", (whole.name, self.constant(index)), self._abstract(item, "shape"), {})
            if isinstance(item, Sequence):
                self._unpack(item, leaves)
            else:
                leaves.append(item)

    def parameter(self, name: str, shape: tuple[int, ...], dtype: Any) -> Ref:
        """A Parameter; its bytes are put into the finished message."""
        ref = Ref(f"{self.name}:{name}", shape, dtype)
        self._parameters[ref.name] = name, ref
        return ref

    # -- nodes -------------------------------------------------------------------------------------------------------
    def constant(self, value: Any) -> str:
        """The name of the node that holds a number, a text, a tuple, None or an array."""
        if isinstance(value, np.ndarray):
            value = np.ascontiguousarray(value).reshape(value.shape)
            digest = hashlib.sha256(value.data if value.size else b"").digest()
            key: tuple[Any, ...] = ("array", value.shape, value.dtype.str, digest)
        else:
            key = ("value", type(value), repr(value))
        if key not in self._known:
            name = f"ValueNode_{next(self._count)}"
            self._nodes[name] = _Node(name, "", (), attribute_of(value, "value"), "")
            self._known[key] = name
        return self._known[key]

    def call(self, op: str, inputs: tuple[Any, ...], shape: tuple[int, ...], dtype: Any, **attributes: Any) -> Ref:
        """Call a primitive that returns one tensor.

        Args:
            op: the primitive.
            inputs: Refs, Sequences, and constants in any form that `constant` takes.
            shape: the shape of the result.
            dtype: its numpy dtype.
            attributes: the primitive's.
        """
        return self._called(op, inputs, Ref("", shape, dtype), attributes)

    def call_many(self, op: str, inputs: tuple[Any, ...], results: list[tuple], **attributes: Any) -> list[Ref]:
        """Call a primitive that returns a tuple of tensors, (shape, dtype) each."""
        items = tuple(Ref("", *result) for result in results)
        whole = self._called(op, inputs, Sequence("", items), attributes)
        return [self.call("TupleGetItem", (whole, i), item.shape, item.dtype) for i, item in enumerate(items)]

    def sequence(self, items: tuple[Any, ...], kind: str = "MakeTuple") -> Sequence:
        """A tuple, or with the kind "make_list" a list, of Refs, Sequences and constants."""
        return self._called(kind, items, Sequence("", items, kind), {})

    def token(self, op: str, inputs: tuple[Any, ...]) -> Token:
        """Call a primitive that returns a token for the order of effects."""
        return self._called(op, inputs, Token(""), {})

    def same(self, op: str, inputs: tuple[Any, ...], like: Sequence, **attributes: Any) -> Sequence:
        """Call a primitive that returns a sequence like `like`."""
        return self._called(op, inputs, Sequence("", like.items, like.kind), attributes)

    def _called(self, op: str, inputs: tuple[Any, ...], result: Any, attributes: dict[str, Any]) -> Any:
        names = tuple(self._name_of(value) for value in inputs)
        key = (op, names, repr(sorted(attributes.items())))
        if key not in self._known:
            result.name = self._next(op)
            if isinstance(result, Ref):
                result.call = Call(op, inputs)
            self._add(result.name, op, names, self._abstract(result, "shape"), attributes)
            self._known[key] = result
        return self._known[key]

    def _name_of(self, value: Any) -> str:
        if is_symbolic_size(value):
            value = self.number(value)
        elif isinstance(value, tuple) and any(map(is_symbolic_size, value)):
            value = self.sequence(value)
        if isinstance(value, Ref) and self._is_outside(value):
            value = self.take(value)
        return value.name if isinstance(value, (Ref, Sequence, Token, Number, Closure)) else self.constant(value)

    # -- graphs that are called ----------------------------------------------------------------------------------------
    def inner(self, name: str) -> GraphWriter:
        """The writer of a graph that this one calls; `finish` ends it."""
        return GraphWriter(f"{self.name.partition('.')[0]}.{name}_{next(self._count)}", self._numbers, self)

    def _is_outside(self, ref: Ref) -> bool:
        """Whether a tensor is of the graph around; Parameters are everywhere."""
        return (
            self._around is not None and ref.name not in self._parameters and not ref.name.startswith(self.name + ":")
        )

    def take(self, ref: Ref) -> Ref:
        """The input that a tensor of the graph around is passed by."""
        if ref not in self.taken:
            self.taken[ref] = self.input(self._next("taken").partition(":")[2], ref.shape, ref.dtype)
        return self.taken[ref]

    def partial(self, graph: GraphWriter, inputs: tuple[Any, ...]) -> Closure:
        """A graph with its first arguments."""
        closure = Closure(self._next("Partial"), (graph.name,))
        names = (graph.name, *[self._name_of(value) for value in inputs])
        self._add(closure.name, "Partial", names, self._abstract(closure, "shape"), {"side_effect_propagate": 1})
        return closure

    def switch(self, condition: Any, yes: Closure, no: Closure) -> Closure:
        """The first if the condition holds, else the second."""
        closure = Closure(self._next("Switch"), (*yes.graphs, *no.graphs))
        names = (self._name_of(condition), yes.name, no.name)
        self._add(closure.name, "Switch", names, self._abstract(closure, "shape"), {})
        return closure

    def call_graph(self, callee: GraphWriter | Closure, inputs: tuple[Any, ...], results: list[tuple]) -> Any:
        """Call a graph that returns a tensor or a tuple of tensors, (shape, dtype) each."""
        items = tuple(Ref("", *result) for result in results)
        out: Any = items[0] if len(items) == 1 else Sequence("", items)
        out.name = self._next("call")
        names = tuple(self._name_of(value) for value in inputs)
        self._nodes[out.name] = _Node(out.name, callee.name, names, self._abstract(out, "shape"), callee.name)
        return out

    def items_of(self, returned: Ref | Sequence) -> list[Ref]:
        """The tensors of what a graph returned."""
        if isinstance(returned, Ref):
            return [returned]
        return [self.call("TupleGetItem", (returned, i), v.shape, v.dtype) for i, v in enumerate(returned.items)]

    def finish(self, output: Any) -> None:
        """Ends a graph inside another, which returns `output`."""
        self._functions[self.name] = self._graph(output)

    # -- sizes that are known when the graph runs --------------------------------------------------------------------
    def find_sizes(self, places: dict[str, tuple[Ref, int]]) -> None:
        """Says where symbolic sizes are found: a tensor, and an axis of it."""
        self._sizes = places

    def number(self, size: Any) -> Number:
        """A symbolic size as a number of the graph."""
        symbols = {symbol: self._size(*place) for symbol, place in self._sizes.items()}
        return size_of_numbers(size, symbols, lambda op, a, b: self._called(PRIMITIVES[op], (a, b), Number(""), {}))

    def _size(self, ref: Ref, axis: int) -> Number:
        shape = self._called("Shape", (ref,), Sequence("", tuple(Number("") for _ in ref.shape)), {})
        return self._called("TupleGetItem", (shape, axis), Number(""), {})

    def _next(self, op: str) -> str:
        return f"{self.name}:{op}_{next(self._count)}"

    def _add(self, name: str, op: str, inputs: tuple[str, ...], abstract: AttributeProto, attributes: dict) -> None:
        key = (op, repr(sorted(attributes.items())))
        if key not in self._primitives:
            self._primitives[key] = _primitive(f"{op}:{len(self._primitives) + 1}", op, attributes)
        self._nodes[name] = _Node(name, op, inputs, abstract, self._primitives[key].name)

    # -- the message -------------------------------------------------------------------------------------------------
    def model(self, output: Any) -> ModelProto:
        """The message of a graph that returns `output`: a Ref, a Sequence, or a constant."""
        model = ModelProto(ir_version="1.1", producer_name="MindSpore", model_version=MODEL_VERSION)
        model.little_endian = True
        model.mind_ir_version = IR_VERSION_WITH_SCALAR_GRAPH_HOLDER
        graph, needed = self._graph(output)
        functions: dict[str, GraphProto] = {}
        waiting = [*needed]
        while waiting:
            name = waiting.pop()
            if name in self._functions and name not in functions:
                functions[name], more = self._functions[name]
                needed |= more
                waiting.extend(more)
        for full, (name, ref) in self._parameters.items():
            if full in needed:
                proto = self._tensor_type(ref)
                proto.name, proto.ref_key = full, name
                graph.parameter.append(proto)
        model.primitives.extend([p for p in self._primitives.values() if p.name in needed])
        model.graph = graph
        model.functions.extend(functions.values())
        return model

    def _graph(self, output: Any) -> tuple[GraphProto, set[str]]:
        """This graph's message without Parameters, and the names that it needs of nodes, primitives and graphs."""
        returned = self._name_of(output)
        needed = self._needed(returned)
        graph = GraphProto(name=self.name, input=self._inputs)
        counts: dict[str, int] = {}
        for node in self._nodes.values():
            if node.name in needed:
                counts[node.op_type] = counts.get(node.op_type, -1) + 1
                graph.node.append(_node_proto(node, counts[node.op_type]))
        graph.output.append(self._output(returned, output))
        return graph, needed

    def used_parameters(self, model: ModelProto) -> list[str]:
        """The names of the Parameters that a model holds, in its order."""
        return [self._parameters[proto.name][0] for proto in model.graph.parameter if proto.name in self._parameters]

    def _needed(self, returned: str) -> set[str]:
        found: set[str] = set()
        waiting = [returned]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                if name in self._nodes:
                    waiting.extend([*self._nodes[name].inputs, self._nodes[name].primitive])
        return found

    # -- types -------------------------------------------------------------------------------------------------------
    def _tensor_type(self, ref: Ref) -> TensorProto:
        return TensorProto(dims=[self._dim(size) for size in ref.shape], data_type=NUMBERS_OF_NUMPY[ref.dtype])

    def _dim(self, size: Any) -> int:
        """A size as the type of a tensor says it."""
        if not is_symbolic_size(size):
            return size
        return int(size_at(size, self._numbers)) if self._numbers else -1

    def _abstract(self, value: Any, name: str | None = None) -> AttributeProto:
        """The type of a value: a tensor's shape and dtype, or the types of a sequence's items."""
        out = AttributeProto()
        if name is not None:
            out.name = name
        if isinstance(value, Ref):
            out.type = AttributeProto.TENSORS
            out.tensors.append(self._tensor_type(value))
        elif isinstance(value, Sequence):
            out.type = AttributeProto.LIST if value.kind == "make_list" else AttributeProto.TUPLE
            out.values.extend([self._abstract(item) for item in value.items])
            out.seq_info = SeqInfoProto(is_dyn_len=False)
        elif isinstance(value, np.ndarray):
            out.type = AttributeProto.TENSORS
            out.tensors.append(TensorProto(dims=list(value.shape), data_type=NUMBERS_OF_NUMPY[value.dtype]))
        elif isinstance(value, Token):
            out.type = Monad.MEMORY.value
        elif isinstance(value, Closure) and len(value.graphs) == 1:
            out.type = AttributeProto.PARTIALCLOSURE
            out.s = value.name.encode()
        elif isinstance(value, Closure):
            out.type = AttributeProto.UNIONFUNCCLOSURE
            kind = AttributeProto.FUNCGRAPHCLOSURE
            out.values.extend([AttributeProto(type=kind, s=graph.encode()) for graph in value.graphs])
        elif value is None:
            out.type = AttributeProto.NONE
        elif isinstance(value, str):
            out.type = AttributeProto.STRING
        else:
            kinds = {bool: TensorProto.BOOL, int: TensorProto.INT64, float: TensorProto.FLOAT}
            is_size = isinstance(value, Number) or is_symbolic_size(value)
            out.type = AttributeProto.SCALAR
            out.tensors.append(TensorProto(dims=[0], data_type=TensorProto.INT64 if is_size else kinds[type(value)]))
        return out

    def _output(self, name: str, value: Any) -> ValueInfoProto:
        info = ValueInfoProto(name=name)
        if isinstance(value, (Ref, np.ndarray)):
            info.tensor.extend(self._abstract(value).tensors)
            return info
        if isinstance(value, Sequence):
            info.denotation = "List" if value.kind == "make_list" else "Tuple"
        elif value is None:
            info.denotation = "TypeNone"
        info.attr_info = self._abstract(value)
        return info


def _primitive(name: str, op: str, attributes: dict[str, Any]) -> PrimitiveProto:
    kind = PrimitiveProto.PRIMITIVE if op in OBJECTS else PrimitiveProto.PRIMITIVE_FUNCTION
    given, returned = OBJECTS.get(op, ((), ()))
    everything = dict(attributes)
    if given:
        everything.update(input_names=list(given), output_names=list(returned))
    return PrimitiveProto(
        name=name, op_type=op, prim_type=kind, attribute=[attribute_of(v, k) for k, v in everything.items()]
    )


def _node_proto(node: _Node, count: int) -> NodeProto:
    proto = NodeProto(input=list(node.inputs), output=[node.name], name=node.name, attribute=[node.attribute])
    proto.op_type = f"REF::{node.primitive}" if node.op_type else "Constant"
    if node.op_type:
        proto.domain = f"Default/{node.op_type}-op{count}"
    return proto
