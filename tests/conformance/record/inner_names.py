"""Records what MindSpore answers to the samples of tests/_inner/inner_samples.py, as ops_a.py does for samples.py.

`python -m tests.conformance.record inner_names` writes `../data/inner_<topic>.json`.
"""

from tests._inner import inner_samples
from tests.conformance.record import ops_a

if __name__ == "__main__":
    ops_a.record(inner_samples, "inner", __file__)
