"""Rewriting a function's control flow into calls, with diastatic-malt's transpiler and operators of our own.

Only the user's functions are rewritten: those of this package, of JAX, numpy and the standard library run as they are.
The transpiler gets its own table of operators (`ag__`), so nothing of malt or of the user is patched. A rewritten
function behaves as before wherever its conditions are constants.
"""

from __future__ import annotations

import functools
import inspect
import logging
import sys
import types
import weakref
from collections.abc import Callable
from typing import Any

from ms_compat._core import state
from ms_compat._core.errors import NotTraceableError

logger = logging.getLogger("ms_compat")

_FOREIGN = {"ms_compat", "mindspore", "jax", "jaxlib", "numpy", "optax", "flax", "malt", "ml_dtypes", "scipy", "torch"}
_converted: weakref.WeakKeyDictionary[Any, Callable] = weakref.WeakKeyDictionary()
_failures: dict[str, str] = {}
# generated file -> {line: (file, line, source text)} of the user's code
source_lines: dict[str, dict[int, tuple[str, int, str]]] = {}


def is_users(fn: Any) -> bool:
    """Whether a function belongs to the user's code and not to a library that is traced as it is."""
    return is_users_module(getattr(fn, "__module__", None))


def is_users_module(name: str | None) -> bool:
    """Whether a module of this name is the user's."""
    package = (name or "").partition(".")[0]
    return package not in _FOREIGN and package not in sys.stdlib_module_names or package == "__main__"


def converted(fn: Callable) -> Callable:
    """The rewritten form of a function or bound method, while the open trace asks for it; otherwise `fn` itself."""
    scope = state.current_scope()
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
    found = _converted.get(fn)
    if found is None:
        found = _converted[fn] = _convert(fn)
    return found


def _convert(fn: types.FunctionType) -> Callable:
    if inspect.isgeneratorfunction(fn) or inspect.iscoroutinefunction(fn):
        return fn
    from malt.core import converter

    features = (converter.Feature.ASSERT_STATEMENTS, converter.Feature.BUILTIN_FUNCTIONS)
    options = converter.ConversionOptions(recursive=True, user_requested=False, optional_features=features)
    target = inspect.unwrap(fn) if hasattr(fn, "__wrapped__") and fn.__code__.co_freevars == () else fn
    try:
        new, _, source_map = _transpiler().transform(target, converter.ProgramContext(options=options))
    except Exception as error:  # noqa: BLE001  (any failure to rewrite leaves the function as it was; told on need)
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


@functools.cache
def _transpiler() -> Any:
    from malt.impl import api
    from malt.operators import variables

    from ms_compat._compile.control_flow import memberships, operators

    class Transpiler(api.PyToPy):
        """malt's passes, with this package's operators as `ag__`."""

        def transform_ast(self, node, ctx):
            return memberships.transform(super().transform_ast(node, ctx))

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
                ld=variables.ld,
                ldu=variables.ldu,
                autograph_artifact=lambda entity, extras=None: entity,
                Undefined=variables.Undefined,
                UndefinedReturnValue=variables.UndefinedReturnValue,
                **{name: getattr(operators, name) for name in operators.TABLE},
            )
            return {"ag__": table}

    return Transpiler()


def users_line(error: BaseException) -> str:
    """`file:line: source` of the innermost line of the user's code in an exception's traceback."""
    best = ""
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        mapped = source_lines.get(code.co_filename, {}).get(trace.tb_lineno)
        if mapped is not None:
            best = f"{mapped[0]}:{mapped[1]}: {mapped[2]}"
        elif is_users_file(trace.tb_frame.f_globals.get("__name__", "")):
            line = inspect.getframeinfo(trace).code_context
            best = f"{code.co_filename}:{trace.tb_lineno}: {line[0].strip() if line else ''}"
        trace = trace.tb_next
    return best


def is_users_file(module: str) -> bool:
    """Whether a module name belongs to the user's code."""
    root = module.partition(".")[0]
    return root == "__main__" or (root not in _FOREIGN and root not in sys.stdlib_module_names)


def explain(error: BaseException, name: str) -> NotTraceableError:
    """The error for a trace that fails although control flow was rewritten, with the user's line."""
    place = users_line(error)
    reasons = "; ".join(f"{name} could not be rewritten ({why})" for name, why in _failures.items())
    return NotTraceableError(
        f"'{name}' cannot be compiled: the value of a Tensor is needed while compiling, but is known at run time only"
        + (f".\n  at {place}" if place else "")
        + (f"\n  {reasons}" if reasons else "")
        + "\nKeep the value as a Tensor, pass it as a Python number, or run this function in PYNATIVE_MODE."
    )
