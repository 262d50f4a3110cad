"""`mindspore.export`: the files it writes, and what it refuses. That MindSpore runs them is recorded."""

import json
import os
import pathlib
import stat

import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, UnsupportedError, nn, ops
from ms_compat._core.tensor import wrap
from ms_compat._formats.mindir import export as export_files
from ms_compat._formats.mindir.values import array_of, value_of
from ms_compat.interop import jax as interop
from tests._formats.mindir.nets import LAYERS, NETS, Of, floats
from tests._formats.mindir.operations import OPERATIONS
from tests.conformance.record.mindir_export import batches, counted, leaves

RECORDED = json.loads((pathlib.Path(__file__).parent / "export.json").read_text("utf-8"))
KEY = b"0123456789abcdef"


@pytest.fixture
def written(tmp_path):
    """Export, and give the message back."""

    def write(net, *inputs, name="net", **options):
        ms.export(net, *inputs, file_name=str(tmp_path / name), file_format="MINDIR", **options)
        return ms.load_mindir(str(tmp_path / f"{name}.mindir"))

    return write


def calls(model):
    """The primitives that the nodes call, in order."""
    primitives = {p.name: p.op_type for p in model.primitives}
    return [primitives[node.op_type[len("REF::") :]] for node in model.graph.node if node.op_type != "Constant"]


def constants(model):
    return [value_of(node.attribute[0], node.name) for node in model.graph.node if node.op_type == "Constant"]


# -- what MindSpore made of the files ---------------------------------------------------------------------------------
def test_mindspore_ran_every_net_with_equal_outputs():
    assert set(RECORDED["files"]) == {*NETS, *LAYERS, *OPERATIONS, *batches()}
    assert [name for name, found in RECORDED["files"].items() if found.get("largest difference", 1) > 1e-4] == []


@pytest.mark.parametrize("name", ["lenet", "transformer encoder block", "unet-like", "gru", "a changed parameter"])
def test_the_files_are_those_that_mindspore_ran(name, tmp_path):
    make, inputs = NETS[name]
    ms.export(make(), *inputs(), file_name=str(tmp_path / "a"), file_format="MINDIR")
    assert counted(str(tmp_path / "a.mindir")) == RECORDED["calls"][name]


@pytest.mark.parametrize("name", ["mlp", "embedding classifier"])
def test_a_file_runs_here(name, tmp_path):
    net, inputs = NETS[name][0](), NETS[name][1]()
    ms.export(net, *inputs, file_name=str(tmp_path / "a"), file_format="MINDIR")
    graph = nn.GraphCell(ms.load(str(tmp_path / "a.mindir")))
    np.testing.assert_allclose(leaves(graph(*inputs))[0], leaves(net(*inputs))[0], rtol=1e-5, atol=1e-6)
    assert [p.name for p in graph.get_parameters()] == [p.name for p in net.get_parameters()]


# -- the graph --------------------------------------------------------------------------------------------------------
def test_a_model_says_what_mindspore_reads(written):
    net = nn.Dense(3, 2)
    model = written(net, floats(4, 3))
    assert (model.ir_version, model.producer_name, model.model_version) == ("1.1", "MindSpore", "2.10.0")
    assert model.little_endian and model.mind_ir_version == 3
    graph = model.graph
    assert [p.name.partition(":")[2] for p in graph.parameter] == ["weight", "bias"]
    assert [p.ref_key for p in graph.parameter] == ["weight", "bias"]
    assert np.array_equal(array_of(graph.parameter[0], "weight"), net.weight.asnumpy())
    assert [i.name.partition(":")[2] for i in graph.input] == ["x"]
    assert list(graph.input[0].tensor[0].dims) == [4, 3] and graph.input[0].tensor[0].data_type == 1
    assert list(graph.output[0].tensor[0].dims) == [4, 2]
    assert calls(model) == ["MatMul", "Reshape", "Add"]
    assert [list(n.attribute[0].tensors[0].dims) for n in graph.node if n.op_type != "Constant"] == [
        [4, 2],
        [1, 2],
        [4, 2],
    ]
    assert constants(model)[:2] == [False, True]  # the weight is transposed by MatMul itself


def test_nodes_come_after_what_they_use(written):
    make, inputs = NETS["transformer encoder block"]
    graph = written(make(), *inputs()).graph
    known = {item.name for item in (*graph.input, *graph.parameter)}
    for node in graph.node:
        assert set(node.input) <= known
        known.update(node.output)
    assert graph.output[0].name in known


def test_what_depends_on_no_input_is_computed_once(written):
    model = written(Of(lambda x: x + ops.sqrt(ops.arange(0, 8, 2).astype(ms.float32)) * 3), floats(4))
    assert calls(model) == ["Add"]
    np.testing.assert_allclose(constants(model)[0], np.sqrt(np.arange(0, 8, 2)) * 3, rtol=1e-6)


def test_parameters_are_not_folded(written):
    net = nn.Dense(3, 2)
    net.weight.set_data(Tensor(np.zeros((2, 3), np.float32)))
    net.construct = lambda x: x + ops.exp(net.weight)
    assert calls(written(net, floats(2, 3))) == ["Exp", "Add"]


def test_numbers_are_broadcast_by_the_primitives(written):
    model = written(Of(lambda x, y: (x + 1.5) * y[:, None]), floats(2, 3), floats(2))
    assert calls(model) == ["Add", "Reshape", "Mul"]
    assert constants(model)[0].shape == ()


def test_a_transposed_convolution_is_one_node(written):
    made = calls(written(nn.Conv2dTranspose(3, 4, 3, 2), floats(1, 3, 5, 5)))
    assert made == ["Shape", "TupleGetItem", "MakeTuple", "Conv2DTranspose"]  # the first three are the batch's size


def test_pooling_is_one_node(written):
    assert calls(written(nn.AvgPool2d(2, 2), floats(1, 3, 6, 6))) == ["AvgPool"]
    assert calls(written(nn.MaxPool2d(3, 2, "same"), floats(1, 3, 6, 6))) == ["MaxPool"]


def test_sequences_and_constants_go_in_and_out(written):
    make, inputs = NETS["several inputs and outputs"]
    graph = written(make(), *inputs()).graph
    assert [i.name.partition(":")[2] for i in graph.input] == ["x", "pair"]  # None and 2.0 are constants
    assert graph.output[0].denotation == "Tuple"
    assert [len(v.values) for v in graph.output[0].attr_info.values] == [0, 2]


def test_the_phase_is_the_one_the_net_is_in(written):
    net = nn.SequentialCell(nn.BatchNorm2d(3), nn.Dropout(p=0.5))
    assert "Assign" not in calls(written(net, floats(2, 3, 4, 4)))
    net[0].set_train()
    assert calls(written(net, floats(2, 3, 4, 4))).count("Assign") == 2
    assert net[0].training and not net[1].training


def test_tracing_leaves_the_net_as_it_is(written):
    make, inputs = NETS["a changed parameter"]
    net = make()
    written(net, *inputs())
    assert net.total.asnumpy().tolist() == [0, 0, 0]


@pytest.mark.parametrize("decorate", [lambda f: f, ms.jit])
def test_functions_are_written(written, decorate):
    weight = ms.Parameter(floats(3), name="weight")

    def scale(x, factor):
        return x * weight + factor

    model = written(decorate(scale), floats(2, 3), floats(3))
    assert [i.name.partition(":")[2] for i in model.graph.input] == ["x", "factor"]
    assert [p.ref_key for p in model.graph.parameter] == ["weight"]


def test_prints_are_left_out_with_a_warning(written, caplog):
    def loud(x):
        ops.Print()(x)
        return x * 2

    assert calls(written(Of(loud), floats(2))) == ["Mul"]
    assert "prints" in caplog.text


def test_names_are_kept_apart(written):
    first, second = ms.Parameter(floats(2), name="x"), ms.Parameter(floats(2), name="x")
    graph = written(lambda x: x * first, floats(2)).graph
    assert len({graph.input[0].name, graph.parameter[0].name}) == 2
    with pytest.raises(ValueError, match="two are 'x'"):
        written(lambda y: y * first + second, floats(2))


def test_a_parameter_can_be_an_input(written):
    graph = written(nn.ReLU(), ms.Parameter(floats(2), name="p")).graph
    assert len(graph.input) == 1 and not graph.parameter


def test_tensors_that_change_must_be_parameters(written):
    buffer = Tensor(np.zeros(2, np.float32))

    def count(x):
        buffer.add_(x)
        return x * 2

    with pytest.raises(UnsupportedError, match=r"\(of the shape \(2,\)\).*Make it a Parameter"):
        written(count, floats(2))

    class Counting(nn.Cell):
        def __init__(self):
            super().__init__()
            self.register_buffer("seen", Tensor(np.zeros(2, np.float32)))

        def construct(self, x):
            self.seen += x
            return x * 2

    with pytest.raises(UnsupportedError, match=r"\(self\.0\.seen\)"):
        written(nn.SequentialCell(Counting()), floats(2))


@pytest.mark.parametrize("file_format", ["MINDIR", "ONNX", "StableHLO"])
def test_buffers_are_constants(file_format, tmp_path):
    class Shifted(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(3, 3)
            self.register_buffer("shift", Tensor(np.arange(3, dtype=np.float32)))

        def construct(self, x):
            x = self.dense(x)
            x += self.shift
            return x * self.shift[1:2]

    net, x, path = Shifted(), floats(2, 3), str(tmp_path / "a")
    if file_format == "StableHLO":
        pytest.importorskip("flatbuffers", reason="flatbuffers is not installed")
        exported = interop.export(net, x, weights="inside")
        found = np.asarray(exported.call(x.asnumpy()))
    elif file_format == "ONNX":
        pytest.importorskip("onnx", reason="onnx is not installed")
        ort = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
        ms.export(net, x, file_name=path, file_format="ONNX")
        (found,) = ort.InferenceSession(path + ".onnx").run(None, {"x": x.asnumpy()})
    else:
        ms.export(net, x, file_name=path, file_format="MINDIR")
        cell = nn.GraphCell(ms.load(path + ".mindir"))
        assert sorted(p.name for p in cell.get_parameters()) == ["dense.bias", "dense.weight"]
        found = cell(x).asnumpy()
    np.testing.assert_allclose(found, net(x).asnumpy(), 1e-5, 1e-5)


# -- files ------------------------------------------------------------------------------------------------------------
def test_a_file_is_read_only_and_replaced(tmp_path):
    path = tmp_path / "deep" / "net.mindir"
    for size in (2, 3):
        ms.export(nn.ReLU(), floats(size), file_name=str(path), file_format="MINDIR")
        assert stat.S_IMODE(path.stat().st_mode) == 0o400
        assert list(ms.load_mindir(str(path)).graph.input[0].tensor[0].dims) == [size]
    assert os.listdir(path.parent) == ["net.mindir"]


@pytest.mark.parametrize("mode", ["AES-GCM", "AES-CBC", "SM4-CBC"])
def test_encrypted_files_are_read_with_their_key(mode, tmp_path):
    pytest.importorskip("cryptography")
    name = str(tmp_path / "net.mindir")
    ms.export(nn.ReLU(), floats(2), file_name=name, file_format="MINDIR", enc_key=KEY, enc_mode=mode)
    with pytest.raises(ValueError):
        ms.load_mindir(name)
    assert ms.load(name, dec_key=KEY, dec_mode=mode) is not None


def test_a_function_encrypts(tmp_path):
    ms.export(nn.ReLU(), floats(2), file_name=str(tmp_path / "a"), file_format="MINDIR", enc_key=b"k",
              enc_mode=lambda data, key: key + data[::-1])  # fmt: skip
    data = (tmp_path / "a.mindir").read_bytes()
    (tmp_path / "b.mindir").write_bytes(data[:0:-1])
    assert data[:1] == b"k" and calls(ms.load_mindir(str(tmp_path / "b.mindir"))) == ["ReLU"]


def test_many_parameters_go_into_files_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setattr(export_files, "TOGETHER_BYTES", 100)
    monkeypatch.setattr(export_files, "DATA_FILE_BYTES", 64 + 320)
    net = nn.Dense(10, 7)
    (tmp_path / "big_variables").mkdir()
    (tmp_path / "big_variables" / "data_7").write_bytes(b"old")
    ms.export(net, floats(2, 10), file_name=str(tmp_path / "big"), file_format="MINDIR")
    assert sorted(os.listdir(tmp_path)) == ["big_graph.mindir", "big_variables"]
    assert sorted(os.listdir(tmp_path / "big_variables")) == ["data_0", "data_1"]
    for proto in ms.load_mindir(str(tmp_path / "big_graph.mindir")).graph.parameter:
        place = proto.external_data
        data = (tmp_path / place.location).read_bytes()
        assert data[0] == 1 and not any(data[1:64]) and len(data) % 64 == 0
        array = net.parameters_dict()[proto.ref_key].asnumpy()
        assert data[place.offset : place.offset + place.length] == array.tobytes() and not proto.raw_data


def test_a_function_changes_the_model(written):
    def change(model):
        model.producer_name = "mine"
        model.user_info["version"] = "1"
        model.user_info["version"] = "2"

    model = written(nn.ReLU(), floats(2), custom_func=change)
    assert model.producer_name == "mine"
    assert [(e.key, e.value) for e in model.user_info] == [("version", "2")] and model.user_info["version"] == "2"


def test_a_data_set_stands_for_its_images(written):
    data = ms.dataset.NumpySlicesDataset({"image": np.ones((4, 3), np.float32)}, shuffle=False).batch(2)
    assert list(written(nn.Dense(3, 2), data).graph.input[0].tensor[0].dims) == [2, 3]
    mapped = data.map(ms.dataset.transforms.TypeCast(ms.float32), input_columns=["image"])
    for given, options in (([mapped], {}), ([floats(2, 3)], {"dataset": mapped})):
        with pytest.raises(UnsupportedError, match="preprocess where the file is used"):
            written(nn.Dense(3, 2), *given, **options)
    for given in ([ms.dataset.NumpySlicesDataset({"x": np.ones((4, 3), np.float32)})], [data, data]):
        with pytest.raises(RuntimeError, match="column 'image'|one Dataset"):
            written(nn.Dense(3, 2), *given)


def test_messages_are_read_and_written(written, tmp_path):
    model = written(nn.ReLU(), floats(2))
    ms.save_mindir(model, str(tmp_path / "again"))
    assert ms.load_mindir(str(tmp_path / "again.mindir")).SerializeToString() == model.SerializeToString()
    (tmp_path / "bad.mindir").write_bytes(b"text")
    for use, error in (
        (lambda: ms.load_mindir(3), TypeError),
        (lambda: ms.load_mindir(str(tmp_path / "none.mindir")), ValueError),
        (lambda: ms.load_mindir(str(tmp_path / "bad.mindir")), ValueError),
        (lambda: ms.save_mindir(3, "a"), TypeError),
    ):
        with pytest.raises(error):
            use()


# -- what is refused --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"file_name": 3}, TypeError),
        ({"file_name": "a b"}, ValueError),
        ({"file_name": "a/"}, ValueError),
        ({"file_name": ""}, ValueError),
        ({"file_format": "mindir"}, ValueError),
        ({"file_format": "AIR"}, UnsupportedError),
        ({"file_format": "ONNX", "custom_func": print}, ValueError),
        ({"file_format": "AIR", "enc_key": KEY}, ValueError),
        ({"enc_key": "text"}, ValueError),
        ({"enc_key": b"short"}, ValueError),
        ({"enc_key": KEY, "enc_mode": "XOR"}, ValueError),
        ({"enc_key": KEY, "enc_mode": 3}, ValueError),
        ({"custom_func": 3}, TypeError),
        ({"dataset": 3}, TypeError),
        ({"obf_func": 3}, NotImplementedError),
    ],
)
def test_arguments_are_checked(options, error, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error):
        ms.export(nn.ReLU(), floats(2), **{"file_name": "net", "file_format": "MINDIR", **options})
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("net", "inputs", "error"),
    [
        (3, lambda: [floats(2)], RuntimeError),
        (nn.ReLU(), lambda: [], TypeError),
        (nn.ReLU(), lambda: [np.ones(2)], RuntimeError),
        (Of(lambda pair: pair[0]), lambda: [(floats(2), 3)], UnsupportedError),
        (Of(lambda x: x["a"]), lambda: [{"a": floats(2)}], UnsupportedError),
        (Of(lambda x, k: x * k), lambda: [floats(2), ms.mutable(3)], UnsupportedError),
    ],
)
def test_inputs_are_checked(net, inputs, error, written):
    with pytest.raises(error):
        written(net, *inputs())


def of_jax(fn):
    return Of(lambda x: wrap(fn(x._v)))


@pytest.mark.parametrize(
    ("fn", "text"),
    [
        (jnp.fft.fft, "'fft'"),
        (lambda x: jnp.lexsort((x, x)), "several keys"),
    ],
)
def test_an_operation_that_is_not_written_is_named_with_its_line(fn, text, written):
    with pytest.raises(UnsupportedError, match=text) as caught:
        written(of_jax(fn), floats(4))
    assert f"{pathlib.Path(__file__).name}:" in str(caught.value)


def test_random_numbers_are_refused(written):
    with pytest.raises(UnsupportedError, match="set_train"):
        written(nn.Dropout(p=0.5).set_train(), floats(4))


class Until(nn.Cell):
    """A loop, in which nothing is drawn."""

    def construct(self, x):
        while x.sum() < 9:
            x = x + 1
        return x


class Drawing(nn.Cell):
    """A loop, in which something is drawn."""

    def construct(self, x):
        while x.sum() < 9:
            x = x + ops.rand(4)
        return x


def test_random_numbers_in_a_loop_are_refused(written):
    with pytest.raises(UnsupportedError, match="draws random numbers"):
        written(Drawing(), floats(4))


@pytest.mark.parametrize("known", [True, False])
def test_a_loop_on_a_tensor_is_graphs_that_call_one_another(mode, known, tmp_path):
    x = floats(2, 3) if known else Tensor(shape=[None, 3], dtype=ms.float32)
    ms.export(Until(), x, file_name=str(tmp_path / "a"), file_format="MINDIR")
    model = ms.load_mindir(str(tmp_path / "a.mindir"))
    assert len(model.functions) == 3  # the condition, the body, and what follows
    graph = nn.GraphCell(ms.load(str(tmp_path / "a.mindir")))
    for batch in (1, 2, 5):
        x = floats(batch, 3)
        np.testing.assert_array_equal(graph(x).asnumpy(), Until()(x).asnumpy())


@pytest.mark.parametrize("kind", [nn.LSTM, nn.GRU])
def test_a_recurrent_net_takes_sequences_of_any_length(kind, tmp_path):
    net = kind(4, 5, bidirectional=True, batch_first=True)
    given = Tensor(shape=[None, None, 4], dtype=ms.float32)
    ms.export(net, given, file_name=str(tmp_path / "a"), file_format="MINDIR")
    graph = nn.GraphCell(ms.load(str(tmp_path / "a.mindir")))
    for batch, length in ((2, 7), (1, 1), (3, 4)):
        x = floats(batch, length, 4)
        for found, wanted in zip(leaves(graph(x)), leaves(net(x)), strict=True):
            np.testing.assert_allclose(found, wanted, atol=1e-6)
