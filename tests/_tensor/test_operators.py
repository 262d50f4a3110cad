"""Operands that operators take in compiled code alone; the expected values are MindSpore's."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor

INT, FLOAT, BOOL = Tensor([5, 6]), Tensor(np.array([5.5, 6], np.float32)), Tensor([True, False])
THREE = Tensor(3)
COMPILED = [
    (lambda x, t: 3 & x, INT, [1, 2], ms.int64),
    (lambda x, t: 3 | x, INT, [7, 7], ms.int64),
    (lambda x, t: 3 ^ x, INT, [6, 5], ms.int64),
    (lambda x, t: True & x, BOOL, [True, False], ms.bool_),
    (lambda x, t: 3 | x, BOOL, [3, 3], ms.int64),
    (lambda x, t: x * (3, 4), INT, [15, 24], ms.int64),
    (lambda x, t: [2.5, 0.5] * x, INT, [10, 0], ms.int64),
    (lambda x, t: x / [3, 4], INT, np.array([5 / 3, 1.5], np.float32), ms.float32),
    (lambda x, t: x % (3, 4), FLOAT, [2.5, 2], ms.float32),
    (lambda x, t: (3, 4) % x, FLOAT, [3, 4], ms.float32),
    (lambda x, t: x * (t,), FLOAT, [16.5, 18], ms.float32),
    (lambda x, t: [t, 2] + x, INT, [8, 8], ms.int64),
    (lambda x, t: x * ((1, 2), (3, 4)), INT, [[5, 12], [15, 24]], ms.int64),
]


@pytest.mark.parametrize(("fn", "x", "value", "dtype"), COMPILED)
def test_operands_of_compiled_code(mode, fn, x, value, dtype):
    out = ms.jit(fn)(x, THREE)
    assert out.dtype == dtype
    np.testing.assert_array_equal(out.asnumpy(), value)


def adds_in_place(x, t):
    x += (t,)
    return x


def test_augmented_assignment_of_a_sequence(mode):
    np.testing.assert_array_equal(ms.jit(adds_in_place)(INT, THREE).asnumpy(), [8, 9])


REFUSED = [
    lambda x, t: 2.5 & x,
    lambda x, t: x ** (2, 3),
    lambda x, t: x * (t, Tensor(4.5)),
    lambda x, t: x * ("a", "b"),
    lambda x, t: (1, 2) & x,
]


@pytest.mark.parametrize("fn", REFUSED)
def test_operands_that_compiled_code_refuses(mode, fn):
    with pytest.raises(TypeError):
        ms.jit(fn)(INT, THREE)


@pytest.mark.parametrize("fn", [lambda x: 3 & x, lambda x: 3 | x, lambda x: 3 ^ x, lambda x: x * (1, 2)])
def test_operands_that_python_refuses(fn):
    with pytest.raises(TypeError):
        fn(INT)


@pytest.mark.parametrize(("name", "value"), [("__add__", [13, 15]), ("__iadd__", [13, 15]), ("__sub__", [-3, -3])])
def test_a_factor_of_the_other_operand(mode, name, value):
    for other in (Tensor([4, 4.5], ms.float32), [4, 4.5]):
        if name == "__iadd__" and isinstance(other, list):
            continue
        assert getattr(Tensor([5, 6], ms.float32), name)(other, alpha=2).asnumpy().tolist() == value
    with pytest.raises(TypeError):
        INT.__mul__(INT, alpha=2)


def test_a_condition_has_a_sensitivity_and_no_gradient(graph):
    class Equal(ms.nn.Cell):
        def construct(self, x, y):
            return x == y

    grads = ms.ops.GradOperation(get_all=True, sens_param=True)(Equal())(ms.mutable(3), ms.mutable(4), True)
    assert [int(grad) for grad in grads] == [0, 0]


def test_operands_after_a_graph_break(mode):
    def breaks(x, t):
        rows = x[x > t]  # of a size that is not known
        return rows * (3, 4), 3 & rows.astype(ms.int64)

    scaled, bits = ms.jit(breaks)(FLOAT, THREE)
    np.testing.assert_array_equal(scaled.asnumpy(), [16.5, 24])
    np.testing.assert_array_equal(bits.asnumpy(), [1, 2])


# Recorded with MindSpore, in both modes: a sequence is taken in the tensor's dtype.
SEQUENCES = {
    "add a list": (lambda t: t.add([1.0, 2.0]), [2, 4]),
    "add a tuple": (lambda t: t.add((1, True)), [2, 3]),
    "add Tensors": (lambda t: t.add([ms.Tensor(1.0), ms.Tensor(2.0)]), [2, 4]),
    "+ Tensors": (lambda t: t + [ms.Tensor(1.0), ms.Tensor(2.0)], [2, 4]),
    "sub": (lambda t: t.sub([1.5, 1]), [0, 1]),
    "sub_": (lambda t: t.copy().sub_([1, 1]), [0, 1]),
}
REFUSED_SEQUENCES = {
    "add_": (lambda t: t.add_([1, 2]), TypeError),
    "add with alpha": (lambda t: t.add([1, 2], alpha=2), TypeError),
    "sub with alpha": (lambda t: t.sub([1, 2], alpha=2), TypeError),
    "mul": (lambda t: t.mul([1, 2]), TypeError),
    "subtract": (lambda t: t.subtract((1, 1)), TypeError),
    "another length": (lambda t: t.add([1, 2, 3]), ValueError),
    "nothing": (lambda t: t.add([]), ValueError),
}


@pytest.mark.parametrize("name", SEQUENCES)
def test_methods_take_sequences_in_the_own_dtype(name, mode):
    call, expected = SEQUENCES[name]
    out = call(ms.Tensor([1, 2], ms.int32))
    assert out.dtype is ms.int32 and out.asnumpy().tolist() == expected


@pytest.mark.parametrize("name", REFUSED_SEQUENCES)
def test_methods_that_refuse_sequences(name):
    call, error = REFUSED_SEQUENCES[name]
    with pytest.raises(error):
        call(ms.Tensor([1, 2], ms.int32))
