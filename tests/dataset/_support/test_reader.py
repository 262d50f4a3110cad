"""How rows of a random-access source are read."""

import numpy as np
import pytest

from ms_compat.dataset._support.reader import BatchReader, RowReader

ROWS = [(1, "a"), (2, "b"), (3, "c")]


def test_a_row_is_read_by_its_number():
    read = RowReader(ROWS, ["x", "y"], None).prepare()
    assert [item.tolist() for item in read(1)] == [2, "b"]
    with pytest.raises(RuntimeError, match="IndexError"):
        read(9)
    with pytest.raises(RuntimeError, match="one item for each of the 1 column_names"):
        RowReader(ROWS, ["x"], None).prepare()(0)


def test_dtypes_are_checked():
    types = [np.dtype(np.int64), np.dtype("U")]
    assert len(RowReader(ROWS, ["x", "y"], types).prepare()(0)) == 2
    with pytest.raises(RuntimeError, match="column 'x' must be float32, but the source gave int64"):
        RowReader(ROWS, ["x", "y"], [np.dtype(np.float32), np.dtype("U")]).prepare()(0)


def test_a_batch_is_stacked_or_collated():
    reader = RowReader(ROWS, ["x", "y"], None)
    assert [item.tolist() for item in BatchReader(reader, None).prepare()([2, 0])] == [[3, 1], ["c", "a"]]
    collated = BatchReader(reader, lambda x, y: (sum(x), "".join(map(str, y)))).prepare()([2, 0])
    assert [item.tolist() for item in collated] == [4, "ca"]
