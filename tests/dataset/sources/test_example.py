"""`parse_example`: what protobuf's wire format lets stand in a row, against values written out by hand."""

import numpy as np
import pytest

from ms_compat.dataset.sources.example import BYTES, FLOATS, INTS, parse_example
from tests.conformance.dataset_tfrecord import _field, _varint, tfrecord


def example(*features):
    entries = [_field(1, _field(1, name.encode()) + _field(2, body)) for name, body in features]
    return _field(1, b"".join(entries))


def test_each_kind_of_list():
    row = {"b": [b"one", b""], "f": [0.5, -1.0], "i": [-1, 2**63 - 1, -(2**63), 300]}
    found = parse_example(tfrecord([row])[12:-4])
    assert found["b"] == (BYTES, [b"one", b""])
    assert found["f"][0] == FLOATS and found["f"][1].dtype == np.float32 and found["f"][1].tolist() == row["f"]
    assert found["i"][0] == INTS and found["i"][1].dtype == np.int64 and found["i"][1].tolist() == row["i"]


def test_integers_that_are_not_packed():
    values = b"".join(b"\x08" + _varint(value) for value in (1, 300, -1))
    assert parse_example(example(("x", _field(3, values))))["x"][1].tolist() == [1, 300, -1]


def test_a_feature_without_a_list_holds_no_integers():
    kind, values = parse_example(example(("x", b"")))["x"]
    assert kind == INTS and values.dtype == np.int64 and values.size == 0


def test_of_two_lists_and_of_two_features_of_one_name_the_last_counts():
    both = _field(3, _field(1, _varint(1))) + _field(1, _field(1, b"last"))
    assert parse_example(example(("x", both)))["x"] == (BYTES, [b"last"])
    assert parse_example(example(("x", _field(1, _field(1, b"a"))), ("x", both)))["x"] == (BYTES, [b"last"])


@pytest.mark.parametrize(
    "data",
    [
        example(("x", _field(3, b"")))[:-1],
        b"\x0a\x7f" + bytes(3),
        _field(1, _field(1, _field(1, b"\xff"))),
        _field(1, _field(1, _field(2, _field(3, b"\x0a\x0b" + b"\xff" * 11)))),
        bytes(4),
    ],
    ids=["cut", "a length beyond the end", "a name that is no UTF-8", "an integer of 11 bytes", "the field 0"],
)
def test_what_is_no_example_is_refused(data):
    with pytest.raises(ValueError, match="no Example message"):
        parse_example(data)
