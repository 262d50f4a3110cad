"""Every reader of files, given damaged ones: it succeeds or raises what its documentation names, in bounded time.

The damage is random but seeded, and half of it is behind checksums that fit. `python -m tests.fuzz` makes the search
longer (20 files a reader here), and measures memory, too.
"""

import contextlib
import os
import sys
import time

import pytest

import ms_compat as ms
from tests.fuzz.__main__ import EVERY, FREE_BYTES, TIMES, file_of, forget_peak, judged, status
from tests.fuzz.amplified import CASES
from tests.fuzz.readers import PARTS, READERS

ROUNDS = int(os.environ.get("FUZZ_ROUNDS", "20"))
SECONDS = 60.0  # of the processor, for one damaged file on a slow machine; sound ones take milliseconds


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.filterwarnings("ignore")
def test_a_damaged_file_gives_a_documented_error(reader, tmp_path):
    make, read, _ = READERS[reader]
    path = make(tmp_path)
    whole = path.read_bytes()
    read(str(path))
    for number in range(0, ROUNDS, EVERY.get(reader, 1)):
        path.write_bytes(file_of(reader, number, whole))
        for left in tmp_path.glob("*.out*"):
            left.unlink()
        begin = time.process_time()
        assert judged(reader, path) is None, number
        assert time.process_time() - begin < SECONDS, number


@pytest.mark.parametrize("reader", PARTS)
def test_a_file_that_is_taken_apart_and_put_together_is_sound(reader, tmp_path):
    make, read, _ = READERS[reader]
    path = make(tmp_path)
    whole = path.read_bytes()
    for split, join, *_ in PARTS[reader]:
        path.write_bytes(join(whole, split(whole)))
        for left in tmp_path.glob("*.out*"):
            left.unlink()
        read(str(path))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.filterwarnings("ignore")
def test_a_small_file_costs_little_time_and_memory(case, tmp_path):
    name, make, read = CASES[case]
    make(tmp_path / name)
    size = sum(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file())
    taken = []
    for _ in range(3):  # the least counts: threads of other tests may allocate at the same time
        if sys.platform == "linux":
            forget_peak()
            before = status("VmRSS")
        begin = time.process_time()
        with contextlib.suppress(ValueError, RuntimeError, ms.UnsupportedError):
            read(tmp_path / name)
        assert time.process_time() - begin < SECONDS
        if sys.platform != "linux":
            return
        taken.append(status("VmHWM") - before)
        if min(taken) < TIMES * size + FREE_BYTES:
            return
    pytest.fail(f"reading took {min(taken)} bytes of memory")
