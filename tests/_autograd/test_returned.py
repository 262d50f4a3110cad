"""What a backward rule may return: the gradients and the exception classes of MindSpore 2.10.

`None` beside a value is no gradient, which PYNATIVE_MODE shows as zeros. Compiled MindSpore hands a `None` on to the
user, or raises where it is added to; here it is zeros in both modes. It also hands on gradients of a wrong shape.
"""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mutable, nn, ops
from ms_compat._inner.nn import custom_vjp
from ms_compat._names.resolve import resolve

X, Y = [1.0, 2.0], [3.0, 4.0]
FULL = ([6.0, 6.0], [12.0, 12.0])

# What a rule for two inputs returns of the cotangent d: (in PYNATIVE_MODE, in GRAPH_MODE)
RETURNED = {
    "one": (lambda d: (d * 3,), RuntimeError, RuntimeError),
    "a Tensor": (lambda d: d * 3, RuntimeError, TypeError),
    "none": (lambda d: (), RuntimeError, RuntimeError),
    "None": (lambda d: None, TypeError, TypeError),
    "two": (lambda d: (d * 3, d * 4), FULL, FULL),
    "three": (lambda d: (d * 3, d * 4, d * 5), FULL, FULL),
    "a list": (lambda d: [d * 3, d * 4], FULL, TypeError),
    "a pair in a tuple": (lambda d: ((d * 3, d * 4),), FULL, RuntimeError),
    "first None": (lambda d: (None, d * 4), ([0.0, 0.0], FULL[1]), ([0.0, 0.0], FULL[1])),
    "second None": (lambda d: (d * 3, None), (FULL[0], [0.0, 0.0]), (FULL[0], [0.0, 0.0])),
    "numbers": (lambda d: (3.0, 4.0), RuntimeError, TypeError),
    "a bool": (lambda d: (True, d), RuntimeError, TypeError),
    "a str": (lambda d: ("a", d), TypeError, TypeError),
    "a dict": (lambda d: {"a": d}, RuntimeError, TypeError),
    "an array": (lambda d: (np.ones(2, np.float32), d), TypeError, TypeError),
    "another dtype": (lambda d: ((d * 3).astype(ms.float16), d * 4), FULL, FULL),
    "a dimension more": (lambda d: (ops.expand_dims(d * 3, 0), d * 4), FULL, FULL),
    "a dimension less": (lambda d: (d.sum(), d), RuntimeError, RuntimeError),
    "size one": (lambda d: (d[:1], d), RuntimeError, RuntimeError),
    "larger": (lambda d: (ops.concat((d, d[:1])), d), RuntimeError, RuntimeError),
}


def of_cell(rule):
    class Rule(nn.Cell):
        def construct(self, a, b):
            return a * b

        def bprop(self, a, b, out, dout):
            return rule(dout)

    return Rule()


def of_vjp(rule):
    @custom_vjp
    def product(a, b):
        return a * b

    product.defbwd(lambda a, b, out, dout: rule(dout))
    return product


def of_custom(rule):
    return ops.Custom(
        lambda a, b: a * b, lambda a, b: a, lambda a, b: a, "pyfunc", bprop=lambda a, b, out, dout: rule(dout)
    )


def gradients(function):
    """At inputs that were computed, as a rule's own inputs mostly are."""
    got = ms.grad(lambda a, b: function(a * 2, b * 3).sum(), (0, 1))(Tensor(X), Tensor(Y))
    return tuple([g.asnumpy().tolist() for g in got])


def check(function, expected):
    if isinstance(expected, tuple):
        assert gradients(function) == expected
    else:
        with pytest.raises(expected):
            gradients(function)


@pytest.mark.parametrize("make", [of_cell, of_vjp], ids=lambda make: make.__name__)
@pytest.mark.parametrize("what", RETURNED)
def test_gradients_that_a_rule_returns(mode, make, what):
    rule, pynative, graph = RETURNED[what]
    check(make(rule), pynative if mode == ms.PYNATIVE_MODE else graph)


@pytest.mark.parametrize("what", RETURNED)
def test_of_a_custom_operator_numbers_stand_for_each_element(mode, what):
    rule, pynative, graph = RETURNED[what]
    expected = pynative if mode == ms.PYNATIVE_MODE else graph
    number = {"numbers": FULL, "a bool": ([2.0, 2.0], [3.0, 3.0])}
    check(of_custom(rule), number.get(what, expected))


# the same of `_Function.backward`, which takes None and Tensors alone
OF_FUNCTION = {
    "one": RuntimeError, "a Tensor": RuntimeError, "none": RuntimeError, "None": RuntimeError, "a list": RuntimeError,
    "three": RuntimeError, "a pair in a tuple": RuntimeError, "numbers": RuntimeError, "a bool": RuntimeError,
    "a str": RuntimeError, "a dict": RuntimeError, "an array": RuntimeError,
}  # fmt: skip


@pytest.mark.parametrize("what", RETURNED)
def test_gradients_that_a_functions_backward_returns(mode, what):
    rule, expected, _ = RETURNED[what]

    class Product(ms._Function):
        @staticmethod
        def forward(ctx, a, b):
            return a * b

        @staticmethod
        def backward(ctx, dout):
            return rule(dout)

    check(Product.apply, OF_FUNCTION.get(what, expected))


def test_a_function_of_one_input_may_return_none_and_more_nones():
    for rule in (lambda d: None, lambda d: (None,), lambda d: (None, None)):

        class Square(ms._Function):
            @staticmethod
            def forward(ctx, a):
                return a * a

            @staticmethod
            def backward(ctx, dout, rule=rule):
                return rule(dout)

        assert ms.grad(Square.apply)(Tensor(X)).asnumpy().tolist() == [0, 0]


# -- inputs that are not single Tensors ------------------------------------------------------------------------------
OF_TUPLE = {
    "structured": (lambda d: ((d, d * 2), d * 3), ([8.0, 8.0], [3.0, 3.0]), ([8.0, 8.0], [3.0, 3.0])),
    "in a row": (lambda d: (d, d * 2, d * 3), ([8.0, 8.0], [3.0, 3.0]), TypeError),
    "a Tensor for the tuple": (lambda d: (d, d * 3), RuntimeError, TypeError),
    "None for the tuple": (lambda d: (None, d * 3), RuntimeError, TypeError),
    "only the tuple's": (lambda d: ((d, d * 2),), RuntimeError, RuntimeError),
}


@pytest.mark.parametrize("what", OF_TUPLE)
def test_gradients_of_a_tuple(mode, what):
    rule, pynative, graph = OF_TUPLE[what]

    class Rule(nn.Cell):
        def construct(self, pair, b):
            return pair[0] * b + pair[1]

        def bprop(self, pair, b, out, dout):
            return rule(dout)

    net = Rule()

    def run():
        got = ms.grad(lambda a, b: net((a * 2, a * 3), b), (0, 1))(Tensor(X), Tensor(Y))
        return tuple([g.asnumpy().tolist() for g in got])

    expected = pynative if mode == ms.PYNATIVE_MODE else graph
    if isinstance(expected, tuple):
        assert run() == expected
    else:
        with pytest.raises(expected):
            run()


def test_a_mutable_tuple_gets_the_structure_of_its_gradients(mode):
    class Rule(nn.Cell):
        def construct(self, pair, b):
            return pair[0] * b + pair[1]

        def bprop(self, pair, b, out, dout):
            return (dout, dout * 2), dout * 3

    pair = mutable((Tensor(X), Tensor(Y)))
    (one, other), of_b = ops.GradOperation(get_all=True)(Rule())(pair, Tensor(X))
    assert [g.asnumpy().tolist() for g in (one, other, of_b)] == [[1, 1], [2, 2], [3, 3]]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_numbers_among_the_inputs_are_counted(mode, count):
    class Rule(nn.Cell):
        def construct(self, a, k, b):
            return a * b * k

        def bprop(self, a, k, b, out, dout):
            return (dout, None, dout * 3)[:count]

    net = Rule()
    grad = ms.grad(lambda a, b: net(a, 2, b), (0, 1))
    if count < 3:
        with pytest.raises(RuntimeError, match=r"one gradient per input \(3\)"):
            grad(Tensor(X), Tensor(Y))
    else:
        assert [g.asnumpy().tolist() for g in grad(Tensor(X), Tensor(Y))] == [[1, 1], [3, 3]]


def test_a_bprop_gets_the_defaults_of_construct_and_keywords_by_position(mode):
    class Rule(nn.Cell):
        def construct(self, a, b=3.0, c=1.0):
            return a * b * c

        def bprop(self, a, b, c, out, dout):
            return dout * b * c, None, None

    net = Rule()
    assert ms.grad(net)(Tensor(X)).asnumpy().tolist() == [3, 3]
    assert ms.grad(lambda a: net(a, c=5.0))(Tensor(X)).asnumpy().tolist() == [15, 15]


def test_custom_vjp_has_mindspores_path_and_needs_its_backward(mode):
    assert resolve("mindspore.ops.function.grad.grad_func.custom_vjp") is custom_vjp

    @custom_vjp()
    def doubled(x):
        return x * 2

    assert doubled(Tensor(X)).asnumpy().tolist() == [2, 4]
    with pytest.raises(TypeError, match="defbwd"):
        ms.grad(doubled)(Tensor(X))
    doubled.defbwd(lambda x, out, dout: (dout * 5,))
    assert ms.grad(doubled)(Tensor(X)).asnumpy().tolist() == [5, 5]
