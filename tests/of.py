"""Runs the tests of one public name.

    python -m tests.of ops.lerp              # the tests that mention it, recorded cases among them
    python -m tests.of nn.Dense -x -q        # what follows the name is pytest's
    python -m tests.of Tensor.view --collect-only

A test belongs to a name if the name stands in its function, in a function or class of its module that it uses, or in
the values that it is parametrized with. Words are whole: `ops.add` is not in `ops.addmm`. A method counts with any
object, because a text does not say what `x` in `x.view(2, 3)` is.

The exit status is pytest's, and 2 for a name that is not served.
"""

import ast
import collections
import difflib
import functools
import importlib
import inspect
import pathlib
import re
import sys
import types
from collections.abc import Iterator
from typing import Any

import pytest

import ms_compat
from tests.coverage import evidence

TESTS = pathlib.Path(__file__).resolve().parent
# The rooms whose test files take recorded cases, so that their texts do not mention what they run.
RECORDED = ("tests.ops.recorded", "tests.dataset.recorded", "tests.nn.recorded", "tests.train.recorded")
ALIASES = evidence.ALIASES | evidence.DATASET_ALIASES
UNKNOWN = 2


# -- names -------------------------------------------------------------------------------------------------------------
def public_name(text: str) -> str | None:
    """The name as MindSpore has it, or None if it is not served.

    >>> public_name("ops.lerp"), public_name("ms.nn.Dense"), public_name("ops.lerpp")
    ('mindspore.ops.lerp', 'mindspore.nn.Dense', None)
    """
    root, _, rest = text.partition(".")
    parts = (rest if root in ("ms", "mindspore", "ms_compat") else text).split(".")
    found: Any = ms_compat
    if not all(part.isidentifier() for part in parts):
        return None
    for part in parts:
        found = _member(found, part)
        if found is None:
            return None
    return ".".join(("mindspore", *parts))


def _member(owner: Any, name: str) -> Any:
    try:
        return getattr(owner, name)
    except (AttributeError, ms_compat.UnsupportedError):
        pass
    if not isinstance(owner, types.ModuleType):
        return None
    try:
        return importlib.import_module(f"{owner.__name__}.{name}")
    except ModuleNotFoundError:
        return None


def nearest(text: str) -> list[str]:
    """Names that look like one that is not served: in its module, or, if that is unknown, under the name in others."""
    module, _, name = text.rpartition(".")
    public = public_name(module) if module else "mindspore"
    if public:
        owner = functools.reduce(getattr, public.split(".")[1:], ms_compat)
        found = difflib.get_close_matches(name, dir(owner), 3, 0.7)
        if found:
            return [f"{module}.{match}".lstrip(".") for match in found]
    return [f"{space}.{name}" for space in ("ops", "nn", "mint", "numpy", "Tensor") if public_name(f"{space}.{name}")]


class Wanted:
    """A public name, as it is looked for in texts."""

    def __init__(self, name: str):
        self.name = name
        self.word = name.rpartition(".")[2]
        # Of a method the texts do not say the class.
        self._forms = {name, f".{self.word}"} if name.startswith("mindspore.Tensor.") else {name}

    def is_in(self, text: str, aliases: dict[str, str]) -> bool:
        """Whether a text mentions the name, under the aliases of the text."""
        return self.word in text and any(form in self._forms for form, _, _ in evidence.mentions(text, aliases))


# -- files -------------------------------------------------------------------------------------------------------------
def files(wanted: Wanted) -> list[pathlib.Path]:
    """The test files that mention a name, and those that run a recorded case that does."""
    found = {path for path in TESTS.rglob("test_*.py") if _is_mentioned(wanted, path)}
    for module in RECORDED:
        for path, params in importlib.import_module(module).by_file():
            if any(wanted.is_in(text, ALIASES) for param in params for text in _texts(param.values)):
                found.add(path)
    found.update(TESTS.rglob("test_recorded.py"))  # cases that no other file takes
    return sorted(found)


@functools.cache
def _is_mentioned(wanted: Wanted, path: pathlib.Path) -> bool:
    if wanted.word not in path.read_text("utf-8"):
        return False
    return any(wanted.is_in(*part) for part in evidence.module_text(path))


@functools.cache
def _imports(path: pathlib.Path) -> tuple[dict[str, str], dict[str, str]]:
    """The modules and the single names that a test file imports, by their names there."""
    return evidence.imports(ast.parse(path.read_text("utf-8")))


# -- tests -------------------------------------------------------------------------------------------------------------
def _texts(value: Any) -> Iterator[str]:
    """The expressions and names in a parameter of a test."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts([value[key] for key in ("expr", "id") if key in value])
        yield from _texts(value.get("setup", "").rpartition("\n\n")[2])
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, types.FunctionType):
        yield _source(value)


def _source(value: Any) -> str:
    try:
        return inspect.getsource(value)
    except (OSError, TypeError):  # it was made by a program
        return ""


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def _used(function: types.FunctionType, seen: set[str]) -> Iterator[str]:
    """The sources of a function, and of the functions and classes of its module that it uses."""
    source = re.sub(r"\A.*?^(?=(async )?def )", "", _source(function), count=1, flags=re.M | re.S)  # without decorators
    yield source
    module = sys.modules[function.__module__]
    for name in _words(source) - seen:
        value = vars(module).get(name)
        if isinstance(value, (types.FunctionType, type)) and value.__module__ == module.__name__:
            seen.add(name)
            if isinstance(value, type):
                yield _source(value)
            else:
                yield from _used(value, seen)


class Selection:
    """A plugin of pytest that keeps the tests of a name, and says which files they are in."""

    def __init__(self, wanted: Wanted):
        self._wanted = wanted

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        kept = {item for item in items if isinstance(item, pytest.Function) and self._keeps(item)}
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = [item for item in items if item in kept]

    def pytest_report_collectionfinish(self, items: list[pytest.Item]) -> list[str]:
        counts = collections.Counter(item.nodeid.partition("::")[0] for item in items)
        lines = [f"  {path}: {count}" for path, count in sorted(counts.items())]
        return [f"{self._wanted.name}: {len(items)} tests", *lines]

    def _keeps(self, item: pytest.Function) -> bool:
        aliases, imported = _imports(item.path)
        callspec = getattr(item, "callspec", None)
        for text in _texts(list(callspec.params.values()) if callspec else []):
            if self._wanted.is_in(text, ALIASES | aliases):
                return True
            # A name that the test looks up: getattr(ops, name).
            if text == self._wanted.word and _is_mentioned(self._wanted, item.path):
                return True
        own = {local for local, name in imported.items() if name == self._wanted.name}
        for source in _used(item.function, {item.function.__name__}):
            if self._wanted.is_in(source, aliases) or own & _words(source):
                return True
        return False


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0].startswith("-"):
        print(__doc__)
        return 0 if arguments[:1] in (["-h"], ["--help"]) else UNKNOWN
    text, *options = arguments
    name = public_name(text)
    if name is None:
        near = nearest(text)
        hint = f"; did you mean {' or '.join(near)}?" if near else "; write it as programs do: ops.lerp, nn.Dense"
        print(f"tests.of: {text!r} is not a public name of ms_compat{hint}", file=sys.stderr)
        return UNKNOWN
    wanted = Wanted(name)
    return int(pytest.main([*map(str, files(wanted)), *options], plugins=[Selection(wanted)]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
