"""What is shown of a dataset."""

import html
import re

import numpy as np
import pytest

from ms_compat import dataset as ds


def numbers(count=8, name="x"):
    return ds.NumpySlicesDataset({name: np.ones((count, 4), np.float32)}, shuffle=False)


class Uncounted:
    def __iter__(self):
        return self

    def __next__(self):
        raise AssertionError("a row was read")


class Unready:
    """A source that does not know its length."""

    def __getitem__(self, index):
        raise AssertionError("a row was read")

    def __len__(self):
        raise ValueError("not downloaded")


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: numbers(1), "NumpySlicesDataset(NumpySlices, 1 row, columns: x)"),
        (
            lambda: numbers(2000).map(lambda x: 1 / 0, ["x"], output_columns=["a"]).batch(2),
            "BatchDataset(NumpySlices -> Map -> Batch, 1,000 rows, columns: a)",
        ),
        (lambda: ds.zip((numbers(), numbers(4, "y"))), "ZipDataset(NumpySlices -> Zip, 4 rows, columns: x, y)"),
        (
            lambda: ds.GeneratorDataset(Uncounted(), ["a", "b"]),
            "GeneratorDataset(Generator, rows not counted, columns: a, b)",
        ),
    ],
)
def test_print_says_what_a_dataset_is_and_reads_no_row(make, text):
    data = make()
    assert repr(data) == str(data) == text


def test_print_never_raises():
    broken = ds.GeneratorDataset(Unready(), ["a"])
    assert re.fullmatch(r"GeneratorDataset\(Generator, \w+: .*\)", repr(broken))
    assert repr(ds.NumpySlicesDataset.__new__(ds.NumpySlicesDataset)).startswith("NumpySlicesDataset(NumpySlices, ")


def texts_of(page):
    return [html.unescape(text) for text in re.findall(r"<pre[^>]*>(.*?)</pre>", page, re.S)]


def test_long_texts_leave_room_for_images():
    texts = ["word " * 100, "short"]
    data = ds.NumpySlicesDataset((texts, np.zeros((2, 16, 16, 3), np.uint8)), ["text", "image"], shuffle=False)
    page = data._repr_html_()
    shown = texts_of(page)
    assert max(map(len, shown)) <= 50 and "…" in shown[0] and "short" in shown[1]
    assert page.count("<img ") == 2
    assert max(len(line) for text in texts_of(data.batch(2)._repr_html_()) for line in text.split("\n")) < 80
