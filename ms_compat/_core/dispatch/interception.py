"""Functions of the program that see calls of operations: `utils.MsDispatchMode` and `graph.register_op_infer`.

`watched` counts what there is to call. Operations read it off their hot path: a mode also counts in `scopes.tracing`,
as a level of mixed precision does, and functions for the compiler see only what is compiled. Primitives read it at
every call.
"""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from ms_compat._core import faces
from ms_compat._core.jax_compat import eval_context
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.trace import scopes

logger = logging.getLogger("ms_compat")

watched = 0
# what `register_op_infer` and `register_op_wrapper` keep: {primitive: {attribute: function}}, {primitive: function}
inferences: dict[str, dict[str, Callable]] = {}
wrappers: dict[str, Callable] = {}

# The primitives that MindSpore runs for functions and operators, where they are others than the class that is the same
# function here; the second table holds for PYNATIVE_MODE alone.
_PRIMITIVES = {
    "matmul": "MatMulExt", "sum": "SumExt", "mean": "MeanExt", "max": "Max", "min": "Min", "concat": "Concat",
    "stack": "Stack", "where": "Select", "topk": "TopK", "add_scaled": "AddExt", "sub_scaled": "SubExt",
    "bmm": "BatchMatMul", "small_power": "Pow", "split_at": "Split", "drop": "Dropout", "uniform01": "UniformReal",
}  # fmt: skip
_RUN = {"add": "AddExt", "sub": "SubExt"}


class _Local(threading.local):
    def __init__(self) -> None:
        self.modes: list[Any] = []
        self.inside = False  # whether a function of the program is running, whose own operations are not seen
        self.replaced: frozenset[str] = frozenset()  # the primitives whose replacements are running


_local = _Local()


def count(change: int) -> None:
    """Note that there is something more, or less, to call."""
    global watched
    with scopes.lock:
        watched += change


class OpFunc:
    """The operation of a call: its primitive's name, and the computation when it is called."""

    def __init__(self, name: str, function: Callable) -> None:
        self.name = name
        self._function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<OpFunc {self.name}>"


def enter(mode: Any) -> list[Any]:
    """Let a mode see the operations of this thread; returns the thread's modes, for `leave`."""
    with scopes.lock:
        scopes.tracing += 1
    count(1)
    _local.modes.append(mode)
    return _local.modes


def leave(mode: Any, modes: list[Any] | None = None) -> None:
    """Take a mode away, from this thread or from the thread with the given modes."""
    modes = _local.modes if modes is None else modes
    # The last one, because a block may be entered again inside of itself.
    del modes[max(place for place, one in enumerate(modes) if one is mode)]
    count(-1)
    with scopes.lock:
        scopes.tracing -= 1


class _Inside:
    """A block whose operations no function sees."""

    def __enter__(self) -> None:
        self._former, _local.inside = _local.inside, True

    def __exit__(self, *_: object) -> None:
        _local.inside = self._former


def sees() -> bool:
    """Whether a call in this thread has to go through `run`."""
    if _local.inside:
        return False
    if scopes.as_compiled():
        return bool(inferences or wrappers)
    return bool(_local.modes) and scopes.current_scope() is None


def run(name: str, function: Callable, args: tuple, primitive: bool) -> Any:
    """The result of a call, as the functions of the program make it.

    Args:
        name: the primitive's name.
        function: computes the result.
        args: all inputs.
        primitive: whether an object of a primitive class is called; only these are replaced by wrappers.
    """
    if scopes.as_compiled():
        return _compiled(name, function, args, primitive)
    mode = next(reversed(_local.modes), None)
    if mode is None:  # another thread took it away after `sees`
        return function(*args)
    with _Inside():
        out = mode.__ms_dispatch__(OpFunc(name, function), args)
    if mode.returns_what_it_computes:
        return out
    parts = out if isinstance(out, (tuple, list)) and out else [out]
    if not all(isinstance(part, Tensor) for part in parts):
        raise RuntimeError(f"For '__ms_dispatch__' of {name}, Tensors must be returned, but got {type(out).__name__}.")
    return out


def _compiled(name: str, function: Callable, args: tuple, primitive: bool) -> Any:
    make = wrappers.get(name) if primitive and name not in _local.replaced else None
    if make is not None:
        replacement = _beside_trace(make, args)
        if callable(replacement):
            former, _local.replaced = _local.replaced, _local.replaced | {name}
            try:
                return replacement(*args)
            finally:
                _local.replaced = former
    with _Inside():
        out = function(*args)
    found = {}
    for attribute, infer in inferences.get(name, {}).items():
        try:
            found[attribute] = _beside_trace(infer, args)
        except Exception:  # as in MindSpore, the operation itself does not depend on it
            logger.exception("register_op_infer: the function for '%s' of %s raised an error.", attribute, name)
    if found:
        _attributes().update((id(t._v), (t._v, found)) for t in _tensors(out))
    return out


def _beside_trace(function: Callable, args: tuple) -> Any:
    """What a registered function returns for what a compiler knows of the arguments."""
    known = _stand_ins(args)
    with _Inside(), scopes.set_aside():
        return function(*known)


def _tensors(value: Any) -> list[Tensor]:
    if isinstance(value, (tuple, list)):
        return [t for item in value for t in _tensors(item)]
    return [value] if isinstance(value, Tensor) else []


def _attributes() -> dict[int, tuple[Any, dict[str, Any]]]:
    """What functions found in the outermost open trace: {id of a value: (the value, {name: what})}."""
    scope: Any = scopes.current_scope()
    while scope is not None and scope.outer is not None:
        scope = scope.outer
    if scope is None:
        return {}
    if scope.inferred is None:
        scope.inferred = {}
    return scope.inferred


def _stand_ins(args: tuple) -> list[Any]:
    """The arguments as a compiler knows them: zeros for Tensors, with the attributes that were found before."""
    known = _attributes()

    def stand_in(value: Any) -> Any:
        if isinstance(value, (tuple, list)):
            return type(value)(map(stand_in, value))
        if not isinstance(value, Tensor):
            return value
        with eval_context():
            zeros = wrap(jnp.zeros(value.shape, value._v.dtype))
        for name, found in known.get(id(value._v), (None, {}))[1].items():
            setattr(zeros, name, found)
        return zeros

    return [stand_in(value) for value in args]


@functools.cache
def _classes() -> dict[tuple[str, str], list[str]]:
    """The primitive classes that are a function: {(module, name): classes}."""
    out: dict[tuple[str, str], list[str]] = {}
    for name, face in faces.find("ops").items():
        if face.kind == "primitive":
            out.setdefault((face.module, face.name), []).append(name)
    return out


@functools.cache
def _name(module: str, name: str, compiled: bool) -> str:
    if not compiled and name in _RUN:
        return _RUN[name]
    words = "".join(word[:1].upper() + word[1:] for word in name.split("_"))
    classes = _classes().get((module, name), [words])
    spelled = [each for each in classes if each.lower() == words.lower()]
    return _PRIMITIVES.get(name) or (spelled or classes)[0]


def of_operation(operation: Any, args: tuple) -> Any:
    """Call `run` for an operation, which a function or an operator of the program calls."""
    name = primitive_name(operation)
    if name == "Mul" and any(type(value) in (int, float) for value in args):
        name = "Muls"
    return run(name, operation, args, primitive=False)


def primitive_name(operation: Any) -> str:
    """The name of the primitive that MindSpore runs for an operation.

    >>> from ms_compat import ops
    >>> primitive_name(ops.add), primitive_name(ops.relu), primitive_name(ops.matmul)
    ('AddExt', 'ReLU', 'MatMulExt')
    """
    return _name(operation.fn.__module__, operation.fn.__name__.strip("_"), scopes.as_compiled())
