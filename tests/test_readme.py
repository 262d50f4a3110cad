"""The README's program, executed piece by piece as somebody would type it."""

import linecache
import pathlib
import re
import shlex

import ms_compat
from ms_compat.__main__ import build_parser, commands
from ms_compat._names import census
from ms_compat._names.absent import is_served

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


def test_before_and_after_are_one_program(capsys):
    (block,) = re.findall(r"```diff\n(.*?)```", README.read_text(), re.S)
    lines = block.splitlines()
    assert len(lines) - sum(line.startswith("-") for line in lines) <= 25
    programs = ["\n".join(line[1:] for line in lines if line[:1] != other) for other in "+-"]
    losses = []
    ms_compat.install.install()
    try:
        for program in programs:
            names: dict[str, object] = {}
            linecache.cache["README.md"] = (len(program), None, program.splitlines(keepends=True), "README.md")
            exec(compile(program, "README.md", "exec"), names)
            losses.append(float(names["loss"]))
    finally:
        ms_compat.uninstall()
        del linecache.cache["README.md"]
    assert losses[0] == losses[1] < 0.01


def test_the_names_of_the_tables_are_served():
    text = README.read_text()
    told = set(re.findall(r"`(?:ms|nn|ops|dataset|mint)(?:\.\w+)+", text))
    assert len(told) > 15
    modules = {"ms": "mindspore", **{name: f"mindspore.{name}" for name in ("nn", "ops", "dataset", "mint")}}
    foreign = {"nn.Module", "nn.Linear", "ops.relux"}  # PyTorch's column, and a mistake
    for name in {one[1:] for one in told} - foreign:
        head, _, rest = name.partition(".")
        assert is_served(f"{modules[head]}.{rest}"), name


def test_the_counts_are_those_of_the_table():
    found = [entry.status for names in census.coverage().values() for entry in names.values()]
    differs, absent = found.count("differs"), found.count("absent")
    assert f"({differs} do, in a corner; {absent} of {len(found):,} are absent)" in README.read_text()


def test_every_command_is_told_and_every_command_line_is_understood():
    told = [shlex.split(line) for line in re.findall(r"`ms-compat ([^`]+)`", README.read_text())]
    assert {words[0] for words in told} == set(commands())
    for words in told:
        build_parser(commands()).parse_args(words)
