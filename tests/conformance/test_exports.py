"""The table of exports in the guide is the record's, and what the record says is what it should be."""

import numpy as np

from tests.conformance import exports


def test_the_guide_has_the_table_of_the_record():
    assert exports.table() in exports.GUIDE.read_text("utf-8")


# Differences of rounding: the first compiled Cell differs as much from the one that is not compiled, and XLA
# compiles the artifact of the second otherwise than the pure function.
REASONS = ("UnsupportedError", exports._LATE)
ROUNDED = {("mindcv visformer_tiny", "stablehlo"), ("mindcv edgenext_xx_small", "stablehlo")}


def test_what_is_exported_is_equal_and_the_rest_is_refused_or_takes_long():
    wrong = [
        (name, kind)
        for name, kinds in exports._read().items()
        for kind, found in kinds.items()
        if not kind.startswith("mindspore")
        and not (exports._is_equal(found) if found["exported"] else found["error"].startswith(REASONS))
    ]
    assert set(wrong) == ROUNDED
    for name, kind in ROUNDED:
        found = exports._read()[name][kind]
        assert all(value < 2e-4 for batch, value in found.items() if batch.isdigit())


def test_differences_count_in_parts_of_the_largest_number():
    assert exports.difference([np.ones(2)], [np.array([1, 3.0])]) == 2 / 3
    assert exports.difference([np.ones(2)], [np.ones(3)]) == float("inf")
    assert exports.difference([np.array([np.nan])], [np.array([np.nan])]) == 0
