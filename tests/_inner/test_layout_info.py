"""The pieces that layouts make of Tensors, as MindSpore 2.10 counted them."""

import pytest

from ms_compat._names.resolve import resolve
from ms_compat.parallel import Layout

Info = resolve("mindspore.parallel.shard._DistributedTensorInfo")


@pytest.mark.parametrize(
    ("layout", "pieces"),
    [
        (Layout((2, 2), ("dp", "mp"))("dp", "mp"), [2, 2]),
        (Layout((2, 2, 2), ("a", "b", "c"))(("a", "c"), "None"), [4, 1]),
        (Layout((2, 4), ("dp", "mp"))("None", "mp"), [1, 4]),
    ],
)
def test_pieces(layout, pieces):
    info = Info(layout)
    assert info.sharding_strategy == pieces and info.layout is layout and info.distributed_info is layout


def test_only_layouts_are_taken():
    with pytest.raises(TypeError, match="Layout"):
        Info(3)
