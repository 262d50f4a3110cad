"""Records what MindSpore answers to the samples of tests/ops/rare_samples.py, as `ops_a.py` does for its own.

Run with an interpreter that has MindSpore: `python ops_rare.py` writes `../data/ops_rare_<topic>.json`.
"""

from tests.conformance.record import ops_a
from tests.ops import rare_samples

ops_a.record(rare_samples, "ops_rare", __file__)
