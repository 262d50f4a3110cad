"""A Cell as a pure function of arrays, for `jax.jit`, `jax.grad`, `jax.vmap`, `shard_map` and the rest of JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.tree import flatten, unflatten
from ms_compat._core.trace import scopes, write_barrier
from ms_compat.interop._export import export as export
from ms_compat.nn.cell import Cell


def _mapped(fn: Callable, value: Any) -> Any:
    """Applies a function to each value in tuples, lists and dicts."""
    if isinstance(value, (tuple, list)):
        items = [_mapped(fn, item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if isinstance(value, dict):
        return {key: _mapped(fn, item) for key, item in value.items()}
    return fn(value)


def to_arrays(value: Any) -> Any:
    """Tensors as jax arrays, through tuples, lists and dicts."""
    return _mapped(lambda item: item._v if isinstance(item, Tensor) else item, value)


def _to_tensors(value: Any) -> Any:
    """NumPy arrays as Tensors: JAX accepts NumPy arrays, MindSpore operations do not."""
    return _mapped(lambda item: Tensor(item) if isinstance(item, np.ndarray) else item, value)


def _named(cell: Cell) -> dict[str, Tensor]:
    """A Cell's Parameters by their names, and its buffers by the attributes that hold them."""
    parameters = {p.name: p for p in cell._all_parameters() if isinstance(p, Parameter)}
    return {**dict(cell.named_buffers()), **parameters}


def pure(cell: Cell) -> tuple[Callable, dict[str, Any], dict[str, Any]]:
    """Split a Cell into a pure function and its arrays.

    Args:
        cell: any Cell. It is not changed by calls of the function.

    Returns:
        `(fn, params, state)`: `params` are the trainable Parameters' arrays by name, `state` the others (moving means)
        and the buffers.
        `fn(params, state, *args, key=None, **kwargs)` returns `(output, new state)`, with jax arrays in and out. `key`
        is a JAX random key for dropout and other random layers; without it they draw from `mindspore.set_seed`'s stream
        while tracing, which makes their numbers constants of the compiled function.

    Raises:
        TypeError: `cell` is not a Cell.

    >>> import jax, jax.numpy as jnp
    >>> from ms_compat import nn
    >>> fn, params, state = pure(nn.Dense(3, 2))
    >>> out, _ = jax.jit(fn)(params, state, jnp.ones((4, 3), jnp.float32))
    >>> out.shape
    (4, 2)
    """
    if not isinstance(cell, Cell):
        raise TypeError(f"For 'interop.jax.pure', a Cell is needed, but got {type(cell).__name__}.")
    named = _named(cell)
    trainable = {name: p for name, p in named.items() if isinstance(p, Parameter) and p.requires_grad}
    others = {name: p for name, p in named.items() if name not in trainable}

    rewriting = scopes.Rewriting()

    def fn(params, state_in, *args, key=None, **kwargs):
        return rewriting(lambda: traced(params, state_in, args, key, kwargs))

    def traced(params, state_in, args, key, kwargs):
        leaves: list[Any] = []
        spec = flatten(_to_tensors((args, kwargs)), leaves, True)
        tensors = [*trainable.values(), *others.values()]
        values = [*[params[name] for name in trainable], *[state_in[name] for name in others]]
        with scopes.TraceScope() as scope:
            rewriting.enter(scope)
            if key is not None:
                scope.rng = _KeyStream(key)
            scope.swap(tensors, values)
            inputs = [leaf if isinstance(leaf, Tensor) else wrap(leaf) for leaf in leaves]
            for t in inputs:
                scope.created[id(t)] = t
            call_args, call_kwargs = unflatten(spec, iter(inputs))
            out = to_arrays(cell(*call_args, **call_kwargs))
            return out, {name: p._v for name, p in others.items()}

    arrays = {name: p._v for name, p in trainable.items()}
    return fn, arrays, {name: p._v for name, p in others.items()}


class _KeyStream:
    """Random draws from a JAX key: the n-th uses `fold_in(key, n)`."""

    def __init__(self, key: Any):
        import jax

        self.draws = 0
        self.bits = jax.random.bits(key, (), "uint32")

    def take(self) -> Any:
        import jax.numpy as jnp

        at = self.draws
        self.draws += 1
        return jnp.stack([self.bits, jnp.uint32(at)])


def load(cell: Cell, params: dict[str, Any], state_in: dict[str, Any] | None = None) -> None:
    """Write arrays back into a Cell's Parameters, by name; nothing is changed if a name or shape does not fit.

    Raises:
        KeyError: no Parameter or buffer has a name.
        ValueError: a shape differs.
    """
    by_name = _named(cell)
    chosen = {**params, **(state_in or {})}
    for name, value in chosen.items():
        if name not in by_name:
            raise KeyError(f"For 'interop.jax.load', the Cell has no Parameter '{name}'.")
        if tuple(value.shape) != by_name[name].shape:
            raise ValueError(
                f"For 'interop.jax.load', '{name}' has shape {by_name[name].shape}, but got {tuple(value.shape)}."
            )
    for name, value in chosen.items():
        write_barrier.assign(by_name[name], value)
