"""NumPy's numbers and arrays beside Tensors in compiled code."""

import operator

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn

NUMBERS = [np.float16(2), np.float64(2), np.int8(2), np.int32(2), np.uint64(2), np.bool_(True)]
OPERATORS = "add sub mul truediv floordiv mod pow eq ne lt le gt ge and_ or_ xor".split()
half = np.sqrt(np.float64(0.25))


def outcome(fn, *args):
    try:
        found = fn(*args)
    except TypeError:
        return "TypeError"
    return found.dtype, found.asnumpy().tolist()


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number.dtype.name)
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_a_number_counts_as_one_of_python(number, dtype):
    plain, x = number.item(), Tensor(1, getattr(ms, dtype))
    for name in OPERATORS:
        compute = getattr(operator, name)
        bitwise = name in ("and_", "or_", "xor")  # of which a Tensor answers those on its right alone
        wanted = outcome(compute, x, plain) if bitwise else outcome(compute, plain, x)
        assert outcome(ms.jit(lambda x, compute=compute: compute(number, x)), x) == wanted, name
        assert outcome(ms.jit(lambda x, compute=compute: compute(x, number)), x) == outcome(compute, x, plain), name


class Scaled(nn.Cell):
    def __init__(self):
        super().__init__()
        self.number, self.numbers = np.float64(2), [np.float64(3)]

    def construct(self, x):
        y = x.sum()
        z = half
        z *= y
        return half * y, self.number * y, self.numbers[0] - y, z, np.sqrt(np.float64(4)) / y


def test_wherever_it_is_kept(graph):
    assert [t.dtype for t in Scaled()(Tensor([1.0, 2.0]))] == [ms.float32] * 5


def test_numbers_come_back_as_pythons_and_arrays_as_they_are():
    array = np.array([1.0, 2.0])

    @ms.jit
    def numbers(x):
        return np.float32(1.5), np.int64(2), array[0], np.prod(x.shape), np.int32(3), Tensor(half)

    found = numbers(Tensor([1.0, 2.0]))
    assert [type(value) for value in found[:5]] == [float, int, float, int, np.int32]
    assert found[5].dtype == ms.float32 and found[:4] == (1.5, 2, 1.0, 2)
    product = ms.jit(lambda x: array * x)(Tensor([3.0, 4.0]))
    assert isinstance(product, np.ndarray) and product.tolist() == [3, 8]
    with pytest.raises(TypeError):
        ms.jit(lambda x: x * array)(Tensor([3.0, 4.0]))
