"""Records class_homes.json: under which module MindSpore's public classes show themselves.

For each public module, {home: the names of its classes that say they are from there}; a name is followed by "=" and the
class's own where they differ.
"""

import importlib
import inspect
import json
from collections import defaultdict
from pathlib import Path

import mindspore

ROOT = Path(__file__).resolve().parents[3]
MODULES = (
    "amp boost common common.initializer communication dataset dataset.audio dataset.audio.transforms dataset.engine "
    "dataset.text dataset.text.transforms dataset.text.utils dataset.transforms dataset.utils dataset.vision "
    "dataset.vision.transforms dataset.vision.utils experimental.optim experimental.optim.lr_scheduler hal mindrecord "
    "mint.nn mint.optim nn nn.learning_rate_schedule nn.optim nn.probability.bijector nn.probability.distribution "
    "nn.wrap ops ops.composite ops.operations parallel profiler train train.callback train.metrics"
)


def homes(path: str) -> dict[str, str]:
    """The public classes of a module by the modules that they name."""
    found = defaultdict(list)
    for name, value in sorted(vars(importlib.import_module(path)).items()):
        if not name.startswith("_") and inspect.isclass(value) and value.__module__.startswith("mindspore"):
            found[value.__module__].append(name if name == value.__qualname__ else f"{name}={value.__qualname__}")
    return {home: " ".join(names) for home, names in sorted(found.items())}


recorded = {path: homes(path) for path in ["mindspore", *(f"mindspore.{name}" for name in MODULES.split())]}
rows = ",\n".join(f"{json.dumps(path)}: {json.dumps(found)}" for path, found in recorded.items())
out = ROOT / "tests/conformance/data/class_homes.json"
out.write_text(f'{{"mindspore": "{mindspore.__version__}", "modules": {{\n{rows}\n}}}}\n', encoding="utf-8")
