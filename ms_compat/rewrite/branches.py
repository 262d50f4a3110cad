"""Branches whose condition the Cell's attributes decide, and blocks that are merged into the one around them."""

from __future__ import annotations

import ast

from ms_compat._core.errors import value_error
from ms_compat.rewrite.build import Tree
from ms_compat.rewrite.edit import find
from ms_compat.rewrite.node_type import NodeType
from ms_compat.rewrite.nodes import Block, Statement

_OPERATIONS = (ast.BoolOp, ast.UnaryOp, ast.Compare, ast.BinOp, ast.Constant)
_WORDS = (ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context)
_PLAIN = (type(None), bool, int, float, str)
# Attributes that change without an assignment in `construct`.
_CHANGING = frozenset({"training", "requires_grad"})


class _Unknown(Exception):
    """The condition is not known before the Cell runs."""


class _Substituted(ast.NodeTransformer):
    """Replaces a variable by the expression that it was assigned."""

    def __init__(self, name: str, value: ast.expr):
        self._name, self._value = name, value

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._value if node.id == self._name else node


def _condition(node: Statement) -> ast.expr:
    """The condition of an `if`, with the variables made for it replaced by what they are."""
    block = node.block
    assert block is not None  # noqa: S101 - only nodes in a tree get here
    expression = node.code.test  # type: ignore[attr-defined]
    before = block.nodes[: block.nodes.index(node)]
    for earlier in reversed(before):
        targets = [str(target) for target in earlier.targets()]
        used = {n.id for n in ast.walk(expression) if isinstance(n, ast.Name)}
        if not used & set(targets):
            continue
        if len(targets) != 1 or not isinstance(earlier.code, ast.Assign) or not targets[0].endswith("_var"):
            raise _Unknown
        copied = ast.parse(ast.unparse(expression), mode="eval").body
        expression = _Substituted(targets[0], earlier.code.value).visit(copied)
    return expression


def _is_true(tree: Tree, node: Statement) -> bool:
    expression = _condition(node)
    own = node.block.self_name if node.block is not None else "self"
    members = vars(tree.network)
    assigned = {str(target).partition(".")[2] for other in nodes_within(tree.root) for target in other.targets()}
    bases: set[int] = set()
    for part in ast.walk(expression):
        if isinstance(part, ast.Attribute):
            if not isinstance(part.value, ast.Name) or part.value.id != own:
                raise _Unknown
            bases.add(id(part.value))
            if part.attr in _CHANGING or part.attr in assigned or not isinstance(members.get(part.attr, part), _PLAIN):
                raise _Unknown
        elif not isinstance(part, (*_OPERATIONS, *_WORDS)) and id(part) not in bases:
            raise _Unknown
    code = compile(ast.fix_missing_locations(ast.Expression(expression)), "<condition>", "eval")
    return bool(eval(code, {"__builtins__": {}}, {own: tree.network}))


def nodes_within(block: Block) -> list[Statement]:
    """The nodes of a block, and the nodes inside its branches and loops."""
    found = []
    for node in block.nodes:
        found.append(node)
        if node.kind is NodeType.ControlFlow and node.inner is not None:
            found += nodes_within(node.inner)
    return found


def flatten_node(tree: Tree, node: Statement, erase_after_return: bool = False) -> None:
    """Put the statements of a branch or loop into the place of their head, whose `else` is left out.

    Raises:
        ValueError: the node is not control flow.
    """
    block = find(tree, node).block
    if node.kind is not NodeType.ControlFlow or node.inner is None or block is None:
        raise value_error("SymbolTree.flatten_nodes", "node", "a node of control flow", node.name)
    inner, head = node.inner.nodes, node.head or node
    at = block.nodes.index(head)
    for other in [head, *(other for other in block.nodes if other.head is head)]:
        block.nodes.remove(other)
        other.block = None
    for offset, moved in enumerate(inner):
        block.place(moved, at + offset)
    node.inner.nodes = []
    if erase_after_return and any(moved.kind is NodeType.Output for moved in inner):
        last = next(moved for moved in inner if moved.kind is NodeType.Output)
        for dead in block.nodes[block.nodes.index(last) + 1 :]:
            block.nodes.remove(dead)
            dead.block = None


def flatten_static(tree: Tree, block: Block | None = None) -> None:
    """Replace each `if` whose condition is known by the branch that is taken."""
    block = block or tree.root
    for node in list(block.nodes):
        if node.block is not block or node.kind is not NodeType.ControlFlow or node.head is not None:
            continue
        if isinstance(node.code, ast.If):
            try:
                taken = _is_true(tree, node)
            except _Unknown:
                pass
            else:
                other = next((n for n in block.nodes if n.head is node), None)
                _take(tree, block, node if taken else other, node)
                return flatten_static(tree, block)
        for part in (node, *(n for n in block.nodes if n.head is node)):
            if part.inner is not None:
                flatten_static(tree, part.inner)
    return None


def _take(tree: Tree, block: Block, taken: Statement | None, node: Statement) -> None:
    if taken is not None:
        flatten_node(tree, taken, erase_after_return=True)
        return
    block.nodes.remove(node)
    node.block = None
