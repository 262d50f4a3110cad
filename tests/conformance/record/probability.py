"""Records what MindSpore answers to the samples of tests/nn/probability_samples.py, as `ops_a.py` does for its own.

Run with an interpreter that has MindSpore: `python probability.py` writes `../data/probability_<topic>.json`.
"""

from tests.conformance.record import ops_a
from tests.nn import probability_samples

ops_a.record(probability_samples, "probability", __file__)
