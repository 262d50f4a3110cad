"""Record what MindSpore answers to the samples of tests/ops/refusal_samples.py, as `ops_a.py` does for its own.

Run with an interpreter that has MindSpore: `python ops_refusals.py` writes `../data/ops_refused_<topic>.json`.
"""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]
import ops_a  # noqa: E402, I001 - it adds the folder of the samples to the path
import refusal_samples  # noqa: E402

if __name__ == "__main__":
    ops_a.record(refusal_samples, "ops_refused", __file__)
