"""The README's program, executed piece by piece as somebody would type it."""

import pathlib
import re
import shlex

import ms_compat
from ms_compat.__main__ import build_parser, commands

README = pathlib.Path(__file__).parents[1] / "README.md"


def test_the_tour_runs(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pieces = re.findall(r"```python\n(.*?)```", README.read_text(), re.S)
    assert len(pieces) == 4
    names: dict[str, object] = {}
    try:
        for piece in pieces:
            exec(compile(piece, "README.md", "exec"), names)
    finally:
        ms_compat.uninstall()
    shape, sine, leaf = capsys.readouterr().out.strip().split("\n")
    assert shape == "(1, 2)"
    assert sine.startswith("[0.84")
    assert leaf.startswith("(")
    assert (tmp_path / "run" / "net-3_8.ckpt").exists()


def test_every_command_is_told_and_every_command_line_is_understood():
    told = [shlex.split(line) for line in re.findall(r"`ms-compat ([^`]+)`", README.read_text())]
    assert {words[0] for words in told} == set(commands())
    for words in told:
        build_parser(commands()).parse_args(words)
