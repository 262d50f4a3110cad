"""Parses a compiled program's HLO text: instructions, the arrays that they make, the source lines behind them."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterator

_ARRAY = re.compile(r"([a-z]\w*)\[([\d,]*)\](\{[^{}]*\})?")
_OPERAND = re.compile(r"%([\w.\-]+)")
_CALLED = re.compile(r"(?:calls|body|condition|to_apply|branch_computations)=\{?((?:%[\w.\-]+(?:, )?)+)")
_METADATA = re.compile(r"metadata=\{([^{}]*)\}")
_OP_NAME = re.compile(r'op_name="([^"]*)"')
_FRAME = re.compile(r"stack_frame_id=(\d+)")
_TRIPS = re.compile(r'"known_trip_count":\{"n":"(\d+)"')
_BITS = {"pred": 8, "token": 0, "opaque": 0, "f8e4m3fn": 8, "f8e5m2": 8, "c64": 64, "c128": 128}
_ON_CHIP = re.compile(r"S\((\d+)\)")


def bytes_of(shape: str, everywhere: bool = False) -> int:
    """A shape's bytes, for a tuple the sum; arrays in the chip's own small memory count only if `everywhere`.

    >>> bytes_of("(f32[2,3]{1,0}, bf16[4]{0})")
    32
    """
    total = 0
    for dtype, sizes, layout in _ARRAY.findall(shape):
        space = _ON_CHIP.search(layout)
        if everywhere or space is None or space.group(1) == "0":
            total += math.prod(map(int, filter(None, sizes.split(",")))) * _bits(dtype) // 8
    return total


def each_array(shape: str) -> list[str]:
    """The shapes of a tuple's arrays, including nested tuples.

    >>> each_array("((f32[2,3]{1,0}), bf16[4]{0:S(1)})")
    ['f32[2,3]{1,0}', 'bf16[4]{0:S(1)}']
    """
    return [found.group() for found in _ARRAY.finditer(shape)]


def _bits(dtype: str) -> int:
    found = _BITS.get(dtype)
    if found is None:
        digits = re.search(r"\d+", dtype)
        found = _BITS[dtype] = int(digits.group()) if digits else 8
    return found


@dataclasses.dataclass
class Instruction:
    """One line of a computation."""

    name: str
    shape: str
    opcode: str
    operands: tuple[str, ...]
    rest: str  # the operands and attributes as they stand
    root: bool

    @property
    def op_name(self) -> str:
        """The path of JAX transformations and operations that it comes from, where known."""
        found = _METADATA.search(self.rest)
        name = _OP_NAME.search(found.group(1)) if found else None
        return name.group(1) if name else ""

    @property
    def frame(self) -> int:
        """The number of its stack frame; 0 if unknown."""
        found = _FRAME.search(self.rest)
        return int(found.group(1)) if found else 0

    @property
    def called(self) -> list[str]:
        """The computations that it calls."""
        return [name for names in _CALLED.findall(self.rest) for name in _OPERAND.findall(names)]

    @property
    def trips(self) -> int:
        """A loop's trip count, as far as known; 1 for other instructions."""
        found = _TRIPS.search(self.rest) if self.opcode == "while" else None
        return int(found.group(1)) if found else 1

    def attribute(self, name: str) -> str | None:
        """The text of one attribute."""
        found = re.search(rf'\b{name}=("[^"]*"|[^,\s]+)', self.rest)
        return found.group(1).strip('"') if found else None


class Module:
    """A compiled program.

    Args:
        text: the result of `compiled.as_text()`.
    """

    def __init__(self, text: str):
        self.computations: dict[str, list[Instruction]] = {}
        self.entry = ""
        self.header = text.partition("\n")[0]
        self._frames = _Frames(text)
        lines: list[Instruction] = []
        for line in text.splitlines():
            if line.startswith("  "):
                found = _instruction(line)
                if found is not None:
                    lines.append(found)
            elif line.endswith("{") and ("->" in line or line.startswith(("%", "ENTRY"))):
                name = _OPERAND.search(line)
                lines = self.computations.setdefault(name.group(1) if name else "", [])
                if line.startswith("ENTRY") and name:
                    self.entry = name.group(1)

    def lines(self, instruction: Instruction) -> list[tuple[str, int]]:
        """The source locations of an instruction, innermost first."""
        return self._frames.lines_of(instruction.frame)

    def origin(self, instruction: Instruction) -> Instruction:
        """The instruction that has the source location: itself, or one that is fused into it."""
        if instruction.op_name or instruction.opcode != "fusion":
            return instruction
        inside = [one for name in instruction.called for one in self.computations.get(name, ()) if one.op_name]
        return next((one for one in inside if one.root), inside[-1] if inside else instruction)

    def executed(self) -> Iterator[tuple[Instruction, int]]:
        """The instructions that run as separate steps, in the entry and in loops, and how often."""
        yield from self._executed(self.entry, 1)

    def _executed(self, name: str, times: int) -> Iterator[tuple[Instruction, int]]:
        for one in self.computations.get(name, ()):
            yield one, times
            if one.opcode in ("while", "conditional", "call", "async-start"):
                for called in one.called:
                    yield from self._executed(called, times * one.trips)

    def all(self) -> Iterator[Instruction]:
        """The instructions of all computations."""
        for lines in self.computations.values():
            yield from lines

    def aliased(self) -> int:
        """How many input arrays share memory with an output."""
        found = re.search(r"input_output_alias=\{(.*?)\}, (?:entry|buffer)", self.header)
        return found.group(1).count("alias)") if found else 0


class _Frames:
    """The tables of files, places and stacks at the head of a program's text."""

    def __init__(self, text: str):
        self._files: dict[int, str] = {}
        self._places: dict[int, tuple[int, int]] = {}
        self._stacks: dict[int, tuple[int, int]] = {}
        table = ""
        for line in text.splitlines():
            if line in ("FileNames", "FunctionNames", "FileLocations", "StackFrames"):
                table = line
            elif not line:
                continue
            elif not line[0].isdigit():
                if table == "StackFrames":
                    break  # the computations
            elif table == "FileNames":
                number, name = line.split(" ", 1)
                self._files[int(number)] = name.strip('"')
            elif table in ("FileLocations", "StackFrames"):
                numbers = {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", line)}
                at = int(line.split(" ", 1)[0])
                if table == "FileLocations":
                    self._places[at] = numbers["file_name_id"], numbers["line"]
                else:
                    self._stacks[at] = numbers["file_location_id"], numbers.get("parent_frame_id", 1)

    def lines_of(self, number: int) -> list[tuple[str, int]]:
        found = []
        while number in self._stacks:
            location, above = self._stacks[number]
            file, line = self._places[location]
            found.append((self._files[file], line))
            number = above - 1  # parents count from 1 where frames do from 0; the outermost has 1
        return found


def _instruction(line: str) -> Instruction | None:
    text = line.strip()
    root = text.startswith("ROOT ")
    if root:
        text = text[5:]
    name, equals, text = text.partition(" = ")
    if not equals:
        return None
    depth = 0
    end = len(text)
    for at, char in enumerate(text):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == " " and depth == 0:
            end = at
            break
    shape, rest = text[:end], text[end + 1 :]
    opcode, _, rest = rest.partition("(")
    operands = _OPERAND.findall(rest[: _closing(rest)])
    return Instruction(name.lstrip("%"), shape, opcode, tuple(operands), rest, root)


def _closing(text: str) -> int:
    """The position of the bracket that closes one open at the start of a text."""
    depth = 1
    for at, char in enumerate(text):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth == 0:
                return at
    return len(text)
