"""Branches whose condition the Cell's attributes decide, and blocks that are merged into the one around them."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from types import ModuleType
from typing import Any

from ms_compat import context
from ms_compat._core.errors import value_error
from ms_compat.nn.cell import Cell
from ms_compat.rewrite import source
from ms_compat.rewrite.build import Tree
from ms_compat.rewrite.edit import all_nodes, find
from ms_compat.rewrite.node_type import NodeType
from ms_compat.rewrite.nodes import Block, Statement
from ms_compat.rewrite.source import MISSING
from ms_compat.rewrite.values import GENERATED

_PLAIN = (type(None), bool, int, float, str)
# Attributes that change without an assignment in `construct`.
_CHANGING = frozenset({"training", "requires_grad"})
_SETTINGS = (context.get_context,)
_TWO: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
_ONE: dict[type, Callable[[Any], Any]] = {ast.Not: operator.not_, ast.USub: operator.neg, ast.UAdd: operator.pos}


class _Unknown(Exception):
    """The condition is not known before the Cell runs."""


class _Condition:
    """Finds what a condition in a block of a tree is, as far as that is known before the Cell runs."""

    def __init__(self, tree: Tree, node: Statement):
        self._tree, self._node = tree, node
        assert node.block is not None  # noqa: S101 - only nodes in a tree get here
        self._block = node.block
        targets = {str(target) for other in all_nodes(tree, True, False) for target in other.targets()}
        own = self._block.self_name
        self._assigned = {name.partition(".")[2] for name in targets if name.startswith(f"{own}.")}

    def is_true(self) -> bool:
        """Whether the branch is taken; raises _Unknown."""
        return bool(self._plain(self._node.code.test))  # type: ignore[attr-defined]

    def _plain(self, expression: ast.expr) -> Any:
        value = self._of(expression)
        if not isinstance(value, _PLAIN):
            raise _Unknown
        return value

    def _of(self, expression: ast.expr) -> Any:
        # One case for each kind of expression whose value may be known.
        if isinstance(expression, ast.Constant):
            return expression.value
        if isinstance(expression, ast.Name):
            aliases = self._tree.aliases if hasattr(expression, GENERATED) else {}
            return aliases[expression.id] if expression.id in aliases else self._of_name(expression.id)
        if isinstance(expression, ast.Attribute):
            return self._of_attribute(expression)
        if isinstance(expression, ast.BoolOp):
            stops = isinstance(expression.op, ast.Or)
            value: Any = not stops
            for part in expression.values:
                value = self._plain(part)
                if bool(value) is stops:
                    return value
            return value
        if isinstance(expression, ast.UnaryOp) and type(expression.op) in _ONE:
            return _ONE[type(expression.op)](self._plain(expression.operand))
        if isinstance(expression, ast.BinOp) and type(expression.op) in _TWO:
            return self._computed(expression.op, self._plain(expression.left), self._plain(expression.right))
        if isinstance(expression, ast.Compare):
            return self._compared(expression)
        if isinstance(expression, ast.Call) and self._of(expression.func) in _SETTINGS and not expression.keywords:
            return context.get_context(*[self._plain(argument) for argument in expression.args])
        raise _Unknown

    def _computed(self, op: ast.AST, left: Any, right: Any) -> Any:
        try:
            return _TWO[type(op)](left, right)
        except (TypeError, ArithmeticError) as error:  # the Cell raises it when it comes there
            raise _Unknown from error

    def _compared(self, expression: ast.Compare) -> Any:
        left = self._of(expression.left)
        for op, part in zip(expression.ops, expression.comparators, strict=True):
            right = self._of(part)
            is_same = isinstance(op, (ast.Is, ast.IsNot))
            if type(op) not in _TWO or not (is_same or (isinstance(left, _PLAIN) and isinstance(right, _PLAIN))):
                raise _Unknown
            if not self._computed(op, left, right):
                return False
            left = right
        return True

    def _of_name(self, name: str) -> Any:
        """A variable made for a part of the condition, or a name outside the function."""
        before = self._block.nodes[: self._block.nodes.index(self._node)]
        for earlier in reversed(before):
            if name in [str(target) for target in earlier.targets()]:
                if "_var" not in name or not isinstance(earlier.code, ast.Assign) or len(earlier.targets()) != 1:
                    raise _Unknown
                return self._of(earlier.code.value)
        function, definition = self._block.function, self._block.definition
        if function is None or definition is None or name in source.bound_in(definition):
            raise _Unknown
        value = source.value_of(function, name)
        if value is MISSING:
            raise _Unknown
        return value

    def _of_attribute(self, expression: ast.Attribute) -> Any:
        name, base = expression.attr, expression.value
        if isinstance(base, ast.Name) and base.id == self._block.self_name and base.id:
            value = getattr(self._tree.network, name, MISSING)
            if name in _CHANGING or name in self._assigned:
                raise _Unknown
        else:
            owner = self._of(base)
            if not isinstance(owner, (ModuleType, type, Cell)) or name in _CHANGING:
                raise _Unknown
            value = getattr(owner, name, MISSING)
        if value is MISSING:
            raise _Unknown
        return value


def flatten_node(tree: Tree, node: Statement, erase_other: bool = False, erase_after_return: bool = False) -> None:
    """Put the statements of a branch or loop behind it, and take it out.

    Args:
        tree: the tree.
        node: the branch, `else` or loop.
        erase_other: whether the other branch is taken out, too. By default only this one is.
        erase_after_return: whether what stands behind a `return` among the statements is taken out.

    Raises:
        ValueError: the node is not control flow.
    """
    block = find(tree, node).block
    if node.kind is not NodeType.ControlFlow or node.inner is None or block is None:
        raise value_error("SymbolTree.flatten_nodes", "node", "a node of control flow", node.name)
    parts = [other for other in block.nodes if other.code is node.code]
    inner, at = node.inner.nodes, block.nodes.index(parts[-1]) + 1
    node.inner.nodes = []
    for offset, moved in enumerate(inner):
        moved.name = tree.node_names.unique(moved.name)  # as in MindSpore, which inserts them again
        block.place(moved, at + offset)
    for other in parts if erase_other else [node]:
        block.remove(other)
    last = next((moved for moved in inner if moved.kind is NodeType.Output), None)
    if erase_after_return and last is not None:
        for dead in block.nodes[block.nodes.index(last) + 1 :]:
            block.remove(dead)


def flatten_static(tree: Tree) -> None:
    """Replace each `if` whose condition is known by the branch that is taken, in the Cells that are called, too."""
    for node in all_nodes(tree, True, True):
        block = node.block
        if block is None or not isinstance(node.code, ast.If) or node.head is not None or _is_outside(block):
            continue
        try:
            taken = _Condition(block.tree, node).is_true()
        except _Unknown:
            continue
        other = next((n for n in block.nodes if n.head is node), None)
        if taken or other is not None:
            flatten_node(block.tree, node if taken or other is None else other, True, True)
        else:
            block.remove(node)


def _is_outside(block: Block) -> bool:
    """Whether the statement around a block was taken out."""
    return block.owner is not None and (block.owner.block is None or _is_outside(block.owner.block))
