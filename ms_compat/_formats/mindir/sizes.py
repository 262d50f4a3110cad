"""Sizes of an exported graph that its caller chooses: which they are, and their arithmetic as nodes.

A program is traced with symbols in place of such sizes. What the graph needs of them is written as `Shape`, and as
sums and products of numbers; everything else takes them from its inputs when it runs.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import numpy as np

from ms_compat._core.jax_compat import is_symbolic_size, symbols_of, terms_of
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.tree import flatten

Place = tuple[int, int]  # the number of a Tensor among the inputs, and its axis
_EXAMPLE = 8  # replaces an unknown size without an example where Python compares two sizes


class Free(NamedTuple):
    """The sizes of a call that are left open."""

    inputs: tuple[Any, ...]  # the call's, where a size that is not known has a number
    shapes: list[tuple[Any, ...]]  # of each Tensor, with symbols
    places: dict[str, tuple[int, int]]  # symbol -> (Tensor, axis) where it is found
    numbers: dict[str, int]  # symbol -> its number in `inputs`
    unknown: bool  # whether the caller said that they are not known: Tensor(shape=[None, ...])
    names: dict[str, str]  # symbol -> what to call it, where that is known


def free_sizes(
    inputs: tuple[Any, ...],
    named: dict[tuple[int, int], str] | None = None,
    open_batch: bool = True,
    as_symbols: bool = False,
    examples: dict[tuple[int, int], int] | None = None,
) -> Free | None:
    """Which sizes of the inputs to leave open; None if there are none.

    These are the unknown ones (None). Unknown first axes are taken for one, the batch. If all are known and
    `open_batch` is true, it is the first axis of the first Tensor that has one, and all others of this size.

    Args:
        inputs: the call's.
        named: the names of unknown sizes by (Tensor, axis); sizes of one name are taken for one.
        open_batch: whether the batch is left open where no size is unknown.
        as_symbols: whether the symbols have the sizes' names.
        examples: numbers for unknown sizes by (Tensor, axis).
    """
    leaves: list[Any] = []
    flatten((inputs, {}), leaves)
    shapes = [tuple(leaf.shape) if isinstance(leaf, Tensor) else () for leaf in leaves]
    open_ones = [(i, axis) for i, shape in enumerate(shapes) for axis, size in enumerate(shape) if size < 0]
    groups: dict[Any, list[tuple[int, int]]] = {}
    if open_ones:
        for place in open_ones:
            name = (named or {}).get(place)
            groups.setdefault(name or ("batch" if place[1] == 0 else place), []).append(place)
    elif not open_batch:
        return None
    else:
        first = next((shape[0] for shape in shapes if shape), 0)
        if not first:
            return None
        groups["batch"] = [(i, 0) for i, shape in enumerate(shapes) if shape[:1] == (first,)]
    called = [name if as_symbols and isinstance(name, str) else None for name in groups]
    symbols = symbols_of(len(groups), called)
    made = [list(shape) for shape in shapes]
    places, numbers, names = {}, {}, {}
    for symbol, (name, group) in zip(symbols, groups.items(), strict=True):
        places[str(symbol)] = group[0]
        if isinstance(name, str):
            names[str(symbol)] = name
        number = max((examples or {}).get(place, shapes[place[0]][place[1]]) for place in group)
        number = numbers[str(symbol)] = _EXAMPLE if number < 0 else number
        for leaf, axis in group:
            made[leaf][axis] = symbol
            shapes[leaf] = (*shapes[leaf][:axis], number, *shapes[leaf][axis + 1 :])
    known = _known(inputs, {id(leaf): shape for leaf, shape in zip(leaves, shapes, strict=True)})
    return Free(known, [tuple(shape) for shape in made], places, numbers, bool(open_ones), names)


def tensors_in(value: Any) -> list[Tensor]:
    """The Tensors of the inputs, in the order of their numbers."""
    if isinstance(value, (tuple, list)):
        return [tensor for item in value for tensor in tensors_in(item)]
    return [value] if isinstance(value, Tensor) else []


def opened(inputs: tuple[Any, ...], places: Collection[Place]) -> tuple[tuple[Any, ...], dict[Place, int]]:
    """The inputs with some sizes open, and what these sizes were.

    Args:
        inputs: the call's.
        places: the sizes, by (Tensor, axis).
    """
    examples: dict[Place, int] = {}
    number = itertools.count()

    def visit(value: Any) -> Any:
        if isinstance(value, (tuple, list)):
            return type(value)([visit(item) for item in value])
        if not isinstance(value, Tensor):
            return value
        leaf = next(number)
        shape: list[Any] = [None if size < 0 else size for size in value.shape]
        for axis, size in enumerate(shape):
            if (leaf, axis) in places and size is not None:
                examples[leaf, axis], shape[axis] = size, None
        return Tensor(shape=shape, dtype=value.dtype) if None in shape else value

    return tuple([visit(value) for value in inputs]), examples


def _known(value: Any, shapes: dict[int, tuple[int, ...]]) -> Any:
    """Inputs with numbers for the unknown sizes, from the Tensors' shapes by their ids."""
    if isinstance(value, Tensor):
        shape = shapes[id(value)]
        return value if value.shape == shape else Tensor(np.zeros(shape, np.float32)).astype(value.dtype)
    if isinstance(value, (tuple, list)):
        return type(value)([_known(item, shapes) for item in value])
    return value


PRIMITIVES = {
    "add": "ScalarAdd", "mul": "ScalarMul", "floordiv": "ScalarFloorDiv", "mod": "ScalarMod", "max": "ScalarMax",
    "min": "ScalarMin",
}  # fmt: skip


def size_of_numbers(size: Any, symbols: dict[str, Any], call: Callable[[str, Any, Any], Any]) -> Any:
    """A symbolic size where its symbols are numbers of another kind than Python's and JAX's.

    Args:
        size: the symbolic size.
        symbols: what its symbols are.
        call: what adds, multiplies, divides ("floordiv", "mod") and compares ("max", "min") two of them, or ints.

    >>> (n,) = symbols_of(1)
    >>> size_of_numbers(2 * n + 3, {"n0": "n"}, lambda operation, a, b: f"({a} {operation} {b})")
    '((n mul 2) add 3)'
    """

    def chained(operation: str, parts: list[Any]) -> Any:
        found = parts[0]
        for part in parts[1:]:
            found = call(operation, found, part)
        return found

    def of_factor(factor: Any) -> Any:
        if factor.var is not None:
            return symbols[factor.var]
        operands = [size_of_numbers(x, symbols, call) if is_symbolic_size(x) else int(x) for x in factor.operands]
        return call(str(factor.operation), *operands)

    def of_term(term: Any, times: int) -> Any:
        factors = [of_factor(factor) for factor, power in term._factors for _ in range(power)]
        return chained("mul", [*factors, times] if times != 1 or not factors else factors)

    return chained("add", [of_term(term, int(times)) for term, times in terms_of(size)])


def count(shape: Any) -> Any:
    """The number of elements; symbolic if a size is."""
    return math.prod(whole(size) for size in shape)


def whole(size: Any) -> Any:
    """A size as a Python int, or as its symbol."""
    return size if is_symbolic_size(size) else int(size)


def common(shapes: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    """The shape that shapes are broadcast to, which is known to exist.

    >>> common([(3, 1), (4,), ()])
    (3, 4)
    """
    rank = max(len(shape) for shape in shapes)
    wide = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
    return tuple(next((size for size in sizes if size != 1), 1) for sizes in zip(*wide, strict=True))
