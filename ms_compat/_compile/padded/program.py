"""The padded form of a program: traced once with symbols for the sizes that vary, compiled once for a power of two."""

from __future__ import annotations

import math
from typing import Any

import jax
import numpy as np

from ms_compat._compile.fallback.shape_policy import Shapes, TooManyShapes, shapes_of
from ms_compat._compile.padded import loops as loops  # registers what each primitive makes of padding
from ms_compat._compile.padded import rules as rules
from ms_compat._compile.padded.axes import Axis, PaddedArray, PaddedEvaluation, Unpaddable, axes_of, is_open
from ms_compat._compile.program import Program
from ms_compat._compile.records import NO_PAIR, Trace, abstract
from ms_compat._core.jax_compat import SizeWatch, is_symbolic_size, size_at, symbols_of
from ms_compat._core.settings.memory_limits import check_results

SMALLEST = 16  # bucket; the others are powers of two
_SYMBOLS = 3  # sizes that may vary independently of each other


class PaddedProgram:
    """The padded form of a program: one compiled program for all sizes up to a power of two.

    `bind` gives the replacement for the program's own jit in a call.

    Args:
        program: what is known of the function.
        seen: the shapes that it met; sizes that differ among them become symbols, the same where they agree.
        leaves: of a call, for the dtypes.

    Raises:
        Unpaddable: it cannot be shown that padding changes nothing.
        Exception: what the user's Python raises when sizes are symbols.
    """

    def __init__(self, program: Program, seen: list[Shapes], leaves: list[Any]):
        self.program = program
        if any(len(getattr(leaf, "devices", set)()) > 1 for leaf in leaves):
            raise Unpaddable("its arguments are on several devices")
        self._places = _varying(seen)
        symbols = symbols_of(len(self._places))
        self._names = [str(symbol) for symbol in symbols]
        shapes = [list(np.shape(leaf)) for leaf in leaves]
        for symbol, places in zip(symbols, self._places, strict=True):
            for leaf, axis in places:
                shapes[leaf][axis] = symbol
        self._shapes = [tuple(shape) for shape in shapes]
        self._axes: tuple[tuple[Axis, ...], ...] = ()
        sizes: Any = self._sizes(seen[-1])
        with SizeWatch(dict(zip(self._names, sizes, strict=True))) as watch:
            self.traced = self._trace(leaves)
        self._watch = watch
        self.jit = jax.jit(self._body, donate_argnums=(1,) if program.donates else ())
        self._check_runs(seen[-1], leaves)

    def _trace(self, leaves: list[Any]) -> Trace:
        known = abstract(leaves)
        avals = [
            jax.ShapeDtypeStruct(shape, aval.dtype, weak_type=aval.weak_type)
            for shape, aval in zip(self._shapes, known, strict=True)
        ]
        traced = self.program.discover(avals)
        meta = traced.meta
        if not self.program.fits(traced):
            raise Unpaddable("it uses other Parameters for other shapes")
        if meta.attributes or meta.checks or meta.host_outputs or _mentions_size(meta.spec):
            raise Unpaddable("it assigns attributes, checks values or returns numbers of Python")
        if any(
            _mentions_size([cell.cell_contents for cell in check.__closure__ or ()]) for _, check in meta.input_checks
        ):
            raise Unpaddable("it checks values of its arguments against a size")
        return traced

    def _check_runs(self, shapes: Shapes, leaves: list[Any]) -> None:
        """Follow the padding through the whole program, without compiling it."""
        program = self.program
        padded = [
            jax.ShapeDtypeStruct(self._bucket_shape(i, shape), aval.dtype, weak_type=aval.weak_type)
            for i, (shape, aval) in enumerate(zip(shapes, abstract(leaves), strict=True))
        ]
        mutated, read = [t._v for t in program.mutated], [t._v for t in program.read]
        true = np.zeros(len(self._names), np.int64)
        jax.eval_shape(self._body, [*padded, true], mutated, read, program.consts, NO_PAIR)

    # -- sizes -------------------------------------------------------------------------------------------------------
    def _sizes(self, shapes: Shapes) -> list[int] | None:
        """The value of each symbol; None for shapes of another form."""
        if len(shapes) != len(self._shapes):
            return None
        found: dict[str, int] = {}
        for shape, want in zip(shapes, self._shapes, strict=True):
            if len(shape) != len(want):
                return None
            for size, wanted in zip(shape, want, strict=True):
                if size != (found.setdefault(str(wanted), size) if is_symbolic_size(wanted) else wanted):
                    return None
        return [found[name] for name in self._names]

    def serves(self, shapes: Shapes) -> bool:
        """Whether a call with such shapes can be padded.

        No size is 0, and the program's comparisons of sizes have the answers that they had in the trace: a symbol is
        unequal to every number, and Python that compares for equality would go another way for that one.
        """
        sizes = self._sizes(shapes)
        if sizes is None or min(sizes) < 1:
            return False
        return self._watch.holds(dict(zip(self._names, sizes, strict=True)))

    def _bucket_shape(self, leaf: int, shape: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(
            [
                max(SMALLEST, 1 << (size - 1).bit_length()) if is_symbolic_size(want) else size
                for size, want in zip(shape, self._shapes[leaf], strict=True)
            ]
        )

    def _bucket(self, padded: list[Any]) -> dict[str, int]:
        """The size to which each symbol is padded."""
        return {
            name: padded[places[0][0]].shape[places[0][1]]
            for name, places in zip(self._names, self._places, strict=True)
        }

    # -- running -----------------------------------------------------------------------------------------------------
    def bind(self, leaves: list[Any]) -> tuple[Any, list[Any], Any]:
        """The jit for these leaves, the leaves that it takes, and what to do with its outputs, if anything.

        Raises:
            ManyShapes: the leaves can neither be padded nor have a program of their own.
        """
        shapes = shapes_of(leaves)
        if shapes in self.program.shape_policy.own:
            return self.program.jit, leaves, None
        if not self.serves(shapes):
            raise TooManyShapes(shapes)
        sizes: Any = self._sizes(shapes)
        padded = [self._pad(i, leaf) for i, leaf in enumerate(leaves)]
        values, bucket = dict(zip(self._names, sizes, strict=True)), self._bucket(padded)

        def cut(outputs: list[Any]) -> list[Any]:
            return [_cut(v, axes, values, bucket) for v, axes in zip(outputs, self._axes, strict=True)]

        return self.jit, [*padded, np.asarray(sizes, np.int64)], cut

    def _pad(self, i: int, leaf: Any) -> Any:
        """A leaf in its bucket's size. NumPy copies it: a program of XLA's would be one for each size."""
        shape = np.shape(leaf)
        wanted = self._bucket_shape(i, shape)
        if wanted == shape:
            return leaf
        out = np.zeros(wanted, leaf.dtype)
        out[tuple([slice(size) for size in shape])] = np.asarray(leaf)
        return out

    def _body(self, leaves: list[Any], mutated: Any, read: Any, consts: Any, pair: Any) -> tuple:
        """As `Program._changed_first`, with the true sizes as the last leaf."""
        *leaves, true = leaves
        program, traced = self.program, self.traced
        closed, full = program.inputs_of(traced, mutated, read, consts)
        run = PaddedEvaluation(self._bucket(leaves), {name: true[i] for i, name in enumerate(self._names)})
        inputs = [PaddedArray(v, axes_of(shape)) for v, shape in zip(leaves, self._shapes, strict=True)]
        inputs += [PaddedArray(v, axes_of(np.shape(v))) for v in (*full, pair)]
        found = run.closed(closed, inputs)
        check_results(program.owner.name, [x.value for x in found])
        outputs, changed = found[: traced.output_count], found[traced.output_count :]
        if any(x.open for x in changed):
            raise Unpaddable("its state has a size that varies")
        self._axes = tuple([x.axes for x in outputs])
        new = {id(program.candidates[i]): x.value for i, x in zip(traced.changed, changed, strict=True)}
        changed_first = [new.get(id(t), v) for t, v in zip(program.mutated, mutated, strict=True)]
        return (*changed_first, {traced.meta: [x.value for x in outputs]})


def _varying(seen: list[Shapes]) -> list[list[tuple[int, int]]]:
    """The places (leaf, axis) of each size that differs among shapes; places that always agree are one size."""
    if len({tuple(map(len, shapes)) for shapes in seen}) > 1:
        raise Unpaddable("the number of axes varies")
    places: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for leaf, shape in enumerate(seen[0]):
        for axis in range(len(shape)):
            sizes = tuple([shapes[leaf][axis] for shapes in seen])
            if len(set(sizes)) > 1:
                places.setdefault(sizes, []).append((leaf, axis))
    if not 0 < len(places) <= _SYMBOLS:
        raise Unpaddable(f"{len(places)} sizes vary")
    return list(places.values())


def _mentions_size(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(map(_mentions_size, value))
    return is_symbolic_size(value)


def _cut(value: Any, axes: tuple[Axis, ...], sizes: dict[str, int], bucket: dict[str, int]) -> Any:
    """The true elements of an output, cut out by NumPy as `_pad` pads."""
    if not any(map(is_open, axes)):
        return value
    padded, true = (
        [[size_at(f, symbols) if is_symbolic_size(f) else f for f in axis] for axis in axes]
        for symbols in (bucket, sizes)
    )
    apart = np.asarray(value).reshape([f for factors in padded for f in factors])
    apart = apart[tuple([slice(f) for factors in true for f in factors])]
    return jax.device_put(np.ascontiguousarray(apart).reshape([math.prod(factors) for factors in true]))
