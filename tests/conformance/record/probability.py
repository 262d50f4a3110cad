"""Record what MindSpore answers to the samples of tests/nn/probability_samples.py, as `ops_a.py` does for its own.

Run with an interpreter that has MindSpore: `python probability.py` writes `../data/probability_<topic>.json`.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "nn")]
import ops_a  # noqa: E402
import probability_samples  # noqa: E402

ops_a.record(probability_samples, "probability", __file__)
