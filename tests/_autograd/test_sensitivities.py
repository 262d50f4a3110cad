"""Which sensitivities, cotangents and tangents are taken: the values and the exception classes of MindSpore 2.10."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops


def squares(x):
    return x * x


def total(x):
    return (x * x).sum()


def both(x):
    return squares(x), total(x)


X = [1.0, 2.0, 3.0]


def f32(value):
    return Tensor(value, ms.float32)


TWICE, EACH = [4, 8, 12], [2, 8, 18]
PAIR = (f32(X), f32(2.0))
# function, sensitivity: in PYNATIVE_MODE, in GRAPH_MODE
CASES = {
    "total ()": (total, f32(2.0), TWICE, TWICE),
    "total (1,)": (total, f32([2.0]), TWICE, TWICE),
    "total (1, 1)": (total, f32([[2.0]]), TWICE, TWICE),
    "total (3,)": (total, f32(X), [12, 24, 36], ValueError),
    "total (1, 3)": (total, f32([X]), [12, 24, 36], ValueError),
    "total float64": (total, Tensor(2.0, ms.float64), TWICE, TypeError),
    "total float16": (total, Tensor([2.0], ms.float16), TWICE, TypeError),
    "total int32": (total, Tensor(2, ms.int32), TWICE, TypeError),
    "total bool": (total, Tensor(True), [2, 4, 6], TypeError),
    "total float": (total, 2.0, TWICE, TypeError),
    "total int": (total, 2, TWICE, TypeError),
    "total of NumPy": (total, np.float32(2.0), TWICE, TypeError),
    "total pair": (total, PAIR, RuntimeError, TypeError),
    "total None": (total, None, RuntimeError, TypeError),
    "squares ()": (squares, f32(2.0), RuntimeError, TWICE),
    "squares (1,)": (squares, f32([2.0]), ValueError, TWICE),
    "squares (1, 1)": (squares, f32([[2.0]]), ValueError, TWICE),
    "squares (3,)": (squares, f32(X), EACH, EACH),
    "squares (2,)": (squares, f32(X[:2]), ValueError, ValueError),
    "squares (1, 3)": (squares, f32([X]), ValueError, EACH),
    "squares (3, 1)": (squares, f32([[1], [2], [3]]), ValueError, ValueError),
    "squares float16": (squares, Tensor(X, ms.float16), TypeError, TypeError),
    "squares int64": (squares, Tensor([1, 2, 3], ms.int64), TypeError, TypeError),
    "squares float": (squares, 2.0, RuntimeError, TypeError),
    "both pair": (both, PAIR, [6, 16, 30], [6, 16, 30]),
    "both pair of (1,)": (both, (f32(X), f32([2.0])), [6, 16, 30], [6, 16, 30]),
    "both one": (both, f32(2.0), RuntimeError, TypeError),
}


def checked(run, expected):
    if isinstance(expected, list):
        assert run().asnumpy().tolist() == expected
    else:
        with pytest.raises(expected):
            run()


def pull(function, sens):
    return ms.vjp(function, f32(X))[1](sens)[0]


class Of(nn.Cell):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def construct(self, x):
        return self.function(x)


@pytest.mark.parametrize("name", CASES)
def test_sensitivities(mode, name):
    function, sens, pynative, graph = CASES[name]
    expected = pynative if mode == ms.PYNATIVE_MODE else graph
    checked(lambda: ops.GradOperation(sens_param=True)(function)(f32(X), sens), expected)
    checked(lambda: ms.grad(Of(function), sens_param=True)(f32(X), sens), expected)
    if sens is not None:
        checked(lambda: nn.ForwardValueAndGrad(Of(function), sens_param=True)(f32(X), sens)[1], expected)
    if isinstance(sens, (Tensor, tuple)):
        checked(lambda: pull(function, sens), expected)
    else:
        checked(lambda: pull(function, sens), TypeError)


# tangent: the derivative of the squares along it
TANGENTS = {
    "()": (f32(2.0), TWICE),
    "(1,)": (f32([2.0]), TWICE),
    "(1, 1)": (f32([[2.0]]), TWICE),
    "(3,)": (f32(X), EACH),
    "(1, 3)": (f32([X]), EACH),
    "(2,)": (f32(X[:2]), ValueError),
    "(3, 1)": (f32([[1], [2], [3]]), ValueError),
    "float16": (Tensor(X, ms.float16), TypeError),
    "int64": (Tensor([1, 2, 3], ms.int64), TypeError),
    "float": (2.0, TypeError),
}


@pytest.mark.parametrize("name", TANGENTS)
def test_tangents(mode, name):
    tangent, expected = TANGENTS[name]
    checked(lambda: ms.jvp(squares, f32(X), tangent)[1], expected)
    checked(lambda: ops.linearize(squares, f32(X))[1](tangent), expected)
    if isinstance(tangent, Tensor):
        checked(lambda: Of(lambda v: ms.jvp(squares, f32(X), v)[1])(tangent), expected)


def test_tangents_of_several_inputs_and_of_more_dimensions(mode):
    out, tangent = ms.jvp(lambda a, b: a * b + a, (f32(X), f32([4, 5, 6])), (f32(X), f32(1.0)))
    assert out.asnumpy().tolist() == [5, 12, 21] and tangent.asnumpy().tolist() == [6, 14, 24]
    tangent = ms.jvp(squares, f32([X, X]), f32(X))[1]
    assert tangent.asnumpy().tolist() == [EACH, EACH]
    with pytest.raises(ValueError, match="need as many tangents"):
        ops.linearize(squares, f32(X))[1]((f32(X), f32(X)))
