"""What a plan advises, by its figures alone."""

import types

import pytest

from ms_compat._targets import advice
from ms_compat._targets.report import Plan

GIB = 1 << 30
STEP = types.SimpleNamespace(optimizers=[object()])


def told(laid_out=True, **figures):
    made = {"chips": 8, "fits": True, "memory": 80 * GIB, "needed": 70 * GIB, "weights": 16 * GIB,
            "optimizer": 32 * GIB, "state": 8 * 48 * GIB, **figures}  # fmt: skip
    return " ".join(advice.suggest(Plan("step", "h100:8", **made), STEP, laid_out))


def test_what_is_cut_over_all_chips_wants_more_chips():
    found = told()
    assert "their share of 384.00 GiB" in found
    assert "at best" not in found


@pytest.mark.parametrize(
    ("figures", "best"),
    [
        ({"state": 48 * GIB}, "over 8 chips at best 6.00 GiB"),
        ({"state": 48 * GIB, "chips": 1}, "over 4 chips at best 12.00 GiB"),
    ],
)
def test_what_is_whole_can_be_cut(figures, best):
    assert best in told(**figures)


def test_a_program_that_lays_nothing_out():
    assert "lays nothing out" in told(laid_out=False)
    assert "lays nothing out" not in told(laid_out=False, chips=1)
