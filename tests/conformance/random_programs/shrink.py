"""Shrink a program while it keeps a property: fewer statements, simpler expressions, smaller numbers.

The property is asked of the text alone, so that shrinking knows nothing of the generator.
"""

import ast
import builtins
from collections.abc import Callable, Iterator

KNOWN = {
    "ms",
    "np",
    "mnp",
    "F",
    "show",
    "main",
    "Tensor",
    "Parameter",
    "ParameterTuple",
    "ops",
    "nn",
    "mint",
    *dir(builtins),
}


def shrink(text: str, keeps: Callable[[str], bool], trials: int = 400) -> str:
    """The smallest program found that keeps the property.

    Args:
        text: a program that has it.
        keeps: whether a program has it.
        trials: how many programs may be asked.
    """
    best = ast.unparse(ast.parse(text))
    asked = {best}
    left = trials
    changed = True
    while changed and left > 0:
        changed = False
        for candidate in _smaller(best):
            if len(candidate) >= len(best) or candidate in asked or not _names_known(candidate):
                continue
            asked.add(candidate)
            left -= 1
            if keeps(candidate):
                best = candidate
                changed = True
                break
            if left <= 0:
                break
    return best


def _smaller(text: str) -> Iterator[str]:
    """Programs that are a little smaller, what cuts most first."""
    for count in (8, 4, 2, 1):
        yield from _without_statements(text, count)
    yield from _unwrapped(text)
    yield from _simpler_expressions(text)


def _bodies(tree: ast.AST) -> list[list[ast.stmt]]:
    return [
        body
        for node in ast.walk(tree)
        for body in (getattr(node, "body", None), getattr(node, "orelse", None))
        if isinstance(body, list) and body
    ]


def _without_statements(text: str, count: int) -> Iterator[str]:
    """Programs without `count` neighbouring statements, from the last to the first."""
    lengths = [len(body) for body in _bodies(ast.parse(text))]
    for at, length in enumerate(lengths):
        for start in range(length - count, -1, -count):
            tree = ast.parse(text)
            body = _bodies(tree)[at]
            del body[start : start + count]
            if not body:
                body.append(ast.Pass())
            yield ast.unparse(tree)


def _unwrapped(text: str) -> Iterator[str]:
    """Programs where the body of a branch or loop stands in its place."""
    bodies = _bodies(ast.parse(text))
    for at, body in enumerate(bodies):
        for place, statement in enumerate(body):
            if isinstance(statement, (ast.If, ast.For, ast.While)):
                for part in ("body", "orelse"):
                    if getattr(statement, part):
                        tree = ast.parse(text)
                        target = _bodies(tree)[at]
                        target[place : place + 1] = getattr(target[place], part)
                        yield ast.unparse(tree)


def _simpler_expressions(text: str) -> Iterator[str]:
    """Programs with one expression replaced by a part of it or by a plain value."""
    places = list(_expressions(ast.parse(text)))
    for at in range(len(places)):
        for choice in range(8):
            tree = ast.parse(text)
            parent, field, place, node = list(_expressions(tree))[at]
            simple = _simple(node)
            if choice >= len(simple):
                break
            if place is None:
                setattr(parent, field, simple[choice])
            else:
                getattr(parent, field)[place] = simple[choice]
            try:
                yield ast.unparse(ast.fix_missing_locations(tree))
            except (ValueError, AttributeError):
                continue


def _expressions(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.expr]]:
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and field not in ("func", "annotation"):
                yield node, field, None, value
            elif isinstance(value, list) and field not in ("targets", "bases", "decorator_list"):
                for place, item in enumerate(value):
                    if isinstance(item, ast.expr):
                        yield node, field, place, item


def _simple(node: ast.expr) -> list[ast.expr]:
    """Simpler expressions in the place of one."""
    match node:
        case ast.BinOp():
            return [node.left, node.right]
        case ast.UnaryOp():
            return [node.operand]
        case ast.IfExp():
            return [node.body, node.orelse]
        case ast.BoolOp():
            return list(node.values)
        case ast.Call():
            method = (
                [node.func.value] if isinstance(node.func, ast.Attribute) and not _is_module(node.func.value) else []
            )
            less = [ast.Call(node.func, node.args, node.keywords[:-1])] if node.keywords else []
            return [*method, *(arg for arg in node.args if not isinstance(arg, ast.Starred)), *less]
        case ast.Subscript():
            return [node.value]
        case ast.List() | ast.Tuple() if len(node.elts) > 1 and isinstance(getattr(node, "ctx", None), ast.Load):
            kind = type(node)
            return [kind(node.elts[:1], ast.Load()), kind(node.elts[:-1], ast.Load()), kind(node.elts[1:], ast.Load())]
        case ast.Dict() if len(node.keys) > 1:
            return [ast.Dict(node.keys[:1], node.values[:1]), ast.Dict(node.keys[1:], node.values[1:])]
        case ast.Constant(value=float()) if len(repr(node.value)) > 3:
            return [ast.Constant(round(node.value, 1)), ast.Constant(0.5)]
    return []


def _is_module(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in ("ms", "np", "mnp", "F", "ops", "nn", "mint")


def _names_known(text: str) -> bool:
    """Whether every name that is read is written somewhere; spares asking about programs that cannot run."""
    tree = ast.parse(text)
    written = set(KNOWN)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            written.add(node.id)
        elif isinstance(node, ast.arg):
            written.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            written.add(node.name)
    return all(node.id in written for node in ast.walk(tree) if isinstance(node, ast.Name))
