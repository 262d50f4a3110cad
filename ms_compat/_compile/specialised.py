"""Running a compiled function for one static key, plainly or under a gradient's tape.

A call costs the list of state arrays, the jit's C++ dispatch and one write-back loop. State is read and written under
`scopes.lock`, which a trace holds while Parameters contain tracers.
"""

from __future__ import annotations

import contextlib
import itertools
import operator
import sys
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from ms_compat._compile import first_calls
from ms_compat._compile.analysis.outputs import rebuild_outputs
from ms_compat._compile.control_flow import checks
from ms_compat._compile.fallback import slow_compile
from ms_compat._compile.program import Program
from ms_compat._compile.records import NO_PAIR, Owner, StatePartitionChanged, abstract, signature_of
from ms_compat._core import interrupts, tape
from ms_compat._core.compiled import integer_grad
from ms_compat._core.compiled.compiled_op import conjugated
from ms_compat._core.compiled.interpreter import tier
from ms_compat._core.dispatch import random, shared_storage, written_arguments
from ms_compat._core.errors import IntegerGradientError, UnsupportedError
from ms_compat._core.jax_compat import ArrayImpl, preserve_trace
from ms_compat._core.parallel import processes
from ms_compat._core.tape import INEXACT
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.tree import TENSOR, unflatten
from ms_compat._core.trace import scopes, write_barrier


def _references_of_one_holder() -> int:
    """What `getrefcount` says in `Specialised.call` of an array that only its Tensor holds.

    It is 3 up to CPython 3.13 (the Tensor's dictionary, the local name, the argument); later ones count fewer.
    """
    holder = wrap(object())
    value = holder._v
    return sys.getrefcount(value)


_ALONE = _references_of_one_holder()
_aval = operator.attrgetter("aval")  # JAX keeps one object for each shape and dtype, so that comparing them is cheap


class Specialised(Program):
    """The compiled form of a function for one static key."""

    broken = False

    def __init__(self, owner: Owner, spec: Any, chunked: bool = True):
        super().__init__(owner, spec, chunked)
        self.first_calls = first_calls.FirstCalls(self)

    # -- calling -----------------------------------------------------------------------------------------------------
    def call(self, leaves: list[Any], arguments: Any, callers: list[Any]) -> Any:
        """Run on the leaves' arrays: the hot path of a compiled step.

        Args:
            leaves: the arrays.
            arguments: `(args, kwargs)`, where they stand.
            callers: the caller's Tensors, whose arrays they are.
        """
        # One function, as the arrays that it donates must be held by no frame but this one, and the time between two
        # calls of a step is this function: each branch is one that a program can do without, and costs a test of an
        # attribute.
        if self.input_checks:
            self._check_inputs(leaves)
        with scopes.lock:
            mutated: list[Any] = []
            alone = _ALONE
            plain = self.binds_without_python
            shared: list[int] | None = None
            for t in self.mutated:
                value = t._v
                if sys.getrefcount(value) > alone:  # somebody else holds the array and must keep it
                    if shared is None:
                        shared = []
                    shared.append(len(mutated))
                if t._views is not t._alias:  # both are None, but for a tensor that shares storage
                    plain = False
                mutated.append(value)
            value = None
            read = [t._v for t in self.read]
            pair = random.default_generator.pair(self.draws) if self.draws else NO_PAIR
            box = interrupts.Box()
            run, cut, given = self.jit, None, leaves
            if self.shape_policy.padded is not None:
                run, leaves, cut = self.shape_policy.padded.bind(leaves)
            inputs = (leaves, mutated, read, self.consts, pair)
            try:
                types = tuple(map(_aval, itertools.chain(leaves, mutated, read)))
            except AttributeError:  # numbers and NumPy's arrays
                types = signature_of(abstract([*leaves, *mutated, *read]))
            try:
                if plain and self.seen_types.get(types):
                    if shared:
                        _copy_shared(mutated, shared)
                    if interrupts.in_whole_step():
                        interrupts.begin_change()
                    interrupts.call_and_bind(run, inputs, itertools.chain(self.mutated, (box,)), self.names)
                    [(meta, outputs)] = box.rest.items()
                else:
                    meta, outputs = self._call_held(run, types, inputs, shared, box)
            except StatePartitionChanged:
                del mutated, inputs  # so that nobody else holds the arrays
                return self.call(given, arguments, callers)
        if cut is not None:
            outputs = cut(outputs)
        if meta.checks:
            checks.raise_reported()
        if meta.written:
            outputs = _handed_back(meta.written, callers, outputs)
        spec = meta.spec
        if meta.host_outputs:
            return unflatten(spec, iter(rebuild_outputs(outputs, meta.host_outputs, arguments)))
        if spec is TENSOR:
            return wrap(outputs[0])
        return unflatten(spec, iter([wrap(v) for v in outputs]))

    def _compile_first(self, run: Any, types: tuple, inputs: tuple) -> None:
        """Trace and compile before signals wait; the call then finds what JAX keeps."""
        if types not in self.seen_types:
            with preserve_trace(), slow_compile.warn_if_slow(self.owner.name, self.program):
                run.lower(*inputs).compile()

    def _call_held(
        self, run: Any, types: tuple, inputs: tuple, shared: list[int] | None, box: interrupts.Box
    ) -> tuple[Any, Any]:
        """A call in which Python takes part: NumPy's or JAX's at the first ones with such arguments, JAX's where it
        calls the host; ours where more follows than binding arrays.

        `shared` are the positions of the changed arrays that somebody else holds: a program gets copies to donate.
        """
        interpreted = None
        if types not in self.seen_types and run is self.jit:
            with preserve_trace(), slow_compile.warn_if_slow(self.owner.name, self.program):
                interpreted = self.first_calls.results(types, inputs)
        if interpreted is None:
            if shared:
                _copy_shared(inputs[1], shared)
            self._compile_first(run, types, inputs)
        if interrupts.in_whole_step():
            interrupts.begin_change()
        with interrupts.hold_signals():
            if interpreted is None:
                interrupts.call_and_bind(run, inputs, [*self.mutated, box], self.names)
                [(meta, outputs)] = box.rest.items()
            else:
                meta, outputs, changed = interpreted
                for t, value in zip(self.mutated, changed, strict=True):
                    t._v = value
            self._note_draws(meta.draws)
            shared_storage.propagate(self.mutated)
            if meta.attributes:
                write_barrier.set_attributes(meta.attributes)
            if interpreted is None:
                self.seen_types[types] = not (meta.effects or meta.attributes)
        return meta, outputs

    def call_recorded(self, leaves: list[Any], links: list[Any], arguments: Any, callers: list[Any]) -> Any:
        """Run under a gradient's tape: one node, whose forward returns the residuals of its own pullback.

        Args:
            leaves, arguments, callers: as `call` takes them.
            links: the leaves' nodes, or None.
        """
        # One function, as `call`: one list of outputs holds the values to record, to write back and to return.
        if self.input_checks:
            self._check_inputs(leaves)
        if self.spmd_settings is not None:
            raise UnsupportedError(
                f"The gradient of the compiled function {self.owner.name} over several processes",
                "Compile the whole step, with the gradient in it.",
            )
        with scopes.lock:
            tensors = [*self.mutated, *self.read]
            state_values = [t._v for t in tensors]
            all_links = [*links, *map(tape.node_of_assigned, self.mutated), *map(tape.live_node, self.read)]
            values = [*leaves, *state_values]
            pair = random.default_generator.pair(self.draws)
            mask = tuple(i for i, node in enumerate(all_links) if node is not None and values[i].dtype in INEXACT)
            try:
                forward = self._forward_with_residuals(mask, len(leaves))
                (result, residuals), tree = forward(values, pair)
            except StatePartitionChanged:
                return self.call_recorded(leaves, links, arguments, callers)
            run_back = self._backward(mask, len(leaves), tree, residuals, result)
            self._note_draws(result.meta.draws)
            if self.mutated or result.meta.attributes:
                with interrupts.hold_signals():
                    for t, value in zip(self.mutated, result.changed, strict=True):
                        if not getattr(t, "_is_parameter", False):
                            t._node = None
                        t._v = value
                    shared_storage.propagate(self.mutated)
                    write_barrier.set_attributes(result.meta.attributes)
        if result.meta.checks:
            checks.raise_reported()
        outputs = [wrap(v) for v in result.outputs]
        # changed state is an output of the node, too: an attribute that was assigned carries its gradient on, while a
        # Parameter stays the variable that it is
        slots = [*outputs, *[wrap(t._v) if getattr(t, "_is_parameter", False) else t for t in self.mutated]]
        if mask and slots:
            tape.record_custom_vjp(
                slots,
                [all_links[i] for i in mask],
                self._pullback(mask, len(leaves), residuals, run_back, values, pair, [all_links[i] for i in mask]),
            )
        arrays = result.outputs
        if result.meta.written:
            outputs = _handed_back(result.meta.written, callers, outputs)
            arrays = arrays[: len(outputs)]
        if result.meta.host_outputs:
            taped = {id(t._v): t for t in outputs}
            found = rebuild_outputs(arrays, result.meta.host_outputs, arguments)
            outputs = [taped.get(id(t._v), t) if isinstance(t, Tensor) else t for t in found]
        return unflatten(result.meta.spec, iter(outputs))

    def _check_inputs(self, leaves: list[Any]) -> None:
        """Look at the values of arguments on a CPU, before anything has run; new shapes are traced for that."""
        shapes = tuple([leaf.shape for leaf in leaves])
        found = self.input_checks.get(shapes)
        if found is None and self.shape_policy.padded is not None and self.shape_policy.pads(shapes):
            found = self.shape_policy.padded.traced.meta.input_checks
        if found is None:
            with scopes.lock, contextlib.suppress(StatePartitionChanged):
                self.traced_for(leaves)
            found = self.input_checks.setdefault(shapes, [])
        for at, check in found:
            value = leaves[at] if at < len(leaves) else self.candidates[at - len(leaves)]._v
            if value.__class__ is ArrayImpl and value.platform() == "cpu":
                check(np.asarray(value))

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

                primals = [values[i] for i in mask]
                _, pull, result = jax.vjp(differentiable, *primals, has_aux=True)
                if mask and result.meta.reads_casts:
                    raise IntegerGradientError(
                        f"'{self.owner.name}' computes with integers cast from floats, whose gradient XLA has not."
                    )
                if any([v.dtype != bool and integer_grad.is_integral(v.dtype) for v in result.outputs]):
                    integer_grad.check_outputs(self.owner.name, lambda *diff: differentiable(*diff)[0][0], primals)
                residuals, tree = jax.tree_util.tree_flatten(pull)
                trees[id(result.meta)] = tree
                return result, residuals

            jitted = (
                processes.jit(forward, self.ranks, name=self.owner.name) if self.ranks else first_calls.jit(forward)
            )

            def call(values, pair):
                result, residuals = jitted(values, pair)
                return (result, residuals), trees[id(result.meta)]

            found = self._backwards[key] = call
        return found

    def _backward(self, mask, leaf_count, tree, residuals, result) -> Callable:
        """The jitted pullback `(residuals, cotangents of outputs, of changed state) -> gradients`.

        Where it calls Python of the user's it is traced at once: what cannot be compiled is then known before the call
        has changed anything, and the call is made in Python instead.
        """
        key = ("backward", mask, leaf_count, tree)
        found = self._backwards.get(key)
        if found is None:

            def run(residual_values, outputs_ct, changed_ct):
                pull = jax.tree_util.tree_unflatten(tree, residual_values)
                given = jax.tree.map(conjugated, (outputs_ct, changed_ct))
                return jax.tree.map(conjugated, pull(given))

            found = processes.jit(run, self.ranks, name=self.owner.name) if self.ranks else first_calls.jit(run)
            if result.meta.has_python_vjp and mask and not self.ranks:
                outputs_ct, changed_ct = (
                    [tape.zero_cotangent(v) for v in values] for values in (result.outputs, result.changed)
                )
                found.eval_shape(residuals, outputs_ct, changed_ct)
            self._backwards[key] = found
        return found

    def _pullback(self, mask, leaf_count, residuals, run_back, values, pair, links) -> Callable:
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
            return [wrap(g) for g in run_back(residuals, outputs_ct, changed_ct)]

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


def _handed_back(written: tuple[int, ...], callers: list[Any], outputs: list[Any]) -> list[Any]:
    """The outputs without the values at their end that are written into the caller's Tensors."""
    first = len(outputs) - len(written)
    written_arguments.hand_back([callers[i] for i in written], outputs[first:])
    return outputs[:first]


_copy = tier.jit(lambda a: a.copy(), "copy")


def _copy_shared(arrays: list[Any], positions: list[int]) -> None:
    """Replace the arrays at these positions by copies."""
    for i in positions:
        arrays[i] = _copy(arrays[i])
