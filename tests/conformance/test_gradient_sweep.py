"""The gradients of a share of all samples against MindSpore's, against differences, and by two ways.

All of them take the better part of an hour: `python -m tests.conformance.gradient_sweep`.
"""

import pytest

import ms_compat as ms
from tests.conformance.gradient_sweep import compare, sources

ONE_OF = 24
RECORDED = [family.name for family in sources.FAMILIES if compare.recording(family.name)]


def drawn(family):
    """Every 24th recorded sample in the order of the hashes, so that the share holds some of each kind."""
    rows = compare.recording(family)
    return sorted(rows, key=lambda row: sources.share(row["key"], 2**32))[::ONE_OF]


@pytest.mark.parametrize("family", RECORDED)
def test_gradients(family):
    cases = {case.key: case for case in sources.cases(family)}
    found = [finding for row in drawn(family) for finding in compare.compare(cases[row["key"]], row, ms)]
    wrong = [" | ".join(finding) for finding in found if finding.verdict == compare.WRONG]
    assert found and not wrong, "\n".join(wrong)


def test_each_recorded_row_has_its_sample():
    for family in RECORDED:
        assert {row["key"] for row in compare.recording(family)} <= {case.key for case in sources.cases(family)}
