"""Changes of a tree: statements come to their places, and are taken out."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ms_compat._core.errors import UnsupportedError, value_error
from ms_compat.rewrite.node_type import NodeType
from ms_compat.rewrite.nodes import Block, Statement
from ms_compat.rewrite.values import naming, to_expression

Tree = Any  # of `build.py`, whose methods in `tree_handler.py` come here


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


def all_nodes(tree: Tree, inner: bool, subtrees: bool) -> list[Statement]:
    """The statements of a tree.

    Args:
        tree: the tree.
        inner: also those inside functions, branches, loops and containers: blocks come from the last.
        subtrees: also the statements of called Cells.
    """
    found = list(_nodes(tree)) if inner else list(tree.root.nodes)
    if subtrees:
        trees = dict.fromkeys(node.subtree for node in found if node.subtree is not None)
        found += [node for subtree in trees for node in all_nodes(subtree, True, True)]
    return found


def _nodes(tree: Tree) -> Iterator[Statement]:
    """The statements of a tree, also those inside functions, branches, loops and containers."""
    waiting: list[Block] = [tree.root]
    seen: set[int] = set()
    while waiting:
        block = waiting.pop()
        if id(block) in seen:
            continue
        seen.add(id(block))
        yield from block.nodes
        waiting += [node.inner for node in block.nodes if node.inner is not None]


def by_name(tree: Tree, name: str) -> Statement | None:
    """The statement of a name, in `construct` or inside one of its statements."""
    return next((node for node in _nodes(tree) if node.name == name), None)


# -- places ------------------------------------------------------------------------------------------------------------
def _place(block: Block, position: Position) -> int:
    """The index in the block: control flow is one statement with its `else`."""
    parts = [other for other in block.nodes if other.code is position.node.code]
    return block.nodes.index(parts[0]) if position.before else block.nodes.index(parts[-1]) + 1


def insert(tree: Tree, position: Position, node: Statement) -> Statement:
    """Put a new statement into a tree.

    Raises:
        ValueError: the position is in another tree, or the statement is in a tree already.
        RuntimeError: the place is among the parameters, or what is inserted there is no parameter.
        TypeError: a Cell would be called in a function outside the class.
        UnsupportedError: a function would be called inside a container.
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
        owner = "" if block.owner is None else block.owner.name
        raise TypeError(
            f"Cannot insert {node.kind} node '{node.name}' into no-method function '{owner}': a function outside the "
            "class does not know the network. Insert the node of a function, or the Cell where the function is called."
        )
    if node.attribute:
        node.name = node.attribute = tree.unique_attribute(node.attribute)
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
    """Put a parameter behind the others, with its default or None, wherever the node stands: as in MindSpore."""
    definition = block.definition
    inputs = [other for other in block.nodes if other.kind is NodeType.Input]
    if definition is None or (at > 0 and block.nodes[at - 1] not in inputs):
        raise RuntimeError(f"The parameter {node.name!r} must stand beside other parameters.")
    if any(other.code.arg == node.code.arg for other in inputs):  # type: ignore[attr-defined]
        raise value_error("SymbolTree.insert", "node", "a parameter of a new name", node.name)
    default = node.attributes.pop("default")
    definition.args.args.append(node.code)  # type: ignore[arg-type]
    definition.args.defaults.append(ast.Constant(None) if default is None else to_expression(default))
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
    block.remove(found)
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
