"""Record the nodes that MindSpore finds in `nets.py`, and what the programs of `programs/` find in MindSpore.

Run `python -m tests.rewrite.record` with MindSpore installed. A row of `nodes.json` is [name, type, arguments,
keywords, targets, inputs, users] of a node of `construct`.
"""

import json
import pathlib

from tests.rewrite import nets
from tests.rewrite.either import facts

FILE = pathlib.Path(__file__).with_name("nodes.json")
PROGRAMS = pathlib.Path(__file__).with_name("programs.json")
# The networks whose nodes are compared. MindSpore also parses its own functions, of which ours have no source, and not
# what a class inherits.
NETS = {
    "Chain": nets.Chain,
    "Nested": nets.Nested,
    "Branches": nets.Branches,
    "Functions": nets.Functions,
    "Expressions": nets.Expressions,
    "closing": nets.closing,
}


def rows(tree):
    """What a SymbolTree says of its nodes."""
    return [facts(node) for node in tree.nodes()]


def construct(tree):
    """The text of the outermost class's `construct`."""
    return tree.get_code().rpartition("def construct")[2].rstrip("#\n")


if __name__ == "__main__":
    import mindspore
    from mindspore.rewrite import SymbolTree

    found = {}
    for name, make in NETS.items():
        tree = SymbolTree.create(make())
        found[name] = {"rows": rows(tree), "construct": construct(tree)}
    FILE.write_text(json.dumps({"mindspore": mindspore.__version__, "nets": found}, indent=0) + "\n", "utf-8")

    from mindspore.rewrite.common.namer import ClassNamer, FunctionNamer

    from tests.rewrite.programs import programs

    returned = {}
    for name, program in programs().items():
        for namer in (ClassNamer, FunctionNamer):  # which number through the process
            namer._instance = namer()
        returned[name] = program()
    text = ",\n".join(f'"{name}": {json.dumps(value)}' for name, value in returned.items())
    PROGRAMS.write_text("{\n" + text + "\n}\n", "utf-8")
