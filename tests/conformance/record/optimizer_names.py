"""Records optimizer_names.json: what the Parameters of optimizers and training Cells are called, as hashes."""

import json
from pathlib import Path

import mindspore as ms

from tests.nn import optim_names

ROOT = Path(__file__).resolve().parents[3]

rows = ",\n".join(f"{json.dumps(case)}: {json.dumps(optim_names.told(case, ms))}" for case in optim_names.CASES)
out = ROOT / "tests/conformance/data/optimizer_names.json"
out.write_text(f'{{"mindspore": "{ms.__version__}", "cases": {{\n{rows}\n}}}}\n', encoding="utf-8")
