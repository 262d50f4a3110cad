"""Records what MindSpore answers to the samples of tests/ops/more_samples.py, as `ops_a.py` does for its own.

Run with an interpreter that has MindSpore: `python ops_more.py` writes `../data/ops_more_<topic>.json`.
"""

from tests.conformance.record import ops_a
from tests.ops import more_samples

ops_a.record(more_samples, "ops_more", __file__)
