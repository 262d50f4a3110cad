"""`pytest -p ms_compat.pytest` answers `import mindspore`, and runs tests in the mode that is asked for."""

import os
import re
import subprocess
import sys

import pytest

from tests.cli.conftest import ROOT

TESTS = '''
"""
>>> ms.get_context("mode") in (0, 1)
True
"""
import importlib.metadata
import unittest

import mindspore as ms
import pytest


@pytest.fixture
def made():
    return ms.get_context("mode")


def test_plain(made):
    assert made == ms.get_context("mode")
    assert importlib.metadata.version("mindspore") == ms.__version__
    ms.set_context(mode=ms.GRAPH_MODE)  # is undone


@pytest.mark.parametrize("x", [1, 2])
def test_asked(ms_mode, x):
    assert ms.get_context("mode") == {"graph": 0, "pynative": 1}[ms_mode]


class OfUnittest(unittest.TestCase):
    def setUp(self):
        self.mode = ms.get_context("mode")

    def test_method(self):
        if self.mode != ms.PYNATIVE_MODE:
            ms.ops.zeros("in graph mode")
'''


@pytest.fixture
def outcomes(tmp_path):
    (tmp_path / "conftest.py").write_text("import mindspore\n")
    (tmp_path / "test_it.py").write_text(TESTS)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"}
    environment.pop("PYTEST_ADDOPTS", None)

    def run(*arguments):
        command = [sys.executable, "-m", "pytest", "-p", "ms_compat.pytest", "-W", "error", "-rA", *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600)
        found = re.findall(r"^(PASSED|FAILED) test_it\.py::(\S+)", done.stdout, re.M)
        return done, {name: outcome for outcome, name in found}

    return run


ONCE = dict.fromkeys(["test_plain", "test_asked[1]", "test_asked[2]", "OfUnittest::test_method"], "PASSED")


def test_without_a_mode_the_context_is_the_tests_own(outcomes):
    done, found = outcomes()
    assert found == {**ONCE, "OfUnittest::test_method": "FAILED"}, done.stdout  # for the mode that a test before it set
    assert "served by ms_compat" in done.stdout


def test_one_mode(outcomes):
    done, found = outcomes("--ms-mode", "graph")
    assert done.returncode == 1
    assert found == {**ONCE, "OfUnittest::test_method": "FAILED"}
    assert "in graph mode" in done.stdout
    assert "_core" not in done.stdout  # frames of the package are left out
    assert outcomes("--ms-mode", "pynative")[0].returncode == 0


EACH_TWICE = {
    name.format(mode): "PASSED"
    for name in ("test_plain[{}]", "test_asked[{}-1]", "test_asked[{}-2]", "OfUnittest::test_method[{}]", "test_it[{}]")
    for mode in ("pynative", "graph")
} | {"OfUnittest::test_method[graph]": "FAILED"}


@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["here", "in a worker"])
def test_both_runs_each_test_twice(outcomes, workers):
    if workers:
        pytest.importorskip("xdist")
    done, found = outcomes("--ms-mode", "both", "--doctest-modules", *workers)
    assert found == EACH_TWICE, done.stdout
    assert done.returncode == 1
    again, found = outcomes("--ms-mode", "both", "--doctest-modules", "--lf")
    assert found == {"OfUnittest::test_method[graph]": "FAILED"}, again.stdout


def test_a_mode_that_is_none(outcomes):
    done, _ = outcomes("--ms-mode", "eager")
    assert done.returncode == 4
    assert "--ms-mode" in done.stderr
