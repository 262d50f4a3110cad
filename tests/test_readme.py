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
from tests.coverage.table import counted

README = pathlib.Path(__file__).parents[1] / "README.md"
GUIDE = README.parent / "notebooks" / "guide"


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
    for module in re.findall(r"^import (onnx\w*)", program.text, re.M):
        pytest.importorskip(module, reason=f"{module} is not installed")
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


def test_the_programs_show_what_they_say(run, tmp_path):
    ours = [one for one in PROGRAMS.values() if not one.for_mindspore and "export.md" not in one.name]
    lines = [line for program in ours for line in run(program.text, program.name)[0]]
    assert "(1, 2)" in lines and any(line.startswith("[0.84") for line in lines)
    assert (tmp_path / "run" / "net-3_8.ckpt").exists()


def test_before_and_after_are_one_program(run):
    """The whole of it fits a glance."""
    after, before = list(PROGRAMS.values())[:2]
    assert before.for_mindspore and before.text == after.text.replace("ms_compat", "mindspore")
    assert sum(bool(line) for line in before.text.splitlines()) == 8
    ms_compat.install.install()
    shown = [run(program.text, program.name)[0] for program in (before, after)]
    assert shown[0] == shown[1] and len(shown[0]) == 1
    assert float(shown[0][0].rpartition(" ")[2]) < 0.01


def test_the_readme_is_short():
    text = README.read_text("utf-8")
    assert len(text.encode()) <= 7 * 1024
    assert len(text.splitlines()) <= 120


@pytest.mark.parametrize("path", documents.documents(), ids=lambda path: path.name)
def test_links_lead_to_files_and_headings(path):
    text = path.read_text("utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", text):
        file, _, heading = target.partition("#")
        found = path.parent / file if file else path
        assert found.is_file(), target
        headings = re.findall(r"^#+ (.*)$", found.read_text("utf-8"), re.M) if heading else []
        assert not heading or heading in {re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in headings}


def test_the_readme_leads_to_each_guide():
    linked = set(re.findall(r"\]\(notebooks/guide/(\w+)\.md\)", README.read_text("utf-8")))
    assert linked == {path.stem for path in documents.documents()[1:]}


def test_the_names_of_the_documents_are_served():
    """Those of every row and sentence, whose modules have their usual short names."""
    text = "".join(path.read_text("utf-8") for path in documents.documents())
    named = set(re.findall(r"`(?:ms|nn|ops|dataset|mint)(?:\.\w+)+", text))
    assert len(named) > 15
    modules = {"ms": "mindspore", **{name: f"mindspore.{name}" for name in ("nn", "ops", "dataset", "mint")}}
    foreign = {"nn.Module", "nn.Linear", "ops.relux"}  # PyTorch's column, and a mistake
    earlier = {"ops.composite", "ops.functional", "nn.metrics"}  # the column of MindSpore 1.x
    for name in {one[1:] for one in named} - foreign - earlier:
        head, _, rest = name.partition(".")
        assert is_served(f"{modules[head]}.{rest}"), name


def test_the_counts_are_those_of_the_table():
    """`python -m tests.coverage.table` writes them."""
    statuses = [entry.status for listed in api_index.coverage().values() for entry in listed.values()]
    expected = counted(statuses)
    assert len(statuses) > 4000 and len(expected) == 2
    for document, counts in expected.items():
        text = (README.parent / document).read_text("utf-8")
        for pattern, count in counts.items():
            assert re.findall(pattern, text) == [count]


def test_every_command_is_described_and_every_command_line_is_understood():
    lines = {path.stem: [shlex.split(line) for line in command_lines(path)] for path in documents.documents()}
    assert {words[0] for words in lines["commands"]} == set(commands())
    assert len(lines["README"]) > 4
    for words in (words for one in lines.values() for words in one):
        assert words[0] in commands()
        if len(words) > 1:  # otherwise a sentence names the command
            build_parser(commands()).parse_args(words)


def command_lines(path):
    """What follows `ms-compat` in a document, in a sentence or in a block, without comments."""
    return re.findall(r"(?:`|^    )ms-compat ([^`\n#]+)", path.read_text("utf-8"), re.M)
