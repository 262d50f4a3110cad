"""NumPy arrays among the arguments of compiled functions: constants, as in MindSpore, and no Tensors."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint, nn, ops

ARRAY = np.array([[1.0, 25.0], [4.0, 11.0]], np.float32)
X = Tensor(ARRAY)

REFUSED = {
    "abs": lambda v, x: ops.abs(v),
    "add": lambda v, x: ops.add(x, v),
    "plus": lambda v, x: x + v,
    "greater": lambda v, x: x > v,
    "max": lambda v, x: mint.max(v),
    "max of a dimension": lambda v, x: mint.max(v, dim=-1, keepdim=True),
    "relu": lambda v, x: nn.ReLU()(v),
    "reshape": lambda v, x: ops.reshape(v, (-1,)),
    "matmul": lambda v, x: x.matmul(v),
    "concat": lambda v, x: ops.cat((x, v)),
    "dense": lambda v, x: ops.dense(v, x),
    "shape": lambda v, x: ops.tile(x, v.astype(int)),
}


class Calls(nn.Cell):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def construct(self, v, x):
        return self.function(v, x)


@pytest.mark.parametrize("name", REFUSED)
def test_operations_refuse_them(name, mode):
    with pytest.raises(TypeError):
        Calls(REFUSED[name])(ARRAY, X)
    with pytest.raises(TypeError):
        ms.grad(REFUSED[name], 1)(ARRAY, X)


def test_they_are_what_python_has():
    @ms.jit
    def passes(v, x):
        return v, x * v.shape[0], x * v[0, 1], Tensor(v) + x, v + 1, v.ndim

    for array in (ARRAY, ARRAY + 1):
        same, shaped, scaled, added, more, rank = passes(array, X)
        assert same is array and type(more) is np.ndarray and rank == 2
        np.testing.assert_array_equal(shaped.asnumpy(), 2 * ARRAY)
        np.testing.assert_array_equal(scaled.asnumpy(), ARRAY * array[0, 1])
        np.testing.assert_array_equal(added.asnumpy(), array + ARRAY)
        np.testing.assert_array_equal(more, array + 1)


def test_a_changed_array_is_another_constant():
    @ms.jit
    def scaled(v, x):
        return x * v[0, 1]

    array = ARRAY.copy()
    for value in (2.0, 3.0, 2.0):
        array[0, 1] = value
        np.testing.assert_array_equal(scaled(array, X).asnumpy(), ARRAY * value)


def test_a_function_that_writes_into_one_runs_in_python():
    @ms.jit
    def writes(v, x):
        v[0] = 7
        return x + 1

    for _ in range(2):
        array = np.zeros(3, np.float32)
        writes(array, X)
        assert array.tolist() == [7, 0, 0]


@pytest.mark.parametrize("number", (np.float16(2.5), np.int64(2), np.bool_(True)))
def test_numbers_of_numpy_have_no_dtype(number, mode):
    for dtype in (ms.int8, ms.float16, ms.bfloat16):
        x = Tensor([1, 2], dtype)
        out, expected = ops.add(x, number), ops.add(x, number.item())
        assert out.dtype == expected.dtype and (out == expected).all()


def test_numpy_functions_refuse_arrays():
    for call in (lambda: ms.numpy.sum(ARRAY), lambda: ms.numpy.add(X, ARRAY), lambda: ms.numpy.where(ARRAY, X, X)):
        with pytest.raises(TypeError, match="numpy.ndarray"):
            call()


def test_bools_are_no_tensors():
    for call in (ops.abs, mint.sum, ops.ReduceSum(), ms.jit(ops.relu)):
        with pytest.raises(TypeError):
            call(True)
    assert ops.logical_and(Tensor([True, False]), True).asnumpy().tolist() == [True, False]
    assert ops.add(Tensor([1, 2]), True).asnumpy().tolist() == [2, 3]
