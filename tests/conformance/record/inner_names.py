"""Record what MindSpore answers to the samples of tests/_legacy/inner_samples.py, as ops_a.py does for samples.py.

Run with an interpreter that has MindSpore: `python inner_names.py` writes `../data/inner_<topic>.json`.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "_legacy")]
import inner_samples  # noqa: E402
import ops_a  # noqa: E402

if __name__ == "__main__":
    ops_a.record(inner_samples, "inner", __file__)
