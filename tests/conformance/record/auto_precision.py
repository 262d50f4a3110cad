"""Records auto_precision.json: the types in which operations compute at level "auto" of mixed precision.

Run with an interpreter that has MindSpore: `python auto_precision.py`. It runs PYNATIVE_MODE, since MindSpore compiles
no expressions in strings.
"""

import json
from pathlib import Path

import mindspore

from tests.train import precision_samples

HERE = Path(__file__).resolve()

if __name__ == "__main__":
    data = {"mindspore": mindspore.__version__, "dtypes": precision_samples.dtypes(mindspore)}
    (HERE.parents[1] / "data" / "auto_precision.json").write_text(json.dumps(data, indent=0) + "\n")
