"""Changes of a tree: new statements, their places, and statements taken out."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ms_compat._core.errors import UnsupportedError, value_error
from ms_compat.nn.cell import Cell
from ms_compat.rewrite import source
from ms_compat.rewrite.build import Tree
from ms_compat.rewrite.node_type import NodeType
from ms_compat.rewrite.nodes import Block, Statement
from ms_compat.rewrite.scoped_value import ScopedValue
from ms_compat.rewrite.values import OBJECT, naming, to_expression


class Position(NamedTuple):
    """A place in a tree: before or after a statement."""

    tree: Tree
    node: Statement
    before: bool


def find(tree: Tree, node: Statement | str) -> Statement:
    """The statement that is meant by itself or by its name.

    Raises:
        RuntimeError: the tree has no such statement.
    """
    found = by_name(tree, node) if isinstance(node, str) else node
    if found is None or found.block is None or found.block.tree is not tree:
        name = node if isinstance(node, str) else node.name
        raise RuntimeError(f"The node {name!r} does not belong to the SymbolTree of {type(tree.network).__name__}.")
    return found


def by_name(tree: Tree, name: str) -> Statement | None:
    """The statement of a name in `construct` itself."""
    return next((node for node in tree.root.nodes if node.name == name), None)


# -- new statements ----------------------------------------------------------------------------------------------------
def _assignment(
    function: ast.expr,
    targets: Sequence[ScopedValue | str],
    args: Sequence[ScopedValue] | None,
    kwargs: Mapping[str, ScopedValue] | None,
) -> ast.stmt:
    keywords = [ast.keyword(name, to_expression(value)) for name, value in (kwargs or {}).items()]
    call = ast.Call(function, [to_expression(value) for value in args or ()], keywords)
    if not targets:
        return ast.Expr(call)
    written = [naming(target) if isinstance(target, str) else target for target in targets]
    names = [to_expression(target, ast.Store()) for target in written]
    return ast.Assign([names[0] if len(names) == 1 else ast.Tuple(names, ast.Store())], call)


def call_of_cell(
    cell: Any,
    targets: Sequence[ScopedValue | str],
    args: Sequence[ScopedValue] | None,
    kwargs: Mapping[str, ScopedValue] | None,
    name: str,
    is_sub_net: bool,
) -> Statement:
    """A statement that calls a Cell or primitive.

    Raises:
        RuntimeError: the Cell's `construct` does not take the arguments.
    """
    if isinstance(cell, Cell):
        try:
            inspect.signature(cell.construct).bind_partial(*(args or ()), **(kwargs or {}))
        except TypeError as error:
            raise RuntimeError(f"For 'Node.create_call_cell', {type(cell).__name__}.construct: {error}.") from error
    kind = NodeType.CallCell if isinstance(cell, Cell) else NodeType.CallPrimitive
    name = name or type(cell).__name__
    function = ast.Attribute(ast.Name("self", ast.Load()), name, ast.Load())
    node = Statement(kind, name, _assignment(function, targets, args, kwargs), cell)
    node.attribute = name
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
    return Statement(NodeType.CallFunction, function.__name__, _assignment(name, targets, args, kwargs), function)


def parameter(name: str, default: ScopedValue | None) -> Statement:
    """A new parameter of `construct`."""
    node = Statement(NodeType.Input, f"input_{name}", ast.arg(name))
    node.attributes["default"] = default
    return node


# -- places ------------------------------------------------------------------------------------------------------------
def _place(block: Block, position: Position) -> int:
    """The index in the block: control flow is one statement with its `else`."""
    node = position.node
    if position.before:
        return block.nodes.index(node.head or node)
    last = next((other for other in block.nodes if other.head is node), node)
    return block.nodes.index(last) + 1


def insert(tree: Tree, position: Position, node: Statement) -> Statement:
    """Put a new statement into a tree.

    Raises:
        ValueError: the position is in another tree, or the statement is in a tree already.
        RuntimeError: the place is among the parameters, or what is inserted there is no parameter.
        UnsupportedError: a Cell would be called outside the class, or a function inside a container.
    """
    if position.tree is not tree:
        raise ValueError(
            f"The position is in the SymbolTree of {type(position.tree.network).__name__}, which is not this one."
        )
    if node.block is not None:
        raise ValueError(f"The node {node.name!r} is in a SymbolTree already and cannot be inserted again.")
    block = find(tree, position.node).block
    assert block is not None  # noqa: S101 - `find` has checked it
    at = _place(block, position)
    if node.kind is NodeType.Input:
        _insert_parameter(tree, block, node, at)
        return node
    if at < len(block.nodes) and isinstance(block.nodes[at].code, ast.arg):
        raise RuntimeError(f"No statement can be inserted before or between the parameters: {position.node.name}.")
    if node.attribute and not block.self_name:
        raise UnsupportedError(
            f"The Cell {node.name!r} cannot be called in a function outside the class: it does not know the network. "
            "Insert the node of a function, or the Cell where the function is called."
        )
    if node.attribute:
        node.name = node.attribute = tree.unique_attribute(node.name)
        function = node.code.value.func  # type: ignore[attr-defined]
        if block.container is None:
            function.value.id, function.attr = block.self_name, node.name
        else:
            node.code.value.func = ast.Name(node.name, ast.Load())  # type: ignore[attr-defined]
        tree.inserted.append(node)
    else:
        if block.container is not None:
            raise UnsupportedError(f"{node.name!r}, a function, cannot be inserted into the container '{block.path}'.")
        node.name = tree.node_names.unique(node.name)
    if block.container is not None:
        block.edits.append((at, node))
    block.place(node, at)
    tree.names.used |= {str(target) for target in node.targets()}
    return node


def _insert_parameter(tree: Tree, block: Block, node: Statement, at: int) -> None:
    definition = block.definition
    inputs = [other for other in block.nodes if other.kind is NodeType.Input]
    if definition is None or at > 0 and block.nodes[at - 1] not in inputs:
        raise RuntimeError(f"The parameter {node.name!r} must stand beside other parameters.")
    if any(other.code.arg == node.code.arg for other in inputs):  # type: ignore[attr-defined]
        raise value_error("SymbolTree.insert", "node", "a parameter of a new name", node.name)
    arguments = definition.args
    default = node.attributes.pop("default")
    last = sum(isinstance(other.code, ast.arg) for other in block.nodes[:at]) == len(inputs)
    if default is None and arguments.defaults or default is not None and not last:
        raise RuntimeError(f"The parameter {node.name!r} cannot stand there: defaults come last.")
    offset = 1 if block is tree.root or block.path else 0
    arguments.args.insert(at + offset - len(arguments.posonlyargs), node.code)  # type: ignore[arg-type]
    if default is not None:
        arguments.defaults.append(to_expression(default))
    node.name = tree.node_names.unique(node.name)
    block.place(node, at)
    tree.names.used.add(node.code.arg)  # type: ignore[attr-defined]


def erase(tree: Tree, node: Statement | str) -> Statement:
    """Take a statement out.

    Raises:
        RuntimeError: it is not in the tree, or is a parameter.
    """
    found = find(tree, node)
    block = found.block
    assert block is not None  # noqa: S101 - `find` has checked it
    if isinstance(found.code, ast.arg):
        raise RuntimeError(f"The parameter {found.name!r} cannot be erased.")
    if block.container is not None:
        block.edits.append((block.nodes.index(found), None))
    for other in [found, *(other for other in block.nodes if other.head is found)]:
        block.nodes.remove(other)
        other.block = None
    if found in tree.inserted and block.container is None:
        tree.inserted.remove(found)
    return found


def replace(tree: Tree, old: Statement, new: Sequence[Statement]) -> Statement:
    """Put new statements in the place of an old one; returns the last.

    Raises:
        IndexError: there is none.
    """
    if not new:
        raise IndexError("For 'SymbolTree.replace', the 'new_nodes' must be one node or more, but got [].")
    position = Position(tree, find(tree, old), before=False)
    for node in new:
        insert(tree, position, node)
        position = Position(tree, node, before=False)
    erase(tree, old)
    return new[-1]


# -- arguments ---------------------------------------------------------------------------------------------------------
def set_argument_by_node(node: Statement, index: int, other: Statement, out: int | None) -> None:
    """Let a statement read what another one assigns.

    Raises:
        RuntimeError: the other assigns several values, and it is not said which.
        ValueError: an index is out of range.
    """
    targets = other.targets()
    if out is None:
        if len(targets) != 1:
            raise RuntimeError(
                f"For 'Node.set_arg_by_node', the 'out_idx' is needed: {other.name} has {len(targets)} outputs."
            )
        out = 0
    if not 0 <= out < len(targets):
        raise value_error("Node.set_arg_by_node", "out_idx", f"in range of [0, {len(targets)})", out)
    node.set_argument(index, targets[out], "Node.set_arg_by_node")


def set_output(tree: Tree, index: int, name: str) -> Statement:
    """Let the last `return` return another value.

    Raises:
        ValueError: it does not return so many.
        RuntimeError: there is no `return`.
    """
    found = next((node for node in reversed(tree.root.nodes) if node.kind is NodeType.Output), None)
    if found is None:
        raise RuntimeError(f"The construct of {type(tree.network).__name__} returns nothing.")
    found.set_argument(index, naming(name), "SymbolTree.set_output")
    return found
