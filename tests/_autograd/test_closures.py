"""Tensors that are an argument and in the function's closure: MindSpore 2.10's results."""

import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, grad, nn, ops, vmap


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


class Scaled(nn.Cell):
    def __init__(self, p):
        super().__init__()
        self.p, self.q = p, Parameter(Tensor(5.0), name="q")

    def construct(self, y):
        return y * self.p * 3 + self.q * 0


class Inside(Scaled):
    def construct(self, x):
        def inner(y):
            return y * self.p * 3

        return [
            grad(inner)(self.p),
            grad(inner, None, self.p)(self.p),
            *grad(inner, 0, self.p)(self.p),
            grad(lambda y: y * y)(self.p),
            grad(lambda y: y * y, None, self.p)(self.p),
        ]


def by_a_function(p):
    return lambda y: y * p * 3


# MindSpore's results with a Parameter of value 2 as the argument: for Scaled and for a function with a closure
OF_A_PARAMETER = {
    "grad(net)(p)": (6, 12),
    "grad(net, None, p)(p)": (6, 12),
    "sum(grad(net, 0, p)(p))": (12, 24),
    "sum(ops.value_and_grad(net)(p))": (18, 24),
    "ops.GradOperation(get_all=True)(net)(p)[0]": (6, 12),
    "ms.vjp(net, p)[1](Tensor(1.0))[0]": (6, 12),
    "ms.jacrev(net)(p)": (6, 6),
    "grad(net)(Tensor(2.0))": (6, 6),
}


@pytest.mark.parametrize("make", [Scaled, by_a_function])
def test_of_a_parameter_that_is_the_argument_too(make, mode):
    compiled = mode == ms.GRAPH_MODE
    names = {"ms": ms, "grad": grad, "ops": ops, "Tensor": Tensor}
    for expression, (as_compiled, eager) in OF_A_PARAMETER.items():
        p = Parameter(Tensor(2.0), name="p")
        found = eval(expression, names | {"p": p, "net": make(p)})
        assert float(found) == (as_compiled if compiled else eager), expression


def test_of_a_parameter_inside_of_a_cell(mode):
    found = Inside(Parameter(Tensor(2.0), name="p"))(Tensor(1.0))
    expected = [6, 6, 6, 6, 4, 0] if mode == ms.GRAPH_MODE else [12, 12, 12, 12, 4, 4]
    assert [float(value) for value in found] == expected
