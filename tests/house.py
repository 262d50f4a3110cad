"""How far the source tree is from the layout and the language that it should have, as figures.

    python -m tests.house             # prints each figure, its bound, and the goal
    python -m tests.house lies        # prints the places that count towards the figures with this word in their name

`tests/test_house.py` holds the bounds: a figure may only improve. The figures are read from the text of the package;
nothing is imported.
"""

from __future__ import annotations

import ast
import bisect
import collections
import functools
import pathlib
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from tests import import_graph

ROOT = import_graph.ROOT
# The only figure that has to rise.
RISING = "mirrored tests, %"
# Folders that a reader meets first and that are too large. All others share one figure.
LARGE_FOLDERS = ("_core", "dataset", "_compile")
# The modules that may use private JAX names.
DOOR = "ms_compat/_core/jax_compat"
PRIVATE_JAX = re.compile(r"jax\.(?:_src|core|interpreters)\b|jaxlib\.(?!version)")

PROSE = {
    "is no X": r"(?<!there )\b(?:is|are|was|were) no (?!longer\b|more\b)",
    "is told": r"\b(?:is|are|was|were|be|been) told\b",
    "lies": r"\bl(?:ies|ie|ay)\b",
    "that of": r"\b(?:that|those) of\b",
    "so do": r"\bso (?:do|does|did)\b",
    "asks for": r"\bask(?:s|ed)? for\b",
    "of ... of": r"\bof (?:\w+ ){1,3}of\b",
    "coined words": r"\b(?:told|kin|ruled|placeheld|resides|presented|hosted|books?|cold tier|walked)\b",
}

# Definitions whose names a JAX engineer has to translate, in a module or class of any place, and the same of modules.
COINED_NAMES = frozenset(
    "facts describe Walk Entry Ruled pause resumed keeping jit_behind _Before resides placed computes trace_kept "
    "of_host SharedSwitch answering asked instead_of_filling ManyShapes ShapeBook LengthBook admit settle taking "
    "Padded Run Meta Traced Repartitioned _MoreState Given presented hosted_among computed told observe mark within "
    "_tell _passed Absent is_placeheld quietly way_out held Facts made of found".split()
)
COINED_MODULES = frozenset(
    "room described takes spellings over_array alias cold census listing ways_out _held facts primitive_facts looking "
    "waiting observed absent".split()
)

# Names that MindSpore gives what users call.
MINDSPORES = {"ms_compat/profiler/steps.py": {"mark"}}

# Private attributes of JAX's objects that our own classes define under the same name, or that have no underscore.
JAX_ATTRIBUTES = frozenset("_evaluate _device _fun _jit_info _cache _cache_initialized source_info".split())
# Private attributes of other packages' objects, and one of our own that is defined by a dictionary.
NOT_JAX = frozenset("_asdict _excinfo _follows _initializing".split())

_EXAMPLE = re.compile(r"^\s*(?:>>>|\.\.\.) .*$", re.MULTILINE)
# The syntax that is looked at; most nodes are none of it.
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_READS = (ast.Attribute, ast.Call)
_KINDS = {*_DEFINITIONS, *_READS, ast.Try, ast.Assign, ast.Name, ast.Constant, ast.JoinedStr}


class Figure(NamedTuple):
    """A count, the places that were counted, and what the count should become."""

    count: int
    places: list[str]
    goal: str


class Use(NamedTuple):
    """A name that a module takes from elsewhere: by an import, or as an attribute (`base.name`) of an object."""

    base: str
    name: str
    line: int
    late: bool  # in a function
    falls_back: bool  # where the name is missing, something else is done


class Source(NamedTuple):
    """What the figures need to know of a module."""

    path: str
    arrows: list[import_graph.Arrow]
    imports: list[Use]
    attributes: list[Use]
    definitions: list[tuple[str, int]]
    assigned: set[str]
    prose: list[tuple[int, str]]


def sources(root: pathlib.Path = ROOT) -> list[Source]:
    """The modules of the package."""
    known = import_graph.modules(root)
    return [
        _source(module, path.relative_to(root).as_posix(), path.read_text("utf-8"), known)
        for module, path in known.items()
    ]


def _source(module: str, path: str, text: str, known: Mapping[str, object]) -> Source:
    tree = ast.parse(text)
    nodes = [node for node in ast.walk(tree) if type(node) in _KINDS]
    guarded = _guarded(nodes)
    imports = [
        Use(base, name, node.lineno, late, id(node) in guarded)
        for node, late in import_graph.imports(tree, typing=True)
        for base, name in _imported(node)
    ]
    attributes, definitions, assigned = [], [], set[str]()
    private = {use.name for use in imports if PRIVATE_JAX.match(use.base)}
    for node in nodes:
        if isinstance(node, _DEFINITIONS):
            definitions.append((node.name, node.lineno))
        elif isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                assigned.add(node.id)
        elif isinstance(node, ast.Assign):
            if "__slots__" in ast.unparse(node.targets[0]):
                assigned.update(re.findall(r"\w+", ast.unparse(node.value)))
        elif isinstance(node, _READS):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                assigned.add(node.attr)
            if found := _attribute(node, private):
                base, name, falls_back = found
                attributes.append(Use(base, name, node.lineno, False, falls_back or id(node) in guarded))
    arrows = import_graph.arrows_of(module, tree, known, typing=True)
    return Source(path, arrows, imports, attributes, definitions, assigned, list(prose(text, nodes)))


def _guarded(nodes: Iterable[ast.AST]) -> set[int]:
    """The ids of all nodes in a `try` that catches a missing name and goes on, its handlers included."""
    kinds = {"ImportError", "ModuleNotFoundError", "AttributeError"}
    return {
        id(inner)
        for node in nodes
        if isinstance(node, ast.Try)
        and any(
            isinstance(name, ast.Name) and name.id in kinds and not isinstance(handler.body[-1], ast.Raise)
            for handler in node.handlers
            for name in (ast.walk(handler.type) if handler.type else ())
        )
        for part in (*node.body, *node.handlers)
        for inner in ast.walk(part)
    }


def _imported(node: import_graph.Import) -> Iterator[tuple[str, str]]:
    """What an import statement takes, as a dotted path, each with the name that it gets."""
    if isinstance(node, ast.Import):
        yield from ((alias.name, alias.asname or alias.name) for alias in node.names)
    elif node.level == 0:
        yield from ((f"{node.module}.{alias.name}", alias.asname or alias.name) for alias in node.names)


def _attribute(node: ast.Attribute | ast.Call, private: set[str]) -> tuple[str, str, bool] | None:
    """The object, the attribute and whether it may be missing, if a node reads one that could be private to JAX.

    `private` holds the names of private modules and objects of JAX, whose attributes are all private.
    """
    if isinstance(node, ast.Attribute):
        base = node.value
        if isinstance(base, ast.Name) and base.id in private:
            return base.id, node.attr, False
        if isinstance(base, ast.Attribute) and PRIVATE_JAX.match(f"{ast.unparse(base)}."):
            return ast.unparse(base), node.attr, False
        if _is_private(node.attr) and not (isinstance(base, ast.Name) and base.id in ("self", "cls", "sys", "os")):
            return "", node.attr, False
    elif isinstance(node.func, ast.Name) and node.func.id in ("getattr", "hasattr") and len(node.args) > 1:
        name = node.args[1]
        if isinstance(name, ast.Constant) and _is_private(str(name.value)):
            return "", str(name.value), len(node.args) == 3 or node.func.id == "hasattr"
    return None


def _is_private(name: str) -> bool:
    return name in JAX_ATTRIBUTES or (name.startswith("_") and not name.startswith("__") and name not in NOT_JAX)


# -- folders and circles


def files_by_folder(root: pathlib.Path = ROOT) -> dict[str, list[str]]:
    """{folder: its modules}, without the modules of the folders in it."""
    found: dict[str, list[str]] = {}
    for path in import_graph.modules(root).values():
        found.setdefault(path.parent.relative_to(root).as_posix(), []).append(path.name)
    return found


def _folders(root: pathlib.Path) -> Iterator[tuple[str, Figure]]:
    found = files_by_folder(root)
    for name in LARGE_FOLDERS:
        files = found.pop(f"{import_graph.PACKAGE}/{name}", [])
        yield f"files in {name}", Figure(len(files), [", ".join(files)], "15")
    others = sorted(((len(files), folder) for folder, files in found.items()), reverse=True)
    yield "files in any other folder", Figure(others[0][0], [f"{folder}: {n}" for n, folder in others[:5]], "25")


def _circles(files: list[Source]) -> Iterator[tuple[str, Figure]]:
    """Circles by all imports: at the heads of files, in functions, and those that only type checkers read."""
    arrows = {arrow[:2] for file in files for arrow in file.arrows}
    modules: dict[str, set[str]] = {}
    levels: dict[str, dict[str, set[str]]] = {}
    for source, target in arrows:
        modules.setdefault(source, set()).add(target)
        ours, theirs = source.split("."), target.split(".")
        depth = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), 0)
        if depth:  # neither is the folder that both are in, whose `__init__` imports what it hands on
            above = levels.setdefault(".".join(ours[:depth]), {})
            above.setdefault(".".join(ours[: depth + 1]), set()).add(".".join(theirs[: depth + 1]))
    rooms = levels.pop(import_graph.PACKAGE, {})
    folders = [circle for _, graph in sorted(levels.items()) for circle in import_graph.circles(graph)]
    for name, circles in (
        ("modules in circles", import_graph.circles(modules)),
        ("files and subfolders of a room in circles", folders),
        ("rooms in circles", import_graph.circles(rooms)),
    ):
        places = [" ".join(module.removeprefix("ms_compat.") for module in circle) for circle in circles]
        yield name, Figure(sum(map(len, circles)), places, "0")


# -- JAX's private names


def _private_jax(files: list[Source]) -> Iterator[tuple[str, Figure]]:
    """Uses of names that JAX does not promise to keep: imports, and attributes of its modules and objects."""
    own = {name for file in files for name in (*file.assigned, *(name for name, _ in file.definitions))}
    # An attribute that one place of the door looks for is used nowhere without that answer.
    checked = {use.name for file in files if file.path.startswith(DOOR) for use in file.attributes if use.falls_back}
    outside, heads, late = [], [], []
    attributes: dict[str, str] = {}
    for file in files:
        is_door = file.path.startswith(DOOR)
        for use in file.imports:
            if PRIVATE_JAX.match(use.base):
                place = f"{file.path}:{use.line}: {use.base}"
                if not is_door:
                    outside.append(place)
                if not use.falls_back:
                    (late if use.late else heads).append(place)
        for use in file.attributes:
            if use.base or use.name in JAX_ATTRIBUTES or use.name not in own:
                name = f"{use.base}.{use.name}".removeprefix(".")
                place = f"{file.path}:{use.line}: {name}"
                if not is_door:
                    outside.append(place)
                if not use.falls_back and use.name not in checked:
                    attributes.setdefault(name, place)
    yield "private JAX names outside jax_compat", Figure(len(outside), outside, "0")
    yield "private JAX imports without fallback", Figure(len(heads), heads, "5")
    yield "private JAX imports in functions without fallback", Figure(len(late), late, "-")
    yield "private JAX attributes without fallback", Figure(len(attributes), list(attributes.values()), "-")


# -- tests


def _mirrored(root: pathlib.Path) -> Iterator[tuple[str, Figure]]:
    """The share of modules, packages' own aside, whose test stands at the same path under `tests`."""
    package = root / import_graph.PACKAGE
    found, missing = 0, collections.Counter[str]()
    for path in import_graph.modules(root).values():
        place = path.relative_to(package)
        if path.stem.startswith("__"):
            continue
        names = {f"test_{path.stem}.py", f"test_{path.stem.lstrip('_')}.py"}
        if any((root / "tests" / place.parent / name).is_file() for name in names):
            found += 1
        else:
            missing[place.parts[0].removesuffix(".py")] += 1
    total = found + missing.total()
    places = [f"{found} of {total} modules; without a test at their path:"]
    places += [f"{room}: {count}" for room, count in missing.most_common()]
    yield RISING, Figure(100 * found // total, places, "50")


# -- language


def prose(text: str, nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Comments and the strings of several words (docstrings, messages), with their lines; blanks count once.

    Examples in docstrings are left out.
    """
    spans = []
    parts = {id(value) for node in nodes if isinstance(node, ast.JoinedStr) for value in node.values}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            words = "".join(str(v.value) if isinstance(v, ast.Constant) else "{}" for v in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            words = node.value
        else:
            continue
        spans.append(((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)))
        if words.count(" ") > 1:
            yield node.lineno, " ".join(_EXAMPLE.sub("", words).split())
    yield from _comments(text, sorted(spans))


def _comments(text: str, spans: list[tuple[tuple[int, int], tuple[int, int]]]) -> Iterator[tuple[int, str]]:
    """Comments with their first lines; those that fill neighbouring lines are one."""
    start, words, last = 0, [], 0
    for number, line in enumerate(text.splitlines(), 1):
        for match in re.finditer("#", line) if "#" in line else ():
            at = (number, len(line[: match.start()].encode()))
            before = bisect.bisect(spans, (at, at)) - 1
            if before >= 0 and at < spans[before][1]:
                continue  # in a string
            fills = not line[: match.start()].strip()
            if number != last + 1 or not fills:
                if words:
                    yield start, " ".join(words)
                start, words = number, []
            words += line[match.end() :].split()
            last = number if fills else 0
            break
    if words:
        yield start, " ".join(words)


def _language(files: list[Source]) -> Iterator[tuple[str, Figure]]:
    patterns = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in PROSE.items()}
    found: dict[str, list[str]] = {name: [] for name in PROSE}
    names = []
    for file in files:
        for line, words in file.prose:
            for kind, pattern in patterns.items():
                for match in pattern.finditer(words):
                    around = words[max(match.start() - 30, 0) : match.end() + 30]
                    found[kind].append(f"{file.path}:{line}: ...{around}...")
        path = pathlib.PurePosixPath(file.path)
        module = path.parent.name if path.stem == "__init__" else path.stem
        names += [f"{file.path}: the module {module}"] * (module in COINED_MODULES)
        coined = COINED_NAMES - MINDSPORES.get(file.path, set())
        names += [f"{file.path}:{line}: {name}" for name, line in file.definitions if name in coined]
    yield from ((f"prose: {kind}", Figure(len(hits), hits, "-")) for kind, hits in found.items())
    yield "coined names", Figure(len(names), names, "0")


# -- together


@functools.cache
def figures(root: pathlib.Path = ROOT) -> dict[str, Figure]:
    """All figures by their names."""
    files = sources(root)
    return dict([*_folders(root), *_circles(files), *_private_jax(files), *_mirrored(root), *_language(files)])


def newest(places: list[str], root: pathlib.Path = ROOT) -> list[str]:
    """The places, those in the files that were changed last first: there a reader finds what has grown."""

    def changed(place: str) -> float:
        path = root / place.partition(":")[0]
        return path.stat().st_mtime if path.is_file() else 0.0

    return sorted(places, key=changed, reverse=True)


def main(word: str | None = None) -> None:
    """Print the table, or the places behind the figures with a word in their names."""
    from tests.test_house import BOUNDS

    if word is None:
        print(f"{'':50} {'today':>6} {'bound':>6} {'goal':>6}")
    for name, figure in figures().items():
        if word is None:
            print(f"{name:50} {figure.count:6} {BOUNDS[name]:6} {figure.goal:>6}")
        elif word in name:
            print(f"{name}: {figure.count}", *figure.places, sep="\n    ")
    if word is None:
        together = sum(figure.count for name, figure in figures().items() if name.startswith("prose: "))
        print(f"{'prose, together':50} {together:6} {'':6} {100:6}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
