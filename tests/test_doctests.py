"""The examples in the docstrings, executed."""

import doctest
import importlib
import pathlib
import re

import pytest

import ms_compat
from ms_compat.dataset import config

PACKAGE = pathlib.Path(ms_compat.__file__).parent
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
SOURCES = re.compile(r">>>|function\.examples import")  # examples, or a table's operations that have some
MODULES = sorted(
    ".".join(("ms_compat", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
    for path in PACKAGE.rglob("*.py")
    if SOURCES.search(path.read_text()) and path.name != "__main__.py"
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(config, "_chosen", set(config._chosen))  # what examples set is forgotten again
    ms_compat.uninstall()  # with the hook, classes have the names of MindSpore's modules, and doctest passes over them
    failed, tried = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert failed == 0, capsys.readouterr().out
    assert tried > 0, "an example that no docstring of the module holds"
