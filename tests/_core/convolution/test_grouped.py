"""Convolutions in groups as other programs: equal to XLA's own, whatever transforms them."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests._core.convolution.values import CASES

ROOT = Path(__file__).parents[3]
KEPT = {"depthwise, a large kernel", "many groups", "many groups, dilated"}  # some of whose convolutions are XLA's


def test_values_are_xlas_for_every_transformation():
    """In a process of its own: another lowering of JAX's primitive stays for the life of a process."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests._core.convolution.values", "groups"],
        cwd=ROOT,
        env={**os.environ, "MS_COMPAT_ONEDNN": "0", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    for name, (error, same, calls, left) in told["differences"].items():
        assert error < 1e-5, name
        assert same, name
        assert calls == 0, name
        assert (left > 0) == (name in KEPT), name
    assert len(told["differences"]) == len(CASES)
    assert told["left"] == dict.fromkeys(("bfloat16", "float16", "two devices", "exported"), [0, 1])
