"""Writing by index tensors."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


ONES = Tensor(np.ones((2, 3)), ms.float32)
AT, ADDED = Tensor([1], ms.int32), Tensor([5.0])


def of(*numbers):
    return Tensor(np.asarray(numbers, np.float32))


def test_rows_by_a_tensor(mode):
    x, v = of([1, 2], [3, 4]), of([9, 9])
    for rows in (Tensor([1], ms.int32), Tensor([-1], ms.int64)):
        assert ops.inplace_update(x, v, rows).asnumpy().tolist() == [[1, 2], [9, 9]]
        assert ms.jit(ops.inplace_update)(x, v, rows).asnumpy().tolist() == [[1, 2], [9, 9]]
    for rows in (Tensor([5], ms.int32), Tensor(1, ms.int32)):
        with pytest.raises(RuntimeError):
            ops.inplace_update(x, v, rows)
    with pytest.raises(TypeError):
        ops.inplace_add(x, v, Tensor([1], ms.int32))


@pytest.mark.parametrize("way", ("add", "sub", "mul", "div", "max", "min"))
def test_narrow_coordinates_are_refused(way):
    x, at = ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0, 1]], ms.int16)
    with pytest.raises(TypeError, match="'indices'"):
        getattr(ms.ops, f"tensor_scatter_{way}")(x, at, ms.Tensor([1.0]))


def test_parts_are_replaced():
    assert ops.select_scatter(ONES, of(1, 2, 3), 0, -1).asnumpy().tolist() == [[1, 1, 1], [1, 2, 3]]
    assert ops.slice_scatter(ONES, Tensor([[1.0, 2, 3]]), 0, 1, 2).asnumpy().tolist() == [[1, 1, 1], [1, 2, 3]]
    assert ops.diagonal_scatter(ONES, of(5, 6)).asnumpy().tolist() == [[5, 1, 1], [1, 6, 1]]


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
