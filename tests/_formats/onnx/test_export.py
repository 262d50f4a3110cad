"""`mindspore.onnx.export`: every net of the MindIR tests in ONNX Runtime, the arguments, and what is refused."""

import os
import re

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, UnsupportedError, mint, nn, ops
from ms_compat._formats.onnx import export as export_files
from ms_compat.interop import jax as interop
from tests._formats.mindir.nets import LAYERS, NETS, Of, floats, ints
from tests._formats.onnx_files import check, operators
from tests.conformance.record.mindir_export import batches

onnx = pytest.importorskip("onnx", reason="onnx is not installed")
ort = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

# what ONNX does not have -> a part of the message
REFUSED = {
    "a changed parameter": "changes Parameters (total)",
    "training steps": "changes Parameters",
    **dict.fromkeys([name for name in LAYERS if "MaxPool" in name and "gradient" in name], "'MaxPoolGrad'"),
}
CASES = {**NETS, **LAYERS}


# -- equal outputs -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [name for name in CASES if name not in REFUSED])
def test_every_net(name, session):
    ms.set_seed(1)
    make, inputs = CASES[name]
    net, given = make(), inputs()
    opened = session(net, *given)
    if isinstance(net, nn.Cell):
        net.set_train(False)
    check(opened, net, *given)


@pytest.mark.parametrize("name", REFUSED)
def test_what_onnx_does_not_have_is_named(name, session):
    make, inputs = CASES[name]
    with pytest.raises(UnsupportedError, match=re.escape(REFUSED[name])):
        session(make(), *inputs())


@pytest.mark.parametrize("name", batches())
def test_every_batch(name, session):
    make, shape, _, batch = batches()[name]
    net = make()
    opened = session(net, Tensor(shape=[None, *shape[1:]], dtype=ms.float32))
    net.set_train(False)  # as it is exported
    for size in (1, 2, batch):
        check(opened, net, floats(size, *shape[1:]))


class Gathered(nn.Cell):
    """Messages along edges of a graph, whose numbers of nodes and edges are free."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 4)

    def construct(self, x, source, target):
        messages = self.dense(x)[source]
        total = mint.scatter_add(x * 0, 0, target.reshape(-1, 1).tile((1, 4)), messages)
        return ops.tensor_scatter_add(ops.zeros_like(x), target.reshape(-1, 1), messages) + total * (
            source.shape[0] * 2
        )


def test_sizes_of_a_graph_net_are_free_one_by_one(session):
    net = Gathered()
    axes = {"x": {0: "nodes"}, "source": {0: "edges"}, "target": {0: "edges"}}
    opened = session(net, floats(5, 4), ints(3), ints(3), dynamic_axes=axes)
    assert [value.shape for value in opened.get_inputs()] == [["nodes", 4], ["edges"], ["edges"]]
    for nodes, edges in ((5, 3), (6, 1), (9, 12)):
        check(opened, net, floats(nodes, 4), ints(edges), ints(edges))


# -- sizes -------------------------------------------------------------------------------------------------------------
def test_sizes_are_fixed_unless_said_otherwise(session):
    assert session(nn.Dense(3, 2), floats(4, 3)).get_inputs()[0].shape == [4, 3]


def test_declared_sizes_are_free(session):
    net = nn.Dense(3, 2)
    net.set_inputs(Tensor(shape=[None, 3], dtype=ms.float32))
    assert session(net, floats(4, 3)).get_inputs()[0].shape == ["batch", 3]
    net = nn.BiDense(3, 4, 2)
    net.set_inputs(input2=Tensor(shape=[None, 4], dtype=ms.float32), input1=Tensor(shape=[None, 3], dtype=ms.float32))
    opened = session(net, floats(5, 3), floats(5, 4))
    assert [value.shape for value in opened.get_inputs()] == [["batch", 3], ["batch", 4]]
    check(opened, net, floats(2, 3), floats(2, 4))


def test_heights_and_widths_are_free(session):
    net = nn.SequentialCell(nn.Conv2d(3, 4, 3, pad_mode="pad", padding=1), nn.ReLU(), nn.Conv2d(4, 2, 1))
    opened = session(net, floats(1, 3, 6, 8), dynamic_axes={"input_data": {0: "n", 2: "h", 3: "w"}})
    assert opened.get_inputs()[0].shape == ["n", 3, "h", "w"]
    assert opened.get_outputs()[0].shape == ["n", 2, "h", "w"]
    for shape in ((1, 3, 6, 8), (2, 3, 5, 4), (3, 3, 9, 9)):
        check(opened, net, floats(*shape))


class Down(nn.Cell):
    """What keeps sizes, or halves them, beside a shortcut."""

    def __init__(self):
        super().__init__()
        self.wide, self.short = nn.Conv2d(3, 4, 3, 2), nn.Conv2d(3, 4, 1, 2)
        self.keep, self.depthwise = nn.Conv2d(4, 4, 3, dilation=2), nn.Conv2d(4, 4, 4, 2, group=4)
        self.pool = nn.MaxPool2d(3, 2, pad_mode="same")

    def construct(self, x):
        x = ops.relu(self.keep(self.wide(x) + self.short(x)))
        return self.depthwise(x), self.pool(x)


@pytest.mark.parametrize("file_format", ["ONNX", "MINDIR", "StableHLO"])
def test_layers_that_pad_to_the_same_size_take_any(file_format, session, tmp_path):
    net, shapes = Down(), [(2, 3, 8, 8), (1, 3, 7, 10), (3, 3, 9, 5), (1, 3, 1, 2)]
    given = Tensor(shape=[None, 3, None, None], dtype=ms.float32)
    if file_format == "ONNX":
        opened = session(net, given)
        for shape in shapes:
            check(opened, net, floats(*shape))
        return
    if file_format == "MINDIR":
        ms.export(net, given, file_name=str(tmp_path / "a"), file_format="MINDIR")
        run = nn.GraphCell(ms.load(str(tmp_path / "a.mindir")))
    else:
        exported = interop.export(net, floats(*shapes[0]), sizes="b, 3, h, w", weights="inside")
        run = lambda x: exported.call(x.asnumpy())  # noqa: E731
    for shape in shapes:
        for found, wanted in zip(run(floats(*shape)), net(floats(*shape)), strict=True):
            assert found.shape == wanted.shape
            np.testing.assert_allclose(np.asarray(found), wanted.asnumpy(), 1e-5, 1e-5)


def test_a_net_that_compares_a_free_size_is_refused(session):
    net = Of(lambda x: x * 2 if x.shape[0] > 3 else x)
    with pytest.raises(UnsupportedError, match="compares a size"):
        session(net, Tensor(shape=[None, 3], dtype=ms.float32))


def test_a_size_that_numpy_needs_is_named_with_its_line(session):
    net = Of(lambda x: x + Tensor(np.linspace(0, 1, x.shape[0]).astype(np.float32)[:, None]))  # counted
    with open(__file__, encoding="utf-8") as file:
        line = next(number for number, text in enumerate(file, 1) if text.endswith("# counted\n"))
    with pytest.raises(UnsupportedError, match=rf"test_export\.py:{line}.*NumPy or Python needs a number"):
        session(net, Tensor(shape=[None, 3], dtype=ms.float32))
    session(net, floats(2, 3))


# -- names and options -------------------------------------------------------------------------------------------------
def test_names(session):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.first = nn.Dense(3, 2)

        def construct(self, tokens, pair):
            return self.first(tokens), pair[0] + pair[1]

    given = floats(2, 3), (floats(2), floats(2))
    opened = session(Net(), *given)
    assert [value.name for value in opened.get_inputs()] == ["tokens", "pair_0", "pair_1"]
    assert [value.name for value in opened.get_outputs()] == ["output_0", "output_1"]
    assert {"first.weight", "first.bias"} <= {proto.name for proto in session.read().graph.initializer}
    opened = session(
        Net(),
        *given,
        input_names=["a", "b", "c"],
        output_names=["y", "z"],
        dynamic_axes={name: {-1: "n"} for name in "bc"},
    )
    assert [(value.name, value.shape) for value in opened.get_inputs()] == [("a", [2, 3]), ("b", ["n"]), ("c", ["n"])]
    assert [value.name for value in opened.get_outputs()] == ["y", "z"]


def test_an_input_with_the_name_of_a_parameter(session):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = Parameter(floats(3), name="weight")

        def construct(self, weight):
            return weight * self.weight

    net = Net()
    check(session(net, floats(2, 3)), net, floats(2, 3))


def test_parameters_as_inputs(session):
    net = nn.Dense(3, 2)
    x = floats(4, 3)
    both = session(net, x, keep_initializers_as_inputs=True)
    assert [value.name for value in both.get_overridable_initializers()] == ["weight", "bias"]
    weight, bias = np.ones((2, 3), np.float32), np.ones(2, np.float32)
    wanted = x.asnumpy() @ weight.T + bias
    (found,) = both.run(None, {"x": x.asnumpy(), "weight": weight, "bias": bias})
    np.testing.assert_allclose(found, wanted, rtol=1e-5)
    bare = session(net, x, export_params=False)
    assert [value.name for value in bare.get_inputs()] == ["x", "weight", "bias"]
    (found,) = bare.run(None, {"x": x.asnumpy(), "weight": weight, "bias": bias})
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_only_operators_of_onnx_itself(session):
    session(NETS["lenet"][0](), floats(1, 1, 32, 32))
    model = session.read()
    assert [(entry.domain, entry.version) for entry in model.opset_import] == [("", 18)]
    assert operators(model) >= {"Conv", "Gemm", "MaxPool", "Relu"}


def test_evaluation_mode_and_the_modes_kept(session):
    net = nn.SequentialCell(nn.Dense(3, 3), nn.Dropout(p=0.5), nn.BatchNorm1d(3))
    net.set_train()
    net[2].set_train(False)
    opened = session(net, floats(4, 3))
    assert [net.training, net[1].training, net[2].training] == [True, True, False]
    net.set_train(False)
    check(opened, net, floats(4, 3))


def test_large_weights_go_into_a_file_of_their_own(session, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(export_files, "MOST_TOGETHER", 1000)
    net = nn.SequentialCell(nn.Dense(30, 40), nn.Dense(40, 2))
    opened = session(net, floats(4, 30))
    assert sorted(os.listdir(tmp_path)) == ["net.onnx", "net.onnx.data"]
    assert "net.onnx.data" in caplog.text
    check(opened, net, floats(4, 30))
    assert (tmp_path / "net.onnx").stat().st_size < 2000


# -- what is refused ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"input_names": "x"}, ValueError, "input_names"),
        ({"input_names": ["a", "b"]}, ValueError, "2 names"),
        ({"output_names": ("y",)}, ValueError, "output_names"),
        ({"output_names": ["y", "z"]}, ValueError, "2 names"),
        ({"dynamic_axes": []}, ValueError, "dynamic_axes"),
        ({"dynamic_axes": {"x": [0]}}, ValueError, "dynamic_axes"),
        ({"dynamic_axes": {"y": {0: "n"}}}, ValueError, r"\['y'\]"),
        ({"dynamic_axes": {"x": {2: "n"}}}, ValueError, "axis 2"),
        ({"file_name": 3}, TypeError, "file_name"),
        ({"input_names": [""]}, ValueError, "input_names"),
        ({"input_names": ["weight"]}, ValueError, r"\['weight'\], which Parameters"),
        ({"output_names": ["weight"]}, ValueError, r"\['weight'\], which Parameters"),
        ({"output_names": ["y", "y"]}, ValueError, "different names"),
        ({"input_names": ["y"], "output_names": ["y"]}, ValueError, "other names than the inputs'"),
        ({"export_params": "no"}, TypeError, "export_params"),
        ({"keep_initializers_as_inputs": 1.5}, TypeError, "keep_initializers_as_inputs"),
        ({"dynamic_axes": {"x": {True: "n"}}}, ValueError, "dynamic_axes"),
        ({"dynamic_axes": {"x": {0: ""}}}, ValueError, "dynamic_axes"),
        ({"dynamic_axes": {"x": {0: "n"}, "output": {1: "m"}}}, ValueError, r"open axes are \[0\]"),
        ({"opset": 11}, TypeError, "opset"),
    ],
)
def test_wrong_arguments(options, error, text, tmp_path):
    with pytest.raises(error, match=text):
        ms.onnx.export(nn.Dense(3, 2), floats(4, 3), **{"file_name": str(tmp_path / "a"), **options})


def test_as_many_inputs_as_the_net_takes(tmp_path):
    x = floats(4, 3)
    for inputs in ((), (x, x)):
        with pytest.raises(TypeError, match=r"takes 1|required positional argument"):
            ms.onnx.export(nn.Dense(3, 2), *inputs, file_name=str(tmp_path / "a"))


def test_open_sizes_of_outputs_may_have_names(session):
    axes = {"x": {0: "batch"}, "y": {0: "rows"}}
    opened = session(nn.Dense(3, 2), floats(4, 3), output_names=["y"], dynamic_axes=axes)
    assert (opened.get_inputs()[0].shape, opened.get_outputs()[0].shape) == (["batch", 3], ["rows", 2])


def test_a_function_is_refused(tmp_path):
    with pytest.raises(ValueError, match="Cell"):
        ms.onnx.export(lambda x: x, floats(2), file_name=str(tmp_path / "a"))


def test_random_numbers_are_refused(session):
    with pytest.raises(UnsupportedError, match="random"):
        session(Of(lambda x: x + ops.rand(3)), floats(3))


def test_onnx_is_not_installed(monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    with pytest.raises(ImportError, match=r"pip install 'ms-compat\[onnx\]'"):
        ms.onnx.export(nn.Dense(3, 2), floats(4, 3), file_name=str(tmp_path / "a"))


# -- files of weights --------------------------------------------------------------------------------------------------
def large(session, monkeypatch):
    monkeypatch.setattr(export_files, "MOST_TOGETHER", 1000)
    net = nn.SequentialCell(nn.Dense(30, 40), nn.Dense(40, 2))
    session(net, floats(4, 30))
    return net


def test_both_files_may_move_together(session, tmp_path, monkeypatch):
    net = large(session, monkeypatch)
    (tmp_path / "elsewhere").mkdir()
    for name in ("net.onnx", "net.onnx.data"):
        (tmp_path / name).rename(tmp_path / "elsewhere" / name)
    monkeypatch.chdir("/")
    path = str(tmp_path / "elsewhere" / "net.onnx")
    check(ort.InferenceSession(path, providers=["CPUExecutionProvider"]), net, floats(4, 30))
    held = onnx.load(path)  # which reads both files
    weights = {proto.name: onnx.numpy_helper.to_array(proto) for proto in held.graph.initializer}
    np.testing.assert_array_equal(weights["0.weight"], net[0].weight.asnumpy())


def test_a_model_is_written_over_another(session, tmp_path, monkeypatch):
    large(session, monkeypatch)
    net = large(session, monkeypatch)
    check(ort.InferenceSession(str(tmp_path / "net.onnx")), net, floats(4, 30))
    monkeypatch.setattr(export_files, "MOST_TOGETHER", 1 << 30)
    check(session(net, floats(4, 30)), net, floats(4, 30))
    assert os.listdir(tmp_path) == ["net.onnx"]  # no weights of before
    (tmp_path / "net.onnx.data").write_text("of another program")
    session(net, floats(4, 30))
    assert (tmp_path / "net.onnx.data").read_text() == "of another program"


def test_weights_above_2_gb_are_apart(tmp_path, monkeypatch):
    """The arrays are zeros that take no memory, and the file of weights is kept nowhere."""
    written = []

    def put(proto, array, file, location):
        written.append((proto.name, array.nbytes, location))

    monkeypatch.setattr(export_files, "_put_apart", put)
    large = np.broadcast_to(np.zeros((), np.float32), (1 << 14, 1 << 15))  # 2 GiB
    graph = onnx.helper.make_graph([], "g", [], [], [onnx.TensorProto(name="w", dims=large.shape, data_type=1)])
    export_files.write(onnx.helper.make_model(graph), {"w": large}, str(tmp_path / "net.onnx"))
    assert written == [("w", 1 << 31, "net.onnx.data")]
    with pytest.raises(UnsupportedError, match="encrypted ONNX file of 2 GB"):
        export_files.write(onnx.helper.make_model(graph), {"w": large}, str(tmp_path / "a.onnx"), lambda data: data)


def test_what_cannot_be_written_is_an_error(tmp_path, monkeypatch):
    (tmp_path / "net.onnx").mkdir()
    with pytest.raises(IsADirectoryError):
        ms.onnx.export(nn.Dense(3, 2), floats(4, 3), file_name=str(tmp_path / "net"))
    monkeypatch.setattr(export_files, "MOST_TOGETHER", 10)
    (tmp_path / "b.onnx.data").mkdir()
    with pytest.raises(IsADirectoryError):
        ms.onnx.export(nn.Dense(300, 2), floats(4, 300), file_name=str(tmp_path / "b"))
    assert sorted(os.listdir(tmp_path)) == ["b.onnx.data", "net.onnx"]
