"""Going over values in compiled functions; recorded with MindSpore 2.10 in GRAPH_MODE."""

import pytest

import ms_compat as ms
from ms_compat import Tensor, ops


@pytest.mark.parametrize("compiled", [False, True])
def test_a_tensor_is_gone_over(compiled):
    def first(x):
        left = ops.iter_converter(x)
        return ops.ms_hasnext(left), *ops.ms_next(left)

    has, element, rest = (ms.jit(first) if compiled else first)(Tensor([1.0, 2.0]))
    assert has is True
    assert (element.shape, float(element)) == ((), 1.0)
    assert rest.asnumpy().tolist() == [2.0]


def test_sequences_are_gone_over():
    assert ms.jit(lambda x: ops.ms_next(ops.iter_converter(x)))((1, 2)) == (1, (2,))
    assert ops.ms_next(ops.iter_converter({"a": 1, "b": 2})) == ("a", ("b",))
    assert not ops.ms_hasnext(ops.iter_converter([]))
    with pytest.raises(IndexError):
        ops.ms_next([])
