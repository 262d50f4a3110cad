"""Running a graph of a MindIR file: each node calls one of this package's primitives.

A node that calls a graph recurses. MindSpore writes a loop as graphs that call one another: a header that chooses
between the body and what follows, and a body whose last node calls the header. Calls in the last place are therefore
not nested but returned (`_Again`) and made from outside. Where the choice depends on a value that is known at run time
only, an `if` becomes `lax.cond` and a header becomes `lax.while_loop`, through the helpers that compiled Python uses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from malt.operators.variables import Undefined

from ms_compat import ops
from ms_compat._compile.control_flow.branches import is_traced, stage_if
from ms_compat._compile.control_flow.loops import stage_while
from ms_compat._core.errors import UnsupportedError, value_and_type
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._formats.mindir.graphs import FuncGraph, Graph, Node
from ms_compat._formats.mindir.operations import implementation_of

_WRITES = "side_effect_mem"  # the attribute of operations that write Parameters
_EFFECTS = (_WRITES, "side_effect_io", "side_effect_hidden")
_LOOP = ("the loop", "its variables", "its result")


class _Closure(NamedTuple):
    """A graph with its first arguments."""

    graph: str
    arguments: tuple


class _Choice(NamedTuple):
    """One of two functions, by a condition that may be known at run time only."""

    condition: Any
    yes: Any
    no: Any


class _Again(NamedTuple):
    """A call in the last place of a graph: the graph that made it is left first."""

    function: Any


class _Step(NamedTuple):
    """One node, with the function that computes it or, for a call, None."""

    node: Node
    compute: Callable | None
    is_last: bool


class Program:
    """A FuncGraph made ready to run.

    Args:
        graph: what `load` returned.
        parameters: its Parameters, by the names that nodes use.

    Raises:
        UnsupportedError: a primitive is not served; it is named.
    """

    def __init__(self, graph: FuncGraph, parameters: dict[str, Parameter]):
        self.main = graph._main
        self.graphs = graph._graphs
        operations = [n.operation for g in self.graphs.values() for n in g.nodes if n.operation is not None]
        self.writes = any(operation.attributes.get(_WRITES) for operation in operations)
        self.globals = {**parameters, **{name: _Closure(name, ()) for name in self.graphs}}
        self.constants = {name: _constants(g) for name, g in self.graphs.items()}
        self.steps = {name: self._steps(g) for name, g in self.graphs.items()}

    # -- preparation -------------------------------------------------------------------------------------------------
    def _steps(self, graph: Graph) -> tuple[_Step, ...]:
        last = _last_call(graph)
        steps = []
        for node in graph.nodes:
            operation, compute = node.operation, None
            if operation is not None and operation.name == "Load" and not self.writes:
                compute = _loaded
            elif operation is not None and operation.name not in _CONTROL:
                compute = implementation_of(operation)
            steps.append(_Step(node, compute, node.name == last))
            if node.name == last:
                break
        return tuple(steps)

    def _reached(self, start: str, around: tuple[str, ...]) -> set[str]:
        """The graphs that a call of one may call, directly or not, without those in `around`."""
        found: set[str] = set()
        todo = [start]
        while todo:
            for node in self.graphs[todo.pop()].nodes:
                for name in (*node.inputs, node.callee):
                    if name in self.graphs and name not in found and name not in around:
                        found.add(name)
                        todo.append(name)
        return found

    # -- running -----------------------------------------------------------------------------------------------------
    def __call__(self, inputs: tuple) -> Any:
        try:
            return self._call(_Closure(self.main.name, inputs))
        except RecursionError as error:
            raise RuntimeError(f"The graph '{self.main.name}' is nested, or calls itself, too deeply.") from error

    def _call(self, function: Any, around: tuple[str, ...] = ()) -> Any:
        """The value of a call, after all of its tail calls.

        In a loop, whose headers are `around`, it may be `_Again`: with a call of a header, or with a choice that only
        the run makes, for the loop to follow both ways.
        """
        caller = None
        while not (isinstance(function, _Closure) and function.graph in around):
            if isinstance(function, _Closure):
                caller, found = function, self._run(function)
                if not isinstance(found, _Again):
                    return found
                function = found.function
            elif not is_traced(function.condition):
                function = function.yes if function.condition else function.no
            elif caller is not None and caller.graph in self._reached(caller.graph, around):
                found = self._loop(caller, function, around)
                if not isinstance(found, _Again):
                    return found
                function = found.function
            elif around:
                break
            else:
                return _staged(function, self._call)
        return _Again(function)

    def _run(self, closure: _Closure) -> Any:
        """Run the nodes of a graph; its result, or the call in its last place."""
        name, arguments = closure
        graph = self.graphs[name]
        if len(arguments) != len(graph.inputs):
            raise RuntimeError(f"The graph '{name}' takes {len(graph.inputs)} inputs, but got {len(arguments)}.")
        given = dict(zip(graph.inputs, arguments, strict=True))
        values: dict[Any, Any] = {**self.globals, **self.constants[name], **given}
        for step in self.steps[name]:
            node = step.node
            inputs = [values[key] for key in node.inputs]
            if step.compute is not None:
                values[node.name] = step.compute(*inputs)
            elif node.operation is not None:
                values[node.name] = _CONTROL[node.operation.name](*inputs)
            else:
                function = _with_arguments(values[node.callee], tuple(inputs))
                if step.is_last:
                    return _Again(function)
                values[node.name] = self._call(function)
        outputs = [values[key] for key in graph.outputs]
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    # -- loops on values known at run time only ----------------------------------------------------------------------
    def _loop(self, header: _Closure, choice: _Choice, around: tuple[str, ...]) -> Any:
        """Iterate from a call of a graph, which came to `choice`, until a call leads elsewhere.

        Returns:
            The result, or `_Again` with the call that follows the loop.
        """
        name, around = header.graph, (*around, header.graph)
        state = [True, header.arguments, Undefined("result")]

        def set_state(values: tuple) -> None:
            state[:] = values

        def chosen() -> _Choice:
            return self._run(_Closure(name, state[1])).function

        def advance(function: Any) -> None:
            found = self._call(function, around)
            after = found.function if isinstance(found, _Again) else None
            if isinstance(after, _Choice):
                stage_if(after.condition, lambda: advance(after.yes), lambda: advance(after.no),
                         lambda: tuple(state), set_state, _LOOP)  # fmt: skip
            elif after is not None and after.graph == name:
                state[:2] = True, after.arguments
            else:
                state[0], state[2] = False, found

        repeated = [self._repeats(branch, name) for branch in (choice.yes, choice.no)]
        if repeated == [True, False] or repeated == [False, True]:
            body, after = ("yes", "no") if repeated[0] else ("no", "yes")

            def test() -> Any:
                condition = chosen().condition
                return condition if body == "yes" else ops.logical_not(condition)

            stage_while(test, lambda: advance(getattr(chosen(), body)), lambda: tuple(state), set_state, _LOOP)
            return _Again(getattr(chosen(), after))
        stage_while(lambda: state[0], lambda: advance(chosen()), lambda: tuple(state), set_state, _LOOP)
        return state[2]

    def _repeats(self, function: Any, header: str) -> bool:
        """Whether a function always calls the header of its loop in the last place."""
        if isinstance(function, _Choice):
            return self._repeats(function.yes, header) and self._repeats(function.no, header)
        return self._leads(function.graph, header, set())

    def _leads(self, name: str, header: str, seen: set[str]) -> bool:
        if name == header or name in seen:
            return True
        seen.add(name)
        steps = self.steps[name]
        if not steps or not steps[-1].is_last:
            return False
        sources = {step.node.name: step.node for step in steps}
        todo, found = [steps[-1].node.callee], []
        while todo:
            key = todo.pop()
            if key in self.graphs:
                found.append(key)
            elif key in sources and sources[key].calls("Switch"):
                todo.extend(sources[key].inputs[1:])
            elif key in sources and sources[key].calls("Partial"):
                todo.append(sources[key].inputs[0])
            else:
                return False
        return all([self._leads(key, header, seen) for key in found])


def _staged(choice: _Choice, call: Callable[[Any], Any]) -> Any:
    """The value of the call that a condition chooses when the program runs."""
    state: list[Any] = [Undefined("result")]

    def run(branch: Any) -> None:
        state[0] = call(branch)

    def set_state(values: tuple) -> None:
        state[:] = values

    stage_if(choice.condition, lambda: run(choice.yes), lambda: run(choice.no), lambda: tuple(state), set_state,
             ("the result",))  # fmt: skip
    return state[0]


def _with_arguments(function: Any, arguments: tuple) -> Any:
    """A function with further arguments."""
    if isinstance(function, _Choice):
        yes, no = [_with_arguments(branch, arguments) for branch in (function.yes, function.no)]
        return function._replace(yes=yes, no=no)
    if not isinstance(function, _Closure):
        raise UnsupportedError(
            f"The graph calls {value_and_type(function)}, but only graphs of the same MindIR file can be called."
        )
    return _Closure(function.graph, (*function.arguments, *arguments))


def _switch_layer(index: Any, functions: tuple) -> Any:
    out = functions[-1]
    for position in reversed(range(len(functions) - 1)):
        out = _Choice(index == position, functions[position], out)
    return out


_CONTROL: dict[str, Callable] = {
    "Partial": lambda function, *arguments: _with_arguments(function, arguments),
    "Switch": _Choice,
    "SwitchLayer": _switch_layer,
}


def _loaded(parameter: Any, *_: Any) -> Any:
    """A Parameter that nothing writes is its own value."""
    return parameter


def _constants(graph: Graph) -> dict[str, Any]:
    return {name: _as_tensors(value) for name, value in graph.constants.items()}


def _as_tensors(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return Tensor(value)
    if isinstance(value, (tuple, list)):
        return type(value)([_as_tensors(item) for item in value])
    if isinstance(value, dict):
        return {key: _as_tensors(item) for key, item in value.items()}
    return value


def _last_call(graph: Graph) -> str | None:
    """The name of the node that is a call in the last place: its value is the result, and nothing has effects after."""
    nodes = {node.name: node for node in graph.nodes}
    found = nodes.get(graph.outputs[0]) if len(graph.outputs) == 1 else None
    while found is not None and found.calls("Depend") and found.inputs:
        found = nodes.get(found.inputs[0])
    if found is None or found.operation is not None:
        return None
    for node in graph.nodes[graph.nodes.index(found) + 1 :]:
        if node.operation is None or any(node.operation.attributes.get(effect) for effect in _EFFECTS):
            return None
    return found.name
