"""Tables keep names in one piece, whatever the width and the encoding of the terminal."""

import io
import os
import re
import sys

import numpy as np
import pytest

from ms_compat import __main__ as cli
from ms_compat._formats.checkpoint import codec
from ms_compat.cli import _output
from tests.cli.conftest import ROOT

LONG = "transformer_encoder_layers.0.attention.output.weight"  # of 52 letters


@pytest.fixture
def printed(capsys, monkeypatch):
    """Runs a command on a terminal of some columns, and gives its lines."""

    def run(width, *arguments, status=0):
        monkeypatch.setenv("COLUMNS", str(width))
        assert cli.main(list(arguments)) == status
        return capsys.readouterr().out.splitlines()

    return run


@pytest.fixture
def checkpoint(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    codec.write("net.ckpt", [(LONG, np.arange(6, dtype=np.float32)), ("bias", np.float32(1))])


@pytest.mark.parametrize(
    ("width", "columns"),
    [
        (20, []),
        (60, ["name", "shape"]),
        (80, ["name", "shape", "dtype", "bytes"]),
        (120, ["name", "shape", "dtype", "bytes", "min", "max", "mean", "std", "zeros"]),
        (140, ["name", "shape", "dtype", "bytes", "min", "max", "mean", "std", "zeros", "histogram"]),
    ],
)
def test_inspect_leaves_out_columns_and_breaks_no_name(printed, checkpoint, width, columns):
    lines = printed(width, "inspect", "net.ckpt")
    assert any(line.split()[0] == LONG for line in lines)
    assert (lines[1].split() if columns else []) == columns
    whole = ["shape", "dtype", "bytes", "min", "max", "mean", "std", "zeros", "histogram"]
    told = " ".join(lines).partition("Not shown, as the terminal is narrow: ")[2].partition(" 2 parameters")[0]
    assert sorted(re.findall(r"\w+", told)) == sorted(set(whole) - set(columns))
    assert all(len(line) <= max(width, 60) for line in lines)


@pytest.mark.parametrize("width", [30, 60, 80, 200])
def test_check_breaks_no_name(printed, program, width):
    program(a_script_with_a_long_name="import mindspore as ms\nms.nn.probability.bnn_layers.ConvReparam2(3)\n")
    lines = printed(width, "check", "a_script_with_a_long_name.py", status=1)
    for name in ("a_script_with_a_long_name.py:2", "mindspore.nn.probability.bnn_layers.ConvReparam2"):
        assert any(name in line.split() for line in lines)
    if width < 100:
        assert "  effect   stops there" in lines


@pytest.mark.parametrize("command", [("--coverage",), ("--names", "mindspore.Tensor")])
def test_tables_of_names_fit_60_columns(printed, command):
    lines = printed(60, "check", *command)
    assert all(len(line) <= 60 for line in lines) and lines[1].startswith(("module", "name"))


def test_a_pipe_is_not_cut(monkeypatch, capsys):
    monkeypatch.delenv("COLUMNS", raising=False)
    sentence = "a word " * 60
    _output.print_table("A title", ("name", "why"), [(LONG * 5, sentence)], prose=("why",))
    assert f"{LONG * 5}  {sentence.rstrip()}" in capsys.readouterr().out.splitlines()


def test_sentences_are_broken_between_words_alone(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "60")
    path = "/a/path/that/is/" + "long/" * 8
    rows = [("cache", f"it is at {path} and more than one line of text"), ("日本", "wide")]
    _output.print_table("What there is", ("what", "value"), rows, prose=("value",))
    lines = capsys.readouterr().out.splitlines()
    assert any(line.split()[-1] == path for line in lines)
    assert lines[2] == "─" * 60 and lines[3] == "cache  it is at"
    assert lines[-1] == "日本   wide"


def test_a_row_becomes_a_paragraph(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "24")
    rows = [("one.name", "another.name", "", "some words and more words")]
    _output.print_table("Title", ("first", "second", "third", "why"), rows, prose=("why",))
    assert capsys.readouterr().out.splitlines() == [
        "Title",
        "one.name",
        "  second  another.name",
        "  why     some words and",
        "          more words",
    ]


def test_a_console_without_utf8_gets_plain_letters(checkpoint, command, tmp_path):
    codec.write(str(tmp_path / "größe.ckpt"), [("gewicht.größe", np.arange(6, dtype=np.float32))])
    done = command("inspect", "größe.ckpt", PYTHONIOENCODING="ascii", COLUMNS="120", check=0)
    assert "\\xf6\\xdfe.ckpt: MindSpore checkpoint" in done.stdout and "gewicht.gr\\xf6\\xdfe  6 " in done.stdout
    assert "@" in done.stdout and "----" in done.stdout and done.stdout.isascii()
    assert "can't read 'gr\\xf6.ckpt'" in command("inspect", "grö.ckpt", PYTHONIOENCODING="ascii", check=2).stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal of POSIX")
def test_a_real_terminal(checkpoint):
    import pty
    import subprocess

    leader, follower = pty.openpty()
    import fcntl
    import struct
    import termios

    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"}
    environment.pop("COLUMNS", None)
    command = [sys.executable, "-m", "ms_compat", "inspect", "net.ckpt"]
    with subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, env=environment) as process:
        os.close(follower)
        shown = b""
        while True:
            try:
                shown += os.read(leader, 4096)
            except OSError:  # Linux's way to say that the other end is closed
                break
    os.close(leader)
    assert process.returncode == 0
    lines = re.sub(rb"\x1b\[[\d;]*m", b"", shown).decode().splitlines()
    assert f"{LONG}  6" in lines and all(len(line) <= 60 for line in lines)


def test_encodings():
    assert not _output.can_print("▁", io.TextIOWrapper(io.BytesIO(), "cp1252"))
    assert _output.can_print("▁", io.TextIOWrapper(io.BytesIO(), "utf-8")) and _output.can_print("▁", io.StringIO())
