"""Whole training steps, compiled for accelerators that are not here by XLA's own compilers.

JAX_PLATFORMS=cpu python -m pytest -q -m accelerators tests/accelerators
"""

import collections
import itertools
import re

import pytest

from ms_compat._compile import flops
from ms_compat._targets.hlo import bytes_of
from tests.accelerators import steps_by_hand
from tests.accelerators.targets import compiled, compiler

pytestmark = pytest.mark.accelerators
TARGETS = ["v5e", "h100"]
PRECISIONS = ["float32", "bfloat16"]
STEPS = ["lenet", "lstm", "detector", "resnet50", "transformer bert"]
_WIDE = re.compile(r"\b(f64|s64|u64|c128)\[\d")
_FREE = ("constant", "parameter", "tuple", "get-tuple-element", "bitcast", "broadcast", "convert")
# What a program asks for itself: the indices of argmax and topk are Int64.
ASKED = {"detector": "s64"}
# Of the layers that a step has, so many arrays may be written in another order.
LAYERS = {"lenet": 5, "lstm": 3, "detector": 4, "resnet50": 53, "transformer bert": 12 * 6, "transformer gpt": 24 * 6}
# What takes the compiler more than four minutes on two busy cores.
LONG = {("resnet50", "v5e"), ("transformer gpt", "v5e")}


def wide(module):
    """Arithmetic on arrays of 64 bits, by instruction and dtype."""
    found = collections.Counter()
    for one in module.all():
        if one.opcode not in _FREE:
            found.update((one.opcode, dtype) for dtype in _WIDE.findall(one.shape))
    return found


def rewritten(module, larger):
    """Activations, which are larger than any weight, that are only written in another order."""
    return [one for one, _ in module.executed() if one.opcode in ("transpose", "copy") and bytes_of(one.shape) > larger]


@pytest.mark.parametrize(
    ("name", "target", "precision"),
    [
        *[c for c in itertools.product(STEPS, TARGETS, PRECISIONS) if c[:2] not in LONG],
        ("transformer gpt", "h100", "bfloat16"),
    ],
)
def test_step(name, target, precision):
    program, *arguments = name.split()
    step, found = compiled(target, program, *arguments, precision)
    assert {dtype for _, dtype in wide(found.module)} <= {ASKED.get(name)}
    assert [c for c in found.module.all() if "callback" in (c.attribute("custom_call_target") or "")] == []
    _, mutated, _ = found.per_chip()
    assert found.memory.alias_size_in_bytes >= sum(mutated)  # what changes takes the memory of what it was
    assert found.module.aliased() == len(mutated)
    by_dtype = flops.products(step.program.program().jaxpr)
    assert set(by_dtype) <= {"float32", "bfloat16"}
    if precision == "bfloat16" and program != "lstm":  # its recurrence stays in float32
        assert by_dtype["bfloat16"] > 0.9 * by_dtype.total()
    assert len(rewritten(found.module, max(mutated))) <= LAYERS[name]
    hand = steps_by_hand.compiled(compiler(target)[0], name, precision)
    assert found.memory.temp_size_in_bytes <= 1.05 * hand.memory_analysis().temp_size_in_bytes
