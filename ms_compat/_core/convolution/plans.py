"""Plans: what a convolution's call needs, in memory that native code reads.

A program names a convolution by its geometry, a row of `GEOMETRY` integers, and not by a place in memory, because
compiled programs are kept on disk. The native handler finds the plan by that row.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from typing import NamedTuple

from ms_compat._core.convolution import library as dnnl

FORWARD, BY_INPUT, BY_WEIGHTS = range(3)
_MOST_AXES = 5
_MOST_DIMS = _MOST_AXES + 1  # of weights in groups
# A row: the kind, the number of spatial axes; rank, shape and strides of the two inputs and of the output; for each
# spatial axis the stride, the dilation, and the padding before and behind.
GEOMETRY = 2 + 3 * (1 + 2 * _MOST_DIMS) + 4 * (_MOST_AXES - 2)
WORDS = 80  # of a plan; see `Plan`
CAPACITY = 4096
ALIGNMENT = 64

# The places of a plan's words, behind its geometry.
ENGINE = GEOMETRY
OUTER = GEOMETRY + 1  # three memory descriptors: of the arrays as XLA has them
INNER = GEOMETRY + 4  # and in the layouts that the primitive likes
REORDERS = GEOMETRY + 7  # primitives that copy between them, or 0
PRIMITIVE = GEOMETRY + 10
SCRATCHPAD = GEOMETRY + 11  # its memory descriptor, or 0
OFFSETS = GEOMETRY + 12  # in the scratch array: of the three inner arrays, and of the scratchpad
ARGUMENTS = GEOMETRY + 16  # oneDNN's numbers for the three arrays
BYTES = GEOMETRY + 19  # of the scratch array


class Axis(NamedTuple):
    """A spatial axis of a convolution."""

    stride: int
    dilation: int
    before: int
    behind: int


class Array(NamedTuple):
    """An array: its shape in oneDNN's order of axes, and its strides in elements. Weights begin with their groups."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]


class Convolution(NamedTuple):
    """A convolution: the kind, the two inputs, the output, the spatial axes."""

    kind: int
    a: Array
    b: Array
    out: Array
    axes: tuple[Axis, ...]

    def row(self) -> list[int]:
        """The geometry as integers."""
        found = [self.kind, len(self.axes)]
        for array in (self.a, self.b, self.out):
            found.append(len(array.shape))
            for values in array:
                found += [*values, *[0] * (_MOST_DIMS - len(values))]
        for axis in self.axes:
            found += axis
        return found + [0] * (GEOMETRY - len(found))


def of_row(row: Sequence[int]) -> Convolution:
    """The convolution whose geometry a row is."""
    kind, axes = row[0], row[1]
    at = 2
    arrays = []
    for _ in range(3):
        rank = row[at]
        shape, strides = (tuple(row[start : start + rank]) for start in (at + 1, at + 1 + _MOST_DIMS))
        arrays.append(Array(shape, strides))
        at += 1 + 2 * _MOST_DIMS
    spatial = tuple(Axis(*row[at + 4 * k : at + 4 * k + 4]) for k in range(axes))
    a, b, out = arrays
    return Convolution(kind, a, b, out, spatial)


class Table:
    """The plans of a process. Rows are only appended, so native code reads them without a lock."""

    def __init__(self, held: dnnl.Library) -> None:
        self.library = held
        self.words = (ctypes.c_int64 * (WORDS * CAPACITY))()
        self.count = ctypes.c_int64(0)
        self.kept: object = None  # what native code refers to
        self._indices: dict[Convolution, int | None] = {}
        self._lock = threading.Lock()

    def scratch_bytes(self, convolution: Convolution) -> int | None:
        """The bytes of scratch that a convolution needs, whose plan is made; None if oneDNN has no kernel for it."""
        index = self._index(convolution)
        return None if index is None else self.words[index * WORDS + BYTES]

    def place(self, convolution: Convolution) -> int:
        """The address of a convolution's plan; 0 if oneDNN has no kernel for it."""
        index = self._index(convolution)
        return 0 if index is None else ctypes.addressof(self.words) + index * WORDS * 8

    def _index(self, convolution: Convolution) -> int | None:
        with self._lock:
            if convolution not in self._indices:
                try:
                    words = self._plan(convolution)
                except dnnl.RefusedError:
                    words = None
                self._indices[convolution] = None if words is None else self._append(words)
            return self._indices[convolution]

    def _append(self, words: list[int]) -> int | None:
        at = self.count.value
        if at == CAPACITY:
            return None
        for place, word in enumerate(words, at * WORDS):
            self.words[place] = word
        self.count.value = at + 1
        return at

    def _plan(self, convolution: Convolution) -> list[int]:
        held, kind = self.library, convolution.kind
        inputs, weights, outputs = {
            FORWARD: (convolution.a, convolution.b, convolution.out),
            BY_INPUT: (convolution.out, convolution.b, convolution.a),
            BY_WEIGHTS: (convolution.a, convolution.out, convolution.b),
        }[kind]
        x, w, y = (held.descriptor(array.shape, None) for array in (inputs, weights, outputs))
        columns = list(zip(*convolution.axes, strict=True))
        geometry = [dnnl.dims(columns[k]) for k in range(4)]
        geometry[1] = dnnl.dims([dilation - 1 for dilation in columns[1]])
        flag = ctypes.c_int(dnnl.CONVOLUTION_DIRECT)
        training = ctypes.c_int(dnnl.FORWARD_TRAINING)
        forward = found = held.primitive_descriptor("convolution_forward", training, flag, x, w, None, y, *geometry)
        arguments = (dnnl.SOURCE, dnnl.WEIGHTS, dnnl.DESTINATION)
        if kind == BY_INPUT:
            found = held.primitive_descriptor("convolution_backward_data", flag, x, w, y, *geometry, forward)
            arguments = (dnnl.GRADIENT_OF_DESTINATION, dnnl.WEIGHTS, dnnl.GRADIENT_OF_SOURCE)
        elif kind == BY_WEIGHTS:
            found = held.primitive_descriptor("convolution_backward_weights", flag, x, w, None, y, *geometry, forward)
            arguments = (dnnl.SOURCE, dnnl.GRADIENT_OF_DESTINATION, dnnl.GRADIENT_OF_WEIGHTS)
        arrays = (convolution.a, convolution.b, convolution.out)
        outer = [held.descriptor(*array) for array in arrays]
        inner = [held.queried(found, dnnl.QUERY[argument]) for argument in arguments]
        reorders = [held.reorder(outer[k], inner[k]) for k in range(2)] + [held.reorder(inner[2], outer[2])]
        scratchpad = held.queried(found, dnnl.QUERY_SCRATCHPAD)
        offsets, total = [], 0
        sizes = [held.size(inner[k]) if reorders[k] else 0 for k in range(3)]
        for size in (*sizes, held.size(scratchpad) if scratchpad else 0):
            offsets.append(total)
            total += size + -size % ALIGNMENT
        primitive = held.primitive(found)
        return [
            *convolution.row(), held.engine, *outer, *inner, *reorders, primitive, scratchpad, *offsets, *arguments,
            total + ALIGNMENT,
        ]  # fmt: skip
