"""What the package promises about itself: its versions, its layout, and which imports go where."""

import ast
import functools
import importlib.metadata
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tomllib
from typing import NamedTuple

import pytest

from ms_compat import version
from tests import import_graph

ROOT = pathlib.Path(__file__).parents[1]
PACKAGE = ROOT / "ms_compat"
GUIDE = ROOT / "notebooks" / "guide"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
SOURCES = sorted(PACKAGE.rglob("*.py"))
needs_ruff = pytest.mark.skipif(importlib.util.find_spec("ruff") is None, reason="ruff is not installed")


def tree_files():
    """The files of the project: those git would track, or all where there is no git."""
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, timeout=600)
    except FileNotFoundError:
        listed = None
    if listed is not None and listed.returncode == 0 and listed.stdout:
        return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]
    hidden = {"__pycache__", "build", "venv", "dist"}
    return [
        path
        for path in ROOT.rglob("*")
        if path.is_file()
        and not any(part in hidden or part.endswith(".egg-info") for part in path.relative_to(ROOT).parts)
        and not any(part.startswith(".") and part not in (".ci", ".gitignore") for part in path.relative_to(ROOT).parts)
    ]


@functools.cache
def facts():
    """What the syntax trees tell, which take seconds to read: see `Facts`."""
    found = Facts([], [], [])
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found.imports.extend((path, alias.name, node.lineno) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
                found.imports.extend((path, name, node.lineno) for name in names)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found.functions.append((path, node.lineno, node.name, (node.end_lineno or 0) - node.lineno + 1))
            elif isinstance(node, ast.IfExp):
                inner = (one for part in ast.iter_child_nodes(node) for one in ast.walk(part))
                if any(isinstance(one, ast.IfExp) for one in inner):
                    found.nested.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    return found


class Facts(NamedTuple):
    """Facts of all source files.

    Attributes:
        imports: (file, module, line) of every import, `from a import b` as "a" and "a.b".
        functions: (file, line, name, number of lines) of every function.
        nested: file and line of conditional expressions that contain others.
    """

    imports: list[tuple[pathlib.Path, str, int]]
    functions: list[tuple[pathlib.Path, int, str, int]]
    nested: list[str]


# -- versions


def test_versions_agree():
    assert PROJECT["project"]["version"] == version.__compat_version__
    assert f"| MindSpore API | {version.__version__.rpartition('.')[0]} " in (GUIDE / "versions.md").read_text()


def test_the_namespace_has_a_version_that_mindspore_scripts_can_parse():
    parts = version.__version__.split(".")
    assert len(parts) == 3
    assert tuple(map(int, parts)) >= (2, 10, 0)


def test_the_changelog_keeps_unreleased_changes_first():
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert headings[0] == "[Unreleased]"


def test_the_guide_names_each_dependency_with_its_licence():
    """As the installed distributions tell it: an expression, a field or a classifier."""
    section = (GUIDE / "licences.md").read_text().rpartition("| dependency | licence | for |")[2]
    rows = re.findall(r"^\| (\w[\w, -]*) \| (\S+) \|", section, re.M)
    listed = {name: licence for names, licence in rows for name in names.split(", ")}
    wanted = [re.match(r"[\w-]+", line).group() for line in PROJECT["project"]["dependencies"]]
    assert sorted(listed) == sorted(wanted)
    for name, licence in listed.items():
        told = importlib.metadata.metadata(name)
        texts = [told.get("License-Expression"), told.get("License"), *(told.get_all("Classifier") or [])]
        assert licence.partition("-")[0] in " ".join(filter(None, texts)), name


def test_the_distributions_hold_what_they_need():
    """The source distribution every file of the tree, tests and changelog included; the wheel the package alone."""
    pytest.importorskip("hatchling")
    from hatchling.builders.sdist import SdistBuilder
    from hatchling.builders.wheel import WheelBuilder

    files = {str(path.relative_to(ROOT)) for path in tree_files()}
    source = {file.distribution_path for file in SdistBuilder(str(ROOT)).recurse_included_files()}
    always = {"LICENSE", "README.md", "pyproject.toml"}
    assert {name for name in files - source - always if not name.startswith(".")} == set()
    wheel = {file.distribution_path for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    assert wheel & files == {name for name in files if name.startswith("ms_compat/")}
    assert "ms_compat/py.typed" in wheel
    assert [
        str(path.relative_to(ROOT)) for glob in PROJECT["project"]["license-files"] for path in ROOT.glob(glob)
    ] == ["LICENSE"]


# -- layout


def test_the_top_level_holds_the_agreed_entries():
    allowed = {"pyproject.toml", "ms_compat", "tests", "notebooks", "CHANGELOG.md", "README.md", "LICENSE"}
    top = {path.relative_to(ROOT).parts[0] for path in tree_files()}
    assert {name for name in top - allowed if not name.startswith(".")} == set()


def test_no_function_is_longer_than_100_lines():
    """`tests/house.py` bounds the files of a folder."""
    long = {
        f"{path.relative_to(ROOT)}:{line}: {name}": count
        for path, line, name, count in facts().functions
        if count > 100
    }
    assert long == {}


def test_no_path_of_a_machine_is_in_the_tree():
    folders = "|".join(("work", "farm", "root", "home", "tmp"))
    pattern = re.compile(rf"(?<![\w.$}}>-])/(?:{folders})/[\w.]")
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in tree_files()
        if path.suffix in (".py", ".md", ".toml", ".json", ".txt", ".ipynb", ".csv", "") and path.name != "LICENSE"
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1)
        if pattern.search(line)
    ]
    assert found == []


def test_every_folder_of_the_package_is_a_package():
    folders = {path.parent for path in SOURCES}
    assert [str(folder.relative_to(ROOT)) for folder in folders if not (folder / "__init__.py").is_file()] == []


def test_the_map_has_every_room():
    page = (PACKAGE / "README.md").read_text()
    rooms = [path.parent.name for path in PACKAGE.glob("*/__init__.py")]
    assert len(rooms) > 30
    assert [room for room in rooms if f"`{room}`" not in page] == []


def test_the_console_script_is_there():
    module, _, name = PROJECT["project"]["scripts"]["ms-compat"].partition(":")
    assert callable(getattr(importlib.import_module(module), name))


# -- the README


def readme_commands():
    return re.findall(r"```sh\n(.*?)\n```", (ROOT / "README.md").read_text(), re.S)


def test_the_readme_needs_two_commands():
    job, tests = readme_commands()
    assert job.endswith("python -m ms_compat run tests/scripts/digits_lenet.py --epochs 5")
    assert (ROOT / "tests" / "scripts" / "digits_lenet.py").is_file()
    assert "pytest" in tests


def test_ci_runs_the_readme_s_test_command():
    assert readme_commands()[1] in (ROOT / ".ci" / "run").read_text()


# -- imports


@pytest.mark.parametrize("forbidden", ["jax._src", "jax.core", "jax.interpreters", "jax.extend", "jaxlib"])
def test_unstable_jax_names_are_imported_by_jax_compat_alone(forbidden):
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path, name, line in facts().imports
        if not path.is_relative_to(PACKAGE / "_core" / "jax_compat")
        if name == forbidden or name.startswith(forbidden + ".")
    ]
    assert found == []


def test_the_library_needs_neither_torch_nor_mindspore():
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path, name, line in facts().imports
        if name.partition(".")[0] in ("torch", "mindspore")
    ]
    assert found == []


@pytest.fixture(scope="module")
def arrows():
    return import_graph.arrows()


def test_every_module_stands_on_a_floor():
    assert [name for name in import_graph.modules() if import_graph.floor(name) is None] == ["ms_compat"]


def test_imports_point_downwards(arrows):
    up = import_graph.upward(arrows)
    assert [f"{a.source}:{a.line} imports {a.target}" for a in up if a[:2] not in import_graph.ARGUED] == []
    assert [f"{a.source}:{a.line} imports {a.target}" for a in up if not a.late] == []
    assert {a[:2] for a in up} == set(import_graph.ARGUED)  # none is excused that is gone


def test_no_files_import_each_other_in_a_circle(arrows):
    """Imports in functions count; `tests/house.py` also counts those that only type checkers read."""
    assert import_graph.circles(import_graph.graph_of(arrows)) == []


def test_the_graph_tells_circles_floors_and_late_imports(tmp_path):
    package = tmp_path / "ms_compat"
    for name, text in {
        "__init__": "",
        "_core/__init__": "",
        "_core/low": "def f():\n    from ms_compat._core import high\n",
        "_core/high": "from ms_compat._core.low import f\nif TYPE_CHECKING:\n    import ms_compat.ops.top\n",
        "ops/__init__": "",
        "ops/top": "import ms_compat._core.high",
        "_core/wrong": "from ms_compat.ops import top",
    }.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / f"{name}.py").write_text(text)
    found = import_graph.arrows(tmp_path)
    assert import_graph.circles(import_graph.graph_of(found, late=False)) == []
    assert import_graph.circles(import_graph.graph_of(found)) == [["ms_compat._core.high", "ms_compat._core.low"]]
    assert [arrow[:2] for arrow in import_graph.upward(found)] == [("ms_compat._core.wrong", "ms_compat.ops.top")]
    for_checkers = set(import_graph.arrows(tmp_path, typing=True)) - set(found)
    assert [arrow[:2] for arrow in for_checkers] == [("ms_compat._core.high", "ms_compat.ops.top")]


def test_no_conditional_expression_stands_in_another():
    assert facts().nested == []


def ruff(*arguments):
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


@needs_ruff
def test_a_function_that_is_not_plain_to_read_says_why():
    """A cyclomatic complexity over 10 has its reason in a comment over the first statement."""
    limit = "lint.mccabe.max-complexity=10"
    found = json.loads(ruff("--select", "C901", "--config", limit, "--output-format", "json", str(PACKAGE)).stdout)
    silent = []
    for path, line in [(pathlib.Path(one["filename"]), one["location"]["row"]) for one in found]:
        text = path.read_text()
        functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
        [function] = [node for node in functions if node.lineno == line]
        first = function.body[ast.get_docstring(function) is not None]
        if not text.splitlines()[first.lineno - 2].lstrip().startswith("# "):
            silent.append(f"{path.relative_to(ROOT)}:{line}: {function.name}")
    assert len(found) > 10  # so many are there: the search finds what it looks for
    assert silent == []


@needs_ruff
def test_the_linter_is_content():
    done = ruff("--output-format", "concise", str(ROOT))
    assert done.returncode == 0, done.stdout
