"""What the tests exercise: the names of MindSpore that stand in test code, in recorded cases and in executed examples.

What can be called counts where a recorded run called it (`traced.py`). The names here are read: they stand for what has
no code of its own, for what came since that run, and for what runs in other processes. Three kinds of text are read:

- test modules, with their own imports (`from ms_compat import ops as o` makes `o.relu` a mention of
  `mindspore.ops.relu`); where one looks names up in a module (`getattr(ops, name)`), all words of its strings are
  names of that module;
- strings in them and in the recordings (tests/conformance/data), which hold most samples, under the usual aliases;
- the examples in docstrings of the package, which test_doctests.py executes.

`x.name` where `x` is no module is a mention of the member `name` of any class.
"""

from __future__ import annotations

import ast
import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
PACKAGE = TESTS.parent / "ms_compat"

ALIASES = {
    "ms": "mindspore",
    "mindspore": "mindspore",
    "ms_compat": "mindspore",
    "ops": "mindspore.ops",
    "P": "mindspore.ops",
    "F": "mindspore.ops",
    "C": "mindspore.ops",
    "nn": "mindspore.nn",
    "mint": "mindspore.mint",
    "mnp": "mindspore.numpy",
    "ds": "mindspore.dataset",
    "vision": "mindspore.dataset.vision",
    "transforms": "mindspore.dataset.transforms",
    "text": "mindspore.dataset.text",
    "audio": "mindspore.dataset.audio",
    "train": "mindspore.train",
    "Tensor": "mindspore.Tensor",
    "Parameter": "mindspore.Parameter",
    "ParameterTuple": "mindspore.ParameterTuple",
}
DATASET_ALIASES = {
    "A": "mindspore.dataset.audio",
    "T": "mindspore.dataset.transforms",
    "V": "mindspore.dataset.vision",
    "X": "mindspore.dataset.text",
}
# What tests run in other processes: jobs of several, and nets over eight devices.
PROGRAMS = (
    "communication/job.py", "communication/samples.py", "nn/sharded.py", "parallel/devices.py", "parallel/training.py",
)  # fmt: skip
_CHAIN = re.compile(r"(?<![\w.])([A-Za-z_]\w*)((?:\.[A-Za-z_]\w*)+)")
_MEMBER = re.compile(r"\.([A-Za-z_]\w*)")


def mentions(text: str, aliases: dict[str, str]) -> Iterator[tuple[str, int, int]]:
    """The names in a text: a dotted one, or `.name` for the member of some object, and where each begins and ends.

    >>> [name for name, _, _ in mentions("ops.relu(x).sum()", ALIASES)]
    ['mindspore.ops.relu', '.sum']
    """
    covered = 0
    for chain in _CHAIN.finditer(text):
        root = aliases.get(chain[1])
        covered = max(covered, chain.end())
        if root is None:
            for part in _MEMBER.finditer(chain[2]):
                yield f".{part[1]}", chain.start(2) + part.start(), chain.start(2) + part.end()
            continue
        dotted = root
        for part in _MEMBER.finditer(chain[2]):
            dotted = f"{dotted}.{part[1]}"
            yield dotted, chain.start(), chain.start(2) + part.end()
    for part in re.finditer(r"(?<=[\])}\"'0-9])\.([A-Za-z_]\w*)", text):  # of a call's result, a literal
        yield f".{part[1]}", part.start(), part.end()


def imports(tree: ast.AST) -> tuple[dict[str, str], dict[str, str]]:
    """The modules and the single names that a test module imports from ms_compat, by their names there."""
    modules, names = dict(ALIASES), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for item in node.names:
                if item.name.split(".")[0] in ("ms_compat", "mindspore"):
                    modules[item.asname or item.name.split(".")[0]] = public(item.name if item.asname else "mindspore")
                else:
                    modules.pop(item.asname or item.name.split(".")[0], None)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("ms_compat", "mindspore"):
            for item in node.names:
                dotted = f"{public(node.module)}.{item.name}"
                modules[item.asname or item.name] = dotted
                names[item.asname or item.name] = dotted
    return modules, names


def public(path: str) -> str:
    """The path as MindSpore has it."""
    return "mindspore" + path.removeprefix("ms_compat").removeprefix("mindspore")


def module_text(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The texts of a test module in which names are looked for, each with its aliases."""
    source = path.read_text("utf-8")
    tree = ast.parse(source)
    modules, names = imports(tree)
    looked_in, words = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in names:
            yield f"{names[node.id]}", {"mindspore": "mindspore"}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value, ALIASES | modules
            words.update(re.findall(r"\w+", node.value))
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "getattr":
            if not isinstance(node.args[1], ast.Constant):
                root, _, rest = ast.unparse(node.args[0]).partition(".")
                if root in modules:
                    looked_in.add(f"{modules[root]}.{rest}".rstrip("."))
    yield source, modules
    for module in looked_in:
        yield from ((f"{module}.{word}", {"mindspore": "mindspore"}) for word in words)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in ("message", "result"):
                yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


@functools.cache
def recorded() -> list[tuple[str, dict[str, str]]]:
    """The texts of all recordings, expressions and the statements before them, and the aliases they use."""
    found = []
    for path in sorted((TESTS / "conformance" / "data").glob("*.json")):
        aliases = ALIASES | DATASET_ALIASES if path.name.startswith("dataset_") else ALIASES
        texts = {text for text in _strings(json.loads(path.read_text("utf-8"))) if "." in text and len(text) < 5000}
        found.extend((text, aliases) for text in sorted(texts))
    return found


@functools.cache
def in_other_processes() -> frozenset[str]:
    """The names in the programs that tests start in processes of their own, as `exercised` gives them."""
    texts = [found for program in PROGRAMS for found in module_text(TESTS / program)]
    return frozenset(name for text, aliases in texts for name, _, _ in mentions(text, aliases))


@functools.cache
def exercised() -> frozenset[str]:
    """All names that tests mention: "mindspore.ops.relu", or ".sum" for a member of some object."""
    found = set()
    for path in sorted(TESTS.rglob("*.py")):
        if path.parent != Path(__file__).parent or path.name.startswith("test_"):
            for text, aliases in module_text(path):
                found.update(name for name, _, _ in mentions(text, aliases))
    for text, aliases in recorded():
        found.update(name for name, _, _ in mentions(text, aliases))
    for path in sorted(PACKAGE.rglob("*.py")):
        for line in re.findall(r"^\s*(?:>>>|\.\.\.) (.*)$", path.read_text("utf-8"), re.MULTILINE):
            found.update(name for name, _, _ in mentions(line, ALIASES))
    return frozenset(found)
