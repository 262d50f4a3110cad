"""Joining, repeating, padding and choosing."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, mint, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)


def test_sequences_of_tensors_and_of_tracers_are_one_operation():
    x, y = Tensor(X), Parameter(Tensor(X), name="y")
    whole = ms.ops.concat([x, y])
    np.testing.assert_array_equal(ms.jit(lambda a: ms.ops.concat((a, y)))(x).asnumpy(), whole.asnumpy())
    np.testing.assert_array_equal(ms.grad(lambda a: (ms.ops.concat((a, a * 2)) * 3).sum())(x).asnumpy(), 9 + 0 * X)
    with pytest.raises(TypeError):
        ms.ops.concat((x, "y"))


#: dtypes that compiled code joins, and the dtype that comes out
JOINED = [
    ("float32", "bool", "Float32"),
    ("float32", "int64", "Float32"),
    ("float32", "float64", "Float64"),
    ("int8", "uint8", "Int16"),
    ("int64", "float16", "Float16"),
    ("bfloat16", "float16", "Float32"),
    ("complex64", "float64", "Complex128"),
]


JOINS = {
    "concat": lambda a, b: ops.concat((a, b)),
    "Concat": lambda a, b: ops.Concat()((a, b)),
    "mint.cat": lambda a, b: mint.cat((a, b)),
    "hstack": lambda a, b: ops.hstack((a, b)),
    "vstack": lambda a, b: ops.vstack((a, b)),
    "dstack": lambda a, b: ops.dstack((a, b)),
    "column_stack": lambda a, b: ops.column_stack((a, b)),
}


@pytest.mark.parametrize(("one", "other", "wanted"), JOINED, ids=lambda name: name)
def test_compiled_code_joins_several_dtypes(one, other, wanted):
    inputs = Tensor([1], getattr(ms, one)), Tensor([2], getattr(ms, other))
    for join in JOINS.values():
        assert str(ms.jit(join)(*inputs).dtype) == wanted
    assert ms.jit(JOINS["concat"])(*inputs).astype(ms.float32).asnumpy().tolist() == [1, 1 if other == "bool" else 2]


@pytest.mark.parametrize("name", JOINS)
def test_pynative_mode_joins_one_dtype_alone(name):
    with pytest.raises(RuntimeError, match="dtypes must be the same"):
        JOINS[name](Tensor([1.0]), Tensor([2]))


def test_compiled_code_does_not_join_what_it_does_not_combine():
    with pytest.raises(TypeError, match="conversion between"):
        ms.jit(JOINS["concat"])(Tensor([1], ms.uint16), Tensor([2], ms.int16))


def test_gradients_of_joined_dtypes_have_their_own():
    found = ms.grad(ms.jit(JOINS["concat"]), (0, 1))(Tensor([1.0]), Tensor([2], ms.float64))
    assert [str(g.dtype) for g in found] == ["Float32", "Float64"]


CHOICES = {"ops.select": ops.select, "ops.where": ops.where, "mint.where": mint.where}


@pytest.mark.parametrize("name", CHOICES)
def test_two_ints(name):
    choose, condition = CHOICES[name], Tensor([True, False])
    compiled = ms.jit(lambda c: choose(c, 1, 2))
    assert choose(condition, 1, 2).dtype == ms.int64
    assert compiled(condition).dtype == ms.int32
    assert compiled(condition).asnumpy().tolist() == [1, 2]


@pytest.mark.parametrize("name", CHOICES)
def test_a_float_or_a_tensor_decides(mode, name):
    choose, condition = CHOICES[name], Tensor([True, False])
    assert ms.jit(lambda c: choose(c, 1, 2.5))(condition).dtype == ms.float32
    assert ms.jit(lambda c: choose(c, Tensor([5, 6], ms.int16), 3))(condition).dtype == ms.int16


@pytest.mark.parametrize(
    ("join", "when_empty"),
    [
        (ops.hstack, ValueError),
        (ops.vstack, TypeError),
        (ops.row_stack, TypeError),
        (ops.dstack, TypeError),
        (ops.column_stack, ValueError),
    ],
)
def test_stacks_take_tuples_and_lists_of_tensors_alone(join, when_empty):
    """MindSpore's classes of errors."""
    for wrong in (Tensor([[1.0]]), 3, "a", None, [Tensor([1.0]), 3], [np.ones(2)]):
        with pytest.raises(TypeError):
            join(wrong)
    with pytest.raises(when_empty):
        join([])
    with pytest.raises(TypeError):
        ops.block_diag(3)
