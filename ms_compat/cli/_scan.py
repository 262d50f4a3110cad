"""The scan that `run` and `check` share: which MindSpore names a program uses that ms_compat does not serve.

It reads the script and the modules beside it that it imports, and asks ms_compat for each name. A name that a program
is bound to need (used when the file runs from its top, outside functions, conditions and `try`) stops it for certain;
others may never be reached.
"""

import ast
import functools
import os
import pathlib
import types
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ms_compat._names import api_index, inner, resolve
from ms_compat._names.placeholder import Placeholder
from ms_compat.cli._names import Local, Use, Visitor
from ms_compat.cli._sources import Source, Unreadable, read

_NOTHING = ast.Module([], [])


class Finding(NamedTuple):
    """A name that ms_compat does not serve.

    Attributes:
        file: the path, relative to the current folder if the file is below it.
        line: the line, from 1.
        name: the whole path, such as "mindspore.ops.Foo".
        nearest: the nearest name that is served, or `None`.
        stops: whether the program always stops there.
        known: whether MindSpore 2.10 has the name; a misspelled one it has not.
    """

    file: str
    line: int
    name: str
    nearest: str | None
    stops: bool
    known: bool

    def __str__(self) -> str:
        nearest = f"; the nearest is {self.nearest}" if self.nearest else ""
        what = f"{self.name} is not supported" if self.known else f"MindSpore 2.10 has no name {self.name}"
        return f"{self.file}:{self.line}: {what}{nearest}"


@functools.cache
def _public(dotted: str) -> str:
    """The path with an inner module of MindSpore replaced by the public one, unless it is served under its own name."""
    if resolve.is_served(dotted):
        return dotted
    parts = dotted.split(".")
    for length in range(len(parts), 1, -1):
        prefix = ".".join(parts[:length])
        public = inner.paths().get(prefix)
        if public is not None and not resolve.module_exists("ms_compat" + prefix.removeprefix("mindspore")):
            return ".".join((public, *parts[length:]))
    return dotted


@functools.cache
def _missing(dotted: str) -> tuple[str, bool] | None:
    """The shortest unserved prefix of a path, and whether MindSpore knows it; `None` if all is served."""
    parts = _public(dotted).split(".")
    for length in range(2, len(parts) + 1):
        prefix = ".".join(parts[:length])
        try:
            found = resolve.resolve(prefix)
        except AttributeError:
            return prefix, api_index.known(prefix)
        if isinstance(found, Placeholder):
            return prefix, True
        if not isinstance(found, types.ModuleType):
            return None  # attributes of classes and objects are known only at run time
    return None


_nearest = functools.cache(resolve.nearest)


def _judge(file: str, use: Use) -> Finding | None:
    missing = _missing(use.dotted)
    if missing is None:
        return None
    name, known = missing
    # A known name gives a placeholder, which may be imported from its module and mentioned, but not used.
    survives = known and (use.kind == "name" or (use.kind == "mention" and name == _public(use.dotted)))
    return Finding(file, use.line, name, _nearest(name), use.needed and not survives, known)


def _files(local: Local, file: str, root: str) -> Iterator[str]:
    """The files of the program itself that an import executes."""
    base = root
    if local.level:
        base = os.path.dirname(file)
        for _ in range(local.level - 1):
            base = os.path.dirname(base)
    parts = [part for part in local.module.split(".") if part]
    for length in range(1, len(parts) + 1):
        yield os.path.join(base, *parts[:length], "__init__.py")
    if parts:
        yield os.path.join(base, *parts) + ".py"
    for name in local.names:
        yield os.path.join(base, *parts, name, "__init__.py")
        yield os.path.join(base, *parts, f"{name}.py")


def _shown(path: pathlib.Path) -> str:
    try:
        return str(path.relative_to(pathlib.Path.cwd()))
    except ValueError:
        return str(path)


def scan(script: pathlib.Path, root: pathlib.Path | None = None) -> list[Finding]:
    """As `examine`, without unreadable programs: running them shows the error."""
    return examine([script], root)[0]


def examine(scripts: Iterable[pathlib.Path], root: pathlib.Path | None = None) -> tuple[list[Finding], list[str]]:
    """Finds the names of MindSpore that programs and their local modules use and ms_compat does not serve.

    Args:
        scripts: the paths of scripts and notebooks.
        root: the folder to search for absolute imports; each script's own folder if None.

    Returns:
        What was found, by file and line, each name of a line once; and what cannot be read, with the reason:
        the search ends there.
    """
    search = _Search()
    for script in scripts:
        path = os.path.abspath(script)
        search.follow(path, str(root) if root is not None else os.path.dirname(path))
    findings = sorted(search.found.values(), key=lambda finding: (finding.file, finding.line, finding.name))
    return findings, list(dict.fromkeys(search.unreadable))


class _Search:
    """One search over several programs: it reads a file once, and judges it once for each way to reach it."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, int, str], Finding] = {}
        self.unreadable: list[str] = []
        self._read: dict[str, tuple[Source, Visitor] | None] = {}
        self._judged: dict[str, bool] = {}
        self._followed: dict[tuple[str, str], bool] = {}

    def follow(self, script: str, root: str) -> None:
        """Judges a script and the local modules that it imports."""
        pending = [(script, True)]
        while pending:
            file, needed = pending.pop()
            known = self._followed.get((file, root))
            if known or (known is not None and not needed):
                continue
            self._followed[file, root] = needed
            read = self._visited(file)
            if read is None:
                continue
            source, visitor = read
            if not self._judged.get(file, False) and not (file in self._judged and not needed):
                self._judged[file] = needed
                self._judge(file, source, visitor, needed)
            for local in visitor.locals:
                pending += [(path, needed and local.needed) for path in _files(local, file, root)]

    def _visited(self, file: str) -> tuple[Source, Visitor] | None:
        if file not in self._read:
            self._read[file] = self._visit(pathlib.Path(file)) if os.path.isfile(file) else None
        return self._read[file]

    def _visit(self, file: pathlib.Path) -> tuple[Source, Visitor] | None:
        try:
            source = read(file, _shown(file))
            visitor = Visitor()
            visitor.visit(source.tree)
        except Unreadable as error:
            self.unreadable.append(str(error))
            return None
        except RecursionError:
            self.unreadable.append(f"{_shown(file)}: it is nested too deeply")
            return None
        return source._replace(tree=_NOTHING), visitor  # a thousand trees would be gigabytes

    def _judge(self, file: str, source: Source, visitor: Visitor, needed: bool) -> None:
        shown = _shown(pathlib.Path(file))
        for use in visitor.uses:
            place, line = source.place(shown, use.line)
            finding = _judge(place, use._replace(line=line, needed=use.needed and needed))
            if finding is not None:
                key = finding[:3]
                before = self.found.get(key)
                self.found[key] = finding._replace(stops=finding.stops or (before is not None and before.stops))
