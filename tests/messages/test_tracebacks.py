"""An uncaught error shows the user's frames, the user's line last, then the message; the exception keeps all frames."""

import linecache
import os
import subprocess
import sys
import threading
import traceback

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import nn, ops
from ms_compat._core.diagnostics import tracebacks

HERE = __file__


@pytest.fixture(autouse=True)
def hidden():
    """As after `install()`."""
    tracebacks.hide_frames()
    yield
    tracebacks.show_frames()


X = ms.Tensor(np.ones((2, 3), np.float32))


class Wrong(nn.Cell):
    def construct(self, x):
        return ops.matmul(x, x)


class WrongInABranch(nn.Cell):
    def construct(self, x):
        y = x * 2
        if y.sum() > 0:
            y = ops.matmul(y, y)
        else:
            y = y + 1
        return y


def line_of(text):
    lines = [at for at, line in enumerate(linecache.getlines(HERE), 1) if line.strip() == text]
    assert len(lines) == 1
    return lines[0]


def caught(function, *inputs):
    with pytest.raises(RuntimeError, match="MatMul") as error:
        function(*inputs)
    return error.value


def shown(error, capsys):
    sys.excepthook(type(error), error, error.__traceback__)
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("cell", "last"), [(Wrong, "return ops.matmul(x, x)"), (WrongInABranch, "y = ops.matmul(y, y)")]
)
def test_the_users_line_is_the_last_and_the_message_the_last_line(cell, last, mode, capsys):
    error = caught(cell(), X)
    text = shown(error, capsys)
    frames = [line for line in text.splitlines() if line.startswith('  File "')]
    assert frames[-1] == f'  File "{HERE}", line {line_of(last)}, in construct'
    assert all(HERE in frame for frame in frames)
    assert text.splitlines()[-1].startswith("RuntimeError: For 'MatMul'")


def test_the_exception_keeps_its_frames(capsys):
    error = caught(Wrong(), X)
    before = traceback.extract_tb(error.__traceback__)
    shown(error, capsys)
    assert traceback.extract_tb(error.__traceback__) == before
    assert any("_core/dispatch/op.py" in frame.filename for frame in before)


def test_the_number_of_hidden_frames_is_told_first(capsys):
    error = caught(Wrong(), X)
    hidden = tracebacks.users_frames(error.__traceback__)[1]
    first = shown(error, capsys).splitlines()[0]
    assert first == f"({hidden} frames of ms_compat and JAX are hidden; MS_COMPAT_TRACEBACK_FILTERING=off shows them)"


def test_errors_of_jax_itself_are_shown_alike(capsys):
    with pytest.raises(TypeError) as error:
        jax.jit(lambda x: x @ x)(jax.numpy.ones((2, 3)))
    assert not getattr(error.value, "__notes__", [])
    assert f"{os.sep}jax{os.sep}" not in shown(error.value, capsys)


def test_what_a_user_caught_stays_in_the_text_and_what_the_package_caught_does_not(capsys):
    with pytest.raises(RuntimeError) as mine:
        try:
            raise KeyError("mine")
        except KeyError:
            Wrong()(X)
    assert "KeyError: 'mine'" in shown(mine.value, capsys)
    scope = {"__name__": "inner"}
    code = (
        "def f():\n    try:\n        raise KeyError('inner')\n    except KeyError:\n        raise ValueError('told')\n"
    )
    exec(compile(code, os.path.join(os.path.dirname(ms.__file__), "inner.py"), "exec"), scope)
    with pytest.raises(ValueError, match="told") as inner:
        scope["f"]()
    assert "inner" not in shown(inner.value, capsys)


@pytest.mark.parametrize(
    "code",
    [
        "ops.sofmax",
        "nn.Modul",
        "ms.GRAPH",
        "nn.Dense(2, 2).eval",
        "ms.Tensor([1.0]).backward",
        "ms.train.Model(nn.Dense(2, 2)).evaluate",
        "ms.dataset.NumpySlicesDataset([1], ['a']).prefetch",
        "nn.Cell()(1)",
        "from ms_compat.nn import Dens",
    ],
)
def test_python_adds_no_guess_to_a_message_with_a_hint(code, capsys):
    with pytest.raises((AttributeError, ImportError)) as error:
        exec(code, {"ms": ms, "nn": nn, "ops": ops})
    text = shown(error.value, capsys)
    assert text.rstrip().endswith(".")
    assert ".." not in text.replace("...", "")
    assert "Did you mean" not in text
    assert "ms_compat._" not in text.splitlines()[-1]


@pytest.mark.parametrize(
    ("code", "near"), [("nn.Dense(2, 2).weigt", "weight"), ("ms.Tensor([1.0]).resahpe", "reshape")]
)
def test_python_guesses_where_there_is_no_hint(code, near, capsys):
    with pytest.raises(AttributeError) as error:
        eval(code, {"ms": ms, "nn": nn})
    assert shown(error.value, capsys).rstrip().endswith(f"'. Did you mean: '{near}'?")


def test_causes_and_groups_are_shown_alike(capsys):
    error = caught(Wrong(), X)
    other = caught(Wrong(), X)
    other.__cause__ = error
    text = shown(ExceptionGroup("two", [other]), capsys)
    assert text.count("For 'MatMul'") == 2
    assert "_core" not in text


def test_threads(capsys):
    error = caught(Wrong(), X)
    hook = tracebacks._hiding_of_threads(threading.__excepthook__)  # around each test pytest has its own
    hook(threading.ExceptHookArgs((type(error), error, error.__traceback__, threading.current_thread())))
    text = capsys.readouterr().err
    assert "For 'MatMul'" in text
    assert "_core" not in text


def test_an_error_without_frames_of_the_user_is_shown_whole():
    trace = caught(Wrong(), X).__traceback__
    while HERE in trace.tb_frame.f_code.co_filename:
        trace = trace.tb_next
    while trace is not None and "_core" not in trace.tb_frame.f_code.co_filename:
        trace = trace.tb_next
    assert tracebacks.users_frames(trace) == (trace, 0)


def test_a_frame_of_a_place_keeps_no_values():
    trace = tracebacks.without_values(caught(Wrong(), X).__traceback__)
    while trace is not None:
        assert set(trace.tb_frame.f_locals) <= {"error", "__builtins__"}
        last, trace = trace, trace.tb_next
    assert last.tb_lineno == line_of("return ops.matmul(x, x)")


def test_the_variable_shows_all(monkeypatch):
    monkeypatch.setenv("MS_COMPAT_TRACEBACK_FILTERING", "off")
    assert not tracebacks.filtering()
    monkeypatch.setenv("MS_COMPAT_TRACEBACK_FILTERING", "on")
    with pytest.raises(ValueError, match="must be one of"):
        tracebacks.filtering()
    monkeypatch.setenv("MS_COMPAT_TRACEBACK_FILTERING", "auto")
    assert tracebacks.filtering()
    monkeypatch.setenv("JAX_TRACEBACK_FILTERING", "off")
    assert not tracebacks.filtering()


PROGRAM = """
import sys
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}), colors="nocolor")
for cell in (sys.argv[1], "x = ms.ops.ones((2, 3))\\nms.ops.matmul(x, x)", "1 + 'a'"):
    shell.run_cell(cell)
"""


@pytest.mark.parametrize("first", ["%load_ext ms_compat\nimport ms_compat as ms", "import ms_compat as ms"])
def test_notebooks(first, tmp_path):
    pytest.importorskip("IPython", reason="IPython is not installed")
    environment = {**os.environ, "IPYTHONDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, first], env=environment, capture_output=True, text=True, timeout=600, check=True
    )
    assert "----> 2 ms.ops.matmul(x, x)" in done.stdout
    assert "RuntimeError: For 'MatMul'" in done.stdout
    assert "TypeError: unsupported operand" in done.stdout
    assert ("_core" not in done.stdout) is first.startswith("%")
    assert ("frames of ms_compat and JAX are hidden" in done.stderr) is first.startswith("%")
