"""Records what MindSpore answers to the samples of tests/ops/science_samples.py, as `ops_a.py` does for its own.

Run with an interpreter that has MindSpore: `python ops_science.py` writes `../data/ops_science_<topic>.json`.
"""

from tests.conformance.record import ops_a
from tests.ops import science_samples

ops_a.record(science_samples, "ops_science", __file__)
