"""Recorded programs that leave the compiler: sizes of data, NumPy, texts, containers; by themselves, under `jit` and as
a Cell in GRAPH_MODE, with their gradients. What MindSpore cannot compile gives here what PYNATIVE_MODE gives."""

import re

import pytest

import ms_compat
from tests.conformance import programs, replay
from tests.conformance.departures import ANY_PYTHON, reason_of

CASES = programs.load("any_python.json")
PLAIN = {case["id"]: case for case in CASES}
UNDEFINED = {"emptied[pynative]"}  # MindSpore's sum of no elements is whatever lies in memory


@pytest.fixture(autouse=True)
def pynative_afterwards():
    yield
    ms_compat.set_context(mode=ms_compat.PYNATIVE_MODE)


@pytest.mark.filterwarnings("ignore:divide by zero")
@pytest.mark.parametrize("case", [case for case in CASES if case["id"] not in UNDEFINED], ids=programs.case_id)
def test_program(case):
    reason = reason_of(case["id"], ANY_PYTHON)
    if reason is None or case["id"].endswith(("-grad[pynative]", "-grad[graph]")):
        programs.check(case, ms_compat)
        return
    outcome = replay.evaluate(case, ms_compat)
    assert programs.differences(case, outcome), f"no longer departs: strike its row ({reason})"
    plain = PLAIN[re.sub(r"-(jit|cell)\[\w+\]$", "[pynative]", case["id"])]
    assert not programs.differences(plain, outcome)


def test_every_program_is_recorded_in_three_ways():
    programs_of = {case["id"].partition("[")[0].removesuffix("-jit").removesuffix("-cell") for case in CASES}
    assert len({name.removesuffix("-grad") for name in programs_of}) >= 60
    for name in programs_of:
        assert {f"{name}[pynative]", f"{name}-jit[pynative]", f"{name}-cell[graph]"} <= PLAIN.keys()
