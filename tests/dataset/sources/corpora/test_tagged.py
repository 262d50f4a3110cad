"""Recorded cases of the collections in this module."""

import pytest

import ms_compat.dataset as ds
from tests.dataset import recorded
from tests.dataset.sources.folders import archive


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize("kind", ["CoNLL2000Dataset", "UDPOSDataset"])
def test_shards_hold_whole_sentences(kind, tmp_path):
    root, kind = archive(tmp_path, "tagged"), getattr(ds, kind)

    def sentences(**shard):
        data = kind(root, "train", shuffle=False, **shard)
        return [str(row) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]

    whole = sentences()
    assert [text for shard in range(3) for text in sentences(num_shards=3, shard_id=shard)] == whole
    assert len(whole) == kind(root, "train").get_dataset_size() == 3


def test_a_line_without_its_tags_is_an_error(tmp_path):
    (tmp_path / "train.txt").write_text("one A\n\n")
    with pytest.raises(RuntimeError, match="line 1 must hold a word and 2 tags"):
        len(ds.CoNLL2000Dataset(str(tmp_path), "train"))
