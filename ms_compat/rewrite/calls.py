"""The code of a statement that calls something."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from ms_compat.rewrite.scoped_value import ScopedValue
from ms_compat.rewrite.values import as_scoped, to_expression


def assignment(
    function: ast.expr,
    targets: Sequence[ScopedValue | str],
    args: Sequence[ScopedValue] | None,
    kwargs: Mapping[str, ScopedValue] | None,
) -> ast.stmt:
    """Returns the statement `targets = function(*args, **kwargs)`, or only the call if `targets` is empty.

    Raises:
        ValueError: a name is not an identifier.
    """
    keywords = [ast.keyword(name, to_expression(value)) for name, value in (kwargs or {}).items()]
    call = ast.Call(function, [to_expression(value) for value in args or ()], keywords)
    if not targets:
        return ast.Expr(call)
    names = [to_expression(as_scoped(target), ast.Store()) for target in targets]
    return ast.Assign([names[0] if len(names) == 1 else ast.Tuple(names, ast.Store())], call)
