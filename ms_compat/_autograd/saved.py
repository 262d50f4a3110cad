"""`register_saved_tensors_hooks`: what a compiled function keeps for its gradient goes through the user's hooks.

The decorated call becomes a `jax.custom_vjp`. Its forward half asks JAX for the pullback of the call, whose leaves are
the residuals; each passes `pack_hook`, is kept, and passes `unpack_hook` before the pullback is put together again.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax

from ms_compat._autograd.custom import Lifted, noted
from ms_compat._compile.control_flow import converted
from ms_compat._core import state
from ms_compat._core.errors import type_error
from ms_compat._core.parameter import Parameter
from ms_compat._core.tensor import Tensor


def register_saved_tensors_hooks(pack_hook: Callable, unpack_hook: Callable) -> Callable:
    """Decorate a function so that hooks see what it keeps for its gradient; they act where it is compiled.

    Args:
        pack_hook: takes a Tensor that is to be kept; returns the Tensor that is kept in its place.
        unpack_hook: takes what is kept; returns the Tensor that the backward pass works with, in the shape and dtype
            of the first.

    Raises:
        TypeError: a hook is no function, or returns no Tensor.
        ValueError: what `unpack_hook` returns has another shape.

    >>> import ms_compat as ms
    >>> @ms.register_saved_tensors_hooks(lambda x: x.astype(ms.float16), lambda x: x.astype(ms.float32))
    ... def product(x, y):
    ...     return x * y
    >>> print(ms.jit(ms.grad(product))(ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0])))
    [3. 4.]
    """
    api = "register_saved_tensors_hooks"
    for name, hook in (("pack_hook", pack_hook), ("unpack_hook", unpack_hook)):
        if not callable(hook):
            raise type_error(api, name, "a function", hook)

    def decorate(function: Callable) -> Callable:
        @functools.wraps(function)
        def hooked(*args: Any, **kwargs: Any) -> Any:
            if state.current_scope() is None:
                return function(*args, **kwargs)
            call = Lifted(lambda *given: converted(function)(*given, **kwargs), args, {}, _parameters(args))
            return call.apply(_with_hooks(call, pack_hook, unpack_hook))

        return hooked

    return decorate


def _parameters(args: tuple) -> list[Parameter]:
    """The Parameters of the Cells among the arguments; `self` of a method is one."""
    found = [p for cell in args if hasattr(cell, "get_parameters") for p in cell.get_parameters()]
    return list({id(p): p for p in found}.values())


def _with_hooks(call: Lifted, pack: Callable, unpack: Callable) -> Callable:
    rule = jax.custom_vjp(lambda leaf_values, state_values: call(leaf_values, state_values))
    kept: dict[str, Any] = {}

    def forward(leaf_values, state_values):
        out, pullback = jax.vjp(call, leaf_values, state_values)
        residuals, kept["tree"] = jax.tree.flatten(pullback)
        kept["kinds"] = [(value.shape, value.dtype) for value in residuals]
        return out, [_passed(pack, "pack_hook", value) for value in residuals]

    def backward(packed, cotangents):
        residuals = []
        for value, (shape, dtype) in zip(packed, kept["kinds"], strict=True):
            found = _passed(unpack, "unpack_hook", value)
            if found.shape != shape:
                raise ValueError(
                    f"For 'register_saved_tensors_hooks', 'unpack_hook' must give the shape {shape} back, but gave "
                    f"{found.shape}."
                )
            residuals.append(found.astype(dtype))
        return jax.tree.unflatten(kept["tree"], residuals)(cotangents)

    rule.defvjp(forward, backward)
    return rule


def _passed(hook: Callable, name: str, value: Any) -> Any:
    with state.TraceScope() as inner:
        inner.convert = True  # so that a hook may print and branch
        found = converted(hook)(noted(inner, [value])[0])
    if not isinstance(found, Tensor):
        raise type_error("register_saved_tensors_hooks", f"result of {name}", "a Tensor", found)
    return found._v
