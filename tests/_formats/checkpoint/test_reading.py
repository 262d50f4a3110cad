"""Contents read by threads: every byte at its place, few calls, and an error for a file that ends early."""

import io
import os
import random
import threading
import weakref

import numpy as np
import pytest

from ms_compat._formats.checkpoint import reading

needs_preadv = pytest.mark.skipif(not hasattr(os, "preadv"), reason="the system reads at no position: one thread reads")


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A file of 1 MB, whose contents are cut for threads at every 1,000 bytes."""
    monkeypatch.setattr(reading, "_PART_BYTES", 1000)
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    path = tmp_path / "f"
    path.write_bytes(np.random.default_rng(0).bytes(1 << 20))
    return path


def places(seed):
    """Contents of 0 to 30,000 bytes in one to three pieces, with small and large gaps, in and out of order."""
    draw = random.Random(seed)
    found, at = [], 0
    while at < 900_000:
        pieces = []
        for _ in range(draw.choice((1, 1, 1, 2, 3))):
            at += draw.choice((0, 7, 40, 4096, 4097, 9000))
            pieces.append((at, draw.choice((0, 1, 63, 500, 1000, 1001, 30_000))))
            at += pieces[-1][1]
        found.append(tuple(pieces))
    if seed % 2:
        draw.shuffle(found)
    return found


@pytest.mark.parametrize("way", ["threads", "memory", "without preadv"])
@pytest.mark.parametrize("seed", range(6))
def test_every_byte_is_where_it_belongs(file, seed, way, monkeypatch):
    whole = file.read_bytes()
    wanted = places(seed)
    if way == "without preadv":
        monkeypatch.delattr(os, "preadv", raising=False)
    with io.BytesIO(whole) if way == "memory" else open(file, "rb", buffering=0) as opened:
        found = reading.read_all(opened, wanted, api="f", path="p")
    assert [array.tobytes() for array in found] == [
        b"".join(whole[offset : offset + length] for offset, length in pieces) for pieces in wanted
    ]
    assert all(array.ctypes.data % 64 == 0 for array in found if array.size)


@needs_preadv
def test_a_call_that_gives_less_is_continued(file, monkeypatch):
    original = os.preadv

    def few(handle, views, offset):
        return original(handle, [view[:100] for view in views[:1]], offset)

    monkeypatch.setattr(os, "preadv", few)
    with open(file, "rb", buffering=0) as opened:
        found = reading.read_all(opened, [((3, 950),), ((960, 40), (2000, 2500))], api="f", path="p")
    whole = file.read_bytes()
    assert [array.tobytes() for array in found] == [whole[3:953], whole[960:1000] + whole[2000:4500]]


@needs_preadv
def test_neighbours_are_read_in_one_call_and_large_contents_by_several_threads(file, monkeypatch):
    calls, threads, original = [], set(), os.preadv

    def preadv(handle, views, offset):
        calls.append((offset, len(views)))
        threads.add(threading.current_thread().name)
        return original(handle, views, offset)

    monkeypatch.setattr(os, "preadv", preadv)
    with open(file, "rb", buffering=0) as opened:
        reading.read_all(opened, [((at, 40),) for at in range(0, 1000, 50)], api="f", path="p")
        assert calls == [(0, 39)] and threads == {threading.current_thread().name}  # 20 contents and the gaps
        calls.clear()
        threads.clear()
        reading.read_all(opened, [((0, 100_000),)], api="f", path="p")
    assert sorted(calls) == [(at, 1) for at in range(0, 100_000, 1000)]
    here = threading.current_thread().name  # the others are few, and may come too late
    assert threads and all(name == here or name.startswith("ms_compat-read") for name in threads)
    assert not any(thread.name.startswith("ms_compat-read") for thread in threading.enumerate())


@pytest.mark.parametrize("way", ["threads", "memory"])
def test_a_file_that_ends_early_is_an_error_and_leaves_no_thread(file, way):
    with io.BytesIO(file.read_bytes()) if way == "memory" else open(file, "rb", buffering=0) as opened:
        with pytest.raises(ValueError, match=r"became shorter while it was read at byte 1048576: expected \d+ more"):
            reading.read_all(opened, [((0, 3000),), ((1 << 19, 1 << 20),)], api="f", path="p")
    assert not any(thread.name.startswith("ms_compat-read") for thread in threading.enumerate())


@pytest.mark.parametrize("way", ["file", "memory"])
def test_bytes_by_index_and_slice_are_the_files_and_few_are_read(file, way, monkeypatch):
    whole = file.read_bytes()
    with io.BytesIO(whole) if way == "memory" else open(file, "rb", buffering=0) as opened:
        found = reading.Bytes(opened, 5000, api="f", path="p")
        assert len(found) == 5000
        for at in (0, 1, 4095, 4096, 4999, 17, 4500):
            assert found[at] == whole[at]
        for part in (slice(3, 10), slice(4990, 6000), slice(40, 30)):
            assert found[part] == whole[part.start : min(part.stop, 5000)]
        counted = []
        monkeypatch.setattr(found, "_read", lambda offset, count: counted.append((offset, count)) or bytes(count))
        for at in range(4096, 4196):
            found[at]
        for at in (100, 101, 4990):
            found[at]
    assert counted == [(4096, 904), (100, 4096), (4990, 10)]


@pytest.mark.parametrize("way", ["file", "memory"])
def test_bytes_of_a_file_that_became_shorter_are_an_error(file, way):
    with io.BytesIO(file.read_bytes()) if way == "memory" else open(file, "rb", buffering=0) as opened:
        opened.truncate(3000) if way == "memory" else os.truncate(file, 3000)
        found = reading.Bytes(opened, 1 << 20, api="f", path="p")
        for at in (2999, 3000, slice(2000, 3001)):
            with pytest.raises(ValueError, match=r"became shorter while it was read at byte 3000: expected \d+ more"):
                found[at]


@pytest.mark.parametrize("size", [(4 << 20) - 1, 4 << 20, (9 << 20) + 5])
def test_large_contents_are_right_and_their_memory_is_freed(size, tmp_path):
    path = tmp_path / "large"
    path.write_bytes(np.random.default_rng(0).bytes(size + 3))
    with open(path, "rb", buffering=0) as opened:
        found = reading.read(opened, ((1, 2), (3, size - 2)), api="f", path="p")
    assert found.tobytes() == path.read_bytes()[1 : size + 1] and found.ctypes.data % 64 == 0
    found[:] = 0  # it may be written, and the file stays
    assert any(path.read_bytes())
    freed = weakref.ref(found.base)
    del found
    assert freed() is None


def test_windows_hold_what_is_read_together():
    with_sizes = [(name, ((0, 50 << 20), (0, 1))) for name in "abcde"]
    assert [[name for name, _ in window] for window in reading.windows(with_sizes)] == [list("abc"), list("de")]
    assert list(reading.windows([])) == []
