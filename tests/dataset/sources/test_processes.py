"""Four processes that train data-parallel read each row once, in each epoch, from every kind of source."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ms_compat import mindrecord
from tests.conformance.dataset_encoded import png
from tests.conformance.dataset_tfrecord import tfrecord
from tests.dataset.sources.shards import ROWS

ROOT = Path(__file__).parents[3]
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
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    variables = {"MS_WORKER_NUM": "4", "MS_SCHED_HOST": "127.0.0.1", "MS_SCHED_PORT": port, "MS_ROLE": "MS_WORKER"}
    jobs = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.dataset.sources.shards", str(folder)],
            cwd=ROOT,
            env={**os.environ, **variables, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu", "RANK_ID": str(rank)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for rank in range(4)
    ]
    try:
        for job in jobs:
            text, _ = job.communicate(timeout=300)
            assert job.returncode == 0, text.decode()[-3000:]
    finally:
        for job in jobs:
            job.kill()
    return [json.loads((folder / f"out.{rank}").read_text()) for rank in range(4)]


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
