"""`export` writes a model of a script in each format, and says how far its outputs are from the Cell's."""

import json

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import __main__ as cli
from ms_compat._formats import contents
from ms_compat.interop import jax as interop

SCRIPT = """
import mindspore as ms
from mindspore import nn

class Net(nn.Cell):
    def __init__(self, classes=2):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.flatten = nn.Flatten()
        self.dense = nn.Dense(4 * 64, classes)

    def construct(self, image):
        return self.dense(self.flatten(self.conv(image)))

class Broken(nn.Cell):
    def construct(self, image):
        return image * {}["absent"]

sizes = ms.Tensor(shape=[None, 3, 8, 8], dtype=ms.float32)

if __name__ == "__main__":
    raise SystemExit("it is not run as a program")
"""
EXTRAS = {"onnx": ("onnx", "onnxruntime"), "stablehlo": ("flatbuffers",), "mindir": ()}


@pytest.fixture
def script(tmp_path):
    (tmp_path / "net.py").write_text(SCRIPT)
    return str(tmp_path / "net.py")


def run(script, output, *options):
    return cli.main(["export", script, "--net", "Net()", *options, str(output)])


@pytest.mark.parametrize("kind", EXTRAS)
def test_each_format_is_written_and_checked(kind, script, tmp_path, capsys):
    for module in EXTRAS[kind]:
        pytest.importorskip(module, reason=f"{module} is not installed")
    output = tmp_path / f"net.{kind}"
    assert run(script, output, "--inputs", "sizes", "--to", kind, "--check") == 0
    written, checked = capsys.readouterr().out.splitlines()
    assert written == f"{output}: {output.stat().st_size} bytes"
    assert checked.startswith("largest difference of batches 2 and 3: ")
    assert float(checked.rpartition(" ")[2]) < 1e-4
    assert cli.main(["inspect", str(output), "--json", "--no-stats"]) == 0
    told = json.loads(capsys.readouterr().out)
    named = {entry["name"]: entry["shape"] for entry in told["entries"] if "/" not in entry["name"]}
    assert named == {"conv.weight": [4, 3, 3, 3], "dense.weight": [2, 256], "dense.bias": [2]}
    if kind == "onnx":
        assert told["inputs"] == {"image": "float[batch, 3, 8, 8]"}
        assert told["outputs"] == {"output": "float[batch, 2]"}
        assert told["operators"] == {"ai.onnx": 18} and told["operations"]["Conv"] == 1
    if kind == "stablehlo":
        assert told["inputs"] == {"0": "float32[batch,3,8,8]"} and told["outputs"] == {"0": "float32[batch,2]"}
        assert told["platforms"] == "cpu, cuda, tpu" and told["operations"]["stablehlo.convolution"] >= 1


def test_a_difference_is_an_error(script, tmp_path, capsys, monkeypatch):
    from ms_compat.cli import export

    monkeypatch.setattr(export, "_outputs", lambda args, given: [np.ones((len(given[0]), 2), np.float32)])
    assert run(script, tmp_path / "a.mindir", "--inputs", "sizes", "--to", "mindir", "--check") == 1
    assert float(capsys.readouterr().out.split()[-1]) > 1e-4


def test_weights_from_a_checkpoint_and_as_safetensors(script, tmp_path, capsys):
    weights = tmp_path / "a.safetensors"
    assert run(script, weights, "--to", "safetensors") == 0
    held = ms.load_checkpoint(str(weights), format="safetensors")
    assert sorted(held) == ["conv.weight", "dense.bias", "dense.weight"]
    assert run(script, tmp_path / "b.safetensors", "--to", "safetensors", "--ckpt", str(weights)) == 0
    again = ms.load_checkpoint(str(tmp_path / "b.safetensors"), format="safetensors")
    np.testing.assert_array_equal(again["dense.weight"].asnumpy(), held["dense.weight"].asnumpy())


@pytest.mark.parametrize(
    ("options", "output", "text"),
    [
        (["--to", "mindir", "--inputs", "sizes"], "a.onnx", "must end in .mindir"),
        (["--to", "mindir"], "a.mindir", "needs --inputs"),
        (["--to", "mindir", "--inputs", "absent"], "a.mindir", "--inputs 'absent': NameError"),
        (["--to", "mindir", "--inputs", "sizes", "--net", "ms"], "a.mindir", "--net must be a Cell"),
        (["--to", "mindir", "--inputs", "sizes"], "net.mindir", "--force replaces it"),
        (["--to", "safetensors", "--check"], "a.safetensors", "compares outputs"),
        (["--to", "safetensors", "--inputs", "sizes"], "a.safetensors", "weights alone have no inputs"),
        (["--to", "safetensors"], "no/such/a.safetensors", "there is no"),
        (["--to", "mindir", "--inputs", "sizes"], "file/a.mindir", "can't write"),
        (["--to", "mindir", "--inputs", "sizes", "--net", "Net("], "a.mindir", "SyntaxError: '(' was never closed"),
        (["--to", "mindir", "--inputs", "sizes", "--net", "Broken()"], "a.mindir", "net.py:17: KeyError: 'absent'"),
        (["--to", "mindir", "--inputs", "sizes", "--ckpt", "absent.ckpt"], "a.mindir", "absent.ckpt"),
    ],
)
def test_what_makes_no_sense(options, output, text, script, tmp_path, capsys):
    (tmp_path / "net.mindir").write_text("")
    (tmp_path / "file").write_text("")
    assert run(script, tmp_path / output, *options) == 2
    assert text in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = (", "net.py:1: SyntaxError: '(' was never closed"),
        ("import json\n{}['absent']", "net.py:2: KeyError: 'absent'"),
        (None, "net.py': No such file or directory"),
    ],
)
def test_a_script_that_does_not_run_is_one_line(text, message, tmp_path, capsys):
    if text is not None:
        (tmp_path / "net.py").write_text(text)
    assert run(str(tmp_path / "net.py"), tmp_path / "a.mindir", "--inputs", "sizes", "--to", "mindir") == 2
    printed = capsys.readouterr().err
    assert message in printed and printed.count("\n") == 1


def test_a_package_that_is_not_installed_is_named(script, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    assert run(script, tmp_path / "a.onnx", "--to", "onnx", "--inputs", "sizes") == 2
    assert "pip install 'ms-compat[onnx]'" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["a.onnx", "a.stablehlo"])
def test_damaged_files_are_refused(name, tmp_path, capsys):
    (tmp_path / name).write_bytes(b"no such thing" * 9)
    assert cli.main(["inspect", str(tmp_path / name)]) == 2
    assert name in capsys.readouterr().err


def test_a_tensor_of_no_type_is_refused(tmp_path, capsys):
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    graph = onnx.helper.make_graph([], "g", [], [], [onnx.TensorProto(name="w", dims=[1])])
    onnx.save(onnx.helper.make_model(graph), str(tmp_path / "a.onnx"))
    assert cli.main(["inspect", str(tmp_path / "a.onnx")]) == 2
    assert "must be an ONNX file" in capsys.readouterr().err


def test_operations_that_xla_cannot_read_are_refused():
    """XLA ends its process on some of these bytes, so another process reads them."""
    pytest.importorskip("flatbuffers", reason="flatbuffers is not installed")
    from jax import export

    data = bytes(export.export(jax.jit(lambda x: x + 1))(jax.ShapeDtypeStruct((2,), jax.numpy.float32)).serialize())
    assert contents._operations_of(data) == {
        "stablehlo.constant": 1,
        "stablehlo.broadcast_in_dim": 1,
        "stablehlo.add": 1,
    }
    at = data.index(b"StableHLO") + 12
    for place in (at, at + 40):
        with pytest.raises(ValueError, match="XLA cannot read"):
            contents._operations_of(data[:place] + b"\xff" * 8 + data[place + 8 :])


@pytest.mark.parametrize(("value", "status"), [(0.5, 0), (np.nan, 1), (-np.inf, 1)])
def test_constants_of_a_graph_may_be_infinite_and_weights_may_not(value, status, tmp_path, capsys):
    """A mask of -inf is an initializer of our files, and a node called Constant in those of other writers."""
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    net = ms.nn.Dense(3, 2)
    net.weight.set_data(ms.Tensor(np.full((2, 3), value, np.float32)))
    mask = ms.Tensor(np.array([[0, -np.inf]] * 4, np.float32))

    class Masked(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.net = net

        def construct(self, x):
            return self.net(x) + mask

    path = str(tmp_path / "a.onnx")
    ms.onnx.export(Masked(), ms.ops.ones((4, 3)), file_name=path)
    model = onnx.load(path)
    for as_node in (False, True):
        if as_node:
            constants = [proto for proto in model.graph.initializer if proto.name.startswith("/")]
            held = next(proto for proto in constants if np.isinf(onnx.numpy_helper.to_array(proto)).any())
            model.graph.initializer.remove(held)
            model.graph.node.insert(0, onnx.helper.make_node("Constant", [], [held.name], value=held))
            onnx.save(model, path)
        assert cli.main(["inspect", path]) == status
        printed = capsys.readouterr()
        assert ("'net.weight' has values that are NaN or infinite" in printed.err) is bool(status)
        assert "/Constant" not in printed.err and "infinite constant" in printed.out


def test_weights_inside_an_artifact(tmp_path, capsys):
    pytest.importorskip("flatbuffers", reason="flatbuffers is not installed")
    net = ms.nn.Dense(3, 2)
    interop.export(net, ms.ops.ones((4, 3)), str(tmp_path / "a"), weights="inside", vjp=1)
    assert cli.main(["inspect", str(tmp_path / "a.stablehlo"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["entries"], told["inputs"], told["derivatives"]) == ([], {"0": "float32[4,3]"}, True)
