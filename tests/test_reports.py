"""What workers of pytest-xdist report, every part of a test that does not pass and else the call; the last tests."""

from pathlib import Path
from types import SimpleNamespace as Some

import pytest
from _pytest import runner

from tests import conftest


def part(when, passed):
    return Some(when=when, passed=passed)


SETUP, CALL, TEARDOWN = (part(when, True) for when in ("setup", "call", "teardown"))


@pytest.fixture
def reported(monkeypatch):
    """Runs the hook for a test with these reports; gives whether it ran the test, and what it reported."""

    def run(reports, workerinput=None, durations=None, xmlpath=None, verbose=0):
        told = []
        hooks = Some(
            pytest_runtest_logstart=lambda **given: told.append("start"),
            pytest_runtest_logreport=lambda report: told.append(report),
            pytest_runtest_logfinish=lambda **given: told.append("finish"),
        )
        config = Some(option=Some(durations=durations, xmlpath=xmlpath, verbose=verbose))
        if workerinput is not None:
            config.workerinput = workerinput
        monkeypatch.setattr(runner, "runtestprotocol", lambda item, *, nextitem, log: reports)
        return conftest.pytest_runtest_protocol(Some(config=config, ihook=hooks, nodeid="t", location=()), None), told

    return run


@pytest.mark.parametrize(
    ("reports", "kept"),
    [
        ([SETUP, CALL, TEARDOWN], [CALL]),
        ([SETUP, failed := part("call", False), TEARDOWN], [failed]),
        ([failed := part("setup", False), TEARDOWN], [failed]),
        ([SETUP, CALL, failed := part("teardown", False)], [CALL, failed]),
    ],
)
def test_a_worker_reports_calls_and_all_that_did_not_pass(reported, reports, kept):
    assert reported(reports, workerinput={}) == (True, ["start", *kept, "finish"])


@pytest.mark.parametrize(
    "settings",
    [{}, {"workerinput": {}, "durations": 0}, {"workerinput": {}, "xmlpath": "x"}, {"workerinput": {}, "verbose": 2}],
    ids=str,
)
def test_pytest_reports_everything_elsewhere_and_for_options_that_print_it(reported, settings):
    assert reported([SETUP, CALL, TEARDOWN], **settings) == (None, [])


def test_short_tests_come_last():
    files = ["a.py", conftest.SHORT, "b.py", conftest.SHORT]
    items = [Some(path=Path("tests", file), number=number) for number, file in enumerate(files)]
    conftest.pytest_collection_modifyitems(items)
    assert [item.number for item in items] == [0, 2, 1, 3]
    assert len(list(conftest.TESTS.rglob(conftest.SHORT))) == 1
