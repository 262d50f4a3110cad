"""Schemas of columns."""

import pytest

import ms_compat.dataset as ds
from ms_compat._core.untrusted import read_json
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


JSON = {"deep": b"[" * 200000, "not UTF-8": b'{"a": "\xff"}', "empty": b"", "Infinity": b'{"a": Infinity}'}


@pytest.mark.parametrize("kind", JSON)
def test_json_that_is_none(tmp_path, kind):
    path = tmp_path / "a.json"
    path.write_bytes(JSON[kind])
    readers = [lambda: read_json("f", path), lambda: ds.Schema(str(path)), lambda: ds.config.load(str(path)),
               lambda: ds.CocoDataset(str(tmp_path), str(path)).get_class_indexing(),
               lambda: ds.ManifestDataset(str(path)).get_class_indexing(),
               lambda: list(ds.CLUEDataset(str(path)))]  # fmt: skip
    for number, reader in enumerate(readers):
        if kind == "empty" and number == 5:
            continue  # no lines are no error
        with pytest.raises(RuntimeError, match="For '.*a.json"):
            reader()
