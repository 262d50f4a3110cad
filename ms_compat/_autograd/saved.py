"""Hooks on what is kept for a gradient: `saved_tensors_hooks`, `register_saved_tensors_hooks`, the method of Cells.

In PYNATIVE_MODE `saved_tensors_hooks` acts on the tape: of the inputs that a recorded operation would keep, those that
its pullback reads pass `pack_hook`, and come back through `unpack_hook` whenever the backward pass needs them.

In compiled code the decorated call becomes a `jax.custom_vjp`. Its forward half asks JAX for the pullback of the call,
whose leaves are the residuals; each passes `pack_hook`, is kept, and passes `unpack_hook` before the pullback is put
together again.

Each operation chooses which tensors it keeps: `exp` keeps its input here and its output in MindSpore. A function
with a gradient of its own, such as a `bprop`, holds its inputs as they are.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ms_compat._autograd.custom import Lifted, noted
from ms_compat._compile.control_flow import converted
from ms_compat._core import tape
from ms_compat._core.checks import check_callable
from ms_compat._core.errors import check_type
from ms_compat._core.jax_compat import inputs_read
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import scopes


class saved_tensors_hooks:
    """A block of PYNATIVE code in which hooks see what is kept for the backward pass.

    Args:
        pack_hook: takes a Tensor that is to be kept; returns what is kept in its place, of any kind.
        unpack_hook: takes what was kept; returns the Tensor that the backward pass works with, in the shape of the
            first. It is called again at each backward pass.

    Raises:
        TypeError: a hook is not a function; the block is in compiled code (there `register_saved_tensors_hooks` acts);
            or, from the backward pass, `unpack_hook` returns no Tensor.
        ValueError: from the backward pass: `unpack_hook` returns a Tensor of another shape.

    >>> import ms_compat as ms
    >>> def product(x, y):
    ...     with ms.saved_tensors_hooks(lambda kept: kept.asnumpy(), lambda array: ms.Tensor(array) + 1):
    ...         return x * y
    >>> print(ms.grad(product)(ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0])))
    [4. 5.]
    """

    def __init__(self, pack_hook: Callable, unpack_hook: Callable) -> None:
        check_hooks("saved_tensors_hooks", pack_hook, unpack_hook)
        if scopes.current_scope() is not None:
            raise TypeError(
                "'saved_tensors_hooks' acts in PYNATIVE_MODE alone: decorate the function with "
                "'register_saved_tensors_hooks' where it is compiled."
            )
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook
        self._open: list[Any] = []

    def __enter__(self) -> None:
        block = tape.transform_residuals(functools.partial(_keep, self.pack_hook, self.unpack_hook))
        block.__enter__()
        self._open.append(block)

    def __exit__(self, *exc: Any) -> None:
        self._open.pop().__exit__(*exc)


def check_hooks(api: str, pack_hook: Any, unpack_hook: Any) -> None:
    """Raise TypeError unless both are functions."""
    for name, hook in (("pack_hook", pack_hook), ("unpack_hook", unpack_hook)):
        check_callable(api, name, hook)


# -- the tape --------------------------------------------------------------------------------------------------------
class _Kept:
    """The inputs of a recorded operation as `pack_hook` left them; iterating gives them as `unpack_hook` makes them."""

    __slots__ = ("parts", "unpack")

    def __init__(self, parts: list[Any], unpack: Callable):
        self.parts, self.unpack = parts, unpack

    def __iter__(self) -> Iterator[Any]:
        for part in self.parts:
            if part.__class__ is _Packed:
                with tape.no_record(), tape.transform_residuals(None):
                    found = self.unpack(part.value)
                yield _as_before(found, part.aval, "saved_tensors_hooks")
            elif part.__class__ is jax.ShapeDtypeStruct:
                yield jnp.zeros(part.shape, part.dtype)  # not read
            else:
                yield part


class _Packed:
    __slots__ = ("aval", "value")

    def __init__(self, value: Any, aval: jax.ShapeDtypeStruct):
        self.value, self.aval = value, aval


def _keep(
    pack: Callable, unpack: Callable, entry: tape.CompiledOp, mask: tuple, values: Sequence, out: Any
) -> _Kept | None:
    outs = out if isinstance(out, (tuple, list)) else (out,)
    present = tuple([i for i, o in enumerate(outs) if o.dtype in tape.INEXACT])
    if not present:
        return None
    pullback = entry.pullback(mask, None if outs is not out else present)
    read = _read(pullback, tuple([_aval(outs[i]) for i in present]), tuple([_aval(v) for v in values]))
    parts: list[Any] = []
    for value, is_read in zip(values, read, strict=True):
        if not isinstance(value, jax.Array) or value.weak_type:  # a number from the script
            parts.append(value)
        elif is_read:
            with tape.no_record(), tape.transform_residuals(None):
                parts.append(_Packed(pack(wrap(value)), _aval(value)))
        else:
            parts.append(_aval(value))
    return _Kept(parts, unpack)


def _aval(value: Any) -> Any:
    return jax.ShapeDtypeStruct(value.shape, value.dtype) if hasattr(value, "dtype") else value


@functools.lru_cache(maxsize=512)
def _read(pullback: tape.CompiledOp, cotangents: tuple, inputs: tuple) -> tuple[bool, ...]:
    """Which inputs of an operation its pullback reads."""
    flags = iter(inputs_read(pullback.fn, *cotangents, *inputs)[len(cotangents) :])
    return tuple([value is not None and next(flags) for value in inputs])


def _as_before(found: Any, aval: Any, api: str) -> Any:
    """The array of what `unpack_hook` returned, in the dtype of what was packed."""
    check_type(api, "result of unpack_hook", found, Tensor)
    if found.shape != aval.shape:
        raise ValueError(f"For '{api}', 'unpack_hook' must give the shape {aval.shape} back, but gave {found.shape}.")
    return found._v.astype(aval.dtype)


# -- compiled code ---------------------------------------------------------------------------------------------------
def register_saved_tensors_hooks(pack_hook: Callable, unpack_hook: Callable) -> Callable:
    """Decorate a function so that hooks see what it keeps for its gradient; they act where it is compiled.

    Args:
        pack_hook: takes a Tensor that is to be kept; returns the Tensor that is kept in its place.
        unpack_hook: takes what is kept; returns the Tensor that the backward pass works with, in the shape and dtype
            of the first.

    Raises:
        TypeError: a hook is not a function, or returns no Tensor.
        ValueError: what `unpack_hook` returns has another shape.

    >>> import ms_compat as ms
    >>> @ms.register_saved_tensors_hooks(lambda x: x.astype(ms.float16), lambda x: x.astype(ms.float32))
    ... def product(x, y):
    ...     return x * y
    >>> print(ms.jit(ms.grad(product))(ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0])))
    [3. 4.]
    """
    check_hooks("register_saved_tensors_hooks", pack_hook, unpack_hook)

    def decorate(function: Callable) -> Callable:
        @functools.wraps(function)
        def hooked(*args: Any, **kwargs: Any) -> Any:
            if scopes.current_scope() is None:
                return function(*args, **kwargs)
            return _call_compiled(function, args, kwargs, _parameters(args), pack_hook, unpack_hook)

        return hooked

    return decorate


def cell_has_hooks(cell: Any) -> bool:
    """Whether a Cell has hooks on what its `construct` keeps."""
    return bool(cell.__dict__.get("_saved_hooks"))


def call_cell(cell: Any, inner: Callable, args: tuple, kwargs: dict) -> Any:
    """A call of such a Cell, in both modes."""
    pack_hook, unpack_hook = cell.__dict__["_saved_hooks"]
    if scopes.current_scope() is None:
        with saved_tensors_hooks(pack_hook, unpack_hook):
            return inner(*args, **kwargs)
    return _call_compiled(inner, args, kwargs, cell._all_parameters(), pack_hook, unpack_hook)


def _call_compiled(
    function: Callable, args: tuple, kwargs: dict, parameters: Sequence, pack: Callable, unpack: Callable
) -> Any:
    call = Lifted(lambda *given: converted(function)(*given, **kwargs), args, {}, parameters)
    return call.apply(_with_hooks(call, pack, unpack))


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
        kept["avals"] = [jax.ShapeDtypeStruct(value.shape, value.dtype) for value in residuals]
        return out, [_packed(_traced_call(pack, value)) for value in residuals]

    def backward(packed, cotangents):
        residuals = [
            _as_before(_traced_call(unpack, value), aval, "register_saved_tensors_hooks")
            for value, aval in zip(packed, kept["avals"], strict=True)
        ]
        return jax.tree.unflatten(kept["tree"], residuals)(cotangents)

    rule.defvjp(forward, backward)
    return rule


def _packed(found: Any) -> Any:
    check_type("register_saved_tensors_hooks", "result of pack_hook", found, Tensor)
    return found._v


def _traced_call(hook: Callable, value: Any) -> Any:
    with scopes.TraceScope() as inner:
        inner.convert = True  # so that a hook may branch
        return converted(hook)(noted(inner, [value])[0])
