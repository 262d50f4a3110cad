"""Rewriting a function's control flow into calls, with diastatic-malt's transpiler and operators of our own.

Only the user's functions are rewritten: functions from this package, JAX, numpy and the standard library run as they
are. The transpiler gets its own table of operators (`ag__`), so neither malt's nor the user's code is patched. A
rewritten function behaves as before wherever its conditions are constants.
"""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import logging
import types
import weakref
from collections.abc import Callable
from typing import Any

from ms_compat._compile.analysis import inspection
from ms_compat._compile.analysis.users import is_users, is_users_module
from ms_compat._compile.control_flow import global_reads, item_assignments
from ms_compat._core.diagnostics.source_lines import users_lines
from ms_compat._core.diagnostics.tracebacks import source_lines
from ms_compat._core.errors import NotTraceableError
from ms_compat._core.trace import scopes

logger = logging.getLogger("ms_compat")

_converted: weakref.WeakKeyDictionary[Any, Callable] = weakref.WeakKeyDictionary()
_failures: dict[str, str] = {}
_operators: dict[str, Callable] = {}
_after: Any = None


def is_generated(code: types.CodeType) -> bool:
    """Whether the code belongs to a rewritten function."""
    return code.co_filename in source_lines


def converted(fn: Callable) -> Callable:
    """The rewritten form of a function or bound method, if the open trace needs it; otherwise `fn` itself."""
    scope = scopes.current_scope()
    if scope is None or not scope.convert:
        return fn
    if isinstance(fn, types.MethodType):
        plain = converted(fn.__func__)
        return fn if plain is fn.__func__ else types.MethodType(plain, fn.__self__)
    if isinstance(fn, functools.partial):
        return functools.partial(converted(fn.func), *fn.args, **fn.keywords)
    if not isinstance(fn, types.FunctionType):
        # An object that is called, such as one that accumulates gradients: its class's method is what has statements.
        call = getattr(type(fn), "__call__", None)  # noqa: B004
        if isinstance(call, types.FunctionType) and is_users(call):
            return types.MethodType(converted(call), fn)
        return fn
    if not is_users(fn) or fn.__code__.co_filename in source_lines:
        return fn
    wanted = scope.convert
    if wanted is not True and fn.__code__ not in wanted and not inspection.leads(fn, wanted):
        return fn
    found = _converted.get(fn)
    if found is None:
        found = _converted[fn] = _convert(fn)
    return found


def reads_global(error: UnboundLocalError) -> bool:
    """Whether a function reads a global that it assigns as a local; it has another rewritten form from then on."""
    file = global_reads.note(error)
    for fn in [fn for fn in _converted if fn.__code__.co_filename == file]:
        del _converted[fn]
    return file is not None


def called(error: BaseException) -> frozenset[types.CodeType]:
    """The code of the user's functions that were being called where an exception was raised.

    Rewriting takes some 40 ms for a function, so a trace that fails at a condition rewrites these first.
    """
    trace, found = error.__traceback__, set()
    while trace is not None:
        frame = trace.tb_frame
        if is_users_module(frame.f_globals.get("__name__")) and not is_generated(frame.f_code):
            found.add(frame.f_code)
        trace = trace.tb_next
    return frozenset(found)


def _convert(fn: types.FunctionType) -> Callable:
    if inspect.isgeneratorfunction(fn) or inspect.iscoroutinefunction(fn):
        return fn
    from malt.core import converter

    features = (converter.Feature.ASSERT_STATEMENTS, converter.Feature.BUILTIN_FUNCTIONS)
    options = converter.ConversionOptions(recursive=True, user_requested=False, optional_features=features)
    target = inspect.unwrap(fn) if hasattr(fn, "__wrapped__") and fn.__code__.co_freevars == () else fn
    program = converter.ProgramContext(options=options)
    program.global_reads = global_reads.of_file(target.__code__.co_filename)
    try:
        new, _, source_map = _transpiler().transform(target, program)
    except Exception as error:  # any failure to rewrite leaves the function as it was; reported on need
        _failures[f"{fn.__module__}.{fn.__qualname__}"] = f"{type(error).__name__}: {error}"
        logger.debug("control flow of %s was not rewritten: %s", fn.__qualname__, error)
        return fn
    new.__defaults__ = fn.__defaults__
    new.__kwdefaults__ = fn.__kwdefaults__
    new.__module__ = fn.__module__
    lines = source_lines.setdefault(new.__code__.co_filename, {})
    for location, origin in source_map.items():
        lines[location.lineno] = (origin.loc.filename, origin.loc.lineno, origin.source_code_line.strip())
    return new


def rewrite_to(operators: dict[str, Callable], after: Callable) -> None:
    """Say what rewritten code calls: `ag__.<name>`; and the pass over the tree behind malt's own.

    The operators convert functions that they call, so they are in a layer above this file, which passes them in.
    """
    global _after
    _operators.update(operators)
    _after = after


def _rewritten(node: ast.AST, ctx: Any) -> ast.AST:
    """malt's passes in malt's order, without those that find nothing: each analyses the whole function."""
    from malt.converters import (
        asserts,
        break_statements,
        call_trees,
        conditional_expressions,
        continue_statements,
        control_flow,
        functions,
        logical_expressions,
        return_statements,
        variables,
    )

    def having(transform: Callable, *kinds: type[ast.AST]) -> None:
        nonlocal node
        if not kinds or any(isinstance(part, kinds) for part in ast.walk(node)):
            node = transform(node, ctx)

    having(functions.transform)
    having(break_statements.transform, ast.Break)
    having(asserts.transform, ast.Assert)
    having(continue_statements.transform, ast.Continue)
    having(return_statements.transform)
    having(call_trees.transform)
    having(control_flow.transform, ast.If, ast.For, ast.While)
    having(conditional_expressions.transform, ast.IfExp)
    having(logical_expressions.transform, ast.BoolOp, ast.Compare, ast.UnaryOp)
    having(variables.transform)
    return node


@functools.cache
def _transpiler() -> Any:
    from malt.core import unsupported_features_checker
    from malt.impl import api
    from malt.operators import variables

    class Transpiler(api.PyToPy):
        """malt's passes, with this package's operators as `ag__`."""

        def get_caching_key(self, ctx):
            return ctx.options, ctx.global_reads

        def transform_ast(self, node, ctx):
            unsupported_features_checker.verify(node)
            global_reads.transform(node, ctx.user.global_reads)
            item_assignments.transform(node)
            return _after(_rewritten(self.initial_analysis(node, ctx), ctx))

        def get_extra_locals(self):
            from malt.core import converter
            from malt.operators.function_wrappers import FunctionScope, with_function_scope

            table = types.ModuleType("ag__")
            table.__dict__.update(
                ConversionOptions=converter.ConversionOptions,
                STD=converter.STANDARD_OPTIONS,
                Feature=converter.Feature,
                FunctionScope=FunctionScope,
                with_function_scope=with_function_scope,
                ldu=variables.ldu,
                autograph_artifact=lambda entity, extras=None: entity,
                Undefined=variables.Undefined,
                UndefinedReturnValue=variables.UndefinedReturnValue,
                **_operators,
            )
            return {"ag__": table}

    return Transpiler()


def written_at(filename: str, line: int) -> tuple[str, int] | None:
    """Where the user wrote what is at a line of a file, which may be generated; None if the user did not write it."""
    lines = source_lines.get(filename)
    if lines is None:
        return filename, line
    return lines[line][:2] if line in lines else None


def users_line(error: BaseException) -> str:
    """`file:line: source` of the user's innermost line in an exception's traceback."""
    best = ""
    trace = error.__traceback__
    while trace is not None:
        best = _place(trace.tb_frame, trace.tb_lineno) or best
        trace = trace.tb_next
    return best


def equations_place(eqn: Any) -> tuple[str, int] | None:
    """The file and the line of the user's innermost line behind a jaxpr's equation; None if there is no such line."""
    return next(filter(None, (written_at(*place) for place in users_lines(eqn))), None)


def equations_line(eqn: Any) -> str:
    """The user's innermost line behind a jaxpr's equation, as `file:line: source`; empty if there is no such line."""
    place = equations_place(eqn)
    return "" if place is None else f"{place[0]}:{place[1]}: {linecache.getline(*place).strip()}"


def callers_line() -> str:
    """`file:line: source` of the user's innermost line that is being executed."""
    frame = inspect.currentframe()
    while frame is not None:
        if place := _place(frame, frame.f_lineno):
            return place
        frame = frame.f_back
    return ""


def _place(frame: types.FrameType, line: int) -> str:
    """A line as `file:line: source`; empty if it is not the user's."""
    file = frame.f_code.co_filename
    mapped = source_lines.get(file, {}).get(line)
    if mapped is not None:
        return f"{mapped[0]}:{mapped[1]}: {mapped[2]}"
    if not is_users_module(frame.f_globals.get("__name__")):
        return ""
    return f"{file}:{line}: {linecache.getline(file, line, frame.f_globals).strip()}".removesuffix(": ")


def explain(error: BaseException, name: str, kind: type[NotTraceableError] = NotTraceableError) -> NotTraceableError:
    """The error for a trace that fails although control flow was rewritten, with the user's line."""
    place = users_line(error)
    reasons = "; ".join(f"{name} could not be rewritten ({why})" for name, why in _failures.items())
    explained = kind(
        f"'{name}' cannot be compiled: the value of a Tensor is needed while compiling, but is known at run time only"
        + (f".\n  at {place}" if place else "")
        + (f"\n  {reasons}" if reasons else "")
        + "\nKeep the value as a Tensor, pass it as a Python number, or run this function in PYNATIVE_MODE."
    )
    explained.place = place
    return explained
