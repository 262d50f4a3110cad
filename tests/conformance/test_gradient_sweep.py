"""The gradients of a share of all samples against MindSpore's, against differences, and by two ways.

All of them take hours of one processor: `python -m tests.conformance.gradient_sweep`.
"""

import pytest

import ms_compat as ms
from tests.conformance.gradient_sweep import compare, report, sources

RECORDED = [family.name for family in sources.FAMILIES if compare.recording(family.name)]


@pytest.mark.parametrize("family", RECORDED)
def test_gradients(family):
    cases = {case.key: case for case in sources.cases(family)}
    rows = compare.drawn(family)
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


def test_report_counts_pairs_once_and_comparisons_all(tmp_path):
    def finding(point, mode, name, against, verdict):
        return compare.Finding("ops.abs(x)", point, mode, name, against, verdict, "")

    path = tmp_path / "results"
    findings = [
        finding("given", "PYNATIVE", "x", "MindSpore", compare.AGREES),
        finding("zeros", "PYNATIVE", "x", "MindSpore", compare.WRONG),
        finding("given", "GRAPH", "x", "differences", compare.AGREES),
    ]
    report.Results(path).add("ops", "ops.abs(x)", findings)
    results = report.Results(path)
    assert ("ops", "ops.abs(x)") in results and ("ops", "ops.exp(x)") not in results
    head, pynative, graph, *total = (line.split() for line in results.table(["ops"]).splitlines())
    assert head[:4] == ["family", "samples", "mode", "pairs"] and head[-1] == "WRONG"
    assert pynative == ["ops", "1", "PYNATIVE", "1", "1", *"000000", "1", *"00000", "1"]
    assert graph == ["ops", "1", "GRAPH", "1", "0", "1", *"00000", "1", *"000000"]
    assert [line[0] for line in total] == ["all", "all"]
