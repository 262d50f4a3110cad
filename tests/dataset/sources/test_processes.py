"""Four processes that train data-parallel read each row once, in each epoch, from every kind of source."""

import numpy as np
import pytest

from ms_compat import mindrecord
from tests import jobs
from tests.conformance.dataset_encoded import png
from tests.conformance.dataset_tfrecord import tfrecord
from tests.dataset.sources.shards import ROWS

SOURCES = ["generator", "generator with a sampler", "MindRecord", "TFRecord", "pictures"]

pytestmark = pytest.mark.parallel


@pytest.fixture(scope="module")
def processes(tmp_path_factory):
    """What each of the four processes read."""
    folder = tmp_path_factory.mktemp("job")
    writer = mindrecord.FileWriter(str(folder / "rows.mindrecord"))
    writer.add_schema({"x": {"type": "int64"}})
    writer.write_raw_data([{"x": k} for k in range(ROWS)])
    writer.commit()
    (folder / "rows.tfrecord").write_bytes(tfrecord([{"x": [k]} for k in range(ROWS)]))
    for k in range(ROWS):  # a class for each picture, so that its label says which one it is
        (folder / "pictures" / f"{k:02}").mkdir(parents=True)
        (folder / "pictures" / f"{k:02}" / "a.png").write_bytes(png(np.full((2, 2, 3), k, np.uint8)))
    job = jobs.workers(4, "tests.dataset.sources.shards", folder)
    return jobs.finished(job, folder / "out", timeout=600)


@pytest.mark.parametrize("name", SOURCES)
def test_each_row_is_read_once(processes, name):
    epochs = []
    for epoch in range(2):
        parts = [found["rows"][name][epoch] for found in processes]
        assert [len(part) for part in parts] == [ROWS // 4] * 4
        assert sorted(sum(parts, [])) == list(range(ROWS))
        epochs.append(parts)
    assert epochs[0] != epochs[1]  # the epochs are shuffled, by all processes alike


def test_a_process_reads_its_own_rows_only(processes):
    for found in processes:
        rows = sum(found["rows"]["generator"] + found["rows"]["generator with a sampler"], [])
        assert sorted(found["read"]) == sorted(rows)
