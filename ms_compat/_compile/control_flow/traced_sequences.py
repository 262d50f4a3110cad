"""Sequences whose length is known at run time only: a `for` over them is a loop of the compiled program.

These are a `range` of a traced number or an open size, the rows of a Tensor whose first size is open, and what
`reversed`, `enumerate` and `zip` make of such sequences.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from ms_compat._core.errors import NotTraceableError
from ms_compat._core.jax_compat import array_of_size, is_symbolic_size, is_watched
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.traced_number import number
from ms_compat._core.trace import scopes


class TracedSequence:
    """Items at the places of a range.

    Args:
        start: the first place.
        stop: the place where the sequence ends.
        step: from one place to the next.
        item: what is at a place, from the place as a number of the program.
    """

    needs_values = True  # to be returned

    def __init__(self, start: Any, stop: Any, step: Any, item: Callable[[Any], Any]):
        self.start, self.stop, self.step = map(_scalar, (start, stop, step))
        self.item = item

    def __iter__(self) -> Any:
        scope = scopes.current_scope()
        if scope is not None and scope.can_rewrite and scope.convert is not True:
            raise scopes.NeedsRewriting  # the function that walks over it is not rewritten yet
        raise NotTraceableError("it walks over a sequence whose length is known at run time only.")

    def length(self) -> Any:
        """The number of items."""
        away = self.step - jnp.sign(self.step)
        return jnp.maximum((self.stop - self.start + away) // self.step, 0)

    def at(self, position: Any) -> Any:
        """The item at a position, counted from 0."""
        return self.item(number(self.start + position._v * self.step))


class TracedRange(TracedSequence):
    """`range` with a bound or step that is known at run time only."""

    def __init__(self, *args: Any):
        start, stop, step = (0, *args, 1) if len(args) == 1 else (*args, 1)[:3]
        super().__init__(start, stop, step, lambda place: place)


def _scalar(value: Any) -> Any:
    if is_symbolic_size(value):
        return array_of_size(value).astype(jnp.int64)
    return jnp.asarray(value._v if isinstance(value, Tensor) else value, jnp.int64).reshape(())


def rows(value: Any) -> TracedSequence | None:
    """The rows of a Tensor whose first size is open, or a sequence of a traced length; None for all else."""
    if isinstance(value, TracedSequence):
        return value
    if isinstance(value, Tensor) and value.ndim and is_watched(value.shape[0]):
        return TracedSequence(0, value.shape[0], 1, lambda place: value[place])
    return None


def _reversed(sequence: Any) -> TracedSequence:
    found = _items(sequence)
    last = found.start + (found.length() - 1) * found.step
    return TracedSequence(last, found.start - found.step, -found.step, found.item)


def _enumerate(iterable: Any, start: Any = 0) -> TracedSequence:
    found = _items(iterable)
    return TracedSequence(0, found.length(), 1, lambda place: (place + start, found.at(place)))


def _zip(*iterables: Any, strict: bool = False) -> TracedSequence:
    if strict:
        raise NotTraceableError("whether the sequences of 'zip' have one length is known at run time only.")
    found = [_items(iterable) for iterable in iterables]
    length = functools.reduce(jnp.minimum, [sequence.length() for sequence in found])
    return TracedSequence(0, length, 1, lambda place: tuple([sequence.at(place) for sequence in found]))


def _items(value: Any) -> TracedSequence:
    """As `rows`, with Tensors and ranges of a known length.

    Raises:
        NotTraceableError: the value has no item at a place that is known at run time only.
    """
    found = rows(value)
    if found is None and isinstance(value, Tensor):
        return TracedSequence(0, value.shape[0], 1, lambda place: value[place])
    if found is None and isinstance(value, range):
        return TracedRange(value.start, value.stop, value.step)
    if found is None:
        raise NotTraceableError(f"it walks over a {type(value).__name__} beside a sequence whose length is open.")
    return found


_OF_SEQUENCES: dict[Any, Callable] = {reversed: _reversed, enumerate: _enumerate, zip: _zip}


def of_traced_length(f: Any, args: tuple) -> Callable | None:
    """What is called in place of a builtin where an argument's length or value is open; None where the builtin is."""
    if f is range and is_watched(args):
        return TracedRange
    if f is int and len(args) == 1 and is_watched(args):
        return lambda size: size
    if f is len and len(args) == 1:
        first = args[0]
        if isinstance(first, Tensor) and first.ndim and is_watched(first.shape[0]):
            return lambda tensor: tensor.shape[0]
        return (lambda sequence: number(sequence.length())) if isinstance(first, TracedSequence) else None
    if f in _OF_SEQUENCES and any(rows(value) is not None for value in args):
        return _OF_SEQUENCES[f]
    return None
