"""Reductions over segments."""

import pytest

import ms_compat
from ms_compat import Tensor, ops


@pytest.mark.parametrize("jitted", [False, True])
def test_a_number_of_segments_in_a_tensor(jitted):
    """The sum takes it with a dimension, too; the others refuse that."""
    x, ids = Tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), Tensor([0, 1, 0], ms_compat.int32)
    number = Tensor([2])
    total = lambda x, ids: ops.unsorted_segment_sum(x, ids, number)  # noqa: E731
    total = ms_compat.jit(total) if jitted else total
    assert total(x, ids).asnumpy().tolist() == [[6.0, 8.0], [3.0, 4.0]]
    with pytest.raises(TypeError, match="num_segments"):
        ops.unsorted_segment_max(x, ids, number)
