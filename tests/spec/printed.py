"""Comparing what `print` shows with a page: the text exactly up to white space, numbers within float32's rounding."""

import re
from collections import OrderedDict

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def assert_prints(value, page, rtol=1e-5, atol=1e-6):
    """`str(value)` equals `page`: same words, brackets and commas, and numbers that agree."""
    got = str(value)
    if isinstance(value, OrderedDict):  # as it was printed up to Python 3.11, and on the pages
        got = f"OrderedDict({list(value.items())})"
    assert _skeleton(got) == _skeleton(page), f"printed:\n{got}\npage:\n{page}"
    for a, b in zip(NUMBER.findall(got), NUMBER.findall(page), strict=True):
        assert abs(float(a) - float(b)) <= atol + rtol * abs(float(b)), f"printed:\n{got}\npage:\n{page}"


def _skeleton(text):
    return re.sub(r"\s+", "", NUMBER.sub("#", text))
