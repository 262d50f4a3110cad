"""Backward passes that repeat, each as a few compiled programs.

A training loop records the same tape at each step. What repeats is a segment: operations that follow each other on
the tape, each with the same compiled operation, the same inputs that have gradients, and the same links to others. A
segment that has been passed `_BEFORE_COMPILING` times with arrays of the same shapes and dtypes is traced, one
operation after another in as many steps as the allowance needs, compiled in the background
(`compiled/background.py`), and replaces the walk from then on. It computes what the walk computes, in the walk's order;
XLA may fuse operations, so that results differ in their last bits.

Where the user's Python takes part, the walk stays: a segment contains no node with a hook, with a rule in Python, or
with inputs that are packed, and it ends at such a node. Walks that an outer session records, and walks of nested
sessions, are never replaced.

A pullback computes what it needs of the forward pass from the operation's inputs. Where that is costly, operations keep
residuals once their segment has repeated (`compiled/residuals.py`), and another program of the segment reads them.

Segments are short, because a program holds the arrays of all its operations until it ends, where the walk drops an
operation's arrays after it, and because the end of the process waits for a program that is being compiled.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import jax

from ms_compat._core import interrupts
from ms_compat._core.compiled import background, residuals
from ms_compat._core.compiled.compiled_op import CompiledOp
from ms_compat._core.compiled.interpreter import tier
from ms_compat._core.compiled.nodes import Leaf, Node, Operation, SeveralOutputs
from ms_compat._core.jax_compat import is_eager, jit_with_fallback, preserve_trace
from ms_compat._core.products import lowering as products
from ms_compat._core.settings import device

_LONGEST = 64  # nodes of a segment
_SHORTEST = 2
_BEFORE_COMPILING = 4  # walks
_SEGMENTS = 256  # that are remembered
_PARTS = 1024  # the most entries of `_parts`
_ALIKE = 4  # parts with one end
_SIGNATURES = 64  # of one segment
_VARIANTS = 16  # programs of one segment that read residuals of different plans
_PART = 0.02  # of an accelerator's memory, for the arrays of a segment; launching kernels for larger ones costs little
_USUAL_MEMORY = 1 << 34  # bytes of an accelerator that does not say how many it has
_PLAIN = (list, tuple)  # inputs that are not packed
_NOT_READY = object()
_BEING_COMPILED = object()
_TRACED = object()

_segments: dict[tuple, _Segment] = {}
_Kept = tuple[tuple[int, residuals.Plan], ...]
_Pulled = dict[int, tuple[tuple[int, ...] | None, list[Any]]]  # by lines: outputs with cotangents, and these' types


def is_on() -> bool:
    """Whether backward passes may run as programs."""
    return background.is_on() and tier.bits_may_change() and is_eager()


class _Line(NamedTuple):
    """A node of a segment. Places number the nodes that gather cotangents, in and before the segment.

    Attributes:
        kind: its class.
        entry: the compiled operation.
        mask: the inputs that have gradients.
        targets: the places that get these gradients.
        first: the place of its first output.
        end: the place after its last output.
        inputs: the number of its inputs.
    """

    kind: type
    entry: CompiledOp
    mask: tuple[int, ...]
    targets: tuple[int, ...]
    first: int
    end: int
    inputs: int


class _Segment:
    """A part of a tape that repeats, as a function of arrays.

    Args:
        lines: the operations, in the order of the tape.
        given: the places that have a cotangent before.
        kept: the plans whose residuals it reads, by the numbers of their lines. The residuals are its last arguments.

    Attributes:
        results: the places that have a cotangent afterwards, once it has been traced.
        plans: those that were made for its operations.
    """

    def __init__(self, lines: list[_Line], given: tuple[int, ...], kept: _Kept = ()):
        self.lines = lines
        self.given = given
        self.kept = dict(kept)
        self.results: tuple[int, ...] = ()
        self.plans: set[residuals.Plan] = set()
        self.variants: dict[_Kept, _Segment] = {}
        self.must_clear_cache = False
        self.signatures: dict[tuple, _Walks] = {}
        self._pulled: _Pulled = {}  # in the latest trace
        self.traceable = jax.jit(self._gradients)
        self.jit = jit_with_fallback(self._gradients, self.traceable, self)

    def _gradients(self, *args: Any) -> tuple:
        """The cotangents after the walk, of the cotangents before it and the operations' inputs."""

        def pull(number: int, outs: Any, cts: list[Any], ins: Sequence[Any], values: Sequence[Any]) -> Sequence[Any]:
            self._pulled[number] = outs, [jax.typeof(ct) for ct in cts]
            plan = self.kept.get(number)
            if plan is not None and plan.fits(outs, cts):
                return plan.gradients(cts, ins, values)
            line = self.lines[number]
            return line.entry.pullback(line.mask, outs).jit(*cts, *ins)

        cotangents = dict(zip(self.given, args, strict=False))
        for _ in self._walk(cotangents, args, pull, operator.add):
            pass
        self.results = tuple(cotangents)
        return tuple(cotangents.values())

    def _traces(self, args: Sequence[Any]) -> Iterator[None]:
        """Trace one pullback after another. JAX keeps their traces, so that the segment's own takes little time.

        A pullback takes some milliseconds to trace, and 64 of them longer than a step of a small network.

        Args:
            args: the segment's arguments.
        """

        def pull(number: int, outs: Any, cts: list[Any], ins: Sequence[Any], values: Sequence[Any]) -> Sequence[Any]:
            line = self.lines[number]
            if number in self.kept:
                return [ins[i] for i in line.mask]
            return jax.eval_shape(line.entry.pullback(line.mask, outs).jit, *cts, *ins)

        args = [_type_of(a) for a in args]
        return self._walk(dict(zip(self.given, args, strict=False)), args, pull, lambda former, grad: former)

    def _walk(self, cotangents: dict[int, Any], args: Sequence[Any], pull: Callable, add: Callable) -> Iterator[None]:
        """Go over the operations backwards, and stop after each.

        Args:
            cotangents: those before the walk, by their places. They are replaced by those after it.
            args: the segment's arguments.
            pull: gives an operation's gradients for its number, its outputs with cotangents, these, its inputs, and
                its residuals.
            add: adds two cotangents.
        """
        end = len(args) - sum([plan.count for plan in self.kept.values()])
        kept = list(args[end:])
        for number in range(len(self.lines) - 1, -1, -1):
            line = self.lines[number]
            ins = args[end - line.inputs : end]
            end -= line.inputs
            values: Sequence[Any] = ()
            plan = self.kept.get(number)
            if plan is not None:
                kept, values = kept[: -plan.count], kept[-plan.count :]
            cts = [cotangents.pop(place, None) for place in range(line.first, line.end)]
            present = tuple([i for i, ct in enumerate(cts) if ct is not None])
            if not present:
                continue
            outs, cts = (present if line.kind is SeveralOutputs else None), [cts[i] for i in present]
            for target, grad in zip(line.targets, pull(number, outs, cts, ins, values), strict=True):
                former = cotangents.get(target)
                cotangents[target] = grad if former is None else add(former, grad)
            yield

    def __call__(self, args: Sequence[Any]) -> Any:
        """Called for arguments without a program.

        It returns None to run the program. `_NOT_READY` and `_BEING_COMPILED` leave them to the walk, the latter until
        there is a program.
        """
        products.use()
        key = tier.signature_of(args, tier.array_on_one_device)
        if key is None or not is_on():
            return _NOT_READY
        walks = self.signatures.get(key)
        if walks is None:
            if len(self.signatures) >= _SIGNATURES:
                self.signatures.clear()
            walks = self.signatures[key] = _Walks()
        walks.count += 1
        if walks.count < _BEFORE_COMPILING and not self.kept:
            return _NOT_READY
        if walks.job is None:
            self._trace(walks, args)
            return _BEING_COMPILED
        if walks.job.failed:
            return _NOT_READY
        while walks.pulled and background.allowance.allows():
            with interrupts.hold_signals(), preserve_trace(), background.allowance.spent():
                self._plan(args, *walks.pulled.popitem())
        if walks.pulled or not walks.job.is_ready():
            return _BEING_COMPILED
        self.must_clear_cache, walks.refused = walks.refused, False
        return None

    def _trace(self, walks: _Walks, args: Sequence[Any]) -> None:
        """Trace pullbacks for as long as the allowance lasts. After the last one, submit the program."""
        traces, walks.traces = walks.traces or self._traces(args), None  # another thread must not go on with these
        while background.allowance.allows():
            with interrupts.hold_signals(), preserve_trace(), background.allowance.spent():
                if next(traces, _TRACED) is _TRACED:
                    walks.job = background.submit(self.traceable.trace(*args), "backward pass")
                    walks.pulled, self._pulled = ({} if self.kept else self._pulled), {}
                    return
        walks.traces = traces

    def _plan(self, args: Sequence[Any], number: int, pulled: tuple[tuple[int, ...] | None, list[Any]]) -> None:
        """Let an operation keep what its pullback computes again at a cost.

        Args:
            args: of the segment.
            number: of the operation's line.
            pulled: the operation's outputs with cotangents, and their types.
        """
        line, (present, cotangents) = self.lines[number], pulled
        before = sum([other.inputs for other in self.lines[:number]])
        first = len(args) - sum([other.inputs for other in self.lines]) + before
        try:
            found = residuals.plan(line.entry, line.mask, present, cotangents, args[first : first + line.inputs])
        except Exception as error:  # the pullback computes what it needs, as before
            background.report(line.entry.name, "keeps no residuals", error)
            return
        if found is not None:
            self.plans.add(found)

    def with_residuals(self, nodes: Sequence[Any], args: Sequence[Any]) -> Any:
        """The cotangents after the walk and their places, where residuals are there and the program for them, too."""
        for plan in self.plans:
            plan.credit = residuals.UNUSED
        operations = [node for node in nodes if node.__class__ is not Leaf]
        having = [(number, node.kept) for number, node in enumerate(operations) if node.kept is not None]
        if not having:
            return None
        key = tuple([(number, plan) for number, (plan, _) in having])
        variant = self.variants.get(key)
        if variant is None:
            if len(self.variants) >= _VARIANTS:
                self.variants.clear()
            variant = self.variants[key] = _Segment(self.lines, self.given, key)
        values = variant.jit(*args, *[value for _, (_, values) in having for value in values])
        if values is _NOT_READY or values is _BEING_COMPILED:
            return None
        return variant.results, values


@functools.cache
def _most_bytes() -> float:
    """The bytes of the arrays that a segment may hold until it ends."""
    if jax.default_backend() == "cpu":
        return math.inf
    stats = device.current().memory_stats() or {}
    return _PART * stats.get("bytes_limit", _USUAL_MEMORY)


def _type_of(value: Any) -> Any:
    if isinstance(value, jax.Array):
        return jax.ShapeDtypeStruct(value.shape, value.dtype, weak_type=value.weak_type)
    return value


class _Walks:
    """What a segment knows of one signature.

    Attributes:
        count: how many walks there were.
        traces: what traces its pullbacks, as far as it has come.
        job: its program.
        pulled: the operations without a plan so far.
    """

    __slots__ = ("count", "job", "pulled", "refused", "traces")

    def __init__(self) -> None:
        self.count = 0
        self.traces: Iterator[None] | None = None
        self.refused = True  # the cache of `jax.jit` has an entry without a program
        self.job: background.Job | None = None
        self.pulled: _Pulled = {}


def start_of_segment(nodes: list[Node | None], end: int) -> int:
    """Where the segment starts that ends before `end`; `end` if there is none.

    Nothing of the user's Python belongs to the nodes of a segment.
    """
    start = end
    least = max(0, end - _LONGEST)
    while start > least:
        node = nodes[start - 1]
        if node is None or node.hooks is not None:
            break
        kind = node.__class__
        if kind is Leaf:
            if node.targets:
                break
        elif kind is not Operation and (
            kind is not SeveralOutputs or any([slot.hooks is not None for slot in node.outs])
        ):
            break
        elif node.entry.open or node.ins.__class__ not in _PLAIN:
            break
        start -= 1
    return start if end - start >= _SHORTEST else end


# What recognizes a segment and gathers its arrays is what a program saves, so C code goes over the nodes.
_form = operator.attrgetter("entry", "mask", "hooks")
_ins, _targets, _outs, _hooks, _ct = map(operator.attrgetter, ("ins", "targets", "outs", "hooks", "ct"))
_joined = itertools.chain.from_iterable
Places = tuple[Any, ...]
_Positions = dict[Node, tuple[int, int | None]]


class Part:
    """The nodes of a segment on a tape, and how they are found on the next tape of this form.

    Args:
        nodes: of the tape.
        start: where the segment starts.
        end: where it ends.

    Attributes:
        start: where the segment starts.
        end: where it ends.
        can_be_found: whether all nodes and slots that gather its cotangents are on the tape.
    """

    __slots__ = (
        "_counts", "_find_places", "_find_targets", "_forms", "_has_slots", "_key", "_kinds", "_kinds_of_inputs",
        "_outs", "_segments", "can_be_found", "end", "start",
    )  # fmt: skip

    def __init__(self, nodes: Sequence[Any], start: int, end: int):
        self.start, self.end = start, end
        part = nodes[start:end]
        ins = [*map(_ins, part)]
        self._kinds, self._forms = [*map(type, part)], [*map(_form, part)]
        self._kinds_of_inputs, self._counts = [*map(type, ins)], [*map(len, ins)]
        self._outs = [*map(len, map(_outs, part))]
        self._has_slots = any(self._outs)
        self._key: tuple[Any, ...] = ()
        self._segments: dict[tuple[int, ...], _Segment] = {}
        self.can_be_found = False

    def number(self, nodes: Sequence[Any], at: _Positions) -> Places:
        """Number the places of the segment; `at` says where they are on the tape."""
        part = nodes[self.start : self.end]
        places: dict[Node, int] = {}
        key: list[Any] = []
        for node in part:
            key += (node.__class__, node.entry, node.mask, len(node.ins), len(node.outs))
            # a target that has no place is on the tape before the segment
            key += [places.setdefault(target, len(places)) for target in node.targets]
            for place in node.outs or (node,):
                places[place] = len(places)
        self._key = tuple(key)
        self.can_be_found = all([place in at for place in places])
        if self.can_be_found:
            self._find_places = _finding([at[place] for place in places])
            self._find_targets = _finding([at[target] for target in _joined(map(_targets, part))])
        return tuple(places)

    def places(self, nodes: Sequence[Any]) -> Places | None:
        """The nodes and slots that gather the segment's cotangents; None if the tape does not have this part."""
        part = nodes[self.start : self.end]
        if [*map(type, part)] != self._kinds or [*map(_form, part)] != self._forms:
            return None
        ins = [*map(_ins, part)]
        if [*map(type, ins)] != self._kinds_of_inputs or [*map(len, ins)] != self._counts:
            return None
        if self._has_slots:
            outs = [*map(_outs, part)]
            if [*map(len, outs)] != self._outs or any(map(_hooks, _joined(outs))):
                return None
        if (*_joined(map(_targets, part)),) != self._find_targets(nodes):
            return None
        return self._find_places(nodes)

    def segment(self, nodes: Sequence[Any], places: Places, given: tuple[int, ...]) -> _Segment:
        """The function of arrays, for the places that have a cotangent."""
        found = self._segments.get(given)
        if found is None:
            known = (*self._key, -1, *given)
            found = _segments.get(known)
            if found is None:
                if len(_segments) >= _SEGMENTS:
                    forget()
                lines = _lines(nodes[self.start : self.end], {place: i for i, place in enumerate(places)})
                found = _segments[known] = _Segment(lines, given)
            self._segments[given] = found
        return found


def _finding(at: Sequence[tuple[int, int | None]]) -> Callable[[Sequence[Any]], Places]:
    """A function that gives the nodes and slots of a tape which stand there."""
    if len(at) > 1 and all([slot is None for _, slot in at]):
        return operator.itemgetter(*[position for position, _ in at])
    return lambda nodes: tuple([nodes[i] if slot is None else _slot(nodes[i], slot) for i, slot in at])


def _slot(node: Any, number: int) -> Any:
    """A slot of a node; None on a tape of another form."""
    outs = () if node is None else node.outs
    return outs[number] if number < len(outs) else None


def _positions(nodes: Sequence[Node | None]) -> _Positions:
    """Where each node and each slot stands: a position on the tape, and for a slot also its number in its node."""
    found: _Positions = {}
    for position, node in enumerate(nodes):
        if node is not None:
            found[node] = position, None
            for number, slot in enumerate(node.outs):
                found[slot] = position, number
    return found


_parts: dict[tuple[int, CompiledOp | None], list[Part]] = {}  # by their ends and last operations


def forget() -> None:
    """Know no segment any more."""
    _segments.clear()
    _parts.clear()


def part_before(nodes: list[Node | None], end: int, at: _Positions) -> tuple[Part, Places] | None:
    """The part of a tape that is a segment and ends before `end`, and its places; None if there is none.

    Args:
        nodes: of the tape.
        end: where the part ends.
        at: filled with what `_positions` gives, where it is needed; the next call for the same tape gets it, too.
    """
    last = nodes[end - 1]
    key = end, (None if last is None else last.entry)
    known = _parts.get(key)
    for part in known or ():
        if (places := part.places(nodes)) is not None:
            return part, places
    start = start_of_segment(nodes, end)
    if start == end:
        return None
    if not at:
        at.update(_positions(nodes))
    part = Part(nodes, start, end)
    places = part.number(nodes, at)
    if part.can_be_found:
        if len(_parts) >= _PARTS:
            _parts.clear()
        _parts[key] = [part, *(known or ())[: _ALIKE - 1]]
    return part, places


def _lines(nodes: Sequence[Any], places: dict[Node, int]) -> list[_Line]:
    lines = []
    for node in nodes:
        if node.__class__ is not Leaf:
            targets = tuple([places[target] for target in node.targets])
            outs = node.outs or (node,)
            line = _Line(
                node.__class__, node.entry, node.mask, targets, places[outs[0]], places[outs[-1]] + 1, len(node.ins)
            )
            lines.append(line)
    return lines


def run(nodes: Sequence[Any], part: Part, places: Places) -> bool | None:
    """Turn the cotangents of a segment into gradients by its program.

    Args:
        nodes: of the tape.
        part: where the segment is, as `part_before` found it.
        places: the nodes and slots that gather its cotangents.

    Returns:
        True if that is done. Otherwise the walk must do it: None if the program is being compiled, else False.
    """
    cotangents = [*map(_ct, places)]
    given = tuple([place for place, ct in enumerate(cotangents) if ct is not None])
    args = [cotangents[place] for place in given]
    args += _joined(map(_ins, nodes[part.start : part.end]))
    most = _most_bytes()
    if most < math.inf and sum([getattr(a, "nbytes", 0) for a in args[len(given) :]]) > most:
        return False
    segment = part.segment(nodes, places, given)
    results = segment.with_residuals(nodes[part.start : part.end], args) if segment.plans else None
    if results is None:
        values = segment.jit(*args)
        if values is _NOT_READY:
            return False
        if values is _BEING_COMPILED:
            return None
        results = segment.results, values
    for place in given:
        places[place].ct = None
    for place, value in zip(*results, strict=True):
        places[place].ct = value
    return True
