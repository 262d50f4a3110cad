"""Records cell_hooks.json: Cells with several hooks, and with hooks beside a `bprop` method, in both modes.

The Cells are in tests/nn/_cell/hook_samples.py.
"""

import json
from pathlib import Path

import mindspore as ms

from tests.nn._cell import hook_samples

modes = []
for name, mode in (("pynative", ms.PYNATIVE_MODE), ("graph", ms.GRAPH_MODE)):
    ms.set_context(mode=mode)
    rows = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in hook_samples.answers(ms).items())
    modes.append(f'"{name}": {{\n{rows}\n}}')
out = Path(__file__).resolve().parents[3] / "tests/conformance/data/cell_hooks.json"
out.write_text(f'{{"mindspore": "{ms.__version__}",\n{", ".join(modes)}}}\n', encoding="utf-8")
