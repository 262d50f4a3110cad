"""Record what MindSpore answers to the samples of tests/nn/layer_samples.py, as `ops_a.py` does for its own.

Run with an interpreter that has MindSpore: `python nn_faces.py` writes `../data/nn_face_<topic>.json`.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "nn")]
import layer_samples  # noqa: E402
import ops_a  # noqa: E402

ops_a.record(layer_samples, "nn_face", __file__)
