"""Recorded small programs: gradient functions, `mutable`, `jit` and control flow, as MindSpore answers them."""

import pytest

import ms_compat
from tests.conformance import programs

WIDER = "MindSpore refuses what is compiled here: "
REASONS = {
    "grad of a number[graph]": "TypeError in both modes here; MindSpore raises RuntimeError when it compiles",
    "has_aux with one output[graph]": "ValueError in both modes here; MindSpore raises RuntimeError when it compiles",
    "mutable value[pynative]": "the marking classes have other names",
    "mutable value[graph]": "the marking classes have other names",
    "mutable True[pynative]": "the marking classes have other names",
    "mutable True[graph]": "the marking classes have other names",
    "mutable tuple is differentiated[pynative]": WIDER + "a lambda without a source file",
    "mutable tuple is differentiated[graph]": WIDER + "a lambda without a source file",
    "mutable dict gradient[pynative]": "mutable containers are differentiated in both modes here",
    **{f"for_over_traced_range-{i}-jit[pynative]": WIDER + "range of a Tensor" for i in range(3)},
    **{f"long_range_with_break-{i}-jit[pynative]": WIDER + "a thousand iterations with a break" for i in range(2)},
    **{f"try_except-{i}-jit[pynative]": WIDER + "try" for i in range(2)},
}
CASES = [*programs.load("gradients.json"), *programs.load("control_flow.json")]


@pytest.fixture(autouse=True)
def pynative_afterwards():
    yield
    ms_compat.set_context(mode=ms_compat.PYNATIVE_MODE)


@pytest.mark.parametrize("case", CASES, ids=programs.case_id)
def test_program(case):
    if case["id"] in REASONS:
        with pytest.raises(AssertionError):
            programs.check(case, ms_compat)
        return
    programs.check(case, ms_compat)


def test_reasons_name_cases():
    assert set(REASONS) <= {case["id"] for case in CASES}
