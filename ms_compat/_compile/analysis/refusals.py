"""What MindSpore's graph compiler refuses although Python and XLA could run it.

MindSpore raises an error for such a program; here it would run in Python after a graph break, or give unreliable
results. So this module raises the error, too, and never makes a graph break: an error of MindSpore's class, at the
first call, wherever in the program the code is.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterable
from typing import Any

from ms_compat._compile.analysis.users import is_users_module
from ms_compat._core import tape
from ms_compat._core.errors import NotTraceableError, TapeOnlyError
from ms_compat._core.homes import is_of_the_package
from ms_compat._core.tensor import Tensor, tree
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace.scopes import TraceScope, current_scope

DEPTH = 6  # of lists and tuples in each other, in what a compiled function returns

_OF_CELLS = (
    "buffers", "get_buffer", "get_parameters", "get_sub_cell", "load_state_dict", "named_buffers",
    "register_backward_hook", "register_backward_pre_hook", "register_buffer", "register_forward_hook",
    "register_forward_pre_hook", "register_load_state_dict_post_hook", "register_load_state_dict_pre_hook",
    "register_saved_tensors_hooks", "register_state_dict_post_hook", "register_state_dict_pre_hook", "state_dict", "to",
    "to_empty", "trainable_params", "untrainable_params",
)  # fmt: skip
_OF_TENSORS = ("assign_value", "set_const_arg")
_OF_CONTEXT = (
    "get_auto_parallel_context", "get_context", "get_jit_config", "get_ps_context", "reset_auto_parallel_context",
    "reset_ps_context", "set_auto_parallel_context", "set_context", "set_ps_context",
)  # fmt: skip
_OF_LOG = ("critical", "debug", "error", "get_level", "get_log_config", "info", "warning")
_OF_INITIALIZERS = (
    "Constant", "Dirac", "HeNormal", "HeUniform", "Identity", "Initializer", "Normal", "One", "Orthogonal", "Sparse",
    "TruncatedNormal", "Uniform", "VarianceScaling", "XavierNormal", "XavierUniform", "Zero", "initializer",
)  # fmt: skip
_NAMES_OF = {
    "nn.Cell": _OF_CELLS,
    "Parameter": ("set_data",),
    "Tensor": _OF_TENSORS,
    "context": _OF_CONTEXT,
    "log": _OF_LOG,
    "common.initializer": _OF_INITIALIZERS,
}
# A function that uses such a name is rewritten at once, so that its calls are seen. `to` alone is too common for that.
NAMES = frozenset(name for names in _NAMES_OF.values() for name in names) - {"to"}


def refusal(kind: type[Exception], text: str) -> Exception:
    """The error for a program that MindSpore's compiler refuses, raised also within a branch on a Tensor."""
    error = kind(text)
    error.__dict__["of_compiler"] = True
    return error


def is_refusal(error: BaseException) -> bool:
    """Whether `refusal` made it."""
    return getattr(error, "of_compiler", False)


_forbidden: dict[Any, str] = {}


def forbid(owner: Any, where: str) -> None:
    """Enter the functions of a class or module that compiled code may not call.

    Modules above this file define these functions and call `forbid` where they define them: a program cannot call a
    function that was never imported.

    Args:
        owner: the class or module.
        where: its path below `mindspore`, a key of the table.
    """
    _forbidden.update({getattr(owner, name): f"mindspore.{where}.{name}" for name in _NAMES_OF[where]})


forbid(Parameter, "Parameter")


def check_call(f: Any) -> None:
    """Raise RuntimeError for an API that compiled code may not call."""
    called = f.__func__ if type(f) is types.MethodType else f
    try:
        api = _forbidden.get(called)
    except TypeError:  # an object that has no hash
        return
    if api is None and called is not f:
        api = _forbidden.get(f)
    if api is not None:
        raise refusal(
            RuntimeError,
            f"'{api}' cannot be called in compiled code. Call it before, in '__init__' for example, and keep what it "
            "gives; a Parameter gets a new value by 'ops.assign'.",
        )


def check_builtin(f: Any, args: tuple) -> None:
    """Raise for arguments that a builtin function of Python does not take in compiled code.

    Raises:
        TypeError: `max` or `min` of nested sequences with Tensors.
        RuntimeError: `map` over sequences of unlike kinds or lengths.
    """
    if (f is max or f is min) and len(args) == 1 and type(args[0]) in (list, tuple):
        inner = [item for item in args[0] if isinstance(item, (list, tuple))]
        if any(isinstance(part, Tensor) for item in inner for part in item):
            raise refusal(TypeError, f"In compiled code '{f.__name__}' takes no sequences of Tensors as elements.")
    if f is map and len(args) > 2:
        kinds = {type(items) for items in args[1:]}
        if len(kinds) > 1 and kinds <= {list, tuple, Tensor}:
            names = sorted(kind.__name__ for kind in kinds)
            raise refusal(RuntimeError, f"The types of arguments in Map must be consistent, but got {names}.")
        if kinds <= {list, tuple} and len({len(items) for items in args[1:]}) > 1:
            plural = "lists" if list in kinds else "tuples"
            raise refusal(RuntimeError, f"For 'Map', the length of {plural} must be the same.")


def check_hook(tensor: Tensor, caller: types.FrameType, is_generated: Callable[[Any], bool]) -> None:
    """Raise for a hook that compiled code may not register: of a Parameter, or a second one of one Tensor.

    An argument of the function may have several; whether it is one, rewritten code does not tell.
    """
    if isinstance(tensor, Parameter):
        raise refusal(ValueError, "Compiled code cannot register a hook of a Parameter. Do it before the call.")
    scope = current_scope()
    if id(tensor) in scope.hooked_tensors and not is_generated(caller.f_code):
        code, values = caller.f_code, caller.f_locals
        if not any(values.get(name) is tensor for name in code.co_varnames[: code.co_argcount]):
            raise refusal(
                RuntimeError,
                "It is not supported to register multiple hooks for a Tensor. In compiled code, join them in one.",
            )
    scope.hooked_tensors[id(tensor)] = tensor


def check_recorded(arguments: tuple) -> None:
    """Raise RuntimeError if a container holds a Tensor with a gradient together with what cannot be a variable.

    MindSpore makes all of such a container variable, where `jit` is called under a gradient.
    """
    for argument in arguments:
        if type(argument) in (tuple, list, dict):
            items = _items(argument)
            if any(tape.live_node(v) is not None for v in items):
                wrong = next((v for v in items if not isinstance(v, (Tensor, int, float))), items)
                if wrong is not items:
                    text = f"An argument holds a Tensor that has a gradient together with {wrong!r:.60}."
                    raise refusal(RuntimeError, f"{text} That cannot be a variable; hand it over by itself.")


def _items(value: Any) -> list[Any]:
    """The elements of containers in each other."""
    if not isinstance(value, (tuple, list, dict)):
        return [value]
    inner = value.values() if isinstance(value, dict) else value
    return [item for part in inner for item in _items(part)]


def check_instance(kind: type, arguments: Any) -> None:
    """Raise TypeError for a user's Cell that compiled code makes from a variable argument."""
    inputs = current_scope().inputs
    if inputs and is_users_module(kind.__module__):
        for value in _items(arguments):
            if isinstance(value, Tensor) and id(value._v) in inputs:
                text = f"'{kind.__name__}' is made in compiled code, but of an argument that is known at run time only."
                raise refusal(TypeError, text)


_MISUSED = re.compile(r"range expected at (least|most) |super\(\) (expected at most|argument )|super\(type, obj\)")


def of_loops(error: ValueError, name: str) -> TapeOnlyError | None:
    """What to say where JAX differentiates the gradient of a loop once more; None for another error."""
    if "Reverse-mode differentiation does not work for lax.while_loop" not in str(error):
        return None
    return TapeOnlyError(
        f"{name}: a compiled function has no second derivative through a loop whose number of rounds depends on a "
        "Tensor. Loop over a range of a constant length."
    )


def misuse(error: TypeError) -> Exception | None:
    """The RuntimeError for arguments that `range` and `super` do not take; None for other errors."""
    text = str(error)
    return refusal(RuntimeError, f"In a compiled function: {text}") if _MISUSED.match(text) else None


# -- results of branches ----------------------------------------------------------------------------------------------
class Unjoined:
    """Stands in a variable for two values of unlike kinds, one from each branch of an `if` on a Tensor.

    To return it is an error of the program; what else it is used for MindSpore compiles once per branch, which breaks
    the graph here.
    """

    __slots__ = ("text",)

    def __init__(self, text: str):
        self.text = text


class UnjoinedError(NotTraceableError):
    """A read of such a variable."""

    def __init__(self, unjoined: Unjoined):
        super().__init__(unjoined.text)
        self.unjoined = unjoined


class Unbound:
    """Stands in a variable that only one path of an `if` on a Tensor has set; to read it is an error of the program."""

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name


def bound(value: Any) -> Any:
    """The value, unless it is an `Unbound`, which raises."""
    if value.__class__ is Unbound:
        text = f"'{value.name}' is read after an 'if' on a Tensor that sets it on one of its paths only. Set it before."
        raise refusal(UnboundLocalError, text)
    return value


def joined(value: Any) -> Any:
    """The value, unless it is an `Unjoined`, which raises."""
    if value.__class__ is Unjoined:
        raise UnjoinedError(value)
    return value


def note_unjoined(scope: TraceScope | None, value: Any, text: str) -> None:
    """Remember that a value, of one type here, comes from two branches whose types MindSpore does not join."""
    outermost = scope
    while outermost is not None and outermost.outer is not None:
        outermost = outermost.outer
    if outermost is not None:
        outermost.unjoined[id(value)] = (value, text)


# -- outputs -----------------------------------------------------------------------------------------------------------
def check_names(arguments: Any, used: Iterable[Any], cell: Any = None) -> None:
    """Refuse a program in which two Parameters have one name, unless both are registered in its Cell.

    Args:
        arguments: of the call, as `tree.flatten` describes them.
        used: what the program reads and writes.
        cell: the Cell that is compiled, or None.

    Raises:
        ValueError: one of them is an argument.
        RuntimeError: the program has both from elsewhere.
    """
    given = [
        node.value.value for node in tree.walk(arguments) if isinstance(node, tree.Constant) and node.kind is Parameter
    ]
    own = set() if cell is None else {id(parameter) for parameter in cell.get_parameters()}
    known: dict[str, Any] = {}
    for i, parameter in enumerate((*given, *used)):
        if not isinstance(parameter, Parameter) or known.setdefault(parameter.name, parameter) is parameter:
            continue
        if id(parameter) in own and id(known[parameter.name]) in own:
            continue
        among = i < len(given) or any(known[parameter.name] is other for other in given)
        text = f"Two Parameters have one name: its name '{parameter.name}' already exists. Give each a name of its own."
        raise refusal(ValueError if among else RuntimeError, text)


def check_output(out: Any, scope: TraceScope) -> None:
    """Refuse what a compiled function may not return.

    Raises:
        TypeError: the value of two branches that have no type in common.
        RuntimeError: a function or Cell, alone or in a tuple, or sequences more than six deep.
    """
    if out.__class__ is Unjoined:
        raise refusal(TypeError, out.text)
    found = scope.unjoined.get(id(out))
    if found is not None:
        raise refusal(TypeError, found[1])
    if _has_function(out):
        raise refusal(RuntimeError, "A compiled function cannot return a function or a Cell.")
    if type(out) in (tuple, list) and _depth(out) > DEPTH:
        raise refusal(
            RuntimeError,
            f"List, tuple and dict nesting is not allowed more than {DEPTH} levels in compiled results.",
        )


_FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinFunctionType)


def _has_function(value: Any) -> bool:
    if type(value) is tuple:
        return any(map(_has_function, value))
    return isinstance(value, _FUNCTIONS) or _is_ours(value)


def _depth(value: Any) -> int:
    if type(value) not in (tuple, list):
        return 0
    return 1 + max(map(_depth, value), default=0)


def _is_ours(value: Any) -> bool:
    """Whether it is a Cell, an operation or a primitive."""
    kind = type(value)
    if hasattr(kind, "_all_parameters"):
        return True
    return callable(value) and not isinstance(value, type) and is_of_the_package(kind.__module__)
