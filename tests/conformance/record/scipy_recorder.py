"""Records what MindSpore answers to the samples of tests/scipy/scipy_samples.py, as `ops_a.py` does for its own.

Run with an interpreter that has MindSpore: `python scipy_recorder.py` writes `../data/scipy_<topic>.json`.
"""

from tests.conformance.record import ops_a
from tests.scipy import scipy_samples

ops_a.record(scipy_samples, "scipy", __file__)
