"""Values of all kinds are arguments."""

from ms_compat import Tensor, ops
from ms_compat.rewrite import Node, SymbolTree
from tests.rewrite import nets
from tests.rewrite.helpers import NAME, VALUE, assert_same, data


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
