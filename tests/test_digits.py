"""The main job: a MindSpore training script on real images, unchanged, in every mode and style.

`tests/conformance/data/digits_lenet.json` holds what MindSpore itself gave for the same arguments: the first losses
from equal initial weights, and the accuracy after five epochs.
"""

import json
import os
import pathlib
import re

import pytest

from tests import fast_compile, prepared

TESTS = pathlib.Path(__file__).parent
SCRIPT = TESTS / "scripts" / "digits_lenet.py"
RECORDED = json.loads((TESTS / "conformance" / "data" / "digits_lenet.json").read_text())
COMBINATIONS = [(case["mode"], case["style"]) for case in RECORDED["cases"]]


def run(*command, cwd=TESTS.parent, **more):
    """The last line of a program's output."""
    environment = {**os.environ, "PYTHONPATH": str(TESTS.parent), **more}
    done = prepared.run(command, cwd=cwd, env=environment, timeout=600)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout.strip().splitlines()[-1]


def accuracy(line):
    return float(re.fullmatch(r"accuracy: (\d\.\d+)", line).group(1))


@pytest.mark.parametrize(("mode", "style"), COMBINATIONS)
def test_first_losses_equal_mindspore(mode, style, tmp_path):
    case = next(c for c in RECORDED["cases"] if (c["mode"], c["style"]) == (mode, style))
    record = tmp_path / "record.json"
    chosen = ["--mode", mode, "--style", style, "--record", record]
    run("-m", "ms_compat", "run", SCRIPT, *chosen, *RECORDED["steps_arguments"], **fast_compile.environment())
    losses = json.loads(record.read_text())["losses"]
    assert len(losses) == len(case["losses"]) == 20
    assert losses == pytest.approx(case["losses"], abs=1e-3)


# Each mode and each style once: the first losses are compared in all four.
@pytest.mark.parametrize(("mode", "style"), [("graph", "model"), ("pynative", "functional")])
def test_accuracy_after_five_epochs(mode, style):
    line = run("-m", "ms_compat", "run", SCRIPT, "--epochs", "5", "--mode", mode, "--style", style)
    assert accuracy(line) >= 0.97


def test_the_install_call_before_the_script(tmp_path):
    code = (
        f"import ms_compat, runpy, sys; ms_compat.install(); sys.argv = ['x', '--limit-steps', '3']; "
        f"runpy.run_path({str(SCRIPT)!r}, run_name='__main__')"
    )
    assert 0.0 <= accuracy(run("-c", code, cwd=tmp_path, **fast_compile.environment())) <= 1.0


def test_ms_compat_spelled_in_the_script(tmp_path):
    assert accuracy(run(TESTS / "scripts" / "digits_functional_ms_compat.py", cwd=tmp_path)) >= 0.9
