"""What was tried of packages for MindSpore is the same in the guide and on the command line."""

import json
import pathlib
import re

import pytest

from ms_compat.__main__ import main
from tests.ecosystem.figures import counted
from tests.ecosystem.table import COLUMNS, PACKAGES, shown, table


def test_the_guide_shows_the_table():
    assert shown() == table(), "run: python -m tests.ecosystem.table"


@pytest.mark.parametrize("package", PACKAGES)
def test_rows_are_whole(package):
    row = PACKAGES[package]
    assert set(row) == set(COLUMNS) and all(row.values())
    imported, _, modules = row["imports"].partition("/")
    assert 0 < int(imported) <= int(modules)


@pytest.mark.parametrize("package", counted())
def test_figures_are_those_of_the_marked_suite(package):
    assert {**PACKAGES[package], **counted()[package]} == PACKAGES[package], "run: python -m tests.ecosystem.table"


def test_ci_tries_packages_in_the_versions_of_the_table():
    pinned = re.findall(r"(\w+)==([\d.]+)", (pathlib.Path(__file__).parents[2] / ".ci" / "run").read_text())
    assert len(pinned) == 3
    assert {name: version for name, version in pinned} == {name: PACKAGES[name]["version"] for name, _ in pinned}


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A package that uses one name that is served and one that is not."""
    folder = tmp_path / "mindtiny"
    folder.mkdir()
    (folder / "__init__.py").write_text("import mindspore as ms\nraise SystemExit\n")
    (folder / "net.py").write_text("from mindspore import nn\nnn.Dense(1, 2)\nnn.NoSuchCell()\n")
    monkeypatch.syspath_prepend(tmp_path)
    return folder


def test_an_installed_package_is_checked_without_importing_it(installed, capsys):
    assert main(["check", "--package", "mindtiny", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["package"] == {"name": "mindtiny", "installed": True} and told["files"] == 2
    assert [found["name"] for found in told["findings"]] == ["mindspore.nn.NoSuchCell"]


def test_a_package_that_is_not_installed_shows_what_was_tried(monkeypatch, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["check", "--package", "mindone"]) == 0
    out = capsys.readouterr().out
    assert PACKAGES["mindone"]["imports"] in out and "not installed" in out


def test_a_package_that_nobody_knows(capsys):
    assert main(["check", "--package", "mindnothing"]) == 2
    assert "mindnothing" in capsys.readouterr().err
