"""A pytest plugin: `pytest -p ms_compat.pytest` tests MindSpore code with ms_compat in MindSpore's place.

`--ms-mode graph` or `pynative` sets the mode before each test; with `both` each test runs twice, as `test[pynative]`
and `test[graph]`, including `unittest` tests and doctests. A mode that a test sets itself applies within the test;
afterwards the plugin restores the previous mode. The fixture `ms_mode` returns the mode's name.

Tracebacks leave out this package's and JAX's frames, unless `MS_COMPAT_TRACEBACK_FILTERING=off`.

Projects enable the plugin by name; it never enables itself. `addopts = "-p ms_compat.pytest"` in the project's
configuration has the same effect as the command line.
"""

from __future__ import annotations

import copy
import unittest
from collections.abc import Iterator
from typing import Any

import pytest

from ms_compat._core.diagnostics.tracebacks import filtering, users_frames
from ms_compat._core.settings.context import GRAPH_MODE, PYNATIVE_MODE, get_context, set_context
from ms_compat.install import install

MODES = {"pynative": PYNATIVE_MODE, "graph": GRAPH_MODE}
_FIXTURE = "ms_mode"
_twin = pytest.StashKey[str]()

install()  # before any conftest is imported


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declares `--ms-mode`."""
    group = parser.getgroup("ms_compat", "ms_compat: MindSpore on JAX")
    group.addoption(
        "--ms-mode",
        choices=[*MODES, "both"],
        help="set MindSpore's mode before each test; both: run each test in both modes",
    )


def pytest_report_header(config: pytest.Config) -> str:
    """Reports that ms_compat stands in for MindSpore."""
    from ms_compat.version import __compat_version__, __version__

    mode = config.getoption("--ms-mode")
    return f"mindspore: {__version__}, served by ms_compat {__compat_version__}{f', mode: {mode}' if mode else ''}"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """With `both`, parametrizes each test function by the mode."""
    if metafunc.config.getoption("--ms-mode") == "both":
        if _FIXTURE not in metafunc.fixturenames:
            metafunc.fixturenames.append(_FIXTURE)
        metafunc.parametrize(_FIXTURE, list(MODES), indirect=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `both`, puts a twin behind each test that cannot be parametrized: methods of `unittest`, and doctests."""
    if config.getoption("--ms-mode") == "both":
        items[:] = [twin for item in items for twin in _twins(item)]


def _twins(item: Any) -> list[pytest.Item]:
    case = getattr(item, "cls", None)
    of_unittest = isinstance(item, pytest.Function) and case is not None and issubclass(case, unittest.TestCase)
    if not (of_unittest or isinstance(item, pytest.DoctestItem)):
        return [item]  # parametrized, or of another plugin's
    twins: list[pytest.Item] = []
    for mode in MODES:
        name = f"{item.name}[{mode}]"  # which makes the id, by which reports, --lf and pytest-xdist know it
        if isinstance(item, pytest.DoctestItem):
            test = copy.copy(item.dtest)
            test.globs = dict(test.globs)  # a run empties them
            parent: Any = item.parent
            twin: Any = pytest.DoctestItem.from_parent(parent, name=name, runner=item.runner, dtest=test)
        else:
            method = getattr(item.cls(item.name), item.name)
            twin = type(item).from_parent(item.parent, name=name, callobj=method)
            twin.name = twin.originalname = item.name  # unittest calls the method so
        if hasattr(twin, "_id"):  # pytest 9.2 and newer keep ids in parts, and compare them with the last run's ids
            twin._id = item.id.with_params(mode)
        twin.stash[_twin] = mode
        twins.append(twin)
    return twins


@pytest.fixture
def ms_mode() -> str:
    """The name of the mode at the beginning of the test: "pynative" or "graph"."""
    return next(name for name, mode in MODES.items() if mode == get_context("mode"))


def _wanted(item: pytest.Item) -> str | None:
    callspec = getattr(item, "callspec", None)
    parametrized = callspec.params.get(_FIXTURE) if callspec is not None else None
    return parametrized or item.stash.get(_twin, None) or item.config.getoption("--ms-mode")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Sets the mode around a test, the set-up and tear-down of its fixtures included."""
    wanted = _wanted(item)
    if wanted is None or wanted == "both":
        return (yield)
    before = get_context("mode")
    set_context(mode=MODES[wanted])
    try:
        return (yield)
    finally:
        set_context(mode=before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Leaves out frames, as for uncaught errors."""
    if filtering():
        if call.excinfo is not None:
            call.excinfo = _of_the_user(call.excinfo)
        of_unittest = getattr(item, "_excinfo", None)  # the first of which takes the place of `call.excinfo`
        if of_unittest:
            of_unittest[:] = map(_of_the_user, of_unittest)
    return (yield)


def _of_the_user(error: pytest.ExceptionInfo[BaseException]) -> pytest.ExceptionInfo[BaseException]:
    return pytest.ExceptionInfo.from_exc_info((error.type, error.value, users_frames(error.tb)[0] or error.tb))
