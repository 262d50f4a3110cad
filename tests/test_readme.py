"""The programs of the README and the guides, executed as somebody would paste them, and what the README promises."""

import json
import linecache
import pathlib
import re
import shlex

import pytest

import ms_compat
from ms_compat.__main__ import build_parser, commands
from ms_compat._names import api_index
from ms_compat._names.resolve import is_served
from tests.conformance import documents

README = pathlib.Path(__file__).parents[1] / "README.md"


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Runs a program as if it had been pasted into a file; gives the lines that it prints and its names."""
    monkeypatch.chdir(tmp_path)

    def executed(text, name):
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)  # where `ms.jit` reads it
        names: dict[str, object] = {"__name__": "__main__"}
        try:
            exec(compile(text, name, "exec"), names)
        finally:
            ms_compat.uninstall()
            del linecache.cache[name]
        return capsys.readouterr().out.splitlines(), names

    return executed


PROGRAMS = {program.name: program for program in documents.programs()}


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_program_runs_when_it_is_pasted_alone(name, run):
    """Those for MindSpore give the numbers that MindSpore gives, which `record/documents.py` records."""
    program = PROGRAMS[name]
    if not program.for_mindspore:
        run(program.text, name)
        return
    records = json.loads(documents.RECORDS.read_text("utf-8"))["programs"]
    wanted = [record["shown"] for record in records if record["text"] == program.text]
    assert wanted, "it is not recorded: python -m tests.conformance.record documents, with a Python that has MindSpore"
    ms_compat.install.install()
    lines, _ = run(program.text, name)
    number = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?")
    for ours, theirs in zip(lines, wanted[0], strict=True):
        assert number.sub("#", ours) == number.sub("#", theirs)
        found, right = (list(map(float, number.findall(line))) for line in (ours, theirs))
        assert found == pytest.approx(right, rel=1e-4)


def test_the_tour_shows_what_it_says(run, tmp_path):
    tour = [program for name, program in PROGRAMS.items() if name.startswith("README") and not program.for_mindspore]
    lines = [line for program in tour for line in run(program.text, program.name)[0]]
    assert "(1, 2)" in lines and any(line.startswith("[0.84") for line in lines)
    assert (tmp_path / "run" / "net-3_8.ckpt").exists()


def test_before_and_after_are_one_program(run):
    (block,) = re.findall(r"```diff\n(.*?)```", README.read_text(), re.S)
    lines = block.splitlines()
    assert len(lines) - sum(line.startswith("-") for line in lines) <= 30
    after, before = list(PROGRAMS.values())[:2]
    assert before.for_mindspore and before.text == after.text.replace("ms_compat", "mindspore")
    ms_compat.install.install()
    losses = [run(program.text, program.name)[0] for program in (before, after)]
    assert losses[0] == losses[1] and float(losses[0][0]) < 0.01


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
    found = [entry.status for names in api_index.coverage().values() for entry in names.values()]
    differs, absent = found.count("differs"), found.count("absent")
    assert f"({differs} do, in a corner; {absent} of {len(found):,} are absent)" in README.read_text()


def test_every_command_is_told_and_every_command_line_is_understood():
    told = [shlex.split(line) for line in re.findall(r"`ms-compat ([^`]+)`", README.read_text())]
    assert {words[0] for words in told} == set(commands())
    for words in told:
        build_parser(commands()).parse_args(words)
