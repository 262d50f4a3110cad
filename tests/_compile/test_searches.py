"""`count` and `index` of sequences with Tensors in compiled code, where a Tensor equals another by all its values."""

import pytest

import ms_compat as ms
from ms_compat import Tensor


def test_tensors_whose_values_are_known_are_counted():
    @ms.jit
    def counts():
        b = Tensor([10, 20, 1])
        found = ["a", {"m": 1}, 20, Tensor([10, 20, 2]), Tensor([[10, 20, 1]]), b]
        return found.count(b), (1, b, Tensor([10, 20, 1]), Tensor([10, 20, 2])).count(b), found.count(20)

    assert counts() == (1, 2, 1)


def test_a_number_does_not_equal_a_tensor():
    @ms.jit
    def counts():
        items = [Tensor(1), Tensor(2), 1, Tensor(1)]
        return items.count(Tensor(1)), items.count(1)

    assert counts() == (2, 1)


def test_a_tensor_is_found_at_its_index():
    @ms.jit
    def found():
        b = Tensor([10, 20, 1])
        items = ["a", Tensor([10, 20, 2]), b, b]
        return items.index(b), items.index(b, 3), items.index("a")

    assert found() == (2, 3, 0)

    @ms.jit
    def absent():
        return [Tensor([1, 2]), Tensor([1, 3])].index(Tensor([2, 2]))

    with pytest.raises(ValueError, match="equal"):
        absent()


def test_what_is_known_at_run_time_only_is_not_searched():
    @ms.jit
    def counts(b):
        return [Tensor([10, 20, 2]), b].count(b)

    with pytest.raises(ValueError, match="ambiguous"):
        counts(Tensor([10, 20, 1]))
