"""Records what MindSpore answers to the samples of tests/ops/argument_samples.py, as `ops_a.py` does for its own.

Run with an interpreter that has MindSpore: `python ops_arguments.py` writes `../data/ops_arguments_<topic>.json`.
"""

from tests.conformance.record import ops_a
from tests.ops import argument_samples

ops_a.record(argument_samples, "ops_arguments", __file__)
