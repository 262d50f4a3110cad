"""Calls that MindSpore's compiler treats in a way of its own: functions with attributes, and Python expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ms_compat._compile.jit import jit
from ms_compat._core.faces import faces, table_faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import scopes
from ms_compat.ops.function.update.assign import stop_gradient
from ms_compat.ops.primitive import Primitive

table_faces(__name__, "array_reduce distribute", "ops")


@faces("ops._add_attr")
def _add_attr(fn: Callable, **attributes: Any) -> Callable:
    """A compiled function that is `fn`; MindSpore marks its nodes with attributes, and XLA has no use for them.

    Args:
        fn: a function or a Cell.
        **attributes: kept as the function's `attributes`.

    Returns:
        The function, of positional arguments.

    Raises:
        TypeError: `fn` is a primitive, or not callable.

    >>> from ms_compat import Tensor, ops
    >>> marked = ops._add_attr(lambda x: x * x, stage=1)
    >>> print(marked(Tensor([3.0])), marked.attributes)
    [9.] {'stage': 1}
    """
    if isinstance(fn, Primitive) or not callable(fn):
        raise TypeError(f"For '_add_attr', the 'fn' must be callable and not a Primitive, but got {type(fn).__name__}.")

    def marked(*args: Any) -> Any:
        return fn(*args)

    out: Any = jit(marked)
    out.attributes = attributes
    return out


class _WithoutComputation(Primitive):
    """A primitive that MindSpore names and that has no computation there, either."""

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError(f"For '{self.name}', MindSpore has no computation, and there is none here.")


array_reduce = _WithoutComputation("array_reduce")
distribute = _WithoutComputation("distribute")


@faces("ops")
class PyExecute(Primitive):
    """Evaluates a Python expression in a compiled function: `PyExecute()("a + b", ("a", "b"), (x, y))`.

    No gradient passes through it. An expression that needs the values, such as "a.asnumpy()", makes a graph break.

    Raises:
        RuntimeError: called outside of compiled functions; as many names as values are not given; the expression
            does not parse.

    >>> import ms_compat as ms
    >>> from ms_compat import ops
    >>> @ms.jit
    ... def f(x):
    ...     return ops.PyExecute()("a + 1", ("a",), (x,))
    >>> print(f(ms.Tensor([1.0])))
    [2.]
    """

    def __init__(self) -> None:
        super().__init__("PyExecute")
        self.add_prim_attr("side_effect_io", True)
        self.add_prim_attr("primitive_target", "CPU")

    def __call__(self, script: str, names: tuple, values: tuple) -> Any:
        if not scopes.as_compiled():
            raise RuntimeError("For 'PyExecute', the call must be in a compiled function; call the Python itself here.")
        if len(names) != len(values):
            raise RuntimeError(f"For 'PyExecute', there are {len(names)} names, but {len(values)} values.")
        try:
            code = compile(script, "<PyExecute>", "eval")
        except SyntaxError as error:
            raise RuntimeError(f"For 'PyExecute', the expression {script!r} does not parse: {error}.") from None
        inputs = [stop_gradient(value) if isinstance(value, Tensor) else value for value in values]
        return eval(code, dict(zip(names, inputs, strict=True)))
