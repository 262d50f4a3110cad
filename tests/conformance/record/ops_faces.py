"""Records what MindSpore answers to the samples of tests/ops/face_samples.py, as `ops_a.py` does for its own.

Run with an interpreter that has MindSpore: `python ops_faces.py` writes `../data/ops_face_<topic>.json`.
"""

from tests.conformance.record import ops_a
from tests.ops import face_samples

ops_a.record(face_samples, "ops_face", __file__)
