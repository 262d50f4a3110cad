"""`python -m tests.of NAME` finds the tests of a public name, and nothing of names that only look like it."""

import subprocess
import sys

import pytest

from tests import of
from tests.conformance import owners

FILE = """
import pytest
from ms_compat import Tensor, ops
from ms_compat.ops import lerp as mix

def helper(x):
    return ops.lerp(x, x, 0.5)

def test_in_the_function():
    ops.lerp(Tensor(1.0), Tensor(2.0), 0.5)

def test_in_a_helper():
    helper(Tensor(1.0))

def test_under_another_name():
    mix(Tensor(1.0), Tensor(2.0), 0.5)

@pytest.mark.parametrize("name", ["lerp", "exp"])
def test_looked_up(name):
    getattr(ops, name)

@pytest.mark.parametrize("case", [{"expr": "ops.lerp(x, x, 2)"}, {"expr": "ops.lerp_(x)"}, {"expr": "mint.lerp(x)"}],
                         ids=["same", "longer", "elsewhere"])
def test_recorded(case):
    pass

def test_of_something_else():
    ops.exp(Tensor(1.0))
"""


def test_a_test_is_found_by_its_function_helpers_imports_and_parameters(tmp_path):
    file = tmp_path / "test_file.py"
    file.write_text(FILE)
    run = "import sys, pytest; from tests import of; wanted = of.Wanted('mindspore.ops.lerp'); "
    run += "pytest.main(sys.argv[1:], plugins=[of.Selection(wanted)])"
    options = ["--collect-only", "-q", "-p", "no:cacheprovider", "-c", str(tmp_path / "pytest.ini")]
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-c", run, str(file), *options]
    done = subprocess.run(command, capture_output=True, text=True, cwd=owners.TESTS.parent)
    names = [line.partition("::")[2] for line in done.stdout.splitlines() if "::" in line]
    assert names == [
        "test_in_the_function",
        "test_in_a_helper",
        "test_under_another_name",
        "test_looked_up[lerp]",
        "test_recorded[same]",
    ], done.stdout + done.stderr
    assert "mindspore.ops.lerp: 5 tests\n  test_file.py: 5\n" in done.stdout


@pytest.mark.parametrize(
    "text", ["ops.lerp", "mint.add", "nn.Dense", "Tensor.view", "ms.ops.exp", "dataset.vision.Resize"]
)
def test_public_names_are_known(text):
    assert of.public_name(text) == f"mindspore.{text.removeprefix('ms.')}"


@pytest.mark.parametrize("text", ["lerp", "ops.lerpp", "nn.dense", "", "ops.", "nowhere.add"])
def test_an_unknown_name_ends_with_2(text, capsys):
    assert of.main([text]) == 2
    said = capsys.readouterr().err
    assert f"{text!r} is not a public name" in said and ("did you mean" in said or "ops.lerp, nn.Dense" in said)


def test_the_hint_names_what_is_near():
    assert of.nearest("ops.lerpp") == ["ops.lerp"]
    assert "nn.Dense" in of.nearest("nn.Dens")
    assert of.nearest("lerp") == ["ops.lerp", "mint.lerp", "Tensor.lerp"]


def test_methods_count_with_any_object_and_words_end():
    view = of.Wanted("mindspore.Tensor.view")
    assert view.is_in("x.view(2, 3)", {}) and view.is_in("Tensor.view(x, 6)", of.ALIASES)
    assert not view.is_in("x.view_as(y)", {}) and not view.is_in("x.review(2)", {})
    add = of.Wanted("mindspore.ops.add")
    assert add.is_in("ops.add(x, y)", of.ALIASES) and not add.is_in("ops.addmm(x, y, z) + ops.add_(x)", of.ALIASES)


def test_files_are_those_that_mention_it_and_those_that_run_its_recorded_cases():
    found = {path.relative_to(of.TESTS).as_posix() for path in of.files(of.Wanted("mindspore.ops.lerp"))}
    assert "ops/function/elementwise/test_arithmetic.py" in found and "ops/function/loss/test_ctc.py" not in found
