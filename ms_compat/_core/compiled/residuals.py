"""Residuals: values of an operation's forward pass that its pullback would compute a second time.

The tape records an operation's inputs, and its pullback computes what else it needs from them. For most operations that
is little, and XLA fuses it with the rest. For a loop, a sort or random bits it costs as much as the forward pass did.

When a backward pass repeats (`tape/programs.py`), a `Plan` is made for each such operation. It names the values that
the pullback needs and that depend on no cotangent. The forward pass is compiled once more, with these values as further
outputs, and the tape records them beside the inputs. Only programs of segments read them. Everything else, such as a
walk, a higher order or hooks on saved tensors, has the inputs, as before.

A plan takes the values with the fewest bytes from which the pullback can compute all others at little cost: a minimum
cut between the costly equations and the equations that read cotangents. They live as long as their operation's record.
"""

from __future__ import annotations

import collections
import math
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import Any, NamedTuple

import jax
import numpy as np

from ms_compat._core.compiled import background
from ms_compat._core.compiled.compiled_op import CompiledOp, has_float_pullback, outputs_and_gradients
from ms_compat._core.compiled.interpreter import tier
from ms_compat._core.jax_compat import bind_equation, float0, jit_with_fallback
from ms_compat._core.products import lowering as products

NOT_READY: Any = object()
_MOST = 4  # times the bytes of an operation's inputs and outputs
_MOST_OF_LOOPS = 16  # the same where a loop would run again; an LSTM of two layers keeps up to 7 times these bytes
UNUSED = 256  # forward passes in a row whose residuals nobody reads, after which none are computed
_PLANS = 16  # of one operation
_NESTED = ("jit", "pjit")
_LOOPS = ("scan", "while")
_COSTLY = frozenset((
    *_LOOPS, "sort", "top_k", "approx_top_k", "fft",
    "cholesky", "eig", "eigh", "hessenberg", "householder_product", "lu", "qr", "schur", "svd", "triangular_solve",
    "tridiagonal", "tridiagonal_solve", "linear_solve", "custom_linear_solve",
    "random_bits", "random_gamma", "rng_bit_generator", "threefry2x32",
))  # fmt: skip
_WORTH = 32  # multiplications of a product or a convolution for each byte of the result: to load it costs less
_LEAST = 1_000_000  # multiplications


class Plan:
    """What one operation keeps for its pullback, for inputs of one signature.

    Args:
        name: of the operation.
        program: its outputs and gradients, as a function of cotangents and inputs.
        residuals: the places of the values that are kept.
        present: the outputs that have a cotangent; None if the operation has one output, not a tuple.
        cotangents: how many inputs of `program` are cotangents.
        gradients: how many outputs of `program`, the last ones, are gradients.

    Attributes:
        count: how many arrays are kept.
        credit: how many more forward passes compute residuals before one of these has been read.
    """

    def __init__(
        self,
        name: str,
        program: _Program,
        residuals: Sequence[int],
        present: tuple[int, ...] | None,
        cotangents: int,
        gradients: int,
    ):
        self.name = name
        self.present = present
        self.count = len(residuals)
        self.credit = UNUSED
        self._program = program
        self._cotangents, self._inputs = program.inputs[:cotangents], program.inputs[cotangents:]
        self._outputs, self._gradients = program.outputs[:-gradients], program.outputs[-gradients:]
        # an output is recorded as it is; as a further output of the program it would be copied
        self._outputs_kept = [self._outputs.index(place) for place in residuals if place in self._outputs]
        self._computed = [place for place in residuals if place not in self._outputs]
        self._residuals = [*self._computed, *[self._outputs[i] for i in self._outputs_kept]]
        self.bytes = sum(map(program.bytes, self._computed))
        self.must_clear_cache = False
        self._refused = True  # the cache of `jax.jit` has an entry without a program
        self._traceable = jax.jit(self._forward)
        self._run = jit_with_fallback(self._forward, self._traceable, self)

    def compile(self, inputs: Sequence[Any]) -> None:
        """Let the forward pass be compiled for these inputs."""
        traced = self._traceable.trace(*inputs)
        self._signature, self._jaxpr = tier.signature_of(inputs, tier.array_on_one_device), traced.jaxpr
        self._job = background.submit(traced, f"{self.name} with residuals")

    def forward(self, inputs: Sequence[Any]) -> tuple[Any, list[Any]] | None:
        """Returns the results of the operation, and the residuals. None if no program is compiled for the inputs."""
        found = self._run(*inputs)
        if found is NOT_READY:
            return None
        self.credit -= 1
        outputs, computed = found[: len(self._outputs)], found[len(self._outputs) :]
        kept = [*computed, *[outputs[i] for i in self._outputs_kept]]
        return (outputs[0] if self.present is None else tuple(outputs)), kept

    def fits(self, present: tuple[int, ...] | None, cotangents: Sequence[Any]) -> bool:
        """Whether the residuals serve for these cotangents."""
        avals = [self._program.avals[place] for place in self._cotangents]
        return self.present == present and all(
            aval.shape == ct.shape and aval.dtype == ct.dtype for aval, ct in zip(avals, cotangents, strict=True)
        )

    def gradients(self, cotangents: Sequence[Any], inputs: Sequence[Any], residuals: Sequence[Any]) -> list[Any]:
        """The gradients, in a trace."""
        given = dict(zip(self._cotangents, cotangents, strict=True))
        given.update(zip(self._inputs, _arrays(inputs), strict=True))
        given.update(zip(self._residuals, residuals, strict=True))
        return self._program.run(given, self._gradients)

    def _forward(self, *inputs: Any) -> tuple:
        given = dict(zip(self._inputs, _arrays(inputs), strict=True))
        return tuple(self._program.run(given, [*self._outputs, *self._computed]))

    def serves(self, inputs: Sequence[Any]) -> bool:
        """Whether it was made for such inputs, under JAX's settings as they are now.

        JAX gives another jaxpr for the same inputs if a setting has changed, such as the precision of products.
        """
        signature = tier.signature_of(inputs, tier.array_on_one_device)
        return signature == self._signature and self._traceable.trace(*inputs).jaxpr is self._jaxpr

    def __call__(self, inputs: Sequence[Any]) -> Any:
        """Called for inputs without a program: None to run it, `NOT_READY` to do without residuals."""
        products.use()
        if not self._job.is_ready() or not self.serves(inputs):
            return NOT_READY
        self.must_clear_cache, self._refused = self._refused, False
        return None


def _arrays(inputs: Sequence[Any]) -> list[Any]:
    return [value for value in inputs if value is not None]


def computed_with(entry: CompiledOp, mask: tuple[int, ...], inputs: Sequence[Any]) -> tuple[Any, Any] | None:
    """An operation's outputs and what a node keeps of it: the plan and its residuals. None without a plan.

    Args:
        entry: the operation, which has plans.
        mask: the inputs that have gradients.
        inputs: all inputs.
    """
    plan = (entry.plans or {}).get(_key(mask, inputs))
    if plan is None or plan.credit <= 0 or (found := plan.forward(inputs)) is None:
        return None
    outputs, kept = found
    return outputs, (plan, kept)


def _key(mask: tuple[int, ...], inputs: Sequence[Any]) -> tuple:
    return (mask, *[getattr(value, "shape", None) for value in inputs])


def plan(
    entry: CompiledOp, mask: tuple[int, ...], present: tuple[int, ...] | None, cotangents: Any, inputs: Sequence[Any]
) -> Plan | None:
    """The plan for an operation, made on first use; None where its pullback computes nothing costly again.

    Its program is compiled in the background, and `computed_with` gives nothing until that is done.

    Args:
        entry: the operation.
        mask: the inputs that have gradients.
        present: the outputs that have a cotangent; None if the operation has one output, not a tuple.
        cotangents: the shapes and dtypes of the cotangents.
        inputs: the inputs, arrays or None.
    """
    key = _key(mask, inputs)
    former = (entry.plans or {}).get(key)
    if former is not None and former.fits(present, cotangents) and former.serves(inputs):
        return former
    pullback: Any = entry.pullback(mask, present).jit
    count = len(cotangents)
    again = _Program(pullback.trace(*cotangents, *inputs).jaxpr)
    costly = [step.eqn for step in again.parted(again.inputs[:count], again.outputs)[0] if _is_costly(step.eqn)]
    if not costly:
        return None
    if not has_float_pullback(entry.fn, entry.name, mask, cotangents, inputs):
        return None

    def both(*args: Any) -> list[Any]:
        outputs, gradients = outputs_and_gradients(entry.fn, mask, present, args[:count], args[count:])
        return [*(outputs if present is not None else (outputs,)), *gradients]

    program = _Program(jax.make_jaxpr(both)(*cotangents, *inputs))
    if program.has_effects:
        return None
    residuals = program.cheapest(program.inputs[:count], program.outputs[-len(mask) :])
    outputs = program.outputs[: -len(mask)]
    computed = sum(program.bytes(place) for place in residuals if place not in outputs)
    most = _MOST_OF_LOOPS if any(eqn.primitive.name in _LOOPS for eqn in costly) else _MOST
    if not residuals or computed > most * sum(map(program.bytes, {*program.inputs[count:], *outputs})):
        return None
    found = Plan(entry.name, program, residuals, present, count, len(mask))
    found.compile(inputs)
    if entry.plans is None or len(entry.plans) >= _PLANS:
        entry.plans = {}
    entry.plans[key] = found
    return found


# -- graphs of equations -----------------------------------------------------------------------------------------------
class _Step(NamedTuple):
    """An equation with the places of its inputs and outputs."""

    eqn: Any
    ins: tuple[int, ...]
    outs: tuple[int, ...]


class _Program:
    """A jaxpr in which each value has a number, its place; functions that are jitted inside of it are written out."""

    def __init__(self, closed: Any):
        self.avals: list[Any] = []
        self.has_effects = bool(closed.jaxpr.effects)
        self._constants: dict[int, Any] = {}
        self._steps: list[_Step] = []
        self.inputs = [self._new(var.aval) for var in closed.jaxpr.invars]
        self.outputs = self._add(closed.jaxpr, closed.consts, self.inputs)

    def _new(self, aval: Any) -> int:
        self.avals.append(aval)
        return len(self.avals) - 1

    def _constant(self, aval: Any, value: Any) -> int:
        place = self._new(aval)
        self._constants[place] = value
        return place

    def _add(self, jaxpr: Any, consts: Sequence[Any], inputs: Sequence[int]) -> list[int]:
        places = dict(zip(jaxpr.invars, inputs, strict=True))
        for var, value in zip(jaxpr.constvars, consts, strict=True):
            places[var] = self._constant(var.aval, value)

        def place_of(atom: Any) -> int:
            return self._constant(atom.aval, atom.val) if hasattr(atom, "val") else places[atom]

        for eqn in jaxpr.eqns:
            ins = [place_of(atom) for atom in eqn.invars]
            if eqn.primitive.name in _NESTED:
                inner = eqn.params["jaxpr"]
                outs = self._add(inner.jaxpr, inner.consts, ins)
            else:
                outs = [self._new(var.aval) for var in eqn.outvars]
                self._steps.append(_Step(eqn, tuple(ins), tuple(outs)))
            places.update(zip(eqn.outvars, outs, strict=True))
        return [place_of(atom) for atom in jaxpr.outvars]

    def bytes(self, place: int) -> int:
        """Of the value there."""
        aval = self.avals[place]
        return math.prod(aval.shape) * np.dtype(aval.dtype).itemsize if _can_be_kept(aval) else 0

    def run(self, given: dict[int, Any], wanted: Sequence[int]) -> list[Any]:
        """The values of some places, from those that are given. Evaluates what is needed for them, in a trace."""
        values = {**self._constants, **given}
        for step in self._needed(wanted, given.keys()):
            outs = bind_equation(step.eqn, [values[place] for place in step.ins], step.eqn.params)
            for place, out in zip(step.outs, outs, strict=True):
                values.setdefault(place, out)
        return [values[place] for place in wanted]

    def _needed(self, wanted: Sequence[int], given: Set[int]) -> list[_Step]:
        """The equations that compute some places from others."""
        missing = set(wanted) - given
        needed = []
        for step in reversed(self._steps):
            if not missing.isdisjoint(step.outs):
                needed.append(step)
                missing.update(place for place in step.ins if place not in given)
        return needed[::-1]

    def parted(self, cotangents: Sequence[int], gradients: Sequence[int]) -> tuple[list[_Step], set[int]]:
        """The steps for the gradients that depend on no cotangent, and the places that others read of them."""
        unknown = set(cotangents)
        known: list[_Step] = []
        read: set[int] = set(gradients)
        for step in self._needed(gradients, frozenset()):
            if unknown.isdisjoint(step.ins):
                known.append(step)
            else:
                unknown.update(step.outs)
                read.update(step.ins)
        return known, read - unknown

    def cheapest(self, cotangents: Sequence[int], gradients: Sequence[int]) -> list[int]:
        """The places with the fewest bytes such that nothing costly has to run again for the gradients.

        Among sets of equal bytes it is the one nearest to the gradients, from which least has to be computed.
        """
        known, read = self.parted(cotangents, gradients)
        capacities: dict[tuple[int, int], float] = {}
        source, sink = -1, -2
        behind: set[int] = set()  # places that need a costly equation
        for step in known:
            costly = _is_costly(step.eqn)
            before = [place for place in step.ins if place in behind]
            if not costly and not before:
                continue
            for place in step.outs:
                behind.add(place)
                # An output of the operation is there anyway, and most of the time the next operation records it.
                size = 1 if place in self.outputs else max(1, self.bytes(place))
                capacities[2 * place, 2 * place + 1] = size if _can_be_kept(self.avals[place]) else math.inf
                if costly:
                    capacities[source, 2 * place] = math.inf
                else:
                    capacities.update(((2 * other + 1, 2 * place), math.inf) for other in before)
                if place in read:
                    capacities[2 * place + 1, sink] = math.inf
        cut = _minimum_cut(capacities, source, sink)
        return sorted(start // 2 for start, _ in cut)


def _can_be_kept(aval: Any) -> bool:
    """Whether a value is an array of numbers. Keys of random numbers and tokens are not."""
    dtype = getattr(aval, "dtype", None)
    return isinstance(dtype, np.dtype) and dtype != float0 and all(type(n) is int for n in aval.shape)


def _is_costly(eqn: Any) -> bool:
    """Whether it costs less to keep what an equation gives than to compute it again."""
    name = eqn.primitive.name
    if name in _COSTLY:
        return True
    if name in ("dot_general", "conv_general_dilated"):
        out, (left, right) = eqn.outvars[0].aval, [atom.aval for atom in eqn.invars]
        if not _can_be_kept(out):
            return False
        numbers = eqn.params["dimension_numbers"]
        if name == "dot_general":
            each = math.prod(left.shape[axis] for axis in numbers[0][0])
        else:
            each = math.prod(right.shape) // max(1, right.shape[numbers.rhs_spec[0]])
        size = math.prod(out.shape)
        return size * each >= _LEAST and each >= _WORTH * out.dtype.itemsize
    return any(_is_costly(inner) for jaxpr in _inner(eqn) for inner in jaxpr.eqns)


def _inner(eqn: Any) -> Iterator[Any]:
    """The jaxprs among the parameters of an equation."""
    for value in eqn.params.values():
        for held in value if isinstance(value, (tuple, list)) else (value,):
            if hasattr(found := getattr(held, "jaxpr", held), "eqns"):
                yield found


_Edge = tuple[int, int]


def _minimum_cut(capacities: dict[_Edge, float], source: int, sink: int) -> list[_Edge]:
    """The edges of the cheapest cut between two nodes, of equal ones that nearest to the sink.

    Flows are added along shortest paths (Edmonds and Karp 1972). SciPy has this, too, but its import takes 0.3 s of a
    training step, and the graphs have some hundred nodes.

    Returns:
        The edges. The list is empty if no path leads from the source to the sink, or if every cut has an edge of
        infinite capacity.
    """
    left: dict[int, dict[int, float]] = {source: {}, sink: {}}  # what may still flow from a node to its neighbours
    for (start, end), size in capacities.items():
        left.setdefault(start, {}).setdefault(end, 0.0)
        left.setdefault(end, {}).setdefault(start, 0.0)
        left[start][end] += size
    flows = False
    while sink in (reached := _reached(source, lambda node: [end for end, size in left[node].items() if size > 0])):
        path, end = [], sink
        while end != source:
            path.append((reached[end], end))
            end = reached[end]
        flow = min(left[start][end] for start, end in path)
        if flow == math.inf:
            return []
        for start, end in path:
            left[start][end] -= flow
            left[end][start] += flow
        flows = True
    reaching = _reached(sink, lambda node: [start for start in left[node] if left[start][node] > 0])
    return [edge for edge in capacities if flows and edge[0] not in reaching and edge[1] in reaching]


def _reached(start: int, neighbours: Callable[[int], Iterable[int]]) -> dict[int, int]:
    """The nodes that paths from a node reach, nearest ones first, each with the node before it."""
    found = {start: start}
    waiting = collections.deque([start])
    while waiting:
        node = waiting.popleft()
        for neighbour in neighbours(node):
            if neighbour not in found:
                found[neighbour] = node
                waiting.append(neighbour)
    return found
