"""`compare` gives each Cell the same inputs in each mode, and names the first whose numbers differ."""

import functools
import json
import os
import stat
import sys

import numpy as np
import pytest

import ms_compat
from ms_compat.cli import compare
from ms_compat.cli._started import probe
from tests import fast_compile
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
    for name, value in fast_compile.environment().items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def command(command):
    """Runs a command; those that `compare` starts compile everything, which imports read."""
    return functools.partial(command, begin={"MS_COMPAT_COLD_TIER": "0"})


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
    # hooks of a Cell with a bprop of its own are not called, as in MindSpore: the difference shows in the net
    assert last.startswith("The first Cell that differs: (the net), a Net: its gradient under PYNATIVE: ")
    done = command("compare", "net.py", "--oracle", oracle, check=0)
    assert "8 Cells agree." in done.stdout


GRAPH_NET = """
import numpy as np
import mindspore as ms
from mindspore import Tensor, nn

ms.set_context(mode=ms.GRAPH_MODE)


class Jitted(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()

    @ms.jit
    def construct(self, x):
        return self.relu(x)


def inputs():
    ms.set_context(mode=ms.GRAPH_MODE)
    return Tensor(np.ones((2, 3), np.float32))


net = nn.SequentialCell(nn.Dense(3, 4), Jitted())
random = nn.SequentialCell(nn.Dropout(p=0.5))
net(inputs())
"""


def test_the_modes_that_a_script_sets_hide_no_cell(program, command):
    """GRAPH_MODE at the top, `ms.jit` on `construct`, and a first call before the comparison."""
    program(graph=GRAPH_NET)
    done = command("compare", "graph.py", check=0)
    assert [line.split()[0] for line in done.stdout.splitlines() if "0.0e+00" in line] == ["0", "1.relu", "1", "(the"]
    assert done.stdout.endswith("4 Cells agree.\n")


@pytest.mark.parametrize(("count", "text"), [(1, "1 Cell agrees."), (2, "2 Cells agree."), (0, "")])
def test_the_last_line_counts_what_was_compared(count, text, capsys):
    compare._print({"reference": "A", "first": None, "compared": count, "cells": [], "never called": []}, ["A", "B"])
    assert [line for line in capsys.readouterr().out.splitlines() if "agree" in line] == [text][: bool(text)]


def test_nothing_compared_is_no_agreement(program, command):
    program(graph=GRAPH_NET)
    done = command("compare", "graph.py", "--net", "random", "--train", check=2)
    assert done.stderr == "ms-compat compare: no Cell could be compared: it draws random numbers\n"
    assert "agree" not in done.stdout


@pytest.fixture
def failure(program, monkeypatch):
    """Records a script in this process, as `compare` does in another, and gives what it says."""
    monkeypatch.setattr(sys, "argv", [])
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.setitem(sys.modules, "__compared__", None)
    ms_compat.install.install()

    def run(source, net="net", inputs="inputs"):
        folder = program(script=source)
        job = {"script": "script.py", "net": net, "inputs": inputs, "arguments": [], "seed": 0, "train": False}
        with pytest.raises(probe.Failed) as raised:
            probe.record({**job, "folder": str(folder)})
        return str(raised.value)

    yield run
    ms_compat.uninstall()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"net": "nothing"}, "script.py defines no 'nothing': name a Cell by --net, such as --net 'net'"),
        ({"inputs": "none"}, "script.py defines no 'none': name its inputs by --inputs, such as --inputs 'Tensor("),
        ({"net": "Tensor(1)"}, "--net: 'Tensor(1)' must be a Cell or a function that returns one, got Tensor"),
        ({"net": "lambda: Net(1, 2)"}, "--net: 'lambda: Net(1, 2)' was called without arguments: TypeError: "),
        ({"inputs": "1 / 0"}, "--inputs: ZeroDivisionError: division by zero"),
        ({"inputs": "Tensor(1)"}, f"'net' called with 'Tensor(1)': {line('return self.norm')}: "),
    ],
)
def test_a_net_that_cannot_be_run_is_one_line(failure, options, text):
    found = failure(NET, **options)
    assert found.startswith(text.replace("net.py", "script.py")) and "\n" not in found


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("import mindspore.nn as nn\n\nclass Small(nn.Cell): pass\n",
         "script.py defines no 'net': name a Cell by --net, such as --net 'Small()'"),
        ("x = 1\n", "script.py defines no 'net': name a Cell by --net, such as --net 'Net()'"),
        ("\nx = [\n", "script.py:2: SyntaxError: '[' was never closed"),
        ("def f():\n    raise ValueError('first\\nsecond')\n\nf()\n", "script.py:2: ValueError: first"),
        ("raise SystemExit(3)\n", "script.py ended itself (exit status 3) before it made the net"),
    ],
)  # fmt: skip
def test_a_script_that_makes_no_net_is_one_line(failure, source, text):
    assert failure(source) == text


@pytest.mark.parametrize(
    ("source", "arguments", "text"),
    [
        ("x = 1", (), "script.py defines no 'net': name a Cell by --net, such as --net 'Net()'"),
        ("import os\nos._exit(7)", (), "record under PYNATIVE ended with 7"),
        ("", ("--timeout", "0.1"), "record under PYNATIVE took longer than 0.1 s, which --timeout sets"),
        ("", ("--oracle", "nowhere/python"), "can't start 'nowhere/python': No such file or directory"),
        ("", ("--oracle", sys.executable),
         f"--oracle: '{sys.executable}' has no MindSpore (No module named 'mindspore')"),
    ],
)  # fmt: skip
def test_one_line_and_2_where_nothing_can_be_compared(program, command, source, arguments, text):
    program(script=source)
    done = command("compare", "script.py", *arguments, check=2)
    assert (done.stdout, done.stderr) == ("", f"ms-compat compare: {text}\n")


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
