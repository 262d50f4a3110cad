"""The fixture `seeded`, for transforms that draw from Python's generator."""

import random

import pytest


@pytest.fixture
def seeded():
    """A fixed state of Python's generator, which is as before after the test."""
    state = random.getstate()
    random.seed(20)
    yield
    random.setstate(state)
