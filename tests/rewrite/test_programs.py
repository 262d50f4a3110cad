"""Programs find here what they find in MindSpore."""

import json

import pytest

from ms_compat.rewrite import build
from ms_compat.rewrite.flatten import Names
from tests.rewrite import record
from tests.rewrite.programs import programs

EXPECTED = json.loads(record.PROGRAMS.read_text("utf-8"))


def test_all_programs_are_recorded():
    assert list(EXPECTED) == list(programs())


@pytest.mark.parametrize("name", EXPECTED)
def test_a_program_finds_what_it_finds_in_mindspore(name, monkeypatch):
    for numbers in ("CLASS_NAMES", "FUNCTION_NAMES"):  # which go on through the process
        monkeypatch.setattr(build, numbers, Names())
    found = programs()[name]()
    assert json.loads(json.dumps(found)) == EXPECTED[name]
