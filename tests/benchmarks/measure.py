"""Ratios between two ways of doing one thing, measured side by side in one run.

Machines differ and are shared, so no absolute time is ever asserted. The two functions are called in turn, in short
rounds; of each the fastest round counts, which is the one that other work on the machine disturbed least. A ratio above
its budget is measured again, up to `attempts` times, before it fails.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from ms_compat._core.onednn import library
from tests import processes

TABLE: list[tuple[str, str, str, str, str]] = []


def fastest(functions: list[Callable], calls: int, rounds: int) -> list[float]:
    """Seconds per call of each function in its fastest round."""
    for function in functions:
        for _ in range(3):
            function()
    best = [float("inf")] * len(functions)
    for _ in range(rounds):
        for i, function in enumerate(functions):
            start = time.perf_counter()
            for _ in range(calls):
                function()
            best[i] = min(best[i], (time.perf_counter() - start) / calls)
    return best


def check_ratio(
    name: str,
    ours: Callable,
    reference: Callable,
    budget: float,
    *,
    calls: int = 50,
    rounds: int = 40,
    slack: float = 0.0,
    attempts: int = 4,
) -> float:
    """Assert that `ours` takes at most `budget` times `reference` plus `slack` seconds; returns the ratio."""
    for _ in range(attempts):
        a, b = fastest([ours, reference], calls, rounds)
        if a <= b * budget + slack:
            break
    note(name, a, b, f"<= {budget:g}" + (f" or + {slack * 1e3:g} ms" if slack else ""))
    assert a <= b * budget + slack, f"{name}: {a * 1e6:.1f} us against {b * 1e6:.1f} us, ratio {a / b:.2f} > {budget}"
    return a / b


def run_with_onednn(choice: str, program: str, given: Any) -> Any:
    """What a program prints as JSON in a process with ("1") or without ("0") oneDNN; skips the test if it is not there.

    Args:
        choice: of MS_COMPAT_ONEDNN.
        program: Python code, which reads its argument as JSON.
        given: the argument.
    """
    if choice == "1" and library.path() is None:
        pytest.skip("the extra onednn is not installed")
    return processes.told("-c", program, json.dumps(given), real=True, MS_COMPAT_ONEDNN=choice, MS_COMPAT_CACHE="0")


def note(name: str, ours: float, reference: float, budget: str) -> None:
    """Put one line into the table that is printed at the end of the run."""
    TABLE.append((name, _time(ours), _time(reference), f"{ours / reference:.2f}", budget))


def _time(seconds: float) -> str:
    return (
        f"{seconds * 1e6:.1f} us"
        if seconds < 1e-3
        else f"{seconds * 1e3:.2f} ms"
        if seconds < 1
        else f"{seconds:.2f} s"
    )
