"""Which calls are interpreted, and which compiled.

XLA takes 20 to 130 ms for the first call of an operation with a new signature (shapes and dtypes); interpreting its
jaxpr with NumPy takes a tenth of a millisecond. So on CPU NumPy interprets the first calls of a signature. At call
`_BEFORE_COMPILING`, or a later one where many operations come to theirs at once, a thread begins to compile its
program (`compiled/background.py`), and calls are interpreted until that is ready. The tier is behind the cache of
`jax.jit`: it serves the signatures that the cache lacks, and a warm call does not come here.

Where new shapes keep coming (caches that grow by a token, batches as long as their longest sentence) a program seldom
pays. An operation that has met more than `MANY` signatures of one kind, which differ in sizes alone, is compiled for
one of them when its interpreted calls have cost as much as a compilation, which is after some 300 calls. So 64 tokens
by a tiny Mistral, each with a cache of its own length, take 0.6 s of CPU time; runs that compiled at the ninth call
took 9 s. The same holds while a function is traced: operations there compute its constants, once.

An interpreted call is traced, too, which takes some milliseconds. The trace has symbols for the sizes of axes, so that
one trace serves all shapes of equal ranks for which the operation decides alike.

The interpreted calls of a program may differ from compiled ones in the last bit, and how many there are depends on the
time. Without the background (MS_COMPAT_BACKGROUND=0, or several processes) the call after `INTERPRETED_CALLS`
interpreted ones (a few less if they take long) compiles. It then depends on nothing but the calls before it, and a
program repeats bit for bit. A part of a program, such as the rest of an interrupted training, has the bits of the whole
only with one program for all calls: with `set_deterministic(True)`, in a resumable training (`compiled_only`), and with
MS_COMPAT_COLD_TIER=0 everything is compiled.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence, Set
from typing import Any

import jax
import numpy as np
from jax.sharding import SingleDeviceSharding

from ms_compat._core import interrupts
from ms_compat._core.compiled import background
from ms_compat._core.compiled.interpreter import numpy_program
from ms_compat._core.compiled.interpreter.sizes import SymbolicSizes
from ms_compat._core.jax_compat import (
    ArrayImpl,
    is_committed,
    is_eager,
    is_on_default_cpu,
    jit_with_fallback,
    preserve_trace,
    put_on_default_cpu,
)
from ms_compat._core.products import lowering as products
from ms_compat._core.settings import context
from ms_compat._core.settings.memory_limits import check_results
from ms_compat._core.trace import scopes

INTERPRETED_CALLS = 8  # calls of a signature: a net of some equal layers gets through its first step
_FEWEST = 2
_BEFORE_COMPILING = 4  # the call at which a thread begins to compile the program: one call is often the only one
_PATIENCE = 400_000_000  # nanoseconds of interpreted calls after which a caller compiles what waits for the thread
MANY = 16  # signatures of one kind: a net has fewer, and what keeps growing soon more
_WORTH = 20_000_000  # nanoseconds that a signature's interpreted calls may take together, less than a compilation
_BESIDE_COMPILING = 2  # times the budget: two fifths of what compiling takes, which a thread does beside it
_OVERHEAD = 60_000  # nanoseconds that an interpreted call takes besides its steps
_CHEAP = 1_000_000  # nanoseconds of an interpreted call that needs no program if it is soon replaced
_SIGNATURES = 512  # of one operation that are remembered
_FAMILIES = 64
_FAILURES = 2  # traces with symbols of one operation that fail before none is tried any more
_LARGEST_FIXED = 4  # sizes up to this (of kernels, of colours) are numbers in every trace


class _Settings:
    """`asked` is what the environment says, `paused` how many regions are open in which everything is compiled."""

    asked = os.environ.get("MS_COMPAT_COLD_TIER", "1") != "0"
    paused = 0


class _Local(threading.local):
    replaced = 0  # how many regions of `replaced_soon` this thread is in


settings = _Settings()
_local = _Local()


@contextlib.contextmanager
def compiled_only(condition: bool = True) -> Iterator[None]:
    """A region whose calls are compiled at once, if `condition` holds."""
    settings.paused += condition
    try:
        yield
    finally:
        settings.paused -= condition


@contextlib.contextmanager
def replaced_soon() -> Iterator[None]:
    """A region whose calls a program that is being compiled will replace: cheap ones get no programs of their own."""
    _local.replaced += 1
    try:
        yield
    finally:
        _local.replaced -= 1


def is_on() -> bool:
    """Whether new signatures are interpreted."""
    return bits_may_change() and jax.default_backend() == "cpu"


def bits_may_change() -> bool:
    """Whether a call may take another way to its results than the one before, with other last bits."""
    return (
        settings.asked
        and not settings.paused
        and context.state.deterministic != "ON"
        and not jax.config.jax_debug_nans  # type: ignore[attr-defined]
        and not jax.config.jax_disable_jit  # type: ignore[attr-defined]
    )


def interpret(
    program: numpy_program.NumpyProgram, arrays: Sequence[Any], given: Sequence[Any], avals: Sequence[Any]
) -> list[Any] | None:
    """A NumPy program's results as jax arrays; None where it leaves its values to XLA.

    Args:
        program: what to run.
        arrays: its inputs for NumPy.
        given: its inputs as the call passed them: results are committed to a device if one of them is.
        avals: of the results.
    """
    found = numpy_program.run(program, arrays)
    if found is None:
        return None
    committed = any(map(is_committed, given))
    return [put_on_default_cpu(v, a, committed) for v, a in zip(found, avals, strict=True)]


def most_of_budget() -> float:
    """How many times its budget an interpreted call may take."""
    return _BESIDE_COMPILING if background.is_on() else 1


class _Signature:
    """The record of calls with one set of shapes and dtypes: their number, and their NumPy program."""

    __slots__ = ("avals", "calls", "interpreted", "job", "longest", "program", "refused", "tree", "variants")

    def __init__(self, program: numpy_program.NumpyProgram | None, avals: Sequence[Any], tree: Any):
        self.calls = 0
        self.longest = 0  # nanoseconds of the processor that an interpreted call has taken
        self.job: background.Job | None = None
        self.variants = _Variants()
        self.refused = False  # whether the cache of `jax.jit` has an entry without a program
        self.program = program
        self.avals = avals
        self.tree = tree
        self.interpreted = (
            0 if program is None else min(INTERPRETED_CALLS, max(_FEWEST, int(_WORTH / (program.cost + 1))))
        )

    def pays(self, cost: float) -> bool:
        """Whether a program pays for a signature after its interpreted calls, which cost `cost` nanoseconds each."""
        if self.variants.signatures <= MANY and not scopes.tracing:
            return True
        return self.calls > _WORTH / (cost + _OVERHEAD)


class _Variants:
    """How many signatures differ in nothing but sizes."""

    __slots__ = ("signatures",)

    def __init__(self) -> None:
        self.signatures = 0


class _Shared:
    """What the compiled forms of one operation know together whose static arguments are of one kind.

    Attributes:
        variants: by the pattern of the other arguments.
        families: how many traces with symbols served.
        failures: how many failed, because the operation needs numbers.
    """

    __slots__ = ("failures", "families", "variants")

    def __init__(self) -> None:
        self.variants: dict[Any, _Variants] = {}
        self.families = 0
        self.failures = 0

    def needs_numbers(self) -> bool:
        """Whether a trace with symbols would probably fail."""
        return self.failures >= _FAILURES and self.failures > self.families


class _Family:
    """A trace of an operation with symbols for sizes, which serves the signatures of equal ranks and dtypes."""

    __slots__ = ("jaxpr", "name", "sizes", "tree")

    def __init__(self, name: str, sizes: SymbolicSizes, traced: Any):
        self.name = name
        self.sizes = sizes
        self.jaxpr = traced.jaxpr
        self.tree = jax.tree.structure(traced.out_info)

    def signature(self, numbers: Sequence[int]) -> _Signature | None:
        """The signature for these sizes; None where the trace would decide something else for them."""
        number = self.sizes.evaluator(numbers)
        if not self.sizes.holds(number):
            return None
        avals = [Result(tuple(map(number, a.shape)), a.dtype, a.weak_type) for a in self.jaxpr.out_avals]
        check_results(self.name, avals)
        return _Signature(numpy_program.prepare(self.jaxpr, number, most=most_of_budget()), avals, self.tree)


_shared: dict[Any, _Shared] = {}  # by operation and kind of static arguments


def jit(fn: Callable, name: str, statics: Any = ()) -> Callable:
    """`jax.jit(fn)`, whose first calls of a signature are interpreted.

    Args:
        fn: takes flat arrays, numbers, and None.
        name: the operation.
        statics: the constants that it was made for; an operation's constants that differ in integers alone are alike.
    """
    jitted = jax.jit(fn)
    shared = _shared.setdefault((name, _kind(statics)), _Shared())
    return jit_with_fallback(fn, jitted, _Interpreter(jitted, name, shared, frozenset(_integers(statics))))


def _integers(statics: Any) -> Iterator[int]:
    """The integers among static arguments."""
    if type(statics) is tuple:
        for item in statics:
            yield from _integers(item)
    elif type(statics) is int:
        yield statics


def _kind(statics: Any) -> Any:
    """Static arguments with their integers left out."""
    if type(statics) is tuple:
        return tuple(map(_kind, statics))
    return int if type(statics) is int else statics


class _Interpreter:
    """Asked by a `jax.jit` for the outputs of a call that it has no program for.

    Args:
        jitted: what asks.
        name: the operation.
        shared: what it shares with forms for other static arguments.
        fixed: sizes that are numbers in each trace. The operation's static arguments have these numbers, too, and it
            may compare them, or divide by them.
    """

    __slots__ = ("families", "fixed", "jitted", "must_clear_cache", "name", "shared", "signatures")

    def __init__(self, jitted: Any, name: str, shared: _Shared, fixed: frozenset[int]):
        self.jitted = jitted
        self.name = name
        self.shared = shared
        self.fixed = fixed
        self.must_clear_cache = False
        self.signatures: dict[Any, _Signature] = {}
        self.families: dict[Any, _Family | None] = {}

    def __call__(self, args: Sequence[Any]) -> Any:
        """The outputs, in place of a program that is not compiled yet; None where it has to be."""
        products.use()
        if not is_on() or not is_eager():
            if self.signatures and (known := self.signatures.get(signature_of(args))) is not None:
                self._compile(known)
            return None
        key = signature_of(args)
        if key is None:
            return None
        known = self.signatures.get(key)
        if known is None:
            if len(self.signatures) >= _SIGNATURES:
                self.signatures.clear()
            try:
                with interrupts.hold_signals(), preserve_trace(), background.allowance.spent():
                    known = self._traced(args)
            except Exception:  # the compiler, which runs next, traces again and raises it
                return None
            self.signatures[key] = known
        known.calls += 1
        program = known.program
        if program is None or self._is_compiled(known, program, args):
            return self._compile(known)
        arrays = [np.asarray(a) for a in args if a is not None]
        start = time.thread_time_ns()
        found = interpret(program, arrays, args, known.avals)
        taken = time.thread_time_ns() - start
        known.longest = max(known.longest, taken)
        if known.job is not None:
            known.job.lost += taken
        if found is None:
            known.program = None
            return self._compile(known)
        known.refused = True
        return known.tree.unflatten(found)

    def _is_compiled(self, known: _Signature, program: numpy_program.NumpyProgram, args: Sequence[Any]) -> bool:
        """Whether a call runs the compiled program, which is begun here when it pays."""
        job = known.job
        if job is None:
            if not background.is_on():
                return known.calls > known.interpreted and known.pays(program.cost)
            if _local.replaced and program.cost < _CHEAP:
                return False
            if known.calls < min(_BEFORE_COMPILING, known.interpreted) or not known.pays(program.cost):
                return False
            if background.allowance.allows():
                with interrupts.hold_signals(), preserve_trace():
                    known.job = background.begin(lambda: self.jitted.trace(*args), self.name)
            return False
        if job.lost > _PATIENCE and not job.begun and background.allowance.allows():
            background.allowance.spend(program.budget * numpy_program.SHARE)
            job.wait()
            return not job.failed
        return job.serves(known.longest, program.budget * numpy_program.SHARE)

    def _compile(self, known: _Signature) -> None:
        """Leave a call to the compiler, and look its signature up again where it was refused before."""
        if known.refused:
            known.refused, self.must_clear_cache = False, True

    def _traced(self, args: Sequence[Any]) -> _Signature:
        """A new signature: by the trace of its family, or by one of its own."""
        pattern, numbers = _pattern(args)
        found = self._of_family(pattern, numbers, args)
        if found is None:
            traced = self.jitted.trace(*args)
            tree = jax.tree.structure(traced.out_info)
            found = _Signature(numpy_program.prepare(traced.jaxpr, most=most_of_budget()), traced.jaxpr.out_avals, tree)
        found.variants = self.shared.variants.setdefault(pattern, found.variants)
        found.variants.signatures += 1
        return found

    def _of_family(self, pattern: tuple, numbers: dict[int, int], args: Sequence[Any]) -> _Signature | None:
        if not self.fixed.isdisjoint(numbers):
            pattern, numbers = _pattern(args, self.fixed)
        if numbers:
            if pattern not in self.families:
                if self.shared.needs_numbers():
                    return None
                if len(self.families) >= _FAMILIES:
                    self.families.clear()
                self.families[pattern] = family = self._family(args, numbers)
                if family is None:
                    self.shared.failures += 1
                else:
                    self.shared.families += 1
            family = self.families[pattern]
            if family is not None:
                return family.signature(list(numbers))
        return None

    def _family(self, args: Sequence[Any], numbers: dict[int, int]) -> _Family | None:
        """The trace with symbols; None if the function needs numbers."""
        try:
            sizes = SymbolicSizes(list(numbers))
            symbol = dict(zip(numbers, sizes.symbols, strict=True))
            given = [
                jax.ShapeDtypeStruct([symbol.get(n, n) for n in a.shape], a.dtype, weak_type=a.weak_type)
                if a.__class__ is ArrayImpl
                else a
                for a in args
            ]
            with sizes.deciding():
                return _Family(self.name, sizes, self.jitted.trace(*given))
        except Exception:  # it has to be traced with numbers, which then raises the caller's errors
            return None


class Result:
    """The aval of an output."""

    __slots__ = ("dtype", "shape", "weak_type")

    def __init__(self, shape: tuple[int, ...], dtype: Any, weak_type: bool):
        self.shape = shape
        self.dtype = dtype
        self.weak_type = weak_type


def _of_array(value: Any) -> tuple | None:
    return (value.shape, value.dtype, value.weak_type) if is_on_default_cpu(value) else None


def signature_of(args: Sequence[Any], of_array: Callable[[Any], tuple | None] = _of_array) -> tuple | None:
    """The signature of a call; None where an argument cannot be in it, such as a tracer.

    Args:
        args: the arguments.
        of_array: returns the part for an array that may be in a signature, and None otherwise. By default only arrays
            on the first CPU may, as the tier interprets no others.
    """
    key: list[Any] = []
    for a in args:
        if (part := of_array(a)) is not None:
            key += part
        elif a is None:
            key.append(None)
        elif a.__class__ in (int, float, bool, complex):
            key.append(a.__class__)
        elif isinstance(a, (np.ndarray, np.generic)):
            key += (a.shape, a.dtype)
        else:
            return None
    return tuple(key)


def array_on_one_device(value: Any) -> tuple | None:
    """The part of a signature for an array on one device, whichever it is."""
    if value.__class__ is ArrayImpl and value.sharding.__class__ is SingleDeviceSharding and not value.is_deleted():
        return value.shape, value.dtype, value.weak_type, value.device
    return None


def _pattern(args: Sequence[Any], fixed: Set[int] = frozenset()) -> tuple[tuple, dict[int, int]]:
    """The signature with the number of a symbol for each larger size, and the symbols' numbers by sizes.

    Args:
        args: the arguments.
        fixed: larger sizes that stay numbers.
    """
    numbers: dict[int, int] = {}
    pattern: list[Any] = []
    for a in args:
        if a.__class__ is ArrayImpl:
            for n in a.shape:
                open_size = n > _LARGEST_FIXED and n not in fixed
                pattern.append(~numbers.setdefault(n, len(numbers)) if open_size else n)
            pattern += (a.dtype, a.weak_type)
        else:
            pattern += (a.__class__, getattr(a, "shape", None), getattr(a, "dtype", None))
    return tuple(pattern), numbers
