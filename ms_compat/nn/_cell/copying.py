"""Copies of a Cell: as a JAX pytree, by `copy` and `pickle`.

As a pytree a Cell's children are the arrays of its Parameters in tree order, so that `jax.jit`, `jax.grad`, optax and
`jax.tree_util` take it. The aux data is a `Skeleton`: which Cell the tree came from and the flags it had, compared by
identity and flags, so that a copy with new values (after an optimizer's update) hits the same compiled function.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from typing import Any

import jax

from ms_compat._core.tensor import _detached, _new
from ms_compat._core.tensor.parameter import Parameter, ParameterTuple
from ms_compat.nn._cell.flags import next_serial
from ms_compat.nn._cell.members import Members
from ms_compat.nn._cell.part import Part

_TABLES = ("_params", "_cells", "_buffers")
# what belongs to one object and is made again for a copy
_OWN = frozenset(("_compiled", "_state_list", "_serial", "_slots"))


class Skeleton:
    """The static part of a Cell's pytree: a Cell to copy the structure from, its family, and its flags."""

    __slots__ = ("cell", "family", "key")

    def __init__(self, cell: Any, family: object, key: tuple):
        self.cell = cell
        self.family = family
        self.key = key

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Skeleton) and self.family is other.family and self.key == other.key

    def __hash__(self) -> int:
        return hash((id(self.family), self.key))

    def __repr__(self) -> str:
        return f"{type(self.cell).__name__}"


def _flags_of(cell: Any) -> tuple:
    """The static key without the objects' identities, which the family replaces."""
    return tuple(
        [
            own._replace(serial=0, parameters=tuple([name for name, _, _ in own.parameters]), buffers=())
            for own in cell._static_key()
        ]
    )


def flatten(cell: Any) -> tuple[tuple, Skeleton]:
    """The arrays and the skeleton of a Cell."""
    family = cell.__dict__.get("_family")
    if family is None:
        family = cell.__dict__["_family"] = object()
    return tuple([p._v for p in cell.get_parameters()]), Skeleton(cell, family, _flags_of(cell))


def unflatten(skeleton: Skeleton, values: Any) -> Any:
    """A copy of the skeleton's tree with new Parameters that hold `values`."""
    memo: dict[int, Any] = {}
    for parameter, value in zip(skeleton.cell.get_parameters(), values, strict=True):
        copied = _new(Parameter)
        copied.__dict__.update(_detached(parameter))
        copied._v = value
        memo[id(parameter)] = copied
    return _copy_tree(skeleton.cell, memo)


def with_same_parameters(cell: Any) -> Any:
    """A copy of a Cell and its children with the same Parameters and buffers, not copies of them."""
    return _copy_tree(cell, {})


def _copy_tree(cell: Any, memo: dict[int, Any]) -> Any:
    """A Cell of the same structure with the Parameters in `memo`."""
    found = memo.get(id(cell))
    if found is not None:
        return found
    new = memo[id(cell)] = _new(type(cell))
    attributes = {name: value for name, value in cell.__dict__.items() if name not in _OWN and name not in _TABLES}
    for name, value in attributes.items():
        if isinstance(value, (list, tuple)):
            attributes[name] = _replaced(value, memo)
    new.__dict__.update(attributes)
    tables = {
        "_params": [(name, None if p is None else memo.get(id(p), p)) for name, p in cell._params.items()],
        "_cells": [(name, None if c is None else _copy_tree(c, memo)) for name, c in cell._cells.items()],
        "_buffers": list(cell._buffers.items()),
    }
    _attach(new, tables)
    if "cell_list" in attributes:  # of a SequentialCell: the children, which are copied only now
        new.__dict__["cell_list"] = _replaced(attributes["cell_list"], memo)
    return new


def _replaced(value: Any, memo: dict[int, Any]) -> Any:
    """A list or tuple with copied Parameters and Cells in place of the originals."""
    items = [memo.get(id(item), item) for item in value]
    if all(a is b for a, b in zip(items, value, strict=True)):
        return value
    if isinstance(value, ParameterTuple):
        return tuple.__new__(ParameterTuple, items)
    return items if isinstance(value, list) else tuple(items)


def _attach(cell: Any, tables: dict[str, Any]) -> None:
    """Give a new Cell its member tables."""
    attributes = cell.__dict__
    attributes["_serial"] = next_serial()
    for name in _TABLES:
        attributes[name] = Members(attributes)
        for key, value in tables[name]:
            attributes[name][key] = value


class Copying(Part):
    """`copy`, `deepcopy`, `pickle` and the registration as a pytree."""

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls._has_bprop = callable(getattr(cls, "bprop", None))
        jax.tree_util.register_pytree_node(cls, flatten, unflatten)

    def __getstate__(self) -> dict[str, Any]:
        attributes = {name: value for name, value in self.__dict__.items() if name not in _OWN}
        for table in _TABLES:
            attributes[table] = OrderedDict(self.__dict__[table])
            for name in attributes[table]:
                attributes.pop(name, None)
        attributes.pop("_family", None)
        return attributes

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        tables = {name: list(attributes[name].items()) for name in _TABLES}
        self.__dict__.update({name: value for name, value in attributes.items() if name not in _TABLES})
        _attach(self, tables)

    def __copy__(self):
        new = _new(type(self))
        new.__setstate__(self.__getstate__())
        return new

    def __deepcopy__(self, memo):
        new = memo[id(self)] = _new(type(self))
        new.__setstate__({name: copy.deepcopy(value, memo) for name, value in self.__getstate__().items()})
        return new
