"""Records control_flow.json: the programs of control_flow_programs.py as MindSpore runs and compiles them."""

import ast

from tests.conformance.record.nn_recorder import HERE, Recorder

SOURCE = (HERE.parents[2] / "_compile" / "control_flow_programs.py").read_text(encoding="utf-8")
# the imports are the namespace of every case
PRELUDE = "\n".join(line for line in SOURCE.splitlines() if not line.startswith(("import ", "from ")))
TREE = ast.parse(SOURCE)

rec = Recorder(__file__, "control_flow.json", "Python control flow on tensors, eagerly and compiled.", PRELUDE)

NAMED = {node.targets[0].id: node.value for node in TREE.body if isinstance(node, ast.Assign)}


def count(calls):
    """How many argument tuples a list, a name of one, or a comprehension over literals holds."""
    if isinstance(calls, ast.Name):
        return count(NAMED[calls.id])
    if isinstance(calls, ast.ListComp):
        lengths = [len(generator.iter.elts) for generator in calls.generators]
        return lengths[0] if len(lengths) == 1 else lengths[0] * lengths[1]
    return len(calls.elts)


def table(name):
    return {key.value: count(value.elts[1]) for key, value in zip(NAMED[name].keys, NAMED[name].values, strict=True)}


for name, calls in table("PROGRAMS").items():
    for index in range(calls):
        call = f"PROGRAMS[{name!r}][1][{index}]"
        rec.case(f"{name}-{index}", f"PROGRAMS[{name!r}][0](*{call})", modes=("pynative",))
        rec.case(f"{name}-{index}-jit", f"ms.jit(PROGRAMS[{name!r}][0])(*{call})", modes=("pynative",))
for name, calls in table("CELLS").items():
    for index in range(calls):
        call = f"CELLS[{name!r}][1][{index}]"
        rec.case(f"{name}-{index}", f"CELLS[{name!r}][0]()(*{call})")

rec.write()
