"""The coverage table: what becomes of every public name of MindSpore 2.10, generated from the tests.

    python -m tests.coverage.table            # writes ms_compat/_names/coverage.txt, and counts into the documents
    python -m tests.coverage.table --untested # lists served names that no test exercises

A name is
- `works`: served, and exercised by a test: called in the recorded run (see traced.py), or mentioned (see evidence.py)
  where there is nothing to call, in a program that a test runs in another process, or since that run;
- `differs`: exercised, and departs from MindSpore on purpose, with the reason: the dictionaries of
  tests/conformance/departures.py, and those of tests that are named `DIFFERENT`, `WIDER`, `DEPARTURES`, `OTHERWISE` or
  `REASONS`; their keys are recorded expressions or parts of them;
- `accepted`: it may be called and changes nothing, as a test in test_accepted.py shows;
- `absent`: using it raises `UnsupportedError`;
- `untested`: served without a test, which test_table.py does not allow.
"""

from __future__ import annotations

import ast
import functools
import re
import sys
from collections.abc import Iterable, Iterator
from enum import EnumMeta
from pathlib import Path
from typing import NoReturn

from ms_compat._names import api_index, hints, module_exports
from ms_compat._names.resolve import is_served, resolve
from tests.conformance import departures
from tests.coverage import evidence, traced

TABLE = evidence.PACKAGE / "_names" / "coverage.txt"
DEPARTURES = evidence.TESTS / "conformance" / "departures.py"
DIFFERENCES = {"DIFFERENT", "WIDER", "DEPARTURES", "OTHERWISE", "REASONS"}
# The names that recorded expressions call modules, and where those stand that they call without one.
ALIASES = evidence.ALIASES | evidence.DATASET_ALIASES | {
    "msd": "mindspore.nn.probability.distribution",
    "experimental": "mindspore.experimental",
    "L": "mindspore.experimental.optim.lr_scheduler",
}  # fmt: skip
HOMES = ("mindspore.nn", "mindspore", "mindspore.train", ALIASES["msd"])
HEAD = """\
# Made by `python -m tests.coverage.table`; not written by hand.
# [module], then 'status: names', or 'status name: reason'.
"""


def _text(node: ast.expr, known: dict[str, str]) -> str:
    """The text of an expression of strings, of which some may be constants of the module."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.Name):
        return known.get(node.id, "")
    if isinstance(node, ast.BinOp):
        return _text(node.left, known) + _text(node.right, known)
    if isinstance(node, ast.Tuple) and node.elts:
        return _text(node.elts[0], known)
    return ""


def _reasons(rows: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Rows of a table in words: a class of errors and "likewise" written out, rows without a text left out."""
    reason = ""
    for part, said in rows:
        said = f"raises {said} where MindSpore does not" if re.fullmatch(r"\w+Error", said) else said
        reason = reason if said == "likewise" else said
        if part and reason:
            yield part, reason


def stated(path: Path) -> Iterator[tuple[str, str]]:
    """The differences that a module of tests states: (expression or part of one, reason)."""
    if path == DEPARTURES:  # tables alone, some made by comprehensions
        for name, table in vars(departures).items():
            if name.isupper() and isinstance(table, dict):
                yield from _reasons(table.items())
        return
    known: dict[str, str] = {}
    for node in ast.parse(path.read_text("utf-8")).body:
        if not isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        name = getattr(target, "id", "").lstrip("_")
        if node.value is not None and _text(node.value, known):
            known[getattr(target, "id", "")] = _text(node.value, known)
        if name in DIFFERENCES and isinstance(node.value, ast.Dict):
            rows = []
            for key, value in zip(node.value.keys, node.value.values, strict=True):
                if key is not None and isinstance(value, ast.List):  # the other way round: reason, then its cases
                    yield from ((_text(case, known), _text(key, known)) for case in value.elts if _text(case, known))
                elif key is not None:
                    rows.append((_text(key, known), _text(value, known)))
            yield from _reasons(rows)


def _named(part: str) -> set[str]:
    """The names that a part of a recorded expression stands for, as evidence.py writes them."""
    found = {name for name, _, _ in evidence.mentions(part, ALIASES)}
    if any(name.startswith("mindspore.dataset.") for name in found):  # the arrays beside it are NumPy's
        found = {name for name in found if name[0] != "."}
    found = {name for name in found if name[0] != "." or name[1:] in api_index.modules()["mindspore.Tensor"]}
    if not found and len(part) > 3:
        for text, aliases in evidence.recorded():
            at = text.find(part)
            if at >= 0:
                spans = evidence.mentions(text, aliases)
                found |= {name for name, begin, end in spans if begin < at + len(part) and at < end}
    words = set(re.findall(r"(?<![\w.])[A-Z]\w+", part)) - {"Cell", "Tensor"}
    dotted = ([name for home in HOMES if is_served(name := f"{home}.{word}")] for word in words)
    return found or {names[0] for names in dotted if names}


@functools.cache
def differences() -> dict[str, str]:
    """`{name: reasons}` of all stated differences."""
    reasons: dict[str, list[str]] = {}
    for path in (DEPARTURES, *sorted(evidence.TESTS.rglob("test_*.py"))):
        for part, reason in stated(path):
            for name in _named(part):
                reasons.setdefault(name, []).append(reason)
    return {name: "; ".join(dict.fromkeys(found)) for name, found in reasons.items()}


@functools.cache
def accepted() -> dict[str, str]:
    """`{name: reason}` of what changes nothing, and `{name(argument): reason}`."""
    path = Path(__file__).parent / "test_accepted.py"
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "ACCEPTED":
            return {call: reason for call, (_, reason) in ast.literal_eval(node.value).items()}
    raise ValueError(f"{path} has no table ACCEPTED")


def _is_member(module: str) -> bool:
    return module.rpartition(".")[2][:1].isupper()


def _is_module(module: str, name: str) -> bool:
    return module_exports.names(module)[name].kind == "module"


@functools.cache
def _exercised_objects() -> dict[int, object]:
    """The functions and classes behind the exercised names, so that a second name of one counts as well."""
    found = {}
    for name in evidence.exercised():
        if name.startswith("mindspore.") and is_served(name):
            thing = resolve(name)
            if callable(thing):
                found[id(thing)] = thing
    return found


@functools.cache
def _run_elsewhere() -> frozenset[int]:
    """The functions behind the names that programs in other processes use, as `_exercised_objects`."""
    names = [name for name in evidence.in_other_processes() if name.startswith("mindspore.") and is_served(name)]
    return frozenset(id(thing) for thing in map(resolve, names) if callable(thing))


def _refuses(thing: object) -> bool:
    """Whether a function is there only to raise with more to say than a placeholder has."""
    return getattr(thing, "__annotations__", {}).get("return") in ("NoReturn", NoReturn)


def status(module: str, name: str) -> tuple[str, str]:
    """The status of a name and the reason for it, if there is one to give."""
    dotted = f"{module}.{name}"
    if not is_served(dotted) or _refuses(resolve(dotted)):
        return "absent", hints.find(dotted) or ""
    if dotted in accepted():
        return "accepted", accepted()[dotted]
    used = evidence.exercised()
    thing = resolve(dotted)
    tested = dotted in used or callable(thing) and id(thing) in _exercised_objects()
    # tests/_names/test_module_exports.py goes through the modules.
    tested = (
        tested
        or bool(module_exports.names(dotted))
        or name in module_exports.names(module)
        and _is_module(module, name)
    )
    tested = tested or _is_member(module) and (f".{name}" in used or re.fullmatch("__\\w+__", name) is not None)
    run = traced.read()
    if dotted in run.called:
        tested = True
    elif dotted in run.not_called:
        others = evidence.in_other_processes()
        tested = dotted in others or _is_member(module) and f".{name}" in others or id(thing) in _run_elsewhere()
    if not tested:
        return "untested", ""
    if not _can_differ(thing):
        return "works", ""
    reason = differences().get(dotted) or (differences().get(f".{name}") if module == "mindspore.Tensor" else None)
    return ("differs", reason) if reason else ("works", "")


@functools.cache
def rows() -> tuple[tuple[str, str, str, str], ...]:
    """(module, name, status, reason) of every public name."""
    modules = api_index.modules().items()
    return tuple((module, name, *status(module, name)) for module, names in modules for name in sorted(names))


def render() -> str:
    """The text of the table."""
    lines: list[str] = []
    plain: dict[str, list[str]] = {}
    module = ""

    def flush() -> None:
        lines.extend(f"{kind}: {' '.join(names)}" for kind, names in plain.items())
        plain.clear()

    for here, name, kind, reason in rows():
        if here != module:
            flush()
            module = here
            lines.append(f"[{module}]")
        if reason:
            lines.append(f"{kind} {name}: {reason}")
        else:
            plain.setdefault(kind, []).append(name)
    flush()
    return HEAD + "\n".join(lines) + "\n"


def unwritten(paths: Iterable[Path]) -> list[Path]:
    """Those of these test modules that state reasons which the shipped table has not; it was made before them."""
    stating = [path for path in paths if path == DEPARTURES or path.name.startswith("test_")]
    return [path for path in stating if any(_lacks(part, reason) for part, reason in stated(path))]


def _lacks(part: str, reason: str) -> bool:
    """Whether the row of a name that a part of a recorded expression stands for could give a reason and does not."""
    for name in _named(part):
        module, _, own = (f"mindspore.Tensor{name}" if name.startswith(".") else name).rpartition(".")
        row = api_index.coverage().get(module, {}).get(own)
        if row is not None and row.status in ("works", "differs") and reason not in row.reason:
            if _can_differ(resolve(f"{module}.{own}")):
                return True
    return False


def _can_differ(thing: object) -> bool:
    """Whether recorded answers can be about a thing, and not about a constant or an enumeration that is named there."""
    return callable(thing) and not isinstance(thing, EnumMeta)


def counted(statuses: Iterable[str]) -> dict[str, dict[str, str]]:
    """{document: {a pattern: what the counts make of it}}, for the README and the guide."""
    found = list(statuses)
    differs, absent = found.count("differs"), found.count("absent")
    served = 100 * (len(found) - absent) // len(found)
    return {
        "README.md": {
            r"\d+ % of [\d,]+ public names": f"{served} % of {len(found):,} public names",
            r"\[\d+ in a corner\]": f"[{differs} in a corner]",
            r"\d+, which raise": f"{absent}, which raise",
        },
        "notebooks/guide/differences.md": {
            r"\(\d+ do, in a corner; \d+ of [\d,]+": f"({differs} do, in a corner; {absent} of {len(found):,}",
            r"2\.10 has [\d,]+ public": f"2.10 has {len(found):,} public",
        },
    }


def main() -> None:
    """Writes the table, or lists what is untested."""
    if "--untested" in sys.argv:
        for module, name, kind, _ in rows():
            if kind == "untested":
                print(f"{module}.{name}")
    else:
        TABLE.write_text(render(), "utf-8")
        for document, counts in counted(status for _, _, status, _ in rows()).items():
            path = evidence.TESTS.parent / document
            text = path.read_text("utf-8")
            for pattern, count in counts.items():
                text = re.sub(pattern, count, text)
            path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
