"""Which ranks' slices the conversion of one rank's slice reads, by MindSpore's rules for redistribution.

MindSpore converts a slice by the steps of its runtime redistribution: a dimension of a tensor is made whole over one
dimension of the device matrix (a concatenation, which reads the slices of all devices along it) or is cut by one. To
find the steps both layouts are refined first, until they have the same device matrix and the same tensor shape; where
that cannot be, the tensor is made whole and cut again. The converting rank reads ranks that differ from it in
the device dimensions of the concatenations alone, so that is all that is computed here: the values are put together by
`layout.converted`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

NONE = -1


def ranks_read(source: tuple, target: tuple, rank: int) -> list[int]:
    """The ranks whose slices in the layout `source` are read for the slice of `rank` in the layout `target`.

    Args:
        source, target: (device matrix, tensor map, full shape) each, over as many devices, of as many elements; a
            tensor map has a device dimension for each dimension, counted from the last, or -1.
        rank: the rank to convert for.

    Returns:
        sorted list of ranks, `rank` among them.

    >>> ranks_read(([2, 2], [1, 0], [8, 8]), ([2, 2], [1, -1], [8, 8]), 2)
    [2, 3]
    """
    pair = _Pair(source, target)
    if pair.unified():
        gathered = _gathered(pair.maps[0], pair.maps[1])
        matrix = pair.matrix
    else:
        matrix = list(source[0])
        gathered = {len(matrix) - 1 - axis for axis in source[1] if axis != NONE}
    strides = [math.prod(matrix[at + 1 :]) for at in range(len(matrix))]
    found = {rank}
    for at in gathered:
        found = {r + (new - r // strides[at] % matrix[at]) * strides[at] for r in found for new in range(matrix[at])}
    return sorted(found)


class _Pair:
    """Two layouts under refinement: one device matrix, and for each layout its shape and map.

    Maps hold positions in the matrix, from the first; devices are numbered so that the last position varies fastest.
    """

    def __init__(self, source: tuple, target: tuple):
        self.given = (source, target)
        self.matrix: list[int] = []
        self.shapes: list[list[int]] = [[], []]
        self.maps: list[list[int]] = [[], []]

    def unified(self) -> bool:
        """Refine until the shapes are equal; False where they cannot be made so."""
        matrices = [list(layout[0]) for layout in self.given]
        common = _common(*matrices)
        if common is None:
            return False
        self.matrix = common
        for at, (matrix, tensor_map, shape) in enumerate(self.given):
            parts = _positions(matrix, common)
            for size, axis in zip(shape, tensor_map, strict=True):
                places = [] if axis == NONE else parts[len(matrix) - 1 - axis]
                self._put(at, size, places)
        while self.shapes[0] != self.shapes[1]:
            for at in (0, 1):
                goal = _common(self.shapes[0], self.shapes[1])
                if goal is None or not self._refine(at, goal):
                    return False
        return True

    def _put(self, at: int, size: int, places: Sequence[int]) -> None:
        """Append a dimension cut by device dimensions at `places`, as one dimension for each of them."""
        for place in places[:-1]:
            self.shapes[at].append(self.matrix[place])
            self.maps[at].append(place)
            size //= self.matrix[place]
        self.shapes[at].append(size)
        self.maps[at].append(places[-1] if places else NONE)

    def _refine(self, at: int, goal: list[int]) -> bool:
        """Give one layout the shape `goal`, or split a device dimension that prevents it; False if neither."""
        parts = _positions(self.shapes[at], goal)
        new_map: list[int] = []
        for own, pieces in zip(self.maps[at], parts, strict=True):
            if own == NONE or not pieces:
                new_map += [NONE] * len(pieces)
                continue
            first, devices = goal[pieces[0]], self.matrix[own]
            if first % devices == 0:
                new_map += [own] + [NONE] * (len(pieces) - 1)
            elif devices % first == 0:
                self._split(own, first)
                return True
            else:
                return False
        self.shapes[at], self.maps[at] = list(goal), new_map
        return True

    def _split(self, place: int, first: int) -> None:
        """Split the device dimension at `place` into two, in both layouts."""
        self.matrix[place : place + 1] = [first, self.matrix[place] // first]
        for at in (0, 1):
            shape, own = self.shapes[at], self.maps[at]
            self.shapes[at], self.maps[at] = [], []
            for size, axis in zip(shape, own, strict=True):
                moved = axis + 1 if axis > place else axis
                if axis == place:
                    moves = [place, place + 1]
                else:
                    moves = [] if axis == NONE else [moved]
                self._put(at, size, moves)


def _common(first: Sequence[int], second: Sequence[int]) -> list[int] | None:
    """The coarsest shape that refines both, dimensions of 1 left out; None if there is none."""
    bounds = sorted({*itertools.accumulate(first, int.__mul__), *itertools.accumulate(second, int.__mul__)} - {1})
    shape, before = [], 1
    for bound in bounds:
        if bound % before:
            return None
        shape.append(bound // before)
        before = bound
    return shape


def _positions(coarse: Sequence[int], fine: Sequence[int]) -> list[list[int]]:
    """For each dimension of `coarse`, the positions of `fine`'s dimensions that refine it."""
    found: list[list[int]] = []
    at = 0
    for size in coarse:
        group: list[int] = []
        have = 1
        while have < size:
            have *= fine[at]
            group.append(at)
            at += 1
        found.append(group)
    return found


def _gathered(source: Sequence[int], target: Sequence[int]) -> set[int]:
    """The device dimensions over which the steps from one map to another concatenate.

    A dimension that is whole is cut by what the target says, unless that device dimension still cuts another one: then
    that one is made whole first. What the target does not use at all is made whole when nothing else is left to do, and
    a cycle is broken at its first dimension.
    """
    left = {at: axis for at, axis in enumerate(source) if axis != target[at]}
    gathered: set[int] = set()
    while left:
        moved = False
        for at in list(left):
            if left[at] == target[at]:
                del left[at]
                moved = True
            elif left[at] == NONE:
                other = next((o for o, axis in left.items() if axis == target[at]), None)
                if other is not None:
                    gathered.add(target[at])
                    left[other] = NONE
                del left[at]
                moved = True
        if moved:
            continue
        unused = [at for at, axis in left.items() if axis != NONE and axis not in target]
        for at in unused or [next(iter(left))]:
            gathered.add(left[at])
            left[at] = NONE
            if target[at] == NONE:
                del left[at]
    return gathered
