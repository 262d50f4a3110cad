"""The recorded programs of `Model`, callbacks and metrics: what MindSpore printed, called and left behind."""

import contextlib
import tempfile

import pytest

import ms_compat as ms
from tests.conformance import departures, owners, programs, replay

ALIASES = owners.ALIASES | {"T": "train", "train": "train"}


def _params() -> list:
    return [
        pytest.param((name, case), id=f"{name}: {case['id']}")
        for name in ("metrics", "train_model", "train_metrics")
        for case in programs.load(f"{name}.json")
    ]


def _owner(pair: tuple[str, dict]) -> str | None:
    found = owners.program_owner(pair[1], ALIASES)
    return found if found and found.startswith("train/") else None


_CASES = owners.Cases("recorded.cases(", _params, _owner)
cases = _CASES.of
rest = _CASES.rest
by_file = _CASES.by_file


def check(pair: tuple[str, dict]) -> None:
    """Fail where ms_compat answers otherwise than recorded, and where a stated departure is none."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):  # some programs save where they run
        _check(*pair)


def _check(name: str, case: dict) -> None:
    if name == "metrics":
        programs.check(case, ms)
    else:
        case = {"rtol": 1e-7 if "float64" in str(case.get("result")) else None, **case}
        departures.judge(case["id"], programs.differences(case, replay.evaluate(case, ms)), departures.TRAINING)
