"""`run` starts modules, texts, standard input and notebooks as Python does, and tells where the time went."""

import json
import os
import re
import signal
import subprocess
import sys

import pytest

from ms_compat.cli import _watch
from tests import prepared
from tests.cli.conftest import ROOT

SHOWS = (
    "import sys, mindspore\n"
    "print(sys.argv, __name__, __package__, __spec__ and __spec__.name, sys.path[0], mindspore.__name__)\n"
)


def python(folder, *arguments, text=None):
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, timeout=600, input=text
    )


@pytest.mark.parametrize(
    ("module", "path", "parts"), [("pkg.main", "main", "pkg.main"), ("pkg", "__main__", "pkg.__main__")]
)
def test_modules(program, command, module, path, parts):
    folder = program(pkg__main=SHOWS)
    (folder / "pkg" / "__main__.py").write_text(SHOWS)
    done = command("run", "--strict", "-m", module, "--epochs", "3", "-c", check=0)
    argv = [str(folder / "pkg" / f"{path}.py"), "--epochs", "3", "-c"]
    assert done.stdout == f"{argv} __main__ pkg {parts} {folder} ms_compat\n"


def test_a_module_is_read_before_it_starts(program, command, missing):
    program(pkg__main=f"from pkg.low import x\nimport mindspore as ms\nms.ops.{missing}()\n")
    done = command("run", "-m", "pkg.main", check=1)
    assert "pkg/main.py:3" in done.stderr and "not started" in done.stderr


@pytest.mark.parametrize("name", ["nowhere", "json.nowhere", "pkg", "."])
def test_a_module_that_cannot_be_run(program, command, name):
    program(pkg__other="")
    done = command("run", "-m", name, check=1)
    assert done.stderr.startswith("ms-compat run: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "content", "hint"),
    [
        ("net.ckpt", b"\n\x05\x00\x01", "; 'ms-compat inspect' shows what a file of parameters holds"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\xff", ""),
        ("odd.py", b"# coding: nothing-such\n", ""),
    ],
)
def test_a_binary_file_is_named(command, tmp_path, name, content, hint):
    (tmp_path / name).write_bytes(content)
    done = command("run", name, check=2)
    assert (done.stdout, done.stderr) == ("", f"ms-compat run: can't run '{name}': it is not a Python program{hint}\n")


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("notebook", [False, True])
def test_ctrl_c_ends_a_program_as_python_does(program, notebook):
    source = "import os, signal\n\n\ndef f():\n    os.kill(os.getpid(), signal.SIGINT)\n\n\nf()\nprint('no')\n"
    folder = program(main=source)
    if notebook:
        cell = {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None}
        (folder / "main.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4}))
    name = "main.ipynb" if notebook else "main.py"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "ms_compat", "run", name]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == -signal.SIGINT and "no" not in done.stdout.split()
    if not notebook:
        theirs = python(folder, "main.py")
        assert (done.returncode, done.stderr) == (theirs.returncode, theirs.stderr.replace(f"{folder}/", ""))


def test_a_text(program, command):
    folder = program()
    done = command("run", "-c", SHOWS, "--epochs", "-m", "3", check=0)
    assert done.stdout == "['-c', '--epochs', '-m', '3'] __main__ None None  ms_compat\n"
    for text in ("def f():\n  1 / 0\nf()", "def f(:", "import sys; sys.exit(5)"):
        ours, theirs = command("run", "-c", text), python(folder, "-c", text)
        assert (ours.returncode, ours.stderr) == (theirs.returncode, theirs.stderr)


def test_standard_input(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"}
    command = ["-m", "ms_compat", "run", "-", "a"]
    done = prepared.run(command, cwd=tmp_path, env=environment, timeout=600, input=SHOWS + "1 / 0\n")
    assert done.stdout == "['-', 'a'] __main__ None None  ms_compat\n"
    assert done.stderr == python(tmp_path, "-", text="#\n#\n1 / 0\n").stderr
    assert done.returncode == 1


@pytest.mark.parametrize("arguments", [(), ("-m",), ("-c",), ("--strict",), ("--cache", "x")])
def test_nothing_to_run(command, arguments):
    assert "usage: ms-compat run" in command("run", *arguments, check=2).stderr


def book(folder, *cells):
    made = [{"cell_type": "code", "source": cell, "metadata": {}, "outputs": []} for cell in cells]
    (folder / "book.ipynb").write_text(json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}))


def test_a_notebook(program, command, tmp_path):
    pytest.importorskip("IPython")
    folder = program(helper="X = 7\n")
    book(
        folder,
        SHOWS,
        "%time import helper\nhelper.X",
        "await __import__('asyncio').sleep(0, 8)",
        "import sys; sys.exit(3)",
    )
    done = command("run", "book.ipynb", "--epochs", "3", check=3, IPYTHONDIR=str(tmp_path / "ipython"))
    lines = [line for line in done.stdout.splitlines() if "time" not in line]
    assert lines[:3] == [
        f"['book.ipynb', '--epochs', '3'] __main__ None None {folder} ms_compat", "Out[2]: 7", "Out[3]: 8"
    ]  # fmt: skip
    assert not (tmp_path / "ipython").exists()
    book(folder, "print(1)\n1 / 0", "print(2)")
    done = command("run", "book.ipynb", check=1)
    assert done.stdout.startswith("1\n") and "ZeroDivisionError" in done.stdout and "\n2\n" not in done.stdout


def test_a_notebook_is_read_before_it_starts(program, command, missing):
    folder = program()
    book(folder, "%matplotlib nothing", f"import mindspore as ms\nms.ops.{missing}()")
    done = command("run", "book.ipynb", check=1)
    assert "book.ipynb, cell 2:2: " in done.stderr and "not started" in done.stderr
    (folder / "bad.ipynb").write_text("{}")
    assert "it is not a notebook" in command("run", "--no-check", "bad.ipynb", check=2).stderr


TWO_SHAPES = """
import mindspore as ms
from mindspore import nn

ms.set_context(mode=ms.GRAPH_MODE)
net = nn.Dense(4, 3)

def evaluate(size):
    return net(ms.ops.ones((size, 4), ms.float32))

for size in (1, 2):
    evaluate(size)
"""


def test_profile_cache_and_explanations(program, command):
    folder = program(main=TWO_SHAPES)
    options = ("--profile", "trace", "--explain-recompiles", "--cache", "kept")
    first = command("run", *options, "main.py", check=0, MS_COMPAT_CACHE="0", MS_COMPAT_COLD_TIER="0")
    assert first.stdout == ""
    assert re.search(r"argument 0 was Tensor\[1, 4\] float32, is Tensor\[2, 4\] float32", first.stderr)
    programs, hits = map(int, re.search(r"(\d+) programs?, (\d+) of them from disk", first.stderr).groups())
    assert programs > hits  # what is compiled twice in one run may be found
    assert re.search(r"evaluate +main\.py:8 +2 ", first.stderr)
    assert list(folder.glob("kept/**/*.program")) and list(folder.glob("trace/**/*.xplane.pb"))
    second = command("run", "--profile", "--cache", "kept", "main.py", check=0, MS_COMPAT_COLD_TIER="0")
    programs, hits = map(int, re.search(r"(\d+) programs?, (\d+) of them from disk", second.stderr).groups())
    assert hits == programs
    assert "traced again" not in second.stderr
    third = command("run", "--profile", "--cache", "off", "main.py", check=0)
    assert " 0 of them from disk" in third.stderr


def test_a_profile_is_told_of_a_program_that_fails(program, command):
    program(main="def f():\n    raise ValueError('wrong')\nf()\n")
    done = command("run", "--profile", "main.py", check=1)
    assert "ValueError: wrong" in done.stderr and re.search(r"f +main\.py:1 +1 ", done.stderr)


def test_a_folder_that_cannot_be_written_is_refused_before_the_program_runs(program, command):
    folder = program(main="print('ran')")
    (folder / "file").write_text("")
    for option in ("--profile=file", "--profile=file/below"):
        done = command("run", option, "main.py", check=2)
        assert (done.stdout, done.stderr.count("\n")) == ("", 1) and "can't write to 'file" in done.stderr


def test_a_cache_folder_beside_jax_s_own_is_refused(program, command, tmp_path):
    program(main="")
    done = command("run", "--cache", "kept", "main.py", check=2, JAX_COMPILATION_CACHE_DIR=str(tmp_path / "own"))
    assert "JAX_COMPILATION_CACHE_DIR" in done.stderr


@pytest.mark.parametrize(
    ("spans", "length"), [([], 0), ([(0, 1), (0, 1)], 1), ([(2, 3), (0, 5), (4, 6)], 6), ([(0, 1), (2, 3)], 2)]
)
def test_nested_spans_count_once(spans, length):
    assert _watch.union(spans) == length
