"""Reading by index tensors."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import COOTensor, Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)


def test_an_index_that_passed_is_checked_again_once_it_changes():
    x, index = Tensor(X), Tensor([0, 1])
    rows = Tensor([[0, 1]])
    for _ in range(2):
        assert ms.ops.gather(x, index, 0).shape == (2, 3) and ms.ops.gather_nd(x, rows).shape == (1,)
    with pytest.raises(RuntimeError):
        ms.ops.gather(x[:1], index, 0)
    index.fill_(7), rows.fill_(7)
    with pytest.raises(RuntimeError):
        ms.ops.gather(x, index, 0)
    with pytest.raises(RuntimeError):
        ms.ops.gather_nd(x, rows)


# what is made of a COOTensor: gradient of its values
PARTS = {
    "itself": (lambda coo: coo, [1, 1]),
    "indices": (lambda coo: coo.indices, [0, 0]),
    "values": (lambda coo: coo.values, [1, 1]),
    "cast": (lambda coo: coo.astype(ms.int32), [1, 1]),
    "parts": (lambda coo: coo.to_tuple(), [1, 1]),
    "abs": (lambda coo: coo.abs(), [-1, 1]),
    "rows": (lambda coo: coo.to_csr(), [1, 1]),
    "dense": (lambda coo: coo.to_dense(), [1, 1]),
}


@pytest.mark.parametrize("part", PARTS)
def test_compiled_indices_have_no_gradient(graph, part):
    take, wanted = PARTS[part]
    indices, values = Tensor([[0, 1], [1, 2]], ms.int32), Tensor([-1.0, 2.0])
    grad = ops.GradOperation(get_all=True)(ms.jit(lambda i, v: take(COOTensor(i, v, (3, 4)))))
    of_indices, of_values = grad(indices, values)
    assert of_indices.asnumpy().tolist() == [[0, 0], [0, 0]]
    assert of_values.asnumpy().tolist() == wanted
