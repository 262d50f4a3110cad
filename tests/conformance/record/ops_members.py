"""Records what MindSpore answers to the samples of tests/ops/member_samples.py, as `ops_a.py` does for its own.

Run with an interpreter that has MindSpore: `python ops_members.py` writes `../data/ops_member_<topic>.json`.
"""

from tests.conformance.record import ops_a
from tests.ops import member_samples

ops_a.record(member_samples, "ops_member", __file__)
