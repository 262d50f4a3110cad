"""`ops.index_add` changes a Tensor in place as it does a Parameter; the numbers are MindSpore's."""

import numpy as np

import ms_compat as ms
from ms_compat import Parameter, Tensor, ops

AT, ADDED = Tensor([1], ms.int32), Tensor([5.0])


def of(*numbers):
    return Tensor(np.asarray(numbers, np.float32))


def test_tensors_and_parameters_are_changed(mode):
    for x in (of(1, 2, 3), of(1, 2, 3) * 1, Parameter(of(1, 2, 3), name="x")):
        out = ops.index_add(x, AT, ADDED, 0)
        assert out.asnumpy().tolist() == x.asnumpy().tolist() == [1, 7, 3] and out.dtype is ms.float32


def test_the_gradient_is_that_of_the_changed_tensor(mode):
    def total(x):
        changed = x * 1
        out = ops.index_add(changed, AT, ADDED, 0)
        return (out * out * changed).sum()

    assert ms.grad(total)(of(1, 2, 3)).asnumpy().tolist() == [3, 147, 27]


def test_a_compiled_function_sees_the_change():
    @ms.jit
    def both(x):
        changed = x * 1
        return ops.index_add(changed, AT, ADDED, 0), changed

    assert [value.asnumpy().tolist() for value in both(of(1, 2, 3))] == [[1, 7, 3], [1, 7, 3]]
