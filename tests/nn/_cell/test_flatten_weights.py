"""`Cell.flatten_weights`: Parameters in common arrays compute, train, copy and load as before."""

import copy
import pickle

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from ms_compat._core.tensor.flat_weights import Chunk, FlatParameter


class Net(nn.Cell):
    def __init__(self, flat, layers=6, fusion_size=0):
        super().__init__()
        self.layers = nn.CellList([nn.Dense(4, 4) for _ in range(layers)])
        self.norm = nn.BatchNorm1d(4)
        self.frozen = Parameter(Tensor([1.0]), name="frozen", requires_grad=False)
        numbers = np.random.default_rng(0)
        for parameter in self.trainable_params():
            parameter.set_data(Tensor(0.5 * numbers.standard_normal(parameter.shape).astype(np.float32)))
        if flat:
            assert self.flatten_weights(fusion_size) is None

    def construct(self, x):
        for layer in self.layers:
            x = ops.tanh(layer(x))
        return self.norm(x) * self.frozen


X = np.random.default_rng(1).standard_normal((8, 4)).astype(np.float32)


def chunks_of(net):
    return list(dict.fromkeys(p.__dict__["_chunk"] for p in net.trainable_params()))


def values_of(net):
    return [p.asnumpy() for p in net.get_parameters()]


def same(one, other):
    for a, b in zip(one, other, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_only_trainable_parameters_are_moved_and_keep_their_values():
    net = Net(True)
    assert {type(p) for p in net.trainable_params()} == {FlatParameter}
    assert {type(p) for p in net.untrainable_params()} == {Parameter}
    same(values_of(net), values_of(Net(False)))
    assert repr(net.layers[0].weight) == (
        "Parameter (name=layers.0.weight, shape=(4, 4), dtype=Float32, requires_grad=True)"
    )


def test_chunks_have_the_bytes_asked_for():
    net = Net(True, fusion_size=200)
    assert [chunk._v.nbytes for chunk in chunks_of(net)] == [160, 160, 192]  # 80 a layer; the norm has 32
    assert [chunk._v.nbytes for chunk in chunks_of(Net(True))] == [512]
    net.flatten_weights(1)  # every Parameter is larger, and has a chunk of its own
    assert [chunk._v.nbytes for chunk in chunks_of(net)[:2]] == [64, 16]
    with pytest.raises(ValueError, match="-1"):
        net.flatten_weights(-1)


def test_dtypes_do_not_mix():
    net = nn.CellList([nn.Dense(2, 2), nn.Dense(2, 2).to(ms.float16)])
    net.flatten_weights()
    assert [(chunk.dtype.name, len(chunk.members)) for chunk in chunks_of(net)] == [("float32", 2), ("float16", 2)]


def test_a_compiled_function_takes_the_chunk_alone():
    net = Net(True)
    compiled = ms.jit(net)
    compiled(Tensor(X))
    (specialised,) = compiled._specialised.values()
    assert [type(t) for t in specialised.read].count(Chunk) == 1
    assert not any(isinstance(t, FlatParameter) for t in specialised.read)


def test_flattening_after_a_compile_is_noticed(mode):
    net = Net(False)
    before = net(Tensor(X)).asnumpy()
    net.flatten_weights()
    np.testing.assert_allclose(net(Tensor(X)).asnumpy(), before, rtol=1e-6)


@pytest.mark.parametrize("how", ["plain", "jit of all", "jit of the forward"])
def test_gradients(how, mode):
    found = []
    for flat in (False, True):
        net = Net(flat).set_train()
        forward = ms.jit(net) if how == "jit of the forward" else net
        gradient = ms.value_and_grad(lambda x: ops.square(forward(x)).sum(), 0, net.trainable_params())  # noqa: B023
        if how == "jit of all":
            gradient = ms.jit(gradient)
        for _ in range(2):
            loss, (dx, dw) = gradient(Tensor(X))
        found.append([loss.asnumpy(), dx.asnumpy(), *[g.asnumpy() for g in dw], *values_of(net)])
    same(*found)


@pytest.mark.parametrize("fusion_size", [0, 200])
def test_training(fusion_size, mode):
    found = []
    for flat in (False, True):
        net = Net(flat, fusion_size=fusion_size)
        step = nn.TrainOneStepCell(
            nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9)
        ).set_train()
        losses = [step(Tensor(X), Tensor(X)).asnumpy() for _ in range(4)]
        found.append([*losses, *values_of(net)])
    same(*found)


def test_a_parameter_that_is_written_in_between(mode):
    found = []
    for flat in (False, True):
        net = Net(flat)
        outputs = [net(Tensor(X)).asnumpy()]
        net.layers[1].weight.set_data(Tensor(np.ones((4, 4), np.float32)))
        outputs.append(net(Tensor(X)).asnumpy())
        for parameter in net.trainable_params():
            parameter.set_data(parameter * 0.5)
        outputs.append(net(Tensor(X)).asnumpy())
        found.append([*outputs, *values_of(net)])
    same(*found)


def test_another_shape_or_dtype_ends_the_sharing(mode):
    net = Net(True)
    expected = net(Tensor(X)).asnumpy()
    net.layers[0].weight.set_dtype(ms.float64)
    assert {type(p) for p in net.get_parameters()} == {Parameter}
    net.layers[0].weight.set_dtype(ms.float32)
    np.testing.assert_allclose(net(Tensor(X)).asnumpy(), expected, rtol=1e-6)


def test_an_error_in_a_trace_leaves_values_alone():
    class Breaks(Net):
        def construct(self, x):
            self.layers[0].weight = self.layers[0].weight * 2
            raise RuntimeError("stop")

    net = Breaks(True)
    before = values_of(net)
    with pytest.raises(RuntimeError, match="stop"):
        ms.jit(net)(Tensor(X))
    same(values_of(net), before)


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p)), Parameter.clone])
def test_copies_live_alone(make):
    weight = Net(True).layers[0].weight
    copied = weight.clone() if make is Parameter.clone else make(weight)
    assert (type(copied), copied.name, copied.requires_grad) == (Parameter, weight.name, True)
    before = weight.asnumpy()
    copied.set_data(copied * 2)
    np.testing.assert_array_equal(weight.asnumpy(), before)
    np.testing.assert_array_equal(copied.asnumpy(), before * 2)


def test_jax_takes_a_flattened_cell():
    import jax

    net = Net(True)
    doubled = jax.tree_util.tree_map(lambda a: a * 2, net)
    assert type(doubled.layers[0].weight) is Parameter
    np.testing.assert_array_equal(doubled.layers[0].weight.asnumpy(), net.layers[0].weight.asnumpy() * 2)
    out = jax.jit(lambda cell, x: cell(Tensor(x))._v)(net, X)
    np.testing.assert_allclose(np.asarray(out), net(Tensor(X)).asnumpy(), rtol=1e-5, atol=1e-6)


def test_files(tmp_path):
    net, other = Net(True), Net(True)
    for parameter in other.get_parameters():
        parameter.set_data(parameter * 0)
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint(net, path)
    ms.load_param_into_net(other, ms.load_checkpoint(path))
    same(values_of(other), values_of(net))
    other.load_state_dict(Net(False).state_dict())
    same(values_of(other), values_of(net))
