"""Networks made of nodes compute, train, save and export."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import nn, ops
from ms_compat.interop.jax import export as to_stablehlo
from ms_compat.rewrite import Node, SymbolTree
from tests.rewrite import nets
from tests.rewrite.helpers import INPUTS, NAME, assert_close, assert_same, relu
from tests.rewrite.programs import containers, texts
from tests.rewrite.programs.places import clash, imports


@pytest.mark.parametrize("name", INPUTS)
def test_an_unchanged_network_computes_the_same(name, mode):
    net = getattr(nets, name)()
    expected = net(*INPUTS[name])
    made = SymbolTree.create(net).get_network()
    assert type(made) is not type(net) and isinstance(made, type(net))
    assert_close(made(*INPUTS[name]), expected)  # in PYNATIVE_MODE some Cells are computed together after a while
    assert [p.name for p in made.get_parameters()] == [p.name for p in net.get_parameters()]
    assert {id(p) for p in made.get_parameters()} == {id(p) for p in net.get_parameters()}
    assert_close(net(*INPUTS[name]), expected)  # the first network is not changed


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


def test_a_changed_network_is_written_for_others(mode):
    """As StableHLO, which JAX alone runs, and as ONNX."""
    pytest.importorskip("flatbuffers", reason="flatbuffers is not installed")
    ort = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    tree = SymbolTree.create(nets.Chain())
    head = Node.create_call_cell(nn.Dense(4, 4), ["x"], [NAME("first_var")], name="head")
    tree.insert(tree.before("act"), head)
    tree.get_node("act").set_arg(0, "x")
    made = tree.get_network()
    x = INPUTS["Chain"][0]
    exported = to_stablehlo(made, x, platforms=["cpu"])
    weights = {parameter.name: parameter.asnumpy() for parameter in made.get_parameters()}
    assert "head.weight" in weights
    assert_close(ms.Tensor(np.asarray(exported.call(weights, x.asnumpy()))), made(x))
    ms.export(made, x, file_name="net", file_format="ONNX")
    session = ort.InferenceSession("net.onnx", providers=["CPUExecutionProvider"])
    assert_close(ms.Tensor(session.run(None, {session.get_inputs()[0].name: x.asnumpy()})[0]), made(x))


def test_names_that_clash_are_numbered(mode):
    net = clash.Clashing()
    tree = SymbolTree.create(net)
    assert "other = Tensor_1()" in tree.get_code()
    x = ms.Tensor([[-3.0, 2.0]])
    assert_same(tree.get_network()(x), net(x))


def test_a_list_of_cells_is_changed_in_the_copy_only(mode):
    net = containers.Shelf(plain=True)
    tree = SymbolTree.create(net)
    unit = tree.get_node("Unit").get_sub_tree()
    unit.insert(unit.after("first"), relu("fresh", "out", "out"))
    tree.erase("ReLU_1")
    made, x = tree.get_network(), ms.Tensor([[-3.0, 2.0]])
    assert len(net.boards) == 4 and len(made.boards) == 3
    assert not hasattr(net.boards[3], "fresh") and hasattr(made.boards[2], "fresh")
    hidden = ops.relu(net.start(x))
    kept = net.boards[3].skip(hidden)
    assert_close(made(x), ops.relu(ops.relu(ops.relu(net.boards[3].first(hidden))) + kept))


def test_erased_cells_are_gone_from_their_container(mode):
    net = containers.Tower()
    tree = SymbolTree.create(net)
    tree.erase("Unit")
    tree.replace(tree.get_node("Unit_1"), [relu("fresh", "x", "x")])
    made, x = tree.get_network(), ms.Tensor([[-3.0, 2.0]])
    start = ops.square(net.start(x))
    kinds = [type(cell).__name__.partition("_")[0] for cell in made.row]
    assert kinds == ["ReLU", "UnitOpt", "ReLU", "Sigmoid"]
    assert_close(made(x), ops.sigmoid(net.start(net.row[2](ops.relu(start)))))


def test_a_changed_call_decides_where_a_cell_is_called_twice(mode):
    """MindSpore takes the class of the last call, so that a change of the first one is lost."""
    net = texts.Trunk(texts.Branch())
    tree = SymbolTree.create(net)
    first = tree.get_node("branch1").get_sub_tree()
    first.erase("act")
    made = tree.get_network()
    assert type(made.branch1).__name__ == first.get_handler().get_opt_cls_name()


def test_imports_are_written_as_in_the_module_of_the_class(mode):
    net = imports.Importing()
    tree = SymbolTree.create(net)
    lines = tree.get_code().splitlines()
    for line in ("import math as mathematics", "    from math import tau"):
        assert lines.count(line) == 1
    assert "from tests.rewrite.programs.places.bases import OUTSIDE" in lines
    x = ms.Tensor([[-3.0, 2.0]])
    assert_close(tree.get_network()(x), net(x))
