"""Tensors that are an argument and in the function's closure: MindSpore 2.10's results."""

import pytest

import ms_compat as ms
from ms_compat import Tensor, grad, nn, ops, vmap


def gradient(a):
    def inner(w):
        return w * a

    return grad(inner)(a)


def gradient_of_square(a):
    def inner(w):
        return w * w * a

    return grad(inner)(a)


def gradient_by_a_helper(a):
    def helper(u):
        return u * a

    return grad(lambda w: helper(w))(a)


def second_gradient(a):
    def inner(w):
        return w * w * a

    return grad(grad(inner))(a)


def forward(a):
    def inner(w):
        return w * a

    return ops.jvp(inner, a, ops.ones_like(a))[1]


def jacobian(transformation):
    def function(a):
        def inner(w):
            return w * a

        return transformation(inner)(a).sum(0)

    return function


def mapped(a):
    def inner(w):
        return (w * a).sum()

    return vmap(inner)(a)


COMPILED = {
    gradient: [3.0, 2.0],
    gradient_of_square: [18.0, 8.0],
    gradient_by_a_helper: [3.0, 2.0],
    second_gradient: [6.0, 4.0],
    forward: [3.0, 2.0],
    mapped: [15.0, 10.0],
}
# gradients in PYNATIVE_MODE know objects, the other transformations do not
EAGER = {gradient: [6.0, 4.0], gradient_of_square: [27.0, 12.0], forward: [3.0, 2.0], mapped: [15.0, 10.0]}


@pytest.mark.parametrize("function", COMPILED)
def test_compiled(function):
    assert ms.jit(function)(Tensor([3.0, 2.0])).asnumpy().tolist() == COMPILED[function]


@pytest.mark.parametrize("function", EAGER)
def test_in_pynative_mode(function):
    assert function(Tensor([3.0, 2.0])).asnumpy().tolist() == EAGER[function]


@pytest.mark.parametrize("transformation", [ms.jacrev, ms.jacfwd])
def test_jacobians(transformation, mode):
    assert jacobian(transformation)(Tensor([3.0, 2.0])).asnumpy().tolist() == [3.0, 2.0]


def test_gradient_of_a_compiled_gradient():
    for function, expected in ((gradient, 1.0), (gradient_of_square, 12.0)):
        assert float(grad(ms.jit(function))(Tensor(3.0))) == expected


def test_writing_into_the_argument_does_not_reach_the_closure():
    @ms.jit
    def function(a):
        def inner(w):
            w[0] = 5.0
            return (w * a).sum()

        return grad(inner)(a), a

    gradients, after = function(Tensor([3.0, 2.0]))
    assert gradients.asnumpy().tolist() == [0.0, 2.0]
    assert after.asnumpy().tolist() == [3.0, 2.0]


def test_in_a_cell():
    class Net(nn.Cell):
        def construct(self, x):
            def inner(w):
                return w * x

            return grad(inner)(x)

    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        assert Net()(Tensor([3.0, 2.0])).asnumpy().tolist() == [3.0, 2.0]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
