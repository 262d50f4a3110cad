"""Records what MindSpore answers to the samples of tests/ops/network_samples.py, as ops_a.py does for samples.py.

Run with an interpreter that has MindSpore: `python ops_network.py` writes `../data/ops_network_<topic>.json`.
"""

from tests.conformance.record import ops_a
from tests.ops import network_samples

if __name__ == "__main__":
    ops_a.record(network_samples, "ops_network", __file__)
