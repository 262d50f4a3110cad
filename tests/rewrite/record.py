"""Record the nodes that MindSpore finds in `nets.py`: run `python -m tests.rewrite.record` with MindSpore installed.

A row is [name, type, arguments, keywords, targets, inputs, users] of a node of `construct`.
"""

import json
import pathlib

from tests.rewrite import nets

FILE = pathlib.Path(__file__).with_name("nodes.json")
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
    return [
        [
            node.get_name(),
            node.get_node_type().name,
            str(node.get_args()),
            str(node.get_kwargs()),
            str(node.get_targets()),
            [other.get_name() for other in node.get_inputs()],
            [other.get_name() for other in node.get_users()],
        ]
        for node in tree.nodes()
    ]


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
