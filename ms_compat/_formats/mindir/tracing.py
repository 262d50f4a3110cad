"""From a Cell or function to a graph: trace it as GRAPH_MODE does, then lower the jaxpr."""

from __future__ import annotations

import contextlib
import inspect
import itertools
import logging
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

import jax
import numpy as np

from ms_compat._compile.control_flow.convert import callers_line, users_line
from ms_compat._compile.control_flow.numpy_calls import refuses_open_size
from ms_compat._compile.function import CompiledFunction
from ms_compat._compile.jit import JitFunction
from ms_compat._compile.program import abstract
from ms_compat._compile.specialised import Specialised
from ms_compat._core.errors import UnsupportedError, value_and_type
from ms_compat._core.jax_compat import SizeWatch
from ms_compat._core.tensor import Tensor, tree, wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.tree import arrays_of, flatten
from ms_compat._core.trace import scopes
from ms_compat._formats.mindir.lowering import control_flow as _flow  # noqa: F401  (the rules register themselves)
from ms_compat._formats.mindir.lowering import elementwise as _math  # noqa: F401  (the rules register themselves)
from ms_compat._formats.mindir.lowering import indexing as _index  # noqa: F401  (the rules register themselves)
from ms_compat._formats.mindir.lowering import networks as _nn  # noqa: F401  (the rules register themselves)
from ms_compat._formats.mindir.lowering import pooling as _pool  # noqa: F401  (the rules register themselves)
from ms_compat._formats.mindir.lowering import shapes as _shape  # noqa: F401  (the rules register themselves)
from ms_compat._formats.mindir.lowering.rules import API, Lowering, Value
from ms_compat._formats.mindir.schema import ModelProto
from ms_compat._formats.mindir.sizes import Free, free_sizes
from ms_compat._formats.mindir.values import Monad
from ms_compat._formats.mindir.writing import GraphWriter, Ref, Sequence
from ms_compat.nn.cell import Cell

logger = logging.getLogger("ms_compat")
_OTHER_SIZES = (1, 2, 3, 4, 5, 7, 8, 16, 100, 1000, 10**6)  # for which a file must be right, too
_MOST_ELEMENTS = 10**18  # whose count JAX computes
T = TypeVar("T")
_NOT_A_NAME = re.compile(r"[^0-9A-Za-z_]")


class TracedNet(NamedTuple):
    """A net as a jaxpr, for a writer of some format."""

    name: str
    owner: CompiledFunction
    inputs: tuple[Any, ...]
    leaves: int  # how many Tensors the inputs have
    traced: Any  # the jaxpr, with what the program is known to read and change
    candidates: list[Any]  # the Tensors that are inputs of the jaxpr after the leaves
    used: list[Parameter]  # those that it reads or changes; of other Tensors, what it reads is constant
    free: Free | None
    watch: SizeWatch | None  # which sizes are possible, where some are open

    def state_values(self, of_parameters: dict[int, Any]) -> list[Any]:
        """The inputs of the jaxpr after the leaves; those that nothing reads have some value, too.

        Args:
            of_parameters: the values that stand for `used`, by the Parameters' ids.
        """
        state = [of_parameters[id(t)] if id(t) in of_parameters else np.asarray(t._v) for t in self.candidates]
        return [*state, np.zeros(2, np.uint32)]  # the random pair, which nothing uses

    def input_values(self, writer: Any) -> list[Value]:
        """The graph's inputs, which the writer makes, one for each leaf.

        Raises:
            UnsupportedError: an input is of a kind that graphs do not have.
        """
        taken = {t.name for t in self.used}
        values = _inputs(writer, self.owner, self.inputs, taken, iter(self.free.shapes) if self.free else None)
        if len(values) != self.leaves:
            raise UnsupportedError(
                f"{API} with a dict, a mutable number or a sparse tensor as an input",
                "Pass Tensors, or tuples of them.",
            )
        if self.free is not None:
            writer.find_sizes({symbol: (values[leaf], axis) for symbol, (leaf, axis) in self.free.places.items()})
        return values


def with_free_sizes(net: Any, inputs: tuple[Any, ...], free: Free | None, write: Callable[[TracedNet], T]) -> T:
    """What `write` makes of a traced net whose sizes stay open; of one with fixed sizes where nobody said otherwise.

    Raises:
        UnsupportedError: an operation, or a shape, that is not written.
    """
    if free is None:
        return write(traced_net(net, inputs))
    try:
        return write(traced_net(net, free.inputs, free))
    except Exception as error:
        fixed = write(traced_net(net, free.inputs))  # what is wrong with the net itself is found again
        if not free.unknown:
            logger.debug("export: the batch is fixed: %s: %s", type(error).__name__, error)
            return fixed
        raise UnsupportedError(f"{API} with a Tensor of unknown shape", _needs_size(error)) from error


def _needs_size(error: Exception) -> str:
    """Why a trace with open sizes failed, with the user's line where the traceback has it."""
    why = str(error)
    if refuses_open_size(error):
        why = "a size that is open is used where NumPy or Python needs a number."
    line = error.place if isinstance(error, _ComparedSizeError) else users_line(error)
    return (
        f"The net needs the size of the input{f' ({line})' if line else ''}: {why} "
        "Export with a Tensor of the shape that is used."
    )


def checked_inputs(net: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """The inputs of an export, with the unknown sizes that `net.set_inputs` declared.

    Raises:
        RuntimeError: an input is an array.
        UnsupportedError: an input is of unknown rank.
    """
    inputs = tuple(wrap(value._v) if isinstance(value, Parameter) else value for value in inputs)
    declared = net.get_inputs() if isinstance(net, Cell) else None
    if isinstance(declared, dict):
        named = dict(declared["arg_specified_infos"])
        inputs = tuple(_declared(named.get(position), value) for position, value in enumerate(inputs))
    elif declared:
        given = inputs or declared
        inputs = tuple(_declared(one, value) for one, value in itertools.zip_longest(declared, given))
    for value in inputs:
        _check_input(value)
    return inputs


def _declared(declared: Any, value: Any) -> Any:
    """An input, or what was declared for it if that leaves sizes of it open."""
    if isinstance(declared, (tuple, list)) and isinstance(value, (tuple, list)):
        return type(value)(_declared(one, item) for one, item in itertools.zip_longest(declared, value))
    is_open = isinstance(declared, Tensor) and any(size < 0 for size in declared.shape)
    return declared if is_open and isinstance(value, Tensor) else value


def graph_of(net: Any, inputs: tuple[Any, ...]) -> tuple[ModelProto, dict[str, np.ndarray]]:
    """The model of a net called with such inputs, without the bytes of its Parameters, and those as arrays.

    Args:
        net: a Cell, in the phase that its `set_train` says, or a function.
        inputs: Tensors, and tuples or lists of Tensors, which are the graph's inputs; None, numbers and texts, which
            are constants.

    Raises:
        RuntimeError: `net` is neither, or an input is an array.
        UnsupportedError: an operation, or a shape, that is not written.
    """
    inputs = checked_inputs(net, inputs)
    return with_free_sizes(net, inputs, free_sizes(inputs), _graph)


def traced_net(net: Any, inputs: tuple[Any, ...], free: Free | None = None) -> TracedNet:
    """A net traced with inputs of known sizes, of which some may be left open."""
    owner = _compiled(net)
    leaves: list[Any] = []
    spec = flatten((inputs, {}), leaves)
    specialised = Specialised(owner, spec, chunked=False)
    specialised.candidates = owner.candidate_state(spec)
    with scopes.lock:
        traced, watch = _traced(specialised, abstract(arrays_of(leaves)), free)
    if traced.meta.random:
        raise UnsupportedError(
            f"{API} of a net that draws random numbers",
            "A file has no random numbers: call net.set_train(False), which turns Dropout off, or pass the numbers as "
            "an input.",
        )
    if traced.meta.checks:
        raise UnsupportedError(
            f"{API} of a net that asserts or raises on values of Tensors", "Take the check out of 'construct'."
        )
    tensors = [specialised.candidates[i] for i in sorted({*traced.used, *traced.changed})]
    used = [tensor for tensor in tensors if isinstance(tensor, Parameter)]
    _check_parameters(net, used, [specialised.candidates[i] for i in traced.changed])
    name = _NOT_A_NAME.sub("_", f"{type(net).__module__}_{owner.name}_construct")
    return TracedNet(name, owner, inputs, len(leaves), traced, specialised.candidates, used, free, watch)


def _graph(net: TracedNet) -> tuple[ModelProto, dict[str, np.ndarray]]:
    """The MindIR model of a traced net."""
    traced, used, free = net.traced, net.used, net.free
    writer = GraphWriter(net.name, free.numbers if free is not None and not free.unknown else None)
    parameters = {t.name: t._v for t in used}
    values: list[Any] = net.input_values(writer)
    known = {id(t): writer.parameter(t.name, t.shape, t._v.dtype) for t in used}
    state_refs = net.state_values(known)
    values += state_refs
    low = Lowering(writer)
    for index in traced.changed:  # what is read of these is read before they change
        values[net.leaves + index] = _before(writer, values[net.leaves + index])
    found = low.run_closed(traced.closed, values)
    outputs = iter(found[: traced.output_count])
    output = _output(low, traced.meta.spec, outputs)
    changes = [(state_refs[i], low.ref(v)) for i, v in zip(traced.changed, found[traced.output_count :], strict=True)]
    model = writer.model(_with_changes(writer, output, changes))
    return model, {name: np.asarray(parameters[name]) for name in writer.used_parameters(model)}


def _compiled(net: Any) -> CompiledFunction:
    if isinstance(net, Cell):
        return CompiledFunction(net._call_inside, net, type(net).__name__)
    if isinstance(net, CompiledFunction):
        return CompiledFunction(net.fn, net.cell, net.name)
    fn = net.fn if isinstance(net, JitFunction) else net
    if not inspect.isroutine(fn):
        raise RuntimeError(f"For 'export', the 'net' must be a Cell or a function, but got {value_and_type(net)}.")
    return CompiledFunction(fn)


def _check_input(value: Any) -> None:
    if isinstance(value, Tensor) and -2 in value.shape:
        raise UnsupportedError(f"{API} with a Tensor of unknown rank", "Name the number of axes: shape=[None, 3].")
    if isinstance(value, (tuple, list)):
        for item in value:
            _check_input(item)
    elif isinstance(value, np.ndarray):
        raise RuntimeError(
            f"For 'export', the inputs must be Tensors, but got {value_and_type(value)}: mindspore.Tensor(x)."
        )


def _check_parameters(net: Any, used: list[Parameter], changed: list[Any]) -> None:
    """Raise where two Parameters have one name, or where a Tensor is changed that is not a Parameter."""
    for tensor in changed:
        if not isinstance(tensor, Parameter):
            raise UnsupportedError(
                f"{API} of a net that changes a Tensor of its own ({_called(net, tensor)})", "Make it a Parameter."
            )
    names: set[str] = set()
    for tensor in used:
        if tensor.name in names:
            raise ValueError(f"For 'export', the Parameters must have different names, but two are '{tensor.name}'.")
        names.add(tensor.name)


def _called(net: Any, tensor: Any) -> str:
    """The attribute that holds a Tensor; its shape where none does."""
    for name, cell in net.cells_and_names() if isinstance(net, Cell) else ():
        for attribute, value in {**vars(cell), **dict(cell.named_buffers(recurse=False))}.items():
            if value is tensor:
                return ".".join(filter(None, ("self", name, attribute)))
    return f"of the shape {tensor.shape}"


def _traced(specialised: Specialised, avals: list[Any], free: Free | None) -> tuple[Any, SizeWatch | None]:
    """The traced program, with symbols for the sizes that are left open, and what watched them.

    Raises:
        _ComparedSizeError: the program compares a size with the number that it has in this call, or compares two
            sizes where that varies, or compares one that is not known.
    """
    if free is None:
        return specialised.discover(avals), None
    symbolic = [
        jax.ShapeDtypeStruct(shape, aval.dtype, weak_type=aval.weak_type)
        for shape, aval in zip(free.shapes, avals, strict=True)
    ]
    with watched(free) as watch:
        return specialised.discover(symbolic), watch


@contextlib.contextmanager
def watched(free: Free | None) -> Iterator[SizeWatch | None]:
    """A region in which Python may compare sizes that are left open, if other sizes give the same answers.

    Raises:
        _ComparedSizeError: at the end, if they are not.
    """
    if free is None:
        yield None
        return
    with SizeWatch(free.numbers, callers_line, free.unknown) as watch:
        yield watch
    if free.unknown and watch.asked_at is not None:
        raise _ComparedSizeError(watch.asked_at)
    others = [size for size in _OTHER_SIZES if size ** len(free.numbers) <= _MOST_ELEMENTS]
    for numbers in (free.numbers, *[dict.fromkeys(free.numbers, size) for size in others]):
        for of_order, place in watch.changed(numbers):
            # A size that is not known has an arbitrary number here, to which the package may compare it by chance.
            if of_order or numbers is free.numbers and not free.unknown:
                raise _ComparedSizeError(place)


class _ComparedSizeError(ValueError):
    """What a program does differs with a size that is open; `place` is the line that compares it."""

    def __init__(self, place: str):
        super().__init__("'construct' compares a size of an input with another or with a number.")
        self.place = place


def _inputs(
    writer: Any,
    owner: CompiledFunction,
    inputs: tuple[Any, ...],
    taken: set[str],
    shapes: Iterator[tuple[Any, ...]] | None,
) -> list[Value]:
    """The graph's inputs; `shapes` are their Tensors' shapes where sizes are left open."""
    found: list[Value] = []
    fn = owner.cell.construct if owner.cell is not None else owner.fn
    for name, value in zip(input_names(fn, len(inputs)), inputs, strict=True):
        while name in taken:
            name += "_input"
        if isinstance(value, Tensor):
            found.append(writer.input(name, value.shape if shapes is None else next(shapes), value._v.dtype))
        elif isinstance(value, (tuple, list)) and (items := _items(value, shapes)):
            found.extend(writer.input_sequence(name, items))
    return found


def _items(value: Any, shapes: Iterator[tuple[Any, ...]] | None) -> list[Any]:
    """A sequence's items as (shape, dtype), nested as they are; empty if there is no Tensor in it."""
    leaves: list[Any] = []
    flatten(tuple(value), leaves)
    if not leaves:
        return []
    items: list[Any] = []
    for item in value:
        if isinstance(item, Tensor):
            items.append((item.shape if shapes is None else next(shapes), item._v.dtype))
        elif isinstance(item, (tuple, list)) and (inner := _items(item, shapes)):
            items.append(inner)
        else:
            raise UnsupportedError(
                f"{API} with an input of Tensors and other things in one {type(value).__name__}",
                f"Pass {value_and_type(item)} as an input of its own.",
            )
    return items


def input_names(fn: Callable[..., Any], count: int) -> list[str]:
    """What the inputs are called: as the arguments of `construct`, or of a function."""
    names: list[str] = []
    for parameter in inspect.signature(fn).parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            names += [f"{parameter.name}_{index}" for index in range(count - len(names))]
        elif parameter.kind is not parameter.KEYWORD_ONLY and parameter.kind is not parameter.VAR_KEYWORD:
            names.append(parameter.name)
    return names[:count]


def _output(low: Lowering, spec: Any, leaves: Any) -> Any:
    """The returned value: Tensors in tuples and lists; a dict is the tuple of its values, as MindSpore writes it."""
    match spec:
        case tree.Leaf():
            return low.ref(next(leaves))
        case tree.Constant(kind, _) if kind in (bool, int, float, str, type(None)):
            return tree.unflatten(spec, leaves)
        case tree.Sequence(_, parts) | tree.Record(_, parts):
            pass
        case tree.Mapping(_, pairs):
            parts = tuple([part for _, part in pairs])
        case _:
            raise UnsupportedError(
                f"{API} of a net that returns a value of the kind '{spec.kind.__name__}'", "Return Tensors."
            )
    items = tuple(_output(low, part, leaves) for part in parts)
    return low.writer.sequence(items, "make_list" if issubclass(spec.kind, list) else "MakeTuple")


def _before(writer: GraphWriter, parameter: Any) -> Ref:
    """The value of a Parameter that the graph changes, as it is before."""
    loaded = writer.call("Load", (parameter, Monad.MEMORY), parameter.shape, parameter.dtype)
    return writer.call("TensorMove", (loaded,), parameter.shape, parameter.dtype)


def _with_changes(writer: GraphWriter, output: Any, changes: list[tuple[Any, Any]]) -> Any:
    """`output`, with the Parameters changed before it is returned."""
    if not changes:
        return output
    kept = [_before(writer, parameter) for parameter, _ in changes]
    monad = writer.token("UpdateState", (Monad.MEMORY, *kept, *[value for _, value in changes]))
    for parameter, value in changes:
        done = writer.call("Assign", (parameter, value, monad), parameter.shape, parameter.dtype, side_effect_mem=True)
        monad = writer.token("UpdateState", (monad, done))
    if isinstance(output, Sequence):
        return writer.same("Depend", (output, monad), output, side_effect_propagate=1)
    if not isinstance(output, Ref):
        raise UnsupportedError(f"{API} of a net that changes Parameters and returns no Tensor", "Return one.")
    return writer.call("Depend", (output, monad), output.shape, output.dtype, side_effect_propagate=1)
