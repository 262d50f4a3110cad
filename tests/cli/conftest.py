"""What the tests of the commands share: names that are missing, and a program run in a process of its own."""

import os
import pathlib

import pytest

import ms_compat
from ms_compat._names import api_index
from ms_compat._names.resolve import is_served
from tests import prepared

ROOT = pathlib.Path(ms_compat.__file__).parents[1]


@pytest.fixture(scope="session")
def missing():
    """A public name of `mindspore.ops` that ms_compat does not serve."""
    names = sorted(api_index.modules()["mindspore.ops"])
    return next(name for name in names if not is_served(f"mindspore.ops.{name}"))


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Writes files, given as `name=source` with "__" for "/", and makes their folder the current one."""
    monkeypatch.chdir(tmp_path)

    def write(**files):
        for name, source in files.items():
            path = tmp_path / (name.replace("__", "/") + ".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(source)
        return tmp_path

    return write


@pytest.fixture
def command(tmp_path):
    """Runs `python -m ms_compat ...` in the test's folder; `begin` is that of `prepared.forking`."""

    def run(*arguments, check=None, begin=None, **environment):
        variables = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu", **(begin or {}), **environment}
        command = ["-m", "ms_compat", *map(str, arguments)]
        done = prepared.run(command, cwd=tmp_path, env=variables, timeout=600, begin=begin or {}, nested=True)
        if check is not None:
            assert done.returncode == check, done.stdout + done.stderr
        return done

    return run
