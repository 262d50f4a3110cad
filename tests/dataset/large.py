"""The memory that large MindRecord and TFRecord files take while they are read.

python -m tests.dataset.large --gigabytes 10   # about 10 GB of the disk, one file after the other

Each file is read from begin to end in a process of its own, which prints the rows and the peak of its resident memory.
Rows have 1 MiB. In each format's last line they have 256 bytes, where the index of 40 bytes a row counts (MindRecord).
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FORMATS = ("mindrecord", "tfrecord")
LARGE, SMALL = 1 << 20, 256


def written(kind: str, path: Path, size: int, row: int) -> int:
    """Writes a file of about `size` bytes; returns the number of its rows."""
    count = max(size // row, 1)
    if kind == "tfrecord":
        from tests.conformance.dataset_tfrecord import tfrecord

        record = tfrecord([{"x": [bytes(row)]}])
        block = record * max((1 << 20) // len(record), 1)
        whole, rest = divmod(count * len(record), len(block))
        with open(path, "wb") as file:
            for _ in range(whole):
                file.write(block)
            file.write(block[:rest])
        return count
    from ms_compat import mindrecord

    writer = mindrecord.FileWriter(str(path))
    writer.set_page_size(1 << 25)
    writer.add_schema({"x": {"type": "bytes"}})
    part = max((16 << 20) // row, 1)
    for begin in range(0, count, part):
        writer.write_raw_data([{"x": bytes(row)}] * min(part, count - begin))
    writer.commit()
    return count


def read(kind: str, path: str) -> dict[str, int]:
    """Reads a file in this process: the rows, their bytes, and the peak of resident memory in MiB."""
    import ms_compat.dataset as ds

    data = (ds.MindDataset if kind == "mindrecord" else ds.TFRecordDataset)(path, shuffle=False)
    rows = size = 0
    for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
        rows += 1
        size += x.nbytes
    # Not `resource.getrusage`, which begins with the peak of the process that started this one.
    status = Path("/proc/self/status").read_text()
    return {"rows": rows, "bytes": size, "peak": int(status.split("VmHWM:")[1].split()[0]) >> 10}


def measured(kind: str, folder: Path, size: int, row: int) -> dict[str, int]:
    """What a process that reads a new file says; the file is removed."""
    path = folder / f"file.{kind}"
    try:
        count = written(kind, path, size, row)
        command = [sys.executable, "-m", "tests.dataset.large", "--read", kind, str(path)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=3600)
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])
        found = json.loads(done.stdout.splitlines()[-1])
        if found["rows"] != count:
            raise RuntimeError(f"{count} rows were written and {found['rows']} read")
        return found
    finally:
        for made in folder.glob(f"file.{kind}*"):
            made.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.dataset.large", description=__doc__.splitlines()[0])
    parser.add_argument("--gigabytes", type=float, default=1.0)
    parser.add_argument("--folder", help="where the files are written; the folder of temporary files without it")
    parser.add_argument("--read", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.read:
        print(json.dumps(read(*args.read)))
        return
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        print(f"{'format':<12}{'file':>9}{'a row':>9}{'rows':>12}{'peak':>10}")
        for kind in FORMATS:
            for size, row in ((1 << 26, LARGE), (int(args.gigabytes * 2**30), LARGE), (1 << 28, SMALL)):
                found = measured(kind, Path(folder), size, row)
                print(
                    f"{kind:<12}{size / 2**30:>6.2f} GB{row:>9,}{found['rows']:>12,}{found['peak']:>6,} MiB", flush=True
                )


if __name__ == "__main__":
    main()
