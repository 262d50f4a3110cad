"""Which public names the tests call, noted while they run.

    MS_COMPAT_CACHE=0 python -m pytest -n 2 -p tests.coverage.traced --traced FOLDER    # notes what is called
    python -m tests.coverage.traced FOLDER                                              # writes traced.txt
    python -m tests.coverage.traced FOLDER --add    # after a run of new tests alone: adds what they call

traced.txt has the names that were called and those that were not. A name that is in neither came after the run: for it
a mention counts until the next one, so that a new operation needs no run of the whole suite.

A name counts when its code runs: the function's own (that under its decorators, or the inner function of an operation),
the operation when it is called, the class when one of its methods runs on an object of it, the method or property on an
object of its class. Functions that are made of one piece of code are told apart by what they close over. Names
without code of this package (constants, dtypes, exceptions) cannot be called so: for them a mention counts
(`evidence.py`), as for what the programs name that tests start in other processes, where nothing is noted.
A recording by JAX's profiler ends the noting in its process, so `tests/profiler` is best run last, its refusals apart.
"""

from __future__ import annotations

import functools
import inspect
import os
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import pytest

from ms_compat._core.dispatch.op import Op
from ms_compat._core.homes import is_of_the_package
from ms_compat._names import api_index
from ms_compat._names.resolve import is_served, resolve
from tests.coverage import evidence

TRACED = Path(__file__).with_name("traced.txt")
HEAD = "# Made by `python -m tests.coverage.traced` from a run of the tests; not written by hand.\n"
NOT_CALLED = "[not called]\n"
ROOT = str(evidence.PACKAGE) + os.sep


def functions_of(value: Any) -> Iterator[FunctionType]:
    """The function of this package whose run means that a value was called, if it has one; not for classes."""
    if isinstance(value, property):
        value = value.fget
    value = getattr(value, "__func__", value)
    for found in (value, inspect.unwrap(value) if callable(value) else None, getattr(value, "fn", None)):
        if isinstance(found, FunctionType) and found.__code__.co_filename.startswith(ROOT):
            yield found
            return  # the outermost: of a function in place, not the one that it wraps


def methods_of(owner: type) -> Iterator[FunctionType]:
    """The functions of this package among the members of a class and of those it derives from."""
    for base in owner.__mro__:
        for member in vars(base).values():
            yield from functions_of(member)


@functools.cache
def public() -> dict[str, Any]:
    """Every served public name of MindSpore and what it is here; of a class's member, what the class holds."""
    out = {}
    for module, names in api_index.modules().items():
        owner = resolve(module) if module.rpartition(".")[2][:1].isupper() and is_served(module) else None
        for name in names:
            dotted = f"{module}.{name}"
            if owner is not None and isinstance(owner, type):
                getattr(owner, name, None)  # some methods are made when they are asked for
                out[dotted] = inspect.getattr_static(owner, name, None)
            elif is_served(dotted):
                out[dotted] = resolve(dotted)
    return out


def can_be_traced(value: Any) -> bool:
    """Whether code of this package runs when it is called."""
    if isinstance(value, type):
        return is_of_the_package(value.__module__) and any(True for _ in methods_of(value))
    return isinstance(value, Op) or any(True for _ in functions_of(value))


class Recorder:
    """Notes, from `start` to `stop`, whose code runs."""

    def __init__(self) -> None:
        self._ran: set[CodeType] = set()
        self._closures: dict[CodeType, set[tuple[int, ...]]] = {}
        self._receivers: dict[CodeType, set[type]] = {}
        self._ops: set[int] = set()
        self._watched: set[CodeType] = {Op.__call__.__code__, *(f.__code__ for f in methods_of(Op))}
        for value in public().values():
            found = methods_of(value) if isinstance(value, type) else functions_of(value)
            self._watched.update(function.__code__ for function in found)

    def start(self) -> None:
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def stop(self) -> None:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or code not in self._watched:
            return
        takes_self = code.co_argcount and code.co_varnames[0] in ("self", "cls")
        if code in self._ran and not takes_self and not code.co_freevars:
            return
        self._ran.add(code)
        held = frame.f_locals
        if code.co_freevars:
            self._closures.setdefault(code, set()).add(tuple([id(held.get(name)) for name in code.co_freevars]))
        if takes_self:
            receiver = held[code.co_varnames[0]]
            if isinstance(receiver, Op):
                self._ops.add(id(receiver))
            self._receivers.setdefault(code, set()).add(receiver if isinstance(receiver, type) else type(receiver))

    def _has_run(self, function: FunctionType) -> bool:
        code = function.__code__
        if code not in self._ran or not code.co_freevars:
            return code in self._ran
        held = tuple([id(cell.cell_contents) for cell in function.__closure__ or ()])
        return held in self._closures[code]

    def _is_called(self, value: Any, owner: type | None) -> bool:
        if isinstance(value, type):
            static = [
                f for member in vars(value).values() if isinstance(member, staticmethod) for f in functions_of(member)
            ]
            made = any(value in kind.__mro__ for kinds in self._receivers.values() for kind in kinds)
            return made or any(self._has_run(function) for function in static)
        if id(value) in self._ops:
            return True
        found = [function for function in functions_of(value) if self._has_run(function)]
        if owner is None or isinstance(value, (staticmethod, Op)):
            return bool(found)
        return any(owner in kind.__mro__ for one in found for kind in self._receivers.get(one.__code__, {owner}))

    def names(self) -> set[str]:
        """The public names that were called so far."""
        out = set()
        for dotted, value in public().items():
            above = dotted.rpartition(".")[0]
            owner = resolve(above) if above.rpartition(".")[2][:1].isupper() else None
            if self._is_called(value, owner if isinstance(owner, type) else None):
                out.add(dotted)
        return out


# -- the plugin --------------------------------------------------------------------------------------------------------
_RECORDER = pytest.StashKey[Recorder]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--traced", metavar="FOLDER", required=True, help="where each process writes what it called")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_RECORDER] = Recorder()
    config.stash[_RECORDER].start()


def pytest_unconfigure(config: pytest.Config) -> None:
    recorder = config.stash[_RECORDER]
    recorder.stop()
    folder = Path(config.getoption("--traced"))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{os.getpid()}.txt").write_text("\n".join(sorted(recorder.names())) + "\n", "utf-8")


# -- the data ----------------------------------------------------------------------------------------------------------
class Run(NamedTuple):
    """What a run of the tests called, and what could have been called then and was not."""

    called: frozenset[str]
    not_called: frozenset[str]


def _rows(names: Iterable[str]) -> str:
    """A row a module."""
    rows: dict[str, list[str]] = {}
    for dotted in sorted(names):
        module, _, name = dotted.rpartition(".")
        rows.setdefault(module, []).append(name)
    return "".join(f"{module}: {' '.join(names)}\n" for module, names in rows.items())


def text(run: Run) -> str:
    """The data file."""
    return HEAD + _rows(run.called) + NOT_CALLED + _rows(run.not_called)


def _names(rows: str) -> frozenset[str]:
    split = [line.partition(": ") for line in rows.splitlines() if not line.startswith("#")]
    return frozenset(f"{module}.{name}" for module, _, names in split for name in names.split())


@functools.cache
def read(path: Path = TRACED) -> Run:
    """The recorded run."""
    called, _, others = path.read_text("utf-8").partition(NOT_CALLED)
    return Run(_names(called), _names(others))


def of(called: Iterable[str]) -> Run:
    """The run that called these names, with what it could have called otherwise.

    A member that a class inherits as it is (`CellList.to_float`) is called where that of its base is.
    """
    known = {name: value for name, value in public().items() if can_be_traced(value)}
    called = known.keys() & set(called)
    ran = {(id(known[name]), name.rpartition(".")[2]) for name in called if _is_member(name)}
    inherited = {n for n, value in known.items() if _is_member(n) and (id(value), n.rpartition(".")[2]) in ran}
    return Run(frozenset(called | inherited), frozenset(known.keys() - called - inherited))


def _is_member(dotted: str) -> bool:
    return dotted.rpartition(".")[0].rpartition(".")[2][:1].isupper()


def main() -> None:
    """Puts the parts of a run together."""
    parts = sorted(Path(sys.argv[1]).glob("*.txt"))
    called = {name for part in parts for name in part.read_text("utf-8").split()}
    TRACED.write_text(text(of(called | read().called if "--add" in sys.argv[2:] else called)), "utf-8")


if __name__ == "__main__":
    main()
