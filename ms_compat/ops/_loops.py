"""Loops as calls: `ForiLoop`, `WhileLoop` and `Scan`.

In PYNATIVE_MODE they are Python's loops. In compiled code a loop whose length is known is unrolled, unless `unroll` is
False; any other becomes one `lax.while_loop` with its gradient (`_compile/control_flow/loops.py`).
"""

from __future__ import annotations

from typing import Any

from ms_compat._compile.control_flow.branches import is_traced
from ms_compat._compile.control_flow.loops import stage_while
from ms_compat._compile.control_flow.operators import while_stmt
from ms_compat._core.faces import faces
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import scopes
from ms_compat.ops.primitive import Primitive


def _check_function(api: str, name: str, fn: Any) -> None:
    if not callable(fn):
        raise TypeError(f"For '{api}', the '{name}' must be a function or method, but got {type(fn).__name__}.")


@faces("ops")
class ForiLoop(Primitive):
    """`for i in range(lower, upper): value = loop_func(i, value)`.

    Call it with (lower, upper, loop_func, init_val, unroll=True); the bounds are ints or 0-d Tensors.

    Raises:
        TypeError: a bound is neither an int nor a Tensor, or `loop_func` no function.

    >>> from ms_compat import ops
    >>> ops.ForiLoop()(0, 4, lambda i, total: total + i, 10)
    16
    """

    def __init__(self):
        super().__init__("ForiLoop")

    def __call__(self, lower, upper, loop_func, init_val, unroll=True) -> Any:
        for name, bound in (("lower", lower), ("upper", upper)):
            if not isinstance(bound, (int, Tensor)) or isinstance(bound, bool):
                raise TypeError(
                    f"For 'ForiLoop', the '{name}' must be an int or a Tensor, but got {type(bound).__name__}."
                )
        _check_function("ForiLoop", "loop_func", loop_func)
        staged = scopes.tracing and (is_traced(lower) or is_traced(upper) or not unroll)
        if not staged:
            value = init_val
            for i in range(int(lower), int(upper)):
                value = loop_func(i, value)
            return value
        variables = [lower if isinstance(lower, Tensor) else Tensor(lower), init_val]

        def put(values):
            variables[:] = values

        def body():
            i, value = variables
            variables[:] = [i + 1, loop_func(i, value)]

        stage_while(lambda: variables[0] < upper, body, lambda: tuple(variables), put, ["i", "init_val"])
        return variables[1]


@faces("ops")
class WhileLoop(Primitive):
    """`while cond_func(value): value = loop_func(value)`; call it with (cond_func, loop_func, init_val).

    Raises:
        TypeError: `cond_func` or `loop_func` is not a function.

    >>> from ms_compat import ops
    >>> ops.WhileLoop()(lambda x: x < 100, lambda x: x * 2, 3)
    192
    """

    def __init__(self):
        super().__init__("WhileLoop")

    def __call__(self, cond_func, loop_func, init_val) -> Any:
        _check_function("WhileLoop", "cond_func", cond_func)
        _check_function("WhileLoop", "loop_func", loop_func)
        variables = [init_val]

        def put(values):
            variables[:] = values

        def body():
            variables[0] = loop_func(variables[0])

        while_stmt(lambda: cond_func(variables[0]), body, lambda: tuple(variables), put, ["init_val"], {})
        return variables[0]


@faces("ops")
class Scan(Primitive):
    """`carry, y = loop_func(carry, x)` over a list, collecting the results.

    Call it with (loop_func, init, xs, length=None, unroll=True). The elements of `xs` are separate, so compiled code
    unrolls the loop whatever `unroll` says.

    Returns:
        At the call, a tuple of the last carry and the list of results.

    Raises:
        TypeError: `loop_func` is not a function, `xs` neither a list, a tuple nor None, or `length` is not an int where
            it is needed.

    >>> from ms_compat import ops
    >>> ops.Scan()(lambda total, x: (total + x, total * x), 0, [1, 2, 3])
    (6, [0, 2, 9])
    """

    def __init__(self):
        super().__init__("Scan")

    def __call__(self, loop_func, init, xs, length=None, unroll=True) -> tuple:
        _check_function("Scan", "loop_func", loop_func)
        if not (xs is None or isinstance(xs, (list, tuple))):
            raise TypeError(f"For 'Scan', the 'xs' must be a list, a tuple or None, but got {type(xs).__name__}.")
        if xs is None and (not isinstance(length, int) or isinstance(length, bool)):
            raise TypeError(f"For 'Scan', the 'length' must be an int without 'xs', but got {type(length).__name__}.")
        if not unroll:
            no_effect("Scan", "the loop is Python's, whose calls a compiled function unrolls", unroll="False")
        carry, results = init, []
        for x in [None] * length if xs is None else xs:
            carry, y = loop_func(carry, x)
            results.append(y)
        return carry, results
