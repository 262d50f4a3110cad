"""The public names of MindSpore 2.10, its inner module paths, and the successors of earlier names.

Names, kinds and paths only, some 80 kB of text beside this file; they are read when a name is missing or a script is
scanned, never by `import ms_compat`.
"""

import functools
import importlib.resources
from typing import NamedTuple


def _lines(name: str) -> list[str]:
    text = importlib.resources.files(__package__).joinpath(name).read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


@functools.cache
def modules() -> dict[str, dict[str, str]]:
    """Returns `{module: {name: kind}}`, such as `{"mindspore.nn": {"Dense": "class", ...}, ...}`.

    >>> modules()["mindspore.nn"]["Dense"]
    'class'
    """
    table: dict[str, dict[str, str]] = {}
    for line in _lines("api_index.txt"):
        if line.startswith("["):
            names = table.setdefault(line[1:-1], {})
        else:
            kind, _, listed = line.partition(": ")
            names.update(dict.fromkeys(listed.split(), kind))
    return table


@functools.cache
def homes() -> dict[str, list[str]]:
    """Returns `{name: [modules that have it]}`, without the methods of classes.

    >>> homes()["WithLossCell"]
    ['mindspore.nn']
    """
    table: dict[str, list[str]] = {}
    for module, names in modules().items():
        if not module.rpartition(".")[2][:1].isupper():
            for name in names:
                table.setdefault(name, []).append(module)
    return table


@functools.cache
def renamed() -> dict[str, str]:
    """Returns `{earlier dotted name: what serves in its place}`.

    >>> renamed()["mindspore.ms_function"]
    'mindspore.jit'
    """
    return dict(line.split(" ", 1) for line in _lines("renamed.txt"))


@functools.cache
def inner_modules() -> dict[str, str]:
    """Returns `{inner or earlier module path: the public module that has its names}`.

    Scripts write `from mindspore.ops import operations as P`, or import from `mindspore.train.serialization`. Where
    ms_compat has no module of that path, the path means the public one.

    >>> inner_modules()["mindspore.ops.operations"]
    'mindspore.ops'
    """
    return dict(line.split(" ", 1) for line in _lines("modules.txt"))


def known(dotted: str) -> bool:
    """Says whether MindSpore 2.10 has a public name.

    >>> known("mindspore.ops.ReLU"), known("mindspore.ops.nope"), known("mindspore.ops")
    (True, False, True)
    """
    module, _, name = dotted.rpartition(".")
    return name in modules().get(module, {}) or dotted in modules()


class Coverage(NamedTuple):
    """The support for a name: a status, "works", "differs", "accepted", "absent" or "untested", and why."""

    status: str
    reason: str = ""


@functools.cache
def coverage() -> dict[str, dict[str, Coverage]]:
    """Returns `{module: {name: Coverage}}`, a table that is generated from the tests.

    >>> coverage()["mindspore.nn"]["Dense"].status in ("works", "differs")
    True
    """
    table: dict[str, dict[str, Coverage]] = {}
    for line in _lines("coverage.txt"):
        if line.startswith("["):
            names = table.setdefault(line[1:-1], {})
            continue
        status, _, reason = line.partition(": ")
        status, _, name = status.partition(" ")
        names.update({name: Coverage(status, reason)} if name else dict.fromkeys(reason.split(), Coverage(status)))
    return table
