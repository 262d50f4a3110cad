"""Writes small MindRecord files with MindSpore and keep them, compressed, in `../data/dataset_mindrecord_files.json`.

Run with an interpreter that has MindSpore, before `dataset.py mindrecord`.
"""

import base64
import json
import os
import tempfile
import zlib
from pathlib import Path

import numpy as np
from mindspore.mindrecord import FileWriter

from tests.conformance.record import tensor_runner

MIXED = {
    "file": {"type": "string"},
    "label": {"type": "int64"},
    "f": {"type": "float32"},
    "d": {"type": "float64"},
    "data": {"type": "bytes"},
    "arr": {"type": "int64", "shape": [-1]},
    "small": {"type": "int32", "shape": [2, 2]},
    "m": {"type": "float32", "shape": [2, 2]},
    "i32": {"type": "int32"},
}


def mixed(k):
    return {
        "file": f"é{k}.jpg",
        "label": k % 3 - 1,
        "f": k * 0.1,
        "d": k / 3,
        "data": bytes([k]) * (k + 1) + b"e",
        "arr": np.array([k, -k * 300, k * 70000, -k * 2**40][: k % 4 + 1], dtype=np.int64),
        "small": np.arange(4, dtype=np.int32).reshape(2, 2) * (k - 3) * 1000,
        "m": np.ones((2, 2), np.float32) * k,
        "i32": -k * 1000,
    }


FILES = {
    "mixed.mindrecord": (MIXED, [mixed(k) for k in range(7)], 1),
    "bytes.mindrecord": (
        {"label": {"type": "int32"}, "data": {"type": "bytes"}},
        [{"label": k, "data": b"x" * (k + 1)} for k in range(5)],
        1,
    ),
    "plain.mindrecord": (
        {"label": {"type": "int64"}, "s": {"type": "string"}, "q": {"type": "float64"}},
        [{"label": -k, "s": "é" * k, "q": k / 3} for k in range(4)],
        1,
    ),
    "shards.mindrecord": (
        {"label": {"type": "int32"}, "x": {"type": "float32", "shape": [-1]}},
        [{"label": k, "x": np.arange(k, dtype=np.float32)} for k in range(1, 11)],
        3,
    ),
    "pages.mindrecord": (
        {"name": {"type": "string"}, "data": {"type": "bytes"}},
        [{"name": f"{k:03}" * 500, "data": bytes([65 + k % 26]) * (1500 + k)} for k in range(60)],
        1,
    ),
}


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, (schema, rows, shards) in FILES.items():
            writer = FileWriter(name, shards)
            writer.set_header_size(1 << 14)
            writer.set_page_size(1 << 15)
            writer.add_schema(schema, "test")
            writer.write_raw_data(rows)
            writer.commit()
        packed = {
            path.name: base64.b64encode(zlib.compress(path.read_bytes(), 9)).decode()
            for path in sorted(Path(".").iterdir())
        }
    body = {**tensor_runner.header(), "files": packed}
    target = Path(__file__).resolve().parents[1] / "data" / "dataset_mindrecord_files.json"
    target.write_text(json.dumps(body, indent=1) + "\n")


if __name__ == "__main__":
    main()
