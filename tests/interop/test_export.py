"""`interop.jax.export`: StableHLO that plain JAX runs, with free sizes, gradients, and for absent devices."""

import json
import pathlib
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, UnsupportedError, nn, ops
from ms_compat.interop.jax import export, pure
from tests._formats.mindir.nets import NETS, Of, floats
from tests.conformance.record.mindir_export import leaves

pytest.importorskip("flatbuffers", reason="flatbuffers is not installed")

PLAIN = """
import json, sys
import numpy as np
import jax
from jax import export
from safetensors.flax import load_file

net = export.deserialize(bytearray(open("net.stablehlo", "rb").read()))
weights = load_file("net.safetensors")
x = np.load("x.npy")
slope = jax.grad(lambda weights: (net.call(weights, x)["y"] ** 2).sum())(weights)
np.save("y.npy", net.call(weights, x)["y"])
np.save("slope.npy", slope["dense.weight"])
print(json.dumps(["ms_compat" in sys.modules, list(net.platforms), str(net.in_avals[-1].shape)]))
"""


class Net(nn.Cell):
    """A condition on a Tensor, a normalisation, and a dict as output."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, pad_mode="pad", padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.dense = nn.Dense(4, 2)

    def construct(self, x):
        x = self.norm(self.conv(x))
        if x.sum() > 0:
            x = x * 2
        return {"y": self.dense(x.mean((2, 3))), "which": x.reshape(x.shape[0], -1).argmax(1)}


def weights_of(net):
    return {p.name: p._v for p in net.get_parameters()}


def test_plain_jax_runs_the_artifact(tmp_path):
    net = Net()
    export(net, floats(2, 3, 8, 8), str(tmp_path / "net"), sizes="b, 3, h, w", vjp=1)
    x = np.random.RandomState(0).randn(5, 3, 6, 7).astype(np.float32)
    np.save(tmp_path / "x.npy", x)
    done = subprocess.run([sys.executable, "-c", PLAIN], cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [False, ["cpu", "cuda", "tpu"], "(b, 3, h, w)"]
    np.testing.assert_allclose(np.load(tmp_path / "y.npy"), net(Tensor(x))["y"].asnumpy(), rtol=1e-5, atol=1e-6)
    wanted = ms.grad(lambda: (net(Tensor(x))["y"] ** 2).sum(), None, [net.dense.weight])()[0]
    np.testing.assert_allclose(np.load(tmp_path / "slope.npy"), wanted.asnumpy(), rtol=1e-4, atol=1e-5)


@pytest.fixture
def deterministic_graph_mode():
    """GRAPH_MODE that compiles at the first call, and does not interpret the first ones by NumPy."""
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_deterministic(True)
    yield
    ms.set_deterministic(False)
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.parametrize("name", ["mlp", "lenet", "unet-like", "gru", "transformer encoder block"])
def test_the_bits_are_those_of_the_pure_function_and_of_graph_mode(name, deterministic_graph_mode):
    make, inputs = NETS[name]
    net, given = make(), inputs()
    net.set_train(False)
    exported = export(net, given)
    assert exported.platforms == ("cpu", "cuda", "tpu")
    arrays = [value._v for value in given]
    fn, params, state = pure(net)
    wanted, _ = jax.jit(fn)(params, state, *arrays)
    names = jax.tree.unflatten(exported.in_tree, exported.in_avals)[0][0]
    found = exported.call({name: weights_of(net)[name] for name in names}, *arrays)
    for mine, theirs in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)
    most = 1e-7 if name == "unet-like" else 0  # the guide says that some programs differ
    for mine, theirs in zip(jax.tree.leaves(found), leaves(net(*given)), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=most)


def test_weights_inside(tmp_path):
    net = nn.Dense(3, 2)
    exported = export(
        net, jnp.ones((4, 3), jnp.float32), str(tmp_path / "net.stablehlo"), weights="inside", sizes="b, 3"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["net.stablehlo"]
    loaded = jax.export.deserialize(bytearray((tmp_path / "net.stablehlo").read_bytes()))
    x = floats(7, 3)
    np.testing.assert_allclose(loaded.call(x._v), net(x).asnumpy(), rtol=1e-6)
    assert len(exported.in_avals) == 1


def test_bfloat16_weights(tmp_path):
    from safetensors.flax import load_file

    net = nn.Dense(3, 2)
    net.weight.set_dtype(ms.bfloat16)
    net.to_float(ms.bfloat16)
    exported = export(net, floats(4, 3), str(tmp_path / "net"))
    weights = load_file(str(tmp_path / "net.safetensors"))
    assert weights["weight"].dtype == jnp.bfloat16
    found = exported.call(weights, floats(4, 3)._v)
    assert found.dtype == jnp.bfloat16
    np.testing.assert_allclose(np.float32(found), net(floats(4, 3)).float().asnumpy(), rtol=1e-2, atol=1e-2)


def test_a_parameter_as_an_input_is_a_tensor():
    exported = export(nn.Dense(3, 2), ms.Parameter(floats(4, 3), name="x"), sizes="b, 3")
    assert str(exported.in_avals[-1].shape) == "(b, 3)"


def test_several_inputs_constants_and_sizes():
    net = Of(lambda x, pair, scale: (x + pair[0] * scale, pair[1].sum(0)))
    exported = export(net, (floats(2, 3), (floats(2, 3), floats(5, 4)), 2.0), sizes=["b, _", "b, 3", "n, 4"])
    assert [str(aval.shape) for aval in exported.in_avals] == ["(b, 3)", "(b, 3)", "(n, 4)"]
    found = exported.call(
        {}, jnp.ones((4, 3), jnp.float32), jnp.ones((4, 3), jnp.float32), jnp.ones((1, 4), jnp.float32)
    )
    np.testing.assert_array_equal(found[0], np.full((4, 3), 3, np.float32))


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"sizes": "b, 3, 4"}, ValueError, "shape"),
        ({"sizes": "b, 4"}, ValueError, "'4'"),
        ({"sizes": ["b, 3", "b, 3"]}, ValueError, "each of 1 arrays"),
        ({"vjp": -1}, ValueError, "vjp"),
        ({"weights": "none"}, ValueError, "weights"),
    ],
)
def test_wrong_arguments(options, error, text):
    with pytest.raises(error, match=text):
        export(nn.Dense(3, 2), floats(4, 3), **options)


def test_what_an_artifact_cannot_hold():
    with pytest.raises(TypeError, match="Cell"):
        export(lambda x: x, floats(2))
    with pytest.raises(UnsupportedError, match="changes Parameters"):
        export(nn.BatchNorm1d(3).set_train(), floats(4, 3))
    with pytest.raises(UnsupportedError, match="random"):
        export(nn.Dropout(p=0.5).set_train(), floats(4, 3))
    with pytest.raises(UnsupportedError, match="returns a value of the type 'str'"):
        export(Of(lambda x: (x, "text")), floats(4, 3))
    with pytest.raises(UnsupportedError, match="compares a size"):
        export(Of(lambda x: x * 2 if x.shape[0] > 3 else ops.relu(x)), floats(4, 3), sizes="b, 3")


def test_flatbuffers_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "flatbuffers", None)
    with pytest.raises(ImportError, match=r"pip install 'ms-compat\[stablehlo\]'"):
        export(nn.Dense(3, 2), floats(4, 3))


def test_the_folder_holds_nothing_else(tmp_path):
    export(nn.Dense(3, 2), floats(4, 3), str(tmp_path / "net"))
    assert sorted(path.name for path in pathlib.Path(tmp_path).iterdir()) == ["net.safetensors", "net.stablehlo"]
