"""MindIR files: those that MindSpore has written are read and compute the same, in both modes."""

import json
import pathlib

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from ms_compat._formats.mindir import arguments, values
from ms_compat._formats.mindir.schema import AttributeProto, ModelProto, NodeProto, PrimitiveProto, TensorProto

DATA = pathlib.Path(__file__).parents[2] / "conformance" / "data"
FILES = DATA / "mindir"
RECORD = json.loads((DATA / "mindir_load.json").read_text())["cases"]
DENSE = RECORD.pop("dense")
MODES = ("pynative", "graph")
LARGER = ("block", "recurrent", "attention")  # nets of many operations, each compiled alone: GRAPH_MODE is quicker
KEY = b"0123456789abcdef"


def cell_of(name, **options):
    return nn.GraphCell(ms.load(str(FILES / f"{name}.mindir")), **options)


def tensor_of(tree):
    dtype = getattr(ms, tree["dtype"].lower().replace("bool", "bool_"))
    return Tensor(np.array(tree["array"]).reshape(tree["shape"]), dtype)


def assert_is(value, tree):
    """A value has the recorded structure, types and, closely, numbers."""
    if isinstance(tree, dict) and "array" in tree:
        assert isinstance(value, Tensor) and str(value.dtype) == tree["dtype"] and list(value.shape) == tree["shape"]
        found = value.asnumpy() if value.dtype != ms.bfloat16 else value.float().asnumpy()
        np.testing.assert_allclose(found, np.array(tree["array"]).reshape(tree["shape"]), rtol=2e-5, atol=2e-6)
    elif isinstance(tree, dict):
        ((kind, items),) = tree.items()
        assert type(value).__name__ == kind and len(value) == len(items)
        for item, expected in zip(value, items, strict=True):
            assert_is(item, expected)
    else:
        assert type(value) is type(tree) and value == tree


def in_modes(names, only_compiled):
    pairs = [(name, mode) for name in names for mode in MODES if mode == "graph" or name not in only_compiled]
    return pytest.mark.parametrize(("name", "mode"), pairs, indirect=["mode"])


@in_modes(RECORD, LARGER)
def test_a_graph_computes_what_it_does_in_mindspore(name, mode):
    case = RECORD[name]
    cell = cell_of(name)
    for call in case["calls"]:
        assert_is(cell(*[tensor_of(x) for x in call["inputs"]]), call["output"])
    assert [p.name for p in cell.get_parameters()] == list(case["parameters"])
    assert [p.name for p in cell.trainable_params()] == case["trainable"]
    for parameter in cell.get_parameters():
        assert_is(parameter, case["parameters"][parameter.name])


@in_modes([name for name, case in RECORD.items() if "gradients" in case], (*LARGER, "lenet"))
def test_gradients_of_a_graph_are_those_of_mindspore(name, mode):
    cell, expected = cell_of(name), RECORD[name]["gradients"]  # of the net itself
    weights = [p for p in cell.trainable_params() if p.name in expected]

    def loss(*inputs):
        out = cell(*inputs)
        return ops.square(out[0] if isinstance(out, tuple) else out).sum()

    found = ms.grad(loss, None, weights)(*[tensor_of(x) for x in RECORD[name]["calls"][0]["inputs"]])
    assert [p.name for p in weights] == list(expected)
    for gradient, tree in zip(found, expected.values(), strict=True):
        recorded = np.array(tree["array"]).reshape(tree["shape"])
        np.testing.assert_allclose(gradient.asnumpy(), recorded, rtol=2e-4, atol=2e-5)


def test_a_graph_is_trained_inside_another_cell(tmp_path):
    class Head(nn.Cell):
        def __init__(self):
            super().__init__()
            self.body = cell_of("while")

        def construct(self, x, n):
            return self.body(x, n)[0].sum()

    net = Head()
    assert [p.name for p in net.trainable_params()] == ["body.w"]
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), learning_rate=0.1))
    x, n = Tensor([1.0, 2.0]), Tensor(2, ms.int32)
    before = net.body.get_parameters().__next__().asnumpy().copy()
    loss = step(x, n)
    np.testing.assert_allclose(float(loss), float(((before * x.asnumpy() + 1) * before + 1).sum()), rtol=1e-6)
    gradient = 2 * before * x.asnumpy() + 1  # of (x w + 1) w + 1
    np.testing.assert_allclose(next(net.get_parameters()).asnumpy(), before - 0.1 * gradient, rtol=1e-6)


def test_parameters_are_saved_loaded_and_given_at_the_start(tmp_path):
    cell = cell_of("if")
    ms.save_checkpoint(cell, str(tmp_path / "if.ckpt"))
    assert list(ms.load_checkpoint(str(tmp_path / "if.ckpt"))) == ["w"]
    given = cell_of("if", params_init={"w": Tensor([5.0, 7.0]), "other": Tensor([1])})
    assert given(Tensor([1.0, 1.0])).asnumpy().tolist() == [6, 8]
    assert ms.load_param_into_net(given, ms.load_checkpoint(str(tmp_path / "if.ckpt"))) == ([], [])
    assert given(Tensor([1.0, 1.0])).asnumpy().tolist() == [3, 4]


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ((3,), TypeError),
        (("if", 3), TypeError),
        (("if", {1: Tensor([1])}), TypeError),
        (("if", {"w": 1}), TypeError),
        (("if", {"w": Tensor([1.0])}), ValueError),
        (("if", {"w": Tensor([1, 2], ms.float16)}), ValueError),
        (("if", None, 1), NotImplementedError),
    ],
)
def test_arguments_of_a_graph_cell_are_checked(given, error):
    graph, *rest = given
    with pytest.raises(error, match="For 'GraphCell'"):
        nn.GraphCell(ms.load(str(FILES / f"{graph}.mindir")) if graph == "if" else graph, *rest)


def test_a_call_needs_the_inputs_of_the_export(mode):
    with pytest.raises(RuntimeError, match="takes 1 inputs, but got 2"):
        cell_of("if")(Tensor([1.0, 1.0]), Tensor([1.0]))


# -- files -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("AES-GCM", {"dec_key": KEY}),
        ("AES-CBC", {"dec_key": KEY, "dec_mode": "AES-CBC"}),
        ("large_graph", {}),
        ("secret_graph", {"dec_key": KEY}),
    ],
)
def test_encrypted_files_and_parameters_beside_a_file_are_read(name, options):
    if options:
        pytest.importorskip("cryptography")
    cell = nn.GraphCell(ms.load(str(FILES / f"{name}.mindir"), **options))
    assert_is(cell(tensor_of(DENSE["input"])), DENSE["output"])


def test_a_graph_cell_tells_its_program_as_other_cells_do():
    cell = nn.GraphCell(ms.load(str(FILES / "if.mindir")))
    assert cell.get_func_graph_proto() is None  # nothing is compiled yet


def test_a_function_decrypts(tmp_path):
    (tmp_path / "a.mindir").write_bytes(bytes(b ^ 7 for b in (FILES / "if.mindir").read_bytes()))
    decrypt = lambda path, key: bytes(b ^ key[0] for b in pathlib.Path(path).read_bytes())  # noqa: E731
    graph = ms.load(str(tmp_path / "a.mindir"), dec_key=b"\7", dec_mode=decrypt)
    assert nn.GraphCell(graph)(Tensor([1.0, 1.0])).shape == (2,)


@pytest.mark.parametrize(
    ("name", "options", "error"),
    [
        (3, {}, ValueError),
        ("a.txt", {}, ValueError),
        ("none.mindir", {}, ValueError),
        ("if.mindir", {"obf_func": 1}, NotImplementedError),
        ("if.mindir", {"dec_key": "text"}, ValueError),
        ("if.mindir", {"dec_key": KEY}, RuntimeError),
        ("if.mindir", {"dec_key": b"short"}, RuntimeError),
        ("AES-GCM.mindir", {}, RuntimeError),
        ("AES-GCM.mindir", {"dec_key": KEY, "dec_mode": "XX"}, RuntimeError),
    ],
)
def test_load_refuses_with_the_errors_of_mindspore(name, options, error):
    with pytest.raises(error):
        ms.load(str(FILES / name) if isinstance(name, str) else name, **options)


def _cut(data):
    return data[: len(data) // 2]


def _changed(change):
    def changed(data):
        model = ModelProto()
        model.ParseFromString(data)
        change(model)
        return model.SerializeToString()

    return changed


def _set(**values):
    def change(message):
        for name, value in values.items():
            setattr(message, name, value)

    return change


BAD = {
    "empty": lambda data: b"",
    "junk": lambda data: b"\x00\x01junk" * 10,
    "cut": _cut,
    "one byte short": lambda data: data[:-1],
    "big-endian": _changed(_set(little_endian=False)),
    "a Parameter with too few bytes": _changed(lambda m: _set(raw_data=b"123")(m.graph.parameter[0])),
    "an impossible shape": _changed(lambda m: m.graph.parameter[0].dims.append(-3)),
    "a huge shape": _changed(lambda m: m.graph.parameter[0].dims.extend([1 << 40, 1 << 40])),
    "an unknown type": _changed(lambda m: _set(data_type=99)(m.graph.parameter[0])),
    "two equal Parameters": _changed(lambda m: m.graph.parameter.append(m.graph.parameter[0])),
    "an input from nowhere": _changed(lambda m: m.graph.node[-1].input.append("nowhere")),
    "an operation from nowhere": _changed(lambda m: _set(op_type="REF::nowhere")(m.graph.node[-1])),
    "a node without an output": _changed(lambda m: m.graph.node[-1].output.clear()),
    "an unknown kind of node": _changed(lambda m: _set(op_type="Relu")(m.graph.node[-1])),
    "an output from nowhere": _changed(lambda m: _set(name="nowhere")(m.graph.output[0])),
    "no output": _changed(lambda m: m.graph.output.clear()),
    "two equal graphs": _changed(lambda m: m.functions.append(m.functions[0])),
    "a constant of two tensors": _changed(lambda m: m.graph.node.append(_two_tensors())),
}


def _two_tensors():
    value = AttributeProto(name="value", type=AttributeProto.TENSORS, tensors=[TensorProto(), TensorProto()])
    return NodeProto(output=["c"], name="c", op_type="Constant", attribute=[value])


@pytest.mark.parametrize("kind", BAD)
def test_a_damaged_file_is_a_runtime_error(kind, tmp_path):
    path = tmp_path / "bad.mindir"
    path.write_bytes(BAD[kind]((FILES / "if.mindir").read_bytes()))
    with pytest.raises(RuntimeError, match="MindIR file .* cannot be read"):
        ms.load(str(path))


def test_a_file_of_an_old_version_is_refused_with_the_way_out(tmp_path):
    change = _changed(lambda m: (_set(op_type="Relu")(m.graph.node[-1]), _set(mind_ir_version=0)(m)))
    (tmp_path / "old.mindir").write_bytes(change((FILES / "if.mindir").read_bytes()))
    with pytest.raises(ms.UnsupportedError, match="export it again"):
        ms.load(str(tmp_path / "old.mindir"))


@pytest.mark.parametrize("location", ["../large_variables/data_0", "/etc/passwd", "none"])
def test_parameters_are_not_taken_from_elsewhere(location, tmp_path):
    model = ModelProto()
    model.ParseFromString((FILES / "large_graph.mindir").read_bytes())
    model.graph.parameter[0].external_data.location = location
    (tmp_path / "a.mindir").write_bytes(model.SerializeToString())
    with pytest.raises(RuntimeError, match="outside its folder|is not there"):
        ms.load(str(tmp_path / "a.mindir"))


def test_a_missing_primitive_is_named_before_anything_runs(tmp_path):
    model = ModelProto()
    model.ParseFromString((FILES / "if.mindir").read_bytes())
    model.primitives.append(PrimitiveProto(name="Foo:99", op_type="Foo"))
    node = model.functions[0].node[-1]
    node.op_type = "REF::Foo:99"
    (tmp_path / "a.mindir").write_bytes(model.SerializeToString())
    graph = ms.load(str(tmp_path / "a.mindir"))
    with pytest.raises(ms.UnsupportedError, match="the primitive Foo"):
        nn.GraphCell(graph)


def graph_of_one(operation, given, attributes, count, folder):
    """A graph of one node: `count` inputs, then constants."""
    model = ModelProto(little_endian=True, mind_ir_version=3)
    holders = [values.attribute_of(value, name) for name, value in attributes.items()]
    model.primitives.append(PrimitiveProto(name="op:1", op_type=operation, attribute=holders))
    names = [f"x{i}" for i in range(count)]
    for name in names:
        model.graph.input.add(name=name)
    for i, value in enumerate(given):
        names.append(f"c{i}")
        value = values.attribute_of(value, "value")
        model.graph.node.add(output=[names[-1]], name=names[-1], op_type="Constant", attribute=[value])
    model.graph.node.add(input=names, output=["y"], name="y", op_type="REF::op:1")
    model.graph.output.add(name="y")
    (folder / "a.mindir").write_bytes(model.SerializeToString())
    return nn.GraphCell(ms.load(str(folder / "a.mindir")))


@pytest.mark.parametrize(
    ("operation", "given", "attributes", "expected"),
    [
        ("Round", (1,), {}, [0.2, -1.5]),
        ("EqScalar", (-1.5,), {}, [False, True]),
        ("FFT", (None, -1, 1), {}, [-0.625 + 0j, 0.875 + 0j]),  # "forward": divided by the length
        ("ClipByNorm", (np.float32([1]),), {"axis": ()}, [0.25 / 1.5206906, -1.5 / 1.5206906]),
        ("ReduceSum", ((), True, False), {}, [-1.25]),
        ("ReduceSum", ((0,),), {"keep_dims": True}, [-1.25]),  # as older files have it
        ("Softmax", (), {"axis": -1}, [0.8519528, 0.1480472]),
    ],
)
def test_arguments_are_inputs_or_attributes(operation, given, attributes, expected, tmp_path):
    found = graph_of_one(operation, given, attributes, 1, tmp_path)(Tensor([0.25, -1.5]))
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5)


# -- values ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["kinds", "recurrent", "training"])
def test_values_of_a_file_are_written_as_they_were(name):
    model = ModelProto()
    model.ParseFromString((FILES / f"{name}.mindir").read_bytes())
    nodes = [node for graph in (model.graph, *model.functions) for node in graph.node if node.op_type == "Constant"]
    attributes = [a for owner in (*model.primitives, *nodes) for a in owner.attribute]
    assert attributes
    for attribute in attributes:
        value = values.value_of(attribute, attribute.name)
        assert values.attribute_of(value, attribute.name).SerializeToString() == attribute.SerializeToString()
    for tensor in model.graph.parameter:
        array = values.array_of(tensor, tensor.name)
        assert values.tensor_proto(array).raw_data == tensor.raw_data


@pytest.mark.parametrize("number", values.TYPES)
def test_arrays_of_all_types_survive(number):
    dtype = values.TYPES[number]
    if dtype.np_dtype is None:
        with pytest.raises(ms.UnsupportedError):
            values.array_of(TensorProto(data_type=number), "x")
        return
    array = np.array([[0, 1], [1, 0]]).astype(dtype.np_dtype)
    proto = values.tensor_proto(array)
    assert proto.data_type == number
    found = values.array_of(proto, "x")
    assert found.dtype == array.dtype and np.array_equal(found, array)


def test_numbers_of_arguments_are_the_inverse_of_their_texts():
    for positions in arguments.ENCODED.values():
        for argument in positions.values():
            for number in range(60):
                try:
                    value = arguments.decoded(argument, number)
                except ValueError:
                    continue
                assert arguments.encoded(argument, value) == number


def test_a_value_that_no_file_holds_is_refused():
    with pytest.raises(ms.UnsupportedError, match="type 'set'"):
        values.attribute_of({1})
    with pytest.raises(ms.UnsupportedError, match="MindIR"):
        values.value_of(AttributeProto(type=AttributeProto.COO_TENSOR), "x")
    assert values.value_of(values.attribute_of({"a": (1, [True])}, "d"), "d") == {"a": (1, [True])}
