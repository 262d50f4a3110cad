"""A lower bound on a graph's computation, found before it runs: a small file can take longer than anybody can wait.

A graph that calls two times a graph that calls two times ... doubles with each line; one that calls itself never ends.
"""

from __future__ import annotations

import math

from ms_compat._formats.mindir.graphs import Graph, Node

MOST_NODES = 1_000_000  # at 30 us each half a minute


def _called(graph: Graph, graphs: dict[str, Graph]) -> list[tuple[str, ...]]:
    """For each call of a graph that is sure to happen, the graphs of which one is called."""
    nodes = {node.name: node for node in graph.nodes}

    def choices(name: str | None, depth: int = 0) -> tuple[str, ...]:
        if name in graphs:
            return (name,)
        node = nodes.get(name) if name is not None else None
        if node is None or node.operation is None or depth > 100:
            return ()
        if node.operation.name == "Partial" and node.inputs:
            return choices(node.inputs[0], depth + 1)
        if node.operation.name == "Switch" and len(node.inputs) == 3:
            found = [choices(branch, depth + 1) for branch in node.inputs[1:]]
            return (*found[0], *found[1]) if all(found) else ()
        return ()

    return [found for node in graph.nodes if _is_call(node) and (found := choices(node.callee))]


def _is_call(node: Node) -> bool:
    return node.operation is None


def least_nodes(main: str, graphs: dict[str, Graph]) -> float:
    """The number of nodes that a run of a graph computes at the least; infinite if it never ends."""
    calls = {name: _called(graph, graphs) for name, graph in graphs.items()}
    callers: dict[str, set[str]] = {name: set() for name in graphs}
    for name, found in calls.items():
        for alternatives in found:
            for called in alternatives:
                callers[called].add(name)
    costs: dict[str, float] = dict.fromkeys(graphs, math.inf)
    todo = dict.fromkeys(reversed(list(graphs)))
    while todo:  # a cost falls from infinity to a number, and then only when one that it is made of does
        name, _ = todo.popitem()
        own = [min(costs[called] for called in alternatives) for alternatives in calls[name]]
        cost = min(len(graphs[name].nodes) + 1 + sum(own), 1e300)
        if math.isinf(sum(own)) or cost >= costs[name]:
            continue
        costs[name] = cost
        todo.update(dict.fromkeys(callers[name]))
    return costs[main]


def check(main: str, graphs: dict[str, Graph]) -> None:
    """Raises ValueError for a graph that never ends, or computes more than `MOST_NODES` nodes."""
    least = least_nodes(main, graphs)
    if math.isinf(least):
        raise ValueError(f"a run of its graph '{main}' never ends: it calls itself whatever it computes")
    if least > MOST_NODES:
        raise ValueError(f"a run of its graph '{main}' computes {least:.3g} nodes, more than {MOST_NODES}")
