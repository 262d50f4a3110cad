"""What contributors are shown: CONTRIBUTING.md, the issue forms, and the configuration of their tools."""

import importlib.util
import json
import pathlib
import re
import shlex
import textwrap
import tomllib

import numpy as np
import pytest

import ms_compat as ms
from ms_compat.__main__ import build_parser, commands
from ms_compat._core import faces

ROOT = pathlib.Path(__file__).parents[1]
GUIDE = ROOT / ".github" / "CONTRIBUTING.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def read_yaml(path):
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed: the extra `docs` brings it")
    return yaml.safe_load(path.read_text("utf-8"))


@pytest.mark.parametrize("name", ["wrong_value", "missing_api", "slow", "crash"])
def test_an_issue_form_asks_for_versions_and_a_program(name):
    form = read_yaml(ROOT / ".github" / "ISSUE_TEMPLATE" / f"{name}.yml")
    assert form["name"] and form["description"] and form["labels"]
    fields = {field["id"]: field for field in form["body"]}
    assert len(fields) == len(form["body"])
    for asked in ("doctor", "program"):
        assert fields[asked]["type"] == "textarea" and fields[asked]["validations"] == {"required": True}
    assert "`ms-compat doctor --json`" in fields["doctor"]["attributes"]["label"]
    text = json.dumps(form)
    for line in re.findall(r"`ms-compat ([^`]+)`", text):
        build_parser(commands()).parse_args(shlex.split(line))
    for variable in re.findall(r"\bMS_COMPAT_\w+", text):
        assert any(variable in path.read_text("utf-8") for path in (ROOT / "ms_compat").rglob("*.py")), variable


def test_there_are_no_other_forms():
    found = {path.stem for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*")}
    assert found == {"wrong_value", "missing_api", "slow", "crash", "config"}


def test_the_workflow_runs_ci_on_each_python():
    job = read_yaml(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]["suite"]
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]
    named = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["project"]["classifiers"]))
    assert job["strategy"]["matrix"]["python"] == named


def test_pre_commit_runs_the_installed_tools():
    (repo,) = read_yaml(ROOT / ".pre-commit-config.yaml")["repos"]
    assert repo["repo"] == "local"
    assert {hook["id"] for hook in repo["hooks"]} == {"ruff", "ruff-format", "mypy", "house"}
    for hook in repo["hooks"]:
        python, option, module, *arguments = shlex.split(hook["entry"])
        assert (python, option, hook["language"]) == ("python", "-m", "system")
        assert module in ("ruff", "mypy", "pytest")
        assert all((ROOT / word).exists() for word in arguments if "/" in word)


def test_editors_keep_the_length_that_ruff_checks():
    text = (ROOT / ".editorconfig").read_text("utf-8")
    assert f"max_line_length = {PROJECT['tool']['ruff']['line-length']}\n" in text


def test_the_container_has_the_oldest_python_and_the_extra_for_developers():
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8"))
    assert container["image"] == "python:" + PROJECT["project"]["requires-python"].removeprefix(">=")
    assert "'.[dev]'" in container["postCreateCommand"] and "dev" in PROJECT["project"]["optional-dependencies"]


def test_the_modules_and_paths_of_the_guide_exist():
    text = GUIDE.read_text("utf-8") + (GUIDE.parent / "PULL_REQUEST_TEMPLATE.md").read_text("utf-8")
    modules = set(re.findall(r"python -m ([\w.]+)", text))
    assert len(modules) > 8
    for module in modules - {"pip", "venv", "pytest", "mypy", "ruff"}:
        assert importlib.util.find_spec(module), module
    paths = re.findall(r"(?<![\w.])(?:ms_compat|tests|\.ci|\.devcontainer)/[\w/.*]+", text)
    assert len(paths) > 10
    assert [path for path in paths if not list(ROOT.glob(path.rstrip(".").replace("NAME.json", "*.json")))] == []
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
        assert (GUIDE.parent / target).is_file(), target


@pytest.mark.parametrize("call", [lambda f: f, ms.jit], ids=["plain", "compiled"])
def test_its_operation_works(call, monkeypatch):
    monkeypatch.setattr(faces, "declared", [])  # `tests/_core/test_faces.py` reads it
    block = re.search(r"^ *```python\n( *from .*?)^ *```", GUIDE.read_text("utf-8"), re.S | re.M)
    names: dict[str, object] = {"__name__": "blending"}
    exec(textwrap.dedent(block[1]), names)
    blended = call(names["blend"])(ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0]), weight=0.25)
    assert blended.dtype == ms.float32
    np.testing.assert_array_equal(blended.asnumpy(), [2.5, 3.5])
