"""What a JAX without one of its private names does: a feature is off, or importing the package says what is missing."""

import ast
import builtins
import logging
import os
import pathlib
import subprocess
import sys
import types

import jax
import pytest

from ms_compat._core.jax_compat import capabilities
from tests._core.jax_compat.without_features import Without

SOURCE = pathlib.Path(capabilities.__file__)
REQUIRED = ("jax._src.core.eval_context", "jax.core.ShapedArray", "jax.core.Tracer")
ROOT = SOURCE.parents[3]


def _names():
    """{the private names that `capabilities.py` uses, as dotted paths: the flags that need each}.

    A name belongs to the flag that is assigned next in the file.
    """
    found, waiting, meant = {}, [], {}
    for node in ast.parse(SOURCE.read_text()).body:
        if isinstance(node, ast.Try):
            for imported in node.body:
                if isinstance(imported, ast.ImportFrom):
                    for alias in imported.names:
                        path = f"{imported.module}.{alias.name}"
                        meant[alias.asname] = path
                        waiting.append(path)
        elif isinstance(node, ast.AnnAssign) and node.target.id.startswith("HAS_"):
            for call in ast.walk(node.value):
                if isinstance(call, ast.Call) and call.func.id == "hasattr":
                    waiting.append(f"{meant[call.args[0].id]}.{call.args[1].value}")
            for path in waiting:
                found.setdefault(path, []).append(node.target.id)
            waiting = []
    return found


NAMES = _names()
OPTIONAL = sorted(set(NAMES) - set(REQUIRED))


def loaded(path):
    """`capabilities.py`, executed once more without one name of JAX."""
    module = types.ModuleType("capabilities_again")
    module.__builtins__ = {**vars(builtins), "__import__": Without(path, hidden_from=(module.__name__,))}
    exec(compile(SOURCE.read_text(), str(SOURCE), "exec"), vars(module))
    return module


def test_this_jax_has_every_feature():
    """Each version that the README lists as tested runs this: otherwise a renamed name would only cost speed."""
    assert capabilities.missing_features() == []


def test_every_flag_says_what_happens_without_it_and_needs_names():
    flags = {name for name in vars(capabilities) if name.startswith("HAS_")}
    assert set(capabilities.WITHOUT) == flags
    assert {flag for needed in NAMES.values() for flag in needed} == flags | {"HAS_TRACE_CONTEXT"}
    assert set(REQUIRED) < set(NAMES)
    assert len(OPTIONAL) > 30


def test_the_readme_lists_every_feature_with_its_consequence():
    text = SOURCE.with_name("README.md").read_text("utf-8")
    for flag, consequence in capabilities.WITHOUT.items():
        row = next(line for line in text.splitlines() if line.startswith(f"| `{flag}` |"))
        assert row.endswith(f"| {consequence} |")


@pytest.mark.parametrize("path", OPTIONAL)
def test_a_missing_name_turns_its_feature_off_and_logs_one_line(path, caplog):
    with caplog.at_level(logging.DEBUG, "ms_compat"):
        module = loaded(path)
    missing = module.missing_features()
    assert missing and set(missing) <= set(NAMES[path])
    assert caplog.messages == [
        f"JAX {jax.__version__} lacks what {flag} needs: {module.WITHOUT[flag]}" for flag in missing
    ]


@pytest.mark.parametrize("path", REQUIRED)
def test_a_missing_required_name_is_one_error_that_says_which_jax_this_is(path):
    with pytest.raises(ImportError, match=rf"does not work with JAX {jax.__version__}.*{path.rpartition('.')[2]}"):
        loaded(path)


def test_a_required_api_names_the_version(monkeypatch):
    monkeypatch.setattr(capabilities, "HAS_OFFLOAD", False)
    with pytest.raises(NotImplementedError, match=rf"mindspore.nn.Cell.offload.*JAX {jax.__version__}"):
        capabilities.require("HAS_OFFLOAD", "mindspore.nn.Cell.offload")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process for each name takes minutes where none can be forked")
def test_without_any_feature_programs_run_and_give_the_same():
    names = {flag: path for path in reversed(OPTIONAL) for flag in NAMES[path]}
    command = [sys.executable, "-m", "tests._core.jax_compat.without_features", *sorted(set(names.values()))]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert (result.stdout, result.returncode) == ("", 0), result.stderr
