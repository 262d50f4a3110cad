"""Record what MindSpore answers to the samples of tests/ops/numpy_samples.py, as `ops_a.py` does for its own.

Run with an interpreter that has MindSpore: `python ops_numpy.py` writes `../data/ops_numpy_<topic>.json`.
"""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]
import ops_a  # noqa: E402, I001 - it adds the folder of the samples to the path
import numpy_samples  # noqa: E402

ops_a.record(numpy_samples, "ops_numpy", __file__)
