"""Files of MNIST."""

import gzip

import pytest

from ms_compat import mindrecord
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_a_small_file_of_mnist_unpacks_to_no_more_than_it_announces(tmp_path, cheap):
    bomb = gzip.compress(b"\0" * (1 << 24), 9) * 64  # a GiB of zeros in a MiB
    for part in ("train", "t10k"):
        for name in ("images-idx3", "labels-idx1"):
            (tmp_path / f"{part}-{name}-ubyte.gz").write_bytes(bomb)
    with pytest.raises(ValueError, match="train-images-idx3-ubyte.gz"):
        mindrecord.MnistToMR(str(tmp_path), str(tmp_path / "out")).transform()
    assert not list(tmp_path.glob("out*"))
