"""Makes the tables of `ms_compat/_names` from two lists of MindSpore's names and from the names of its files.

Run: `python -m tests.conformance.record census census.csv legacy.csv site-packages/mindspore`. The first list has the
columns name, module and kind, a row for each public name of MindSpore 2.10; the second has name and maps_to_in_2_10, a
row for each earlier name. Of the package only the paths of its modules are read.
"""

import collections
import csv
import pathlib
import re
import sys

TARGET = pathlib.Path(__file__).resolve().parents[3] / "ms_compat" / "_names"
HEAD = "# Made by tests/conformance/record/census.py from MindSpore 2.10.0; not written by hand.\n"

# Inner packages that scripts import from, and the public module that has their names. The longest row wins; a row that
# maps to nothing ends the search.
ROWS = """
    mindspore.common                        mindspore
    mindspore.common.dynamic_shape          -
    mindspore.communication.management      mindspore.communication
    mindspore.dataset.core.config           mindspore.dataset.config
    mindspore.dataset.engine                mindspore.dataset
    mindspore.dataset.transforms            mindspore.dataset.transforms
    mindspore.dataset.vision                mindspore.dataset.vision
    mindspore.dataset.text                  mindspore.dataset.text
    mindspore.dataset.audio                 mindspore.dataset.audio
    mindspore.experimental.optim            mindspore.experimental.optim
    mindspore.experimental.optim.lr_scheduler  -
    mindspore.mint.nn.layer                 mindspore.mint.nn
    mindspore.mint.optim                    mindspore.mint.optim
    mindspore.nn                            mindspore.nn
    mindspore.nn.metrics                    mindspore.train
    mindspore.nn.probability                -
    mindspore.nn.sparse                     -
    mindspore.nn.utils                      -
    mindspore.numpy                         mindspore.numpy
    mindspore.ops                           mindspore.ops
    mindspore.ops.op_info_register          -
    mindspore.ops.signature                 -
    mindspore.ops.tensor_method             -
    mindspore.parallel.algo_parameter_config  mindspore.parallel
    mindspore.train                         mindspore.train
    mindspore.train.amp                     mindspore.amp
    mindspore.train.data_sink               mindspore
    mindspore.train.dataset_helper          mindspore
    mindspore.train.loss_scale_manager      mindspore.amp
    mindspore.train.serialization           mindspore
    mindspore.train.summary                 mindspore
    mindspore.train.train_thor              -
"""
EARLIER = {
    "mindspore.dataset.transforms.c_transforms": "mindspore.dataset.transforms",
    "mindspore.dataset.vision.c_transforms": "mindspore.dataset.vision",
    "mindspore.nn.loss.loss": "mindspore.nn",
    "mindspore.train.callback._callback": "mindspore.train",
    "mindspore.train.callback._checkpoint": "mindspore.train",
    "mindspore.train.callback._loss_monitor": "mindspore.train",
    "mindspore.train.callback._time_monitor": "mindspore.train",
}


def modules(package):
    """Writes a line an inner module: its path, then the public module."""
    rows = dict(row.split() for row in ROWS.strip().splitlines())
    table = dict(EARLIER)
    for file in pathlib.Path(package).rglob("*.py"):
        parts = ("mindspore", *file.relative_to(package).with_suffix("").parts)
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        if any(part.startswith("_") or part.endswith("_pb2") for part in parts):
            continue
        prefix = parts
        while prefix and ".".join(prefix) not in rows:
            prefix = prefix[:-1]
        public = rows.get(".".join(prefix), "-")
        if public not in ("-", ".".join(parts)):
            table[".".join(parts)] = public
    lines = [HEAD + "# Inner module, then the public module that has its names."]
    lines += [f"{inner} {public}" for inner, public in sorted(table.items())]
    (TARGET / "modules.txt").write_text("\n".join(lines) + "\n")


def census(path):
    """Writes a section a module, and in it a line a kind: the kind, a colon, the names."""
    modules = collections.defaultdict(lambda: collections.defaultdict(set))
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            kind = row["kind"].split(":")[0]
            modules[row["module"]][kind].add(row["name"])
    lines = [HEAD + "# [module], then 'kind: names'."]
    for module, kinds in sorted(modules.items()):
        lines.append(f"[{module}]")
        lines += [f"{kind}: {' '.join(sorted(names))}" for kind, names in sorted(kinds.items())]
    (TARGET / "api_index.txt").write_text("\n".join(lines) + "\n")


def renamed(path):
    """Writes a line a name of an earlier version that has a successor: the name, then the successor."""
    lines = [HEAD + "# Earlier name, then today's."]
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            today = row["maps_to_in_2_10"].strip()
            if today.startswith("(") or "private" in today or not row["name"].startswith("mindspore."):
                continue
            names = re.findall(r"mindspore[\w.]*(?:\([^)]*\))?", today)
            if names:
                lines.append(f"{row['name']} {' or '.join(names)}")
    (TARGET / "renamed.txt").write_text("\n".join(sorted(lines)) + "\n")


if __name__ == "__main__":
    census(sys.argv[1])
    renamed(sys.argv[2])
    modules(sys.argv[3])
