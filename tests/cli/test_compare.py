"""`compare` gives each Cell the same inputs in each mode, and names the first whose numbers differ."""

import json
import os
import stat
import sys

import numpy as np
import pytest

from ms_compat.cli import compare
from tests import quick
from tests.cli.conftest import ROOT

NET = """
import os
import numpy as np
import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops


class Doubled(nn.Cell):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)
        self.weight = Parameter(Tensor(np.ones(3, np.float32)), name="weight")

    def construct(self, x, pair, scale=2.0):
        return self.norm(x + pair[0]) * self.weight * scale, ops.argmax(x)


class Odd(nn.Cell):
    def construct(self, x):
        if ms.get_context("mode") == ms.GRAPH_MODE:
            return x * 1.5
        return x + float(os.environ.get("ODD", "0"))


class Raising(nn.Cell):
    def construct(self, x):
        if ms.get_context("mode") == ms.GRAPH_MODE:
            raise ValueError("not here")
        return x


class Sloped(nn.Cell):
    def construct(self, x):
        return x * 1.0

    def bprop(self, x, out, dout):
        return (dout * float(os.environ.get("SLOPE", "1")),)


class Net(nn.Cell):
    def __init__(self, middle=None):
        super().__init__()
        self.first = Doubled()
        self.middle = middle or nn.Identity()
        self.drop = nn.Dropout(p=0.5)
        self.last = nn.SequentialCell(nn.Dense(3, 4), nn.ReLU())
        self.idle = nn.ReLU()

    def construct(self, x):
        x, _ = self.first(x, (x, 1), scale=3.0)
        return self.drop(self.last(self.middle(x)))


net = Net()
inputs = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)

if __name__ == "__main__":
    raise SystemExit("not here")
"""


def line(text):
    """Where a piece of the program stands."""
    return f"net.py:{NET[: NET.index(text)].count(chr(10)) + 1}"


LAST = line("return self.drop(")


@pytest.fixture(autouse=True)
def quick_compilation(monkeypatch):
    for name, value in quick.environment().items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def told(program, command):
    program(net=NET)

    def run(*arguments, status, **environment):
        done = command("compare", "net.py", "--json", *arguments, check=status, **environment)
        return json.loads(done.stdout)

    return run


@pytest.fixture
def oracle(tmp_path):
    """A "Python with MindSpore": this one, with ms_compat, where the environment says ODD=1 and SLOPE=3."""
    path = tmp_path / "oracle"
    run = f"PYTHONPATH='{ROOT}' exec '{sys.executable}' -m ms_compat run --no-check \"$@\""
    path.write_text(f"#!/bin/sh\nODD=1 SLOPE=3 {run}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_modes_agree(told):
    found = told("--train", status=0)
    assert found["reference"] == "PYNATIVE" and found["first"] is None
    cells = {cell["cell"]: cell for cell in found["cells"]}
    assert list(cells) == ["first.norm", "first", "middle", "last.0", "last.1", "last", "drop", ""]
    assert cells["first"]["class"] == "Doubled" and cells["first"]["where"].endswith(line("x, _ = self.first"))
    assert cells["first.norm"]["where"].endswith(line("return self.norm"))
    assert found["never called"] == ["idle"]
    assert cells["drop"]["skipped"] == cells[""]["skipped"] == "it draws random numbers"
    assert cells["last"]["GRAPH forward"]["difference"] < 1e-6
    assert cells["last"]["GRAPH gradient"] == {**cells["last"]["GRAPH gradient"], "agrees": True, "text": ""}
    assert cells["first"]["GRAPH gradient"]["text"] == "none"  # its outputs are not all floats


@pytest.mark.parametrize(
    ("net", "text"), [("Net(Odd())", "instead of"), ("lambda: Net(Raising())", "ValueError: not here")]
)
def test_the_first_cell_that_differs_is_named(told, net, text):
    found = told("--net", net, status=1)
    first = found["first"]
    assert (first["cell"], first["engine"], first["part"]) == ("middle", "GRAPH", "forward")
    assert first["where"].endswith(LAST) and text in first["text"]
    cells = {cell["cell"]: cell for cell in found["cells"]}
    assert cells["last"]["GRAPH forward"]["agrees"]  # it is given what it was given in PYNATIVE_MODE
    assert not cells[""]["GRAPH forward"]["agrees"]


@pytest.mark.skipif(os.name == "nt", reason="the oracle of this test is a shell script")
def test_the_oracle_is_the_reference(program, command, oracle):
    program(net=NET)
    done = command("compare", "net.py", "--oracle", oracle, "--net", "Net(Sloped())", check=1)
    assert "DIFFERS" in done.stdout
    last = done.stdout.strip().splitlines()[-1]
    named = f"The first Cell that differs: middle, a Sloped called at {LAST}: its gradient under PYNATIVE: "
    assert last.startswith(named)
    done = command("compare", "net.py", "--oracle", oracle, check=0)
    assert "8 Cells agree." in done.stdout


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--net", "nothing"), "name 'nothing' is not defined"),
        (("--net", "Tensor(1)"), "is no Cell"),
        (("--inputs", "1 / 0"), "ZeroDivisionError"),
        (("--oracle", "nowhere/python"), "nowhere/python"),
    ],
)
def test_a_net_that_cannot_be_run_ends_with_2(program, command, arguments, text):
    program(net=NET)
    done = command("compare", "net.py", *arguments, check=2)
    assert done.stdout == "" and text in done.stderr


def test_a_script_that_is_not_there(command):
    assert "can't open file" in command("compare", "nowhere.py", check=2).stderr


F32, F16, I64 = np.float32, np.float16, np.int64


@pytest.mark.parametrize(
    ("right", "got", "agrees", "text"),
    [
        (np.array([1, 2], F32), np.array([1, 2.00001], F32), True, ""),
        (np.array([1, 2], F32), np.array([1, 2.001], F32), False, "2.001 instead of 2 at [1]"),
        (np.array([1, 2000], F32), np.array([1.01, 2000], F32), True, ""),
        (np.array([1, 2], F16), np.array([1, 2.002], F16), True, ""),
        (np.array([0, 0], F32), np.array([0, 1e-3], F32), False, "instead of 0"),
        (np.array([1, np.nan], F32), np.array([1, np.nan], F32), True, ""),
        (np.array([1, np.nan], F32), np.array([1, 3], F32), False, "NaN"),
        (np.array([1, np.inf], F32), np.array([1, -np.inf], F32), False, "infinities"),
        (np.array([1, 2]), np.array([1, 3]), False, "1 of 2 numbers differ"),
        (np.array([True]), np.array([True]), True, ""),
        (np.zeros((2, 1), F32), np.zeros((2,), F32), False, "shape (2,) instead of (2, 1)"),
        (np.zeros((0,), F32), np.zeros((0,), F32), True, ""),
        (np.array([1 + 1j]), np.array([1 + 2j]), False, "instead of"),
    ],
)
def test_differences_are_measured_by_the_largest_number(right, got, agrees, text):
    verdict = compare._of_arrays(right, got, "T", "T", None)
    assert verdict.agrees == agrees and text in verdict.text
    assert not compare._of_arrays(right, got, "Float32", "Float16", None).agrees


def test_a_tolerance_of_one_s_own():
    right, got = np.array([1.0, 2.0], F32), np.array([1.0, 2.1], F32)
    assert compare._of_arrays(right, got, "T", "T", 0.1).agrees
    assert not compare._of_arrays(right, right + F32(1e-6), "T", "T", 0.0).agrees


def test_errors_and_counts_of_results():
    error = {"error": "ValueError", "text": "no"}
    one = [{"tensor": 0, "dtype": "Float32"}]
    numbers = [np.ones(2, F32)]
    assert compare._verdict(error, [], {**error, "text": "other"}, [], None).text == "ValueError in both"
    assert compare._verdict(error, [], one, numbers, None) == (False, None, "no ValueError: no")
    assert compare._verdict(one, numbers, error, [], None) == (False, None, "ValueError: no")
    assert compare._verdict(one, numbers, one * 2, numbers, None).text == "2 results instead of 1"
    assert compare._verdict([], [], [], [], None) == (True, None, "none")
