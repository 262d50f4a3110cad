"""The report on a training step for a target."""

from __future__ import annotations

import dataclasses
from typing import Any

from ms_compat._targets import buffers, traffic


@dataclasses.dataclass
class Plan:
    """The report on a step for a target; bytes, operations and seconds count one chip and one step.

    Attributes:
        step: the name of the program.
        inputs: each argument's dtype and shape, before arguments are cut over chips.
        target, chips: what it is compiled for, and how many.
        fits: whether a chip has the memory.
        memory: the bytes that a chip has.
        needed: the bytes that the program takes at most.
        weights, optimizer, data, constants: bytes of the arguments: the net's Parameters, the optimizer's Parameters,
            the batch, and arrays that the program holds.
        state: bytes of weights and optimizer before they are cut over chips.
        activations: bytes that the forward pass leaves for the backward pass, at the moment of most memory.
        temporaries: bytes that the compiler allocates otherwise.
        code: bytes of the program itself.
        aliased: bytes of the arguments whose memory the results take.
        flops: operations in products and convolutions, an even share of all chips' where they divide the work.
        flops_by_dtype: the same by the dtype of the factors.
        bytes_moved: read from and written to the chip's memory.
        seconds_arithmetic, seconds_memory: the least time by either.
        collectives, buffers: see `traffic` and `buffers`.
        advice: what would help.
        notes: what the reader should know of these figures.
    """

    step: str
    target: str
    chips: int
    fits: bool
    memory: int
    needed: int
    inputs: list[str] = dataclasses.field(default_factory=list)
    weights: int = 0
    optimizer: int = 0
    data: int = 0
    constants: int = 0
    state: int = 0
    activations: int = 0
    temporaries: int = 0
    code: int = 0
    aliased: int = 0
    flops: int = 0
    flops_by_dtype: dict[str, int] = dataclasses.field(default_factory=dict)
    bytes_moved: int = 0
    seconds_arithmetic: float = 0.0
    seconds_memory: float = 0.0
    collectives: list[traffic.Collective] = dataclasses.field(default_factory=list)
    buffers: list[buffers.Buffer] = dataclasses.field(default_factory=list)
    advice: list[str] = dataclasses.field(default_factory=list)
    notes: list[str] = dataclasses.field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The same as numbers, strings, lists and dicts."""
        figures = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        for name in ("collectives", "buffers"):
            figures[name] = [dataclasses.asdict(item) for item in figures[name]]
        return figures
