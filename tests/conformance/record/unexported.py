"""Record what MindSpore answers to the samples of tests/_legacy/unexported_samples.py.

Run with an interpreter that has MindSpore: `python unexported.py` writes `../data/unexported_<topic>.json`.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "_legacy")]
import ops_a  # noqa: E402
import unexported_samples  # noqa: E402

if __name__ == "__main__":
    ops_a.record(unexported_samples, "unexported", __file__)
