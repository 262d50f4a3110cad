"""A compiled function: one kept `jax.jit` per static key, called as `compiled(leaves, mutated, read, random pair)`.

The first call with a static key traces the user's Python once, with tracers in the Parameters it may touch (those of
its Cell, and those found in its closure), and learns from the jaxpr which of them are read and which are changed. The
kept jit replays that jaxpr, so the Python is not run again for lowering: changed Parameters are donated and come back
as outputs, read ones are inputs, all others are not passed at all. Parameters that a closure hides are noticed while
tracing and cost one more trace. A collective asks for a trace over its processes (`processes.py`): the function is then
one program of all of them, each with its own arguments and state. A call with other shapes traces again; each trace is
counted in `traces` and explained on request (`explain.py`).

A call costs: one key over the arguments, one list of state arrays, the jit's C++ dispatch, one write-back loop. State
is read and written under `state.lock`, which a trace holds while Parameters contain tracers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from ms_compat._compile import control_flow, explain, inspection
from ms_compat._compile.control_flow import checks
from ms_compat._compile.signature import LEAF, arrays_of, build, split, wrap_leaves
from ms_compat._core import alias, flat, processes, random, state, tape
from ms_compat._core.jax_compat import CONCRETIZATION_ERRORS, ArrayImpl, Tracer, closed_jaxpr, jaxpr_as_fun
from ms_compat._core.tape import INEXACT
from ms_compat._core.tensor import Tensor, wrap

_NO_PAIR = np.zeros(2, np.uint32)
# Closed-over arrays up to this size are folded into the program; larger ones (masks, tables) are passed as arguments.
_FOLD_BYTES = 1024


@jax.tree_util.register_pytree_node_class
class Result:
    """What the jitted function returns: output arrays with their spec, the changed state, and how many random draws.

    The spec travels in the tree's structure, so each cached executable brings its own.
    """

    __slots__ = ("changed", "meta", "outputs")

    def __init__(self, outputs, changed, meta):
        self.outputs = outputs
        self.changed = changed
        self.meta = meta

    def tree_flatten(self):
        return (self.outputs, self.changed), self.meta

    @classmethod
    def tree_unflatten(cls, meta, children):
        return cls(children[0], children[1], meta)


class Meta:
    """Static facts of one trace: the outputs' spec, the number of random draws, and whether it checks anything at run
    time. `attributes` are the plain attributes that the Python assigned, which each call does again. Compared by
    identity."""

    __slots__ = ("attributes", "checks", "draws", "spec")

    def __init__(self, spec, draws, checks, attributes):
        self.spec = spec
        self.draws = draws
        self.checks = checks
        self.attributes = attributes


class Traced:
    """One run of the user's Python under a trace, as a jaxpr with named inputs."""

    __slots__ = ("changed", "closed", "large_consts", "meta", "output_count", "used")

    def __init__(self, closed, meta, changed, used):
        self.closed = closed
        self.meta = meta
        self.output_count = len(closed.jaxpr.outvars) - len(changed)
        self.changed = changed
        self.used = used
        self.large_consts = [c for c in closed.consts if getattr(c, "nbytes", 0) > _FOLD_BYTES]


class _MoreState(Exception):  # noqa: N818  (control flow, not an error)
    """The trace met Parameters (or written Tensors) that were not among its state."""

    def __init__(self, tensors):
        self.tensors = tensors


def _signature(values) -> tuple:
    return tuple([(v.shape, v.dtype, getattr(v, "weak_type", False)) for v in values])


def abstract(values) -> list[jax.ShapeDtypeStruct]:
    """The shapes and dtypes of arrays and numbers."""
    return [
        jax.ShapeDtypeStruct(np.shape(v), v.dtype, weak_type=getattr(v, "weak_type", False))
        if hasattr(v, "dtype")
        else jax.ShapeDtypeStruct((), np.result_type(type(v)), weak_type=True)
        for v in values
    ]


class Specialised:
    """The compiled form for one static key.

    Where Parameters live in a chunk (`flat.py`) the chunk is the state; under a tape, which knows Parameters only,
    another form with `chunked` False serves.
    """

    def __init__(self, owner: CompiledFunction, spec: Any, chunked: bool = True):
        self.owner = owner
        self.chunked = chunked
        self.spec = spec
        self.candidates: list[Tensor] = []
        self.mutated: list[Tensor] = []
        self.read: list[Tensor] = []
        self.consts: list[Any] = []
        self.jit: Any = None
        self.draws = 0
        self.ranks: tuple[int, ...] = ()  # of the processes that compute it together, where it has collectives
        self._jit_ranks: tuple[int, ...] = ()
        self._traced: dict[tuple, Traced] = {}
        self._backwards: dict[Any, Any] = {}

    # -- tracing -----------------------------------------------------------------------------------------------------
    def prepare(self, leaves: list[Any]) -> None:
        """Trace once with all candidates as state and build the kept jit around what is really used."""
        self.candidates = self._storages(self.owner.candidate_state(self.spec))
        avals = abstract(leaves)
        traced = self.discover(avals)
        self._partition(traced)
        self._traced[self._key(avals)] = traced
        if inspection.saving():
            state_avals = [abstract([t._v for t in tensors]) for tensors in (self.mutated, self.read)]
            lowered = self.jit.lower(avals, *state_avals, self.consts, _NO_PAIR)
            inspection.save_text(self.owner.name, "jaxpr", str(traced.closed))
            inspection.save_text(self.owner.name, "hlo", lowered.as_text(dialect="hlo"))

    def lower(self, leaves: list[Any]) -> Any:
        """The kept jit, lowered for these leaves and the present state."""
        mutated, read = [t._v for t in self.mutated], [t._v for t in self.read]
        return self.jit.lower(leaves, mutated, read, self.consts, _NO_PAIR)

    def program(self) -> str:
        """The jaxpr of the last trace as text."""
        return str(list(self._traced.values())[-1].closed)

    def _storages(self, tensors: list[Any]) -> list[Any]:
        return flat.storages(tensors) if self.chunked else tensors

    def has_chunks(self) -> bool:
        """Whether chunks are among the state."""
        return any(isinstance(t, flat.Chunk) for t in (*self.read, *self.mutated))

    def _key(self, leaves: list[Any]) -> tuple:
        return _signature((*leaves, *abstract([t._v for t in (*self.mutated, *self.read)])))

    def _partition(self, traced: Traced) -> None:
        changed = set(traced.changed) | {self._position(t) for t in self.mutated}
        used = set(traced.used) | {self._position(t) for t in self.read}
        self.mutated = [self.candidates[i] for i in sorted(changed)]
        self.read = [self.candidates[i] for i in sorted(used - changed)]
        held = {id(c) for c in self.consts}
        self.consts.extend(c for c in traced.large_consts if id(c) not in held)
        self.draws = traced.meta.draws
        self.jit = processes.jit(self._body, self.ranks, donate_argnums=(1,))
        if self._jit_ranks != self.ranks:
            self._jit_ranks = self.ranks
            self._backwards.clear()

    def _position(self, tensor) -> int:
        return next(i for i, t in enumerate(self.candidates) if t is tensor)

    def discover(self, leaves: list[jax.ShapeDtypeStruct]) -> Traced:
        """Trace, as often as it takes to know the state and to rewrite control flow on Tensors."""
        for _ in range(5):
            try:
                return self._trace(leaves)
            except _MoreState as more:
                self.candidates = self._storages([*self.candidates, *more.tensors])
            except processes.NeedsProcesses as needs:
                self.ranks = needs.ranks
            except CONCRETIZATION_ERRORS as error:
                if self.owner.rewritten:
                    raise control_flow.explain(error, self.owner.name) from None
                self.owner.rewritten = True  # Python asked a traced tensor for its value: rewrite control flow
        raise RuntimeError(f"{self.owner.name}: the Parameters it uses change from trace to trace.")

    def _trace(self, leaves: list[jax.ShapeDtypeStruct]) -> Traced:
        candidates = self.candidates
        found: dict[str, Any] = {}

        def body(leaf_values, state_values, pair):
            with state.TraceScope() as scope:
                found["attributes"] = scope.attributes
                scope.rng = random.TraceStream(pair)
                scope.swap(candidates, state_values)
                out = self.owner.run_traced(self.spec, wrap_leaves(leaf_values), scope)
                outputs: list[Any] = []
                spec = split(out, outputs)
                changed = self._storages(scope.changed())
                known = {id(t) for t in candidates}
                more = [t for t in (*scope.reads.values(), *changed) if id(t) not in known]
                if more:
                    raise _MoreState(list({id(t): t for t in more}.values()))
                at = {id(t): i for i, t in enumerate(candidates)}
                found["changed"] = sorted(at[id(t)] for t in changed)
                found["meta"] = Meta(spec, scope.rng.draws, scope.checks, _to_repeat(scope.attributes))
                return arrays_of(outputs), [candidates[i]._v for i in found["changed"]]

        arrays = [t._v for t in candidates]
        self.owner.traces += 1
        try:
            with processes.bound(self.ranks):
                make = jax.make_jaxpr(body, axis_env=processes.axis_env(self.ranks))
                closed = make(leaves, abstract(arrays), jax.ShapeDtypeStruct((2,), np.uint32))
        finally:
            state.set_attributes([(a, name, before) for a, name, before, _ in found["attributes"].values()])
        jaxpr = closed.jaxpr
        used_vars = _used_variables(jaxpr)
        first = len(leaves)
        used = [i for i in range(len(candidates)) if jaxpr.invars[first + i] in used_vars]
        traced = Traced(closed, found["meta"], found["changed"], used)
        return traced

    def _body(self, leaves, mutated, read, consts, pair):
        """What the kept jit traces: replay the jaxpr of this signature; a new signature traces the user's Python."""
        key = _signature((*leaves, *mutated, *read))
        traced = self._traced.get(key)
        if traced is None:
            traced = self.discover(abstract(leaves))
            if not self._fits(traced):
                self._partition(traced)
                self._traced[self._key(leaves)] = traced
                raise _Repartitioned
            self._traced[key] = traced
        closed = traced.closed
        if traced.large_consts:
            passed = {id(c): v for c, v in zip(self.consts, consts, strict=True)}
            closed = closed_jaxpr(closed.jaxpr, [passed.get(id(c), c) for c in closed.consts])
        values = {id(t): v for t, v in zip(self.mutated, mutated, strict=True)}
        values.update({id(t): v for t, v in zip(self.read, read, strict=True)})
        full = [
            values[id(t)] if id(t) in values else _placeholder(var.aval)
            for t, var in zip(self.candidates, closed.jaxpr.invars[len(leaves) : -1], strict=True)
        ]
        values_out = jaxpr_as_fun(closed)(*leaves, *full, pair)
        outputs, changed = values_out[: traced.output_count], values_out[traced.output_count :]
        new = {id(self.candidates[i]): v for i, v in zip(traced.changed, changed, strict=True)}
        return Result(
            list(outputs), [new.get(id(t), v) for t, v in zip(self.mutated, mutated, strict=True)], traced.meta
        )

    def _fits(self, traced: Traced) -> bool:
        """Whether the kept jit's inputs and outputs serve this trace, too."""
        mutated = {id(t) for t in self.mutated}
        known = mutated | {id(t) for t in self.read}
        return (
            self._jit_ranks == self.ranks
            and mutated.issuperset(id(self.candidates[i]) for i in traced.changed)
            and known.issuperset(id(self.candidates[i]) for i in traced.used)
            and {id(c) for c in self.consts}.issuperset(id(c) for c in traced.large_consts)
        )

    # -- calling -----------------------------------------------------------------------------------------------------
    def call(self, leaves: list[Any]) -> Any:
        """Run on the leaves' arrays: the hot path of a compiled step."""
        with state.lock:
            mutated = []
            for t in self.mutated:
                value = t._v
                # t.__dict__, `value` and getrefcount's argument: anybody else who holds the array must keep it
                if sys.getrefcount(value) > 3:
                    value = _copy(value)
                mutated.append(value)
            value = None
            read = [t._v for t in self.read]
            pair = random.default_generator.pair(self.draws) if self.draws else _NO_PAIR
            try:
                result = self.jit(leaves, mutated, read, self.consts, pair)
            except _Repartitioned:
                return self.call(leaves)
            shared = None
            for t, value in zip(self.mutated, result.changed):  # noqa: B905  (equal by construction; hot)
                t._v = value
                if t._views is not t._alias:  # both are None, but for a tensor that shares storage
                    shared = True
            if result.meta.draws != self.draws:
                random.default_generator.take(result.meta.draws - self.draws)
                self.draws = result.meta.draws
        if shared:
            alias.propagate(self.mutated)
        if result.meta.attributes:
            state.set_attributes(result.meta.attributes)
        if result.meta.checks:
            checks.raise_reported()
        spec = result.meta.spec
        outputs = result.outputs
        if spec is LEAF:
            return wrap(outputs[0])
        return build(spec, iter([wrap(v) for v in outputs]))

    def call_recorded(self, leaves: list[Any], links: list[Any]) -> Any:
        """Run under a gradient's tape: one node, whose forward returns the residuals of its own pullback."""
        with state.lock:
            tensors = [*self.mutated, *self.read]
            state_values = [t._v for t in tensors]
            all_links = [*links, *map(tape.node_of_assigned, self.mutated), *map(tape.live_node, self.read)]
            values = [*leaves, *state_values]
            pair = random.default_generator.pair(self.draws)
            mask = tuple(i for i, node in enumerate(all_links) if node is not None and values[i].dtype in INEXACT)
            try:
                forward = self._forward_with_residuals(mask, len(leaves))
                (result, residuals), tree = forward(values, pair)
            except _Repartitioned:
                return self.call_recorded(leaves, links)
            for t, value in zip(self.mutated, result.changed, strict=True):
                t._v = value
                t._node = None
            alias.propagate(self.mutated)
            self._note_draws(result.meta.draws)
        if result.meta.attributes:
            state.set_attributes(result.meta.attributes)
        outputs = [wrap(v) for v in result.outputs]
        # changed state is an output of the node, too: a Parameter that was assigned carries its gradient on
        slots = [*outputs, *self.mutated]
        if mask and slots:
            tape.record_custom(
                slots,
                [all_links[i] for i in mask],
                self._pullback(mask, len(leaves), residuals, tree, values, pair, [all_links[i] for i in mask]),
            )
        return build(result.meta.spec, iter(outputs))

    def _note_draws(self, draws: int) -> None:
        if draws != self.draws:
            random.default_generator.take(draws - self.draws)
            self.draws = draws

    def _flat_function(self, leaf_count: int) -> Callable:
        mutated_count = len(self.mutated)

        def flattened(values, pair):
            leaves = list(values[:leaf_count])
            mutated = list(values[leaf_count : leaf_count + mutated_count])
            return self._body(leaves, mutated, list(values[leaf_count + mutated_count :]), self.consts, pair)

        return flattened

    def _forward_with_residuals(self, mask, leaf_count) -> Callable:
        key = ("forward", mask, leaf_count, len(self.mutated))
        found = self._backwards.get(key)
        if found is None:
            flattened = self._flat_function(leaf_count)
            trees: dict[Any, Any] = {}

            def forward(values, pair):
                def differentiable(*diff):
                    full = list(values)
                    for i, v in zip(mask, diff, strict=True):
                        full[i] = v
                    result = flattened(full, pair)
                    return (result.outputs, result.changed), result

                _, pull, result = jax.vjp(differentiable, *(values[i] for i in mask), has_aux=True)
                residuals, tree = jax.tree_util.tree_flatten(pull)
                trees[id(result.meta)] = tree
                return result, residuals

            jitted = processes.jit(forward, self.ranks)

            def call(values, pair):
                result, residuals = jitted(values, pair)
                return (result, residuals), trees[id(result.meta)]

            found = self._backwards[key] = call
        return found

    def _pullback(self, mask, leaf_count, residuals, tree, values, pair, links) -> Callable:
        key = ("backward", mask, leaf_count, tree)
        found = self._backwards.get(key)
        if found is None:

            def run(residual_values, outputs_ct, changed_ct):
                pull = jax.tree_util.tree_unflatten(tree, residual_values)
                return pull((outputs_ct, changed_ct))

            found = self._backwards[key] = processes.jit(run, self.ranks)
        avals = None

        def pull(*cts):
            nonlocal avals
            if tape.recording():
                return self._pull_recorded(mask, leaf_count, values, pair, links, cts)
            if avals is None:
                shapes = processes.eval_shape(self._flat_function(leaf_count), self.ranks, values, pair)
                avals = [*shapes.outputs, *shapes.changed]
            filled = [tape.zero_cotangent(a) if ct is None else ct._v for ct, a in zip(cts, avals, strict=True)]
            outputs_ct, changed_ct = (
                filled[: len(filled) - len(self.mutated)],
                filled[len(filled) - len(self.mutated) :],
            )
            return [wrap(g) for g in found(residuals, outputs_ct, changed_ct)]

        return pull

    def _pull_recorded(self, mask, leaf_count, values, pair, links, cts):
        """The pullback as a recorded operation, for higher orders: recomputes the forward inside it."""
        flattened = self._flat_function(leaf_count)
        key = ("entry", leaf_count, len(self.mutated))
        entry = self._backwards.get(key)
        if entry is None:

            def fn(*args):
                result = flattened(args[:-1], args[-1])
                return (*result.outputs, *result.changed)

            entry = self._backwards[key] = processes.entry(fn, self.owner.name, self.ranks)
        present = tuple(i for i, ct in enumerate(cts) if ct is not None)
        given = [cts[i] for i in present]
        all_links: list[Any] = [None] * (len(values) + 1)
        for i, node in zip(mask, links, strict=True):
            all_links[i] = node
        return tape.run(
            entry.pullback(mask, present),
            [*[ct._v for ct in given], *values, pair],
            [*[ct._node for ct in given], *all_links],
        )


class _Repartitioned(Exception):  # noqa: N818  (control flow, not an error)
    """Another signature changes or reads other Parameters; the kept jit was rebuilt."""


_copy = jax.jit(lambda a: a.copy())


def _to_repeat(attributes: dict) -> tuple:
    """The assignments that outlive a trace: all but those of containers with tracers, which served the trace alone."""
    kept = []
    for table, name, before, after in attributes.values():
        leaves: list[Any] = []
        split(after, leaves)
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


class CompiledFunction:
    """A function or a Cell's `construct`, compiled once per static key; see the module's docstring.

    Args:
        fn: the Python function to trace.
        cell: the Cell whose Parameters and flags belong to it, or None.
        name: how explanations and saved graphs call it.
    """

    def __init__(self, fn: Callable, cell: Any = None, name: str | None = None):
        self.fn = fn
        self.cell = cell
        self.name: str = name or getattr(fn, "__qualname__", "") or type(fn).__name__
        self.traces = 0
        self.rewritten = False
        self._specialised: dict[Any, Specialised] = {}
        self._version = -1
        self._static: Any = None

    def candidate_state(self, spec: Any) -> list[Tensor]:
        """The Parameters that the function is known to be able to reach."""
        return inspection.reachable_parameters(self.fn, self.cell, spec)

    def reachable(self) -> list[Any]:
        """What a trace of this function can touch, for functions that call it."""
        return [self.fn] if self.cell is None else [self.cell, self.fn]

    def run_traced(self, spec: Any, leaves: list[Tensor], scope: state.TraceScope) -> Any:
        """Run the user's Python with tracers in place."""
        for leaf in leaves:
            scope.created[id(leaf)] = leaf
        scope.convert = self.rewritten
        args, kwargs = build(spec, iter(leaves))
        with control_flow.prints_at_run_time():
            return control_flow.converted(self.fn)(*args, **kwargs)

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Trace and compile for such arguments without running: no state changes, no random number is drawn."""
        tensors: list[Any] = []
        spec = split((args, kwargs), tensors)
        self._refresh()
        key = (self._static, spec)
        leaves = arrays_of(tensors)
        with state.lock:
            specialised = self._specialised.get(key)
            if specialised is None:
                specialised = Specialised(self, spec)
                specialised.prepare(leaves)
                self._refresh()
                self._specialised[self._static, spec] = specialised
            while True:
                try:
                    # the call finds what this lowers and compiles: JAX keeps both per jit and signature
                    specialised.lower(leaves).compile()
                    return
                except _Repartitioned:
                    continue

    def program(self) -> str | None:
        """The jaxpr of the last program that was traced, as text; None without one."""
        for specialised in reversed(self._specialised.values()):
            return specialised.program()
        return None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if state.tracing and state.current_scope() is not None:
            return self.fn(*args, **kwargs)
        tensors: list[Any] = []
        parts = []
        for a in args:
            if a.__class__ is Tensor:
                tensors.append(a)
                parts.append(LEAF)
            else:
                parts.append(split(a, tensors))
        spec = (
            "tuple",
            (
                ("tuple", tuple(parts)),
                ("dict", tuple([(k, split(kwargs[k], tensors)) for k in sorted(kwargs)]) if kwargs else ()),
            ),
        )
        if self._version != state.structure_version:
            self._refresh()
        key = (self._static, spec)
        specialised = self._specialised.get(key)
        leaves = []
        recorded = False
        for t in tensors:
            v = t._v if t.__class__ is Tensor else t._v if isinstance(t, Tensor) else t
            if v.__class__ is not ArrayImpl and isinstance(v, Tracer):
                return self.fn(*args, **kwargs)
            if getattr(t, "_node", None) is not None:
                recorded = True
            leaves.append(v)
        traces = self.traces
        if specialised is None:
            with state.lock:
                specialised = self._specialised.get(key)
                if specialised is None:
                    specialised = Specialised(self, spec)
                    specialised.prepare(leaves)
                    if self._version != state.structure_version:  # the trace found attributes that belong to the key
                        self._refresh()
                        key = (self._static, spec)
                    self._specialised[key] = specialised
        if not recorded:
            recorded = tape.recording() and any(t._node is not None for t in specialised.read + specialised.mutated)
        if recorded and not tape.paused():
            if specialised.has_chunks():
                specialised = self._for_tape(key, spec, leaves)
            out = specialised.call_recorded(leaves, [tape.live_node(t) for t in tensors])
        else:
            out = specialised.call(leaves)
        if self.traces != traces and explain.enabled():
            explain.report(self, key, leaves)
        return out

    def _for_tape(self, key: Any, spec: Any, leaves: list[Any]) -> Specialised:
        """The form whose state are the Parameters themselves."""
        key = ("tape", *key)
        with state.lock:
            specialised = self._specialised.get(key)
            if specialised is None:
                specialised = Specialised(self, spec, chunked=False)
                specialised.prepare(leaves)
                self._specialised[key] = specialised
        return specialised

    def _refresh(self) -> None:
        version = state.structure_version
        self._static = inspection.static_key(self.fn, self.cell)
        self._version = version
