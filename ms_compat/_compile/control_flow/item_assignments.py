"""`x[i] = value` in rewritten functions: the name `x` is bound to a new Tensor, as MindSpore's compiler does.

Every other name of the Tensor (in the function, in its caller, in a container) keeps the old value. Python would change
the one Tensor behind all these names, so a pass in front of malt's own passes binds `x` to a copy first. Parameters are
variables in both.
"""

from __future__ import annotations

import ast
from typing import Any


def transform(node: ast.AST) -> None:
    """Let each assignment to an item of a local variable follow one of the variable's own copy."""
    for function in ast.walk(node):
        if isinstance(function, ast.FunctionDef):
            names = _locals(function)
            if names:
                function.body = _statements(function.body, names)
                ast.fix_missing_locations(function)


def _locals(function: ast.FunctionDef) -> frozenset[str]:
    """The arguments of a function and what it assigns, without what it declares to be of another scope."""
    arguments = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
    assigned, others = set(), set()
    for each in _own_nodes(function):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            assigned.add(each.id)
        elif isinstance(each, (ast.Global, ast.Nonlocal)):
            others.update(each.names)
    return frozenset((arguments | assigned) - others)


def _own_nodes(function: ast.FunctionDef) -> Any:
    """The nodes of a function's body, but not the bodies of functions and classes inside it."""
    queue: list[ast.AST] = list(function.body)
    while queue:
        each = queue.pop()
        yield each
        if not isinstance(each, (ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.AsyncFunctionDef)):
            queue.extend(ast.iter_child_nodes(each))


def _statements(body: list[ast.stmt], names: frozenset[str]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for statement in body:
        for name in dict.fromkeys(_assigned_items(statement)):
            if name in names:
                copy = ast.parse(f"{name} = ag__.own({name})").body[0]
                found.append(ast.copy_location(copy, statement))
        if not isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            for part in ("body", "orelse", "finalbody"):
                inner = getattr(statement, part, None)
                if inner:
                    setattr(statement, part, _statements(inner, names))
            for handler in getattr(statement, "handlers", ()):
                handler.body = _statements(handler.body, names)
        found.append(statement)
    return found


def _assigned_items(statement: ast.stmt) -> list[str]:
    """The names of the variables whose items a statement assigns."""
    if isinstance(statement, ast.Assign):
        targets = list(statement.targets)
    elif isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
        targets = [statement.target]
    else:
        return []
    found = []
    while targets:
        target = targets.pop(0)
        if isinstance(target, (ast.Tuple, ast.List)):
            targets += target.elts
        elif isinstance(target, ast.Subscript):
            while isinstance(target, ast.Subscript):
                target = target.value
            if isinstance(target, ast.Name):
                found.append(target.id)
    return found
