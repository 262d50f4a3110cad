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


SEQUENCES = {
    "list": lambda: ms.mutable([1, 2, 2]),
    "tuple": lambda: ms.mutable((1, 2, 2)),
    "variable length": lambda: ms.mutable([1, 2, 2], True),
    "constants": lambda: [1, 2, 2],
}


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("item", [lambda: 2, lambda: ms.mutable(2)], ids=["known", "variable"])
def test_numbers_known_at_run_time_only_are_searched(mode, sequence, item):
    """As MindSpore's compiler does; a branch on the count takes the right side."""

    @ms.jit
    def searched(items, item):
        branch = "many" if items.count(item) > 1 else "few"
        return items.index(item), items.index(item, 2), items.count(item) * 2, branch == "many"

    assert searched(SEQUENCES[sequence](), item()) == (1, 2, 4, True)

    @ms.jit
    def absent(items):
        return items.index(7)

    with pytest.raises(ValueError):
        absent(SEQUENCES[sequence]())


def test_a_tensor_of_one_value_that_is_known_at_run_time_only_equals_a_number():
    @ms.jit
    def searched(x):
        items = [x, x + 1, x + 2]
        return items.index(1), items.count(1), items.index(x + 1), items.count(x)

    assert searched(Tensor([0])) == (1, 1, 1, 1)
    assert searched(Tensor(1)) == (0, 1, 1, 1)
    with pytest.raises(ValueError):
        searched(Tensor([2]))


def mapped(x):
    return tuple(map(abs, x))


def zipped(x):
    return zip(x, x)  # noqa: B905 - as programs for MindSpore write it


def numbered(x):
    return enumerate(x)


@pytest.mark.parametrize("walk", [mapped, zipped, numbered])
def test_sequences_of_variable_length_are_not_walked_by_iterators(walk):
    with pytest.raises(RuntimeError, match="variable.length"):
        ms.jit(walk)(ms.mutable((1, 2, 3), True))


def test_a_range_of_a_variable_becomes_a_tuple():
    @ms.jit
    def counted(n):
        return tuple(range(n))

    assert counted(ms.mutable(3)) == (0, 1, 2)


def test_what_is_known_at_run_time_only_is_not_searched():
    @ms.jit
    def counts(b):
        return [Tensor([10, 20, 2]), b].count(b)

    with pytest.raises(ValueError, match="ambiguous"):
        counts(Tensor([10, 20, 1]))
