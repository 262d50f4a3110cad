"""What untrusted texts may be."""

import pytest

from ms_compat._core.untrusted import is_whole


@pytest.mark.parametrize(
    ("text", "most", "wanted"),
    [
        ("0", 9, True), ("9", 9, True), ("10", 9, False), ("4294967295", 2**32 - 1, True),
        ("4294967296", 2**32 - 1, False), ("9" * 5000, 2**63 - 1, False), ("", 9, False), ("-1", 9, False),
        ("²", 9, False), ("٣", 9, False), ("1.0", 9, False), (" 1", 9, False), ("1_0", 99, False),
    ],
)  # fmt: skip
def test_whole_numbers(text, most, wanted):
    assert is_whole(text, most) is wanted
