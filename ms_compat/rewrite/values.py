"""ScopedValues as expressions of Python, and back."""

from __future__ import annotations

import ast
from typing import Any

from ms_compat.rewrite.scoped_value import ScopedValue, ValueType

# Marks of an `ast.Name`: it stands for an object that no source text makes, or for a function of the generated module.
OBJECT = "rewrite_object"
GENERATED = "rewrite_generated"


def copied(node: Any) -> Any:
    """A copy of an `ast` tree with its marks; `copy.deepcopy` would copy the objects, too."""
    if isinstance(node, list):
        return [copied(item) for item in node]
    if not isinstance(node, ast.AST):
        return node
    # by the class: malt adds its notes to a node's own fields, and all trees share the node `ast.Load()`
    kind = type(node)
    new = kind(**{name: copied(getattr(node, name)) for name in kind._fields if hasattr(node, name)})
    for mark in (OBJECT, GENERATED):
        if hasattr(node, mark):
            setattr(new, mark, getattr(node, mark))
    return new


def dotted(expression: ast.expr) -> str | None:
    """The text of a name, or names with dots between, such as "self.conv"; None for another expression.

    >>> import ast
    >>> dotted(ast.parse("self.conv").body[0].value), dotted(ast.parse("f().x").body[0].value)
    ('self.conv', None)
    """
    names = []
    while isinstance(expression, ast.Attribute):
        names.append(expression.attr)
        expression = expression.value
    return ".".join([expression.id, *reversed(names)]) if isinstance(expression, ast.Name) else None


def naming(text: str) -> ScopedValue:
    """The ScopedValue of a name with dots.

    Raises:
        ValueError: the text is not a name.
    """
    if not all(part.isidentifier() for part in text.split(".")):
        raise ValueError(f"A value must be a name such as 'x' or 'self.x', but got {text!r}.")
    scope, _, name = text.rpartition(".")
    return ScopedValue.create_naming_value(name, scope)


def as_scoped(value: ScopedValue | str) -> ScopedValue:
    """A ScopedValue itself, or the one of a name.

    Raises:
        ValueError: a text is not a name.
    """
    return naming(value) if isinstance(value, str) else value


def to_scoped(expression: ast.expr) -> ScopedValue:
    """The ScopedValue of an expression; what is not a name, an attribute of one, or a constant is source text."""
    if hasattr(expression, OBJECT):
        return ScopedValue(ValueType.CustomObjValue, "", getattr(expression, OBJECT))
    if isinstance(expression, ast.Constant):
        return ScopedValue(ValueType.ConstantValue, "", expression.value)
    if isinstance(expression, ast.Name):
        return ScopedValue.create_naming_value(expression.id)
    if isinstance(expression, ast.Attribute):
        text = dotted(expression)
        if text is not None and text.count(".") == 1:
            return naming(text)
    if isinstance(expression, (ast.Tuple, ast.List)) and not any(isinstance(e, ast.Starred) for e in expression.elts):
        kind = ValueType.TupleValue if isinstance(expression, ast.Tuple) else ValueType.ListValue
        items = [to_scoped(element) for element in expression.elts]
        return ScopedValue(kind, "", tuple(items) if kind is ValueType.TupleValue else items)
    return ScopedValue(ValueType.UnsupportedValue, "", ast.unparse(expression))


def to_expression(value: ScopedValue, context: ast.expr_context | None = None) -> Any:
    """The expression of a ScopedValue.

    Raises:
        ValueError: a name is not an identifier, or the text of an unsupported value is not Python.
    """
    context = context or ast.Load()
    if value.type is ValueType.NamingValue:
        naming(str(value))
        first, *rest = str(value).split(".")
        out: ast.expr = ast.Name(first, ast.Load() if rest else context)
        for at, name in enumerate(rest):
            out = ast.Attribute(out, name, context if at == len(rest) - 1 else ast.Load())
        return out
    if value.type is ValueType.ConstantValue:
        return ast.Constant(value.value)
    if value.type in (ValueType.TupleValue, ValueType.ListValue):
        kind = ast.Tuple if value.type is ValueType.TupleValue else ast.List
        return kind([to_expression(item) for item in value.value], context)
    if value.type is ValueType.DictValue:
        return ast.Dict([to_expression(k) for k in value.value], [to_expression(v) for v in value.value.values()])
    if value.type is ValueType.CustomObjValue:
        place = ast.Name(f"object_{id(value.value)}", ast.Load())
        setattr(place, OBJECT, value.value)
        return place
    try:
        return ast.parse(str(value.value), mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"The value {value.value!r} is not an expression of Python.") from error
