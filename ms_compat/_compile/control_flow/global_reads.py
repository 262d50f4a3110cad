"""Names that a function assigns, but reads as a global before: `z += 1` without `global z`.

Python makes such a name a local variable and raises UnboundLocalError at the read. MindSpore's compiler looks the name
up among the globals then; the assignment stays local. The trace that fails there records the function and the name
(`note`), and the function is rewritten with `z = <the global>` at its beginning (`transform`).
"""

from __future__ import annotations

import ast
import re
from typing import Any

from ms_compat._compile.analysis.users import is_users_module
from ms_compat._core.diagnostics.tracebacks import source_lines

_names: dict[str, dict[str, set[str]]] = {}  # by file and function
_NAME = re.compile(r"'(\w+)'")


def note(error: UnboundLocalError) -> str | None:
    """The file of the user's function that raised, if the name that it read is a global and was not noted before."""
    place, trace = None, error.__traceback__
    while trace is not None:
        if is_users_module(trace.tb_frame.f_globals.get("__name__")):
            place = trace
        trace = trace.tb_next
    found = _NAME.search(str(error))
    if place is None or found is None or found[1] not in place.tb_frame.f_globals:
        return None
    code = place.tb_frame.f_code
    file, function = code.co_filename, code.co_name
    if file in source_lines:  # rewritten before
        origin = source_lines[file].get(place.tb_lineno)
        if origin is None:
            return None
        file, function = origin[0], function.removeprefix("ag__")
    names = _names.setdefault(file, {}).setdefault(function, set())
    if found[1] in names:
        return None
    names.add(found[1])
    return file


def of_file(file: str) -> tuple:
    """The notes about a file's functions, as a key."""
    return tuple((name, tuple(sorted(names))) for name, names in sorted(_names.get(file, {}).items()))


def transform(node: ast.AST, noted: tuple) -> None:
    """Let functions begin with the globals that they read."""
    names = dict(noted)
    for function in ast.walk(node) if names else ():
        if isinstance(function, ast.FunctionDef) and function.name in names:
            arguments = {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}
            own = [name for name in names[function.name] if name not in arguments]
            reads = [ast.parse(f"{name} = ag__.read_global({name!r}, lambda: None)").body[0] for name in own]
            function.body[:0] = [ast.copy_location(read, function.body[0]) for read in reads]
            ast.fix_missing_locations(function)


def read_global(name: str, within: Any) -> Any:
    """The global of a name in the module that a function is from."""
    return within.__globals__[name]
