"""Which names MindSpore 2.10's modules have, and what each is: the table that answers inner paths.

MindSpore's modules import from one another, and programs import from all of them: `Tensor` is in
`mindspore.ops.function.nn_func`, and `abs_` there is an instance of `ops.Abs`. The recorded table
`module_exports.txt` says for each name which place defines it (a public one where there is one); `resolve.py` looks
that up. The table is read when a name is missing, never by `import ms_compat`; the script that records it,
`tests/conformance/record/module_listing.py`, says how it is written.
"""

from __future__ import annotations

import functools
import importlib.resources
from typing import NamedTuple

NOTHING = object()  # what `find` returns for names that nothing serves; None is a value of some


class Export(NamedTuple):
    """What a name is: its kind, the place that defines it, and whether `from module import *` gives it.

    The kind is "own" (defined in this very module), "name", "module", "call" (an instance of the class at `place`) or
    "value" (whose text is `place`).
    """

    kind: str
    place: str
    exported: bool
    arguments: tuple[str, ...] = ()


@functools.cache
def _sections() -> dict[str, list[str]]:
    text = importlib.resources.files(__package__).joinpath("module_exports.txt").read_text("utf-8")
    blocks = text.partition("\n[")[2].split("\n[")
    return {block.partition("]")[0]: block.splitlines()[1:] for block in blocks}


def _row(module: str, key: str, text: str) -> dict[str, Export]:
    """The entries of one line."""
    exported, key = key.endswith("*"), key.removesuffix("*")
    kind, _, where = key.partition(" ")
    if kind == "with":
        without = set(text.split())
        shared = {name: entry for name, entry in names(where).items() if name not in without}
        own = {
            name: Export("name", f"{where}.{name}", exported) for name, entry in shared.items() if entry.kind == "own"
        }
        return {name: entry._replace(exported=exported) for name, entry in shared.items()} | own
    if kind == "value":
        name, _, value = text.partition("=")
        return {name: Export(kind, value, exported)}
    if kind == "made":
        called, *arguments = text.split(" ")
        name, _, what = called.partition("=")
        return {name: Export("call", f"{where}.{what}", exported, tuple(arguments))}
    pairs = [item.partition("=") for item in text.split()]
    if kind == ".":
        return {name: Export("own", f"{module}.{name}", exported) for name, _, _ in pairs}
    place = where if kind in ("module", "call") else kind
    kind = kind if kind in ("module", "call") else "name"
    return {name: Export(kind, f"{place}.{other or name}".lstrip("."), exported) for name, _, other in pairs}


@functools.cache
def names(module: str) -> dict[str, Export]:
    """Returns `{name: Export}` of a MindSpore module; empty for modules that it lacks.

    >>> names("mindspore.ops.function.nn_func")["Tensor"].place
    'mindspore.Tensor'
    """
    found: dict[str, Export] = {}
    for line in _sections().get(module, ()):
        key, _, text = line.partition("\t")
        found |= _row(module, key, text)
    return found


def exported(module: str) -> list[str]:
    """Returns the names that `from module import *` gives; those without an underscore if MindSpore names none."""
    table = names(module)
    return [name for name, entry in table.items() if entry.exported] or [name for name in table if name[0] != "_"]


def known(dotted: str) -> bool:
    """Says whether a module of MindSpore has a name.

    >>> known("mindspore.ops.composite.GradOperation"), known("mindspore.ops.composite.nope")
    (True, False)
    """
    module, _, name = dotted.rpartition(".")
    return name in names(module)
