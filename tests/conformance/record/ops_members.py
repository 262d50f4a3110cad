"""Record what MindSpore answers to the samples of tests/ops/member_samples.py, as `ops_a.py` does for its own.

Run with an interpreter that has MindSpore: `python ops_members.py` writes `../data/ops_member_<topic>.json`.
"""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]
import ops_a  # noqa: E402, I001 - it adds the folder of the samples to the path
import member_samples  # noqa: E402

ops_a.record(member_samples, "ops_member", __file__)
