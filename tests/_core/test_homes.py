"""Classes show MindSpore's modules while the import hook is installed.

`python -m tests._core.test_homes` writes the table.
"""

import functools
import importlib
import inspect
import json
import pathlib
import pickle

import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor
from ms_compat._core import homes
from ms_compat._names.placeholder import Placeholder
from ms_compat.dataset._support.placeholders import DatasetPlaceholder

DATA = pathlib.Path(__file__).parents[1] / "conformance/data/class_homes.json"
BY_THEMSELVES = ("Tensor", "Parameter")  # print MindSpore's modules without the table
HEAD = "# Made by tests/_core/test_homes.py: the modules under which MindSpore shows classes.\n"


@functools.cache
def recorded():
    """[(public path, name, home, own name)] of MindSpore's classes."""
    out = []
    for path, found in json.loads(DATA.read_text("utf-8"))["modules"].items():
        for home, names in found.items():
            for entry in names.split():
                name, _, own = entry.partition("=")
                out.append((path, name, home, own or name))
    return out


def classes():
    """The recorded classes that are served, and found at MindSpore's home, too: (ours, home)."""
    for path, name, home, _ in recorded():
        value = getattr(importlib.import_module(path), name, None)
        if not inspect.isclass(value) or isinstance(value, (Placeholder, DatasetPlaceholder)):
            continue
        try:
            at_home = getattr(importlib.import_module(home), value.__qualname__, None)
        except ImportError:
            continue
        if at_home is value and homes.is_of_the_package(value.__module__):
            yield value, home


def text():
    """The table: a section for each of our modules, a row for each of MindSpore's."""
    table = {}
    for value, home in classes():
        own = homes.written_in(value)
        if value.__name__ not in BY_THEMSELVES and own != "ms_compat._core.dtype":
            table.setdefault(own, {})[value.__qualname__] = home
    out = [HEAD]
    for module, found in sorted(table.items()):
        out.append(f"[{module.partition('.')[2]}]\n")
        for home in sorted(set(found.values())):
            names = " ".join(sorted(name for name in found if found[name] == home))
            out.append(f"{home.partition('.')[2]}: {names}\n")
    return "".join(out)


@pytest.fixture
def hook():
    ms.install()
    yield
    ms.install.uninstall()


def test_every_class_shows_mindspores_module(hook):
    """Also the table is what the recording says, which a new class changes."""
    assert text() == homes.TABLE.read_text("utf-8"), "run: python -m tests._core.test_homes"
    seen = 0
    for value, home in classes():
        if homes.written_in(value) not in ("ms_compat._core.dtype", "ms_compat._core.settings.streams"):
            shown = repr(value)
            assert shown.startswith((f"<class '{home}.{value.__qualname__}'", f"<enum '{value.__name__}'")), shown
            assert pickle.loads(pickle.dumps(value)) is value
            seen += 1
    assert seen > 2000


def main():
    """Write the table."""
    homes.TABLE.touch()
    ms.install()
    homes.TABLE.write_text(text(), "utf-8")


if __name__ == "__main__":
    main()


def test_classes_print_under_their_names_in_mindspore():
    assert repr(type(Tensor(1))) == "<class 'mindspore.common.tensor.Tensor'>"
    assert str(Parameter) == "<class 'mindspore.common.parameter.Parameter'>"
    assert repr(type("Mine", (Tensor,), {"__module__": "here"})) == "<class 'here.Mine'>"
    assert pickle.loads(pickle.dumps((Tensor, Parameter))) == (Tensor, Parameter)
