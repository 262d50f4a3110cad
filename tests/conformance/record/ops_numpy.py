"""Records what MindSpore answers to the samples of tests/ops/numpy_samples.py, as `ops_a.py` does for its own.

Run with an interpreter that has MindSpore: `python ops_numpy.py` writes `../data/ops_numpy_<topic>.json`.
"""

from tests.conformance.record import ops_a
from tests.ops import numpy_samples

ops_a.record(numpy_samples, "ops_numpy", __file__)
