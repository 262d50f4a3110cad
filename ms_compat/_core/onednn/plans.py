"""Plans: what a call of oneDNN needs, in memory that native code reads.

A program names a computation by its geometry, a row of `GEOMETRY` integers, and not by a place in memory, because
compiled programs are kept on disk. The native handler finds the plan by that row.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Sequence
from typing import NamedTuple

from ms_compat._core.onednn import library as dnnl

FORWARD, BY_INPUT, BY_WEIGHTS, PRODUCT = range(4)
_MOST_AXES = 5
_MOST_DIMS = _MOST_AXES + 1  # of weights in groups
# A row: the kind, the number of spatial axes; rank, shape and strides of the two inputs and of the output; for each
# spatial axis the stride, the dilation, and the padding before and behind.
GEOMETRY = 2 + 3 * (1 + 2 * _MOST_DIMS) + 4 * (_MOST_AXES - 2)
WORDS = 80  # of a plan; see `Plan`
CAPACITY = 4096
FEW = 16_000_000  # multiplications of a product, for which another thread does not pay
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


class Computation(NamedTuple):
    """A convolution, or a product of matrices: the kind, the two inputs, the output, the spatial axes.

    A product has none of these, and arrays of shape (rows, columns), or (batch, rows, columns).
    """

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

    def work(self) -> int:
        """The multiplications."""
        if self.kind == PRODUCT:
            return math.prod(self.a.shape) * self.b.shape[-1]
        weights, outputs = {
            FORWARD: (self.b, self.out),
            BY_INPUT: (self.b, self.a),
            BY_WEIGHTS: (self.out, self.b),
        }[self.kind]
        return math.prod(weights.shape) * outputs.shape[0] * math.prod(outputs.shape[2:])


def of_row(row: Sequence[int]) -> Computation:
    """The computation whose geometry a row is."""
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
    return Computation(kind, a, b, out, spatial)


class Table:
    """The plans of a process. Rows are only appended, so native code reads them without a lock."""

    def __init__(self, held: dnnl.Library) -> None:
        self.library = held
        self.words = (ctypes.c_int64 * (WORDS * CAPACITY))()
        self.count = ctypes.c_int64(0)
        self.kept: object = None  # what native code refers to
        self._indices: dict[Computation, int | None] = {}
        self._lock = threading.Lock()

    def scratch_bytes(self, computation: Computation) -> int | None:
        """The bytes of scratch that a computation needs, whose plan is made; None if oneDNN has no kernel for it."""
        index = self._index(computation)
        return None if index is None else self.words[index * WORDS + BYTES]

    def place(self, computation: Computation) -> int:
        """The address of a computation's plan; 0 if oneDNN has no kernel for it."""
        index = self._index(computation)
        return 0 if index is None else ctypes.addressof(self.words) + index * WORDS * 8

    def _index(self, computation: Computation) -> int | None:
        with self._lock:
            if computation not in self._indices:
                try:
                    words = self._plan(computation)
                except dnnl.RefusedError:
                    words = None
                self._indices[computation] = None if words is None else self._append(words)
            return self._indices[computation]

    def _append(self, words: list[int]) -> int | None:
        at = self.count.value
        if at == CAPACITY:
            return None
        for place, word in enumerate(words, at * WORDS):
            self.words[place] = word
        self.count.value = at + 1
        return at

    def _plan(self, computation: Computation) -> list[int]:
        held = self.library
        primitive_of = self._product if computation.kind == PRODUCT else self._convolution
        found, arguments = primitive_of(computation)
        arrays = (computation.a, computation.b, computation.out)
        outer = [held.descriptor(*array) for array in arrays]
        inner = [held.queried(found, dnnl.QUERY[argument]) for argument in arguments]
        reorders = [held.reorder(outer[k], inner[k]) for k in range(2)] + [held.reorder(inner[2], outer[2])]
        scratchpad = held.queried(found, dnnl.QUERY_SCRATCHPAD)
        offsets, total = [], 0
        sizes = [held.size(inner[k]) if reorders[k] else 0 for k in range(3)]
        for size in (*sizes, held.size(scratchpad) if scratchpad else 0):
            offsets.append(total)
            total += size + -size % ALIGNMENT
        with held.threads(1 if computation.kind == PRODUCT and computation.work() < FEW else None):
            primitive = held.primitive(found)
        return [
            *computation.row(), held.engine, *outer, *inner, *reorders, primitive, scratchpad, *offsets, *arguments,
            total + ALIGNMENT,
        ]  # fmt: skip

    def _product(self, product: Computation) -> tuple[int, tuple[int, ...]]:
        """What describes the primitive of a product, and oneDNN's numbers for its arrays."""
        held = self.library
        with held.threads(1 if product.work() < FEW else None):
            a, b, out = (held.descriptor(*array) for array in (product.a, product.b, product.out))
            found = held.primitive_descriptor("matmul", a, b, None, out)
        if held.implementation(found).startswith("ref"):
            raise dnnl.RefusedError("oneDNN has only plain loops for these strides")
        return found, (dnnl.SOURCE, dnnl.WEIGHTS, dnnl.DESTINATION)

    def _convolution(self, convolution: Computation) -> tuple[int, tuple[int, ...]]:
        """The same for a convolution, whose arrays get the layouts that the primitive likes."""
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
        forward = held.primitive_descriptor("convolution_forward", training, flag, x, w, None, y, *geometry)
        if kind == FORWARD:
            return forward, (dnnl.SOURCE, dnnl.WEIGHTS, dnnl.DESTINATION)
        if kind == BY_INPUT:
            found = held.primitive_descriptor("convolution_backward_data", flag, x, w, y, *geometry, forward)
            return found, (dnnl.GRADIENT_OF_DESTINATION, dnnl.WEIGHTS, dnnl.GRADIENT_OF_SOURCE)
        found = held.primitive_descriptor("convolution_backward_weights", flag, x, w, None, y, *geometry, forward)
        return found, (dnnl.SOURCE, dnnl.GRADIENT_OF_DESTINATION, dnnl.GRADIENT_OF_WEIGHTS)
