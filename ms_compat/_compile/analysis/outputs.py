"""What a compiled function returns, as distinct from what it computes.

Most of an output is computed: Tensors, and containers that the function made of them. The caller already has some
outputs and gets the same object back: a list or dict that the function reached from outside, a list among its
arguments, a NumPy array. A user's object that holds computed Tensors, such as a key-value cache, is made again at every
call. Some Python objects come back in another form, as in MindSpore: a range or a dict's keys as a tuple, a generator
as a list. A number or NumPy array of the program comes back as a number or array (`TraceInfo.host_outputs`). A
Parameter comes back as a Tensor of its value, unless the function returns it alone and changes nothing.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ms_compat._compile.analysis.users import is_object_of_user
from ms_compat._core.errors import NotTraceableError
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.promotion import compiled_number
from ms_compat._core.tensor import Tensor, no_init, tree, wrap
from ms_compat._core.tensor.mutable import MutableDict, MutableList, MutableTuple
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.traced_array import TracedArray
from ms_compat._core.tensor.traced_number import TracedNumber
from ms_compat._core.tensor.tree import TENSOR, by_identity, flatten
from ms_compat._core.trace import scopes

_PLAIN: dict[Any, Any] = {MutableList: list, MutableTuple: tuple, MutableDict: dict}
_AS_TUPLES: tuple[Any, ...] = (range, type({}.keys()), type({}.values()), zip, enumerate, map)
_AS_LISTS: tuple[Any, ...] = (types.GeneratorType, filter, type({}.items()))


class ArgumentRef:
    """Stands in an output for a container, or a NumPy array, among the arguments of the call."""

    __slots__ = ("path",)

    def __init__(self, path: tuple):
        self.path = path

    def container_in(self, arguments: Any) -> Any:
        """The container in the arguments `(args, kwargs)` of one call."""
        for step in self.path:
            arguments = arguments[step]
        return arguments


def containers_in(arguments: Any, path: tuple = ()) -> dict[int, tuple[Any, tuple]]:
    """The plain lists, dicts and NumPy arrays among arguments by their ids, with the path to each."""
    found: dict[int, tuple[Any, tuple]] = {}
    if type(arguments) in (list, dict, np.ndarray):
        found[id(arguments)] = (arguments, path)
    if isinstance(arguments, dict):
        for key, item in arguments.items():
            found.update(containers_in(item, (*path, key)))
    elif isinstance(arguments, (tuple, list)):
        for i, item in enumerate(arguments):
            found.update(containers_in(item, (*path, i)))
    return found


def without_dicts(value: Any) -> Any:
    """An output as MindSpore's strict syntax has it: the values of a dict in a tuple, in lists and tuples, too."""
    if isinstance(value, dict):
        return tuple([without_dicts(item) for item in value.values()])
    if type(value) in (list, tuple) and any(isinstance(item, (dict, list, tuple)) for item in value):
        return type(value)([without_dicts(item) for item in value])
    return value


def split_output(value: Any, leaves: list[Any], own: Callable[[Any], Any]) -> Any:
    """As `tree.flatten`, for what a trace returned; a `ArgumentRef` is a leaf, too.

    Args:
        value: the output.
        leaves: where its Tensors go.
        own: gives for a container what stands for it: the object itself or an `ArgumentRef`; None for one that the
            function made.
    """
    # A case for each kind of value that a function may return; the order decides, as a Parameter is a Tensor, too, and
    # an object of a user's class may be a dict.
    kind: Any = type(value)
    if kind in (list, dict, np.ndarray):
        known = own(value)
        if isinstance(known, ArgumentRef):
            leaves.append(known)
            return TENSOR
        if known is not None:
            return by_identity(known)
    if isinstance(value, Parameter):
        scopes.current_scope().note_read(value)
        leaves.append(wrap(value._v))
        return TENSOR
    if isinstance(value, np.ndarray):
        return by_identity(value)
    if isinstance(value, np.generic):
        value = compiled_number(value)
        kind = type(value)
    if isinstance(value, _AS_TUPLES):
        value, kind = tuple(value), tuple
    elif isinstance(value, _AS_LISTS):
        value, kind = list(value), list
    kind = _PLAIN.get(kind, kind)
    if kind in (list, tuple):
        return tree.Sequence(kind, tuple([split_output(item, leaves, own) for item in value]), False)
    if kind is dict:
        return tree.Mapping(dict, tuple([(key, split_output(item, leaves, own)) for key, item in value.items()]))
    if isinstance(value, dict) and tree.is_dict_object(kind):
        return tree.by_parts(value, lambda item: split_output(item, leaves, own))
    if is_object_of_user(value) and holds_traced(value):
        return tree.by_parts(value, lambda item: split_output(item, leaves, own))
    if getattr(kind, "needs_values", False):
        raise NotTraceableError("it returns a range whose length is known at run time only.")
    if isinstance(value, Tensor) and value.has_init:
        no_init.require(value, "return")
    return flatten(value, leaves)


def as_sequences(value: Any) -> Any:
    """An output of a function that runs in Python, with sequences for ranges and iterators, as a compiled one gives."""
    if isinstance(value, _AS_TUPLES):
        return tuple(value)
    if isinstance(value, _AS_LISTS):
        return list(value)
    if type(value) not in (tuple, list, dict):
        return value
    items = list(value.values()) if type(value) is dict else value
    found = [as_sequences(item) for item in items]
    if all(a is b for a, b in zip(items, found, strict=True)):
        return value
    return dict(zip(value, found, strict=True)) if type(value) is dict else type(value)(found)


def holds_traced(value: Any, within: tuple[int, ...] = ()) -> bool:
    """Whether an object, or what its attributes hold, is computed by the program: it was made there, or refilled.

    Raises:
        NotTraceableError: it refers to itself, so that it cannot be put together from its parts.
    """
    if id(value) in within:
        raise NotTraceableError(f"it returns a {type(value).__name__} that refers to itself.")
    if isinstance(value, Tensor):
        return isinstance(value._v, Tracer)
    if isinstance(value, dict):
        parts = list(value.values())
    elif isinstance(value, (list, tuple)):
        parts = list(value)
    else:
        parts = list(vars(value).values()) if is_object_of_user(value) else []
    return any([holds_traced(part, (*within, id(value))) for part in parts])


def output_arrays(leaves: Sequence[Any]) -> list[Any]:
    """The arrays of an output's leaves."""
    found = []
    for leaf in leaves:
        if isinstance(leaf, Tensor):
            found.append(leaf._v)
        elif not isinstance(leaf, ArgumentRef):
            found.append(leaf._value if isinstance(leaf, TracedArray) else leaf)
    return found


def host_outputs(leaves: Sequence[Any]) -> dict[int, Any]:
    """Which leaves are not Tensors to the program: by place, the class of a number or array, or an `ArgumentRef`."""
    special = (TracedNumber, TracedArray, ArgumentRef)
    return {
        i: leaf if isinstance(leaf, ArgumentRef) else type(leaf)
        for i, leaf in enumerate(leaves)
        if type(leaf) in special
    }


def rebuild_outputs(arrays: Sequence[Any], kinds: dict[int, Any], arguments: tuple[tuple, dict]) -> list[Any]:
    """The leaves of an output as the program knows them, from what was computed."""
    values = iter(arrays)
    out: list[Any] = []
    for i in range(len(arrays) + sum(isinstance(kind, ArgumentRef) for kind in kinds.values())):
        kind = kinds.get(i)
        if isinstance(kind, ArgumentRef):
            out.append(kind.container_in(arguments))
        elif kind is TracedArray:
            out.append(np.array(next(values)))
        else:
            value = next(values)
            out.append(wrap(value) if kind is None else value.item())
    return out
