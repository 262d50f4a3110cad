"""The first calls of a compiled function: NumPy interprets them where that takes less time than their program would.

XLA takes 2 to 3 ms for each operation of a program that it compiles, NumPy some microseconds to run it: a training step
of a YOLOv8n on small pictures takes a tenth of a second either way, and 14 s to compile. So the jaxprs of whole
functions have the tier that single operations have (`_core/compiled/interpreter/tier.py`, which also says when nothing
is interpreted): NumPy interprets a signature's first calls if some of them take a fraction of a compilation. From the
second call on a thread compiles the program (`_core/compiled/background.py`); where calls are cheap, from a later one
on. A call waits for it only if the interpreted calls since then, and this one, would take longer than compiling takes.
Without that thread the call after `INTERPRETED_CALLS` interpreted ones compiles.

A call that takes NumPy a sixteenth of a compilation or more, up to two fifths, is interpreted once, and the second call
waits for the program: few more could be interpreted meanwhile, and each would take several times as long as with the
program. Above a fifth, the thread compiles the program beside the first call: the first training step of a ResNet-18
takes 3.7 s so, in the place of 11.6. Below, it begins at the second call, as a script that calls the function once
needs no program, and would wait for it at its end.

An interpreted call donates nothing: state that somebody else holds need not be copied for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from ms_compat._core import interrupts
from ms_compat._core.compiled import background
from ms_compat._core.compiled.interpreter import numpy_program, tier
from ms_compat._core.jax_compat import ArrayImpl, is_eager, is_on_default_cpu, jit_with_fallback, preserve_trace
from ms_compat._core.products import lowering as products

if TYPE_CHECKING:
    from ms_compat._compile.program import Program
    from ms_compat._compile.records import TraceInfo

_BEFORE_COMPILING = 2  # the call at which a thread begins to compile the program: what is called twice is a step
# Nanoseconds. A function whose interpreted call costs less, such as an optimizer, is compiled later.
_CHEAP = 20_000_000
_CHEAP_BEFORE_COMPILING = 5  # the same for those, if there is time to trace it
_FEWEST = 16  # calls that could be interpreted while a thread compiles; if they are fewer, the second one waits
_SIGNATURES = 512  # of a function that are remembered


class _State:
    """`recordings` is how many recordings by a profiler are open: they show only what XLA runs."""

    recordings = 0


state = _State()


class _Signature:
    """A trace as a NumPy program.

    Attributes:
        calls: how many were interpreted.
        most: how many calls it runs before one compiles, without a background thread.
        once: whether one call is interpreted, and the second waits for the background thread.
        job: the program that is compiled in the background.
        longest: nanoseconds of the processor that an interpreted call has taken.
        whole: nanoseconds of the processor that compiling takes.
    """

    __slots__ = ("avals", "calls", "dtypes", "job", "longest", "most", "once", "program", "whole")

    def __init__(self, closed: Any):
        budget = numpy_program.budget_of(numpy_program.operations(closed.jaxpr))  # of all interpreted calls together
        self.program = numpy_program.prepare(closed, budget=budget, most=tier.most_of_budget())
        self.most = 0 if self.program is None else min(tier.INTERPRETED_CALLS, int(budget / (self.program.cost + 1)))
        self.calls = 0
        self.longest = 0
        self.whole = budget * numpy_program.SHARE
        cost = 0 if self.program is None else self.program.cost
        self.once = not self.most or (cost >= _CHEAP and cost * _FEWEST > self.whole)
        self.job: background.Job | None = None
        self.avals = closed.out_avals
        self.dtypes = [aval.dtype for aval in closed.in_avals]

    def results(self, inputs: Sequence[Any], trace: Callable[[], Any], name: str) -> list[jax.Array] | None:
        """What a call gives; None where it has to be compiled.

        Args:
            inputs: the call's.
            trace: what `jax.jit(...).trace` gives for the call.
            name: of the function.
        """
        if self.program is None or self._is_compiled(self.program, trace, name):
            self.program = None
            return None
        arrays = [np.asarray(v, dtype) for v, dtype in zip(inputs, self.dtypes, strict=True)]
        start = time.thread_time_ns()
        found = tier.interpret(self.program, arrays, inputs, self.avals)
        taken = time.thread_time_ns() - start
        self.calls += 1
        self.longest = max(self.longest, taken)
        if self.job is not None:
            self.job.lost += taken
        if found is None or (self.calls >= self.most and not background.is_on()):
            self.program = None
            if self.job is not None:
                self.job.wait()  # the caller compiles nothing beside it
        return found

    def _is_compiled(self, program: numpy_program.NumpyProgram, trace: Callable[[], Any], name: str) -> bool:
        """Whether a call runs the compiled program, which is begun here when it pays."""
        if self.job is None:
            if (not self.most and not background.is_on()) or self.longest > self.whole:
                return True
            cheap = program.cost < _CHEAP
            first = 1
            if self.most:
                first = min(_CHEAP_BEFORE_COMPILING, max(self.most, _BEFORE_COMPILING)) if cheap else _BEFORE_COMPILING
            if self.calls + 1 < first or not background.is_on():
                return False
            if cheap and self.calls < self.most and not background.allowance.allows():
                return False
            with interrupts.hold_signals():
                self.job = background.begin(trace, name)
        if self.once:
            if self.calls == 0:
                return False
            self.job.wait()
            return not self.job.failed
        return self.job.serves(self.longest + self.job.lost, self.whole)


def _may_interpret(values: Iterable[Any]) -> bool:
    """Whether calls with such arguments are interpreted now: all are on the CPU, and nothing is traced."""
    return tier.is_on() and not state.recordings and is_eager() and all(map(_is_interpretable, values))


def _is_interpretable(value: Any) -> bool:
    return (
        is_on_default_cpu(value)
        if value.__class__ is ArrayImpl
        else isinstance(value, (int, float, np.ndarray, np.generic))
    )


class FirstCalls:
    """The first calls of one compiled function for one static key."""

    __slots__ = ("asked", "program", "signatures")

    def __init__(self, program: Program):
        self.program = program
        self.asked = False  # whether the user requests compiled programs
        self.signatures: dict[tuple, _Signature] = {}

    def results(self, types: tuple, inputs: tuple) -> tuple[TraceInfo, list[Any], list[Any]] | None:
        """What a call gives: its `TraceInfo`, the outputs, and the new values of the changed state; None to compile it.

        Args:
            types: the types of all the call's arguments.
            inputs: its arguments, as the kept jit takes them.

        Raises:
            Repartitioned: see `Program.traced_for`.
        """
        leaves, mutated, read, _, pair = inputs
        program = self.program
        if (
            self.asked
            or program.spmd_settings is not None
            or program.ranks
            or not _may_interpret((*leaves, *mutated, *read))
        ):
            return None
        traced = program.traced_for(leaves)
        signature = self.signatures.get(types)
        if signature is None:
            if len(self.signatures) >= _SIGNATURES:
                self.signatures.clear()
            signature = self.signatures[types] = _Signature(traced.closed)
        state = {id(t): v for t, v in zip((*program.mutated, *program.read), (*mutated, *read), strict=True)}
        # what the trace does not read may be anything
        inputs_of_trace = (*leaves, *[state.get(id(t), 0) for t in program.candidates], pair)
        found = signature.results(inputs_of_trace, lambda: program.jit.trace(*inputs), program.owner.name)
        if found is None:
            return None
        return traced.meta, found[: traced.output_count], program.new_state(traced, mutated, found)


def jit(fn: Callable) -> Any:
    """`jax.jit(fn)` whose first calls of a signature are interpreted; `fn` takes and gives trees of arrays."""
    jitted = jax.jit(fn)
    return jit_with_fallback(fn, jitted, _Interpreter(jitted))


class _Interpreter:
    """Asked by a `jax.jit` for the outputs of a call that it has no program for."""

    __slots__ = ("jitted", "must_clear_cache", "signatures")

    def __init__(self, jitted: Any):
        self.jitted = jitted
        self.must_clear_cache = False  # whether the jit's cache holds a signature without a program that gets one now
        self.signatures: dict[Any, tuple[_Signature, Any]] = {}

    def __call__(self, args: Sequence[Any]) -> Any:
        """The outputs; None where the call has to be compiled."""
        products.use()
        leaves, tree = jax.tree.flatten(args)
        if not all(map(_is_interpretable, leaves)):
            return None
        key = (tree, *[getattr(v, "aval", v.__class__) for v in leaves])
        known = self.signatures.get(key)
        if not _may_interpret(()):
            self.must_clear_cache = known is not None
            return None
        if known is None:
            if len(self.signatures) >= _SIGNATURES:
                self.signatures.clear()
            with preserve_trace():
                traced = self.jitted.trace(*args)
            known = self.signatures[key] = _Signature(traced.jaxpr), jax.tree.structure(traced.out_info)
        signature, outputs = known
        with preserve_trace():
            found = signature.results(leaves, lambda: self.jitted.trace(*args), self.jitted.__name__)
        if found is None:
            self.must_clear_cache = True
            return None
        return outputs.unflatten(found)
