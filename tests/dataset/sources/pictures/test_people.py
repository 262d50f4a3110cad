"""Recorded cases of the collections in this module."""

import pytest

import ms_compat.dataset as ds
from tests.conformance import dataset_archives
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize("count", ["4294967295", "9" * 5000, "-1"])
def test_a_list_cannot_ask_for_pictures_without_end(count, tmp_path):
    """Names of pictures have four digits, so a larger count is an error before a row is made."""
    for name, data in dataset_archives.FILES["lfw"]().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    lines = (tmp_path / "people.txt").read_text().splitlines()
    person = next(k for k, line in enumerate(lines) if len(line.split()) == 2)
    lines[person] = f"{lines[person].split()[0]}\t{count}"
    (tmp_path / "people.txt").write_text("\n".join(lines))
    with pytest.raises(RuntimeError, match="names and their counts"):
        list(ds.LFWDataset(str(tmp_path), "people", "10fold"))
