"""The gradients of a share of all samples against MindSpore's, against differences, and by two ways.

All of them take the better part of an hour: `python -m tests.conformance.gradient_sweep`.
"""

import pytest

import ms_compat as ms
from tests.conformance.gradient_sweep import compare, sources

ONE_OF = 40
RECORDED = [family.name for family in sources.FAMILIES if compare.recording(family.name)]


def drawn(family):
    """Every 40th recorded sample in the order of the hashes, so that the share holds some of each kind."""
    rows = compare.recording(family)
    return sorted(rows, key=lambda row: sources.share(row["key"], 2**32))[::ONE_OF]


@pytest.mark.parametrize("family", RECORDED)
def test_gradients(family):
    cases = {case.key: case for case in sources.cases(family)}
    rows = drawn(family)
    found = [finding for row in rows for finding in compare.compare(cases[row["key"]], row, ms)]
    wrong = [" | ".join(finding) for finding in found if finding.verdict == compare.WRONG]
    assert not wrong, "\n".join(wrong)
    # where both raise there is nothing to compare
    agreeing = {finding.key for finding in found if finding.verdict == compare.AGREES}
    raising = [row for row in rows if isinstance(row["given"], str)]
    assert len(agreeing) >= max(1, (len(rows) - len(raising)) // 2)


def test_every_family_is_recorded():
    assert RECORDED == [family.name for family in sources.FAMILIES]


def test_each_recorded_row_has_its_sample():
    for family in RECORDED:
        assert {row["key"] for row in compare.recording(family)} <= {case.key for case in sources.cases(family)}
