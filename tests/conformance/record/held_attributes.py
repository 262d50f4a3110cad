"""Records held_attributes.json: the public attributes of an instance of each public class that programs derive from.

The expressions are in tests/nn/_cell/mindspore_attribute_samples.py. An attribute is recorded as its value, or as its
type and shape.
"""

import json
from pathlib import Path

import mindspore as ms

from tests.nn._cell import mindspore_attribute_samples

ROOT = Path(__file__).resolve().parents[3]

found = {}
for expr in mindspore_attribute_samples.EXPRESSIONS:
    cell = mindspore_attribute_samples.make(expr, ms)
    known = set(dir(ms.nn.Cell())) - set(vars(ms.nn.Cell())) if isinstance(cell, ms.nn.Cell) else set(dir(object))
    names = [name for name in dir(cell) if not name.startswith("_") and name not in known]
    found[expr] = {name: mindspore_attribute_samples.told(getattr(cell, name)) for name in names}
rows = ",\n".join(f"{json.dumps(expr)}: {json.dumps(attributes)}" for expr, attributes in found.items())
out = ROOT / "tests/conformance/data/held_attributes.json"
out.write_text(f'{{"mindspore": "{ms.__version__}", "classes": {{\n{rows}\n}}}}\n', encoding="utf-8")
