"""Several Tensors as one flat run of numbers; the values and errors are MindSpore 2.10's."""

import numpy as np
import pytest

from ms_compat import Tensor
from ms_compat.hal.contiguous_tensors_handle import ContiguousTensorsHandle, combine_tensor_list_contiguous


@pytest.fixture
def handle():
    return combine_tensor_list_contiguous([Tensor([1.0, 2.0, 3.0]), Tensor([[4.0], [5.0]])], True)


def test_it_is_sliced_like_a_flat_tensor(handle):
    assert isinstance(handle, ContiguousTensorsHandle)
    assert handle[1].asnumpy().tolist() == [2]
    assert handle[2:4].asnumpy().tolist() == [3, 4] and handle[3:].asnumpy().tolist() == [4, 5]
    assert handle.slice_by_tensor_index(1).asnumpy().tolist() == [4, 5]
    np.testing.assert_array_equal(handle.slice_by_tensor_index().asnumpy(), [1, 2, 3, 4, 5])
    assert str(handle).startswith("Handle total size: 20\nTensor[0]: [1. 2. 3.]")


@pytest.mark.parametrize(
    ("use", "error"),
    [
        (lambda h: h[-1], ValueError),
        (lambda h: h[3:2], ValueError),
        (lambda h: h[0:9], ValueError),
        (lambda h: h["a"], TypeError),
        (lambda h: h[0:"a"], TypeError),
        (lambda h: h.slice_by_tensor_index(2), ValueError),
        (lambda h: ContiguousTensorsHandle([1]), TypeError),
        (lambda h: ContiguousTensorsHandle([Tensor(1)], 1), TypeError),
    ],
)
def test_what_it_refuses(handle, use, error):
    with pytest.raises(error):
        use(handle)
