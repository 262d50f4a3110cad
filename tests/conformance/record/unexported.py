"""Records what MindSpore answers to the samples of tests/_inner/unexported_samples.py.

`python -m tests.conformance.record unexported` writes `../data/unexported_<topic>.json`.
"""

from tests._inner import unexported_samples
from tests.conformance.record import ops_a

if __name__ == "__main__":
    ops_a.record(unexported_samples, "unexported", __file__)
