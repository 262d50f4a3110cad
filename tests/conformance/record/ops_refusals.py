"""Records what MindSpore answers to the samples of tests/ops/refusal_samples.py, as `ops_a.py` does for its own.

Run with an interpreter that has MindSpore: `python ops_refusals.py` writes `../data/ops_refused_<topic>.json`.
"""

from tests.conformance.record import ops_a
from tests.ops import refusal_samples

if __name__ == "__main__":
    ops_a.record(refusal_samples, "ops_refused", __file__)
