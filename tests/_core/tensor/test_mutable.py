"""The marks that MindSpore's `mutable` leaves on what it returns."""

import pytest

import ms_compat as ms
from ms_compat import Tensor, mutable

VALUES = [Tensor(1.0), (Tensor(1.0), 2), [1, 2], {"a": 1}, 3, 2.5, True, (1, (2, 3))]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_what_is_marked_tells_of_what_it_was_made(value):
    marked = mutable(value)
    assert marked.__ms_origin_object__ is value and marked.__ms_mutable__ is True
    assert marked.__ms_dynamic_len__ is False and marked == value


def test_a_sequence_of_variable_length_says_so():
    assert mutable((1, 2), True).__ms_dynamic_len__ is True


def test_a_tensor_is_marked_itself_and_constant_no_more():
    constant = Tensor(1.0, const_arg=True)
    assert mutable(constant) is constant and constant.const_arg is False


def test_other_tensors_have_no_marks():
    assert not any(hasattr(Tensor(1.0), f"__ms_{name}__") for name in ("mutable", "dynamic_len", "origin_object"))
    assert ms.Tensor([1.0])._mutable is False


# MindSpore's results of [1, 2, 3] and Tensor(-4): as Python and compiled; None stands for a TypeError
WITH_A_TENSOR = {
    "items + y": ([-3, -2, -1], [-3, -2, -1]),
    "y + items": ([-3, -2, -1], [-3, -2, -1]),
    "items - y": ([5, 6, 7], [5, 6, 7]),
    "items * y": (None, [-4, -8, -12]),
    "y * items": (None, [-4, -8, -12]),
}


@pytest.mark.parametrize("kind", [list, tuple])
@pytest.mark.parametrize("tensors", [False, True])
def test_a_sequence_and_a_tensor_are_added_by_element(kind, tensors):
    items = ms.mutable(kind([ms.Tensor(k) if tensors else k for k in (1, 2, 3)]))
    for expression, (eager, compiled) in WITH_A_TENSOR.items():
        function = eval(f"lambda items, y: {expression}")
        if eager is None:
            with pytest.raises(TypeError):
                function(items, ms.Tensor(-4))
        else:
            assert function(items, ms.Tensor(-4)).asnumpy().tolist() == eager, expression
        assert ms.jit(function)(items, ms.Tensor(-4)).asnumpy().tolist() == compiled, expression


@ms.jit
def of_two(a, b):
    return max(a, b), min(a, b), divmod(a, b), divmod(7, b), max(a, b, 3)


@ms.jit
def of_many(numbers):
    return max(numbers), min(numbers), sum(numbers)


@pytest.mark.parametrize(
    ("call", "recorded"),
    [
        (lambda: of_two(mutable(6), mutable(4)), (6, 4, (1, 2), (1, 3), 6)),
        (lambda: of_two(mutable(6.5), mutable(4.0)), (6.5, 4.0, (1.0, 2.5), (1.0, 3.0), 6.5)),
        (lambda: of_many(mutable((1, 2, 3))), (3, 1, 6)),
        (lambda: of_many(mutable((1, 2, 3), True)), (3, 1, 6)),
    ],
)
def test_the_largest_of_variable_numbers_is_a_number(call, recorded):
    assert repr(call()) == repr(recorded)
