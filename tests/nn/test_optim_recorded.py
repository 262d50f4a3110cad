"""Optimizers and learning rates against MindSpore's recorded steps, state, names and errors, in both modes."""

import pytest

import ms_compat as ms
from tests.conformance import programs

CASES = [*programs.load("optim_steps.json"), *programs.load("optim_rates.json")]


@pytest.mark.parametrize("case", CASES, ids=programs.case_id)
def test_optimizer_agrees_with_mindspore(case):
    programs.check(case, ms)
