"""Nested expressions as one statement each: `x = self.relu(self.conv(x))` becomes two assignments.

As in MindSpore, statements are taken from the last to the first, and of two operands the second is computed first.
What may not be computed, or not now, stays where it is: the later operands of `and` and `or`, the branches of a
conditional expression, the condition of `while`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ms_compat.rewrite.values import dotted

_HOISTED = (
    ast.Call,
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.Tuple,
    ast.List,
    ast.Dict,
    ast.Subscript,
    ast.Lambda,
)
_KEPT_WHOLE = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)


class Names:
    """Names in use, and new ones: `name`, `name_1`, `name_2`."""

    def __init__(self, used: Any = ()):
        self.used = set(used)

    def unique(self, name: str, taken: Callable[[str], bool] = lambda name: False) -> str:
        """Reserve and return the first free name."""
        found, count = name, 0
        while found in self.used or taken(found):
            count += 1
            found = f"{name}_{count}"
        self.used.add(found)
        return found


def operator_name(operator: ast.AST) -> str:
    """The name of an operator: "add", "usub", "noteq"."""
    return type(operator).__name__.lower()


def variable_name(expression: ast.expr) -> str:
    """The name of the variable for an expression that gets a statement of its own."""
    if isinstance(expression, ast.Call):
        text = dotted(expression.func)
        if text is None and isinstance(expression.func, ast.Attribute):
            text = expression.func.attr
        return f"{text.rpartition('.')[2] if text else 'function'}_var"
    if isinstance(expression, (ast.BinOp, ast.UnaryOp, ast.BoolOp)):
        return f"{operator_name(expression.op)}_var"
    return f"{type(expression).__name__.lower()}_var"


def names_in(tree: ast.AST) -> set[str]:
    """All variables and parameters of a tree."""
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return found | {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}


def flatten(body: list[ast.stmt], unique: Callable[[str], str]) -> list[ast.stmt]:
    """The statements of a block with nested expressions as statements before them.

    Args:
        body: the statements, which are changed.
        unique: gives a free name that starts with its argument.
    """
    out = [simple for statement in body for simple in _single_targets(statement)]
    at = len(out) - 1
    while at >= 0:
        new = _hoist(out[at], unique)
        out[at:at] = reversed(new)
        at += len(new) - 1
    return out


def _single_targets(statement: ast.stmt) -> list[ast.stmt]:
    """`x = y = value` as two assignments."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) < 2:
        return [statement]
    *others, last = statement.targets
    if not isinstance(last, ast.Name) or not all(isinstance(target, ast.Name) for target in others):
        return [statement]
    copies: list[ast.stmt] = [ast.Assign([target], ast.Name(last.id, ast.Load())) for target in others]
    return [ast.Assign([last], statement.value), *copies]


def _hoist(statement: ast.stmt, unique: Callable[[str], str]) -> list[ast.stmt]:
    """Replace operands of a statement by variables; returns the statements that assign them, in order of operands."""
    fields = {ast.Assign: "value", ast.Return: "value", ast.If: "test", ast.For: "iter", ast.Expr: "value"}
    value: Any = fields.get(type(statement))
    top = getattr(statement, value) if value else None
    if isinstance(statement, ast.Expr) and not isinstance(top, ast.Call):
        return []
    if top is None or any(isinstance(node, _KEPT_WHOLE) for node in ast.walk(top)):
        return []
    new: list[ast.stmt] = []

    def operand(expression: ast.expr) -> ast.expr:
        if isinstance(expression, ast.Starred) or not isinstance(expression, _HOISTED):
            return expression
        if isinstance(expression, ast.Dict) and None in expression.keys:
            return expression
        name = unique(variable_name(expression))
        new.append(ast.Assign([ast.Name(name, ast.Store())], expression))
        return ast.Name(name, ast.Load())

    if isinstance(statement, ast.Expr):  # a call, whose function stays as it is: `super().__init__(a + b)`
        _replace_arguments(top, operand)
    elif isinstance(statement, ast.Assign):
        _replace_operands(top, operand)
    else:
        setattr(statement, value, operand(top))
    return new


def _replace_arguments(call: ast.Call, operand: Callable[[ast.expr], ast.expr]) -> None:
    call.args = [operand(argument) for argument in call.args]
    for keyword in call.keywords:
        if keyword.arg is not None:
            keyword.value = operand(keyword.value)


def _replace_operands(expression: ast.expr, operand: Callable[[ast.expr], ast.expr]) -> None:
    # One case for each kind of expression: which of its parts are computed, and always.
    if isinstance(expression, ast.Call):
        function = expression.func
        if isinstance(function, ast.Attribute) and dotted(function) is None:
            function.value = operand(function.value)
        elif not isinstance(function, (ast.Name, ast.Attribute)):
            expression.func = operand(function)
        _replace_arguments(expression, operand)
    elif isinstance(expression, ast.BinOp):
        expression.left, expression.right = operand(expression.left), operand(expression.right)
    elif isinstance(expression, ast.UnaryOp):
        expression.operand = operand(expression.operand)
    elif isinstance(expression, ast.BoolOp):
        expression.values[0] = operand(expression.values[0])
    elif isinstance(expression, ast.Compare):
        expression.left = operand(expression.left)
        expression.comparators[0] = operand(expression.comparators[0])
    elif isinstance(expression, (ast.Tuple, ast.List)):
        expression.elts = [operand(element) for element in expression.elts]
    elif isinstance(expression, ast.Dict) and None not in expression.keys:
        expression.values = [operand(element) for element in expression.values]
