"""Files of `mindspore.export` that serve other sizes than they were exported with."""

import json
import pathlib

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, UnsupportedError, nn, ops
from tests._formats.mindir.batches import BATCHES
from tests._formats.mindir.nets import Of, floats
from tests.conformance.record.mindir_export import leaves

RECORDED = json.loads((pathlib.Path(__file__).parent / "export.json").read_text("utf-8"))


@pytest.fixture
def graph(tmp_path):
    """Export, and load again."""

    def make(net, *inputs):
        ms.export(net, *inputs, file_name=str(tmp_path / "a"), file_format="MINDIR")
        return nn.GraphCell(ms.load(str(tmp_path / "a.mindir")))

    return make


def unknown(*shape):
    return Tensor(shape=list(shape), dtype=ms.float32)


def equal(found, wanted):
    found, wanted = leaves(found), leaves(wanted)
    assert [(a.shape, a.dtype) for a in found] == [(b.shape, b.dtype) for b in wanted]
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a, b, 1e-4, 1e-4)


def test_mindspore_ran_them_with_other_batches():
    recorded = {name: found for name, found in RECORDED["files"].items() if " of " in name and "batch" in name}
    assert len(recorded) >= 4 * len(BATCHES)
    assert [name for name, found in recorded.items() if found.get("largest difference", 1) > 1e-4] == []


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("name", BATCHES)
def test_every_batch_is_served(name, known, graph, mode):
    make, shape = BATCHES[name]
    net = make()
    held = {p.name: p.asnumpy() for p in net.get_parameters()}
    cell = graph(net, floats(*shape) if known else unknown(None, *shape[1:]))
    for batch in (shape[0], 1, 5):
        x = floats(batch, *shape[1:])
        found = leaves(cell(x))
        for parameter in net.get_parameters():
            parameter.set_data(Tensor(held[parameter.name]))
        equal(found, net(x))
        for parameter in cell.get_parameters():
            parameter.set_data(Tensor(held[parameter.name]))


def test_several_sizes_are_open(graph, mode):
    net = Of(lambda x, y: (ops.softmax(x.reshape(x.shape[0], -1)), x + y, x.reshape(x.shape[1], -1, y.shape[0])))
    cell = graph(net, unknown(None, None, 2), unknown(None, 1, 2))
    for sizes in ((2, 3), (4, 1), (1, 5)):
        x, y = floats(*sizes, 2), floats(sizes[0], 1, 2)
        equal(cell(x, y), net(x, y))


def test_parts_by_a_size(graph, mode):
    net = Of(lambda x: (x[: x.shape[0] // 2 + 1], x[x.shape[0] - 1]))
    cell = graph(net, unknown(None, 3))
    for rows in (2, 3, 6):
        equal(cell(floats(rows, 3)), net(floats(rows, 3)))


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: x * 2 if x.shape[0] == 3 else x,
        lambda x: x * 2 if x.shape[0] > 100 else x,
        lambda x: x * float(x.shape[0]),
        lambda x: [x[i] for i in range(x.shape[0])][0],
    ],
)
def test_what_asks_for_an_unknown_size_is_refused(fn, graph):
    with pytest.raises(UnsupportedError, match="needs the size of the input"):
        graph(Of(fn), unknown(None, 3))
    equal(graph(Of(fn), floats(3, 3))(floats(3, 3)), fn(floats(3, 3)))  # a batch that is known will do


NUMPY = {
    "arange": lambda n: np.arange(n),
    "arange from": lambda n: np.arange(1, n + 1, dtype=np.float32),
    "broadcast_to": lambda n: np.broadcast_to(np.float32(2.5), (n, 1)),
    "eye": lambda n: np.eye(n, 2, dtype=np.int32),
    "full": lambda n: np.full((n, 2), 3),
    "full of floats": lambda n: np.full(fill_value=3.5, shape=(n, 2)),
    "identity": lambda n: np.identity(n),
    "ones": lambda n: np.ones((n, 1)),
    "tile": lambda n: np.tile(np.array([[1, 2]], np.int16), (n, 1)),
    "zeros": lambda n: np.zeros((n, 2), bool),
    "zeros of a size": lambda n: np.zeros(n, dtype="float16"),
}


@pytest.mark.parametrize("name", NUMPY)
def test_numpy_makes_arrays_of_open_sizes(name, graph):
    make = NUMPY[name]
    net = Of(lambda x: (x + 1, Tensor(make(x.shape[0]))))
    cell = graph(net, unknown(None, 2))
    for batch in (1, 2, 5):
        equal(cell(floats(batch, 2)), net(floats(batch, 2)))


def first_row(x):
    """Looks at the first row only, as code does that accepts a list of pairs, too."""
    for row in x:
        return row.sum() + x
    return x


OPERATIONS = {
    "gather from one row": lambda x: ops.gather(Tensor(np.array([[3.0, 4.0]], np.float32)), (x[:, 0] * 0).int(), 0),
    "grid_sample": lambda x: ops.grid_sample(x.reshape(-1, 1, 2, 3), ops.tanh(x.reshape(-1, 3, 1, 2))),
    "grid_sample in 3-D": lambda x: ops.grid_sample(
        x.reshape(-1, 1, 1, 2, 3), ops.tanh(x.reshape(-1, 2, 1, 1, 3)), "nearest", "border", True
    ),
    "iteration": first_row,
    "repeat_interleave": lambda x: ops.repeat_interleave(x[:1], x.shape[0], 0),
    "repeat_interleave of the flat": lambda x: ops.repeat_interleave(x, 2 * x.shape[0]),
    "repeat_interleave of columns": lambda x: x.repeat_interleave(3, -1),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_operations_take_open_sizes(name, graph):
    net = Of(OPERATIONS[name])
    cell = graph(net, unknown(None, 6))
    for batch in (1, 2, 5):
        equal(cell(floats(batch, 6)), net(floats(batch, 6)))


POOLS = {
    "AvgPool2d same": lambda: nn.AvgPool2d(3, 2, "same"),
    "AvgPool2d same, steps wider than windows": lambda: nn.AvgPool2d((3, 2), (2, 3), "same"),
    "AvgPool2d padded": lambda: nn.AvgPool2d(3, 2, "pad", padding=1, count_include_pad=False),
    "AvgPool2d padded, partial windows": lambda: nn.AvgPool2d(3, 2, "pad", padding=1, ceil_mode=True),
    "AvgPool2d valid": lambda: nn.AvgPool2d(2, 2),
    "MaxPool2d same": lambda: nn.MaxPool2d(3, 2, "same"),
    "MaxPool2d padded, partial windows": lambda: nn.MaxPool2d(3, 2, "pad", padding=1, ceil_mode=True),
    "MaxPool2d valid": lambda: nn.MaxPool2d(3, 2),
    "AdaptiveAvgPool2d": lambda: nn.AdaptiveAvgPool2d((3, 2)),
    "AdaptiveAvgPool2d of rows": lambda: nn.AdaptiveAvgPool2d((2, None)),
    "AdaptiveAvgPool2d of all": lambda: nn.AdaptiveAvgPool2d(1),
    "LPPool2d": lambda: nn.LPPool2d(2, 3, 2),
}


@pytest.mark.parametrize("name", POOLS)
@pytest.mark.parametrize("file_format", ["MINDIR", "ONNX"])
def test_pools_take_open_heights_and_widths(name, file_format, graph, tmp_path):
    net = POOLS[name]()
    if file_format == "ONNX":
        runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
        ms.export(net, unknown(None, 2, None, None), file_name=str(tmp_path / "a"), file_format="ONNX")
        session = runtime.InferenceSession(str(tmp_path / "a.onnx"), providers=["CPUExecutionProvider"])

        def cell(x):
            return Tensor(session.run(None, {session.get_inputs()[0].name: x.asnumpy()})[0])
    else:
        cell = graph(net, unknown(None, 2, None, None))
    for sizes in ((1, 5, 8), (2, 6, 7), (3, 8, 9)):
        x = floats(sizes[0], 2, *sizes[1:])
        equal(cell(x), net(x))


def scaled(x):
    return x * float(np.ones(x.shape[0]).sum())


def test_what_numpy_made_of_an_open_size_has_no_values(graph):
    with pytest.raises(UnsupportedError, match=r"test_sizes\.py:\d+: return x \* float\(np\.ones"):
        graph(Of(scaled), unknown(None, 2))


def tripled(x):
    return x * 3 if x.shape[0] in (3, 8) else x


class Rewritten(nn.Cell):
    """Its code is rewritten for the condition on a Tensor, and so is the one on a size."""

    def construct(self, x):
        if x.sum() > 0:
            x = x + 1
        return x * 3 if x.shape[0] in (3, 8) else x


@pytest.mark.parametrize("net", [Of(tripled), Rewritten()])
@pytest.mark.parametrize("file_format", ["MINDIR", "ONNX"])
def test_the_line_that_compares_a_size_is_named(net, file_format, tmp_path):
    if file_format == "ONNX":
        pytest.importorskip("onnx", reason="onnx is not installed")
    with pytest.raises(UnsupportedError, match=r"test_sizes\.py:\d+: return x \* 3 if x\.shape\[0\] in \(3, 8\)"):
        ms.export(net, unknown(None, 3), file_name=str(tmp_path / "a"), file_format=file_format)


@pytest.mark.parametrize("heads", [8, 2])
def test_a_weight_may_have_any_size_that_the_batch_may_have(heads, graph):
    weight = floats(heads, 4, 4)
    net = Of(lambda x: ops.matmul(x, x.swapaxes(-1, -2)) + weight)
    cell = graph(net, unknown(None, heads, 4, 3))
    for batch in (1, 2, 8):
        equal(cell(floats(batch, heads, 4, 3)), net(floats(batch, heads, 4, 3)))


def test_what_is_wrong_with_the_net_is_told(graph):
    with pytest.raises(AttributeError, match="no_such"):
        graph(Of(lambda x: x.no_such()), unknown(None, 3))
    with pytest.raises(UnsupportedError, match="unknown rank"):
        graph(nn.ReLU(), Tensor(shape=None, dtype=ms.float32))


def test_types_say_what_is_known(tmp_path):
    net = nn.SequentialCell(nn.Flatten(), nn.Dense(6, 2))
    for given, first in ((floats(4, 2, 3), 4), (unknown(None, 2, 3), -1)):
        ms.export(net, given, file_name=str(tmp_path / "a"), file_format="MINDIR")
        written = ms.load_mindir(str(tmp_path / "a.mindir")).graph
        assert list(written.input[0].tensor[0].dims) == [first, 2, 3]
        assert list(written.output[0].tensor[0].dims) == [first, 2]


class Classifier(nn.Cell):
    def __init__(self, flat):
        super().__init__()
        self.conv, self.dense = nn.Conv2d(1, 2, 3), nn.Dense(32, 2)
        self.flat = flat

    def construct(self, x):
        return self.dense(self.flat(self.conv(x)))


@pytest.mark.parametrize("flat", [nn.Flatten(), Of(lambda x: x.view(x.shape[0], -1))], ids=["Flatten", "view"])
@pytest.mark.parametrize("how", ["known", "unknown", "declared"])
def test_a_saved_classifier_runs_at_every_batch(how, flat, tmp_path):
    net = Classifier(flat)
    unknown = Tensor(shape=[None, 1, 4, 4], dtype=ms.float32)
    if how == "declared":
        net.set_inputs(unknown)
    ms.export(net, unknown if how == "unknown" else floats(2, 1, 4, 4), file_name=str(tmp_path / "a"),
              file_format="MINDIR")  # fmt: skip
    cell = nn.GraphCell(ms.load(str(tmp_path / "a.mindir")))
    for batch in (1, 2, 5):
        x = floats(batch, 1, 4, 4)
        np.testing.assert_allclose(cell(x).asnumpy(), net(x).asnumpy(), rtol=1e-5, atol=1e-6)
