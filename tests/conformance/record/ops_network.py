"""Record what MindSpore answers to the samples of tests/ops/network_samples.py, as ops_a.py does for samples.py.

Run with an interpreter that has MindSpore: `python ops_network.py` writes `../data/ops_network_<topic>.json`.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "ops")]
import network_samples  # noqa: E402
import ops_a  # noqa: E402

if __name__ == "__main__":
    ops_a.record(network_samples, "ops_network", __file__)
