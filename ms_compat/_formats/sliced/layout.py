"""A parameter's layout over the devices of a stage, and the conversion of its values from one layout to another.

The devices form a matrix; a tensor map says for each dimension of the tensor which dimension of the matrix cuts it
(counted from the last, -1 for none; a list of several cuts it by each in turn). An optimizer that is itself parallel
cuts the first dimension once more, over devices that hold copies otherwise. Such a cut, and one by several device
dimensions, is described by a finer shape: (pieces by the tensor map, pieces by the optimizer, rest) in place of the
first dimension.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ms_compat._formats.sliced.plan import NONE, ranks_read


class Layout(NamedTuple):
    """The layout of one parameter as strategy files have it.

    `matrix` and `tensor_map` as above; `lengths` of slices that are not equal (or empty); `field`, of an embedding
    table whose rows are interleaved; `step` and `size` of the optimizer's cut (0 for none; size -1 is all copies);
    the pipeline `stages` that have the parameter.
    """

    matrix: list[int]
    tensor_map: list
    lengths: list[int] = []  # never changed
    field: int = 0
    step: int = 0
    size: int = 0
    stages: list[int] = [0]

    @property
    def devices(self) -> int:
        return math.prod(self.matrix)

    @property
    def optimizer_pieces(self) -> int:
        """How many pieces the optimizer's cut makes; 0 for none."""
        return self.devices // math.prod(pieces(self.matrix, self.tensor_map)) if self.size == -1 else self.size


def whole(rank: int) -> Layout:
    """The layout of an uncut tensor with `rank` dimensions, on one device."""
    return Layout([1], [NONE] * rank)


def pieces(matrix: Sequence[int], tensor_map: Sequence) -> list[int]:
    """How many pieces each dimension of the tensor is cut into.

    >>> pieces([2, 4], [1, -1]), pieces([2, 4], [[1, 0], -1])
    ([2, 1], [8, 1])
    """
    return [math.prod(matrix[-at - 1] for at in _several(axis) if at != NONE) for axis in tensor_map]


def _several(axis: int | Sequence[int]) -> Sequence[int]:
    return axis if isinstance(axis, (list, tuple)) else (axis,)


def full_shape(layout: Layout, shape: Sequence[int]) -> tuple[int, ...]:
    """The shape of the tensor whose slices have `shape`."""
    cuts = pieces(layout.matrix, layout.tensor_map)
    full = [size * cut for size, cut in zip(shape, cuts, strict=False)]
    if full and layout.optimizer_pieces > 0:
        full[0] *= layout.optimizer_pieces
    return tuple(full)


def slice_shape(layout: Layout, shape: Sequence[int]) -> tuple[int, ...]:
    """The slice shape of a tensor with the shape `shape`."""
    cuts = pieces(layout.matrix, layout.tensor_map)
    found = [size // cut for size, cut in zip(shape, cuts, strict=True)]
    if found and layout.optimizer_pieces > 0:
        found[0] //= layout.optimizer_pieces
    return tuple(found)


class Grid(NamedTuple):
    """A layout in which each dimension is cut by one device dimension at most: a device matrix, a map, a shape."""

    matrix: list[int]
    tensor_map: list[int]
    shape: list[int]

    def box(self, rank: int) -> tuple:
        """Where a rank's slice is; the ellipsis at the end makes a view of a scalar, too.

        >>> Grid([2, 2], [0, -1], [4, 3]).box(1)
        (slice(2, 4, None), slice(0, 3, None), Ellipsis)
        """
        found = []
        for size, axis in zip(self.shape, self.tensor_map, strict=True):
            if axis == NONE:
                found.append(slice(0, size))
                continue
            at = len(self.matrix) - 1 - axis
            count = self.matrix[at]
            number = rank // math.prod(self.matrix[at + 1 :]) % count
            found.append(slice(number * (size // count), (number + 1) * (size // count)))
        return (*found, ...)

    @property
    def fits(self) -> bool:
        """Whether every cut makes equal pieces."""
        cuts = pieces(self.matrix, self.tensor_map)
        return not any(size % cut for size, cut in zip(self.shape, cuts, strict=True))

    def over(self, devices: int) -> Grid:
        """The same cuts, replicated over a multiple of the devices."""
        repeat = devices // math.prod(self.matrix)
        return self if repeat == 1 else Grid([repeat, *self.matrix], self.tensor_map, self.shape)


def grid(layout: Layout, shape: Sequence[int]) -> Grid:
    """The grid of a layout for a tensor of the full `shape`.

    Raises:
        ValueError: the optimizer's cut does not fit the devices that hold copies.

    >>> grid(Layout([2, 2], [[1, 0], -1]), (8, 3))
    Grid(matrix=[2, 2], tensor_map=[1, 0, -1], shape=[2, 4, 3])
    >>> grid(Layout([2, 2], [0, -1], step=2, size=2), (8, 3))
    Grid(matrix=[2, 2, 1], tensor_map=[1, 2, -1], shape=[2, 4, 3])
    """
    found = (list(layout.matrix), list(layout.tensor_map), list(shape))
    nested = any(isinstance(axis, (list, tuple)) for axis in layout.tensor_map)
    if layout.step and layout.optimizer_pieces:
        found = _with_optimizer(layout, found[2], nested)
    return _spread(*found) if nested else Grid(*found)


def _spread(matrix: list[int], tensor_map: list, shape: list[int]) -> Grid:
    """Dimensions cut several times as several dimensions."""
    spread_map: list[int] = []
    spread_shape: list[int] = []
    for size, axis in zip(shape, tensor_map, strict=True):
        *first, last = _several(axis)
        for at in first:
            spread_map.append(at)
            spread_shape.append(matrix[-at - 1])
            size //= matrix[-at - 1]
        spread_map.append(last)
        spread_shape.append(size)
    return Grid(matrix, spread_map, spread_shape)


def _with_optimizer(layout: Layout, shape: list[int], nested: bool) -> tuple[list[int], list, list[int]]:
    """Matrix, map and shape with the optimizer's cut; the copies that it cuts over are chosen from the last on."""
    matrix, tensor_map = list(layout.matrix), list(layout.tensor_map)
    cuts = pieces(matrix, tensor_map)
    first = shape[0] // cuts[0]
    used = {len(matrix) - 1 - at for axis in tensor_map for at in _several(axis) if at != NONE}
    free = [at for at, size in enumerate(matrix) if at not in used and size > 1]
    if not free:
        raise ValueError(f"The device matrix {matrix} with the tensor map {tensor_map} has no copies to cut over.")
    if not nested:
        inner = math.prod(matrix[free[0] + 1 :])
        if len(free) == 1 and inner != layout.step:
            raise ValueError(
                f"The optimizer's cut must step over the {inner} devices of one copy, but has the step {layout.step}."
            )
        if free[0] == 0 and (len(free) == 1 or len(free) == len(matrix)):
            return *_copies_first(layout, cuts), [cuts[0], first, *shape[1:]]
    matrix, tensor_map, chosen = _chosen_copies(matrix, tensor_map, free, layout.optimizer_pieces)
    lengths = [matrix[at] for at in chosen[:-1]]
    return (
        matrix,
        [tensor_map[0], *(len(matrix) - 1 - at for at in chosen), *tensor_map[1:]],
        [cuts[0], *lengths, first // math.prod(lengths), *shape[1:]],
    )


def _copies_first(layout: Layout, cuts: list[int]) -> tuple[list[int], list]:
    """Matrix and map where the copies come first: a device dimension for the optimizer, then one for each cut."""
    count = layout.optimizer_pieces
    repeat, left = divmod(layout.devices, layout.step * count)
    if left:
        what = f"the optimizer's {count} pieces with the step {layout.step}"
        raise ValueError(f"The {layout.devices} devices cannot be divided by {what}.")
    own = [len(cuts) - 1 - at if cut > 1 else NONE for at, cut in enumerate(cuts)]
    return [repeat] * (repeat > 1) + [count, *cuts], [own[0], len(cuts), *own[1:]]


def _chosen_copies(
    matrix: list[int], tensor_map: list, free: list[int], left: int
) -> tuple[list[int], list, list[int]]:
    """Matrix and map with `left` pieces cut out of the free device dimensions, and which of these hold them."""
    chosen: list[int] = []
    for at in reversed(free):
        size = matrix[at]
        if left < size:  # a part of this device dimension is enough
            if size % left:
                raise ValueError(f"The {size} devices of one dimension cannot be divided by the optimizer's {left}.")
            matrix[at : at + 1] = [size // left, left]
            later = len(matrix) - 2 - at  # dimensions from here on, counted from the last, are one further now
            tensor_map = [_moved(axis, later) for axis in tensor_map]
            chosen = [at + 1, *(other + 1 for other in chosen)]
            break
        if left % size:
            raise ValueError(f"The optimizer's {left} pieces cannot be divided by the {size} devices of one dimension.")
        left //= size
        chosen.insert(0, at)
        if left == 1:
            break
    return matrix, tensor_map, chosen


def _moved(axis: int | list, later: int) -> int | list:
    if isinstance(axis, (list, tuple)):
        return [_moved(at, later) for at in axis]
    return axis + 1 if axis >= later else axis


def _grids(name: str, source: Layout, target: Layout, shape: Sequence[int], rank: int) -> tuple[Grid, Grid]:
    """The grids of both layouts, over as many devices.

    Raises:
        ValueError: a tensor map does not fit the shape, or the numbers of devices do not.
        RuntimeError: a dimension cannot be cut into equal pieces, or there is no device of that rank.
    """
    if len(shape) != len(source.tensor_map) or len(shape) != len(target.tensor_map):
        raise ValueError(
            f"For the parameter '{name}', the tensor maps of the strategies must have as many dimensions as the shape "
            f"{tuple(shape)}, but got {source.tensor_map} and {target.tensor_map}."
        )
    found = grid(source, shape), grid(target, shape)
    counts = [math.prod(each.matrix) for each in found]
    if max(counts) % min(counts):
        raise ValueError(
            f"For the parameter '{name}', a layout over {counts[0]} devices cannot be converted to {counts[1]} devices."
        )
    for each in found:
        if not each.fits:
            raise RuntimeError(
                f"For the parameter '{name}' of shape {tuple(shape)}, the strategy cuts a dimension into pieces that "
                f"are not equal: {each.matrix} and {each.tensor_map} for {each.shape}."
            )
    if rank >= max(counts):
        raise RuntimeError(f"For the parameter '{name}', there are {max(counts)} devices and no rank {rank}.")
    return found[0].over(max(counts)), found[1].over(max(counts))


def ranks_needed(name: str, source: Layout, target: Layout, shape: Sequence[int], rank: int) -> list[int]:
    """The ranks of the source whose slices `converted` reads for `rank`, for a tensor of the full `shape`."""
    before, after = _grids(name, source, target, shape, rank)
    return sorted({found % source.devices for found in ranks_read(before, after, rank)})


def converted(
    name: str, slices: Mapping[int, np.ndarray], source: Layout, target: Layout, rank: int, *, api: str
) -> np.ndarray:
    """The slice of one rank in another layout.

    Args:
        name: the parameter, to name in errors.
        slices: rank -> slice in the layout `source`; the ranks in `ranks_needed` suffice.
        source, target: the layouts.
        rank: the rank, in the layout `target`.
        api: the API to name in errors.

    Returns:
        array, a view of the slice in `slices` where that is whole.

    Raises:
        ValueError: the layouts do not fit one another or the slices, or a slice is missing.
        RuntimeError: a dimension cannot be cut into equal pieces, or there is no device of that rank.

    >>> halves = {0: np.array([[1, 2]]), 1: np.array([[3, 4]])}
    >>> converted("w", halves, Layout([2], [0, -1]), Layout([2], [-1, 0]), 1, api="f")
    array([[2],
           [4]])
    """
    first = next(iter(slices.values()))
    shape = full_shape(source, first.shape) if len(first.shape) == len(source.tensor_map) else first.shape
    before, after = _grids(name, source, target, shape, rank)
    needed = ranks_read(before, after, rank)
    for own in (found % source.devices for found in needed):
        if own not in slices:
            raise ValueError(
                f"For '{api}', the parameter '{name}' is missing in the checkpoint of rank {own}, which rank {rank} "
                "needs."
            )
        if slices[own].shape != first.shape or slices[own].dtype != first.dtype:
            raise ValueError(
                f"For '{api}', the slices of '{name}' must be alike, but rank {own} has {slices[own].dtype} "
                f"{slices[own].shape} and another one {first.dtype} {first.shape}."
            )
    if first.size == math.prod(shape):  # each slice is whole
        joined = slices[rank % source.devices]
    else:
        joined = np.empty(before.shape, first.dtype)  # only what is written takes memory
        for found in needed:
            place = joined[before.box(found)]
            place[...] = slices[found % source.devices].reshape(place.shape)
    cut = joined.reshape(after.shape)[after.box(rank)]
    return cut.reshape(slice_shape(target, shape))
