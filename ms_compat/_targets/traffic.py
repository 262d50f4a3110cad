"""The bytes that a compiled program moves: between a chip's memory and its units, and between chips."""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterator

from ms_compat._targets.hlo import Instruction, Module, bytes_of, each_array

# These move nothing: they alias existing arrays, or their work counts where it starts.
_FREE = frozenset(
    "parameter constant tuple get-tuple-element bitcast while conditional call after-all partition-id replica-id "
    "add-dependency opt-barrier".split()
)
_PARTS = frozenset(("dynamic-slice", "slice", "gather"))
# These copy the same numbers elsewhere, in another order or dtype.
_MOVES = frozenset(
    "transpose copy copy-start bitcast slice concatenate reshape broadcast pad reverse convert dynamic-slice "
    "dynamic-update-slice parameter constant tuple get-tuple-element".split()
)
_COLLECTIVE = re.compile(
    r"(all-reduce|all-gather|reduce-scatter|collective-permute|all-to-all|ragged-all-to-all|collective-broadcast)"
    r"(?:-start)?"
)


@dataclasses.dataclass(frozen=True)
class Collective:
    """The collectives of one kind.

    Attributes:
        kind: XLA's name.
        count: how many run in a step.
        bytes: the total size of their results on a chip.
        largest: the largest result's bytes.
    """

    kind: str
    count: int
    bytes: int
    largest: int


def bytes_moved(module: Module) -> int:
    """The bytes that a chip reads from its memory and writes to it in one run, as far as the HLO text shows.

    An instruction reads each operand once, or only the part that it uses, and writes its result.
    """
    return sum(size for _, size in _moving(module))


def bytes_rewritten(module: Module) -> int:
    """The part of `bytes_moved` from instructions that compute nothing: transposes, copies, concatenations."""
    return sum(size for one, size in _moving(module) if _only_moves(one, module))


def _moving(module: Module) -> Iterator[tuple[Instruction, int]]:
    """The instructions that move bytes, and how many."""
    shapes = {one.name: one.shape for one in module.all()}
    for one, times in module.executed():
        if one.opcode not in _FREE and not one.opcode.endswith("-done"):
            yield one, times * _moved_by(one, shapes, module)


def _only_moves(one: Instruction, module: Module) -> bool:
    if one.opcode != "fusion":
        return one.opcode in _MOVES
    return all(_only_moves(inner, module) for name in one.called for inner in module.computations.get(name, ()))


def _moved_by(one: Instruction, shapes: dict[str, str], module: Module) -> int:
    if one.opcode == "async-start":  # its computation is one of those that run
        return 0
    if one.opcode == "slice-start":  # this result names source and part, the source in full
        source, part, *_ = each_array(one.shape)
        return bytes_of(part, everywhere=True) * ((bytes_of(source) > 0) + (bytes_of(part) > 0))
    if one.opcode.endswith("-start"):  # a copy's result names source and destination
        return bytes_of(one.shape)
    if one.opcode in _PARTS:
        return 2 * bytes_of(one.shape)
    if one.opcode == "dynamic-update-slice":
        return 2 * bytes_of(shapes.get(one.operands[1], ""))
    inside = module.computations.get(one.called[0], []) if one.opcode == "fusion" and one.called else []
    if not inside:
        return bytes_of(one.shape) + sum(bytes_of(shapes.get(name, "")) for name in one.operands)
    return _moved_by_fusion(one, inside, shapes)


def _moved_by_fusion(one: Instruction, inside: list[Instruction], shapes: dict[str, str]) -> int:
    users: dict[str, list[Instruction]] = defaultdict(list)
    for inner in inside:
        for name in inner.operands:
            users[name].append(inner)
    own = {inner.name: inner for inner in inside}
    root = next((inner for inner in inside if inner.root), inside[-1])
    written = bytes_of(one.shape)
    in_place = ""
    if root.opcode == "dynamic-update-slice":
        written = bytes_of(own[root.operands[1]].shape) if root.operands[1] in own else 0
        in_place = root.operands[0]
    total = written
    parameters = sorted((p for p in inside if p.opcode == "parameter"), key=lambda p: int(p.rest.partition(")")[0]))
    for parameter, operand in zip(parameters, one.operands, strict=False):
        size = bytes_of(shapes.get(operand, ""))
        takers = users[parameter.name]
        if parameter.name == in_place and len(takers) == 1:
            continue
        if size and takers and all(user.opcode in _PARTS and user.operands[0] == parameter.name for user in takers):
            size = min(size, sum(bytes_of(user.shape, everywhere=True) for user in takers))
        total += size
    return total


def collectives(module: Module) -> list[Collective]:
    """The collectives that a chip takes part in, by kind, the largest traffic first."""
    trips = _trips(module)
    seen: set[str] = set()
    found: dict[str, list[int]] = defaultdict(list)
    for name, lines in module.computations.items():
        for one in lines:
            matched = _COLLECTIVE.fullmatch(one.opcode)
            if not matched:
                continue
            channel = one.attribute("channel_id")
            if channel is not None and channel in seen:  # the parts of one that overlaps with other work
                continue
            if channel is not None:
                seen.add(channel)
            size = bytes_of(one.shape, everywhere=True)
            if one.opcode in ("all-gather-start", "collective-permute-start"):  # the operand stands beside the result
                size -= sum(bytes_of(other.shape, True) for other in lines if other.name in one.operands)
            found[matched.group(1)] += [size] * trips.get(name, 1)
    made = [Collective(kind, len(sizes), sum(sizes), max(sizes)) for kind, sizes in found.items()]
    return sorted(made, key=lambda c: -c.bytes)


def _trips(module: Module) -> dict[str, int]:
    """How often each computation runs, those inside of fusions too."""
    found: dict[str, int] = {}
    for one, times in module.executed():
        for called in one.called:
            found[called] = max(found.get(called, 1), times * one.trips)
    return found
