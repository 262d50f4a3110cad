"""Finds which arrays of a compiled program are in memory together, where they come from, and what keeps them there."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from typing import NamedTuple

from ms_compat._compile.control_flow.convert import written_at
from ms_compat._core.diagnostics.source_lines import is_users_file
from ms_compat._targets.hlo import Instruction, Module, bytes_of

# Aliases of existing arrays, or arrays that are not temporaries.
_NO_BUFFER = frozenset(
    "parameter constant tuple get-tuple-element bitcast after-all while conditional opt-barrier add-dependency "
    "dynamic-update-slice".split()
)
_BACKWARD = "transpose("


@dataclasses.dataclass(frozen=True)
class Buffer:
    """Arrays of one size from one line.

    Attributes:
        bytes: one array's size on a chip.
        count: how many of the arrays are in memory together.
        shape: dtype and sizes on a chip.
        operation: the path of transformations, Cells and operations.
        line: "file:line" in the user's code, or "".
        kept: whether the forward pass leaves it for the backward pass.
    """

    bytes: int
    count: int
    shape: str
    operation: str
    line: str
    kept: bool


class Peak(NamedTuple):
    """The moment of the highest memory use.

    Attributes:
        kept: bytes that the forward pass left for the backward pass.
        other: bytes that other temporaries take.
        buffers: the arrays, the largest first.
    """

    kept: int
    other: int
    buffers: list[Buffer]


class _Held(NamedTuple):
    one: Instruction
    first: int
    last: int
    bytes: int
    kept: bool


def peak(module: Module) -> Peak:
    """The temporaries at the moment when they take most memory, in the order in which the compiler runs the program."""
    lines = module.computations.get(module.entry, [])
    held = [h for h in _held(module, lines) if h.bytes]
    change: dict[int, int] = defaultdict(int)
    for h in held:
        change[h.first] += h.bytes
        change[h.last + 1] -= h.bytes
    taken = most = at = 0
    for moment in sorted(change):
        taken += change[moment]
        if taken > most:
            most, at = taken, moment
    now = [h for h in held if h.first <= at <= h.last]
    kept = sum(h.bytes for h in now if h.kept)
    grouped: dict[tuple, list[_Held]] = defaultdict(list)
    for h in now:
        grouped[h.bytes, users_line(module, module.origin(h.one)), h.kept].append(h)
    buffers = [
        Buffer(size, len(group), _plain(group[0].one.shape), _operation(module.origin(group[0].one)), line, is_kept)
        for (size, line, is_kept), group in grouped.items()
    ]
    return Peak(kept, most - kept, sorted(buffers, key=lambda b: -b.bytes * b.count))


def _held(module: Module, lines: list[Instruction]) -> list[_Held]:
    """The temporaries of a computation, with the first and the last instruction that needs each."""
    roots: dict[str, set[str]] = {}  # the buffers that a name stands for
    last: dict[str, int] = {}
    backward: set[str] = set()
    shapes = {one.name: one.shape for one in lines}
    names = {one.name: module.origin(one).op_name for one in lines}
    for at, one in enumerate(lines):
        of_operands = [roots.get(name, set()) for name in one.operands]
        for found in of_operands:
            for name in found:
                last[name] = at
                if _BACKWARD in names[one.name]:
                    backward.add(name)
        is_alias = one.opcode in _NO_BUFFER or one.opcode.endswith("-done")
        roots[one.name] = set().union(*of_operands) if is_alias and of_operands else {one.name}
    results = {name for one in lines if one.root for name in roots[one.name]}
    held = []
    for at, one in enumerate(lines):
        if one.opcode in _NO_BUFFER or one.opcode.endswith("-done") or one.name in results:
            continue
        name = names[one.name]
        kept = one.name in backward and bool(name) and _BACKWARD not in name
        size = bytes_of(one.shape)
        if one.opcode.endswith("-start"):  # the operands stand beside the result
            size -= sum(bytes_of(shapes.get(operand, "")) for operand in one.operands)
        held.append(_Held(one, at, last.get(one.name, at), max(size, 0), kept))
    return held


def users_line(module: Module, one: Instruction) -> str:
    """The user's line that an instruction comes from; "" for none."""
    for place in module.lines(one):
        found = written_at(*place)
        if found is not None and is_users_file(found[0]):
            return f"{found[0]}:{found[1]}"
    return ""


def _plain(shape: str) -> str:
    """A shape without layouts."""
    out, depth = [], 0
    for char in shape:
        depth += char == "{"
        if not depth:
            out.append(char)
        depth -= char == "}"
    return "".join(out)


def _operation(one: Instruction) -> str:
    return one.op_name.partition("/")[2] or one.opcode
