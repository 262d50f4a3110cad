"""Nets of Float16 and BFloat16 as ONNX files: converted by `to_float`, by their Parameters' dtypes, and by `amp`."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import amp, nn
from tests._formats.mindir.nets import LAYERS, NETS, floats
from tests.conformance.record.mindir_export import leaves

onnx = pytest.importorskip("onnx", reason="onnx is not installed")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

from ms_compat._formats.onnx.execution import run  # noqa: E402

NUMBERS = {ms.float16: onnx.TensorProto.FLOAT16, ms.bfloat16: onnx.TensorProto.BFLOAT16}
CLOSE = {ms.float16: 4e-3, ms.bfloat16: 3e-2}
CASES = {
    **{name: NETS[name] for name in ("mlp", "lenet", "lstm", "nn.TransformerEncoderLayer")},
    **{name: LAYERS[name] for name in ("Conv2dTranspose", "MaxPool2d same", "AvgPool2d same", "Upsample bilinear")},
}


def by_to_float(net, dtype):
    return net.to_float(dtype)


def by_parameters(net, dtype):
    for parameter in net.get_parameters():
        parameter.set_dtype(dtype)
    return net


def by_amp(level):
    return lambda net, dtype: amp.auto_mixed_precision(net, level, dtype)


WAYS = {"to_float": by_to_float, "parameters": by_parameters, "O2": by_amp("O2"), "O3": by_amp("O3")}
# each net in one way, and one net in all ways
TRIED = [(name, way) for name in CASES for way in WAYS if name == "lenet" or way == "parameters"]


@pytest.mark.parametrize("dtype", NUMBERS, ids=str)
@pytest.mark.parametrize(("name", "way"), TRIED)
def test_outputs_are_equal_and_of_the_same_type(name, way, dtype, tmp_path):
    ms.set_seed(1)
    make, inputs = CASES[name]
    net = WAYS[way](make(), dtype).set_train(False)
    given = [x.astype(dtype) if way in ("parameters", "O3") and x.is_floating_point() else x for x in inputs()]
    ms.onnx.export(net, *given, file_name=str(tmp_path / "a"))
    model = onnx.load(str(tmp_path / "a.onnx"))
    onnx.checker.check_model(model, full_check=True)
    stored = {proto.name: proto.data_type for proto in model.graph.initializer}
    assert {p.name for p in net.get_parameters()} <= set(stored)
    if way == "parameters":
        assert {stored[p.name] for p in net.get_parameters()} <= {NUMBERS[dtype]}
    wanted = [net(*given)._v]
    types = [value.type.tensor_type.elem_type for value in model.graph.output]
    assert types == [onnx.helper.np_dtype_to_tensor_dtype(np.dtype(value.dtype)) for value in wanted]
    found = run(str(tmp_path / "a.onnx"), [np.asarray(x._v) for x in given])
    for mine, theirs in zip(found, wanted, strict=True):
        theirs = np.asarray(theirs, np.float32)
        scale = max(1.0, np.abs(theirs).max())
        np.testing.assert_allclose(mine.astype(np.float32) / scale, theirs / scale, atol=CLOSE[dtype])


@pytest.mark.parametrize("dtype", NUMBERS, ids=str)
def test_the_batch_stays_open(dtype, tmp_path):
    net = by_parameters(nn.SequentialCell(nn.Conv2d(2, 4, 3), nn.ReLU(), nn.Flatten(), nn.Dense(4 * 36, 3)), dtype)
    net.set_train(False)
    x = floats(2, 2, 6, 6).astype(dtype)
    ms.onnx.export(net, x, file_name=str(tmp_path / "a"), input_names=["x"], dynamic_axes={"x": {0: "n"}})
    for size in (1, 3):
        x = floats(size, 2, 6, 6).astype(dtype)
        (found,) = run(str(tmp_path / "a.onnx"), [np.asarray(x._v)])
        np.testing.assert_allclose(found.astype(np.float32), leaves(net(x).float())[0], atol=CLOSE[dtype])
