"""The names that have an entry in the reference: where it is, and which spellings lead to it.

An entry is a section of a page or, for a class with members, a page. Names of a module that differ only in their
capital letters (`ops.relu` and the primitive `ops.ReLU`) share one, since the site's search ignores capitals. A member
that a class inherits has its entry at the base class.
"""

from __future__ import annotations

import functools
import inspect
import pathlib
import re
from typing import NamedTuple

from ms_compat._core.faces import find
from ms_compat._names import api_index
from ms_compat._names.resolve import is_served, resolve

USAGE = pathlib.Path(__file__).with_name("usage.txt")
# The pages of `mindspore.ops`, which is too large for one, by the folder under `ops/function` or the file under
# `ops/primitives` that an operation is written in; the first page is that of all others.
TOPICS = {
    "other": "scalars, sequences, composition, communication",
    "elementwise": "elementwise arithmetic, comparison, activation",
    "shape": "shapes, creation, joining and splitting",
    "indexing": "indexing, gathering, scattering",
    "reduction": "sums, extremes, sorting",
    "linalg": "linear algebra",
    "network": "layers, pooling, losses, attention, recurrent networks",
    "update": "optimizer steps and updates in place",
    "random": "random numbers",
    "image": "images and boxes",
    "sparse": "sparse tensors",
    "spectral": "Fourier transforms and windows",
}
SAME_TOPIC = {
    **dict.fromkeys(("nn", "pooling", "loss", "attention", "rnn", "axes"), "network"),
    **dict.fromkeys(("detection",), "image"),
    **dict.fromkeys(("csr", "sparse_inner"), "sparse"),
    **dict.fromkeys(("array",), "shape"),
    **dict.fromkeys(("math",), "elementwise"),
}


class Entry(NamedTuple):
    """An entry of the reference.

    Attributes:
        module: the module or class whose names they are.
        names: one name, or several that differ in capital letters.
        page: the page that the entry is on.
        anchor: its section; "" if the entry is the page.
        others: other dotted names of the same: members of subclasses, second names of a class.
    """

    module: str
    names: tuple[str, ...]
    page: str
    anchor: str
    others: tuple[str, ...] = ()

    @property
    def dotted(self) -> str:
        """The first name with its module."""
        return f"{self.module}.{self.names[0]}"

    @property
    def location(self) -> str:
        """The address within the site."""
        return self.page.removesuffix(".md") + ".html" + (f"#{self.anchor}" if self.anchor else "")


def is_class(module: str) -> bool:
    """Whether one of `api_index.modules()` is a class."""
    return re.search(r"\.[A-Z]\w*$", module) is not None


@functools.cache
def documented() -> list[str]:
    """The modules and classes that have a page."""
    wanted = [module for module in sorted(api_index.modules()) if not re.search(r"\._", module)]
    return [module for module in wanted if module == "mindspore" or is_served(module)]


def topic(name: str) -> str:
    """The topic of a name of `mindspore.ops`."""
    face = find("ops").get(name)
    written = face.module if face else str(getattr(resolve(f"mindspore.ops.{name}"), "__module__", ""))
    place = re.match(r"ms_compat\.ops\.(?:function|primitives)\.(\w+)", written)
    found = SAME_TOPIC.get(place[1], place[1]) if place else "other"
    return found if found in TOPICS else "other"


def page_of(module: str, name: str = "") -> str:
    """The page of a name of a module."""
    if module == "mindspore.ops" and name and topic(name) != "other":
        return f"api/mindspore.ops.{topic(name)}.md"
    return f"api/{module}.md"


def _inherits(owner: str, name: str, classes: dict[str, type]) -> str | None:
    """The class with a page that `owner` has a member from, if it is another."""
    for base in classes[owner].__mro__[1:]:
        for dotted, found in classes.items():
            if found is base and name in api_index.modules()[dotted] and is_served(f"{dotted}.{name}"):
                same = inspect.getattr_static(classes[owner], name, None) is inspect.getattr_static(base, name, None)
                return dotted if same else None
    return None


@functools.cache
def entries() -> list[Entry]:
    """All entries, in the order of modules and names."""
    classes = {module: resolve(module) for module in documented() if is_class(module)}
    also: dict[str, list[str]] = {}  # second names of the classes: mindspore.Model
    found: dict[tuple[str, str], list[str]] = {}
    inherited: dict[tuple[str, str], list[str]] = {}
    for module in documented():
        for name in sorted(api_index.modules()[module], key=lambda name: (name.lower(), name.swapcase())):
            dotted = f"{module}.{name}"
            if name.startswith("_") or not is_served(dotted) or inspect.ismodule(resolve(dotted)):
                continue
            base = _inherits(module, name, classes) if module in classes else None
            home = next((one for one, value in classes.items() if value is resolve(dotted)), dotted)
            if base:
                inherited.setdefault((base, name.lower()), []).append(dotted)
            elif home != dotted:
                also.setdefault(home, []).append(dotted)
            else:
                found.setdefault((module, name.lower()), []).append(name)
    out = []
    for (module, lower), names in found.items():
        # The function `mindspore.tensor` is on the page of the class.
        own = [name for name in names if f"{module}.{name}" in classes]
        names = own + [name for name in names if name not in own]
        dotted = f"{module}.{names[0]}"
        page, anchor = (page_of(dotted), "") if own else (page_of(module, names[0]), dotted)
        others = [*inherited.get((module, lower), ()), *also.get(dotted, ())]
        others += [f"{other}.{name}" for other in also.get(module, ()) for name in names]
        out.append(Entry(module, tuple(names), page, anchor, tuple(others)))
    return out


def spellings(entry: Entry) -> list[str]:
    """How people write the names of an entry: with its whole module, with a part of it, and alone.

    >>> spellings(Entry("mindspore.nn", ("Dense",), "", ""))
    ['mindspore.nn.dense', 'nn.dense', 'dense']
    """
    out: dict[str, None] = {}
    for dotted in [*(f"{entry.module}.{name}" for name in entry.names), *entry.others]:
        parts = dotted.lower().split(".")
        of_class = is_class(dotted.rpartition(".")[0])
        least = 2 if dotted in entry.others else 1
        out.update((".".join(parts[at:]), None) for at in range(len(parts) - least + 1))
        if len(parts) == 2 + of_class:
            out[".".join(["ms", *parts[1:]])] = None
    return list(out)


@functools.cache
def usage() -> dict[str, int]:
    """{name with dots, in small letters: the projects that use it}; a quarter of them where the count is a guess."""
    out: dict[str, int] = {}
    for line in USAGE.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            name, count, *guess = line.split()
            out[name.lower()] = max(out.get(name.lower(), 0), int(count) // (4 if guess else 1))
    return out


def used(entry: Entry) -> int:
    """How many projects use a name of an entry."""
    return max(usage().get(f"{entry.module}.{name}".lower(), 0) for name in entry.names)


@functools.cache
def best() -> dict[str, Entry]:
    """{spelling: the entry that it means}: of several the one that most projects use, then the least deep."""
    out: dict[str, Entry] = {}
    for entry in sorted(entries(), key=lambda entry: (-used(entry), entry.module.count("."), entry.dotted)):
        for spelling in spellings(entry):
            out.setdefault(spelling, entry)
    return out
