"""Images that a manifest lists."""

import json

import pytest

import ms_compat.dataset as ds
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize(
    "line",
    [
        {"source": 3, "annotation": [{"name": "a"}]},
        {"source": ["a"], "annotation": [{"name": "a"}]},
        {"source": "a", "annotation": [{"name": 3}]},
        {"source": "a", "annotation": [{"name": ["a"]}]},
        {"source": "a", "annotation": [{"name": None}, {"name": "a"}]},
        {"source": "a", "annotation": "a"},
    ],
)
def test_values_of_a_manifest_are_texts(tmp_path, line):
    (tmp_path / "a.manifest").write_text(json.dumps(line | {"usage": "train"}))
    data = ds.ManifestDataset(str(tmp_path / "a.manifest"), shuffle=False)
    with pytest.raises(RuntimeError, match="For 'ManifestDataset', line 1"):
        data.get_class_indexing()


def test_a_name_with_a_zero_byte_is_no_file(tmp_path):
    line = {"source": "a\0.jpg", "usage": "train", "annotation": [{"name": "cat"}]}
    (tmp_path / "a.manifest").write_text(json.dumps(line))
    with pytest.raises(RuntimeError, match="the image must be readable"):
        list(ds.ManifestDataset(str(tmp_path / "a.manifest"), shuffle=False))
