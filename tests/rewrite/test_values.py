"""Values of all kinds are arguments."""

import sys

from ms_compat import Tensor, ops
from ms_compat.rewrite import Node, SymbolTree
from tests.rewrite import nets
from tests.rewrite.helpers import NAME, VALUE, assert_same, data


def test_a_network_of_changed_code_of_the_same_length_is_new(monkeypatch, tmp_path):
    """Python's bytecode of the former file would do for the new one, by its length and second."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    tree = SymbolTree.create(nets.Chain())
    x = data(2, 4)
    first = tree.get_network()(x)
    tree.insert(tree.after("act"), Node.create_call_function(ops.mul, ["s"], [NAME("x"), VALUE(2.0)]))
    hidden = ops.relu(tree.get_origin_network().first(x))
    for output, expected in (("s", hidden * 2), ("x", first), ("s", hidden * 2)):
        tree.set_output(0, output)
        assert_same(tree.get_network()(x), expected)


def test_values_of_all_kinds_are_arguments():
    """Constants, containers and objects that no text makes."""

    net = nets.Odd()
    tree = SymbolTree.create(nets.Chain())
    scale = Tensor([2.0, 0.0, 1.0, 1.0])
    args = [NAME("x"), VALUE(scale)]
    tree.insert(tree.after("act"), Node.create_call_function(ops.mul, ["x"], args))
    tree.insert(
        tree.after("act"),
        Node.create_call_function(ops.sum, ["s"], [NAME("x"), VALUE((0, 1))], {"keepdim": VALUE(True)}),
    )
    tree.set_output(0, "s")
    x = data(2, 4)
    hidden = ops.relu(tree.get_origin_network().first(x))
    assert_same(tree.get_network()(x), ops.sum(hidden, (0, 1), keepdim=True))
    tree.set_output(0, "x")
    assert_same(tree.get_network()(x), tree.get_origin_network().second(hidden * scale))
    assert net.weight.name == "weight"
