"""Records loss_dtypes.json: losses of Tensors of two dtypes.

The expressions are in tests/ops/function/loss/mixed_dtype_samples.py.
"""

import json
from pathlib import Path

import mindspore as ms

from tests.ops.function.loss import mixed_dtype_samples as samples

ROOT = Path(__file__).resolve().parents[3]

rows = ",\n".join(
    f"{json.dumps(expression)}: {json.dumps([samples.answer(ms, expression, dtypes) for dtypes in samples.DTYPES])}"
    for expression in samples.EXPRESSIONS
)
out = ROOT / "tests/conformance/data/loss_dtypes.json"
out.write_text(f'{{"mindspore": "{ms.__version__}", "losses": {{\n{rows}\n}}}}\n', encoding="utf-8")
