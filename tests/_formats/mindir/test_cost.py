"""MindIR graphs that would never end, or take longer than anybody waits, are refused when they are loaded."""

import sys
import time
from pathlib import Path

import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat._formats.mindir.cost import least_nodes
from ms_compat._formats.mindir.graphs import Graph, Node, Operation
from ms_compat._formats.mindir.schema import (
    AttributeProto,
    GraphProto,
    ModelProto,
    NodeProto,
    PrimitiveProto,
    ValueInfoProto,
)

FILES = Path(__file__).parents[2] / "conformance" / "data" / "mindir"


def graph(name, calls):
    """A graph of one input that calls others, one after the other, and returns what the last gives."""
    nodes, last = [], f"{name}:x"
    for number, (op_type, inputs) in enumerate(calls):
        output = f"{name}:{number}"
        nodes.append(NodeProto(input=[*inputs, last], output=[output], name=output, op_type=f"REF::{op_type}"))
        last = output
    out = GraphProto(name=name, node=nodes)
    out.input.append(ValueInfoProto(name=f"{name}:x"))
    out.output.append(ValueInfoProto(name=last))
    return out


def saved(folder, *graphs):
    model = ModelProto(mind_ir_version=1, little_endian=True, graph=graphs[0])
    model.functions.extend(graphs[1:])
    model.primitives.append(PrimitiveProto(name="ReLU:1", op_type="ReLU"))
    path = folder / "a.mindir"
    path.write_bytes(model.SerializeToString())
    return str(path)


def refused(path, text):
    begin = time.process_time()  # others may use the processors
    with pytest.raises(RuntimeError, match=text):
        ms.load(path)
    assert time.process_time() - begin < 60


def test_a_graph_that_calls_itself(tmp_path):
    refused(saved(tmp_path, graph("main", [("main", [])])), "'main' never ends")
    refused(saved(tmp_path, graph("main", [("main", []), ("ReLU:1", [])])), "'main' never ends")
    loop = [graph("main", [("b", [])]), graph("b", [("c", [])]), graph("c", [("b", []), ("ReLU:1", [])])]
    refused(saved(tmp_path, *loop), "'main' never ends")


def test_graphs_that_double_at_each_level(tmp_path):
    levels = [graph("main", [("g0", [])])]
    levels += [graph(f"g{k}", [(f"g{k + 1}", [])] * 2) for k in range(60)]
    levels.append(graph("g60", [("ReLU:1", [])]))
    refused(saved(tmp_path, *levels), r"computes \d\.\d*e\+18 nodes, more than 1000000")


def test_a_chain_deeper_than_the_stack_is_an_error(tmp_path):
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(2000)  # of 10000, which takes as much longer
    try:
        chain = [graph("main", [("g0", []), ("ReLU:1", [])])]
        chain += [graph(f"g{k}", [(f"g{k + 1}", []), ("ReLU:1", [])]) for k in range(2400)]
        chain.append(graph("g2400", [("ReLU:1", [])]))
        net = nn.GraphCell(ms.load(saved(tmp_path, *chain)))
        with pytest.raises(RuntimeError, match="nested, or calls itself, too deeply"):
            net(Tensor([1.0]))
    finally:
        sys.setrecursionlimit(limit)


def test_shapes_that_cannot_be_counted(tmp_path):
    model = ModelProto()
    model.ParseFromString(Path(saved(tmp_path, graph("main", [("Tile:1", [])]))).read_bytes())
    model.primitives.append(PrimitiveProto(name="Tile:1", op_type="Tile"))
    shape = [AttributeProto(type=AttributeProto.INT64, ints=[size]) for size in (2**62, 4)]
    value = AttributeProto(name="value", type=AttributeProto.TUPLE, values=shape)
    model.graph.node.insert(0, NodeProto(output=["c"], name="c", op_type="Constant", attribute=[value]))
    model.graph.node[1].input.append("c")
    (tmp_path / "a.mindir").write_bytes(model.SerializeToString())
    net = nn.GraphCell(ms.load(str(tmp_path / "a.mindir")))
    with pytest.raises(ValueError, match="no array can have"):
        net(Tensor([1.0]))


def test_an_operation_without_its_inputs(tmp_path):
    model = ModelProto()
    model.ParseFromString(Path(saved(tmp_path, graph("main", [("Depend:1", [])]))).read_bytes())
    model.primitives.append(PrimitiveProto(name="Depend:1", op_type="Depend"))
    model.graph.node[0].input.clear()
    (tmp_path / "a.mindir").write_bytes(model.SerializeToString())
    with pytest.raises(TypeError):
        nn.GraphCell(ms.load(str(tmp_path / "a.mindir")))(Tensor([1.0]))


def test_loops_and_branches_have_a_least_cost():
    def call(name, callee, *inputs):
        return Node(name, inputs, None, callee)

    def operation(name, kind, *inputs):
        return Node(name, inputs, Operation(kind, {}), None)

    def made(name, *nodes):
        return Graph(name, ("x",), nodes, (nodes[-1].name,), {})

    graphs = {
        "main": made("main", call("1", "header", "x"), call("2", "header", "1")),
        "header": made("header", operation("p", "Partial", "body"), operation("s", "Switch", "x", "p", "after"),
                       call("3", "s", "x")),
        "body": made("body", operation("4", "ReLU", "x"), call("5", "header", "4")),
        "after": made("after", operation("6", "ReLU", "x")),
    }  # fmt: skip
    assert least_nodes("main", graphs) == 3 + 2 * (4 + 2)
    assert least_nodes("body", graphs) == 3 + 4 + 2


@pytest.mark.parametrize("path", sorted(FILES.glob("*.mindir")), ids=lambda path: path.stem)
def test_recorded_graphs_are_taken(path):
    if not path.stem.startswith(("AES", "secret")):  # those are encrypted
        ms.load(str(path))
