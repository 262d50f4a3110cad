"""The table of exports in the guide is the record's, and what the record says is what it should be."""

import numpy as np

from tests.conformance import exports


def test_the_guide_has_the_table_of_the_record():
    assert exports.table() in exports.GUIDE.read_text("utf-8")


REASONS = ("UnsupportedError", exports._LATE)
# The compiled Cell differs as much from the one that is not compiled.
ROUNDED = ("mindcv visformer_tiny", "stablehlo")
OTHER_BITS = 2e-6  # the largest difference where XLA compiles an artifact otherwise than the pure function


def test_what_is_exported_is_equal_and_the_rest_is_refused_or_takes_long():
    wrong, other_bits = [], []
    for name, kinds in exports._read().items():
        for kind, found in kinds.items():
            if kind.startswith("mindspore"):
                continue
            if not (exports._is_close(found) if found["exported"] else found["error"].startswith(REASONS)):
                wrong.append((name, kind))
            elif found.get("bits") is False:
                other_bits.append(max(value for batch, value in found.items() if batch.isdigit()))
    assert wrong == [ROUNDED]
    rounded = exports._read()[ROUNDED[0]][ROUNDED[1]]
    assert rounded["bits"]
    assert all(value < 2e-4 for batch, value in rounded.items() if batch.isdigit())
    assert max(other_bits) < OTHER_BITS
    assert len(other_bits) <= 8


def test_a_field_says_what_was_found():
    equal = {"exported": True, "open": True, "2": 0.0, "1": 1e-6}
    assert exports._word(equal) == "any batch"
    assert exports._word(equal | {"open": False, "bits": True}) == "one batch"
    assert exports._word(equal | {"bits": False}) == "any batch, other bits"
    assert exports._word(equal | {"1": 2e-4, "bits": False}) == "differs"
    assert exports._word({"exported": False, "error": exports._LATE}) == "too long"
    assert exports._word({"exported": False, "error": f"{exports._UNMADE}: RuntimeError: no kernel"}) == "no Cell"
    assert exports._word({"exported": False, "error": "UnsupportedError: no"}) == "no"
    assert exports._counted([equal, equal | {"bits": False}], 2) == "2, 1, 1"


def test_differences_count_in_parts_of_the_largest_number():
    assert exports.difference([np.ones(2)], [np.array([1, 3.0])]) == 2 / 3
    assert exports.difference([np.ones(2)], [np.ones(3)]) == float("inf")
    assert exports.difference([np.array([np.nan])], [np.array([np.nan])]) == 0
