"""Rows of random values."""

import numpy as np
import pytest

import ms_compat.dataset as ds
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_random_rows_repeat_and_follow_the_schema():
    schema = ds.Schema()
    for name, kind, shape in (("a", "int8", [2]), ("b", "bool", []), ("c", "string", []), ("d", "float16", [3])):
        schema.add_column(name, kind, shape)
    data = ds.RandomDataset(5, schema, shuffle=False)
    first, second = ([list(row) for row in data.create_tuple_iterator(None, 1, True)] for _ in range(2))
    assert [item.dtype.kind for item in first[0]] == ["i", "b", "U", "f"]
    assert all(
        np.array_equal(a, b) for one, other in zip(first, second, strict=True) for a, b in zip(one, other, strict=True)
    )
    assert len(ds.RandomDataset(5, schema, num_samples=3)) == 3
    with pytest.raises(RuntimeError, match="Did you mean"):
        ds.RandomDataset(5, schema, ["aa"])
