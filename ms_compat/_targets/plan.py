"""Whether a training step fits a target, what it needs there, and what bounds its time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ms_compat._compile.analysis import flops
from ms_compat._targets import advice, buffers, traffic
from ms_compat._targets.capture import Step, trained
from ms_compat._targets.compiled import CompiledFor, TooLarge, bytes_on_chip
from ms_compat._targets.report import Plan
from ms_compat._targets.target import Target

LARGEST = 5  # buffers in the report
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def plan(step: Step, target: Target, others: Sequence[Step] = ()) -> Plan:
    """Compile a step for a target and say what it needs there.

    Args:
        step: the step.
        target: the chips.
        others: further steps of the same script.

    Raises:
        UnsupportedError: the compiler is not installed, or the program is one of several processes.
        TargetError: there is no such arrangement of chips.
    """
    made = Plan(step.name, str(target), target.count, True, target.chip.memory, 0)
    made.inputs = [f"{np.result_type(v)} {tuple(np.shape(v))}" for v in step.leaves]
    if step.between:
        made.notes.append(
            "The script does something with gradients or loss between the gradient function and the optimizer, as "
            "clipping; that part is not in these figures. It is if one function under ms.jit does all of it."
        )
    if not step.optimizers:
        made.notes.append(f"The script trained nothing; this is '{step.name}', the largest program that it compiled.")
    laid_out = False
    try:
        found = CompiledFor(step.program, step.leaves, target)
    except TooLarge as error:
        made.fits, made.needed = False, _needed(str(error))
        _count_state(made, step, [[_bytes_laid_out(v) for v in group] for group in _groups(step)])
        made.temporaries = max(made.needed - made.weights - made.optimizer - made.data, 0)
        made.notes.append("The compiler gave up for want of memory, so activations and traffic are not known.")
    else:
        _count_state(made, step, found.per_chip())
        _fill(made, found)
        laid_out = found.is_laid_out or bool(made.collectives)  # of its inputs, or within it
    _count_work(made, step, target, laid_out)
    made.advice = advice.suggest(made, step, laid_out)
    if others:
        own = {id(t) for t in (*step.program.mutated, *step.program.read)}
        rest = {id(t): t for other in others for t in (*other.program.mutated, *other.program.read)}
        size = sum(_bytes_laid_out(t._v) for key, t in rest.items() if key not in own)
        made.notes.append(
            f"The script has {len(others) + 1} training steps. These figures leave out what only the others hold, which"
            f" is on the chip as well: {advice.readable(size)}."
        )
    return made


def _groups(step: Step) -> list[list[Any]]:
    return [step.leaves, [t._v for t in step.program.mutated], [t._v for t in step.program.read]]


def _bytes_laid_out(value: Any) -> int:
    """An array's bytes on one chip, in the program's layout."""
    return bytes_on_chip(value, getattr(value, "sharding", None))


def _count_state(made: Plan, step: Step, sizes: list[list[int]]) -> None:
    updated = {id(p) for optimizer in step.optimizers for p in trained(optimizer)}
    of_optimizer = {id(p) for o in step.optimizers for p in o.get_parameters()} - updated
    data, mutated, read = sizes
    made.data = sum(data)
    tensors = (*step.program.mutated, *step.program.read)
    made.state = sum(bytes_on_chip(t._v, None) for t in tensors)
    for tensor, size in zip(tensors, (*mutated, *read), strict=True):
        if id(tensor) in of_optimizer:
            made.optimizer += size
        else:
            made.weights += size


def _fill(made: Plan, found: CompiledFor) -> None:
    memory, module = found.memory, found.module
    peak = buffers.peak(module)
    made.constants = sum(getattr(c, "nbytes", 0) for c in found.program.consts)
    made.code = memory.generated_code_size_in_bytes
    made.aliased = memory.alias_size_in_bytes
    # The total is the compiler's, which lets arrays overlap that never hold values together.
    made.activations = min(peak.kept, memory.temp_size_in_bytes)
    results = memory.output_size_in_bytes - memory.alias_size_in_bytes
    made.temporaries = memory.temp_size_in_bytes - made.activations + max(results, 0)
    made.needed = memory.argument_size_in_bytes + memory.temp_size_in_bytes + max(results, 0) + made.code
    made.fits = made.needed <= made.memory
    made.bytes_moved = traffic.bytes_moved(module)
    made.collectives = traffic.collectives(module)
    made.buffers = peak.buffers[:LARGEST]


def _count_work(made: Plan, step: Step, target: Target, laid_out: bool) -> None:
    chip = target.chip
    share = target.count if laid_out else 1
    made.flops_by_dtype = {k: v // share for k, v in flops.products(step.program.program().jaxpr).items()}
    made.flops = sum(made.flops_by_dtype.values())
    made.seconds_arithmetic = sum(
        count / (chip.half_flops if dtype in ("bfloat16", "float16") else chip.float_flops)
        for dtype, count in made.flops_by_dtype.items()
    )
    made.seconds_memory = made.bytes_moved / chip.bandwidth


def _needed(text: str) -> int:
    """The bytes that a compiler says it would have needed; 0 if it does not say.

    >>> _needed("Ran out of memory in memory space hbm. Used 20.50G of 15.75G hbm.")
    22011707392
    """
    found = re.search(r"Used ([\d.]+)([KMGT]?) of", text)
    return int(float(found.group(1)) * _UNITS[found.group(2)]) if found else 0
