"""Strategies of primitives: what MindSpore 2.10 refuses, and what stays as it is on one device.

Several devices are in `tests/parallel/training.py`.
"""

import copy
import pickle

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from ms_compat.ops import _strategies
from ms_compat.parallel import Layout

L = Layout((2, 2), ("a", "b"))("a", "b")


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ((3,), TypeError),
        (([[2, 1], [1, 4]],), TypeError),
        ((((2, 1), 3),), TypeError),
        ((((2, 1), (1, "a")),), TypeError),
        (((L, (1, 4)),), TypeError),
        ((((2, 1), (1, 4)), 3), TypeError),
        ((None, ((2, 1),)), ValueError),
        (((L, L), ((1, 1),)), ValueError),
    ],
)
def test_refusals(given, error):
    with pytest.raises(error):
        ops.MatMul().shard(*given)


def test_a_strategy_is_an_attribute_on_one_device():
    product = ops.MatMul(transpose_b=True).shard(((2, 1), (4, 1)), ((2, 4),))
    assert type(product).__name__ == "MatMul" and isinstance(product, ops.MatMul)
    assert (product.in_strategy, product.out_strategy) == (((2, 1), (4, 1)), ((2, 4),))
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    for made in (product, copy.deepcopy(product), pickle.loads(pickle.dumps(product)), product.shard(((1, 1), (1, 1)))):
        np.testing.assert_array_equal(ms.jit(made)(x, x).asnumpy(), x.asnumpy() @ x.asnumpy().T)
    assert "in_strategy" not in ops.MatMul().shard().attrs


@pytest.mark.parametrize(
    ("primitive", "layouts", "labels"),
    [
        (ops.MatMul(), [(2, 1), (1, 4)], [["r", "k"], ["k", "c"]]),
        (ops.MatMul(transpose_a=True, transpose_b=True), [(1, 2), (4, 1)], [["k", "r"], ["c", "k"]]),
        (ops.BatchMatMul(), [(2, 1, 1), (2, 1, 4)], [[-1, "r", "k"], [-1, "k", "c"]]),
        (ops.Add(), [(2, 4), (4,)], [[-2, -1], [-1]]),
        (ops.Add(), [(2, 4), (1,)], [[-2, -1], [-1]]),
        (ops.BiasAdd(), [(2, 4, 1), (4,)], [[0, "channel", 2], ["channel"]]),
        (ops.Gather(), [(1, 8), (2, 1)], [[(0, 0), (0, 1)], [(1, 0), (1, 1)]]),
        # an operation that nobody told about, whose inputs are cut otherwise
        (ops.Conv2D(8, 3), [(2, 1, 1, 1), (4, 1, 1, 1)], [[(0, i) for i in range(4)], [(1, i) for i in range(4)]]),
    ],
)
def test_dimensions_that_are_one(primitive, layouts, labels):
    assert _strategies._labels(primitive, [len(layout) for layout in layouts], layouts) == labels
