"""Sizes of axes that are symbols in a trace, and who answers when Python compares them.

JAX cannot decide most comparisons of symbols, and takes some for unequal that may be equal. A region of `decided_by`
lets an object decide them for its thread (`SizeAnswers`). Two kinds exist: `SizeWatch` lets the user's Python run on
symbols, and `SymbolicSizes` (`_core/compiled/interpreter/sizes.py`) traces operations.

The methods of JAX's class are replaced while a region is open in any thread. In threads without a region they do what
JAX's do.
"""

from __future__ import annotations

import abc
import collections
import contextlib
import operator
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ms_compat._core.jax_compat.capabilities import (
    HAS_DIMENSION_AS_VALUE,
    DimExpr,
    InconclusiveDimensionOperation,
    ShapedArray,
    dimension_as_value,
    require,
    shape_poly,
)
from ms_compat._core.jax_compat.files import HERE, JAX


def is_symbolic_size(value: Any) -> bool:
    """Whether a size represents any number in a trace with unknown shapes."""
    return type(value) is DimExpr  # `__class__` is what a `SizeWatch` says


def has_symbolic_size(value: Any) -> bool:
    """Whether nested tuples and lists contain a symbolic size."""
    if isinstance(value, (tuple, list)):
        return any(map(has_symbolic_size, value))
    return is_symbolic_size(value)


def symbols_of(count: int, names: Sequence[str | None] = ()) -> Any:
    """Symbols for unknown sizes, all in one scope, with the names that are given; others are called n0, n1, ...

    Raises:
        UnsupportedError: this JAX has no symbolic sizes that the package knows.
    """
    require("HAS_SYMBOLIC_SIZES", "A trace that serves many shapes")
    from jax import export

    called = [name or f"n{at}" for at, name in enumerate(names or [None] * count)]
    return export.symbolic_shape(",".join(called))


def terms_of(size: Any) -> Any:
    """A symbolic size as a sum: its terms, each with the number that it is multiplied by."""
    return size._sorted_terms


def size_at(size: Any, symbols: dict[str, Any]) -> Any:
    """A symbolic size where its symbols have values: ints, or traced ints."""
    return size._evaluate(symbols)


def extreme_size(which: str, size: Any, other: Any) -> Any:
    """The larger ("max") or the smaller ("min") of a symbolic size and another.

    >>> (n,) = symbols_of(1)
    >>> int(size_at(extreme_size("max", n - 3, 0), {"n0": 2}))
    0
    """
    from jax import export

    return export.symbolic_shape(f"{which}({size}, {other})", scope=size.scope)[0]


def array_of_size(size: Any) -> jax.Array:
    """A symbolic size as a number of the open trace, weak as Python's ints are."""
    return dimension_as_value(size) if HAS_DIMENSION_AS_VALUE else jnp.asarray(size)


class Decisions:
    """The answers where Python compared sizes; a trace serves other sizes if all answers are the same."""

    def __init__(self) -> None:
        self._noted: dict[tuple, tuple[Any, bool, str]] = {}
        self._required: list[Any] = []  # differences that are not negative
        self._chosen: list[tuple[Any, bool]] = []  # differences, and whether they are not negative

    def note(self, difference: Any, of_order: bool, found: bool, place: Callable[[], str] = str) -> bool:
        """Keep whether a difference of sizes is 0, or not negative (`of_order`).

        Args:
            difference: of the two sizes.
            of_order: whether it was asked which of them is larger, or whether they are equal.
            found: the answer.
            place: gives the line of the program that asked, or that called the package, which asked.
        """
        if is_symbolic_size(difference):
            key = difference._sorted_terms, of_order
            if key not in self._noted:
                self._noted[key] = difference, found, place()
        return found

    def require(self, difference: Any) -> None:
        """Keep that a difference of sizes is not negative, without which the trace fails."""
        self._required.append(difference)

    def choose(self, difference: Any, found: bool) -> None:
        """Keep whether a difference of sizes is not negative, which chooses between two ways to one result."""
        self._chosen.append((difference, found))

    def changed(self, number: Callable[[Any], int]) -> Iterator[tuple[bool, str]]:
        """The answers that are others for these sizes: whether each is about order, and its place.

        There are none for sizes that are not possible, with a difference negative that must not be.
        """
        if any(number(size) < 0 for size in self._required):
            return
        for (_, of_order), (difference, found, place) in self._noted.items():
            if bool(number(difference) >= 0 if of_order else number(difference) == 0) is not found:
                yield of_order, place

    def snapshot(self) -> Callable[[], None]:
        """A function that forgets the answers that are noted from now on."""
        before, required, chosen = dict(self._noted), list(self._required), list(self._chosen)

        def forget() -> None:
            self._noted, self._required, self._chosen = dict(before), list(required), list(chosen)

        return forget

    def hold(self, number: Callable[[Any], int]) -> bool:
        """Whether the answers are the same for these sizes, and no required difference is negative."""
        return (
            all(number(size) >= 0 for size in self._required)
            and all(bool(number(size) >= 0) is found for size, found in self._chosen)
            and next(self.changed(number), None) is None
        )


# -- who answers


class SizeAnswers(abc.ABC):
    """Answers comparisons of symbolic sizes in a region of `decided_by`. Each `caller` is the frame that compares.

    `replaces` names the methods of JAX's class that the region replaces: as few as possible, since JAX itself calls
    them, too. A region inside another one, or beside another thread's, is also called for methods that only the other
    replaces.
    """

    replaces: tuple[str, ...] = ("__eq__",)

    @abc.abstractmethod
    def equal(self, left: Any, right: Any, by_jax: Callable[[Any, Any], bool], caller: Any) -> bool:
        """Whether a size equals another value."""

    @abc.abstractmethod
    def at_least(self, left: Any, right: Any, by_jax: Callable[[], bool], caller: Any) -> bool:
        """Whether one size is not below another."""

    @abc.abstractmethod
    def note_truth(self, size: Any, caller: Any) -> None:
        """Called where Python uses a size as a condition; JAX gives the answer."""

    @abc.abstractmethod
    def check_hash(self, caller: Any) -> None:
        """Called where a size is hashed; may refuse it."""


class _Thread(threading.local):
    answers: SizeAnswers | None = None  # of the innermost region


_thread = _Thread()


@contextlib.contextmanager
def decided_by(answers: SizeAnswers) -> Iterator[None]:
    """A region in which an object answers the comparisons of symbolic sizes that this thread makes.

    Raises:
        UnsupportedError: this JAX has no symbolic sizes that the package knows.
    """
    require("HAS_SYMBOLIC_SIZES", "A trace that serves many shapes")
    with _patch.installed(answers.replaces):
        before, _thread.answers = _thread.answers, answers
        try:
            yield
        finally:
            _thread.answers = before


class _Patch:
    """The replaced methods of JAX's class, each with the number of regions that need it."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._regions: collections.Counter[str] = collections.Counter()
        self._former: dict[str, Any] = {}

    @contextlib.contextmanager
    def installed(self, names: tuple[str, ...]) -> Iterator[None]:
        """A region in which the methods of these names, and JAX's decision of order, ask `_thread.answers` first."""
        names = (*names, "_geq_decision")
        with self._lock:
            for name in names:
                self._enter(name)
        try:
            yield
        finally:
            with self._lock:
                for name in names:
                    self._leave(name)

    def _enter(self, name: str) -> None:
        self._regions[name] += 1
        if self._regions[name] == 1:
            self._replace(name)

    def _leave(self, name: str) -> None:
        self._regions[name] -= 1
        if not self._regions[name]:
            self._restore(name)

    def _replace(self, name: str) -> None:
        owner = shape_poly if name == "_geq_decision" else DimExpr
        former = self._former[name] = owner.__dict__.get(name)
        setattr(owner, name, _REPLACEMENTS[name](former))

    def _restore(self, name: str) -> None:
        owner = shape_poly if name == "_geq_decision" else DimExpr
        former = self._former.pop(name)
        if former is None:
            delattr(owner, name)
        else:
            setattr(owner, name, former)


_patch = _Patch()


def _equal(by_jax: Any) -> Any:
    def equal(left: Any, right: Any) -> bool:
        answers = _thread.answers
        if answers is None:
            return by_jax(left, right)
        caller = sys._getframe(1)
        if caller.f_code is unequal:  # JAX's `__ne__` asks `__eq__`
            caller = caller.f_back  # type: ignore[assignment]
        return answers.equal(left, right, by_jax, caller)

    unequal = getattr(DimExpr.__ne__, "__code__", None)
    return equal


def _truth(by_jax: Any) -> Any:
    def truth(size: Any) -> bool:
        answers = _thread.answers
        if answers is not None:
            answers.note_truth(size, sys._getframe(1))
        return by_jax is None or by_jax(size)

    return truth


def _hash(by_jax: Any) -> Any:
    def code(size: Any) -> int:
        answers = _thread.answers
        if answers is not None:
            answers.check_hash(sys._getframe(1))
        return by_jax(size)

    return code


def _attribute(by_jax: Any) -> Any:
    read = object.__getattribute__ if by_jax is None else by_jax

    def attribute(size: Any, name: str) -> Any:
        if (
            name == "__class__"
            and isinstance(_thread.answers, SizeWatch)
            and not sys._getframe(1).f_code.co_filename.startswith(JAX)
        ):
            return int  # `isinstance` reads this: sizes are ints to the program
        return read(size, name)

    return attribute


def _at_least(by_jax: Any) -> Any:
    def at_least(left: Any, right: Any, text: Any) -> bool:
        answers = _thread.answers
        if answers is None:
            return by_jax(left, right, text)
        return answers.at_least(left, right, lambda: by_jax(left, right, text), sys._getframe(1))

    return at_least


_REPLACEMENTS: dict[str, Callable[[Any], Any]] = {
    "__eq__": _equal,
    "__bool__": _truth,
    "__hash__": _hash,
    "__getattribute__": _attribute,
    "_geq_decision": _at_least,
}


# -- the two ways to answer


_LARGE = 1 << 12  # at which each size that is ever positive is


class SizeWatch(SizeAnswers):
    """Answers, for the time of a block, the comparisons of symbolic sizes that JAX cannot decide, and notes them.

    The program takes symbols for ints (`isinstance`). For JAX a symbol is unequal to any number, also to a number that
    it may represent. JAX's equality comparisons are not noted: it computes the same whether they are true or not.
    Order comparisons of two sizes are answered for the current numbers. The trace serves other numbers where all
    answers are the same (`holds`).

    Args:
        numbers: what each symbol is in the call at hand.
        place: gives the line of the program that is being executed.
        arbitrary: whether the numbers are examples, and a size that must be positive is if larger ones make it so.

    Raises:
        TypeError: the program hashes a symbolic size, or compares one with a number that is not an int.
        UnsupportedError: this JAX has no symbolic sizes that the package knows.
    """

    replaces = ("__eq__", "__bool__", "__hash__", "__getattribute__")

    def __init__(self, numbers: dict[str, int], place: Callable[[], str] = str, arbitrary: bool = False) -> None:
        self.asked_at: str | None = None  # the first place where the user's program compares what JAX cannot decide
        self._numbers = numbers
        self._place = place
        self._arbitrary = arbitrary
        self._decisions = Decisions()
        self._region = contextlib.ExitStack()

    def __enter__(self) -> SizeWatch:
        self._region.enter_context(decided_by(self))
        return self

    def __exit__(self, *_: object) -> None:
        self._region.close()

    def assume(self, other: SizeWatch) -> None:
        """Take sizes for possible only where another watch did, whose trace is made once more."""
        for difference in other._decisions._required:
            self._decisions.require(difference)

    def holds(self, numbers: dict[str, int]) -> bool:
        """Whether every comparison has the same answer for other numbers."""
        return self._decisions.hold(lambda size: size_at(size, numbers))

    def changed(self, numbers: dict[str, int]) -> Iterator[tuple[bool, str]]:
        """The comparisons that have another answer for other numbers: whether each is about order, and its place."""
        return self._decisions.changed(lambda size: size_at(size, numbers))

    def equal(self, left: Any, right: Any, by_jax: Callable[[Any, Any], bool], caller: Any) -> bool:
        same = by_jax(left, right)
        if not same:
            self._note(left, right, caller)
        return same

    def at_least(self, left: Any, right: Any, by_jax: Callable[[], bool], caller: Any) -> bool:
        try:
            return by_jax()
        except InconclusiveDimensionOperation:
            difference = left - right
            self._see(_outside_jax(caller))
            return self._decisions.note(difference, True, bool(size_at(difference, self._numbers) >= 0), self._place)

    def is_positive(self, size: Any) -> bool:
        """Whether a size is positive; if so, the trace serves only sizes for which it is."""
        found = bool(size_at(size, self._numbers) >= 1)
        if not found and self._arbitrary:
            found = bool(size_at(size, dict.fromkeys(self._numbers, _LARGE)) >= 1)
        if found:
            self._decisions.require(size - 1)
        return found

    def is_at_least(self, size: Any, other: Any) -> bool:
        """Whether a size is not below another; if so, the trace serves only sizes for which that is so."""
        difference = size - other
        if not is_symbolic_size(difference) or size_at(difference, self._numbers) < 0:
            return size >= other
        self._decisions.require(difference)
        return True

    def is_above(self, size: Any, limit: int) -> bool:
        """Whether a size is above a limit, which chooses between two ways to one result."""
        difference = size - limit - 1
        found = bool(size_at(difference, self._numbers) >= 0)
        self._decisions.choose(difference, found)
        return found

    def note_truth(self, size: Any, caller: Any) -> None:
        self._note(size, 0, caller)

    def check_hash(self, caller: Any) -> None:
        while caller.f_code.co_filename == "<string>":  # the method of a dataclass, such as JAX has
            caller = caller.f_back
        if not caller.f_code.co_filename.startswith((JAX, HERE)):
            raise TypeError("A size that varies is the key of a dict or set.")

    def _note(self, left: Any, right: Any, caller: Any) -> None:
        if caller.f_code.co_filename.startswith(JAX):
            return
        if isinstance(right, float):
            raise TypeError("A size that varies is compared with a float.")
        if isinstance(right, int) or type(right) is type(left) and left.scope is right.scope:
            difference = left - right
            if is_symbolic_size(difference):
                self._see(caller)
                self._decisions.note(difference, False, False, self._place)

    def _see(self, frame: Any) -> None:
        """Keep the line of the program, if it compares and not the package."""
        file = frame.f_code.co_filename
        if self.asked_at is None and (not file.startswith(HERE) or file.startswith(_REWRITTEN)):
            self.asked_at = self._place()


def is_positive(size: Any) -> bool:
    """Whether a size is positive, where a trace fails if it is not.

    Unlike a comparison, it does not keep a file from being exported for any size: what is too small fails at run time.
    """
    if is_symbolic_size(size) and isinstance(_thread.answers, SizeWatch):
        return _thread.answers.is_positive(size)
    return size >= 1


def is_at_least(size: Any, other: Any) -> bool:
    """Whether a size is not below another, where the trace is not for sizes for which it is.

    Unlike a comparison, it does not keep a file from being exported if it is true: it fails at run time if it is not.
    """
    if isinstance(_thread.answers, SizeWatch) and (is_symbolic_size(size) or is_symbolic_size(other)):
        return _thread.answers.is_at_least(size, other)
    return size >= other


def is_above(size: Any, limit: int) -> bool:
    """Whether a size is above a limit, where that chooses between two ways to one result.

    Unlike a comparison, it does not keep a file from being exported for any size.
    """
    if is_symbolic_size(size) and isinstance(_thread.answers, SizeWatch):
        return _thread.answers.is_above(size, limit)
    return size > limit


def mark_comparisons() -> Callable[[], None]:
    """A function that forgets what this thread's `SizeWatch` notes from now on, for a trace that is made once more."""
    watch = _thread.answers
    if not isinstance(watch, SizeWatch):
        return lambda: None
    asked_at, forget_answers = watch.asked_at, watch._decisions.snapshot()

    def forget() -> None:
        watch.asked_at = asked_at
        forget_answers()

    return forget


def is_watched(value: Any) -> bool:
    """Whether nested tuples and lists contain a symbolic size, and a `SizeWatch` of this thread lets Python use it."""
    return isinstance(_thread.answers, SizeWatch) and has_symbolic_size(value)


# What the program's own statements call.
_REWRITTEN = tuple(
    [os.path.join(HERE, "_compile", "control_flow", name) for name in ("memberships.py", "operators.py")]
)


def _outside_jax(frame: Any) -> Any:
    """The frame that called into JAX."""
    while frame.f_code.co_filename.startswith(JAX):
        frame = frame.f_back
    return frame


# JAX's table of avals compares some keys of unequal hashes; nothing is decided there.
_LOOKING_UP = [getattr(method, "__code__", None) for method in (ShapedArray.__new__, ShapedArray.__eq__)]


class AnswersForNumbers(SizeAnswers):
    """Answers each comparison by the numbers that the symbols have.

    Args:
        answer: a function of `(difference, of_order)` that says whether a difference of sizes is 0, or not negative.
    """

    def __init__(self, answer: Callable[[Any, bool], bool]) -> None:
        self._answer = answer

    def equal(self, left: Any, right: Any, by_jax: Callable[[Any, Any], bool], caller: Any) -> bool:
        if caller.f_code in _LOOKING_UP or (is_symbolic_size(right) and right.scope is not left.scope):
            return by_jax(left, right)
        if not is_symbolic_size(right) and not _is_number(right):
            return False
        return self._answer(left - right, False)

    def at_least(self, left: Any, right: Any, by_jax: Callable[[], bool], caller: Any) -> bool:
        return self._answer(left - right, True)

    def note_truth(self, size: Any, caller: Any) -> None:
        """Does nothing: JAX's answer holds for all numbers."""

    def check_hash(self, caller: Any) -> None:
        """Does nothing: JAX's own code may hash sizes."""


def _is_number(value: Any) -> bool:
    """Whether a value is an integer that is known."""
    try:
        operator.index(value)
    except TypeError:
        return False
    return True
