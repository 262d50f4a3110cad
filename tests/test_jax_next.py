"""The command that runs a part of the suite on another JAX; here without an environment of its own."""

import pathlib
import subprocess
import sys

import jax

from tests import jax_next


def test_the_newest_jax_may_be_a_pre_release_and_is_installed_last(tmp_path):
    make, others, newest, report, tests = jax_next.commands("python3", tmp_path, None, [])
    assert make == ["python3", "-m", "venv", str(tmp_path)]
    assert newest[-4:] == ["--upgrade", "--pre", "jax", "jaxlib"]
    assert not any(line.startswith(("jax", "--pre")) for line in others)
    assert any(line.startswith("flax") for line in others)
    assert report[1] == "-c"
    assert tuple(tests[-len(jax_next.PART) :]) == jax_next.PART


def test_a_version_and_tests_can_be_chosen_and_an_environment_is_used_again(tmp_path):
    inside = pathlib.Path(jax_next.commands("python3", tmp_path, None, [])[1][0])
    inside.parent.mkdir()
    inside.touch()
    _, version, _, tests = jax_next.commands("python3", tmp_path, "0.10.0", ["tests/nn", "-k", "conv"])
    assert version[-2:] == ["jax==0.10.0", "jaxlib==0.10.0"]
    assert tests[-3:] == ["tests/nn", "-k", "conv"]


def test_the_part_exists_and_the_report_runs():
    assert all((jax_next.ROOT / path).exists() for path in jax_next.PART)
    done = subprocess.run([sys.executable, "-c", jax_next.REPORT], cwd=jax_next.ROOT, capture_output=True, text=True)
    assert f"JAX {jax.__version__}; of what ms_compat can use it lacks nothing" in done.stdout, done.stderr


def test_the_first_step_that_fails_ends_it(tmp_path, monkeypatch):
    fails = [sys.executable, "-c", "raise SystemExit(3)"]
    creates = [sys.executable, "-c", f"open({str(tmp_path / 'later')!r}, 'w')"]
    monkeypatch.setattr(jax_next, "commands", lambda *_: [fails, creates])
    assert jax_next.main(["--python", sys.executable, "--jax", "0.10.0"]) == 3
    assert not (tmp_path / "later").exists()
