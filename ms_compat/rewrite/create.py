"""New statements, which belong to no tree until they are inserted."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from ms_compat.nn.cell import Cell
from ms_compat.rewrite import source
from ms_compat.rewrite.build import Tree
from ms_compat.rewrite.calls import assignment
from ms_compat.rewrite.node_type import NodeType
from ms_compat.rewrite.nodes import Statement
from ms_compat.rewrite.scoped_value import ScopedValue
from ms_compat.rewrite.values import OBJECT


def call_of_cell(
    cell: Any,
    targets: Sequence[ScopedValue | str],
    args: Sequence[ScopedValue] | None,
    kwargs: Mapping[str, ScopedValue] | None,
    name: str,
    is_sub_net: bool,
) -> Any:
    """A statement that calls a Cell or primitive.

    Raises:
        RuntimeError: the Cell's `construct` does not take the arguments.
    """
    node = Statement.create_call_buildin_op(cell, None, targets, None, args, kwargs, name)
    if is_sub_net and isinstance(cell, Cell) and source.is_the_users(type(cell)):
        node.kind, node.subtree = NodeType.Tree, Tree(cell)
    return node


def call_of_function(
    function: Any,
    targets: Sequence[ScopedValue | str],
    args: Sequence[ScopedValue] | None,
    kwargs: Mapping[str, ScopedValue] | None,
) -> Statement:
    """A statement that calls a function."""
    name = ast.Name(function.__name__, ast.Load())
    setattr(name, OBJECT, function)
    return Statement(NodeType.CallFunction, function.__name__, assignment(name, targets, args, kwargs), function)


def parameter(name: str, default: ScopedValue | None) -> Statement:
    """A new parameter of `construct`."""
    node = Statement(NodeType.Input, f"input_{name}", ast.arg(name))
    node.attributes["default"] = default
    return node
