"""Images in folders, by lists."""

from pathlib import Path

import pytest

import ms_compat.dataset as ds
from tests.dataset import recorded
from tests.dataset.sources.folders import archive


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_lists_of_images_are_checked(tmp_path):
    root = Path(archive(tmp_path, "folders"))
    assert len(ds.CelebADataset(str(root / "celeba"), extensions=[".jpg"])) == 3
    with pytest.raises(RuntimeError, match="must hold images"):
        len(ds.CelebADataset(str(root / "celeba"), extensions=[".png"]))
    (root / "celeba/list_attr_celeba.txt").write_text("1\nnames\n000001.jpg 1 2\n")
    (root / "city/gtFine/train/bonn/bonn_0_1_gtFine_polygons.json").write_text("{")
    (root / "city/gtFine/train/bonn/bonn_0_1_gtFine_color.png").unlink()
    for data in (
        ds.CelebADataset(str(root / "celeba")),
        ds.CityscapesDataset(str(root / "city"), task="polygon"),
        ds.CityscapesDataset(str(root / "city"), task="color"),
        ds.Caltech256Dataset(str(root / "celeba")),
    ):
        with pytest.raises(RuntimeError, match=type(data).__name__):
            list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))
    for arguments in ((3,), ("train", 3), ("train", "fine", 3)):
        with pytest.raises(TypeError):
            ds.CityscapesDataset(str(root / "city"), *arguments)
