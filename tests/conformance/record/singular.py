"""Records what MindSpore answers to the samples of tests/ops/function/linalg/singular_samples.py.

`python -m tests.conformance.record singular` writes `../data/matrices_singular.json`.
"""

from tests.conformance.record import ops_a
from tests.ops.function.linalg import singular_samples

ops_a.record(singular_samples, "matrices", __file__)
