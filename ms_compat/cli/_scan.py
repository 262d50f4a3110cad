"""The scan that `run` and `check` share: which MindSpore names a program uses that ms_compat does not serve.

It reads the script and the modules beside it that it imports, and asks ms_compat for each name. A name that a program
is bound to need (used when the file runs from its top, outside functions, conditions and `try`) stops it for certain;
others may never be reached.
"""

import pathlib
import types
from collections.abc import Iterator
from typing import NamedTuple

from ms_compat._names import absent, census, inner
from ms_compat._names.absent import Absent
from ms_compat.cli._names import Local, Use, Visitor
from ms_compat.cli._sources import Unreadable, read


class Finding(NamedTuple):
    """A name that is not served.

    Attributes:
        file: the path, relative to the current folder where it lies below.
        line: the line, from 1.
        name: the whole path, such as "mindspore.ops.Foo".
        nearest: the nearest name that is served, or `None`.
        stops: whether the program is bound to stop there.
    """

    file: str
    line: int
    name: str
    nearest: str | None
    stops: bool

    def __str__(self) -> str:
        nearest = f"; the nearest is {self.nearest}" if self.nearest else ""
        return f"{self.file}:{self.line}: {self.name} is not supported{nearest}"


def _public(dotted: str) -> str:
    """The path with an inner module of MindSpore replaced by the public one, unless it is served under its own name."""
    if absent.is_served(dotted):
        return dotted
    parts = dotted.split(".")
    for length in range(len(parts), 1, -1):
        prefix = ".".join(parts[:length])
        public = inner.paths().get(prefix)
        if public is not None and not absent.module_exists("ms_compat" + prefix.removeprefix("mindspore")):
            return ".".join((public, *parts[length:]))
    return dotted


def _missing(dotted: str) -> tuple[str, bool] | None:
    """The shortest unserved prefix of a path, and whether MindSpore knows it; `None` if all is served."""
    parts = _public(dotted).split(".")
    for length in range(2, len(parts) + 1):
        prefix = ".".join(parts[:length])
        try:
            found = absent.resolve(prefix)
        except AttributeError:
            return prefix, census.known(prefix)
        if isinstance(found, Absent):
            return prefix, True
        if not isinstance(found, types.ModuleType):
            return None  # the attributes of classes and objects show only when they are made
    return None


def _judge(file: str, use: Use) -> Finding | None:
    missing = _missing(use.dotted)
    if missing is None:
        return None
    name, known = missing
    # A known name gives a placeholder, which may be imported from its module and mentioned, but not used.
    survives = known and (use.kind == "name" or (use.kind == "mention" and name == _public(use.dotted)))
    return Finding(file, use.line, name, absent.nearest(name), use.needed and not survives)


def _files(local: Local, file: pathlib.Path, root: pathlib.Path) -> Iterator[pathlib.Path]:
    """The files of the program itself that an import executes."""
    base = root
    if local.level:
        base = file.parent
        for _ in range(local.level - 1):
            base = base.parent
    parts = [part for part in local.module.split(".") if part]
    for length in range(1, len(parts) + 1):
        yield base.joinpath(*parts[:length], "__init__.py")
    if parts:
        yield base.joinpath(*parts).with_suffix(".py")
    for name in local.names:
        yield base.joinpath(*parts, name, "__init__.py")
        yield base.joinpath(*parts, f"{name}.py")


def _shown(path: pathlib.Path) -> str:
    try:
        return str(path.relative_to(pathlib.Path.cwd()))
    except ValueError:
        return str(path)


def scan(script: pathlib.Path) -> list[Finding]:
    """As `examine`, without what cannot be read: running it says where the error is."""
    return examine(script)[0]


def examine(script: pathlib.Path) -> tuple[list[Finding], list[str]]:
    """Finds the names of MindSpore that a script and its local modules use and ms_compat does not serve.

    Args:
        script: the script's path, or a notebook's.

    Returns:
        What was found, by file and line, each name of a line once; and what cannot be read, with the reason:
        the search ends there.
    """
    script = script.absolute()
    found: dict[tuple[str, int, str], Finding] = {}
    unreadable: list[str] = []
    done: dict[pathlib.Path, bool] = {}
    pending = [(script, True)]
    while pending:
        file, needed = pending.pop(0)
        if done.get(file, False) or (file in done and not needed) or not file.is_file():
            continue
        done[file] = needed
        try:
            source = read(file, _shown(file))
            visitor = Visitor(needed)
            visitor.visit(source.tree)
        except Unreadable as error:
            unreadable.append(str(error))
            continue
        except RecursionError:
            unreadable.append(f"{_shown(file)}: it is nested too deeply")
            continue
        for use in visitor.uses:
            shown, line = source.place(_shown(file), use.line)
            finding = _judge(shown, use._replace(line=line))
            if finding is not None:
                key = finding[:3]
                found[key] = finding._replace(stops=finding.stops or (key in found and found[key].stops))
        for local in visitor.locals:
            pending += [(path, local.needed) for path in _files(local, file, script.parent)]
    findings = sorted(found.values(), key=lambda finding: (finding.file, finding.line, finding.name))
    return findings, list(dict.fromkeys(unreadable))
