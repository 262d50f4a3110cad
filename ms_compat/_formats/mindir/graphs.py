"""What a MindIR file says, decoded: graphs of nodes, constants, Parameters."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Operation(NamedTuple):
    """A primitive with its attributes."""

    name: str
    attributes: dict[str, Any]


class Node(NamedTuple):
    """One computation of a graph.

    `operation` is its primitive, or else `callee` the name of the graph, or of the node before it that gives a
    function, which it calls.
    """

    name: str
    inputs: tuple[str, ...]
    operation: Operation | None
    callee: str | None

    def calls(self, primitive: str) -> bool:
        """Whether this is an operation of that name."""
        return self.operation is not None and self.operation.name == primitive


class Graph(NamedTuple):
    """Nodes in the order of their execution, between named inputs and outputs; `constants` by name."""

    name: str
    inputs: tuple[str, ...]
    nodes: tuple[Node, ...]
    outputs: tuple[str, ...]
    constants: dict[str, Any]


class StoredParameter(NamedTuple):
    """A Parameter of a file: its name in the program that wrote it, and its value."""

    name: str
    value: np.ndarray


class FuncGraph:
    """A graph loaded from a `.mindir` file, for `mindspore.nn.GraphCell`.

    Args:
        main: the graph that a call computes.
        graphs: it and the graphs that it calls, by name.
        parameters: its Parameters, by the names that nodes use.
    """

    def __init__(self, main: Graph, graphs: dict[str, Graph], parameters: dict[str, StoredParameter]):
        self._main = main
        self._graphs = graphs
        self._parameters = parameters

    @property
    def str(self) -> str:
        """The name of the graph."""
        return self._main.name
