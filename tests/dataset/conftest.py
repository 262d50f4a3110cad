"""Every test of this folder leaves the dataset settings and the random generators as they were."""

import random
import time
import tracemalloc

import numpy as np
import pytest

from ms_compat.dataset import config
from ms_compat.dataset._support import randomness


@pytest.fixture(autouse=True)
def restored_settings():
    values, python, numpy = dict(config._values), random.getstate(), np.random.get_state()
    yield
    config._values.update(values)
    config._chosen.clear()
    config._autotune[:] = [False, None]
    config.set_iterator_mode()
    randomness.set_seed(None)
    random.setstate(python)
    np.random.set_state(numpy)


@pytest.fixture
def cheap():
    """The test takes neither long nor much memory."""
    begin = time.process_time()
    tracemalloc.start()
    yield
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200 << 20 and time.process_time() - begin < 60, peak
