"""C++'s generators and `std::shuffle`; MindSpore's orders that depend on them are in `dataset_shuffled.json`."""

import numpy as np
import pytest

from ms_compat.dataset._support import mersenne


def test_the_standard_fixes_the_ten_thousandth_number():
    """[rand.predef] of the C++ standard."""
    assert mersenne.Mersenne64(5489).take(10000)[-1] == 9981545732273789042
    assert np.random.RandomState(5489).randint(0, 2**32, 10000, np.uint32)[-1] == 4123659995


@pytest.mark.parametrize("parts", [(1, 311, 1), (312, 312), (700, 5), (0, 3)])
def test_numbers_are_taken_and_skipped_in_parts(parts):
    whole, taken, skipping = (mersenne.Mersenne64(77) for _ in range(3))
    numbers = whole.take(sum(parts)).tolist()
    assert np.concatenate([taken.take(part) for part in parts]).tolist() == numbers
    skipping.skip(sum(parts[:-1]))
    assert skipping.take(parts[-1]).tolist() == numbers[sum(parts[:-1]) :]
    assert whole.position == taken.position == skipping.position == sum(parts)


def one_by_one(seed, bounds):
    words = iter(np.random.RandomState(seed).randint(0, 2**32, 4 * len(bounds) + 99, np.uint32).tolist())
    found = []
    for bound in bounds:
        scaling = (2**32 - 1) // bound
        found.append(next(word for word in words if word < bound * scaling) // scaling)
    return found


@pytest.mark.parametrize("low, high", [(2, 10), (2**25, 2**27), (2**31, 2**32 - 1)])
def test_rejected_words_are_left_out(low, high):
    bounds = np.linspace(low, high, 3000).astype(np.int64)
    assert mersenne._Mersenne32(3).below(bounds).tolist() == one_by_one(3, bounds.tolist())


@pytest.mark.parametrize(
    "count, first", [(2**16 - 1, [16017, 48837, 41248, 40595]), (2**16, [27548, 48776, 47402, 59264])]
)
def test_orders_on_both_sides_of_the_limit_for_pairs(count, first):
    """Recorded from MindSpore 2.10: `NumpySlicesDataset` with the seed 3."""
    values = list(range(count))
    mersenne.shuffle(values, 3)
    assert values[:4] == first


@pytest.mark.parametrize("count", [0, 1, 2, 3, 10, 11, 1023, 1024])
def test_a_shuffle_keeps_all_values(count):
    values = list(range(count))
    mersenne.shuffle(values, 1)
    assert sorted(values) == list(range(count)) and (count < 4 or values != sorted(values))
