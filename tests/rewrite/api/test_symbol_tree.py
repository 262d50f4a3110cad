"""Names and errors of the public classes."""

import pytest

from ms_compat import nn
from ms_compat.rewrite import Node, ScopedValue, SymbolTree
from tests.rewrite import nets
from tests.rewrite.helpers import NAME, relu


def test_new_names_are_unique():
    tree = SymbolTree.create(nets.Chain())
    assert [tree.unique_name() for _ in range(3)] == ["output", "output_1", "output_2"]
    assert [tree.unique_name(name) for name in ("x", "first", "first_var")] == ["x_1", "first", "first_var_1"]


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (TypeError, lambda tree: SymbolTree.create(3)),
        (TypeError, lambda tree: SymbolTree.create(nn.ReLU)),
        (OSError, lambda tree: SymbolTree.create(type("NoSource", (nn.Cell,), {"construct": lambda self, x: x})())),
        (TypeError, lambda tree: SymbolTree(3)),
        (TypeError, lambda tree: tree.get_node(3)),
        (TypeError, lambda tree: tree.insert(3, relu())),
        (TypeError, lambda tree: tree.insert(tree.after("first"), 3)),
        (TypeError, lambda tree: list(tree.nodes(3))),
        (TypeError, lambda tree: tree.erase(3)),
        (TypeError, lambda tree: tree.before(3)),
        (RuntimeError, lambda tree: tree.after("nope")),
        (TypeError, lambda tree: tree.replace("first", [relu()])),
        (TypeError, lambda tree: tree.replace(tree.get_node("first"), relu())),
        (TypeError, lambda tree: tree.print_node_tabulate(3)),
        (TypeError, lambda tree: tree.unique_name(3)),
        (TypeError, lambda tree: Node.create_call_cell(3, ["x"])),
        (TypeError, lambda tree: Node.create_call_cell(nn.ReLU(), "x")),
        (TypeError, lambda tree: Node.create_call_cell(nn.ReLU(), [3])),
        (TypeError, lambda tree: Node.create_call_cell(nn.ReLU(), ["x"], ["x"])),
        (TypeError, lambda tree: Node.create_call_cell(nn.ReLU(), ["x"], None, {"input": 3})),
        (RuntimeError, lambda tree: Node.create_call_cell(nn.ReLU(), ["x"], [NAME("x"), NAME("y")])),
        (TypeError, lambda tree: Node.create_call_function(3, ["x"])),
        (TypeError, lambda tree: Node.create_call_function(nn.ReLU(), ["x"])),
        (TypeError, lambda tree: tree.get_node("first").get_sub_tree()),
        (TypeError, lambda tree: tree.get_node("first").set_arg("0", "x")),
        (TypeError, lambda tree: tree.get_node("first").set_arg(0, 3)),
        (ValueError, lambda tree: tree.get_node("first").set_arg(1, "x")),
        (ValueError, lambda tree: tree.get_node("first").set_arg(-1, "x")),
        (TypeError, lambda tree: tree.get_node("first").set_arg_by_node(0, "x")),
        (ValueError, lambda tree: tree.get_node("second").set_arg_by_node(0, tree.get_node("first"), 3)),
        (ValueError, lambda tree: tree.set_output(1, "x")),
        (TypeError, lambda tree: ScopedValue(3)),
        (TypeError, lambda tree: NAME(3)),
        (TypeError, lambda tree: ScopedValue.create_name_values("x")),
        (TypeError, lambda tree: ScopedValue.create_name_values([3])),
        (ValueError, lambda tree: ScopedValue.create_name_values(["x"], ["a", "b"])),
    ],
)
def test_errors_are_of_mindspores_classes(error, call):
    with pytest.raises(error):
        call(SymbolTree.create(nets.Chain()))
