"""Primitives that observe values: printing, assertions, summaries, and hooks on gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from ms_compat._autograd.custom import call_with_bprop
from ms_compat._compile.control_flow import checks, converted
from ms_compat._compile.control_flow.branches import condition, is_traced
from ms_compat._compile.control_flow.printing import print_at_run_time
from ms_compat._core.diagnostics import summaries
from ms_compat._core.dtype import bool_
from ms_compat._core.errors import check_int
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import scopes
from ms_compat.ops.function.update.assign import stop_gradient
from ms_compat.ops.primitive import Primitive


def _line(value: Any) -> str:
    return repr(value) if isinstance(value, Tensor) else str(value)


@faces("ops")
def print_(*input_x) -> None:
    """Print values, one a line: Tensors with shape and dtype, anything else as Python does.

    In compiled code the values appear when the program runs. Tensors print without commas, and 0-d ones as
    numbers.

    Args:
        input_x: Tensors, numbers, strings, or tuples and lists of them.

    >>> from ms_compat import Tensor, ops
    >>> ops.print_("x:", Tensor([1.0, 2.0]), 3)
    x:
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
    3
    """
    if scopes.current_scope() is None:
        print("\n".join([_line(value) for value in input_x]))
    else:
        print_at_run_time(*input_x)


@faces("ops")
class Print(Primitive):
    """The primitive of `print_`."""

    def __init__(self):
        super().__init__("Print")

    def __call__(self, *args) -> None:
        print_(*args)


@faces("ops")
class Assert(Primitive):
    """Fail if a condition is false, after printing tensors; call it with (condition, input_data).

    Args:
        summarize (int): how many elements of each tensor are printed.

    Raises:
        TypeError: `summarize` is not an int, `condition` is not a bool, or `input_data` is not a tuple or list.
        RuntimeError: the condition is false; from compiled code after the program has run.

    >>> from ms_compat import Tensor, ops
    >>> ops.Assert(1)(True, [Tensor([1, 2])])
    """

    summarize: int

    def __init__(self, summarize: int = 3):
        super().__init__("Assert")
        check_int("Assert", "summarize", summarize)
        self.add_prim_attr("summarize", summarize)

    def __call__(self, condition_, input_data) -> None:
        if not isinstance(input_data, (tuple, list)):
            raise TypeError(
                f"For 'Assert', the 'input_data' must be a tuple or list of Tensors, but got "
                f"{type(input_data).__name__}."
            )
        if not isinstance(condition_, bool) and not (isinstance(condition_, Tensor) and condition_.dtype is bool_):
            got = condition_.dtype if isinstance(condition_, Tensor) else type(condition_).__name__
            raise TypeError(f"For 'Assert', the 'condition' must be a bool, but got {got}.")

        def report(holds, *arrays):
            if not holds:
                print("For 'Assert' condition is false.")
                for a in arrays:
                    print(f"input data: {np.asarray(a).reshape(-1)[: self.summarize]}")

        arrays = [x._v if isinstance(x, Tensor) else x for x in input_data]
        if is_traced(condition_):
            holds = condition(condition_)
            jax.debug.callback(report, holds, *arrays)
            checks.check_at_run_time(holds, "For 'Assert', the condition is false: assert failed", RuntimeError)
        elif not condition_:
            report(False, *arrays)
            raise RuntimeError("For 'Assert', the condition is false: assert failed")


class _Summary(Primitive):
    """A summary goes to the SummaryRecord that is open; without one a call does nothing, as on MindSpore."""

    _kind = ""

    def __init__(self):
        super().__init__(type(self).__name__)

    def __call__(self, name, value) -> None:
        summaries.note(self._kind, name, value._v if isinstance(value, Tensor) else value)


@faces("ops")
class ScalarSummary(_Summary):
    """Hand a scalar to the open SummaryRecord; call it with (name, value)."""

    _kind = "scalar"


@faces("ops")
class TensorSummary(_Summary):
    """Hand a tensor to the open SummaryRecord; call it with (name, value)."""

    _kind = "tensor"


@faces("ops")
class ImageSummary(_Summary):
    """Hand images (N, C, H, W) to the open SummaryRecord; call it with (name, value)."""

    _kind = "image"


@faces("ops")
class HistogramSummary(_Summary):
    """Hand a tensor to the open SummaryRecord, for a histogram; call it with (name, value)."""

    _kind = "histogram"


@faces("ops")
class HookBackward(Primitive):
    """Pass values on, and their gradients through a function: `hook_fn(grads) -> new grads or None`.

    Args:
        hook_fn: takes the tuple of the inputs' gradients; what it returns replaces them, None keeps them.
        cell_id: kept as an attribute.

    Raises:
        TypeError: `hook_fn` is not a function.

    >>> import ms_compat as ms
    >>> hook = ms.ops.HookBackward(lambda grads: grads[0] * 10)
    >>> print(ms.grad(lambda x: hook(x * 2))(ms.Tensor(1.0)))
    20.0
    """

    def __init__(self, hook_fn: Callable, cell_id: Any = ""):
        super().__init__("HookBackward")
        if not callable(hook_fn):
            raise TypeError(f"For 'HookBackward', the 'hook_fn' must be a function, but got {type(hook_fn).__name__}.")
        self.hook_fn = hook_fn
        self.add_prim_attr("cell_id", cell_id)

    def __call__(self, *args) -> Any:
        def bprop(*inputs_out_dout):
            dout = inputs_out_dout[-1]
            grads = dout if len(args) > 1 else (dout,)
            replaced = self.hook_fn(grads)
            if replaced is None:
                return grads
            replaced = replaced if isinstance(replaced, (tuple, list)) else (replaced,)
            if len(replaced) != len(grads):
                raise TypeError(
                    f"For 'HookBackward', the 'hook_fn' must return {len(grads)} gradients, but got {len(replaced)}."
                )
            return replaced

        out = call_with_bprop(_identity, bprop, args, {}, "HookBackward")
        return _other(args[0], out) if len(args) == 1 else tuple(map(_other, args, out))


@faces("ops")
class InsertGradientOf(Primitive):
    """Pass a value on, and its gradient through a function that may be compiled: `f(grad) -> new grad`.

    Args:
        f: the function.

    >>> import ms_compat as ms
    >>> negated = ms.ops.InsertGradientOf(lambda grad: -grad)
    >>> print(ms.grad(lambda x: negated(x) * 2)(ms.Tensor(1.0)))
    -2.0
    """

    def __init__(self, f: Callable):
        super().__init__("InsertGradientOf")
        self.f = f
        self.add_prim_attr("side_effect_backprop", True)

    def __call__(self, input_x) -> Any:
        def bprop(x, out, dout):
            scope = scopes.current_scope()
            f = converted(self.f) if scope is not None and scope.convert else self.f
            return (f(dout),)

        return call_with_bprop(_identity, bprop, (input_x,), {}, "InsertGradientOf")


def _other(value: Any, out: Any) -> Any:
    """A Tensor of the same storage where a value was passed on as the same object."""
    return stop_gradient(value) if out is value and not scopes.tracing else out


def _identity(*args) -> Any:
    return args[0] if len(args) == 1 else args


@faces("ops")
class Morph(Primitive):
    """A function with its own gradient, as a primitive.

    Args:
        fn: the function of Tensors.
        infer_shape, infer_dtype: MindSpore's compiler calls them for the result's shapes and dtypes; here the trace
            of `fn` gives them.
        bprop_fn: `bprop_fn(*inputs, out, dout)` returns the inputs' gradients; None differentiates `fn`.

    Raises:
        TypeError: `fn` or `bprop_fn` is not a function.
    """

    def __init__(self, fn: Callable, infer_shape: Callable, infer_dtype: Callable, bprop_fn: Callable | None = None):
        super().__init__("Morph")
        for name, value in (("fn", fn), ("bprop_fn", bprop_fn)):
            if not callable(value) and not (name == "bprop_fn" and value is None):
                raise TypeError(f"For 'Morph', the '{name}' must be a function, but got {type(value).__name__}.")
        self.fn, self.bprop_fn = fn, bprop_fn
        self.infer_shape, self.infer_dtype = infer_shape, infer_dtype

    def __call__(self, *args) -> Any:
        if self.bprop_fn is None:
            return self.fn(*args)
        return call_with_bprop(self.fn, self.bprop_fn, args, {}, "Morph")
