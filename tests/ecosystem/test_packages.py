"""Packages for MindSpore import as far as the table says, and mindone's models compute what HuggingFace's do."""

import importlib.metadata
import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest

from tests.ecosystem.mindone_models import FAMILIES
from tests.ecosystem.table import PACKAGES

HERE = pathlib.Path(__file__).parent
pytestmark = pytest.mark.ecosystem


def ran(script, *arguments):
    """What a script prints last, run as a user would; in a process of its own, since packages change what they find."""
    command = [sys.executable, "-m", "ms_compat", "run", str(HERE / script), *arguments]
    # packages of several years hold generated protobuf code of as many versions; in Python all of it is read
    environment = {**os.environ, "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


@pytest.mark.parametrize("package", PACKAGES)
def test_modules_import(package):
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    row = PACKAGES[package]
    if importlib.metadata.version(package) != row["version"]:
        pytest.skip(f"{package} {importlib.metadata.version(package)} is not the version that was tried")
    found = ran("imports.py", package)
    imported, _, modules = row["imports"].partition("/")
    assert found["modules"] == int(modules)
    assert found["modules"] - sum(found["failed"].values()) >= int(imported), found["failed"]


@pytest.mark.parametrize("family", FAMILIES)
def test_models_of_mindone_equal_huggingface(family):
    for package in ("mindone", "torch", "transformers"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    differences = ran("mindone_models.py", family)
    assert set(differences) == {"PYNATIVE", "PYNATIVE gradient", "GRAPH", "GRAPH gradient"}
    assert max(differences.values()) < 1e-4, differences
