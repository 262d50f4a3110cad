"""Statements are inserted, replaced and erased."""

import ast
import logging

import pytest

from ms_compat import nn, ops
from ms_compat.rewrite import Node, NodeType, SymbolTree, edit, symbol_tree
from tests.rewrite import nets, shapes
from tests.rewrite.helpers import NAME, VALUE, assert_close, assert_same, data, relu


def test_statements_are_inserted_replaced_and_erased(mode):
    net = nets.Chain()
    tree = SymbolTree.create(net)
    tree.insert(tree.after("first"), relu("act", "first_var", "first_var"))
    tree.insert(tree.before("second"), Node.create_call_function(ops.abs, ["x"], [NAME("x")]))
    tree.replace(tree.get_node("act"), [Node.create_call_cell(nn.Tanh(), ["x"], [NAME("first_var")], name="tanh")])
    assert [node.get_name() for node in tree.nodes()] == [
        *("input_x", "first", "act_1", "tanh", "abs", "second", "return")
    ]
    x = data(2, 4)
    made = tree.get_network()
    assert_close(made(x), net.second(ops.abs(ops.tanh(ops.relu(net.first(x))))))
    assert [node.get_name() for node in tree.get_node("tanh").get_inputs()] == ["act_1"]
    tree.erase("second")
    assert_close(tree.get_network()(x), ops.abs(ops.tanh(ops.relu(net.first(x)))))
    assert_close(made(x), net.second(ops.abs(ops.tanh(ops.relu(net.first(x))))))


def test_arguments_are_changed():
    net = nets.Chain()
    tree = SymbolTree.create(net)
    second, act = tree.get_node("second"), tree.get_node("act")
    second.set_arg_by_node(0, tree.get_node("first"))
    assert second.get_args() == [NAME("first_var")]
    x = data(2, 4)
    assert_same(tree.get_network()(x), net.second(net.first(x)))
    act.set_arg(0, "x")
    second.set_arg(0, NAME("x"))
    assert_same(tree.get_network()(x), net.second(ops.relu(x)))


def test_statements_are_inserted_everywhere(mode):
    """Into Cells, containers, loops, branches, methods and functions."""
    net = nets.Nested()
    tree = SymbolTree.create(net)
    inner = tree.get_node("block").get_sub_tree()
    inner.insert(inner.before("dense"), relu())
    named = {node.get_name(): node for node in tree.nodes(all_nodes=True)}
    tree.insert(tree.after(named["Dense"]), relu("in_row"))
    tree.insert(tree.before(named["Dense_1"]), relu("in_some"))
    tree.insert(tree.after(named["cell"]), relu("in_loop", "a", "a"))
    tree.erase(named["ReLU"])
    x, y = data(2, 4), data(2, 4, seed=2)
    made = tree.get_network()
    a = ops.add(net.block.dense(ops.relu(x)), y * 3)
    a = net.row[2](ops.relu(net.row[0](a)))
    for cell in (ops.relu, net.some[0], net.some[1]):
        a = ops.relu(cell(a))
    c = ops.add(net.block.dense(a), a * 2)  # `again` is another path to the Cell, with a tree of its own
    assert_close(made(x, y), (c, y))
    assert len(net.row) == 3 and len(net.some) == 2 and not hasattr(net.block, "new")
    assert_close(tree.get_network()(x, y), (c, y))


def test_functions_and_methods_are_changed():
    net = nets.Functions()
    tree = SymbolTree.create(net)
    by_code = {node.get_handler().text().partition(" = ")[2]: node for node in tree.nodes(all_nodes=True)}
    with pytest.raises(TypeError, match="no-method function 'shifted.*': a function outside the class"):
        tree.insert(tree.after(by_code["relu_opt(x)"]), relu())
    for place in (tree.before(by_code["relu_opt(x)"]), tree.before(by_code["x + w"])):
        tree.insert(place, Node.create_call_function(ops.neg, ["x"], [NAME("x")]))
    tree.insert(tree.before(by_code["x + w"]), relu("in_method"))
    x, y = data(2, 4), data(2, 4, seed=2)
    b = shapes.scaled(shapes.scaled((ops.relu(-x) + 1) * 0.5, y), y)
    b = ops.relu(-net.dense(b)[0:2]) + y + b * (b + 3) * 0.5
    assert_close(tree.get_network()(x, y), ops.concat((b, y), axis=-1))
    assert_close(net(x, y)[:, 4:], y)


def test_subnets_are_inserted_with_their_statements(mode):
    net, block = nets.Chain(), nets.Block()
    tree = SymbolTree.create(net)
    node = Node.create_call_cell(block, ["x", "y"], [NAME("x")], name="block", is_sub_net=True)
    assert node.get_node_type() is NodeType.Tree
    tree.insert(tree.after("act"), node)
    inner = tree.get_node("block").get_sub_tree()
    inner.erase("if_node")
    inner.get_node("binop_mult").set_arg(0, "x")
    x = data(2, 4)
    hidden = ops.relu(net.first(x))
    assert_close(tree.get_network()(x), net.second(ops.add(block.dense(hidden), hidden * 2)))


def test_positions_and_nodes_that_do_not_fit():
    tree, other = SymbolTree.create(nets.Chain()), SymbolTree.create(nets.Chain())
    node = relu()
    assert node.get_symbol_tree() is None and node.get_inputs() == [] == node.get_users()
    with pytest.raises(ValueError, match="another|not this one"):
        tree.insert(other.after("first"), node)
    with pytest.raises(ValueError, match="not this one"):
        tree.insert(tree.after(other.get_node("first")), node)
    with pytest.raises(RuntimeError, match="parameters"):
        tree.insert(tree.before("input_x"), node)
    tree.insert(tree.after("first"), node)
    with pytest.raises(ValueError, match="already"):
        tree.insert(tree.after("first"), node)
    assert node.get_symbol_tree() is not None
    tree.erase(node)
    for gone in (node, "new", "nope"):
        with pytest.raises(RuntimeError, match="does not belong"):
            tree.erase(gone)
    with pytest.raises(RuntimeError, match="parameter"):
        tree.erase("input_x")
    with pytest.raises(IndexError):
        tree.replace(tree.get_node("first"), [])


def test_new_parameters_of_construct():
    net = nets.Chain()
    tree = SymbolTree.create(net)
    tree.insert(tree.after("input_x"), Node.create_input("shift", VALUE(1.0)))
    tree.insert(tree.before("second"), Node.create_call_function(ops.add, ["x"], [NAME("x"), NAME("shift")]))
    made, x = tree.get_network(), data(2, 4)
    hidden = ops.relu(net.first(x))
    assert_same(made(x), net.second(hidden + 1.0))
    assert_same(made(x, 3.0), net.second(hidden + 3.0))
    tree.insert(tree.after("input_x"), Node.create_input("more"))  # last among the parameters, and None by default
    assert "def construct(self, x, shift=1.0, more=None):" in tree.get_code()
    assert [node.get_name() for node in tree.get_inputs()] == ["input_x", "input_more", "input_shift"]
    assert_same(tree.get_network()(x, 3.0), net.second(hidden + 3.0))


def test_a_name_is_looked_up_without_a_list_of_all_nodes(monkeypatch):
    tree = SymbolTree.create(nets.Nested()).get_handler()
    names = [node.name for node in edit.all_nodes(tree, True, False)]
    monkeypatch.setattr(edit, "all_nodes", None)
    assert [edit.by_name(tree, name).name for name in names] == names
    assert edit.by_name(tree, "none") is None


def test_definitions_without_effect_are_logged(caplog):
    tree = symbol_tree.SymbolTree(nn.ReLU(), ast.Module([], []))
    kind = ast.parse("class A:\n    def __init__(self): pass").body[0]
    with caplog.at_level(logging.DEBUG, "ms_compat"):
        tree.set_class_ast(kind)
        tree.set_init_func_ast(kind.body[0])
    assert [record.getMessage().split(" has")[0] for record in caplog.records] == [
        "SymbolTree.set_class_ast",
        "SymbolTree.set_init_func_ast",
    ]
