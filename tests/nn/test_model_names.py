"""Parameters of mindcv's models are called as in MindSpore, so that published checkpoints load."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CONFORMANCE = Path(__file__).parents[1] / "conformance"
RECORDED = json.loads((CONFORMANCE / "data/model_names.json").read_text("utf-8"))["models"]
# one of each way to nest and grow containers; MS_COMPAT_ALL_MODELS=1 builds all, which takes half an hour
SMALL = "crossvit_9 pvt_v2_b0 mobilenet_v1_025"


@pytest.mark.skipif(importlib.util.find_spec("mindcv") is None, reason="mindcv is not installed")
def test_models_have_the_recorded_parameters():
    models = [] if os.environ.get("MS_COMPAT_ALL_MODELS") else SMALL.split()
    program = str(CONFORMANCE / "record/model_names.py")
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONPATH": str(Path(__file__).parents[2])}
    out = subprocess.run([sys.executable, program, "--ours", *models], env=environment, capture_output=True, text=True)
    assert out.returncode == 0, out.stderr[-2000:]
    found = json.loads(out.stdout.strip().splitlines()[-1])
    assert found == {name: RECORDED[name] for name in models or RECORDED}
