"""Networks made of nodes compute, train, save and export."""

import pytest

import ms_compat as ms
from ms_compat import nn
from ms_compat.rewrite import Node, SymbolTree
from tests.rewrite import nets
from tests.rewrite.helpers import INPUTS, NAME, assert_close, assert_same


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
