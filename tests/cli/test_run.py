"""`run` behaves as `python script.py` does, with ms_compat in MindSpore's place."""

import subprocess
import sys

import pytest


def test_argv_path_name_and_file(program, command):
    folder = program(
        sub__main=(
            "import sys, os, helper\n"
            "import mindspore\n"
            "print(sys.argv, __name__, __file__, sys.path[0], helper.X, mindspore.context.get_context('mode'))\n"
            "print(sys.modules['__main__'].helper is helper, __builtins__.__name__, __doc__, __spec__, __package__)\n"
        ),
        sub__helper="X = 7\n",
    )
    done = command("run", "sub/main.py", "--epochs", "3", "--strict", check=0)
    script = str(folder / "sub" / "main.py")
    assert done.stdout.splitlines() == [
        f"['sub/main.py', '--epochs', '3', '--strict'] __main__ {script} {folder / 'sub'} 7 1",
        "True builtins None None None",
    ]
    assert done.stderr == ""


def test_doc_annotations_and_future_statements_are_the_script_s(program, command):
    program(main='"""Doc."""\nx: int = 3\nprint(__doc__, __annotations__, print.__name__)\n')
    assert command("run", "main.py", check=0).stdout == "Doc. {'x': <class 'int'>} print\n"


@pytest.mark.parametrize(
    "source",
    [
        "raise ValueError('wrong')",
        "def f():\n    return 1 / 0\n\nf()\n",
        "import sys\nsys.exit(7)",
        "raise SystemExit('bye')",
        "def f(:\n",
        "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise KeyError(3) from e\n",
        "import helper",
        "import atexit\natexit.register(print, 'end')\nprint('x')",
    ],
)
def test_output_traceback_and_status_are_python_s(program, command, source):
    folder = program(main=source, helper="raise RuntimeError('in a module')\n")
    ours = command("run", "main.py")
    python = subprocess.run([sys.executable, "main.py"], cwd=folder, capture_output=True, text=True, timeout=600)
    assert (ours.returncode, ours.stdout) == (python.returncode, python.stdout)
    assert ours.stderr.replace(f"{folder}/", "") == python.stderr.replace(f"{folder}/", "")


def test_a_script_that_is_not_there(program, command):
    program()
    done = command("run", "nowhere.py", check=2)
    assert done.stderr == "ms-compat run: can't open file 'nowhere.py': No such file or directory\n"


def test_a_folder_is_no_script(program, command):
    program(sub__main="")
    assert "can't open file 'sub'" in command("run", "sub", check=2).stderr


def test_a_name_that_may_never_be_reached_is_a_warning(program, command, missing):
    program(main=f"import mindspore as ms\ndef f():\n    ms.ops.{missing}()\nprint('ran')\n")
    done = command("run", "main.py", check=0)
    assert done.stdout == "ran\n"
    assert f"main.py:3: mindspore.ops.{missing} is not supported" in done.stderr


def test_strict_does_not_start_then(program, command, missing):
    program(main=f"from mindspore.ops import {missing}\nprint('ran')\n")
    done = command("run", "--strict", "main.py", check=1)
    assert done.stdout == ""
    assert "not started" in done.stderr


def test_a_name_that_stops_for_certain_is_told_before_the_start(program, command, missing):
    program(main=f"import mindspore as ms\nprint('ran')\nms.ops.{missing}()\n")
    done = command("run", "main.py", check=1)
    assert done.stdout == ""
    assert done.stderr.startswith(f"ms-compat run: main.py:3: mindspore.ops.{missing} is not supported")


def test_no_check_starts_it_all_the_same(program, command, missing):
    program(main=f"import mindspore as ms\nprint('ran')\nms.ops.{missing}()\n")
    done = command("run", "--no-check", "main.py", check=1)
    assert done.stdout == "ran\n"
    assert 'File "main.py", line 3' in done.stderr
    assert done.stderr.splitlines()[-1].startswith(("ms_compat.UnsupportedError: 'mindspore.ops.", "Attr"))


def test_classes_of_the_script_pickle(program, command):
    program(main="import pickle\nclass A: pass\nprint(type(pickle.loads(pickle.dumps(A()))) is A)\n")
    assert command("run", "main.py", check=0).stdout == "True\n"
