"""Records what MindSpore answers to the samples of tests/ops/counting_samples.py, as `ops_a.py` does for its own.

Run with an interpreter that has MindSpore: `python ops_counting.py` writes `../data/ops_counting_<topic>.json`.
"""

from tests.conformance.record import ops_a
from tests.ops import counting_samples

ops_a.record(counting_samples, "ops_counting", __file__)
