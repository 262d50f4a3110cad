"""Records auto_precision.json: the types in which operations compute at level "auto" of mixed precision.

Run with an interpreter that has MindSpore: `python auto_precision.py`. It runs PYNATIVE_MODE, since MindSpore compiles
no expressions in strings.
"""

import json
import sys
from pathlib import Path

import mindspore

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[2] / "train")]
import precision_samples  # noqa: E402

if __name__ == "__main__":
    data = {"mindspore": mindspore.__version__, "dtypes": precision_samples.dtypes(mindspore)}
    (HERE.parents[1] / "data" / "auto_precision.json").write_text(json.dumps(data, indent=0) + "\n")
