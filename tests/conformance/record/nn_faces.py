"""Records what MindSpore answers to the samples of tests/nn/layer_samples.py, as `ops_a.py` does for its own.

Run with an interpreter that has MindSpore: `python nn_faces.py` writes `../data/nn_face_<topic>.json`.
"""

from tests.conformance.record import ops_a
from tests.nn import layer_samples

ops_a.record(layer_samples, "nn_face", __file__)
