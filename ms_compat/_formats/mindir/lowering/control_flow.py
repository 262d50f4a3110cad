"""Rules for calls of functions, and for control flow.

Loops of few iterations, whose number is known when the graph is written, are written out. The others are graphs, as
MindSpore writes them: a header computes the condition and calls, in the last place, either the body, which calls the
header again, or a graph that returns the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ms_compat._core.jax_compat import is_symbolic_size, scan_counts
from ms_compat._formats.mindir.lowering.rules import MAX_UNROLLED, Lowering, Value, is_constant, rule


def _walks(fn: Any) -> Any:
    """Mark a rule that is followed even where all inputs are constants."""
    fn.walks = True
    return fn


@rule("jit", "pjit", "closed_call", "core_call", "core_closed_call", "custom_jvp_call", "custom_vjp_call",
      "custom_vjp_call_jaxpr", "remat", "remat2", "checkpoint")  # fmt: skip
@_walks
def call(low: Lowering, eqn: Any, *values: Value) -> list[Value]:
    params = eqn.params
    inner = next(params[key] for key in ("jaxpr", "call_jaxpr", "fun_jaxpr") if key in params)
    if hasattr(inner, "consts"):
        return low.run_closed(inner, list(values))
    return low.run(inner, [], list(values))


@rule("platform_index")
@_walks
def platform_index(low: Lowering, eqn: Any) -> list[Value]:
    platforms = eqn.params["platforms"]
    chosen = next((i for i, names in enumerate(platforms) if names is None or "cpu" in names), None)
    if chosen is None:
        raise low.unsupported(eqn, "is written for other devices than CPUs")
    return [np.asarray(chosen, np.int32)]


@rule("scan")
def scan(low: Lowering, eqn: Any, *values: Value) -> list[Value]:
    params = eqn.params
    length = params["length"]
    consts, carries = scan_counts(params)
    fixed, carry = list(values[:consts]), list(values[consts : consts + carries])
    sequences = values[consts + carries :]
    if is_symbolic_size(length) or length > MAX_UNROLLED:
        return _graphs_of_scan(low, eqn, fixed, carry, list(map(low.ref, sequences)))
    steps: list[list[Value]] = []
    for step in reversed(range(length)) if params["reverse"] else range(length):
        items = [_item(low, sequence, step) for sequence in sequences]
        out = low.run_closed(params["jaxpr"], [*fixed, *carry, *items])
        carry = out[:carries]
        steps.append(out[carries:])
    if params["reverse"]:
        steps.reverse()
    stacked = []
    for index, var in enumerate(eqn.outvars[carries:]):
        rows = [low.reshape(step[index], (1, *var.aval.shape[1:])) for step in steps]
        stacked.append(low.concatenate(rows, 0) if rows else np.zeros(var.aval.shape, var.aval.dtype))
    return [*carry, *stacked]


def _item(low: Lowering, sequence: Value, step: int) -> Value:
    begin = (step, *[0] * (sequence.ndim - 1))
    row = low.slice(sequence, begin, (step + 1, *sequence.shape[1:]))
    return low.reshape(row, sequence.shape[1:])


def while_operands(params: dict[str, Any], values: Sequence[Value]) -> tuple[list[Value], list[Value], list[Value]]:
    """The constants of a loop's condition, its body's constants, and the carried values."""
    of_condition, of_body = params["cond_nconsts"], params["body_nconsts"]
    rest = list(values[of_condition:])
    return list(values[:of_condition]), rest[:of_body], rest[of_body:]


@rule("while")
def while_(low: Lowering, eqn: Any, *values: Value) -> list[Value]:
    params = eqn.params
    condition_consts, body_consts, carry = while_operands(params, values)
    for _ in range(MAX_UNROLLED + 1):
        (more,) = low.run_closed(params["cond_jaxpr"], [*condition_consts, *carry])
        if not is_constant(more):
            break
        if not more:
            return carry
        carry = low.run_closed(params["body_jaxpr"], [*body_consts, *carry])
    condition_consts, body_consts, carry = while_operands(params, values)

    def goes_on(inside: Lowering, held: list[Value]) -> Value:
        return inside.run_closed(params["cond_jaxpr"], [*condition_consts, *held])[0]

    def step(inside: Lowering, held: list[Value]) -> list[Value]:
        return inside.run_closed(params["body_jaxpr"], [*body_consts, *held])

    return _graphs_of_loop(low, _types(eqn.outvars), carry, goes_on, step)


def _types(variables: Any) -> list[tuple[Any, Any]]:
    return [(var.aval.shape, np.dtype(var.aval.dtype)) for var in variables]


def _graphs_of_loop(
    low: Lowering,
    types: list[tuple[Any, Any]],
    carry: list[Value],
    goes_on: Callable[[Lowering, list[Value]], Value],
    step: Callable[[Lowering, list[Value]], list[Value]],
) -> list[Value]:
    """The carried values after a loop, whose condition and whose step are written into graphs.

    Args:
        low: of the graph around the loop.
        types: the shapes and dtypes of the carried values.
        carry: the first ones.
        goes_on: the condition, of the carried values.
        step: the next carried values.
    """
    writer = low.writer
    header, body, after = writer.inner("while"), writer.inner("body"), writer.inner("after")
    of_header, of_body, of_after = [
        [graph.input(f"carry_{index}", *kind) for index, kind in enumerate(types)] for graph in (header, body, after)
    ]
    more = goes_on(low.of_graph(header), of_header)
    inside = low.of_graph(body)
    changed = [inside.ref(value) for value in step(inside, of_body)]
    for ref in {**header.taken, **body.taken}:  # both need what either takes
        header.take(ref)
        body.take(ref)
    body.finish(body.call_graph(header, (*changed, *map(body.take, header.taken)), types))
    after.finish(of_after[0] if len(types) == 1 else after.sequence(tuple(of_after)))
    again = header.partial(body, (*of_header, *map(header.take, body.taken)))
    done = header.partial(after, tuple(of_header))
    header.finish(header.call_graph(header.switch(more, again, done), (), types))
    given = [low.ref(value) for value in carry]
    return writer.items_of(writer.call_graph(header, (*given, *header.taken), types))


def _graphs_of_scan(
    low: Lowering, eqn: Any, fixed: list[Value], carry: list[Value], sequences: list[Value]
) -> list[Value]:  # fmt: skip
    """A scan as a loop that also carries the number of its iteration, and what is stacked."""
    params = eqn.params
    length, count = params["length"], len(carry)

    def goes_on(inside: Lowering, held: list[Value]) -> Value:
        return inside.binary("Less", held[0], inside.number(length, np.int64), np.bool_)

    def step(inside: Lowering, held: list[Value]) -> list[Value]:
        number, carried, stacked = held[0], held[1 : 1 + count], held[1 + count :]
        last = inside.number(length - 1, np.int64)
        place = inside.reshape(inside.binary("Sub", last, number) if params["reverse"] else number, (1,))
        rows = [inside.call("Gather", (v, place, 0, 0), (1, *v.shape[1:]), v.dtype) for v in sequences]
        items = [inside.reshape(row, row.shape[1:]) for row in rows]
        out = inside.run_closed(params["jaxpr"], [*fixed, *carried, *items])
        at = inside.reshape(place, (1, 1))
        written = [
            inside.call("TensorScatterUpdate", (v, at, inside.reshape(row, (1, *v.shape[1:]))), v.shape, v.dtype)
            for v, row in zip(stacked, out[count:], strict=True)
        ]
        return [inside.binary("Add", number, 1), *out[:count], *written]

    types = _types(eqn.outvars)
    empty = [low.zeros(*kind) for kind in types[count:]]
    first = [np.zeros((), np.int64), *carry, *empty]
    return _graphs_of_loop(low, [((), np.dtype(np.int64)), *types], first, goes_on, step)[1:]


@rule("cond")
def cond(low: Lowering, eqn: Any, which: Value, *values: Value) -> list[Value]:
    branches = eqn.params["branches"]
    if is_constant(which):
        chosen = int(np.clip(int(which), 0, len(branches) - 1))
        return low.run_closed(branches[chosen], list(values))
    if any(_loops(branch.jaxpr) for branch in branches):  # a loop in the other branch may not end
        return _graphs_of_branches(low, eqn, which, values, 0)
    outs = [low.run_closed(branch, list(values)) for branch in branches]
    found = outs[-1]
    for index in reversed(range(len(branches) - 1)):
        here = low.binary("LessEqual", which, index, np.bool_)
        found = [low.select(here, a, b, a.shape) for a, b in zip(outs[index], found, strict=True)]
    return found


def _loops(jaxpr: Any) -> bool:
    """Whether there is a loop in a jaxpr whose number of iterations may depend on values."""
    return any(eqn.primitive.name == "while" or any(map(_loops, _inner(eqn))) for eqn in jaxpr.eqns)


def _inner(eqn: Any) -> list[Any]:
    """The jaxprs among the parameters of an equation."""
    held = [x for value in eqn.params.values() for x in (value if isinstance(value, (tuple, list)) else (value,))]
    return [found for found in (getattr(x, "jaxpr", x) for x in held) if hasattr(found, "eqns")]


def _graphs_of_branches(low: Lowering, eqn: Any, which: Value, values: Sequence[Value], first: int) -> list[Value]:
    """The branch of that number among those from the first."""
    branches, writer = eqn.params["branches"], low.writer
    if first == len(branches) - 1:
        return low.run_closed(branches[first], list(values))
    types = _types(eqn.outvars)
    here = low.binary("LessEqual", which, first, np.bool_)
    closures = []
    for name in ("then", "else"):
        graph = writer.inner(name)
        inside = low.of_graph(graph)
        if name == "then":
            outs = inside.run_closed(branches[first], list(values))
        else:
            outs = _graphs_of_branches(inside, eqn, which, values, first + 1)
        found = tuple(inside.ref(value) for value in outs)
        graph.finish(found[0] if len(found) == 1 else graph.sequence(found))
        closures.append(writer.partial(graph, tuple(graph.taken)))
    return writer.items_of(writer.call_graph(writer.switch(here, *closures), (), types))
