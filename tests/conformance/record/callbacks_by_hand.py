"""Records callbacks_by_hand.json: what MindSpore's callbacks do when a program calls their hooks itself.

The cases are in tests/train/callback/by_hand_samples.py.
"""

import json
from pathlib import Path

import mindspore as ms

from tests.train.callback import by_hand_samples

ROOT = Path(__file__).resolve().parents[3]
rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(by_hand_samples.run(ms, name))}" for name in by_hand_samples.CASES)
out = ROOT / "tests/conformance/data/callbacks_by_hand.json"
out.write_text(f'{{"mindspore": "{ms.__version__}", "cases": {{\n{rows}\n}}}}\n', encoding="utf-8")
