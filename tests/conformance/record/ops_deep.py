"""Records what MindSpore answers to the samples of tests/ops/deep_samples.py, as `ops_a.py` does for its own.

Run with an interpreter that has MindSpore: `python ops_deep.py` writes `../data/ops_deep_<topic>.json`.
"""

from tests.conformance.record import ops_a
from tests.ops import deep_samples

ops_a.record(deep_samples, "ops_deep", __file__)
