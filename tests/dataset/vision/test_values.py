"""The values of pixels."""

import numpy as np
import pytest

from ms_compat.dataset import vision
from tests.dataset import recorded

pytestmark = pytest.mark.usefixtures("seeded")


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_solarize_draws_both_ends_of_its_range():
    row = np.arange(12, dtype=np.uint8).reshape(3, 4)
    made = {vision.RandomSolarize((4, 6))(row).tobytes() for _ in range(200)}
    ranges = [(low, high) for low in range(4, 7) for high in range(low, 7)]
    expected = [(row >= low) & (row <= (255 if low == high else high)) for low, high in ranges]
    assert made == {np.where(inside, 255 - row, row).astype(np.uint8).tobytes() for inside in expected}
