"""Record what MindSpore answers to the samples of tests/scipy/scipy_samples.py, as `ops_a.py` does for its own.

Run with an interpreter that has MindSpore: `python scipy_recorder.py` writes `../data/scipy_<topic>.json`.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "scipy")]
import ops_a  # noqa: E402, I001 - it adds the folder of replay.py to the path
import scipy_samples  # noqa: E402

ops_a.record(scipy_samples, "scipy", __file__)
