"""Tracing a compiled function: the user's Python runs once, with tracers, and leaves a jaxpr with named inputs.

The trace puts tracers into the Parameters that the function may touch (its Cell's Parameters, and others found in its
closure) and learns from the jaxpr which of them are read and which are changed. The kept jit replays that jaxpr, so the
Python is not run again for lowering: changed Parameters are donated and come back as outputs, read ones are inputs, all
others are not passed at all. What a trace cannot know at its start, it learns by failing: Parameters that a closure
hides, the processes of a collective, control flow on Tensors, calls that are differentiated later.
"""

from __future__ import annotations

import contextlib
import gc
import weakref
from collections.abc import Iterable
from typing import Any

import jax
import numpy as np

from ms_compat._compile import control_flow
from ms_compat._compile.analysis import inspection, refusals, side_effects
from ms_compat._compile.analysis.outputs import host_outputs, output_arrays, split_output, without_dicts
from ms_compat._compile.fallback import breaks
from ms_compat._compile.fallback.shape_policy import ShapePolicy
from ms_compat._compile.records import (
    NO_PAIR,
    Owner,
    Result,
    StatePartitionChanged,
    Trace,
    TraceInfo,
    abstract,
    signature_of,
)
from ms_compat._core.compiled import integer_grad
from ms_compat._core.dispatch import random, written_arguments
from ms_compat._core.errors import (
    AmbiguousTruthError,
    NotTraceableError,
    StrictAttributeError,
    StrictSyntaxError,
    UnsupportedError,
)
from ms_compat._core.jax_compat import (
    CONCRETIZATION_ERRORS,
    InconclusiveDimensionOperation,
    Tracer,
    closed_jaxpr,
    jaxpr_as_fun,
    mark_comparisons,
)
from ms_compat._core.parallel import processes, sharding, spmd
from ms_compat._core.settings import context
from ms_compat._core.settings.memory_limits import check_results
from ms_compat._core.settings.parallel_context import get_auto_parallel_context
from ms_compat._core.tensor import Tensor, flat_weights, wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.traced_array import HostArrayError
from ms_compat._core.tensor.tree import NUMBER, Constant, flatten, walk, wrap_leaves
from ms_compat._core.trace import scopes, write_barrier
from ms_compat._core.trace.garbage import uncollected

_ATTEMPTS = 12  # to trace, each of which teaches what the last did not know
_PARTLY = 2  # of them after which all functions are rewritten, not only those that were being called where one failed


class _StateDiscovered(Exception):  # control flow, not an error
    """The trace met Parameters (or written Tensors) that were not among its state."""

    def __init__(self, tensors):
        self.tensors = tensors


def _check_integers(spec: Any) -> None:
    """Raise RuntimeError if an integer among the constants of a call has more than 64 bits, as MindSpore does."""
    for node in walk(spec):
        if node.__class__ is Constant and node.kind is int and not -(2**63) <= node.value < 2**63:
            raise RuntimeError(
                f"An argument of a compiled function is the integer {node.value}, which has more than 64 bits."
            )


class Program:
    """The results of the traces for one static key, and the kept jit around them.

    Where Parameters live in a chunk (`flat_weights.py`) the chunk is the state; under a tape, which knows Parameters
    only, another form with `chunked` False serves.
    """

    def __init__(self, owner: Owner, spec: Any, chunked: bool = True):
        _check_integers(spec)
        self.owner = owner
        self.chunked = chunked
        self.spec = spec
        self.candidates: list[Tensor] = []
        self.mutated: list[Tensor] = []
        self.read: list[Tensor] = []
        self.consts: list[Any] = []
        self.jit: Any = None
        self.shardings: dict[int, Any] = {}  # of changed state that is on several devices, by id
        self.names: list[str] = []  # of the attributes that take what the jit returns, see `_changed_first`
        self.binds_without_python = True  # no Python runs when they are set
        self.seen_types: dict[
            tuple, bool
        ] = {}  # the types that the jit was called with, and whether it is C alone then
        self.draws = 0
        self.donates = True
        self.spmd_settings: spmd.Settings | None = None  # of a program over several processes' devices
        self.ranks: tuple[int, ...] = ()  # of the processes that compute it together, where it has collectives
        self._jit_ranks: tuple[int, ...] = ()
        self.input_checks: dict[tuple, list[tuple[int, Any]]] = {}  # by the shapes of the leaves
        self._traced: dict[tuple, Trace] = {}
        self._backwards: dict[Any, Any] = {}
        self.shape_policy = ShapePolicy(owner.name, self._compiles_each_shape)

    def _compiles_each_shape(self) -> bool:
        """Whether every shape gets a program: the user wants it, processes must agree, or the program calls the host,
        which compiled code does otherwise than PYNATIVE_MODE."""
        calls_host = any(traced.meta.effects for traced in self._traced.values())
        return self.owner.fullgraph or breaks.refused() or bool(self.ranks) or calls_host

    # -- tracing -----------------------------------------------------------------------------------------------------
    def prepare(self, leaves: list[Any]) -> None:
        """Trace once with all candidates as state and build the kept jit around what is really used."""
        self.candidates = self._storages(self.owner.candidate_state(self.spec))
        self.spmd_settings = self._asked_of_processes()
        avals = abstract(leaves)
        if self.spmd_settings is not None:
            avals = self._over_processes(self.spmd_settings).shapes(avals)
        else:
            self.shape_policy.register(leaves)
        with spmd.noting():
            traced = self.discover(avals)
            asked = spmd.noted()
        if asked is not None:
            spmd.place(asked, traced.closed, len(avals), self.candidates, traced.changed)
        self._partition(traced)
        self._traced[self._key(avals)] = traced
        if inspection.saving():
            state_avals = [abstract([t._v for t in tensors]) for tensors in (self.mutated, self.read)]
            lowered = self.jit.lower(avals, *state_avals, self.consts, NO_PAIR)
            inspection.save_text(self.owner.name, "jaxpr", str(traced.closed))
            inspection.save_text(self.owner.name, "hlo", lowered.as_text(dialect="hlo"))

    def _asked_of_processes(self) -> spmd.Settings | None:
        """The settings of this program if it spans all devices of several processes; None otherwise.

        Raises:
            UnsupportedError: it is, in PYNATIVE_MODE.
        """
        asked = spmd.of_processes(self.owner.cell)
        if asked is not None and context.state.mode == context.PYNATIVE_MODE and not self.owner.jitted:
            raise UnsupportedError(
                f"The parallel mode '{get_auto_parallel_context('parallel_mode')}' over several processes in "
                "PYNATIVE_MODE",
                "Use GRAPH_MODE, ms.jit around the whole step, or 'data_parallel'.",
            )
        return asked

    def _over_processes(self, asked: spmd.Settings) -> processes.whole:
        rows = not self.owner.takes_whole and spmd.brings_rows(asked)
        return processes.whole(self._changed_first, rows, sharding.mesh(), (1,), self.owner.name)

    def lower(self, leaves: list[Any]) -> Any:
        """The kept jit, lowered for these leaves and the present state."""
        mutated, read = [t._v for t in self.mutated], [t._v for t in self.read]
        return self.jit.lower(leaves, mutated, read, self.consts, NO_PAIR)

    def program(self) -> Any:
        """The closed jaxpr of the last trace."""
        return self.traced().closed

    def traced(self) -> Trace:
        """The last trace."""
        return list(self._traced.values())[-1]

    def _storages(self, tensors: list[Any]) -> list[Any]:
        return flat_weights.storages(tensors) if self.chunked else tensors

    def has_chunks(self) -> bool:
        """Whether chunks are among the state."""
        return any(isinstance(t, flat_weights.Chunk) for t in (*self.read, *self.mutated))

    def _key(self, leaves: list[Any]) -> tuple:
        return signature_of((*leaves, *abstract([t._v for t in (*self.mutated, *self.read)])))

    def _partition(self, traced: Trace) -> None:
        changed = set(traced.changed) | {self._position(t) for t in self.mutated}
        used = set(traced.used) | {self._position(t) for t in self.read}
        self.mutated = [self.candidates[i] for i in sorted(changed)]
        self.read = [self.candidates[i] for i in sorted(used - changed)]
        refusals.check_names(self.spec, (*self.mutated, *self.read), self.owner.cell)
        held = {id(c) for c in self.consts}
        self.consts.extend(c for c in traced.large_consts if id(c) not in held)
        self.draws = traced.meta.draws
        self.donates = self.donates and traced.may_donate
        donated = (1,) if self.donates else ()
        self.jit = processes.jit(self._changed_first, self.ranks, donated, self.owner.name)
        if self.spmd_settings is not None:
            if self.ranks:
                raise UnsupportedError(
                    f"{self.owner.name}: a collective in a program that the parallel mode lays out over all devices",
                    "There gradients need no reducer; use 'data_parallel' for a program of each process.",
                )
            self.jit = self._over_processes(self.spmd_settings)
        self.seen_types = {}
        lying = {id(t): getattr(t._v, "sharding", None) for t in self.mutated}
        self.shardings = {key: how for key, how in lying.items() if spmd.is_cut(how)}
        self.names = ["_v"] * len(self.mutated) + ["rest"]
        self.binds_without_python = (
            not self.ranks and self.spmd_settings is None and all(type(t) in (Tensor, Parameter) for t in self.mutated)
        )
        if self._jit_ranks != self.ranks:
            self._jit_ranks = self.ranks
            self._backwards.clear()

    def _position(self, tensor) -> int:
        return next(i for i, t in enumerate(self.candidates) if t is tensor)

    def discover(self, leaves: list[jax.ShapeDtypeStruct]) -> Trace:
        """Trace, as often as it takes to know the state and to rewrite control flow on Tensors."""
        watch = side_effects.Watch(self.owner.fn, self.owner.cell, self.spec)
        named = watch.names & control_flow.REWRITTEN
        if "isinstance" in watch.names and NUMBER in walk(self.spec):  # whether it is an int
            self.owner.rewritten = True
        elif named and self.owner.rewritten is not True:
            names = inspection.naming(watch.functions, named)
            self.owner.rewritten = True if names is None else names | (self.owner.rewritten or frozenset())
        scope = scopes.current_scope()
        try:
            traced = self._discover(leaves, watch)
        except BaseException:
            scopes.close_scopes(scope)
            watch.restore()
            raise
        watch.finish()
        return traced

    def _discover(self, leaves: list[jax.ShapeDtypeStruct], watch: side_effects.Watch) -> Trace:
        # Each failure teaches one thing (a Parameter of a closure, a condition on a Tensor); another trace meets it.
        forget_comparisons = mark_comparisons()
        for attempt in range(_ATTEMPTS):
            watch.restore()
            forget_comparisons()
            try:
                return self._trace(leaves, watch)
            except _StateDiscovered as more:
                self.candidates = self._storages([*self.candidates, *more.tensors])
            except scopes.CallApart as call:
                self.owner.linearized.discard(call.cell)
                self.owner.apart.add(call.cell)
            except scopes.LinearizeCall as call:
                self.owner.linearized.add(call.cell)
            except scopes.NeedsRewriting:
                self.owner.rewritten = True
            except processes.NeedsProcesses as needs:
                self.ranks = needs.ranks
            except UnboundLocalError as error:
                if not control_flow.reads_global(error):
                    raise
                if self.owner.rewritten is not True:
                    self.owner.rewritten = (self.owner.rewritten or frozenset()) | control_flow.called(error)
            except (*CONCRETIZATION_ERRORS, AmbiguousTruthError) as error:
                if self.owner.rewritten is True:
                    if isinstance(error, AmbiguousTruthError):
                        raise
                    strict = isinstance(error, HostArrayError) and self.owner.syntax_level() != context.LAX
                    kind = StrictAttributeError if strict else NotTraceableError
                    raise control_flow.explain(error, self.owner.name, kind) from None
                # Python asked a traced tensor for its value: rewrite control flow, at first on the way to that alone
                self._rewrite_way_to(error, attempt)
            except InconclusiveDimensionOperation as error:
                if self.owner.rewritten is True:
                    raise
                self._rewrite_way_to(error, attempt)
            except TypeError as error:
                if (misuse := refusals.misuse(error)) is not None:
                    raise misuse from None
                if self.owner.rewritten is not True and control_flow.refuses_open_size(error):
                    self._rewrite_way_to(error, attempt)
                    continue
                if self.owner.rewritten is True or not control_flow.takes_view_as_sequence(error):
                    raise
                self.owner.rewritten = True
            except ValueError as error:
                if (refusal := refusals.of_loops(error, self.owner.name)) is not None:
                    raise refusal from None
                raise
        raise NotTraceableError(f"{self.owner.name}: the Parameters it uses change from trace to trace.")

    def _rewrite_way_to(self, error: Exception, attempt: int) -> None:
        """Have the functions rewritten that were being called when an exception was raised; in the end all of them."""
        known = self.owner.rewritten if isinstance(self.owner.rewritten, frozenset) else frozenset()
        called = control_flow.called(error) if attempt < _PARTLY else frozenset()
        self.owner.rewritten = True if called <= known else known | called

    def _trace(self, leaves: list[jax.ShapeDtypeStruct], watch: side_effects.Watch) -> Trace:
        candidates = self.candidates
        found: dict[str, Any] = {"attributes": {}, "new_cells": {}}  # Ctrl-C may come before the body's own

        def body(leaf_values, state_values, pair):
            with scopes.TraceScope() as scope:
                found["attributes"], found["new_cells"] = scope.attributes, scope.new_cells
                scope.compiling = scope.can_rewrite = True
                scope.casts = integer_grad.Casts()
                scope.forwards, scope.linearized, scope.apart = [], self.owner.linearized, self.owner.apart
                scope.numbers_are_asked = "isinstance" in watch.names and self.owner.rewritten is not True
                scope.rng = random.TraceStream(pair)
                failed = scope.failed = wrap(np.False_)
                scope.created[id(failed)] = failed
                scope.swap(candidates, state_values)
                scope.inputs = {id(value): i for i, value in enumerate((*leaf_values, *state_values))}
                inputs = wrap_leaves(leaf_values)
                scope.written = written_arguments.Arguments(inputs)
                asked = spmd.settings()
                if asked is not None and not self.owner.takes_whole:
                    inputs = spmd.cut(inputs, asked.inputs)
                out, own = self.owner.run_traced(self.spec, inputs, scope, watch)
                if scope.concretized:
                    raise NotTraceableError(f"'{self.owner.name}' catches the error that a traced value has no value.")
                level = self.owner.syntax_level()
                if level != context.LAX:
                    _check_syntax(self.owner.name, scope)
                if level == context.STRICT:
                    out = without_dicts(out)
                outputs: list[Any] = []
                alone = isinstance(out, Parameter) and not scope.changed()
                spec = flatten(out, outputs) if alone else split_output(out, outputs, own)
                results = output_arrays(outputs)
                written_arguments.end(scope)
                changed = self._storages(scope.changed())
                if more := _unknown((*scope.reads.values(), *changed), candidates):
                    raise _StateDiscovered(more)
                at = {id(t): i for i, t in enumerate(candidates)}
                found["changed"] = sorted(at[id(t)] for t in changed)
                attributes = _to_repeat(scope.attributes)
                kinds = host_outputs(outputs)
                found["meta"] = meta = TraceInfo(spec, scope.rng, scope.checks, attributes, kinds)
                meta.input_checks, meta.has_python_vjp, meta.reads_casts = (
                    scope.input_checks,
                    scope.has_python_vjp,
                    scope.casts.read,
                )
                meta.calls_python = scope.calls_python
                if self.spmd_settings is None:
                    meta.written = _written(inputs, leaf_values)
                results += [inputs[i]._v for i in meta.written]
                return results, [candidates[i]._v for i in found["changed"]]

        arrays = [t._v for t in candidates]
        self.owner.traces += 1
        pause = uncollected()
        try:
            with (
                pause,
                pause,
                processes.bound(self.ranks),
                contextlib.nullcontext() if self.spmd_settings is None else sharding.joint,
            ):
                make = jax.make_jaxpr(body, axis_env=processes.axis_env(self.ranks))
                closed = make(leaves, abstract(arrays), jax.ShapeDtypeStruct((2,), np.uint32))
        finally:
            write_barrier.set_attributes([(a, name, before) for a, name, before, _ in found["attributes"].values()])
        _check_new_cells(self.owner.name, found["new_cells"])
        jaxpr = closed.jaxpr
        found["meta"].effects = bool(closed.effects)
        used_vars = _used_variables(jaxpr)
        first = len(leaves)
        used = [i for i in range(len(candidates)) if jaxpr.invars[first + i] in used_vars]
        if found["meta"].input_checks:
            self.input_checks[tuple([leaf.shape for leaf in leaves])] = found["meta"].input_checks
        return Trace(closed, found["meta"], found["changed"], used)

    def _body(self, leaves, mutated, read, consts, pair):
        """The body of the kept jit: replays this signature's jaxpr; a new signature traces the user's Python."""
        key = signature_of((*leaves, *mutated, *read))
        traced = self._traced.get(key) or self._trace_new(key, leaves)
        closed, full = self.inputs_of(traced, mutated, read, consts)
        values_out = jaxpr_as_fun(closed)(*leaves, *full, pair)
        check_results(self.owner.name, values_out)
        return Result(list(values_out[: traced.output_count]), self.new_state(traced, mutated, values_out), traced.meta)

    def new_state(self, traced: Trace, mutated: Any, values: Any) -> list[Any]:
        """The values of the changed state after a trace's jaxpr gave `values`."""
        new = {id(self.candidates[i]): v for i, v in zip(traced.changed, values[traced.output_count :], strict=True)}
        for at in new.keys() & self.shardings.keys():  # so that what a step leaves is what the next one takes
            new[at] = jax.lax.with_sharding_constraint(new[at], self.shardings[at])
        return [new.get(id(t), v) for t, v in zip(self.mutated, mutated, strict=True)]

    def traced_for(self, leaves: list[Any]) -> Trace:
        """The trace for such arguments and the present state.

        Raises:
            Repartitioned: they are new, and their trace does not fit the kept jit; it is known from now on.
        """
        avals = abstract(leaves)
        key = self._key(avals)
        return self._traced.get(key) or self._trace_new(key, avals)

    def _trace_new(self, key: tuple, leaves: list[Any]) -> Trace:
        """Run the user's Python for a new signature; see `traced_for`."""
        if self.spmd_settings is None:
            self.shape_policy.register(leaves)
        traced = self.discover(abstract(leaves))
        if not self.fits(traced):
            self._partition(traced)
            self._traced[self._key(leaves)] = traced
            raise StatePartitionChanged
        self._traced[key] = traced
        return traced

    def _changed_first(self, leaves, mutated, read, consts, pair):
        """What the kept jit returns: the changed state, then the outputs in a dict whose key is their `TraceInfo`.

        The containers are Python's own, so that making them runs no Python (`interrupts.py`), and keys of dicts belong
        to the structure that each executable brings along.
        """
        result = self._body(leaves, mutated, read, consts, pair)
        return (*result.changed, {result.meta: result.outputs})

    def inputs_of(self, traced: Trace, mutated: Any, read: Any, consts: Any) -> tuple[Any, list[Any]]:
        """A trace's jaxpr with the constants that are passed in, and the values of its state."""
        closed = traced.closed
        if traced.large_consts:
            passed = {id(c): v for c, v in zip(self.consts, consts, strict=True)}
            closed = closed_jaxpr(closed.jaxpr, [passed.get(id(c), c) for c in closed.consts])
        values = {id(t): v for t, v in zip(self.mutated, mutated, strict=True)}
        values.update({id(t): v for t, v in zip(self.read, read, strict=True)})
        variables = closed.jaxpr.invars[-1 - len(self.candidates) : -1]
        full = [
            values[id(t)] if id(t) in values else _placeholder(var.aval)
            for t, var in zip(self.candidates, variables, strict=True)
        ]
        return closed, full

    def fits(self, traced: Trace) -> bool:
        """Whether the kept jit's inputs and outputs serve this trace, too."""
        mutated = {id(t) for t in self.mutated}
        known = mutated | {id(t) for t in self.read}
        return (
            self._jit_ranks == self.ranks
            and self.donates <= traced.may_donate
            and mutated.issuperset(id(self.candidates[i]) for i in traced.changed)
            and known.issuperset(id(self.candidates[i]) for i in traced.used)
            and {id(c) for c in self.consts}.issuperset(id(c) for c in traced.large_consts)
        )


def _unknown(tensors: Iterable[Any], candidates: list[Any]) -> list[Any]:
    """The tensors that are not among the candidates, each once."""
    known = {id(t) for t in candidates}
    return list({id(t): t for t in tensors if id(t) not in known}.values())


def _written(inputs: list[Any], before: Any) -> tuple[int, ...]:
    """The positions of the inputs that have another value now."""
    return tuple([i for i, t in enumerate(inputs) if t._v is not before[i]])


def _check_syntax(name: str, scope: scopes.TraceScope) -> None:
    """Refuse what MindSpore refuses in the syntax levels below LAX.

    Raises:
        StrictAttributeError: `asnumpy` was called, or a new attribute was assigned.
        StrictSyntaxError: an attribute that is not a Parameter was assigned.
    """
    way_out = "Use jit_syntax_level=LAX (and not fullgraph=True), or leave it out of the compiled function."
    if scope.host_arrays:
        raise StrictAttributeError(f"'{name}' calls Tensor.asnumpy(), which the strict syntax refuses. {way_out}")
    for attribute, known in scope.assigned.items():
        raise (StrictSyntaxError if known else StrictAttributeError)(
            f"In JIT strict mode, if need to modify a member attribute of a class with 'self.{attribute}', it must be "
            f"a Parameter: '{name}' assigns it. {way_out}"
        )


def _check_new_cells(name: str, cells: dict[int, weakref.ref]) -> None:
    """Refuse a Cell that the function makes and keeps: a later call would find it with the state that it has now.

    Raises:
        NotTraceableError: there is one.
    """
    if any(cell() is not None for cell in cells.values()):
        gc.collect()  # those that are part of cycles
        kept = [found for cell in cells.values() if (found := cell()) is not None]
        if kept:
            raise NotTraceableError(f"'{name}' makes a Cell, '{type(kept[0]).__name__}', and keeps it. Make it before.")


def _to_repeat(attributes: dict) -> tuple:
    """The assignments that outlive a trace: all but assigned containers with tracers, which served the trace alone."""
    kept = []
    for table, name, before, after in attributes.values():
        leaves: list[Any] = []
        flatten(after, leaves)
        if before is not after and not any(isinstance(getattr(leaf, "_v", leaf), Tracer) for leaf in leaves):
            kept.append((table, name, after))
    return tuple(kept)


def _placeholder(aval) -> Any:
    """A value for an input that the jaxpr does not use."""
    return np.zeros(aval.shape, aval.dtype) if aval.size <= 1 else jax.numpy.zeros(aval.shape, aval.dtype)


def _used_variables(jaxpr) -> set:
    used: set[Any] = set()
    for equation in jaxpr.eqns:
        used.update(v for v in equation.invars if not hasattr(v, "val"))
    used.update(v for v in jaxpr.outvars if not hasattr(v, "val"))
    return used
