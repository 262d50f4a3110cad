"""Sorting, searching and counting."""

import numpy as np
import pytest

import ms_compat
import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize("largest", [True, False])
def test_all_elements_out_of_order_stay_where_they_are(mode, largest):
    x = Tensor([[3.0, 1.0, float("nan")], [5.0, 4.0, 9.0]])
    for dim, k in ((1, 3), (0, 2), (None, 3)):
        values, places = ops.topk(x, k, dim, largest, False)
        np.testing.assert_array_equal(values.asnumpy(), x.asnumpy())
        np.testing.assert_array_equal(places.asnumpy(), np.indices(x.shape)[1 if dim is None else dim])
        assert places.dtype == ms_compat.int32
    assert ops.TopK(False)(x[1], 3)[1].asnumpy().tolist() == [0, 1, 2]
    slope = ms_compat.grad(lambda a: ops.topk(a, 3, sorted=False)[0] * Tensor([1.0, 2.0, 3.0]))(x)
    assert slope.asnumpy().tolist() == [[1, 2, 3], [1, 2, 3]]


def padded(x):
    return ops.unique_with_pad(x, -1)


def test_different_elements_are_padded_in_compiled_code_and_slice_by_slice(mode):
    x = Tensor([[1, 2, 5, 2], [3, 3, 3, 1], [4, 3, 2, 1]], ms.int32)
    values = [[1, 2, 5, -1], [3, 1, -1, -1], [4, 3, 2, 1]]
    places = [[0, 1, 2, 1], [0, 0, 0, 1], [0, 1, 2, 3]]
    found = ops.vmap(padded)(x)
    assert [t.asnumpy().tolist() for t in found] == [values, places]
    assert [t.dtype for t in found] == [ms.int32, ms.int32]
    for row, value, place in zip(x, values, places, strict=True):
        assert [t.asnumpy().tolist() for t in ms.jit(padded, fullgraph=True)(row)] == [value, place]
    assert padded(Tensor([7, 7]))[1].dtype == ms.int64


def of(values, dtype=ms.float32):
    return Tensor(np.array(values)).astype(dtype)


def test_counts_of_floats():
    counts = ops.bincount(of([1, 2, 2]))
    assert counts.dtype == ms.float32 and counts.asnumpy().tolist() == [0, 1, 2]
    assert ops.histc(of([1, 2, 2], ms.float16), 3).dtype == ms.float32
