"""The import statements of a module, for the names that a function of it uses when it stands in another module."""

from __future__ import annotations

import ast
import functools
import inspect
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NamedTuple

from ms_compat.rewrite.source import MISSING


class Imports(NamedTuple):
    """What a module imports at its top.

    Attributes:
        lines: the statement that binds a name, by the name.
        attempts: `try` statements that only import, each with the names that it binds.
    """

    lines: dict[str, str]
    attempts: list[tuple[str, list[str]]]


@functools.cache
def imports_of(module: ModuleType) -> Imports:
    """The imports of a module whose names still mean what they import; relative ones are written in full.

    >>> from ms_compat.rewrite import imports
    >>> imports_of(imports).lines["ast"], imports_of(imports).lines["ModuleType"]
    ('import ast', 'from types import ModuleType')
    """
    found = Imports({}, [])
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):  # a module without source: each name is bound by itself
        return found
    for statement in tree.body:
        if isinstance(statement, ast.Try):
            found.attempts.extend(_attempt(statement, module))
        for name, line, value in _single(statement, module):
            if value is vars(module).get(name, MISSING):
                found.lines[name] = line
    return found


def _attempt(statement: ast.Try, module: ModuleType) -> Iterator[tuple[str, list[str]]]:
    """A `try` that only imports, and the names that it binds; nothing if it does more."""
    parts = [*statement.body, *(inner for handler in statement.handlers for inner in handler.body)]
    only_imports = all(
        isinstance(part, (ast.Import, ast.ImportFrom)) and not getattr(part, "level", 0) for part in parts
    )
    if statement.orelse or statement.finalbody or not only_imports:
        return
    single = [one for part in parts for one in _single(part, module)]
    bound = list(dict.fromkeys(name for name, _, _ in single))
    if {name for name, _, value in single if value is vars(module).get(name, MISSING)} == set(bound):
        yield ast.unparse(statement), bound


def _single(statement: ast.stmt, module: ModuleType) -> Iterator[tuple[str, str, Any]]:
    """The names that an import statement binds, each with a line for it alone and what that line gives today."""
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            path = alias.name if alias.asname else alias.name.partition(".")[0]
            yield alias.asname or path, ast.unparse(ast.Import([alias])), sys.modules.get(path, MISSING)
    elif isinstance(statement, ast.ImportFrom) and statement.module != "__future__":
        home = _home(statement, module)
        for alias in statement.names:
            if home is None or alias.name == "*":
                continue
            value = getattr(sys.modules.get(home), alias.name, MISSING)
            yield alias.asname or alias.name, ast.unparse(ast.ImportFrom(home, [alias], 0)), value


def _home(statement: ast.ImportFrom, module: ModuleType) -> str | None:
    """The full path of the module that is imported from; None if it is relative to nothing."""
    if not statement.level:
        return statement.module
    package = module.__package__
    if not package:
        return None
    base = package.split(".")[: len(package.split(".")) - statement.level + 1]
    return ".".join([*base, *([statement.module] if statement.module else [])]) or None
