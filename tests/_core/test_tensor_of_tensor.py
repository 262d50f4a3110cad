"""A Tensor made of another: the gradient goes through it, its values are there, and later replacements are apart."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, ops
from ms_compat.common.initializer import Normal, initializer


class Sub(Tensor):
    """A Tensor of a library's own."""

    def __init__(self, data):
        super().__init__(data)


def of(*numbers):
    return Tensor(np.asarray(numbers, np.float32))


MADE = {
    "input": (lambda x: (Tensor(x) * 3).sum(), [3, 3]),
    "result": (lambda x: (Tensor(x * x) * 3).sum(), [6, 12]),
    "same dtype": (lambda x: (Tensor(x * x, ms.float32) * 3).sum(), [6, 12]),
    "other dtype": (lambda x: (Tensor(x * x, ms.float16) * 3).sum(), [6, 12]),
    "function": (lambda x: (ms.tensor(x * x) * 3).sum(), [6, 12]),
    "constant": (lambda x: (Tensor(ops.stop_gradient(x * x)) * x).sum(), [1, 4]),
}
EAGER = {
    "subclass": (lambda x: (Sub(x * x) * 3).sum(), [6, 12]),
    "Parameter": (lambda x: (Parameter(x * x) * 3).sum(), [6, 12]),
    "Parameter of a variable": (lambda x: (Parameter(x) * x).sum(), [1, 2]),
    "named Parameter": (lambda x: (Parameter(x * x, name="p") * x).sum(), [1, 4]),
    "frozen Parameter": (lambda x: (Parameter(x * x, requires_grad=False) * x).sum(), [1, 4]),
    "assigned Parameter": (lambda x: (ops.assign(Parameter(x * x), x * 2) * 3).sum(), [6, 12]),
    "assigned Parameter of a variable": (lambda x: (ops.assign(Parameter(x), x * 2) * x).sum(), [2, 4]),
    "integers": (lambda x: (Tensor(x * x, ms.int32) * 3 * x).sum(), [9, 36]),
    "twice": (lambda x: ms.grad(lambda x: (Tensor(x * x * x) * 3).sum())(x).sum(), [18, 36]),
}


@pytest.mark.parametrize("name", MADE)
def test_the_gradient_goes_through(name, mode):
    fn, gradient = MADE[name]
    found = ms.grad(fn)(of(1, 2))
    assert found.asnumpy().tolist() == gradient and found.dtype is ms.float32


@pytest.mark.parametrize("name", EAGER)
def test_the_gradient_goes_through_in_pynative_mode(name):
    fn, gradient = EAGER[name]
    assert ms.grad(fn)(of(1, 2)).asnumpy().tolist() == gradient


def test_a_copy_of_a_parameter_is_a_constant():
    p = Parameter(of(1, 2), name="p")
    assert ms.grad(lambda: (Tensor(p) * p).sum(), None, [p])()[0].asnumpy().tolist() == [1, 2]


def test_a_copy_of_a_tensor_that_waits_for_its_initializer_waits_for_nothing():
    waits = initializer(Normal(), (2, 3), ms.float32)
    for made in (Tensor(waits), Sub(waits)):
        assert not made.has_init and made.shape == (2, 3) and (made + 1).dtype is ms.float32
    assert waits.has_init and waits.data_sync(True) is None
    assert np.abs(waits.asnumpy()).sum() > 0
    assert Tensor(initializer("ones", (2,), ms.float16)).asnumpy().tolist() == [1, 1]


@pytest.mark.parametrize("write", [Tensor.assign_value, ops.assign])
def test_values_of_an_initializer_can_be_assigned(write):
    p = Parameter(of(0, 0), name="p")
    out = write(p, initializer("ones", (2,), ms.float32))
    assert p.asnumpy().tolist() == [1, 1] and out.shape == (2,)


def test_those_who_shared_the_storage_keep_it_when_the_value_is_replaced():
    a = of(1, 1)
    copy, sub, view = Tensor(a), Sub(a), a[0:1]
    a.assign_value(of(0, 0, 0))
    assert [t.asnumpy().tolist() for t in (a, copy, sub, view)] == [[0, 0, 0], [1, 1], [1, 1], [1]]
    a.assign_value(of(2, 3))
    copy[0] = 7
    assert a.asnumpy().tolist() == [2, 3] and sub.asnumpy().tolist() == [7, 1]
