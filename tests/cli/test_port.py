"""`port` rewrites names and nothing else, leaves what it is not sure of to a person, and its copies run."""

import json

import pytest

from ms_compat import __main__ as cli
from ms_compat.cli._porting import port, today

# Program, and the same with today's names of MindSpore, and with ms_compat's.
CASES = {
    "import mindspore\nmindspore.nn.Dense\n": (
        None,
        "import ms_compat as mindspore\nmindspore.nn.Dense\n",
    ),
    "import mindspore as ms   # why\n\n\nx = ( ms.Tensor )\n": (
        None,
        "import ms_compat as ms   # why\n\n\nx = ( ms.Tensor )\n",
    ),
    "import os, mindspore.nn as nn, sys\n": (None, "import os, ms_compat.nn as nn, sys\n"),
    "import mindspore.nn, mindspore.ops\nmindspore.ops.relu\n": (
        None,
        "import ms_compat as mindspore, ms_compat as mindspore\nmindspore.ops.relu\n",
    ),
    "from mindspore.ops import operations as P\nP.ReLU ( )\n": (
        "from mindspore import ops as P\nP.ReLU ( )\n",
        "from ms_compat import ops as P\nP.ReLU ( )\n",
    ),
    "import mindspore.ops.operations\nmindspore.ops.operations.ReLU()\n": (
        "import mindspore.ops\nmindspore.ops.ReLU()\n",
        "import ms_compat as mindspore\nmindspore.ops.ReLU()\n",
    ),
    "from mindspore.train.serialization import (load_checkpoint,  # one\n    save_checkpoint)\n": (
        "from mindspore import (load_checkpoint,  # one\n    save_checkpoint)\n",
        "from ms_compat import (load_checkpoint,  # one\n    save_checkpoint)\n",
    ),
    "from mindspore import Tensor, ms_function\n@ms_function\ndef f(x):\n    return x\n": (
        "from mindspore import Tensor, jit as ms_function\n@ms_function\ndef f(x):\n    return x\n",
        "from ms_compat import Tensor, jit as ms_function\n@ms_function\ndef f(x):\n    return x\n",
    ),
    "import mindspore as ms\n@ms.ms_function\ndef f(x): return x.shape\n": (
        "import mindspore as ms\n@ms.jit\ndef f(x): return x.shape\n",
        "import ms_compat as ms\n@ms.jit\ndef f(x): return x.shape\n",
    ),
    "from mindspore.ops import ReLU, functional as F  # both\n": (
        "from mindspore.ops import ReLU  # both\nfrom mindspore import ops as F\n",
        "from ms_compat.ops import ReLU  # both\nfrom ms_compat import ops as F\n",
    ),
    "if x: from mindspore.ops import ReLU, functional as F; y = 1\n": (
        "if x: from mindspore.ops import ReLU; from mindspore import ops as F; y = 1\n",
        "if x: from ms_compat.ops import ReLU; from ms_compat import ops as F; y = 1\n",
    ),
    "import mindspore.dataset.vision.c_transforms as C\nC.Resize(3)\n": (
        "import mindspore.dataset.vision as C\nC.Resize(3)\n",
        "import ms_compat.dataset.vision as C\nC.Resize(3)\n",
    ),
    "from mindspore.ops import *\n": (None, "from ms_compat.ops import *\n"),
    # ms_function, however it is imported
    "from mindspore.common.api import ms_function as f\n@f\ndef g(x): return x\n": (
        "from mindspore import jit as f\n@f\ndef g(x): return x\n",
        "from ms_compat import jit as f\n@f\ndef g(x): return x\n",
    ),
    "from mindspore.common import ms_class\n@ms_class\nclass C: pass\n": (
        "from mindspore import jit_class as ms_class\n@ms_class\nclass C: pass\n",
        "from ms_compat import jit_class as ms_class\n@ms_class\nclass C: pass\n",
    ),
    "import mindspore\nf = mindspore.common.api.ms_function(fn=g)\n": (
        "import mindspore\nf = mindspore.jit(fn=g)\n",
        "import ms_compat as mindspore\nf = mindspore.jit(fn=g)\n",
    ),
    # keep_prob, which may also be the first argument without a name
    "import mindspore.nn as nn\nnn.Dropout( keep_prob = 0.9 )  # kept\nnn.Dropout(1.0, dtype=t)\n": (
        "import mindspore.nn as nn\nnn.Dropout( p=0.1 )  # kept\nnn.Dropout(p=0.0, dtype=t)\n",
        "import ms_compat.nn as nn\nnn.Dropout( p=0.1 )  # kept\nnn.Dropout(p=0.0, dtype=t)\n",
    ),
    "from mindspore.nn import Dropout as D\nD(dtype=t, keep_prob=1 - rate)\nD(a if b else 0.5)\nD(1 - (a - b))\n": (
        "from mindspore.nn import Dropout as D\nD(dtype=t, p=rate)\nD(p=1 - (a if b else 0.5))\nD(p=(a - b))\n",
        "from ms_compat.nn import Dropout as D\nD(dtype=t, p=rate)\nD(p=1 - (a if b else 0.5))\nD(p=(a - b))\n",
    ),
    "import mindspore as ms\nms.nn.Dropout(p=0.3)\nms.nn.Dropout(**how)\nms.ops.Dropout(keep_prob=0.5)\n": (
        None,
        "import ms_compat as ms\nms.nn.Dropout(p=0.3)\nms.nn.Dropout(**how)\nms.ops.Dropout(keep_prob=0.5)\n",
    ),
    # the device of set_context
    "import mindspore as ms\nif x:\n    ms.set_context(mode=0, device_target=d, device_id=n)  # why\n": (
        "import mindspore as ms\nif x:\n    ms.set_context(mode=0)  # why\n    ms.set_device(d, n)\n",
        "import ms_compat as ms\nif x:\n    ms.set_context(mode=0)  # why\n    ms.set_device(d, n)\n",
    ),
    "from mindspore import (context,\n    Tensor)\ncontext.set_context(device_target='GPU')\n": (
        "from mindspore import (context,\n    Tensor, set_device)\nset_device('GPU')\n",
        "from ms_compat import (context,\n    Tensor, set_device)\nset_device('GPU')\n",
    ),
    "import mindspore.context as c\nimport mindspore\nx = 1; c.set_context(device_target='CPU'); y = 2\n": (
        "import mindspore.context as c\nimport mindspore\nx = 1; mindspore.set_device('CPU'); y = 2\n",
        "import ms_compat.context as c\nimport ms_compat as mindspore\nx = 1; mindspore.set_device('CPU'); y = 2\n",
    ),
    "from mindspore import context\nif x: context.set_context(save_graphs=False, device_target='CPU',)\n": (
        "from mindspore import context, set_device\nif x: context.set_context(save_graphs=False); set_device('CPU')\n",
        "from ms_compat import context, set_device\nif x: context.set_context(save_graphs=False); set_device('CPU')\n",
    ),
    "from mindspore import context\ncontext.set_context(mode=0)\ncontext.set_context(**how)\n": (
        None,
        "from ms_compat import context\ncontext.set_context(mode=0)\ncontext.set_context(**how)\n",
    ),
    # What is no MindSpore stays, whatever it is called.
    "def f(mindspore):\n    return mindspore.ms_function\n": (None, None),
    "from .mindspore import ms_function\nfrom mindspores import ops\nimport my.mindspore\n": (None, None),
    "s = 'import mindspore'  # import mindspore\n": (None, None),
    "\tx\t= 1 ;  y = 2\r\n": (None, None),
}


@pytest.mark.parametrize("source", [case for case in CASES if not case.startswith("\t")])
def test_names_change_and_nothing_else(source):
    for target, wanted in zip(("mindspore", "ms_compat"), CASES[source], strict=True):
        made, changes = port(source, target)
        assert made.decode() == (wanted or source)
        assert bool(changes) == (wanted is not None)
        assert not any(change.by_hand for change in changes)
        again, changes = port(made, target)
        assert again == made and not changes


@pytest.mark.parametrize(
    ("source", "name", "near"),
    [
        ("import mindspore as ms\nms.ops.Nope()\n", "mindspore.ops.Nope", "nothing"),
        ("from mindspore.ops import Nope\n", "mindspore.ops.Nope", "nothing"),
        ("import mindspore.nope\n", "mindspore.nope", ""),
        ("import mindspore as ms\nms.ops.relux(1)\n", "mindspore.ops.relux", "relu"),
        ("from mindspore.communication import all_reduce\n", "mindspore.communication.all_reduce", "ops.all_reduce"),
        (
            "from mindspore import ops\ng = ops.GradOperation(get_all=True)\n",
            "mindspore.ops.GradOperation",
            "mindspore.grad",
        ),
        ("from mindspore import nn\nnn.TrainOneStepCell(n, o)\n", "mindspore.nn.TrainOneStepCell", "value_and_grad"),
        ("from mindspore.nn import WithLossCell as W\nW(n, l)\n", "mindspore.nn.WithLossCell", "value_and_grad"),
        ("from mindspore import *\n@ms_function\ndef f(): pass\n", "mindspore.ms_function", "mindspore.jit"),
        (
            "import mindspore.common.api as a\n@a.ms_function\ndef f(): pass\n",
            "mindspore.common.api.ms_function",
            "mindspore.jit",
        ),
        ("from mindspore import nn\nnn.Dropout(0.9, 0.1)\n", "mindspore.nn.Dropout(0.9)", "one of the arguments"),
        (
            "import mindspore as ms\nx = ms.set_context(device_target='CPU')\n",
            "mindspore.set_context(device_target=...)",
            "mindspore.set_device",
        ),
        (
            "from mindspore import context\ndef set_device(): context.set_context(device_target='CPU')\n",
            "mindspore.context.set_context(device_target=...)",
            "mindspore.set_device",
        ),
        (
            "import mindspore.context as c\nc.set_context(device_target='CPU')\n",
            "mindspore.context.set_context(device_target=...)",
            "mindspore.set_device",
        ),
    ],
)
def test_what_is_not_known_to_be_the_same_is_left_and_told(source, name, near):
    made, changes = port(source, "mindspore")
    assert made.decode() == source
    (change,) = changes
    assert change.by_hand and change.old == name and near in change.new


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("nowhere.py", "b.py", "can't open file 'nowhere.py'"),
        ("wrong.py", "b.py", "can't read wrong.py:2: '(' was never closed"),
        ("wrong.ipynb", "b.ipynb", "can't read wrong.ipynb, cell 2:1: '(' was never closed"),
        ("binary.py", "b.py", "can't read binary.py: "),
        ("a.py", "file/b.py", "can't write 'file/b.py': "),
        ("folder", "file/b", "can't write 'file/b': "),
    ],
)
def test_what_cannot_be_read_or_written_is_one_line(program, capsys, source, target, message):
    folder = program(a="import mindspore\n", wrong="\nx = (\n", folder__a="import mindspore\n")
    (folder / "file").touch()
    (folder / "binary.py").write_bytes(b"\0\xff")
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [{**cell, "source": "x = 1\n"}, {**cell, "source": "y = (\n"}]
    (folder / "wrong.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
    assert cli.main(["port", source, target]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith(f"ms-compat port: {message}")
    assert captured.err.count("\n") == 1


def test_inner_names_that_the_hook_alone_serves_are_told():
    source = "from mindspore.ops.operations._grad_ops import ReluGrad\n"
    assert port(source, "mindspore") == (source.encode(), [])
    made, (change,) = port(source, "ms_compat")
    assert made.decode() == source
    assert change.by_hand and "ms_compat.install()" in change.new


def test_the_text_s_encoding_and_ends_of_lines_stay():
    source = "# coding: latin-1\r\nimport mindspore as ms  # \xe9\r\n".encode("latin-1")
    assert port(source, "ms_compat")[0] == source.replace(b"import mindspore", b"import ms_compat")


def test_names_of_today_are_their_own():
    for name in ("mindspore.ops.ReLU", "mindspore.nn.Dense", "mindspore.Tensor", "mindspore.nope"):
        assert today(name) == name


PROGRAM = """
import mindspore as ms
from mindspore.ops import operations as P, functional as F
from mindspore.common import dtype as mstype
from mindspore.common.initializer import initializer, One
from mindspore import ms_function
import mindspore.nn as nn


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.add = P.Add()
        self.weight = ms.Parameter(initializer(One(), (2,), mstype.float32), name="w")

    def construct(self, x):
        return F.cast(self.add(x, self.weight), ms.float16)


@ms_function
def run(x):
    return net(x) * 2


net = Net()
print(run(ms.Tensor([1.0, 2.0], mstype.float32)))
"""


def test_a_copy_computes_the_same_and_one_for_ms_compat_needs_no_hook(program, command, capsys):
    folder = program(src__main=PROGRAM, src__pkg__helper="import mindspore\n", src__bad="def f(:\n")
    (folder / "src" / "data.txt").write_text("1 2 3")
    assert cli.main(["port", "src", "today"]) == 2
    assert "can't read src/bad.py" in capsys.readouterr().err
    assert (folder / "today" / "bad.py").read_text() == "def f(:\n"
    (folder / "src" / "bad.py").unlink()
    assert cli.main(["port", "src", "ours", "--to", "ms_compat", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["files"] == 2 and not told["by_hand"]
    assert {"where": "src/main.py:6", "old": "mindspore.ms_function", "new": "ms_compat.jit"} in told["rewritten"]
    assert (folder / "ours" / "data.txt").read_text() == "1 2 3"
    assert (folder / "ours" / "pkg" / "helper.py").read_text() == "import ms_compat as mindspore\n"
    code = "import runpy, sys; runpy.run_path('ours/main.py', run_name='__main__'); print('mindspore' in sys.modules)"
    (folder / "plain.py").write_text(code)
    assert command("run", "--strict", "src/main.py", check=0).stdout == "[4. 6.]\n"
    assert command("run", "--strict", "today/main.py", check=0).stdout == "[4. 6.]\n"
    import os
    import subprocess
    import sys

    from tests.cli.conftest import ROOT

    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"}
    done = subprocess.run([sys.executable, "plain.py"], capture_output=True, text=True, env=environment, timeout=600)
    assert done.stdout == "[4. 6.]\nFalse\n", done.stderr


def test_notebooks_are_ported_with_their_magics(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    sources = [
        "%matplotlib inline\nimport mindspore as ms\n!ls",
        ["%%time\n", "f = ms.ms_function(g)\n", "ms.ops.Nope"],
        "%%bash\nimport mindspore",
        "text = '''\n%no magic\n'''",
        "",
        "x = 1;",
    ]
    made = [{"cell_type": "code", "source": source, "metadata": {}, "outputs": []} for source in sources]
    made.insert(1, {"cell_type": "markdown", "source": ["import mindspore"], "metadata": {}})
    book = {"cells": made, "metadata": {"é": 1}, "nbformat": 4, "nbformat_minor": 4}
    (tmp_path / "a.ipynb").write_text(json.dumps(book))
    assert cli.main(["port", "a.ipynb", "b.ipynb", "--to", "ms_compat"]) == 1
    out = capsys.readouterr().out
    assert "a.ipynb, cell 2:2" in out and "mindspore.ops.Nope" in out
    held = json.loads((tmp_path / "b.ipynb").read_text())
    texts = ["".join(cell["source"]) for cell in held["cells"]]
    assert texts == [
        "%matplotlib inline\nimport ms_compat as ms\n!ls", "import mindspore", "%%time\nf = ms.jit(g)\nms.ops.Nope",
        "%%bash\nimport mindspore", "text = '''\n%no magic\n'''", "", "x = 1;",
    ]  # fmt: skip
    assert held["metadata"] == book["metadata"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere.py", "b.py"), "can't open"),
        (("a.py", "a.py"), "exists"),
        (("a.py", "a.py", "--force"), "outside the source"),
        (("a.py", "folder"), "both be files"),
        (("folder", "folder/in"), "outside the source"),
        (("bad.py", "b.py"), "can't read bad.py"),
        (("bad.ipynb", "b.ipynb"), "can't read bad.ipynb"),
    ],
)
def test_what_cannot_be_done_is_said_and_writes_nothing(arguments, message, program, capsys):
    folder = program(a="import mindspore\n", folder__x="", bad="def f(:\n")
    (folder / "bad.ipynb").write_text("{}")
    before = sorted(map(str, folder.rglob("*")))
    assert cli.main(["port", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert sorted(map(str, folder.rglob("*"))) == before
