"""Parameters that share one flat array: `Cell.flatten_weights`.

A compiled call passes every Parameter to XLA separately, and takes every changed one back; with hundreds of Parameters
that is most of a small step. A `Chunk` holds one flat array for many Parameters of a dtype and is one piece of state: a
compiled function swaps, donates and returns it whole. Its Parameters become `FlatParameter`s, whose array is cut out of
the chunk at its first read; inside a trace the cuts are slices of the chunk's tracer. What is written to a Parameter
stays with it until something reads the chunk as a whole.

Measured with 600 Parameters: a call takes 0.22 of the time where only the Parameters count, 0.71 through 300 Dense
layers, 0.81 with their gradients and an update (tests/benchmarks/test_flatten_weights.py). The cost is the
compilation, which makes a separate copy for each Parameter and takes ten times as long.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import _detached, _new
from ms_compat._core.tensor.parameter import Parameter, _unflatten
from ms_compat._core.trace import concurrency, scopes

_serials = itertools.count(1)
_FEW = 8  # up to so many Parameters are written into the chunk one by one, more by joining all


class FlatParameter(Parameter):
    """A Parameter whose array is a part of a chunk."""

    @property
    def _v(self) -> Any:
        return self.__dict__["_chunk"].part(self.__dict__["_place"])

    @_v.setter
    def _v(self, value: Any) -> None:
        self.__dict__["_chunk"].write(self, value)

    def __copy__(self) -> Parameter:
        copied = _new(Parameter)
        copied.__dict__.update(_detached(self))
        return copied

    def clone(self, init="same") -> Parameter:
        return self.__copy__() if init == "same" else self.__copy__().clone(init)


jax.tree_util.register_pytree_node(FlatParameter, lambda p: ((p._v,), None), _unflatten)


class Chunk:
    """One flat array with the values of several Parameters, as one piece of state; see the module's docstring."""

    _alias = _views = None  # as of a Tensor that shares storage with no other

    def __init__(self, members: Sequence[Parameter]):
        values = [member._v for member in members]
        self.members = list(members)
        self.serial = next(_serials)
        self.shapes = [value.shape for value in values]
        self.dtype = values[0].dtype
        self.offsets = [0, *itertools.accumulate(value.size for value in values)]
        self._array: Any = _join(values)
        self._own: dict[int, Any] = {}  # values that were written to Parameters since
        self._cuts: dict[int, Any] = {}  # parts of `_array` that were read
        for place, member in enumerate(self.members):
            attributes = member.__dict__
            attributes.pop("_v", None)
            attributes["_chunk"], attributes["_place"] = self, place
            member.__class__ = FlatParameter

    # -- the Parameters' side ----------------------------------------------------------------------------------------
    def part(self, place: int) -> Any:
        """The array of one Parameter."""
        found = self._own.get(place)
        if found is None:
            found = self._cuts.get(place)
        if found is None:
            with concurrency.holding():  # else another thread's step may begin, and get a part of the array before it
                found = _cut(self._array, self.offsets[place], self.shapes[place])
                self._cuts[place] = found
        return found

    def write(self, member: FlatParameter, value: Any) -> None:
        """Replace the array of one Parameter; another shape or dtype ends the common life of all."""
        place = member.__dict__["_place"]
        if value is self._cuts.get(place):  # a trace puts back what it found
            self._own.pop(place, None)
        elif value.shape == self.shapes[place] and value.dtype == self.dtype:
            self._own[place] = value
        else:
            self.dissolve()
            member._v = value

    def dissolve(self) -> None:
        """Give every Parameter its own array again."""
        for place, member in enumerate(self.members):
            value = self.part(place)
            member.__class__ = Parameter
            del member.__dict__["_chunk"], member.__dict__["_place"]
            member._v = value
        scopes.structure_version += 1

    # -- the state's side --------------------------------------------------------------------------------------------
    @property
    def _v(self) -> Any:
        own = self._own
        if own:
            if len(own) <= _FEW:
                for place, value in own.items():
                    self._array = _put(self._array, value, self.offsets[place])
            else:
                self._array = _join([self.part(place) for place in range(len(self.members))])
            self._own, self._cuts = {}, {}
        return self._array

    @_v.setter
    def _v(self, value: Any) -> None:
        self._array, self._own, self._cuts = value, {}, {}
        if isinstance(value, Tracer):  # cut here, at the level of the trace that the tracer belongs to
            bounds = zip(self.offsets, self.offsets[1:], self.shapes, strict=False)
            parts = [jax.lax.slice(value, (a,), (b,)).reshape(shape) for a, b, shape in bounds]
            # without the barrier XLA copies the slicing into every user of a part: 3 times the compile time
            self._cuts = dict(enumerate(jax.lax.optimization_barrier(parts)))
            scope = scopes.current_scope()
            if scope is not None:
                scope.owned.update(id(member) for member in self.members)

    @property
    def _node(self) -> Any:
        """The Parameters' places on a gradient's tape, or None if none is on one."""
        nodes = tuple([member._node for member in self.members])
        return nodes if any(node is not None for node in nodes) else None

    @_node.setter
    def _node(self, nodes: Any) -> None:
        for place, member in enumerate(self.members):
            member._node = None if nodes is None else nodes[place]


@jax.jit
def _join(parts: list[Any]) -> Any:
    # the barrier keeps XLA from fusing the parts' producers into the join, which then looks up each element's part:
    # 600 parts took 5 ms instead of 0.1
    return jnp.concatenate(jax.lax.optimization_barrier([part.ravel() for part in parts]))


@jax.jit
def _put(array: Any, value: Any, offset: int) -> Any:
    return jax.lax.dynamic_update_slice(array, value.ravel(), (offset,))


def _cut(array: Any, offset: int, shape: tuple[int, ...]) -> Any:
    return _cut_jit(array, offset, shape)


def _cut_out(array: Any, offset: Any, shape: tuple[int, ...]) -> Any:
    size = 1
    for n in shape:
        size *= n
    return jax.lax.dynamic_slice(array, (offset,), (size,)).reshape(shape)


_cut_jit = jax.jit(_cut_out, static_argnums=2)


def flatten(parameters: Iterable[Parameter], fusion_size: int) -> list[Chunk]:
    """Put Parameters into chunks: of one dtype, and of at most `fusion_size` bytes (0: any number) unless a Parameter
    alone is larger. Parameters that are laid out over several devices stay as they are."""
    groups: dict[Any, list[list[Parameter]]] = {}
    sizes: dict[Any, int] = {}
    for parameter in dict.fromkeys(parameters):
        value = parameter._v
        if parameter.__class__ is FlatParameter:
            parameter.__dict__["_chunk"].dissolve()
        elif len(value.sharding.device_set) > 1:
            continue
        lists = groups.setdefault(value.dtype, [])
        size = sizes.get(value.dtype, 0) + value.nbytes
        if not lists or (fusion_size and size > fusion_size):
            lists.append([])
            size = value.nbytes
        sizes[value.dtype] = size
        lists[-1].append(parameter)
    chunks = [Chunk(members) for lists in groups.values() for members in lists]
    scopes.structure_version += 1
    return chunks


def storages(tensors: Iterable[Any]) -> list[Any]:
    """The pieces of state behind Tensors, each once: a chunk in place of its Parameters."""
    found = {}
    for tensor in tensors:
        storage = tensor.__dict__["_chunk"] if tensor.__class__ is FlatParameter else tensor
        found[id(storage)] = storage
    return list(found.values())


def kind_of(parameter: Parameter | None) -> Any:
    """A Parameter's part of a compiled function's key: whether it is trained, its hooks, the chunk that holds it."""
    if parameter is None:
        return None
    attributes = parameter.__dict__
    hooks = attributes.get("_leaf_hooks")
    chunk = attributes["_chunk"].serial if parameter.__class__ is FlatParameter else None
    return parameter.requires_grad, chunk, tuple(hooks) if hooks else None
