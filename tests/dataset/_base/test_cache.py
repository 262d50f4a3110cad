"""The cache of a pipeline's rows."""

from pathlib import Path

import numpy as np
import pytest

import ms_compat.dataset as ds
from tests.dataset import recorded
from tests.dataset.sources.folders import archive


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_a_cache_reads_every_file_once(tmp_path):
    reads = []

    def opened(path):
        reads.append(path)
        return Path(path).read_bytes()

    cache = ds.DatasetCache(session_id=1)
    root = archive(tmp_path, "voc")
    data = ds.VOCDataset(root, "Detection", decode=True, decrypt=opened, cache=cache).project("image")
    data = data.map(lambda image: np.multiply(image, 0, out=image), cache=cache)
    for _ in range(3):
        assert all(not row[0].any() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True))
    assert len(reads) == 2
    statistics = cache.get_stat()
    assert (statistics.num_mem_cached, statistics.num_disk_cached) == (2, 0)
    assert statistics.avg_cache_sz > 5 * 6 * 3
    plain = ds.VOCDataset(root, "Detection", decode=True, cache=cache, shuffle=False)
    assert len(list(plain)) == 2 and cache.get_stat().num_mem_cached == 4


def test_a_cache_has_a_limit():
    cache = ds.DatasetCache(1, size=1)
    rows = [np.zeros(2**19, np.uint8)] * 3
    list(cache.through("x", np.arange(3), lambda indices: iter([(rows[k],) for k in indices])))
    assert cache.get_stat().num_mem_cached == 2


def test_rows_beyond_the_limit_go_to_disk():
    made, reads = [np.full(2**19, k, np.uint8) for k in range(6)], []

    def read(indices):
        for k in indices:
            reads.append(k)
            yield made[k], np.array(f"row {k}")

    cache = ds.DatasetCache(1, size=1, spilling=True)
    order = np.array([3, 0, 5, 1, 4, 2])
    for _ in range(3):
        rows = list(cache.through("x", order, read))
        assert [int(row[0][-1]) for row in rows] == order.tolist() and rows[4][1] == "row 4"
        for row in rows:
            row[0][:] = 99  # belongs to the function that gets it
    assert sorted(reads) == list(range(6))
    statistics = cache.get_stat()
    assert statistics.num_mem_cached + statistics.num_disk_cached == 6 and statistics.num_mem_cached <= 2
    assert 2**19 <= statistics.avg_cache_sz < 2**19 + 1000
