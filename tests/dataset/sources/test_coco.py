"""Images with annotations of COCO."""

import pytest

import ms_compat.dataset as ds
from tests.dataset import recorded
from tests.dataset.sources.folders import archive


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_images_that_are_missing_are_named(tmp_path):
    root = archive(tmp_path, "voc")
    (tmp_path / "JPEGImages/1.jpg").unlink()
    with pytest.raises(RuntimeError, match="1.jpg"):
        len(ds.VOCDataset(root))
    coco = archive(tmp_path, "coco")
    (tmp_path / "images/7.jpg").unlink()
    data = ds.CocoDataset(coco + "/images", coco + "/instances.json", shuffle=False)
    with pytest.raises(RuntimeError, match="7.jpg"):
        next(data.create_tuple_iterator(num_epochs=1, output_numpy=True))


def test_shards_and_samplers_choose_rows(tmp_path):
    root = archive(tmp_path, "coco")
    arguments = (root + "/images", root + "/captions.json", "Captioning")
    everything = [str(row[0][0, 0]) for row in ds.CocoDataset(*arguments, shuffle=False).project("captions")]
    shards = [
        [
            str(row[0][0, 0])
            for row in ds.CocoDataset(*arguments, shuffle=False, num_shards=2, shard_id=k).project("captions")
        ]
        for k in range(2)
    ]
    assert shards == [everything[::2], [everything[1], everything[0]]]
    reviews = archive(tmp_path, "lines")
    chosen = ds.IMDBDataset(reviews, sampler=ds.PKSampler(2)).project("label")
    assert sorted(int(row[0]) for row in chosen) == [0, 0, 1, 1]
