"""Files of images."""

import numpy as np
import pytest

from ms_compat.dataset import vision
from tests.conformance import dataset_names
from tests.dataset import recorded

pytestmark = pytest.mark.usefixtures("seeded")


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


IMAGE = dataset_names.photo(12, 16)


def test_written_files_are_read_back(tmp_path):
    vision.write_png(str(tmp_path / "a.png"), IMAGE, 9)
    assert (vision.read_image(str(tmp_path / "a.png")) == IMAGE).all()
    vision.write_jpeg(str(tmp_path / "a.jpg"), IMAGE, 95)
    assert np.abs(vision.read_image(str(tmp_path / "a.jpg")).astype(int) - IMAGE).mean() < 10
    vision.write_jpeg(str(tmp_path / "b.jpg"), IMAGE, 10)
    assert (tmp_path / "b.jpg").stat().st_size < (tmp_path / "a.jpg").stat().st_size
    with pytest.raises(RuntimeError, match="pixels"):
        vision.write_png(str(tmp_path / "c.png"), IMAGE[:0])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jpg", "a.png", "b.jpg"]
