"""One process of a job that trains data-parallel: the rows that it reads of each source, as JSON.

    python -m tests.dataset.sources.shards FOLDER

`test_processes.py` makes the folder and starts four of them.
"""

import json
import sys
from pathlib import Path

import ms_compat

ms_compat.install()

import mindspore as ms  # noqa: E402
import mindspore.dataset as ds  # noqa: E402
from mindspore.communication import get_group_size, get_rank, init  # noqa: E402

ROWS = 40


class Source:
    """Rows that are numbers, and which of them were read."""

    def __init__(self):
        self.read = []

    def __len__(self):
        return ROWS

    def __getitem__(self, k):
        self.read.append(int(k))
        return k


def pipelines(folder, count, rank, source):
    """A pipeline of each source, whose first column says which row it is. The seed is MindSpore's default."""
    shard = {"num_shards": count, "shard_id": rank}
    sampler = ds.DistributedSampler(count, rank, shuffle=True)
    return {
        "generator": ds.GeneratorDataset(source, ["x"], shuffle=True, **shard),
        "generator with a sampler": ds.GeneratorDataset(source, ["x"], sampler=sampler),
        "MindRecord": ds.MindDataset(str(folder / "rows.mindrecord"), ["x"], **shard),
        "TFRecord": ds.TFRecordDataset(str(folder / "rows.tfrecord"), shard_equal_rows=True, **shard),
        "pictures": ds.ImageFolderDataset(str(folder / "pictures"), decode=True, **shard).project(["label"]),
    }


def main():
    folder = Path(sys.argv[1])
    init()
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    count, rank = get_group_size(), get_rank()
    source, found = Source(), {}
    for name, data in pipelines(folder, count, rank, source).items():
        iterator = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
        found[name] = [[row[0].item() for row in iterator] for _ in range(2)]
    (folder / f"out.{rank}").write_text(json.dumps({"rows": found, "read": source.read}))


if __name__ == "__main__":
    main()
