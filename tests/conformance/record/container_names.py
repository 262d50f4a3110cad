"""Records container_names.json: what Parameters in containers are called after each step of drawn programs.

As one hash per step, so that the file stays small; the last step of the first programs stands there in full.
Programs in which MindSpore raises IndexError are left out: it looks for a key in a name that has too few parts.
"""

import hashlib
import json
from pathlib import Path

import mindspore as ms

from tests.nn import container_programs

ROOT = Path(__file__).resolve().parents[3]


def digest(told):
    return told if isinstance(told, str) else hashlib.sha256("\n".join(told).encode()).hexdigest()[:8]


cases = {}
for seed in range(240):
    told = container_programs.names(seed, ms)
    if told[-1] != "IndexError":
        cases[seed] = {"steps": [digest(step) for step in told], **({"last": told[-1]} if len(cases) < 8 else {})}
head = {"mindspore": ms.__version__, "programs": cases}
out = ROOT / "tests/conformance/data/container_names.json"
out.write_text(json.dumps(head) + "\n", encoding="utf-8")
