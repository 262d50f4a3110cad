"""Networks are read, changed and made again: the nodes are MindSpore's, the results those of the network before."""

import json
import re

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from ms_compat.rewrite import Node, NodeType, ScopedValue, SymbolTree
from tests.rewrite import nets, record, shapes

NAME = ScopedValue.create_naming_value
VALUE = ScopedValue.create_variable_value


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Generated modules are written to the working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def data(*shape, seed=1):
    return Tensor(np.random.default_rng(seed).normal(size=shape).astype(np.float32))


INPUTS = {
    "Chain": [data(2, 4)],
    "Nested": [data(2, 4), data(2, 4, seed=2)],
    "Branches": [data(2, 4)],
    "Functions": [data(2, 4), data(2, 4, seed=2)],
    "Expressions": [data(2, 4), data(2, 4, seed=2)],
    "Parent": [data(2, 4)],
    "Child": [data(2, 4)],
    "Heir": [data(2, 4)],
    "Odd": [data(2, 4), data(2, 4, seed=2)],
    "closing": [data(2, 4)],
}


def flat(value):
    return [part for item in value for part in flat(item)] if isinstance(value, tuple) else [value.asnumpy()]


def assert_same(found, expected):
    found, expected = flat(found), flat(expected)
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


def assert_close(found, expected):
    """For results that are computed together in one way and one by one in another."""
    for a, b in zip(flat(found), flat(expected), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", record.NETS)
def test_the_nodes_are_those_of_mindspore(name):
    """MindSpore counts the `return`s of its own functions, too, and numbers functions through the process."""
    expected = json.loads(record.FILE.read_text("utf-8"))["nets"][name]
    tree = SymbolTree.create(getattr(nets, name)())

    def plain(value):
        return json.loads(re.sub(r"(scaled_opt|shifted|return)_\d+", r"\1", json.dumps(value)))

    assert plain(record.rows(tree)) == plain(expected["rows"])
    assert plain(record.construct(tree)) == plain(expected["construct"])


@pytest.mark.parametrize("name", INPUTS)
def test_an_unchanged_network_computes_the_same(name, mode):
    net = getattr(nets, name)()
    expected = net(*INPUTS[name])
    made = SymbolTree.create(net).get_network()
    assert type(made) is not type(net) and isinstance(made, type(net))
    assert_same(made(*INPUTS[name]), expected)
    assert [p.name for p in made.get_parameters()] == [p.name for p in net.get_parameters()]
    assert {id(p) for p in made.get_parameters()} == {id(p) for p in net.get_parameters()}
    assert_same(net(*INPUTS[name]), expected)  # the first network is not changed


def test_an_inherited_construct_has_nodes():
    tree = SymbolTree.create(nets.Heir())
    assert [node.get_name() for node in tree.nodes()] == ["input_x", "above", "binop_add", "return"]


def relu(name="new", target="x", argument="x"):
    return Node.create_call_cell(nn.ReLU(), [target], [NAME(argument)], name=name)


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
    with pytest.raises(ms.UnsupportedError, match="outside the class"):
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


def test_branches_that_are_known_are_merged(mode):
    net = nets.Branches()
    tree = SymbolTree.create(net)
    expected = net(data(2, 4))
    tree.flatten_static_if_control_flow()
    kinds = [node.get_name() for node in tree.nodes()]
    assert kinds[:5] == ["input_x", "input_flag", "boolop_and", "dense", "act"] and "if_node_1" in kinds
    assert_same(tree.get_network()(data(2, 4)), expected)


@pytest.mark.parametrize("name", ["Chain", "Nested", "Functions"])
def test_a_changed_network_trains_saves_and_exports(name, mode):
    net = getattr(nets, name)()
    tree = SymbolTree.create(net)
    last = list(tree.nodes())[-1]
    target = str(last.get_args()[0])
    if name != "Nested":
        node = Node.create_call_cell(nn.Dense(4 if name == "Chain" else 8, 1), [target], [NAME(target)], name="head")
        tree.insert(tree.before(last), node)
    made = tree.get_network()
    inputs = INPUTS[name]

    def loss(*args):
        out = made(*args)
        return sum((part**2).mean() for part in (out if isinstance(out, tuple) else (out,)))

    optimizer = nn.SGD(made.trainable_params(), 1e-4)
    step = ms.value_and_grad(loss, None, optimizer.parameters)
    values = []
    for _ in range(4):
        value, gradients = step(*inputs)
        optimizer(gradients)
        values.append(float(value))
    assert values[-1] < values[0]
    ms.save_checkpoint(made, "net.ckpt")
    fresh = SymbolTree.create(getattr(nets, name)())
    if name != "Nested":
        last = list(fresh.nodes())[-1]
        node = Node.create_call_cell(nn.Dense(4 if name == "Chain" else 8, 1), [target], [NAME(target)], name="head")
        fresh.insert(fresh.before(last), node)
    fresh = fresh.get_network()
    missing, unexpected = ms.load_param_into_net(fresh, ms.load_checkpoint("net.ckpt"))
    assert missing == [] and unexpected == []
    assert_same(fresh(*inputs), made(*inputs))
    ms.export(made, *inputs, file_name="net", file_format="MINDIR")
    again = nn.GraphCell(ms.load("net.mindir"))
    assert_close(again(*inputs), made(*inputs))


def test_new_names_are_unique():
    tree = SymbolTree.create(nets.Chain())
    assert [tree.unique_name() for _ in range(3)] == ["output", "output_1", "output_2"]
    assert [tree.unique_name(name) for name in ("x", "first", "first_var")] == ["x_1", "first", "first_var_1"]


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


def test_new_parameters_of_construct():
    net = nets.Chain()
    tree = SymbolTree.create(net)
    tree.insert(tree.after("input_x"), Node.create_input("shift", VALUE(1.0)))
    tree.insert(tree.before("second"), Node.create_call_function(ops.add, ["x"], [NAME("x"), NAME("shift")]))
    made, x = tree.get_network(), data(2, 4)
    hidden = ops.relu(net.first(x))
    assert_same(made(x), net.second(hidden + 1.0))
    assert_same(made(x, 3.0), net.second(hidden + 3.0))
    with pytest.raises(RuntimeError, match="defaults come last"):
        tree.insert(tree.after("input_shift"), Node.create_input("more"))


def test_the_table_names_providers_and_users(capsys):
    SymbolTree.create(nets.Chain()).print_node_tabulate()
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split() == ["node", "type", "name", "codes", "arg", "providers", "target", "users"]
    assert re.split(r"\s{2,}", lines[5]) == [
        *("NodeType.CallCell", "first", "first_var = self.first(x)", "[[0, ('input_x', 0)]]", "[[0, [('act', 0)]]]")
    ]
    SymbolTree.create(nets.Nested()).print_node_tabulate(all_nodes=True)
    out = capsys.readouterr().out
    titles = re.findall(r"^\[(\w+?)Opt(?:_\d+)?(.*)\]$", out, re.M)
    assert titles == [("Nested", part) for part in ("", ".row", ".self.some", ".for_node")] + [
        *(("Block", ""), ("Block", ".if_node"), ("Block", ""), ("Block", ".if_node"), ("Inner", ""), ("Inner", ""))
    ]


def test_a_function_that_rebinds_a_global_name_is_refused():
    namespace = SymbolTree.create(Counting())
    assert [node.get_name() for node in namespace.nodes()] == ["input_x", "counted", "return"]
    with pytest.raises(SyntaxError, match="global"):
        SymbolTree.create(Rebinding())


calls = 0


def counted(x):
    global calls
    calls += 1
    return x


class Counting(nn.Cell):
    def construct(self, x):
        x = counted(x)
        return x


class Rebinding(nn.Cell):
    def construct(self, x):
        global calls
        calls += 1
        return x
