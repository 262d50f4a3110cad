"""`mindspore._Function`, a function class with its own gradient, and `mindspore._no_grad`.

A `_Function` is a `call_with_bprop` whose two halves share a context. Under a trace the backward rule runs `forward`
once more to fill the context, because what the first run saved belongs to another trace; XLA computes it once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NoReturn

from ms_compat._autograd.custom import Lifted, call_taped, with_bprop
from ms_compat._autograd.returned import fitted
from ms_compat._core import tape
from ms_compat._core.errors import UnsupportedError
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.tree import flatten
from ms_compat._core.trace import scopes, write_barrier


class FunctionContext:
    """What `forward` keeps for `backward`: Tensors through `save_for_backward`, anything else as attributes."""

    def __init__(self, needs_input_grad: tuple[bool, ...]):
        self.needs_input_grad = needs_input_grad
        self.saved_tensors: tuple = ()
        self.dirty_tensors: tuple = ()
        self.non_differentiable: tuple = ()
        self.materialize_grads = True

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep Tensors; `backward` finds them in `saved_tensors`."""
        self.saved_tensors = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say which inputs were changed in place (and are returned)."""
        self.dirty_tensors = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say which outputs have no gradient."""
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether `backward` gets zeros for the cotangents of unused outputs, or None."""
        self.materialize_grads = value


class _Function:
    """Base of functions with their own gradient; call `apply`.

    >>> import ms_compat as ms
    >>> class Cube(ms._Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x * x
    ...     @staticmethod
    ...     def backward(ctx, dout):
    ...         (x,) = ctx.saved_tensors
    ...         return 3 * x * x * dout
    >>> print(ms.grad(lambda x: Cube.apply(x).sum())(ms.Tensor([2.0])))
    [12.]
    """

    @staticmethod
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        """The function; every subclass defines it, as a static method."""
        raise NotImplementedError("For '_Function', 'forward' must be defined by the subclass.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """The gradient: one Tensor or None per input of `forward`, from one cotangent per output."""
        raise NotImplementedError("For '_Function', 'backward' must be defined by the subclass.")

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Call `forward` so that its gradient is `backward`.

        Raises:
            NotImplementedError: the class has no `forward`, or a gradient is wanted and it has no `backward`.
            RuntimeError: `backward` returns less gradients than there are inputs.
        """
        traced = scopes.current_scope() is not None
        ctx = FunctionContext(tuple([isinstance(a, Tensor) and (traced or _live(a)) for a in args]))
        found: dict[str, Any] = {}

        def forward(*given: Any) -> Any:
            out = _forward(cls, ctx, given, kwargs)
            outputs = out if isinstance(out, tuple) else (out,)
            found["fixed"] = [i for i, o in enumerate(outputs) if _among(o, ctx.non_differentiable)]
            found["dirty"] = [
                (i, next((k for k, o in enumerate(outputs) if o is a), None))
                for i, a in enumerate(given)
                if _among(a, ctx.dirty_tensors)
            ]
            return out

        def bprop(*given: Any) -> Any:
            *inputs, _, dout = given
            douts = dout if isinstance(dout, tuple) else (dout,)
            if not traced:
                return cls.backward(ctx, *douts)
            again = FunctionContext(ctx.needs_input_grad)
            _forward(cls, again, tuple(inputs), kwargs)
            return cls.backward(again, *douts)

        def match(inputs: tuple, returned: Any) -> list[Any]:
            return _matched(cls.__name__, inputs, returned)

        if traced:
            call = Lifted(forward, args, {})
            result = call.apply(with_bprop(call, bprop, match))
        else:
            result = call_taped(forward, bprop, args, match, lambda: ctx.materialize_grads)
        return _finished(result, args, found, traced)


def _live(value: Tensor) -> bool:
    return tape.live_node(value) is not None and not tape.paused()


def _among(value: Any, tensors: tuple) -> bool:
    return any(value is t for t in tensors)


def _forward(cls: Any, ctx: FunctionContext, args: tuple, kwargs: dict) -> Any:
    if hasattr(cls, "setup_context"):
        out = cls.forward(*args, **kwargs)
        cls.setup_context(ctx, args, out)
        return out
    return cls.forward(ctx, *args, **kwargs)


def _matched(name: str, inputs: tuple, returned: Any) -> list[Any]:
    """One gradient, or None, for each leaf of the inputs.

    Raises:
        RuntimeError: there are fewer gradients than inputs, one that is neither a Tensor nor None, or one for what is
            not a Tensor.
    """
    grads = returned if isinstance(returned, tuple) else (returned,)
    if len(grads) < len(inputs):
        raise RuntimeError(
            f"For '{name}', 'backward' must return one gradient per input ({len(inputs)}), but returned {len(grads)}."
        )
    out: list[Any] = []
    for i, grad in enumerate(grads):
        value = inputs[i] if i < len(inputs) else None
        if grad is not None and not isinstance(grad, Tensor):
            raise RuntimeError(
                f"For '{name}', 'backward' must return Tensors or None, but its gradient {i} is a "
                f"{type(grad).__name__}."
            )
        if grad is not None and not isinstance(value, Tensor):
            raise RuntimeError(
                f"For '{name}', 'backward' must return None for what is not a Tensor, but returned a Tensor as its "
                f"gradient {i}."
            )
        leaves: list[Any] = []
        flatten(value, leaves)
        out.extend([None if grad is None else fitted(leaf, grad) for leaf in leaves])
    return out


def _finished(result: Any, args: tuple, found: dict[str, Any], traced: bool) -> Any:
    """The outputs without gradients cut off, and the inputs that were changed in place returned themselves."""
    outputs = list(result) if isinstance(result, tuple) else [result]
    for i in found["fixed"]:
        if traced:
            from ms_compat.ops import stop_gradient

            outputs[i] = stop_gradient(outputs[i])
        else:
            outputs[i]._node = None
    for i, k in found["dirty"]:
        if k is not None:
            write_barrier.assign(args[i], outputs[k]._v, outputs[k]._node)
            outputs[k] = args[i]
    return tuple(outputs) if isinstance(result, tuple) else outputs[0]


class _no_grad:  # MindSpore's name
    """Compute without gradients: a context manager in PYNATIVE_MODE, or a decorator `@_no_grad()` in both modes.

    Raises:
        UnsupportedError: the `with` statement is part of a function that is being compiled or transformed.

    >>> import ms_compat as ms
    >>> def fn(x):
    ...     with ms._no_grad():
    ...         fixed = x * x
    ...     return (fixed * x).sum()
    >>> print(ms.grad(fn)(ms.Tensor([3.0])))
    [9.]
    """

    def __enter__(self) -> None:
        if scopes.current_scope() is not None:
            _refuse()
        self._pause = tape.no_record()
        self._pause.__enter__()

    def __exit__(self, *exc: Any) -> None:
        self._pause.__exit__(*exc)

    def __call__(self, fn: Callable) -> Callable:
        @functools.wraps(fn)
        def call(*args: Any, **kwargs: Any) -> Any:
            if scopes.current_scope() is None:
                with type(self)():
                    return fn(*args, **kwargs)
            return _fixed(fn(*args, **kwargs))

        return call


def _refuse() -> NoReturn:
    raise UnsupportedError(
        "'with mindspore._no_grad()' in a compiled or transformed function",
        "Decorate a function with '@mindspore._no_grad()', or use 'mindspore.ops.stop_gradient'.",
    )


def _fixed(value: Any) -> Any:
    from ms_compat.ops import stop_gradient

    if isinstance(value, Tensor):
        return stop_gradient(value)
    if isinstance(value, (tuple, list)):
        return type(value)([_fixed(item) for item in value])
    if isinstance(value, dict):
        return {key: _fixed(item) for key, item in value.items()}
    return value
