"""The README of each room: its walk is executed and short, and the files that it names are there."""

import doctest
import pathlib
import re

import pytest

import ms_compat

PACKAGE = pathlib.Path(ms_compat.__file__).parent
PAGES = {
    path.parent.relative_to(PACKAGE).as_posix(): path for path in PACKAGE.rglob("README.md") if path.parent != PACKAGE
}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
LONGEST = 15
# Rooms with an idea of their own, which a newcomer cannot guess from the names of the files.
ROOMS = "rewrite ops dataset _autograd train _names _targets _inner nn/_cell _compile _core _formats".split()


def test_the_rooms_with_an_idea_have_a_page():
    assert set(ROOMS) <= set(PAGES)


@pytest.mark.parametrize("room", ROOMS)
def test_the_walk_of_a_room_runs(room, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (walk,) = re.findall(r"^```pycon\n(.*?)^```", PAGES[room].read_text("utf-8"), re.S | re.M)
    test = doctest.DocTestParser().get_doctest(walk, {"__name__": "walk"}, room, str(PAGES[room]), 0)
    lines = [line for example in test.examples for line in example.source.splitlines() if line.strip()]
    assert 0 < len(lines) <= LONGEST
    failed, _ = doctest.DocTestRunner(optionflags=FLAGS).run(test)
    assert failed == 0, capsys.readouterr().out


@pytest.mark.parametrize("room", PAGES)
def test_the_files_that_a_page_names_are_there(room):
    folder = PAGES[room].parent
    names = set(re.findall(r"`([\w/.]+(?:\.py|/))`", PAGES[room].read_text("utf-8")))
    assert names
    places = (folder, PACKAGE, PACKAGE.parent)
    assert [name for name in names if not any((place / name).exists() for place in places)] == []


def decisions():
    text = (PACKAGE / "DECISIONS.md").read_text("utf-8")
    return dict(re.findall(r"^## (\d+\. .*?)\n(.*?)(?=^## |\Z)", text, re.S | re.M))


@pytest.mark.parametrize("title", decisions())
def test_a_decision_says_why_by_what_measure_and_what_would_change_it(title):
    text = decisions()[title]
    parts = re.findall(r"^\*\*(.*?)\.\*\*", text, re.M)
    assert parts == ["Context", "Decision", "Measured", "Would change it"]
    paths = re.findall(r"`((?:\w+/)+(?:\w+\.py)?|\w+(?:/\w+)+)`", text)
    assert [path for path in paths if not (PACKAGE / path).exists() and not (PACKAGE.parent / path).exists()] == []


def test_decisions_are_numbered():
    numbers = [int(title.partition(".")[0]) for title in decisions()]
    assert len(numbers) >= 15 and numbers == list(range(1, len(numbers) + 1))
