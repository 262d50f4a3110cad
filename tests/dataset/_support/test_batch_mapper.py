"""What `per_batch_map` gets and returns."""

import numpy as np
import pytest

from ms_compat.dataset._support.batch_mapper import BatchInfo, BatchMapper

COLUMNS = [[np.array(1), np.array(2)]]


def test_the_function_gets_columns_and_the_batch():
    call = BatchMapper(lambda x, info: [k + info.get_epoch_num() * 10 + info.get_batch_num() for k in x], ["x"])
    (made,) = call.prepare()((COLUMNS, BatchInfo(2, 3)))
    assert made.tolist() == [24, 25]


@pytest.mark.parametrize(
    "function, text",
    [
        (lambda x, info: (x, x), "must return 1 columns, but got 2"),
        (lambda x, info: x + x, "must return 2 rows for column 'x', but got 4"),
        (lambda x, info: 3, "must return lists or arrays"),
        (lambda x, info: 1 // 0, "ZeroDivisionError"),
    ],
)
def test_what_it_returns_is_checked(function, text):
    with pytest.raises(RuntimeError, match=text):
        BatchMapper(function, ["x"]).prepare()((COLUMNS, BatchInfo()))
