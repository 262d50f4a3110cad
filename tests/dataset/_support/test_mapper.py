"""What `map` does to a row."""

import pickle

import numpy as np
import pytest

from ms_compat.dataset._support.mapper import RowMapper


def test_columns_are_taken_and_joined():
    mapper = RowMapper([lambda x, y: (y, x)], "here", [2, 0], 2, [(True, 1), (False, 1), (True, 0)])
    row = (np.array(1), np.array(2), np.array(3))
    assert mapper.taken(row) == [3, 1]
    assert [item.item() for item in mapper.in_line()(row)] == [3, 2, 1]


def test_a_mapper_is_pickled():
    mapper = pickle.loads(pickle.dumps(RowMapper([abs, float], "here", [0], 1, [(True, 0)])))
    (made,) = mapper.prepare()([np.array(-3)])
    assert made.dtype == np.float64 and made == 3


@pytest.mark.parametrize(
    "operation, text", [(len, "here: the Python function raised TypeError"), (divmod, "TypeError")]
)
def test_errors_name_the_operation(operation, text):
    with pytest.raises(RuntimeError, match=text):
        RowMapper([operation], "here", [0], 1, [(True, 0)]).prepare()([np.array(1)])


def test_a_wrong_number_of_columns_is_an_error():
    with pytest.raises(RuntimeError, match="name 1 columns, but here returned 2"):
        RowMapper([lambda x: (x, x)], "here", [0], 1, [(True, 0)]).prepare()([np.array(1)])
