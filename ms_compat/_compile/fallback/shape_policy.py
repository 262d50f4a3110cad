"""A limit on the shapes for which a function is compiled.

XLA compiles per shape. A function's first shapes are compiled separately. When more shapes come, the function is traced
once more, with symbols for the sizes that vary. If padding provably leaves its results unchanged (`padded/axes.py`), it
runs padded to powers of two from then on. Otherwise a new shape runs operation by operation, as in PYNATIVE_MODE, and
is compiled after so many calls that more are likely. One log line says which. The lengths of sequences that are
declared as varying (`mutable(..., dynamic_len=True)`) are treated likewise.

`jit(fullgraph=True)` and `MS_COMPAT_FULLGRAPH=1` compile every shape. Programs of several processes, which must agree,
and programs that call the host do the same: compiled code prints otherwise than PYNATIVE_MODE.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from ms_compat._compile.control_flow import convert
from ms_compat._compile.fallback import explain
from ms_compat._compile.records import Trace
from ms_compat._core.refcounted_override import RefcountedOverride
from ms_compat._core.settings import context
from ms_compat._core.tensor.tree import Sequence
from ms_compat._core.trace import scopes

logger = logging.getLogger("ms_compat")

FEW = 4  # shapes that a function is compiled for before it counts as one that meets many
OFTEN = 3  # calls with one shape that make it worth its own program, where padding does not serve

Shapes = tuple[tuple[int, ...], ...]


class TooManyShapes(Exception):  # control flow, not an error
    """A call with a shape that is not to be compiled now."""

    def __init__(self, shapes: Shapes):
        super().__init__(shapes)
        self.shapes = shapes


class PaddedForm(Protocol):
    """The interface of a program's padded form (`padded/program.py`).

    Attributes:
        traced: its trace, with symbols for the sizes that vary.
    """

    traced: Trace

    def serves(self, shapes: Shapes) -> bool:
        """Whether a call with such shapes can be padded."""

    def bind(self, leaves: list[Any]) -> tuple[Any, list[Any], Any]:
        """The jit for these leaves, the leaves that it takes, and what to do with its outputs, if anything."""


class ShapePolicy:
    """Which shapes of one program are compiled each for itself, and what becomes of the others.

    Args:
        name: of the function, for the log.
        compiles_each: says whether every shape is compiled.

    Attributes:
        padded: the padded form; None as long as it is not tried, or does not serve.
    """

    def __init__(self, name: str, compiles_each: Callable[[], bool]):
        self._name = name
        self._compiles_each = compiles_each
        self.own: set[Shapes] = set()
        self.padded: PaddedForm | None = None
        self._tried = False
        self._met: Counter[Shapes] = Counter()

    def register(self, leaves: Any) -> None:
        """Note a shape that is about to be traced; raises TooManyShapes if it is one too many."""
        shapes = shapes_of(leaves)
        if shapes in self.own:
            return
        if len(self.own) >= FEW and not self._compiles_each():
            raise TooManyShapes(shapes)
        self.own.add(shapes)

    def pads(self, shapes: Shapes) -> bool:
        """Whether a call with these shapes runs padded."""
        return self.padded is not None and shapes not in self.own and self.padded.serves(shapes)

    def resolve(
        self, shapes: Shapes, leaves: list[Any], plain: bool, form: Callable[[list[Shapes], list[Any]], PaddedForm]
    ) -> bool:
        """What becomes of a call that raised TooManyShapes: True to make it again, False to run it in Python.

        Args:
            plain: whether no gradient's tape is under the call; the padded form serves such calls alone.
            form: makes the padded form for the shapes that were met and the leaves of a call.
        """
        if plain and not self._tried:
            self._tried = True
            with scopes.lock:
                reason = self._try(shapes, leaves, form)
            report(self._name, reason)
        if plain and self.padded is not None and self.padded.serves(shapes):
            return True
        self._met[shapes] += 1
        if self._met[shapes] < OFTEN:
            return False
        self.own.add(shapes)
        return True

    def _try(self, shapes: Shapes, leaves: list[Any], form: Callable[[list[Shapes], list[Any]], PaddedForm]) -> str:
        """Make the padded form; gives where and why it cannot be, "" if it can."""
        try:
            self.padded = form([*self.own, shapes], leaves)
        except Exception as error:  # the user's Python gets symbols for sizes and may raise any error
            logger.debug("%s cannot be padded", self._name, exc_info=True)
            reason = str(error).partition("\n")[0].removesuffix(".") or type(error).__name__
            places = map(convert.equations_line, getattr(error, "equations", ()))
            place = next(filter(None, places), "") or convert.users_line(error)
            return f"{reason}, at {place}" if place else reason
        return ""


class LengthPolicy:
    """Which lengths of a function's sequences of variable length are compiled."""

    def __init__(self, name: str):
        self._name = name
        self._own: dict[Any, set[Any]] = {}
        self._met: Counter[Any] = Counter()

    def register(self, spec: Any) -> None:
        """Note arguments that are about to be traced; raises TooManyShapes if their lengths are one too many."""
        form = _of_any_length(spec)
        if form is spec:
            return
        own = self._own.setdefault(form, set())
        if spec in own:
            return
        if len(own) >= FEW:
            if not self._met:
                report(self._name, "the lengths of its sequences vary")
            self._met[spec] += 1
            if self._met[spec] < OFTEN:
                raise TooManyShapes(())
        own.add(spec)


def _of_any_length(spec: Any) -> Any:
    """The spec with one element for each variable-length sequence; the object itself if there is none."""
    if not isinstance(spec, tuple):
        return spec
    if isinstance(spec, Sequence) and spec.dynamic:
        return spec._replace(items=tuple(map(_of_any_length, spec.items[:1])))
    parts = list(map(_of_any_length, spec))
    if all(a is b for a, b in zip(parts, spec, strict=True)):
        return spec
    return type(spec)(*parts) if hasattr(spec, "_fields") else tuple(parts)


def shapes_of(leaves: Any) -> Shapes:
    """The shapes of arrays and numbers."""
    return tuple([np.shape(leaf) for leaf in leaves])


def report(name: str, reason: str) -> None:
    """Log once what becomes of a function that meets many shapes.

    Args:
        name: the function.
        reason: why its inputs cannot be padded; "" if they are.
    """
    text = f"{name} has been called with more than {FEW} input shapes. "
    if reason:
        text += (
            f"New shapes now run operation by operation, because its inputs cannot be padded: {reason}. Pad them to a "
            "few sizes yourself, for example by Dataset.bucket_batch_by_length."
        )
    else:
        text += "Inputs of other shapes are padded to powers of two from now on."
    explain.keep(text)
    logger.warning("%s (jit(fullgraph=True) compiles every shape.)", text)


in_pynative = RefcountedOverride(context.state, "mode", context.PYNATIVE_MODE)
by_operations = RefcountedOverride(scopes, "by_operations", True)
