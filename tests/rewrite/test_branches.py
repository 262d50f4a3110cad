"""Branches that are known are merged."""

from ms_compat.rewrite import SymbolTree
from tests.rewrite import nets
from tests.rewrite.helpers import assert_same, data


def test_branches_that_are_known_are_merged(mode):
    net = nets.Branches()
    tree = SymbolTree.create(net)
    expected = net(data(2, 4))
    tree.flatten_static_if_control_flow()
    kinds = [node.get_name() for node in tree.nodes()]
    assert kinds[:5] == ["input_x", "input_flag", "boolop_and", "dense_2", "act_1"] and "if_node_1" in kinds
    assert_same(tree.get_network()(data(2, 4)), expected)
