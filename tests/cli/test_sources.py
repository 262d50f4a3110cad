"""`ms-compat check` reads scripts, notebooks and folders, and does not reassure about what it cannot read."""

import json
import random

import pytest

from ms_compat import __main__ as cli
from ms_compat.cli._scan import examine

GOOD = "import mindspore as ms\nms.Tensor([1.0])\n"


def notebook(*cells, language="python"):
    made = [{"cell_type": "code", "source": cell, "metadata": {}, "outputs": []} for cell in cells]
    made.insert(0, {"cell_type": "markdown", "source": ["# mindspore.nope ("], "metadata": {}})
    return json.dumps({"cells": made, "metadata": {"language_info": {"name": language}}, "nbformat": 4})


UNREADABLE = {
    "syntax.py": b"import mindspore\ndef f(:\n",
    "python2.py": b"print 'hello'\n",
    "random.py": random.Random(0).randbytes(500),
    "nul.py": b"import mindspore\x00\n",
    "encoding.py": b"# coding: nonsense\nimport mindspore\n",
    "latin.py": b"x = '\xe9'\n",
    "deep.py": b"x = " + b"(" * 5000 + b")" * 5000,
    "sum.py": b"x = 1" + b" + 1" * 30000,
    "random.ipynb": random.Random(1).randbytes(500),
    "list.ipynb": b"[1, 2]",
    "deep.ipynb": b"[" * 100000,
    "cells.ipynb": b'{"cells": [{"cell_type": "code", "source": 3}]}',
    "syntax.ipynb": notebook("x = 1", "def f(:").encode(),
    "julia.ipynb": notebook("x = 1", language="julia").encode(),
    "text.txt": b"this is no program",
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_said(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(UNREADABLE[name])
    assert cli.main(["check", name]) == 2
    out, err = capsys.readouterr()
    assert "served" not in out and f"can't read {name}" in err


def test_the_place_of_an_error_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("syntax.py", "syntax.ipynb"):
        (tmp_path / name).write_bytes(UNREADABLE[name])
    cli.main(["check", "syntax.py", "syntax.ipynb"])
    err = capsys.readouterr().err
    assert "can't read syntax.py:2: " in err and "can't read syntax.ipynb, cell 2:1: " in err


def test_a_local_module_that_cannot_be_read_is_told(program, capsys):
    program(main="import mindspore\nimport other\n", other="def f(:\n")
    assert cli.main(["check", "main.py"]) == 2
    assert "can't read other.py:1" in capsys.readouterr().err


def test_findings_are_listed_beside_what_cannot_be_read(program, missing, capsys):
    program(main=f"from mindspore.ops import {missing}\n", other="def f(:\n")
    assert cli.main(["check", "main.py", "other.py"]) == 2
    assert missing in capsys.readouterr().out


MAGICS = [
    "%matplotlib inline\n!pip install mindspore\n",
    "import mindspore as ms\nfiles = !ls\nx = %time 3\n?ms.Tensor\nms.Tensor?\n",
    ["%%time\n", "ms.nope_one\n"],
    "%%bash\nfor i in 1 2; do echo $i; done",
    "for i in range(2):\n    %timeit -n 10 ms.nope_two\n    !echo {i}\n",
    "text = '''\n%not a magic\n'''\nms.nope_three\n",
]


def test_notebooks_are_read_with_their_magics(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.ipynb").write_text(notebook(*MAGICS))
    findings, unreadable = examine([tmp_path / "a.ipynb"])
    assert not unreadable
    assert [(item.file, item.line, item.name) for item in findings] == [
        ("a.ipynb, cell 3", 2, "mindspore.nope_one"),
        ("a.ipynb, cell 5", 2, "mindspore.nope_two"),
        ("a.ipynb, cell 6", 4, "mindspore.nope_three"),
    ]
    assert cli.main(["check", "a.ipynb"]) == 1
    (tmp_path / "b.ipynb").write_text(notebook(GOOD))
    assert cli.main(["check", "b.ipynb"]) == 0


def test_folders_are_walked(tmp_path, monkeypatch, missing, capsys):
    monkeypatch.chdir(tmp_path)
    files = {
        "a/b/c.py": f"from mindspore import ops\nops.{missing}()\n",
        "a/d.ipynb": notebook(f"import mindspore.ops as o\no.{missing}"),
        "a/.hidden/x.py": "def f(:",
        "a/venv/pyvenv.cfg": "",
        "a/venv/x.py": "def f(:",
        "a/data.txt": "no program",
        "good/x.py": GOOD,
        "none/data.txt": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert cli.main(["check", "good"]) == 0
    assert cli.main(["check", "a"]) == 1
    out = capsys.readouterr().out
    assert "2 uses" in out and "c.py:2" in out
    assert cli.main(["check", "none", "good"]) == 2
    assert "no Python file" in capsys.readouterr().err
